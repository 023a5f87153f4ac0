"""SCORE: what somebody's predictions earn on the rows of a dataset.

Predictions are joined with rows by `id`. A row's verifier says what a prediction is worth: 1 or 0
for an answer, and k + 3 points for a text that was to show k skills. A row that is predicted
several times counts with the mean of its answers, and as the best of its texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

from synthgen.core.contract import Verifier
from synthgen.core.errors import DatasetError
from synthgen.core.registry import load_verifier
from synthgen.dataset.foreign import open_foreign
from synthgen.dataset.foreign.columns import Wanted
from synthgen.dataset.foreign.rows import RowBatch
from synthgen.dataset.reader import Dataset, open_dataset
from synthgen.training.skill_metrics import Measured, over_tuples

_COLUMNS = ("id", "prompt", "answer", "source")


@dataclass(slots=True)
class SplitScore:
    """What predictions earn on one split.

    Attributes:
        rows: of the split; `predicted` of them have a prediction.
        mean: over the predicted rows, of rows with answers; None if there are none.
        skills: metrics by the number of skills, of rows that ask for texts.
        undecided: texts with a point that no checker can give; they are in no metric.
    """

    rows: int = 0
    predicted: int = 0
    mean: float | None = None
    skills: dict[int, dict[str, Measured]] = field(default_factory=dict)
    undecided: int = 0


@dataclass(frozen=True, slots=True)
class Scored:
    """What predictions earn on a dataset, and how many of them are for no row of it."""

    splits: dict[str, SplitScore]
    predictions: int
    strangers: int


def read_predictions(batches: Iterable[RowBatch]) -> dict[str, list[str]]:
    """Return the predictions of each id, in the order of the file.

    Args:
        batches: of rows whose prompts are ids and whose answers are predictions.

    Raises:
        DatasetError: for a row without an id; a null prediction is an empty one.
    """
    found: dict[str, list[str]] = {}
    for batch in batches:
        rows = zip(batch.prompts.to_pylist(), batch.answers.to_pylist(), strict=True)
        for number, (name, prediction) in enumerate(rows, start=batch.first):
            if name is None:
                msg = f"row {number:,} has no id"
                raise DatasetError(msg)
            found.setdefault(name, []).append(prediction or "")
    return found


def score_file(
    folder: Path, file: Path, splits: Sequence[str], columns: Wanted, form: str | None
) -> Scored:
    """Score the predictions of a file.

    Args:
        folder: of the dataset.
        file: of predictions.
        splits: none stand for all.
        columns: of ids and of predictions.
        form: of the file; by default its name tells.

    Raises:
        DatasetError: if the folder or the file cannot be read.
        UnknownNameError: for a split that the dataset does not have.
    """
    dataset = open_dataset(folder)
    for name in splits:
        dataset.rows(name)  # tells an unknown one before anything is read
    with open_foreign(file, columns, form=form) as foreign:
        given = read_predictions(foreign.batches)
    return score(dataset, given, splits or dataset.splits)


def score(dataset: Dataset, predictions: dict[str, list[str]], splits: Sequence[str]) -> Scored:
    """Score predictions on splits of a dataset.

    Raises:
        DatasetError: if a shard cannot be read.
    """
    verifiers = {s.name: load_verifier(s.verifier) for s in dataset.manifest.sources}
    used: set[str] = set()
    found = {name: _score_split(dataset, name, predictions, verifiers, used) for name in splits}
    given = sum(map(len, predictions.values()))
    strangers = sum(len(texts) for name, texts in predictions.items() if name not in used)
    return Scored(found, given, strangers)


def _score_split(
    dataset: Dataset,
    split: str,
    predictions: dict[str, list[str]],
    verifiers: dict[str, Verifier],
    used: set[str],
) -> SplitScore:
    found = SplitScore()
    grades: list[float] = []
    texts: dict[int, dict[str, list[Sequence[int]]]] = {}
    for batch in dataset.batches(split, _COLUMNS):
        found.rows += batch.num_rows
        for row in batch.to_pylist():
            given = predictions.get(row["id"])
            if given is None:
                continue
            used.add(row["id"])
            found.predicted += 1
            verifier = verifiers[row["source"]]
            points = [_points(verifier, row["prompt"], text) for text in given]
            if points[0] is None:
                grades.append(mean(verifier.grade(text, row["answer"]) for text in given))
                continue
            whole = [p for p in points if p is not None and None not in p]
            found.undecided += len(points) - len(whole)
            if whole:
                k = len(whole[0]) - 3
                texts.setdefault(k, {}).setdefault(row["id"], []).extend(whole)
    found.mean = mean(grades) if grades else None
    found.skills = {k: over_tuples(texts[k]) for k in sorted(texts)}
    return found


def _points(verifier: Verifier, prompt: str, text: str) -> Sequence[Any] | None:
    """Return the points of a text, None for one that cannot be given; None if it asks for none."""
    give = getattr(verifier, "points", None)
    return None if give is None else give(prompt, text)
