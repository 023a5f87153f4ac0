"""Inventories of skills and topics: the bundled ones, and inventories of users.

A CSV inventory has a header with the columns category, skill, definition and example, and may have
status and others, as the published one has; a TOML inventory has `[[skill]]` tables of the same
keys and may give an id. Rows whose status is remove, in review or maybe are left out. Topics are a
text with one topic on each line.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from synthgen.core.errors import ParamError, nearest

_HERE = Path(__file__).parent
_SHIPPED = {
    "official": ("skills_official.toml",),
    "all": ("skills_official.toml", "skills_more.toml"),
}
_COLUMNS = ("category", "skill", "definition", "example")
_MAX_SKILLS, _MAX_TOPICS = 1_000, 10_000
_LEFT_OUT = {"remove", "in review", "maybe"}
_LONGEST = {"category": 60, "skill": 90, "definition": 600, "example": 1_000}
_TABLE = re.compile(r"\s*\[\[\s*skill\s*\]\]")


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill of an inventory.

    Attributes:
        id: Lower-case word of the name's letters and digits; symbol of derivations.
        name: Name in prompts.
        category: Category, such as "literary".
        definition, example: Single lines.
    """

    id: str
    name: str
    category: str
    definition: str
    example: str


def skills_of(inventory: str) -> tuple[Skill, ...]:
    """Return the skills of the param `inventory`, in the order of their ids.

    Raises:
        ParamError: Named `inventory`, with the line and the column of the first fault.
    """
    if "\n" in inventory:
        skills = _read_skills(inventory)
    elif inventory in _SHIPPED:
        texts = ((_HERE / file).read_text(encoding="utf-8") for file in _SHIPPED[inventory])
        skills = [skill for text in texts for skill in _read_skills(text)]
    else:
        raise ParamError("inventory", inventory, "'official', 'all', or the text of a file")
    return tuple(sorted(skills, key=lambda skill: skill.id))


def topics_of(topics: str) -> tuple[str, ...]:
    """Return the topics of the param `topics`, sorted.

    Raises:
        ParamError: Named `topics`, with the line of the first fault.
    """
    if "\n" in topics:
        names = _read_topics(topics)
    elif topics in ("official", "all"):
        shipped = tomllib.loads((_HERE / "topics.toml").read_text(encoding="utf-8"))
        names = shipped["official"] + (shipped["others"] if topics == "all" else [])
    else:
        raise ParamError("topics", topics, "'official', 'all', or topics, one on each line")
    return tuple(sorted(names))


def id_of_name(name: str) -> str:
    """Return a skill's name, without any text in brackets, as one lower-case word."""
    return re.sub(r"[\W_]+", "_", _bare(name).casefold()).strip("_")


def forbidden_name(name: str) -> str:
    """Return the name in lower case, without any text in brackets, which no answer may contain."""
    return _bare(name).lower()


def _bare(name: str) -> str:
    return name.partition("(")[0].strip() or name


class _Row(NamedTuple):
    line: int
    cells: Mapping[str, object]


def _read_skills(text: str) -> list[Skill]:
    rows = _toml_rows(text) if any(map(_TABLE.match, text.splitlines())) else _csv_rows(text)
    skills: list[Skill] = []
    lines: dict[str, int] = {}
    for row in rows:
        status = row.cells.get("status", "")
        if isinstance(status, str) and status.strip().casefold() in _LEFT_OUT:
            continue
        skill = _skill(row)
        if skill.id in lines:
            raise _fault(row.line, "skill", f"another skill than that of line {lines[skill.id]}")
        lines[skill.id] = row.line
        skills.append(skill)
    if not 2 <= len(skills) <= _MAX_SKILLS:
        expected = f"2 to {_MAX_SKILLS:,} skills with a status that keeps them"
        raise ParamError("inventory", f"{len(skills)} skills", expected)
    return skills


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
    name = texts.pop("skill")
    if re.search(r'["\\:]', name) or not id_of_name(name):
        raise _fault(row.line, "skill", "a name with a letter, without colons, quotes, backslashes")
    identifier = row.cells.get("id", id_of_name(name))
    if not isinstance(identifier, str) or id_of_name(identifier) != identifier:
        raise _fault(row.line, "id", "a lower-case word of letters, digits and underscores")
    if re.fullmatch(r"mix\d+", identifier):
        expected = "an id other than mix and a number, which derivations use for a mix"
        raise _fault(row.line, "id" if "id" in row.cells else "skill", expected)
    return Skill(id=identifier, name=name, **texts)


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
            columns = dict(zip(header, cells, strict=False))
            yield _Row(line, {name: columns.get(name, "") for name in (*_COLUMNS, "status")})
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
    known = {*_COLUMNS, "id", "name", "status", "comments", "added by"}
    for table, line in zip(tables, starts, strict=False):
        for key in table:
            if key not in known:
                hint = nearest(key, known)
                meant = f"; did you mean {hint!r}?" if hint else ""
                raise _fault(line, key, f"one of {', '.join(_COLUMNS)} and status{meant}")
        named = {"skill": table["name"]} if "name" in table else {}
        yield _Row(line, named | table)


def _read_topics(text: str) -> list[str]:
    """Read topics; empty lines do not count."""
    topics: list[str] = []
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        topic = " ".join(line.split())
        if not topic:
            continue
        wrong = re.search(r"[\"\\:;.,!?()]", topic)
        if wrong or not topic.isprintable() or len(topic) > _LONGEST["category"]:
            expected = f"at most {_LONGEST['category']} letters without punctuation"
            raise ParamError("topics", f"line {number}", expected)
        symbol = topic.replace(" ", "_")  # in derivations
        if symbol in lines:
            raise ParamError("topics", f"line {number}", f"another than line {lines[symbol]}")
        lines[symbol] = number
        topics.append(topic)
    if not 1 <= len(topics) <= _MAX_TOPICS:
        raise ParamError("topics", f"{len(topics)} topics", f"1 to {_MAX_TOPICS:,} topics")
    return topics
