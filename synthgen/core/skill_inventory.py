"""The inventory of skill mixes: names, definitions and examples of skills, and names of topics.

The shipped files are data: `skills_official.toml` has the ten skills of SKILL-MIX whose names are
public, every other `skills_*.toml` skills of our own. A skill that two files have keeps the
official wording and the other file's checker.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from synthgen.core.errors import ParamError
from synthgen.core.skill_lexicon import topics as lexicon_topics

_DATA = Path(__file__).with_name("skillmix_data")
_OFFICIAL = "skills_official.toml"


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill of an inventory.

    Attributes:
        id: lower-case word of the name's letters and digits; symbol of derivations.
        name: as prompts write it.
        category: such as "literary".
        definition, example: single lines.
        checker: whether there is a checker of this id that looks for the skill in a text.
    """

    id: str
    name: str
    category: str
    definition: str
    example: str
    checker: bool = False


@cache
def official_skills() -> tuple[Skill, ...]:
    """Return the ten public skills of SKILL-MIX, in the order of the file."""
    return tuple(s for s in shipped_skills() if s.id in _ids_of(_OFFICIAL))


@cache
def shipped_skills() -> tuple[Skill, ...]:
    """Return the official skills and then those of our own files, by file.

    Raises:
        ParamError: if two of our own files have the same skill, or two skills the same name.
    """
    found = {skill.id: skill for skill in _skills_of(_OFFICIAL)}
    owners: dict[str, str] = {}
    for path in sorted(_DATA.glob("skills_*.toml")):
        for skill in () if path.name == _OFFICIAL else _skills_of(path.name):
            if owners.setdefault(skill.id, path.name) != path.name:
                raise ParamError("skill", skill.id, f"a skill that {owners[skill.id]} lacks")
            official = found.get(skill.id)
            found[skill.id] = replace(official, checker=skill.checker) if official else skill
    names = [skill.name for skill in found.values()]
    for name in names:
        if names.count(name) > 1:
            raise ParamError("skill", name, "a name that no other skill has")
    return tuple(found.values())


@cache
def checkers_by_name() -> Mapping[str, str]:
    """Return the id of the checker of each name that has one."""
    return {skill.name: skill.id for skill in shipped_skills() if skill.checker}


@cache
def official_topics() -> tuple[str, ...]:
    """Return the ten public topics of SKILL-MIX."""
    data = tomllib.loads((_DATA / "official_topics.toml").read_text(encoding="utf-8"))
    return tuple(data["topics"])


@cache
def shipped_topics() -> tuple[str, ...]:
    """Return the official topics and then the others of the lexicon, in its order."""
    return tuple(dict.fromkeys([*official_topics(), *(t.name for t in lexicon_topics())]))


def id_of_name(name: str) -> str:
    """Return a skill's name, without what is in brackets, as one lower-case word."""
    bare = name.partition("(")[0].strip() or name
    return re.sub(r"[\W_]+", "_", bare.casefold()).strip("_")


def with_checkers(skills: Iterable[Skill]) -> tuple[Skill, ...]:
    """Say of each skill whether its name is one of ours that has a checker of the same id."""
    known = checkers_by_name()
    return tuple(replace(s, checker=known.get(s.name) == s.id) for s in skills)


@cache
def _skills_of(file: str) -> tuple[Skill, ...]:
    data = tomllib.loads((_DATA / file).read_text(encoding="utf-8"))
    return tuple(_skill(table, file) for table in data["skill"])


def _skill(table: Mapping[str, Any], file: str) -> Skill:
    texts = {}
    for key in ("id", "name", "category", "definition", "example"):
        text = table.get(key)
        if not isinstance(text, str) or not text.strip():
            raise ParamError(file, table.get("id"), f"a skill with {key}")
        texts[key] = " ".join(text.split())
    return Skill(**texts, checker=bool(table.get("checker")))


def _ids_of(file: str) -> frozenset[str]:
    return frozenset(skill.id for skill in _skills_of(file))
