r"""SCORE: grade predictions against the rows of a dataset.

Predictions are joined with rows by `id`, and graded by the row's verifier. A row with several
predictions counts with their mean. A prediction may put its answer into \boxed{}, as the prompt
style "boxed" asks; then only what the last box holds is graded. A verifier cannot grade a rubric,
so rows whose answer is a rubric are counted and left out. Where answers have parts that a text can
meet one by one, such as constraints, their rates over all predictions are given, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

from synthgen.core.contract import Verifier
from synthgen.core.errors import DatasetError, UnknownNameError
from synthgen.core.registry import load_verifier
from synthgen.dataset.foreign import open_foreign
from synthgen.dataset.foreign.columns import Wanted
from synthgen.dataset.reader import Dataset, open_dataset
from synthgen.training.rates import Rates, Verdict, rates

_COLUMNS = ("id", "answer", "answer_type", "source")
_RUBRIC = "rubric"
_BOX = "\\boxed{"


@dataclass(slots=True)
class SplitScore:
    """Score of predictions on one split.

    Attributes:
        rows: number of rows of the split; `predicted` of them have a prediction.
        mean: mean grade of the graded rows; None without any.
        rubrics: predicted rows whose answer is a rubric, which are not graded.
        groups: values of the columns asked for -> (graded rows, their mean grade).
        parts: rates of the parts of answers; None where answers have no parts.
    """

    rows: int = 0
    predicted: int = 0
    mean: float | None = None
    rubrics: int = 0
    groups: dict[str, tuple[int, float]] = field(default_factory=dict)
    parts: Rates | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores of predictions on a dataset, and how many of them have an unknown id."""

    splits: dict[str, SplitScore]
    predictions: int
    strangers: int


def read_predictions(file: Path, columns: Wanted, form: str | None = None) -> dict[str, list[str]]:
    """Return the predictions of each id, in the order of the file.

    Args:
        file: file of predictions.
        columns: names of the columns of ids and predictions.
        form: format of the file; default: detected from its name.

    Raises:
        DatasetError: for a row without an id; a null prediction counts as empty.
    """
    found: dict[str, list[str]] = {}
    with open_foreign(file, columns, form=form) as foreign:
        for batch in foreign.batches:
            rows = zip(batch.prompts.to_pylist(), batch.answers.to_pylist(), strict=True)
            for number, (name, prediction) in enumerate(rows, start=batch.first):
                if name is None:
                    msg = f"row {number:,} has no {columns.prompt}"
                    raise DatasetError(msg)
                found.setdefault(name, []).append(prediction or "")
    return found


def final_answer(prediction: str) -> str:
    r"""Return what the last box of a prediction holds, or the prediction if it has no box.

    >>> final_answer(r"So it is \boxed{\{1, 2\}}.")
    '\\{1, 2\\}'
    """
    start = prediction.rfind(_BOX)
    if start < 0:
        return prediction
    start += len(_BOX)
    depth = 1
    for at in range(start, len(prediction)):
        depth += (prediction[at] == "{") - (prediction[at] == "}")
        if depth == 0:
            return prediction[start:at]
    return prediction


def score_file(
    folder: Path,
    file: Path,
    splits: Sequence[str],
    columns: Wanted,
    form: str | None,
    by: Sequence[str] = (),
) -> Scored:
    """Score the predictions of a file.

    Args:
        folder: folder of the dataset.
        file: file of predictions.
        splits: names of splits; empty means all.
        columns: names of the columns of ids and predictions.
        form: format of the file; default: detected from its name.
        by: columns of the dataset whose values get a mean of their own.

    Raises:
        DatasetError: if the folder or the file cannot be read.
        UnknownNameError: for a split or column that the dataset does not have.
    """
    dataset = open_dataset(folder)
    for name in splits:
        dataset.rows(name)  # raises for an unknown split before anything is read
    for column in by:
        if column not in dataset.schema.names:
            raise UnknownNameError(kind="column", name=column, known=dataset.schema.names)
    given = read_predictions(file, columns, form)
    return score(dataset, given, splits or dataset.splits, by)


def score(
    dataset: Dataset,
    predictions: dict[str, list[str]],
    splits: Sequence[str],
    by: Sequence[str] = (),
) -> Scored:
    """Score predictions on splits of a dataset.

    Raises:
        DatasetError: if a shard cannot be read.
    """
    verifiers = {s.name: load_verifier(s.verifier) for s in dataset.manifest.sources}
    used: set[str] = set()
    found = {}
    for name in splits:
        found[name], graded = _score_split(dataset, name, predictions, verifiers, by)
        used |= graded
    given = sum(map(len, predictions.values()))
    strangers = sum(len(texts) for name, texts in predictions.items() if name not in used)
    return Scored(found, given, strangers)


def _score_split(
    dataset: Dataset,
    split: str,
    predictions: dict[str, list[str]],
    verifiers: dict[str, Verifier],
    by: Sequence[str],
) -> tuple[SplitScore, set[str]]:
    """Return the score of a split, and the ids of its predicted rows."""
    found = SplitScore()
    grades: list[float] = []
    groups: dict[str, list[float]] = defaultdict(list)
    parts: list[list[Verdict]] = []
    used: set[str] = set()
    for batch in dataset.batches(split, tuple(dict.fromkeys((*_COLUMNS, *by)))):
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
            texts = given if verifier.open_ended else [*map(final_answer, given)]
            grades.append(mean(verifier.grade(text, row["answer"]) for text in texts))
            parts += [verifier.parts(text, row["answer"]) for text in texts]
            groups[" ".join(f"{name}={row[name]}" for name in by)].append(grades[-1])
    found.mean = mean(grades) if grades else None
    found.parts = rates([verdicts for verdicts in parts if verdicts])
    if by:
        found.groups = {name: (len(of), mean(of)) for name, of in sorted(groups.items())}
    return found, used
