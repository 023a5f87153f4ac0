"""Wrong answers that look like the right one, for questions with options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from synthgen.draws.randomness import RowDraws

T = TypeVar("T")

_TRIES = 4


def chained(
    first: T, change: Callable[[T, RowDraws], T | None], draws: RowDraws, count: int
) -> list[T]:
    """Return up to `count` different values that come from the first one by changes.

    Changes of changes are more frequent than those of the first value, or it would be the one that
    all others are most like.

    Args:
        first: Value to begin with; it is not returned.
        change: Function that returns a value changed in one place, or None.
        draws: Random draws.
        count: Number of values.
    """
    made = [first]
    for _ in range(_TRIES * count):
        value = change(draws.choice([first, *made[1:], *made[1:]]), draws)
        if value is not None and value not in made:
            made.append(value)
            if len(made) > count:
                break
    return made[1:]


def misspelt(
    items: Sequence[T], signs: Sequence[T], draws: RowDraws, count: int
) -> list[tuple[T, ...]]:
    """Return up to `count` sequences with mistakes: two items exchanged, or another sign."""

    def change(known: tuple[T, ...], draws: RowDraws) -> tuple[T, ...] | None:
        changed, at = [*known], draws.integer(0, len(known))
        places = [place for place, item in enumerate(known) if item != known[at]]
        if places and (len(signs) < 2 or draws.integer(0, 3)):
            other = draws.choice(places)
            changed[at], changed[other] = changed[other], changed[at]
        else:
            others = [sign for sign in signs if sign != known[at]]
            if not others:
                return None
            changed[at] = draws.choice(others)
        return tuple(changed)

    return chained(tuple(items), change, draws, count) if items else []


def other_sets(items: Iterable[T], known: Sequence[T], draws: RowDraws, count: int) -> list[set[T]]:
    """Return up to `count` sets that are not empty, those as large as this one first."""

    def change(members: frozenset[T], draws: RowDraws, turn: int = 1) -> frozenset[T]:
        changed = {*members}
        others = [item for item in known if item not in members]
        if turn and len(changed) > (turn > 1 or not others):
            changed.remove(draws.choice([item for item in known if item in members]))
        if turn < 2 and others:
            changed.add(draws.choice(others))
        return frozenset(changed)

    def resized(members: frozenset[T], draws: RowDraws) -> frozenset[T]:
        return change(members, draws, draws.integer(0, 3))

    first = frozenset(items)
    made = [*chained(first, change, draws, count), *chained(first, resized, draws, count)]
    return [{*each} for each in dict.fromkeys(made) if each]
