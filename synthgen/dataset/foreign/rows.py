"""Rows of anybody's, in batches of bounded size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from synthgen.core.errors import DatasetError

BATCH_ROWS = 16_384
BATCH_CHARACTERS = 8 * 2**20

Row = tuple[int, str | None, str | None, str | None, *tuple[str | None, ...]]
"""Line, prompt, answer, solution and further columns; None where the file has a null."""

_Record = TypeVar("_Record")


@dataclass(frozen=True, slots=True)
class RowBatch:
    """Some rows (n) of a file, in its order.

    Attributes:
        first: number of the first row, from 1.
        lines: where each row begins, from 1; None where a file has no lines.
        prompts, answers: Arrow string (n,), with nulls where the file has them.
        solutions: Arrow string (n,) with nulls, or None if none are read.
        more: the same of further columns, in the order they were asked for.
    """

    first: int
    lines: Sequence[int] | None
    prompts: pa.StringArray
    answers: pa.StringArray
    solutions: pa.StringArray | None = None
    more: tuple[pa.StringArray, ...] = ()

    def __len__(self) -> int:
        return len(self.prompts)


def batches_of(path: Path, rows: Iterator[Row], *, solutions: bool) -> Iterator[RowBatch]:
    """Gather rows into batches of at most `BATCH_ROWS`, and `BATCH_CHARACTERS` but for one row.

    Raises:
        DatasetError: at the end, if there was no row.
    """
    first, size = 1, 0
    held: list[Row] = []
    for row in rows:
        held.append(row)
        size += sum(len(text or "") for text in row[1:])
        if len(held) == BATCH_ROWS or size >= BATCH_CHARACTERS:
            yield _batch(first, held, solutions=solutions)
            first, size, held = first + len(held), 0, []
    if not held and first == 1:
        raise nothing_to_check(path)
    if held:
        yield _batch(first, held, solutions=solutions)


def first_record(path: Path, records: Iterator[_Record]) -> _Record:
    """Return the next record.

    Raises:
        DatasetError: if there is none.
    """
    for record in records:
        return record
    raise nothing_to_check(path)


def nothing_to_check(path: Path) -> DatasetError:
    """Return the error of a file without rows."""
    msg = f"{path}: no rows, so nothing was checked: expected at least one"
    return DatasetError(msg)


def _batch(first: int, rows: Sequence[Row], *, solutions: bool) -> RowBatch:
    lines, prompts, answers, told, *more = zip(*rows, strict=True)
    return RowBatch(
        first,
        lines,
        pa.array(prompts, pa.string()),
        pa.array(answers, pa.string()),
        pa.array(told, pa.string()) if solutions else None,
        tuple(pa.array(texts, pa.string()) for texts in more),
    )
