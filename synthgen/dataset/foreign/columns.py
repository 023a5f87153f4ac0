"""Choose the columns of a third-party table with prompts, answers and solutions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

import pyarrow as pa

from synthgen.core.errors import DatasetError, nearest

PROMPT_NAMES = (
    *("prompt", "sentence", "expression", "expr", "command"),
    *("question", "problem", "input", "source", "src"),
)
"""Names of prompt columns; the first one present is used."""
ANSWER_NAMES = (
    *("answer", "result", "actions", "output", "target", "tgt"),
    *("logical_form", "lf"),
)
"""Names of answer columns; the first one present is used."""

_MOST_NAMED = 12
_MOST_COMPARED = 1000
_LONGEST_NAME = 80


Answers = Literal["needed", "found", "none"]
"""Whether answers are required, read if present, or ignored."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Requested columns; None means the first of the usual names (or no solutions).

    Attributes:
        more: further columns, by name.
        answers: whether an answer column is required.
    """

    prompt: str | None = None
    answer: str | None = None
    solution: str | None = None
    more: tuple[str, ...] = ()
    answers: Answers = "needed"

    @property
    def names(self) -> bool:
        """Whether any column is named."""
        return bool(self.more) or (self.prompt, self.answer, self.solution) != (None, None, None)


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns found and read; without answers if they are optional and missing."""

    prompt: str
    answer: str | None
    solution: str | None = None


def choose_columns(
    place: str, names: Sequence[str], wanted: Wanted, *, numbered: bool = False, advice: str = ""
) -> Columns:
    """Find the requested columns of a file.

    Args:
        place: place of the names for messages: the file and, if any, the line.
        names: names of all columns, in order.
        wanted: requested columns.
        numbered: whether columns have only numbers; the first two are then prompts and answers
            unless others are requested.
        advice: hint for the message if a column is missing.

    Raises:
        DatasetError: if a column is missing or its name occurs twice.
    """
    usual_prompts, usual_answers = (("1",), ("2",)) if numbered else (PROMPT_NAMES, ANSWER_NAMES)

    def choose(role: str, asked: str | None, usual: Sequence[str]) -> str:
        candidates = usual if asked is None else (asked,)
        chosen = next((name for name in candidates if name in names), None)
        if chosen is None:
            msg = f"{place}: {_missing(names, role, asked, usual)}{advice}"
            raise DatasetError(msg)
        if (times := list(names).count(chosen)) > 1:
            msg = f"{place}: {times:,} columns are named {shown_name(chosen)}: expected one"
            raise DatasetError(msg)
        return chosen

    def choose_answer() -> str | None:
        there = wanted.answer is not None or any(name in names for name in usual_answers)
        if wanted.answers == "none" or (wanted.answers == "found" and not there):
            return None
        return choose("answer", wanted.answer, usual_answers)

    for name in wanted.more:
        choose("column", name, ())
    return Columns(
        choose("prompt", wanted.prompt, usual_prompts),
        choose_answer(),
        None if wanted.solution is None else choose("solution", wanted.solution, ()),
    )


def shown_name(name: str) -> str:
    """Quote a name for a message: truncated, with control characters escaped."""
    return repr(name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…")


def _missing(names: Sequence[str], role: str, asked: str | None, usual: Sequence[str]) -> str:
    listed = ", ".join(shown_name(name) for name in names[:_MOST_NAMED])
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    known = f"columns: {listed or 'none'}{more}"
    short = [name for name in names[:_MOST_COMPARED] if len(name) <= _LONGEST_NAME]
    hint = nearest(asked or role, short)
    meant = f"; did you mean {hint!r}?" if hint else ";"
    if asked is None:
        wanted = f"expected one of {', '.join(usual)}, or --{role}-col"
        return f"no column of {role}s{meant} {wanted}; {known}"
    return f"no column {shown_name(asked)}{meant} {known}"


BATCH_ROWS = 16_384
BATCH_CHARACTERS = 8 * 2**20

Row = tuple[int, str | None, str | None, str | None, *tuple[str | None, ...]]
"""Line, prompt, answer, solution and further columns; None for nulls."""

_Record = TypeVar("_Record")


@dataclass(frozen=True, slots=True)
class RowBatch:
    """Some rows (n) of a file, in order.

    Attributes:
        first: number of the first row, from 1.
        lines: first line of each row, from 1; None if the file has no lines.
        prompts, answers: Arrow string (n,), with the nulls of the file.
        solutions: Arrow string (n,) with nulls, or None if none are read.
        more: further columns in the same form, in the requested order.
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
    """Collect rows into batches of at most `BATCH_ROWS`, and of `BATCH_CHARACTERS` or one row.

    Raises:
        DatasetError: at the end, if there were no rows.
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
    lines, prompts, answers, steps, *more = zip(*rows, strict=True)
    return RowBatch(
        first,
        lines,
        pa.array(prompts, pa.string()),
        pa.array(answers, pa.string()),
        pa.array(steps, pa.string()) if solutions else None,
        tuple(pa.array(texts, pa.string()) for texts in more),
    )
