"""Checks between tables: repeated names, and names of sources and splits that do not exist."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from synthgen.core.errors import nearest
from synthgen.recipe.lines import Key
from synthgen.recipe.tables import RawTable, RecipeTables

Faults = Iterator[tuple[Key, str]]
"""Path and message of each fault."""


def reference_faults(tables: RecipeTables, line: Callable[[str], int | None]) -> Faults:
    """Yield path and message of each fault of names, and of references between splits.

    Args:
        tables: Tables of the recipe.
        line: Function that returns the line of a path; None if an override has set it.
    """
    for kind, names in tables.names.items():
        yield from _repeated_names(kind, names, line)
    for place, split in tables.splits:
        own = tables.names["split"].get(place)
        for key, message in _split_faults(split, own, tables.split_named):
            yield ("split", str(place), *key), message


def _repeated_names(
    kind: str, names: Mapping[int, str], line: Callable[[str], int | None]
) -> Faults:
    first: dict[str, int] = {}
    for place, name in names.items():
        earlier = first.setdefault(name, place)
        if earlier != place:
            where = line(f"{kind}.{earlier}")
            other = f"{kind}.{earlier}" if where is None else f"the {kind} at line {where}"
            message = f"name={name!r}: expected a unique name; {other} has it too"
            yield (kind, str(place), "name"), message


def _split_faults(split: RawTable, own: str | None, splits: Mapping[str, RawTable]) -> Faults:
    if seen_in := split.get("seen_in"):
        fault = _other_split_fault("seen_in", seen_in, own, splits)
        if fault is None and "seen_in" in splits[seen_in]:
            expected = "expected a split with its own rows"
            fault = f"seen_in={seen_in!r}: {expected}, but {seen_in!r} also has seen_in"
        if fault is not None:
            yield ("seen_in",), fault
    for item, other in enumerate(split.get("overlap") or ()):
        fault = other and _other_split_fault("overlap", other, own, splits)
        if fault:
            yield ("overlap", str(item)), fault


def _other_split_fault(
    key: str, other: str, own: str | None, splits: Mapping[str, RawTable]
) -> str | None:
    if other == own:
        return f"{key}={other!r}: expected the name of another split"
    if other in splits:
        return None
    return no_such(key, other, "split", [name for name in splits if name != own])


def no_such(key: str, name: str, kind: str, known: Sequence[str]) -> str:
    """Return the message for a `key` that names something unknown, with the known names."""
    hint = nearest(name, known)
    meant = f"; did you mean {hint!r}?" if hint else "."
    return f"{key}={name!r}: no such {kind}{meant} Known: {', '.join(known) or 'none'}"
