"""Rows of files with one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from synthgen.core.errors import DatasetError
from synthgen.dataset.foreign.columns import Columns, Wanted, choose_columns, shown_name
from synthgen.dataset.foreign.lines import Line
from synthgen.dataset.foreign.rows import Row, first_record

_KINDS = {bool: "a truth value", list: "a list", dict: "an object"}


def jsonl_rows(path: Path, lines: Iterator[Line], wanted: Wanted) -> tuple[Columns, Iterator[Row]]:
    """Return the columns taken, found among the keys of the first object, and the rows.

    A key that a later object lacks is a null, as are NaN and Infinity. Numbers become text as
    they are written. Blank lines are skipped.

    Raises:
        DatasetError: if there is no object, a column is not in the first, or, while rows are
            read, a line is no JSON object or a value taken is neither text nor a number.
    """
    objects = _objects(path, lines)
    line, found = first_record(path, objects)
    columns = choose_columns(f"{path}:{line}", list(found), wanted)
    return columns, _picked(path, chain([(line, found)], objects), columns, wanted.more)


def _picked(
    path: Path,
    objects: Iterator[tuple[int, dict[str, Any]]],
    columns: Columns,
    more: Sequence[str],
) -> Iterator[Row]:
    names = (columns.prompt, columns.answer, columns.solution, *more)
    for line, found in objects:
        prompt, answer, told, *others = (_text(path, line, found, name) for name in names)
        yield line, prompt, answer, told, *others


def _text(path: Path, line: int, found: dict[str, Any], name: str | None) -> str | None:
    value = None if name is None else found.get(name)
    if value is None or isinstance(value, str):
        return value
    kind = _KINDS[type(value)]
    msg = f"{path}:{line}: {shown_name(str(name))} is {kind}: expected text or a number"
    raise DatasetError(msg)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        msg = "a key is there twice"
        raise ValueError(msg)
    return found


def _null(_: str) -> None:
    """Read NaN and Infinity, which are no JSON but are written for missing numbers."""


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=str, parse_int=str, parse_constant=_null
)


def _objects(path: Path, lines: Iterator[Line]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, text in lines:
        if not text or text.isspace():
            continue
        try:
            found = _DECODER.decode(text)
            if "\\u" in text:  # the only way to write half a surrogate pair
                json.dumps(found, ensure_ascii=False).encode()
        except json.JSONDecodeError as error:
            problem = f"{error.msg} (column {error.colno})"
        except UnicodeEncodeError:
            problem = "half of a surrogate pair is no text"
        except ValueError as error:
            problem = str(error)
        except RecursionError:
            problem = "nested too deeply"
        else:
            if isinstance(found, dict):
                yield number, found
                continue
            problem = "this is another value"
        msg = f"{path}:{number}: expected one JSON object a line: {problem}"
        raise DatasetError(msg)
