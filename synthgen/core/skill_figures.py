"""Words that figures of speech are made of: tables of words, in files `lexical_<name>.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

__all__ = ["Record", "fields", "records"]

Record: TypeAlias = Mapping[str, str]
"""Named texts, which are mostly lists of words with spaces between."""

_DATA = Path(__file__).with_name("skillmix_data")


@cache
def _file(name: str) -> dict[str, Any]:
    return tomllib.loads((_DATA / f"lexical_{name}.toml").read_text(encoding="utf-8"))


@cache
def records(name: str, table: str) -> tuple[Record, ...]:
    """Return the records of one table of a file, such as "words" and "scale".

    Raises:
        FileNotFoundError: if there is no such file.
        KeyError: if it has no such table.
    """
    return tuple(MappingProxyType(record) for record in _file(name)[table])


@cache
def fields(text: str) -> tuple[tuple[str, ...], ...]:
    """Split a list of words whose parts have slashes between: "open/secret wise/fool"."""
    return tuple(tuple(word.split("/")) for word in text.split())
