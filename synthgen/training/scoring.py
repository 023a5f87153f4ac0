"""SCORE: grade predictions against the rows of a dataset, by `judge`.

Predictions are joined with rows by `id`. A row with several predictions, its rollouts, counts with
their mean, and intervals take into account that those of one row are alike. pass@k is the unbiased
estimate of Chen et al. 2021 (arXiv:2107.03374). Only a reader or a model can grade a rubric, so
rows whose answer is a rubric are counted and left out. Where answers have parts that a text can
meet one by one, such as constraints, their rates over all predictions are returned, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import comb, fsum
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from synthgen.contract.registry import load_verifier
from synthgen.core.checks import check_choice
from synthgen.core.errors import DatasetError, ParamError, UnknownNameError
from synthgen.core.images import IMAGE, statement
from synthgen.core.shown import Shown
from synthgen.coverage.intervals import clustered_interval
from synthgen.coverage.value_ranges import step_and_width
from synthgen.dataset.foreign import open_foreign
from synthgen.dataset.foreign.column_choice import WantedColumns
from synthgen.dataset.reader import Dataset, open_dataset
from synthgen.training.extraction import bare_text
from synthgen.training.rates import PartVerdict, Rates, rates
from synthgen.training.reward import RIGHT, judge

STRUCTURE = "structure"
"""Pseudo column: "seen", or "unseen" if a derivation has a pair of symbols, one below the other,
that no row of `train` has. All numbers count as one symbol."""
_TRAIN, _TASK = "train", "task"
_NO_TEXT = "no prediction"
_MAX_POINTS = 16
_COLUMNS = ("id", "prompt", "answer", "answer_type")
MISSING = ("ignore", "wrong")
"""What becomes of rows without a prediction."""
_RUBRIC, _CONSTRAINTS = "rubric", "constraints"
Tries = tuple[int, int]
"""Numbers of predictions of a row, and of the right ones."""
Cell = tuple[Any, ...]
"""Values of the columns by which rows are grouped."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """A mean over rows, with its 95 % interval.

    Attributes:
        rows, texts: Numbers of rows and of their predictions.
        mean, low, high: Mean and ends of the interval, from 0 to 1.
    """

    rows: int
    texts: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Mistake:
    """A prediction that is not right, and why."""

    prompt: str
    answer: str
    prediction: str
    why: str


@dataclass(slots=True)
class SplitScore:
    """Score of predictions on one split.

    Attributes:
        rows: Number of rows of the split; `predicted` of them have a prediction.
        accuracy: Accuracy of the graded rows; None without any.
        rubrics: Number of predicted rows whose answer is a rubric, which are not graded.
        why: Number of predictions by the reason of their grade.
        passed: pass@k of the rows that have k predictions, by k; None without any.
        groups: Accuracy of rows by the values of the chosen columns.
        parts: Rates of the parts of answers; None where answers have no parts.
        missing: Number of rows without a prediction, if the split was named or some row has one.
        axes: Accuracy by the values of each column of `Grading.alone`: column -> value or range of
            values, of any split, rising -> accuracy, None without rows.
        mistakes: Predictions that are not right, one of a row.
    """

    rows: int = 0
    predicted: int = 0
    accuracy: Accuracy | None = None
    rubrics: int = 0
    why: dict[str, int] = field(default_factory=dict)
    passed: dict[int, Accuracy | None] = field(default_factory=dict)
    groups: dict[str, Accuracy] = field(default_factory=dict)
    parts: Rates | None = None
    missing: int = 0
    axes: dict[str, dict[str, Accuracy | None]] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Grading:
    """What to count beside the accuracy of each split.

    Attributes:
        by, k, missing: As for `score`.
        alone: Columns, each of which divides the rows alone.
        mistakes: Largest number of wrong predictions to keep of each split.
    """

    by: Sequence[str] = ()
    k: Sequence[int] = ()
    missing: str = "ignore"
    alone: Sequence[str] = ()
    mistakes: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class Scored(Shown):
    """Scores of predictions on a dataset; `unknown_ids` of them are of no row of its splits."""

    splits: dict[str, SplitScore]
    predictions: int
    unknown_ids: int

    @property
    def missing(self) -> int:
        """Number of rows without a prediction."""
        return sum(split.missing for split in self.splits.values())

    def __repr__(self) -> str:
        means = [
            f"{name} {split.accuracy.mean:.3f}"
            for name, split in self.splits.items()
            if split.accuracy and split.accuracy.mean is not None
        ]
        return f"<{self.predictions:,} predictions: {', '.join(means) or 'none graded'}>"


def read_predictions(
    file: Path, name: str = "id", prediction: str = "prediction", form: str | None = None
) -> dict[str, list[str]]:
    """Return the predictions of each id, in the order of the file.

    Args:
        file: File of predictions.
        name: Column of ids.
        prediction: Column of predictions; a list holds several of one row.
        form: Format of the file; default: detected from its name.

    Raises:
        DatasetError: for a row without an id; a null prediction counts as empty.
    """
    texts: dict[str, list[str]] = {}
    columns = WantedColumns(name, prediction, lists=True)
    with open_foreign(file, columns, form=form) as foreign:
        for batch in foreign.batches:
            rows = zip(batch.prompts.to_pylist(), batch.answers.to_pylist(), strict=True)
            for number, (key, text) in enumerate(rows, start=batch.first):
                if key is None:
                    msg = f"{file}: row {number:,} has no {name}"
                    raise DatasetError(msg)
                texts.setdefault(key, []).append(text or "")
    return texts


def pass_at(k: int, tries: Tries) -> float:
    """Return the estimated probability that one of k predictions of a row is right.

    >>> pass_at(2, (4, 1))
    0.5
    """
    n, right = tries
    return 1.0 - comb(n - right, k) / comb(n, k)


def score(
    folder: str | Path,
    predictions: str | Path | Mapping[str, str | Sequence[str]],
    splits: Sequence[str] = (),
    *,
    by: Sequence[str] = (),
    k: Sequence[int] = (),
    missing: str = "ignore",
) -> Scored:
    """Grade a model's texts, joined by the ids of rows, as `judge` does.

    Args:
        folder: Folder of the dataset.
        predictions: File with the columns `id` and `prediction`, or the text or texts of each id.
        splits: Names of splits; empty means all.
        by: Columns of the dataset whose values get an accuracy of their own; "structure" divides
            rows by whether `train` has every pair of symbols of their derivations.
        k: Numbers of texts for pass@k.
        missing: Grade of rows without a text: "ignore" leaves them out, "wrong" counts them as
            wrong, in splits that are named or of which some row has a text.

    Raises:
        DatasetError: if the dataset or the file cannot be read.
        UnknownNameError: for a split or column that the dataset does not have.
        ParamError: for a k above the largest number of texts of a row, or an unknown `missing`.

    >>> import synthgen
    >>> folder = synthgen.build("scan", "all", rows=1_000, workers=1).folder
    >>> synthgen.score(folder, {}).splits["train"].predicted
    0
    """
    return graded(folder, predictions, splits, Grading(by, k, missing))


def graded(
    folder: str | Path,
    predictions: str | Path | Mapping[str, str | Sequence[str]],
    splits: Sequence[str],
    grading: Grading,
) -> Scored:
    """Grade as `score` does, and count what `grading` names; the errors are those of `score`."""
    check_choice("missing", grading.missing, MISSING)
    texts_of = _texts_of(predictions)
    dataset = open_dataset(folder)
    columns = (*grading.by, *grading.alone)
    novel = STRUCTURE in columns and STRUCTURE not in dataset.schema.names
    extra = [STRUCTURE] if _TRAIN in dataset.splits else []
    _check_columns(columns, [*dataset.schema.names, *extra])
    largest = max(map(len, texts_of.values()), default=0)
    for number in grading.k:
        if not 1 <= number <= largest:
            expected = f"a number from 1 to {largest:,}, the most texts of one row"
            raise ParamError("k", number, expected)
    chosen = {name: dataset.rows(name) for name in splits or dataset.splits}
    structure_of = _structures(dataset) if novel else None
    counts = {}
    scores = {}
    for name in chosen:
        split = _Split(texts_of, grading.by, structure_of, grading.alone, grading.mistakes)
        is_named, wrong = name in splits, grading.missing == "wrong"
        scores[name] = split.score(dataset, name, grading.k, named=is_named, wrong=wrong)
        counts[name] = split
    for column in grading.alone:
        label_of = _labels([split.values.get(column, {}) for split in counts.values()])
        for name, split in counts.items():
            tries: dict[str, list[Tries]] = {label: [] for label in label_of.values()}
            for value, some in split.values.get(column, {}).items():
                tries[label_of[value]] += some
            scores[name].axes[column] = {label: _accuracy(tries[label]) for label in tries}
    used = {name for split in counts.values() for name in split.used}
    given = sum(map(len, texts_of.values()))
    unknown = sum(len(texts) for name, texts in texts_of.items() if name not in used)
    return Scored(scores, given, unknown)


def profile(
    folder: str | Path,
    predictions: str | Path | Mapping[str, str | Sequence[str]],
    by: Sequence[str],
    splits: Sequence[str] = (),
) -> dict[Cell, Accuracy]:
    """Return the pass rate of each cell: of the rows with equal values of the columns `by`.

    The arguments and errors are those of `score`; rows of all splits are counted together.
    """
    texts_of = _texts_of(predictions)
    dataset = open_dataset(folder)
    _check_columns(by, dataset.schema.names)
    counted = _Split(texts_of, by, None)
    for name in splits or dataset.splits:
        counted.score(dataset, name, ())
    return counted.cells()


def weights(
    cells: Mapping[Cell, Accuracy], window: tuple[float, float] | None = None
) -> dict[Cell, float]:
    """Return the weights of cells for training: p (1 - p) of pass rates p, or 1 within a window.

    Cells without weight, or with a null value, which no recipe can name, are left out.
    """

    def weight(p: float) -> float:
        return p * (1 - p) if window is None else float(window[0] <= p <= window[1])

    weighted = {cell: weight(rate.mean) for cell, rate in cells.items() if None not in cell}
    return {cell: value for cell, value in weighted.items() if value}


def next_split(
    folder: str | Path, by: Sequence[str], weighted: Mapping[Cell, float]
) -> tuple[list[str], list[list[Any]]]:
    """Return `balance` and the cells of `shares` of a split of the next recipe.

    Recipes name sources, not tasks, so a task becomes the name of its source.

    Args:
        folder: Folder of the dataset.
        by: Columns of the cells.
        weighted: Weights of the cells.

    Raises:
        ParamError: for a column that a recipe cannot balance, or a task of several sources.
    """
    manifest = open_dataset(folder).manifest
    for column in by:
        if column not in (*manifest.rule_axes, _TASK) or ("source" in by and column == _TASK):
            raise ParamError("by", column, "an axis, or one of task and source, for weights")
    sources: dict[str, list[str]] = {}
    for source in manifest.sources:
        sources.setdefault(source.generator, []).append(source.name)

    def source_of(task: str) -> str:
        if len(sources[task]) > 1:
            expected = f"source, for weights: {task} is of {', '.join(sources[task])}"
            raise ParamError("by", _TASK, expected)
        return sources[task][0]

    cells = [
        [source_of(value) if name == _TASK else value for name, value in zip(by, cell, strict=True)]
        for cell in weighted
    ]
    shares = [[*cell, round(w, 6)] for cell, w in zip(cells, weighted.values(), strict=True)]
    return ["source" if name == _TASK else name for name in by], shares


def _texts_of(
    predictions: str | Path | Mapping[str, str | Sequence[str]],
) -> Mapping[str, Sequence[str]]:
    if not isinstance(predictions, Mapping):
        return read_predictions(Path(predictions))
    return {name: [text] if isinstance(text, str) else text for name, text in predictions.items()}


def _check_columns(by: Sequence[str], known: Sequence[str]) -> None:
    for column in by:
        if column not in known:
            raise UnknownNameError(kind="column", name=column, known=known)


@dataclass(slots=True)
class _Split:
    """Counts of one split."""

    predictions: Mapping[str, Sequence[str]]
    by: Sequence[str]
    structure_of: Callable[[pa.Array], list[str]] | None
    alone: Sequence[str] = ()
    most_mistakes: int = 0
    tries: list[Tries] = field(default_factory=list)
    groups: dict[Cell, list[Tries]] = field(default_factory=dict)
    parts: list[list[PartVerdict]] = field(default_factory=list)
    why: Counter[str] = field(default_factory=Counter)
    used: set[str] = field(default_factory=set)
    unanswered: list[dict[str, Any]] = field(default_factory=list)
    values: dict[str, dict[Any, list[Tries]]] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)

    def score(
        self,
        dataset: Dataset,
        split: str,
        ks: Sequence[int],
        *,
        named: bool = False,
        wrong: bool = False,
    ) -> SplitScore:
        """Grade the predictions of a split.

        Args:
            dataset: Dataset of the split.
            split: Name of the split.
            ks: Numbers of texts for pass@k.
            named: Whether predictions are expected, even if there are none.
            wrong: Whether rows without a prediction count as wrong.
        """
        result = SplitScore(mistakes=self.mistakes)
        names = (*self.by, *self.alone)
        read = ["derivation" if self.structure_of and n == STRUCTURE else n for n in names]
        read += [IMAGE] * (IMAGE in dataset.schema.names)
        for batch in dataset.batches(split, tuple(dict.fromkeys((*_COLUMNS, *read)))):
            result.rows += batch.num_rows
            rows = batch.to_pylist()
            if self.structure_of:
                kinds = self.structure_of(batch["derivation"])
                rows = [row | {STRUCTURE: kind} for row, kind in zip(rows, kinds, strict=True)]
            for row in rows:
                texts = self.predictions.get(row["id"])
                if texts is not None:
                    result.predicted += 1
                    result.rubrics += row["answer_type"] == _RUBRIC
                    self._grade(row, texts)
                elif wrong and row["answer_type"] != _RUBRIC:
                    self.unanswered.append({name: row[name] for name in names})
        if named or result.predicted:
            result.missing = result.rows - result.predicted
            for row in self.unanswered:
                self._count(row, [_NO_TEXT])
        result.accuracy = _accuracy(self.tries)
        result.why = dict(sorted(self.why.items()))
        for k in ks:
            enough = [tries for tries in self.tries if tries[0] >= k]
            result.passed[k] = _accuracy(enough, partial(pass_at, k))
        if self.by:
            result.groups = {
                " ".join(f"{name}={value}" for name, value in zip(self.by, cell, strict=True)): rate
                for cell, rate in self.cells().items()
            }
        result.parts = rates([verdicts for verdicts in self.parts if verdicts])
        return result

    def cells(self) -> dict[Cell, Accuracy]:
        """Return the accuracy of each group, in the order of its values, nulls last."""
        order = sorted(
            self.groups, key=lambda cell: [(value is None, value or 0) for value in cell]
        )
        rates_of = {cell: _accuracy(self.groups[cell]) for cell in order}
        return {cell: rate for cell, rate in rates_of.items() if rate}

    def _grade(self, row: dict[str, Any], texts: Sequence[str]) -> None:
        self.used.add(row["id"])
        answer, kind = row["answer"], row["answer_type"]
        if kind == _RUBRIC or not texts:
            return
        whole = statement(row)
        reasons = [judge(text, answer, kind, prompt=whole).why for text in texts]
        self._count(row, reasons)
        wrong = [each for each in zip(texts, reasons, strict=True) if each[1] != RIGHT]
        if wrong and len(self.mistakes) < self.most_mistakes:
            self.mistakes.append(Mistake(row["prompt"], answer, *wrong[0]))
        if kind == _CONSTRAINTS:
            parts = load_verifier(kind).parts
            self.parts += [parts(bare_text(text), answer) for text in texts]

    def _count(self, row: Mapping[str, Any], reasons: Sequence[str]) -> None:
        tries = (len(reasons), reasons.count(RIGHT))
        self.why.update(reasons)
        self.tries.append(tries)
        self.groups.setdefault(tuple(row[name] for name in self.by), []).append(tries)
        for name in self.alone:
            self.values.setdefault(name, {}).setdefault(row[name], []).append(tries)


def _labels(splits: Sequence[Mapping[Any, list[Tries]]]) -> dict[Any, str]:
    """Return the label of each value of a column, rising: itself, or a range of many integers."""
    values = {value for split in splits for value in split}
    order = sorted(values, key=lambda value: (value is None, value or 0))
    numbers = [value for value in order if isinstance(value, int)]
    if len(numbers) <= _MAX_POINTS or len(numbers) < len(order):
        return {value: str(value) for value in order}
    step, width = step_and_width(np.array(numbers, np.int64), _MAX_POINTS)
    starts = {value: value - (value - numbers[0]) % width for value in numbers}
    if width == step:
        return {value: str(value) for value in numbers}
    return {value: f"{start} to {start + width - step}" for value, start in starts.items()}


def _accuracy(
    tries: Sequence[Tries], value: Callable[[Tries], float] = lambda tries: tries[1] / tries[0]
) -> Accuracy | None:
    """Return the mean of a value of each row, with its interval; None without rows."""
    if not tries:
        return None
    values = [value(each) for each in tries]
    texts = sum(n for n, _ in tries)
    low, high = clustered_interval(values, texts)
    return Accuracy(len(values), texts, fsum(values) / len(values), low, high)


def _structures(dataset: Dataset) -> Callable[[pa.Array], list[str]]:
    """Return a function that maps derivations to "seen" if `train` has all their edges."""
    from synthgen.coverage.id_counts import IdCounts
    from synthgen.coverage.structure_reader import StructureReader
    from synthgen.trees.structures import edges

    reader = StructureReader(lambda leaf: "0" if leaf.lstrip("-").isdigit() else leaf)
    known = IdCounts()
    for batch in dataset.batches(_TRAIN, ("derivation",)):
        known.add(np.unique(edges(reader.read(batch["derivation"]), reader.signature).values))

    def structure_of(derivations: pa.Array) -> list[str]:
        pairs = edges(reader.read(derivations), reader.signature)
        # Cumulative counts of new pairs; a derivation has one if the count rises over its span.
        counts = np.concatenate([[0], np.cumsum(~known.has(pairs.values))])
        unseen = counts[pairs.offsets[1:]] > counts[pairs.offsets[:-1]]
        return ["unseen" if new else "seen" for new in unseen.tolist()]

    return structure_of
