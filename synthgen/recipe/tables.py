"""The tables of a recipe file, parsed once for all checks between them.

They are not models: a table with a fault can still be referred to, and its own references are
checked too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from synthgen.recipe.lines import Key

RawTable = Mapping[str, Any]
Numbered = list[tuple[int, dict[str, Any]]]
"""The tables of an array with their indices; items that are not tables are left out."""


class RecipeTables:
    """The tables of a document, with None for each value that is faulty by itself.

    The presence of a key can still be checked, and all other values have the right type.

    Args:
        document: Parsed recipe.
        faulty: Paths of the faulty values.

    Attributes:
        document: Document with None for these values.
        sources, splits, axes: Arrays of tables.
        names: Names of the tables of each array, by their index, even if faulty.
        source_named, split_named: Tables by name.
    """

    def __init__(self, document: Mapping[str, Any], faulty: Iterable[Key] = ()) -> None:
        self.names = {
            kind: {i: name for i, t in numbered(document, kind) if (name := name_of(t))}
            for kind in ("source", "split", "axis")
        }
        self.document = deepcopy(dict(document))
        for path in faulty:
            if path:
                _clear(self.document, path)
        self.sources, self.splits, self.axes = (
            numbered(self.document, kind) for kind in self.names
        )
        self.source_named = self._named("source", self.sources)
        self.split_named = self._named("split", self.splits)

    @property
    def paths_by_name(self) -> dict[Key, Key]:
        """Path of each table whose name no other of its array has -> its path by name."""
        return {
            (kind, str(place)): (kind, name)
            for kind, names in self.names.items()
            for place, name in names.items()
            if [*names.values()].count(name) == 1 and name.isprintable() and "." not in name
        }

    def _named(self, kind: str, tables: Numbered) -> dict[str, RawTable]:
        names = self.names[kind]
        return {names[place]: table for place, table in tables if place in names}


def numbered(document: Mapping[str, Any], kind: str) -> Numbered:
    """Return the tables of an array."""
    array = document.get(kind)
    items = enumerate(array) if isinstance(array, list) else ()
    return [(place, table) for place, table in items if isinstance(table, dict)]


def name_of(table: object) -> str | None:
    """Return the name of a source, split or axis, None if it does not have one."""
    if not isinstance(table, dict):
        return None
    name = table.get("name", table.get("generator"))
    return name if isinstance(name, str) else None


def has(table: RawTable, key: str) -> bool:
    """Return whether a table has a key, even a faulty one; an empty list counts as none."""
    return key in table and table[key] != []


def _clear(node: Any, path: Key) -> None:
    """Set the value at a path, or the nearest one above it, to None; missing keys stay missing."""
    key: Any = int(path[0]) if isinstance(node, list) else path[0]
    if isinstance(node, dict) and key not in node:
        return
    if len(path) > 1 and isinstance(node[key], dict | list):
        _clear(node[key], path[1:])
    else:
        node[key] = None
