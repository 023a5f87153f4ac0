"""Knowledge bases of skill mixes: tables of facts about the world, in files `world_<name>.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

__all__ = ["Record", "listed", "records"]

Record: TypeAlias = Mapping[str, str]
"""Named texts; a text may be a list of phrases, see `listed`."""

_DATA = Path(__file__).with_name("skillmix_data")


@cache
def records(name: str, table: str) -> tuple[Record, ...]:
    """Return the records of one table of a knowledge base, such as "physics" and "rule".

    Raises:
        FileNotFoundError: if there is no such knowledge base.
        KeyError: if it has no such table.
    """
    data = tomllib.loads((_DATA / f"world_{name}.toml").read_text(encoding="utf-8"))
    return tuple(MappingProxyType(record) for record in data[table])


@cache
def listed(text: str) -> tuple[str, ...]:
    """Split a list of phrases at its commas."""
    return tuple(phrase.strip() for phrase in text.split(",") if phrase.strip())
