"""Choose the columns of a third-party table with prompts, answers and solutions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import pyarrow as pa

from synthgen.core.chat import CHAT_NAMES, Role, is_chat, last_turn
from synthgen.core.errors import DatasetError, nearest

PROMPT_NAMES = (
    *("prompt", "sentence", "expression", "expr", "command"),
    *("question", "problem", "instruction", "query", "input", "source", "src"),
    *CHAT_NAMES,
    "text",
)
"""Names of prompt columns; the first one present is used."""
ANSWER_NAMES = (
    *("answer", "result", "actions", "output", "target", "tgt"),
    *("logical_form", "lf", "completion", "response", "ground_truth", "gold"),
    *("reward_model.ground_truth", "chosen", "solution", "label"),
)
"""Names of answer columns; the first one present is used."""

_MAX_NAMED = 12
_MAX_COMPARED = 1000
_LONGEST_NAME = 80


Answers = Literal["needed", "found", "none"]
"""Whether answers are required, read if present, or ignored."""


@dataclass(frozen=True, slots=True)
class WantedColumns:
    """Requested columns; None means the first of the usual names (or no solutions).

    A name such as `metadata.expression` is a key inside a column, unless a column has this name.

    Attributes:
        more: Further columns, by name.
        answers: Whether an answer column is required.
        lists: Whether an answer may be a list of texts, each of which becomes a row.
    """

    prompt: str | None = None
    answer: str | None = None
    solution: str | None = None
    more: tuple[str, ...] = ()
    answers: Answers = "needed"
    lists: bool = False

    @property
    def names(self) -> bool:
        """Whether any column is named."""
        return bool(self.more) or (self.prompt, self.answer, self.solution) != (None, None, None)


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns that are read; without answers if they are optional and missing."""

    prompt: str
    answer: str | None
    solution: str | None = None


def choose_columns(
    place: str,
    names: Sequence[str],
    wanted: WantedColumns,
    *,
    numbered: bool = False,
    advice: str = "",
    inside: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Columns:
    """Find the requested columns of a file.

    A column of conversations gives prompts and, without a column of answers, answers too.

    Args:
        place: Place of the names for messages: the file and, if any, the line.
        names: Names of all columns, in order.
        wanted: Requested columns.
        numbered: Whether columns have only numbers; the first two are then prompts and answers
            unless others are requested.
        advice: Hint for the message if a column is missing.
        inside: Keys inside columns, by column; they are only suggested.

    Raises:
        DatasetError: if a column is missing or its name occurs twice.
    """
    usual_prompts, usual_answers = (("1",), ("2",)) if numbered else (PROMPT_NAMES, ANSWER_NAMES)

    def choose(role: str, asked: str | None, usual: Sequence[str]) -> str:
        candidates = usual if asked is None else (asked,)
        chosen = next((name for name in candidates if key_path(names, name)[0] in names), None)
        if chosen is None:
            nested = _nested(inside, role, usual) if asked is None else ""
            msg = f"{place}: {_missing(names, role, asked, usual)}{nested}{advice}"
            raise DatasetError(msg)
        column = key_path(names, chosen)[0]
        if (times := list(names).count(column)) > 1:
            msg = f"{place}: {times:,} columns are named {shown_name(column)}: expected one"
            raise DatasetError(msg)
        return chosen

    def choose_answer(prompt: str) -> str | None:
        usual = [name for name in usual_answers if key_path(names, name)[0] in names]
        there = wanted.answer is not None or bool(usual)
        if wanted.answers == "none":
            return None
        if not there and prompt in CHAT_NAMES:
            return prompt
        if wanted.answers == "found" and not there:
            return None
        return choose("answer", wanted.answer, usual_answers)

    for name in wanted.more:
        choose("column", name, ())
    prompt = choose("prompt", wanted.prompt, usual_prompts)
    solution = None if wanted.solution is None else choose("solution", wanted.solution, ())
    return Columns(prompt, choose_answer(prompt), solution)


def _nested(inside: Mapping[str, Sequence[str]], role: str, usual: Sequence[str]) -> str:
    """Return a hint at a key inside a column that has a usual name, for messages."""
    usual_keys = (
        f"{column}.{key}"
        for name in usual
        for column, keys in inside.items()
        for key in keys
        if key == name
    )
    key = next(usual_keys, None)
    return f"; --{role}-col {key} reads the key inside a column" if key else ""


def shown_name(name: str) -> str:
    """Quote a name for a message: truncated, with control characters escaped."""
    return repr(name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…")


def key_path(names: Sequence[str], name: str) -> tuple[str, ...]:
    """Return the column that a name means, and the keys inside it: for `a.b.c`, perhaps a, b, c.

    The column is the longest beginning of the name that is one of `names`, else the whole name.
    """
    keys: list[str] = []
    column = name
    while column not in names:
        column, dot, key = column.rpartition(".")
        if not dot:
            return (name,)
        keys.insert(0, key)
    return column, *keys


def text_inside(
    place: str, path: Sequence[str], value: Any, *, is_first: bool, role: Role | None = None
) -> str | None:
    """Return the text at a path of keys inside the value of a column.

    Texts on the way are read as JSON, and keys of lists are numbers from 0. A missing key is null.
    Numbers, truth values and lists become text as JSON writes them.

    Args:
        place: File and row, for messages.
        path: Column, and keys inside it.
        value: Value of the column.
        is_first: Whether the row is the first, in which a missing key is an error.
        role: Whose last turn is read, if the value is a conversation.

    Raises:
        DatasetError: if a value on the way has no keys, or that at the end is an object.
    """
    for number, key in enumerate(path[1:], 1):
        inside = shown_name(".".join(path[:number]))
        if isinstance(value, str):
            value = json_value(f"{place}: {inside}", value, "JSON with keys")
        if isinstance(value, list):
            value = dict(zip(map(str, range(len(value))), value, strict=True))
        if value is None:
            return None
        if not isinstance(value, dict):
            msg = f"{place}: {inside}: expected an object with key {shown_name(key)}"
            raise DatasetError(msg)
        if is_first and key not in value:
            msg = f"{place}: {inside} has {_missing(list(value), 'key', key, (), 'key')}"
            raise DatasetError(msg)
        value = value.get(key)
    if isinstance(value, str) and path[-1] in CHAT_NAMES and value.startswith("["):
        value = json_value(f"{place}: {shown_name(path[-1])}", value, "JSON, as it begins with [")
    if role is not None and (is_chat(value) or (path[-1] in CHAT_NAMES and value == [])):
        return last_turn(value, role)
    if value is None or isinstance(value, str):
        return None if value is None else str(value)
    if isinstance(value, dict):
        name = ".".join(path)
        keys = list(value)
        hint = f", or a key inside it, such as {shown_name(f'{name}.{keys[0]}')}" if keys else ""
        msg = f"{place}: {shown_name(name)} is an object: expected text or a number{hint}"
        raise DatasetError(msg)
    try:
        return json_text(value)
    except RecursionError:
        msg = f"{place}: {shown_name('.'.join(path))}: expected lists that are nested less deeply"
        raise DatasetError(msg) from None


class _Numeral(str):
    """A number in JSON, as written."""

    __slots__ = ()


def json_text(value: Any) -> str:
    """Return a value as JSON, with numbers as they were written, and other values as text."""
    if isinstance(value, list):
        return f"[{', '.join(map(json_text, value))}]"
    if isinstance(value, dict):
        pairs = (
            f"{json.dumps(key, ensure_ascii=False)}: {json_text(of)}" for key, of in value.items()
        )
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, _Numeral):
        return str(value)
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return json.dumps(value, ensure_ascii=False, default=str)


def json_value(place: str, text: str, expected: str) -> Any:
    """Read JSON; numbers become text as written, NaN and Infinity null.

    Raises:
        DatasetError: if it is not JSON, or an object has a key twice.
    """
    try:
        value = _DECODER.decode(text)
        if "\\u" in text:  # the only way to write half a surrogate pair
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        problem = f"{error.msg} (column {error.colno})"
    except UnicodeEncodeError:
        problem = "half of a surrogate pair is not text"
    except ValueError as error:
        problem = str(error)
    except RecursionError:
        problem = "nested too deeply"
    else:
        return value
    msg = f"{place}: expected {expected}: {problem}"
    raise DatasetError(msg)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) != len(pairs):
        msg = "a key occurs twice"
        raise ValueError(msg)
    return content


# NaN and Infinity are not JSON, but some files use them for missing numbers.
_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_float=_Numeral,
    parse_int=_Numeral,
    parse_constant=lambda _: None,
)


def _missing(
    names: Sequence[str], role: str, asked: str | None, usual: Sequence[str], kind: str = "column"
) -> str:
    listed = ", ".join(shown_name(name) for name in names[:_MAX_NAMED])
    more = f" and {len(names) - _MAX_NAMED:,} more" if len(names) > _MAX_NAMED else ""
    known = f"{kind}s: {listed or 'none'}{more}"
    short = [name for name in names[:_MAX_COMPARED] if len(name) <= _LONGEST_NAME]
    hint = nearest(asked or role, short)
    meant = f"; did you mean {hint!r}?" if hint else ";"
    if asked is None:
        wanted = f"expected one of {', '.join(usual)}, or --{role}-col"
        return f"no column of {role}s{meant} {wanted}; {known}"
    return f"no {kind} {shown_name(asked)}{meant} {known}"


BATCH_ROWS = 16_384
BATCH_CHARACTERS = 8 * 2**20

Row = tuple[int, str | None, str | None, str | None, *tuple[str | None, ...]]
"""Line, prompt, answer, solution and further columns; None for nulls."""

_Record = TypeVar("_Record")


@dataclass(frozen=True, slots=True)
class RowBatch:
    """Some rows (n) of a file, in order.

    Attributes:
        first: Number of the first row, from 1.
        lines: First line of each row, from 1; None if the file has no lines.
        prompts, answers: Arrow string (n,), with the nulls of the file.
        solutions: Arrow string (n,) with nulls, or None if none are read.
        more: Further columns in the same form, in the requested order.
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


def nothing_to_check(path: Path | str) -> DatasetError:
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
