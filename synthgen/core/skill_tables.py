"""Inventories of a user's own: skills as CSV or TOML, topics one a line.

A CSV table has a header with the columns category, skill, definition and example, and may have
status and others, as the published one has; a TOML file has `[[skill]]` tables of the same keys.
Rows whose status is remove, in review or maybe are left out.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from synthgen.core.errors import ParamError, nearest
from synthgen.core.skill_inventory import Skill, id_of_name, with_checkers

MOST_SKILLS, MOST_TOPICS = 1_000, 10_000
_COLUMNS = ("category", "skill", "definition", "example")
_LEFT_OUT = {"remove", "in review", "maybe"}
_LONGEST = {"category": 60, "skill": 90, "definition": 600, "example": 1_000}
_TABLE = re.compile(r"\s*\[\[\s*skill\s*\]\]")


class _Row(NamedTuple):
    line: int
    cells: Mapping[str, object]


def read_skills(text: str) -> tuple[Skill, ...]:
    """Read an inventory from the text of a CSV or TOML file.

    Raises:
        ParamError: named `inventory`, with the line and the column of the first fault.
    """
    rows = _toml_rows(text) if any(map(_TABLE.match, text.splitlines())) else _csv_rows(text)
    skills: list[Skill] = []
    first: dict[str, int] = {}
    for row in rows:
        status = row.cells.get("status", "")
        if isinstance(status, str) and status.strip().casefold() in _LEFT_OUT:
            continue
        skill = _skill(row)
        if first.setdefault(skill.id, row.line) != row.line:
            raise _fault(row.line, "skill", f"another skill than that of line {first[skill.id]}")
        skills.append(skill)
    if not 2 <= len(skills) <= MOST_SKILLS:
        expected = f"2 to {MOST_SKILLS:,} skills with a status that keeps them"
        raise ParamError("inventory", f"{len(skills)} skills", expected)
    return with_checkers(skills)


def read_topics(text: str) -> tuple[str, ...]:
    """Read topics, one a line; empty lines do not count.

    Raises:
        ParamError: named `topics`, with the line of the first fault.
    """
    found: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        topic = " ".join(line.split())
        if not topic:
            continue
        wrong = re.search(r"[\"\\:;.,!?]", topic)
        if wrong or not topic.isprintable() or len(topic) > _LONGEST["category"]:
            expected = f"at most {_LONGEST['category']} letters without punctuation"
            raise ParamError("topics", f"line {number}", expected)
        if topic in found:
            raise ParamError("topics", f"line {number}", f"another than line {found[topic]}")
        found[topic] = number
    if not 1 <= len(found) <= MOST_TOPICS:
        raise ParamError("topics", f"{len(found)} topics", f"1 to {MOST_TOPICS:,} topics")
    return tuple(found)


def _fault(line: int, column: str, expected: str) -> ParamError:
    return ParamError("inventory", f"line {line}, column {column}", expected)


def _skill(row: _Row) -> Skill:
    """Read one row; white space at the ends and line breaks do not matter."""
    texts = {}
    for column in _COLUMNS:
        value = row.cells.get(column, "")
        text = " ".join(value.split()) if isinstance(value, str) else ""
        longest = _LONGEST[column]
        if not text or len(text) > longest or not text.isprintable():
            raise _fault(row.line, column, f"a printable text of 1 to {longest} characters")
        texts[column] = text
    name = texts["skill"]
    if re.search(r'["\\:]', name) or not id_of_name(name):
        raise _fault(row.line, "skill", "a name with a letter, without colons, quotes, backslashes")
    return Skill(
        id=id_of_name(name),
        name=name,
        category=texts["category"],
        definition=texts["definition"],
        example=texts["example"],
    )


def _csv_rows(text: str) -> Iterator[_Row]:
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    header: list[str] = []
    start = 1
    try:
        for cells in reader:
            line, start = start, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if not header:
                header = _header(cells, line)
                continue
            if len(cells) > len(header):
                raise _fault(line, str(len(header) + 1), f"at most {len(header)} columns")
            yield _Row(line, dict(zip(header, cells, strict=False)))
    except csv.Error as error:
        raise ParamError("inventory", f"line {reader.line_num}", f"CSV: {error}") from None


def _header(cells: list[str], line: int) -> list[str]:
    header = [cell.strip().casefold() for cell in cells]
    for column in _COLUMNS:
        if column not in header:
            hint = nearest(column, header)
            meant = f" (is it {hint!r}?)" if hint else ""
            raise _fault(line, column, f"this column in the header{meant}")
        if header.count(column) > 1:
            raise _fault(line, column, "this column once in the header")
    return header


def _toml_rows(text: str) -> Iterator[_Row]:
    try:
        tables: Any = tomllib.loads(text.removeprefix("\ufeff"))["skill"]
    except (tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
        raise ParamError("inventory", "the file", f"TOML: {str(error)[:200]}") from None
    starts = [i for i, line in enumerate(text.splitlines(), start=1) if _TABLE.match(line)]
    known = {*_COLUMNS, "status", "comments", "added by", "name"}
    for table, line in zip(tables, starts, strict=False):
        cells = dict(table)
        for key in cells:
            if key not in known:
                hint = nearest(key, known)
                meant = f"; did you mean {hint!r}?" if hint else ""
                raise _fault(line, key, f"one of {', '.join(_COLUMNS)} and status{meant}")
        if "name" in cells:
            cells.setdefault("skill", cells["name"])
        yield _Row(line, cells)
