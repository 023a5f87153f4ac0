"""Checks between tables: repeated names, and names of splits that do not exist.

They check the parsed document, not the models, so that other tables can refer to a faulty table,
and its own references are checked too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from synthgen.core.errors import nearest
from synthgen.recipe.lines import Key

_Tables = Mapping[str, Mapping[str, Any]]


def reference_faults(
    document: Mapping[str, Any], line: Callable[[str], int | None]
) -> Iterator[tuple[Key, str]]:
    """Yield path and message of each fault; values of the wrong type are skipped.

    Args:
        document: the parsed recipe.
        line: returns the line of a path; None if an override has set it.
    """
    for kind in ("source", "split", "axis"):
        yield from _repeated_names(document, kind, line)
    found = places(document, "split")
    tables = {name: table for _, table in found if (name := name_of(table)) is not None}
    for place, split in found:
        for key, message in _split_faults(split, tables):
            yield ("split", str(place), *key), message


def name_of(table: object) -> str | None:
    """Return the name of a source or split, None if it does not have one."""
    if not isinstance(table, dict):
        return None
    name = table.get("name", table.get("generator"))
    return name if isinstance(name, str) else None


def places(document: Mapping[str, Any], kind: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the tables of an array with their indices; other items are left out."""
    array = document.get(kind)
    items = enumerate(array) if isinstance(array, list) else ()
    return [(place, table) for place, table in items if isinstance(table, dict)]


def _repeated_names(
    document: Mapping[str, Any], kind: str, line: Callable[[str], int | None]
) -> Iterator[tuple[Key, str]]:
    first: dict[str, int] = {}
    for place, table in places(document, kind):
        name = name_of(table)
        if name in first:
            where = line(f"{kind}.{first[name]}")
            other = f"{kind}.{first[name]}" if where is None else f"the {kind} at line {where}"
            message = f"name={name!r}: expected a unique name; {other} has it too"
            yield (kind, str(place), "name"), message
        elif name is not None:
            first[name] = place


def _split_faults(split: Mapping[str, Any], tables: _Tables) -> Iterator[tuple[Key, str]]:
    seen_in, overlap = split.get("seen_in"), split.get("overlap")
    if isinstance(seen_in, str) and seen_in:
        fault = _other_split_fault("seen_in", seen_in, split, tables)
        if fault is None and "seen_in" in tables[seen_in]:
            expected = "expected a split with its own rows"
            fault = f"seen_in={seen_in!r}: {expected}, but {seen_in!r} also has seen_in"
        if fault is not None:
            yield ("seen_in",), fault
    for item, other in enumerate(overlap if isinstance(overlap, list) else ()):
        if isinstance(other, str) and other:
            fault = _other_split_fault("overlap", other, split, tables)
            if fault is not None:
                yield ("overlap", str(item)), fault


def _other_split_fault(
    key: str, other: str, split: Mapping[str, Any], tables: _Tables
) -> str | None:
    own = name_of(split)
    if other == own:
        return f"{key}={other!r}: expected the name of another split"
    if other in tables:
        return None
    return no_such(key, other, "split", [name for name in tables if name != own])


def no_such(key: str, name: str, kind: str, known: Sequence[str]) -> str:
    """Return the message for a `key` that names something unknown, with the known names."""
    hint = nearest(name, known)
    meant = f"; did you mean {hint!r}?" if hint else "."
    return f"{key}={name!r}: no such {kind}{meant} Known: {', '.join(known) or 'none'}"
