"""SCORE: grade predictions against the rows of a dataset.

Predictions are joined with rows by `id`, and graded by the row's verifier. A row with several
predictions counts with their mean. A verifier cannot grade a rubric, so rows whose answer is a
rubric are counted and left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from synthgen.core.contract import Verifier
from synthgen.core.errors import DatasetError
from synthgen.core.registry import load_verifier
from synthgen.dataset.foreign import open_foreign
from synthgen.dataset.foreign.columns import RowBatch, Wanted
from synthgen.dataset.reader import Dataset, open_dataset

_COLUMNS = ("id", "answer", "answer_type", "source")
_RUBRIC = "rubric"


@dataclass(slots=True)
class SplitScore:
    """Score of predictions on one split.

    Attributes:
        rows: number of rows of the split; `predicted` of them have a prediction.
        mean: mean grade of the graded rows; None without any.
        rubrics: predicted rows whose answer is a rubric, which are not graded.
    """

    rows: int = 0
    predicted: int = 0
    mean: float | None = None
    rubrics: int = 0


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores of predictions on a dataset, and how many of them have an unknown id."""

    splits: dict[str, SplitScore]
    predictions: int
    strangers: int


def read_predictions(batches: Iterable[RowBatch]) -> dict[str, list[str]]:
    """Return the predictions of each id, in the order of the file.

    Args:
        batches: batches of rows whose prompts are ids and whose answers are predictions.

    Raises:
        DatasetError: for a row without an id; a null prediction counts as empty.
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
        folder: folder of the dataset.
        file: file of predictions.
        splits: names of splits; empty means all.
        columns: names of the columns of ids and predictions.
        form: format of the file; default: detected from its name.

    Raises:
        DatasetError: if the folder or the file cannot be read.
        UnknownNameError: for a split that the dataset does not have.
    """
    dataset = open_dataset(folder)
    for name in splits:
        dataset.rows(name)  # raises for an unknown split before anything is read
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
    for batch in dataset.batches(split, _COLUMNS):
        found.rows += batch.num_rows
        for row in batch.to_pylist():
            given = predictions.get(row["id"])
            if given is None:
                continue
            used.add(row["id"])
            found.predicted += 1
            if row["answer_type"] == _RUBRIC:
                found.rubrics += 1
                continue
            verifier = verifiers[row["source"]]
            grades.append(mean(verifier.grade(text, row["answer"]) for text in given))
    found.mean = mean(grades) if grades else None
    return found
