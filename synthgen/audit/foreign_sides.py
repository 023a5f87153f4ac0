"""Sides of a comparison: rows of third-party files or of dataset splits, as plain columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.columns import integer_column, null_mask
from synthgen.core.errors import DatasetError, UnknownNameError
from synthgen.dataset.foreign import LINES, Foreign, open_foreign
from synthgen.dataset.foreign.columns import Answers, RowBatch, Wanted, shown_name
from synthgen.dataset.reader import Dataset, stream_shard

TRAIN = "train"
_MOST_SPLITS = 100
_OURS = ("prompt", "answer", "derivation", "id")


@dataclass(frozen=True, slots=True)
class Reading:
    """Options for reading files.

    Attributes:
        prompt, answer: columns; the usual names if None.
        structure: structure column, if any.
        split: column that names the split of each row, if any.
        form: file format, by default from the file extension.
        header: whether tables have a header row.
        answers: "needed", "found" (read if present) or "none".
    """

    prompt: str | None = None
    answer: str | None = None
    structure: str | None = None
    split: str | None = None
    form: str | None = None
    header: bool = True
    answers: Answers = "found"

    @property
    def wanted(self) -> Wanted:
        """The columns in the form that file readers expect."""
        more = tuple(name for name in (self.structure, self.split) if name is not None)
        return Wanted(self.prompt, self.answer, more=more, answers=self.answers)


@dataclass(frozen=True, slots=True)
class Part:
    """Some rows (n) of a side.

    Attributes:
        file: the file that contains them.
        rows: row numbers in the file, from 1, int64 (n,).
        lines: first line of each row, from 1, if the file has lines.
        prompts: Arrow string without nulls.
        answers: Arrow string, if the file has answers.
        structures: Arrow string without nulls, if there are structures.
        ids: row ids of a synthgen dataset.
    """

    file: str
    rows: NDArray[np.int64]
    lines: NDArray[np.int64] | None
    prompts: pa.StringArray
    answers: pa.StringArray | None = None
    structures: pa.StringArray | None = None
    ids: pa.StringArray | None = None

    def __len__(self) -> int:
        return len(self.prompts)

    @property
    def nbytes(self) -> int:
        """Memory of its columns in bytes."""
        columns = (self.prompts, self.answers, self.structures, self.ids, self.rows, self.lines)
        return sum(column.nbytes for column in columns if column is not None)

    @property
    def structure_texts(self) -> pa.StringArray:
        """The structures.

        Raises:
            DatasetError: if the part has none.
        """
        if self.structures is None:
            msg = f"{self.file}: no structures: expected a structure column"
            raise DatasetError(msg)
        return self.structures

    def place(self, i: int) -> str:
        """Return the file and row number of row i for messages."""
        row = f"{self.file}: row {self.rows[i]:,}"
        return row if self.lines is None else f"{row} (line {self.lines[i]:,})"


@dataclass(frozen=True, slots=True)
class Side:
    """Rows that are compared with those of other sides.

    Attributes:
        name: name in reports.
        files: files that contain them.
        parts: yields all rows from the start on each call.
        has_structures: whether every part has structures.
        has_answers: whether every part has answers.
        columns: description of the columns read, for readers.
    """

    name: str
    files: tuple[Path, ...]
    parts: Callable[[], Iterator[Part]]
    has_structures: bool
    has_answers: bool
    columns: str


def side_of_files(name: str, paths: Sequence[Path], reading: Reading) -> Side:
    """Return all rows of some files.

    Raises:
        DatasetError: if a file cannot be read, or lacks a column; also while rows are read.
    """
    opened = [_peek(path, reading) for path in paths]

    def parts() -> Iterator[Part]:
        for path in paths:
            for part, _ in _read(path, reading):
                yield part

    has_answers = all(answers for _, answers in opened)
    columns = "; ".join(dict.fromkeys(columns for columns, _ in opened))
    return Side(name, tuple(paths), parts, reading.structure is not None, has_answers, columns)


def sides_by_column(path: Path, reading: Reading) -> list[Side]:
    """Return the splits that a column of a file names, in order of first occurrence.

    Raises:
        DatasetError: as for `side_of_files`; also for a row without a split, or for more than 100
            splits.
    """
    names: dict[str, None] = {}
    for part, splits in _read(path, reading):
        column = pl.Series(splits)
        if column.null_count():
            row = int(np.argmax(null_mask(splits)))
            msg = f"{part.place(row)}: {shown_name(str(reading.split))} is null: expected a split"
            raise DatasetError(msg)
        names |= dict.fromkeys(column.unique(maintain_order=True).to_list())
        if len(names) > _MOST_SPLITS:
            found = f"more than {_MOST_SPLITS} values in {shown_name(str(reading.split))}"
            msg = f"{part.place(len(part) - 1)}: {found}: expected a column that names splits"
            raise DatasetError(msg)
    whole = side_of_files("", [path], reading)

    def parts_of(name: str) -> Iterator[Part]:
        for part, splits in _read(path, reading):
            chosen = np.flatnonzero(np.asarray(pl.Series(splits) == name))
            if len(chosen):
                yield _taken(part, chosen)

    def opener(name: str) -> Callable[[], Iterator[Part]]:
        return lambda: parts_of(name)

    return [replace(whole, name=name, parts=opener(name)) for name in names]


def side_of_dataset(
    name: str, dataset: Dataset, splits: Sequence[str] = (), *, with_ids: bool = True
) -> Side:
    """Return the rows of some splits of a synthgen dataset.

    Args:
        name: name of the side.
        dataset: a synthgen dataset.
        splits: splits to read; empty for all.
        with_ids: whether to read ids, which identify structures only between synthgen datasets.

    Raises:
        UnknownNameError: for a split that it does not have.
    """
    for split in splits:
        if split not in dataset.splits:
            raise UnknownNameError("split", split, dataset.splits)
    paths = [path for split in splits or dataset.splits for path in dataset.shard_paths(split)]

    def parts() -> Iterator[Part]:
        for path in paths:
            first = 1
            for batch in stream_shard(path, _OURS, 16_384):
                rows = np.arange(first, first + len(batch))
                prompts, answers, derivations, ids = (batch.column(each) for each in _OURS)
                _refuse_nulls(Part(str(path), rows, None, prompts), "derivation", derivations)
                own_ids = ids if with_ids else None
                yield Part(str(path), rows, None, prompts, answers, derivations, own_ids)
                first += len(batch)

    columns = "prompt, answer and derivation"
    return Side(name, tuple(paths), parts, has_structures=True, has_answers=True, columns=columns)


def split_off_train(sides: Sequence[Side], train: str) -> tuple[Side, list[Side]]:
    """Return the side with this name, and the others.

    Raises:
        UnknownNameError: if none has the name.
        DatasetError: if there are no others.
    """
    found = next((side for side in sides if side.name == train), None)
    if found is None:
        raise UnknownNameError("split", train, [side.name for side in sides])
    others = [side for side in sides if side is not found]
    if not others:
        msg = f"{found.files[0]}: all rows belong to split {train!r}: expected another split"
        raise DatasetError(msg)
    return found, others


def _peek(path: Path, reading: Reading) -> tuple[str, bool]:
    """Return a description of a file's columns, and whether it has answers."""
    with open_foreign(path, reading.wanted, form=reading.form, header=reading.header) as foreign:
        has_answers = _has_answers(foreign, reading)
        if foreign.columns is None:
            return foreign.form, has_answers
        columns = [f"prompts from {shown_name(foreign.columns.prompt)}"]
        columns += [f"answers from {shown_name(foreign.columns.answer or '')}"] * has_answers
        if reading.structure is not None:
            columns.append(f"structures from {shown_name(reading.structure)}")
        if reading.split is not None:
            columns.append(f"splits from {shown_name(reading.split)}")
        return f"{foreign.form}: {', '.join(columns)}", has_answers


def _has_answers(foreign: Foreign, reading: Reading) -> bool:
    if reading.answers == "none" or foreign.form == LINES:
        return False
    return foreign.columns is None or foreign.columns.answer is not None


def _read(path: Path, reading: Reading) -> Iterator[tuple[Part, pa.StringArray | None]]:
    """Yield the rows of a file, with the split of each if a column names it."""
    with open_foreign(path, reading.wanted, form=reading.form, header=reading.header) as foreign:
        has_answers = _has_answers(foreign, reading)
        prompt = foreign.columns.prompt if foreign.columns else "prompt"
        for batch in foreign.batches:
            yield _part(path, batch, prompt, reading, has_answers=has_answers)


def _part(
    path: Path, batch: RowBatch, prompt: str, reading: Reading, *, has_answers: bool
) -> tuple[Part, pa.StringArray | None]:
    more = list(batch.more)
    structures = more.pop(0) if reading.structure is not None else None
    rows = np.arange(batch.first, batch.first + len(batch))
    lines = None if batch.lines is None else np.array(batch.lines, np.int64)
    answers = batch.answers if has_answers else None
    part = Part(str(path), rows, lines, batch.prompts, answers, structures)
    _refuse_nulls(part, prompt, batch.prompts)
    if structures is not None:
        _refuse_nulls(part, str(reading.structure), structures)
    return part, more.pop(0) if reading.split is not None else None


def _refuse_nulls(part: Part, name: str, column: pa.StringArray) -> None:
    if column.null_count:
        row = int(np.argmax(null_mask(column)))
        msg = f"{part.place(row)}: column {shown_name(name)} is null: expected text"
        raise DatasetError(msg)


def _taken(part: Part, chosen: NDArray[np.int64]) -> Part:
    """Return some rows of a part."""
    indices = integer_column(chosen)

    def of(column: pa.StringArray | None) -> pa.StringArray | None:
        return None if column is None else pc.take(column, indices)

    return Part(
        part.file,
        part.rows[chosen],
        None if part.lines is None else part.lines[chosen],
        pc.take(part.prompts, indices),
        of(part.answers),
        of(part.structures),
        of(part.ids),
    )
