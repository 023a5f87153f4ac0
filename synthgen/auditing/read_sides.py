"""Sides of third-party files, and of splits of datasets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from synthgen.auditing.wording import cut
from synthgen.core.chat import CHAT_NAMES
from synthgen.core.columns import null_mask
from synthgen.core.errors import DatasetError, ParamError, UnknownNameError
from synthgen.coverage.given_structures import NOUNS, SEQUENCES, TREES, structures_in
from synthgen.coverage.infix_texts import prefix_of
from synthgen.coverage.inputs import (
    ANSWER,
    GROUP,
    PLACE,
    PROMPT,
    STRUCTURE,
    TOKENS,
    Side,
    Sides,
)
from synthgen.coverage.structure_texts import BadTree, prefix_texts
from synthgen.dataset.foreign import LINES, Foreign, open_foreign, table_of
from synthgen.dataset.foreign.column_choice import Answers, RowBatch, WantedColumns, shown_name
from synthgen.dataset.reader import Dataset, shard_rows, stream_texts

TRAIN = "train"
FORMS = (TREES, SEQUENCES)
"""Forms of a structure column."""
MAX_BYTES = 256 * 2**20
"""Largest Arrow memory of a side that is kept after the first reading."""
_SPLIT = "split"
_LEFT_OUT, _WITHOUT = "left out", "without a structure"
_MAX_SPLITS = 100
_MAX_TEXT = 60


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """Options for reading files.

    Attributes:
        prompt, answer: Columns; the usual names if None.
        structure: Column of structures, if any.
        split: Column that names the split of each row, if any.
        form: File format; default: by the file extension.
        header: Whether tables have a header row.
        answers: "needed", "found" (read if present) or "none".
        structure_form: Form of structures, one of `FORMS`; default: by the first row.
        encoding: Encoding of text files; default: UTF-8.
        skip_nulls: Whether rows without a prompt, structure or split are left out and counted.
        groups: Columns of groups, such as users or documents.
        structures: What is read as structures from prompts, or from the column, a form of
            `given_structures`; None for complete structures in the column.
    """

    prompt: str | None = None
    answer: str | None = None
    structure: str | None = None
    split: str | None = None
    form: str | None = None
    header: bool = True
    answers: Answers = "found"
    structure_form: str | None = None
    encoding: str | None = None
    skip_nulls: bool = False
    groups: tuple[str, ...] = ()
    structures: str | None = None

    @property
    def wanted(self) -> WantedColumns:
        """The columns in the form that file readers expect."""
        more = tuple(name for name in (self.structure, self.split) if name is not None)
        more = (*more, *self.groups)
        return WantedColumns(self.prompt, self.answer, more=more, answers=self.answers)

    def open(self, source: Source) -> AbstractContextManager[Foreign]:
        """Open a file or table with these options."""
        if isinstance(source, MemoryTable):
            return nullcontext(table_of(source.name, source.data, self.wanted))
        form, header, encoding = self.form, self.header, self.encoding
        return open_foreign(source, self.wanted, form=form, header=header, encoding=encoding)


@dataclass(frozen=True)
class MemoryTable:
    """A table in memory, such as a data frame, with a name for messages."""

    name: str
    data: Any


Source = Path | MemoryTable


@dataclass(frozen=True)
class ReadSide:
    """A side with the files that it was read from.

    Attributes:
        side: Rows and columns.
        files: Files, none for tables in memory.
        columns: Description of the columns that are read.
        left_out: Number of rows without a prompt, structure or split, which are not in the side.
        without: Number of rows in whose text no structure was read.
    """

    side: Side
    files: tuple[Path, ...]
    columns: str
    left_out: int = 0
    without: int = 0


def sides_of_files(
    train: Sequence[Path], tests: Sequence[Path], reading: ReadingOptions
) -> tuple[ReadSide, list[ReadSide]]:
    """Return the side of the training files, and one side for each test file.

    Raises:
        ParamError: if either is missing.
        DatasetError: if a file cannot be read.
    """
    for option, given in (("--train", train), ("--test", tests)):
        if not given:
            raise ParamError(option, None, "a file; or one FILE and --split-col")
    names = [path.name for path in tests]
    labels = [path.name if names.count(path.name) == 1 else str(path) for path in tests]
    splits = dict(zip(labels, ([path] for path in tests), strict=True))
    return sides_of_splits(train, splits, reading)


def sides_of_splits(
    train: Sequence[Source], tests: Mapping[str, Sequence[Source]], reading: ReadingOptions
) -> tuple[ReadSide, list[ReadSide]]:
    """Return the side of the training files or tables, and one side for each named test.

    Raises:
        DatasetError: if one of them cannot be read.
    """
    first = side_of_files(TRAIN, train, reading)
    form = _form_of(first.side)
    return first, [side_of_files(name, of, reading, form) for name, of in tests.items()]


def sides_by_column(
    path: Source, reading: ReadingOptions, train: str = TRAIN
) -> tuple[ReadSide, list[ReadSide]]:
    """Return the splits that a column of a file names: the one named `train`, and the others.

    Raises:
        DatasetError: if the file cannot be read, has a row without a split, more than 100 splits,
            or only one.
        UnknownNameError: if no row belongs to train.
    """
    whole = side_of_files("", [path], reading)
    splits = _splits(whole.side, str(reading.split))
    if train not in splits:
        raise UnknownNameError("split", train, list(splits))
    others = [name for name in splits if name != train]
    if not others:
        msg = f"{_name(path)}: all rows belong to split {train!r}: expected another split"
        raise DatasetError(msg)

    def rows_of(name: str, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for batch in whole.side.batches([*columns, _SPLIT]):
            yield batch.filter(pc.equal(batch.column(_SPLIT), name)).select(list(columns))

    def side(name: str) -> ReadSide:
        batches = partial(rows_of, name)
        of_split = replace(whole.side, name=name, rows=splits[name], batches=batches)
        # What is missing is counted for the whole file, so once.
        return (
            replace(whole, side=of_split)
            if name == train
            else ReadSide(of_split, whole.files, whole.columns)
        )

    return side(train), [side(name) for name in others]


def _splits(side: Side, column: str) -> dict[str, int]:
    """Return the number of rows of each split, in order of first occurrence."""
    totals: dict[str, int] = {}
    for batch in side.batches([_SPLIT, PLACE]):
        splits, places = batch.columns
        unnamed = pl.Series(splits).fill_null("").eq("").to_numpy()
        if unnamed.any():
            row = int(np.argmax(unnamed))
            value = "empty" if splits[row].is_valid else "null"
            msg = f"{places[row]}: {shown_name(column)} is {value}: expected a split"
            raise DatasetError(msg)
        counts = pl.Series(splits).value_counts(sort=False)
        order = pl.Series(splits).unique(maintain_order=True).to_list()
        rows = dict(counts.iter_rows())
        for name in order:
            totals[name] = totals.get(name, 0) + rows[name]
        if len(totals) > _MAX_SPLITS:
            many = f"more than {_MAX_SPLITS} values in {shown_name(column)}"
            msg = f"{places[-1]}: {many}: expected a column that names splits"
            raise DatasetError(msg)
    return totals


def side_of_files(
    name: str, paths: Sequence[Source], reading: ReadingOptions, form: str | None = None
) -> ReadSide:
    """Return all rows of some files or tables, which are read once to count and check them.

    Args:
        name: Name of the side.
        paths: Files or tables.
        reading: Options for reading them.
        form: Form of structures, unless `reading` names one; default: by the first row.

    Raises:
        DatasetError: if a file cannot be read, lacks a column, or has a row without a prompt or
            with an invalid structure.
    """
    peeked = [_peek(path, reading) for path in paths]
    has_answers = all(answers for _, answers in peeked)
    if reading.structures is not None:
        form = SEQUENCES if reading.structures == SEQUENCES else TREES
    elif reading.structure is not None:
        form = reading.structure_form or form or _first_form(paths[0], reading)
    columns = [PROMPT, PLACE, *[ANSWER] * has_answers]
    columns += [STRUCTURE if form == TREES else TOKENS] if form else []
    columns += [_SPLIT] if reading.split is not None else []
    columns += [f"{GROUP}{group}" for group in reading.groups]
    counts = Counter[str]()
    batches = kept(partial(_read, tuple(paths), reading, form, counts))
    rows = sum(batch.num_rows for batch in batches())
    if rows and counts[_WITHOUT] == rows:
        text = shown_name(reading.structure or "prompt")
        noun = NOUNS[str(reading.structures)]
        msg = f"{_name(paths[0])}: {text} of no row has a structure: expected a {noun} in some"
        raise DatasetError(msg)

    def selected(names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for batch in batches():
            yield batch.select(list(names))

    described = "; ".join(dict.fromkeys(text for text, _ in peeked))
    files = tuple(path for path in paths if isinstance(path, Path))
    side = Side(name, rows, frozenset(columns), selected)
    return ReadSide(side, files, described, counts[_LEFT_OUT], counts[_WITHOUT])


def side_of_dataset(
    name: str, dataset: Dataset, splits: Sequence[str] = (), *, with_ids: bool = True
) -> ReadSide:
    """Return the rows of some splits of a synthgen dataset; of all if none are named.

    Args:
        name: Name of the side.
        dataset: Synthgen dataset.
        splits: Splits to read.
        with_ids: Whether to read ids, which identify structures only between synthgen datasets.

    Raises:
        UnknownNameError: for a split that it does not have.
    """
    for split in splits:
        if split not in dataset.splits:
            raise UnknownNameError("split", split, dataset.splits)
    paths = [path for split in splits or dataset.splits for path in dataset.shard_paths(split)]
    rows = sum(shard_rows(path, dataset.schema) for path in paths)
    columns = frozenset(dataset.schema.names) - ({"id"} if not with_ids else set())
    side = Side(name, rows, columns, partial(rows_of_shards, paths))
    return ReadSide(side, tuple(paths), "prompt, answer and derivation")


def rows_of_shards(paths: Sequence[Path], columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Stream columns of shards unchecked, even if they contradict the manifest."""
    for path in paths:
        yield from stream_texts(path, columns)


def together(train: ReadSide, tests: Sequence[ReadSide], *, fold_case: bool) -> Sides:
    """Return the sides to compare; each must have rows.

    Raises:
        DatasetError: if one of them has no rows.
    """
    for given in (train, *tests):
        if not given.side.rows:
            place = given.files[0] if given.files else given.side.name
            msg = f"{place}: no rows of {given.side.name}: expected at least one"
            raise DatasetError(msg)
    return Sides(train.side, tuple(test.side for test in tests), fold_case)


def kept(
    batches: Callable[[], Iterator[pa.RecordBatch]], limit: int = MAX_BYTES
) -> Callable[[], Iterator[pa.RecordBatch]]:
    """Return a function that yields the same batches, but keeps them if they are small.

    Reading text files takes most of an audit's time, and an audit reads them several times.
    """
    held: list[pa.RecordBatch] = []
    is_whole = False

    def again() -> Iterator[pa.RecordBatch]:
        nonlocal is_whole
        if is_whole:
            yield from held
            return
        collected: list[pa.RecordBatch] = []
        size = 0
        for batch in batches():
            size += batch.nbytes
            if size <= limit:
                collected.append(batch)
            else:
                collected.clear()
            yield batch
        if size <= limit:  # not reached if the caller stops early
            held[:] = collected
            is_whole = True

    return again


def _form_of(side: Side) -> str | None:
    if STRUCTURE in side.columns:
        return TREES
    return SEQUENCES if TOKENS in side.columns else None


def _name(source: Source) -> str:
    return source.name if isinstance(source, MemoryTable) else str(source)


def _peek(path: Source, reading: ReadingOptions) -> tuple[str, bool]:
    """Return a description of a file's columns, and whether it has answers."""
    with reading.open(path) as foreign:
        has_answers = _has_answers(foreign, reading)
        if foreign.columns is None:
            return foreign.form, has_answers
        columns = [f"prompts from {_place_of(foreign.columns.prompt, 'user')}"]
        columns += [f"answers from {_place_of(foreign.columns.answer, 'assistant')}"] * has_answers
        if reading.structures is not None:
            source = shown_name(reading.structure or foreign.columns.prompt)
            columns.append(f"structures ({reading.structures}) from {source}")
        elif reading.structure is not None:
            columns.append(f"structures from {shown_name(reading.structure)}")
        if reading.split is not None:
            columns.append(f"splits from {shown_name(reading.split)}")
        columns += [f"groups from {shown_name(name)}" for name in reading.groups]
        return f"{foreign.form}: {', '.join(columns)}", has_answers


def _place_of(column: str | None, role: str) -> str:
    turn = f"the last {role} turn of " if column in CHAT_NAMES else ""
    return f"{turn}{shown_name(column or '')}"


def _has_answers(foreign: Foreign, reading: ReadingOptions) -> bool:
    if reading.answers == "none" or foreign.form == LINES:
        return False
    return foreign.columns is None or foreign.columns.answer is not None


def _first_form(path: Source, reading: ReadingOptions) -> str:
    """Return the form of structures: trees if the first has a bracket or is a formula."""
    with reading.open(path) as foreign:
        first = next(iter(foreign.batches), None)
        text = first.more[0][0].as_py() if first is not None else None
        return TREES if text and ("(" in text or prefix_of(text)) else SEQUENCES


def _read(
    paths: Sequence[Source], reading: ReadingOptions, form: str | None, counts: Counter[str]
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of files or tables as checked columns; count what is missing."""
    counts.clear()
    for path in paths:
        with reading.open(path) as foreign:
            has_answers = _has_answers(foreign, reading)
            prompt = foreign.columns.prompt if foreign.columns else "prompt"
            for batch in foreign.batches:
                more = list(batch.more)
                columns = {PROMPT: batch.prompts, PLACE: _places(_name(path), batch)}
                if has_answers:
                    columns[ANSWER] = batch.answers
                if form:
                    texts = batch.prompts if reading.structure is None else more.pop(0)
                    columns[STRUCTURE if form == TREES else TOKENS] = texts
                if reading.split is not None:
                    columns[_SPLIT] = more.pop(0)
                columns |= {f"{GROUP}{name}": more.pop(0) for name in reading.groups}
                rows = pa.RecordBatch.from_pydict(columns)
                if reading.skip_nulls:
                    whole = _without_nulls(rows)
                    counts[_LEFT_OUT] += rows.num_rows - whole.num_rows
                    rows = whole
                yield _checked(rows, prompt, reading, counts)


def _without_nulls(rows: pa.RecordBatch) -> pa.RecordBatch:
    """Return the rows in which nothing but an answer or a group is null."""
    is_null = np.zeros(rows.num_rows, bool)
    for name in rows.schema.names:
        if name != ANSWER and not name.startswith(GROUP) and rows[name].null_count:
            is_null |= null_mask(rows[name])
    return rows.filter(pa.array(~is_null)) if is_null.any() else rows


def _checked(
    rows: pa.RecordBatch, prompt: str, reading: ReadingOptions, counts: Counter[str]
) -> pa.RecordBatch:
    """Return rows with structures as prefix texts.

    Raises:
        DatasetError: for a null prompt or structure, or a structure that is not a tree.
    """
    _reject_nulls(rows[PLACE], prompt, rows[PROMPT])
    for name in (STRUCTURE, TOKENS):
        if name in rows.schema.names:
            _reject_nulls(rows[PLACE], str(reading.structure), rows[name])
    if STRUCTURE not in rows.schema.names:
        return rows
    if reading.structures is not None:
        trees, has_tree = structures_in(rows[STRUCTURE], reading.structures)
        counts[_WITHOUT] += int(np.count_nonzero(~has_tree))
    else:
        trees = _trees(rows[PLACE], rows[STRUCTURE], reading)
    return rows.set_column(rows.schema.get_field_index(STRUCTURE), STRUCTURE, trees)


def _places(name: str, batch: RowBatch) -> pa.StringArray:
    """Return file, row and perhaps line of each row, counted from 1."""
    rows = pa.array(np.arange(batch.first, batch.first + len(batch))).cast(pa.string())
    parts = [pa.scalar(f"{name}: row "), rows]
    if batch.lines is not None:
        lines = pa.array(batch.lines, pa.int64()).cast(pa.string())
        parts += [pa.scalar(" (line "), lines, pa.scalar(")")]
    return pc.binary_join_element_wise(*parts, "")


def _trees(
    places: pa.StringArray, texts: pa.StringArray, reading: ReadingOptions
) -> pa.StringArray:
    trees = prefix_texts(texts)
    if isinstance(trees, BadTree):
        shown = cut(texts[trees.row].as_py(), _MAX_TEXT)
        place = f"{places[trees.row]}: structure {shown!r}: character {trees.character}"
        msg = f"{place}: expected {trees.expected}"
        if not reading.structure_form:
            msg += " (use --structure-form tokens if these are not trees)"
        raise DatasetError(msg)
    return trees


def _reject_nulls(places: pa.StringArray, name: str, column: pa.StringArray) -> None:
    if column.null_count:
        row = int(np.argmax(null_mask(column)))
        advice = "--skip-nulls leaves such rows out"
        msg = f"{places[row]}: column {shown_name(name)} is null: expected text ({advice})"
        raise DatasetError(msg)
