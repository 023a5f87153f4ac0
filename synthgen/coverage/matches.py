"""Rows of other sides that train has, too, by level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import distinct_values
from synthgen.coverage.templates import Level
from synthgen.draws.randomness import U64

T = TypeVar("T", bound=np.integer)
Flags = NDArray[np.bool_]
KeysOf = Mapping[Level, U64]

IDENTICAL = (Level.EXACT, Level.NORMALISED, Level.CANONICAL)
"""Levels at which two rows count as the same."""


@dataclass(frozen=True)
class Matches:
    """Matching rows at every level that has keys.

    Attributes:
        distinct: Number of distinct keys, by side and level.
        shared: Flags of the rows whose key is in train, bool (n,), by side and level.
    """

    distinct: Mapping[tuple[str, Level], int]
    shared: Mapping[tuple[str, Level], Flags]

    def rows_shared(self, side: str, level: Level) -> int | None:
        """Return the number of rows of a side whose key is in train, None without keys."""
        flags = self.shared.get((side, level))
        return None if flags is None else int(np.count_nonzero(flags))

    def identical(self, side: str) -> Flags:
        """Return the rows of a side that train has at any level of identity, bool (n,)."""
        flags = [self.shared[side, level] for level in IDENTICAL if (side, level) in self.shared]
        return np.asarray(np.any(flags, axis=0), np.bool_)


def match(keys: Mapping[str, KeysOf]) -> Matches:
    """Compare the keys of sides with those of the first, train; side -> level -> uint64 (n,).

    Rows that are the same problem have the same template.
    """
    (train, of_train), *others = keys.items()
    distinct: dict[tuple[str, Level], int] = {}
    shared: dict[tuple[str, Level], Flags] = {}
    for level, words in of_train.items():
        known = distinct_values(words)
        distinct[train, level] = len(known)
        for name, of_side in others:
            if level in of_side:
                distinct[name, level] = len(distinct_values(of_side[level]))
                shared[name, level] = are_among(of_side[level], known)
    matches = Matches(distinct, shared)
    for name, _ in others:
        if (name, Level.TEMPLATE) in shared:
            shared[name, Level.TEMPLATE] |= matches.identical(name)
    return matches


def are_among(words: NDArray[T], known: NDArray[T]) -> Flags:
    """Return which words are among sorted ones."""
    if not len(known):
        return np.zeros(len(words), np.bool_)
    places = np.minimum(np.searchsorted(known, words), len(known) - 1)
    return np.asarray(known[places] == words, np.bool_)
