"""Block 1: distinct rows of each side, and rows also in train, by level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.audit.blocks import FLAG, INFO, OK, Block, BlockTable
from synthgen.audit.coverage_sides import Side
from synthgen.audit.coverage_words import interval, listed, percent, plural
from synthgen.core.randomness import U64
from synthgen.coverage.templates import Level

Flags = NDArray[np.bool_]
KeysOf = Mapping[Level, U64]

_MEANING = {
    Level.EXACT: "the same bytes",
    Level.NORMALISED: "the same text except for spaces and Unicode form",
    Level.CANONICAL: "the same canonical problem",
    Level.TEMPLATE: "the same structure with other numbers",
}
_FORBIDDEN = (Level.EXACT, Level.NORMALISED, Level.CANONICAL)


@dataclass(frozen=True)
class Matches:
    """Matching rows at every level that has keys.

    Attributes:
        distinct: (side, level) -> number of distinct keys.
        shared: (side, level) -> rows whose key is in train, bool (n,).
    """

    distinct: Mapping[tuple[str, Level], int]
    shared: Mapping[tuple[str, Level], Flags]

    def rows_shared(self, side: str, level: Level) -> int | None:
        """Return the number of rows of a side whose key is in train, None without keys."""
        flags = self.shared.get((side, level))
        return None if flags is None else int(np.count_nonzero(flags))


def match(keys: Mapping[str, KeysOf]) -> Matches:
    """Compare the keys of sides with those of the first, train; side -> level -> uint64 (n,)."""
    (train, of_train), *others = keys.items()
    distinct: dict[tuple[str, Level], int] = {}
    shared: dict[tuple[str, Level], Flags] = {}
    for level, words in of_train.items():
        known = different_words(words)
        distinct[train, level] = len(known)
        for name, of_side in others:
            if level in of_side:
                distinct[name, level] = len(different_words(of_side[level]))
                shared[name, level] = _are_in(of_side[level], known)
    return Matches(distinct, shared)


def identity_block(sides: Sequence[Side], matches: Matches) -> Block:
    """Report repeated rows, and rows that other sides share with train.

    Args:
        sides: train first.
        matches: of their keys.
    """
    train, *tests = sides
    levels = [level for level in _MEANING if (train.name, level) in matches.distinct]
    counts = [
        (side.name, side.rows, *(matches.distinct.get((side.name, level)) for level in levels))
        for side in sides
    ]
    rows = []
    for side in tests:
        for level in levels:
            hits = matches.rows_shared(side.name, level)
            if hits is not None:
                note = "declared" if side.declared.shares else ""
                numbers = (side.rows, hits, percent(hits, side.rows), interval(hits, side.rows))
                rows.append((side.name, level.label, _MEANING[level], *numbers, note))
    leaks = [
        f"{plural(hits, 'row')} of {side.name} at {level.label}"
        for side in tests
        for level in _FORBIDDEN
        if not side.declared.shares and (hits := matches.rows_shared(side.name, level) or 0)
    ]
    columns = ("split", "level", "match", "rows", "rows in train")
    tables = [
        BlockTable("Distinct keys", ("split", "rows", *(each.label for each in levels)), (*counts,))
    ]
    if rows:
        more = ("share, %", "95 % interval, %", "")
        title = f"Rows shared with {train.name}"
        tables.append(BlockTable(title, (*columns, *more), tuple(rows)))
    verdict = FLAG if leaks else OK if tests else INFO
    text = _text(train, tests, matches, leaks)
    return Block("identity", "Identity and overlap", verdict, text, tuple(tables))


def _text(train: Side, tests: Sequence[Side], matches: Matches, leaks: Sequence[str]) -> str:
    problems = matches.distinct.get((train.name, Level.CANONICAL))
    shapes = matches.distinct.get((train.name, Level.TEMPLATE))
    text = f"{train.name} has {plural(train.rows, 'row')}"
    if problems is not None:
        text += f" of {plural(problems, 'distinct problem')}"
    if shapes is not None:
        text += f" and {plural(shapes, 'template')}"
    if not tests:
        return f"{text}. There is no other split to compare with."
    if leaks:
        return f"{text}. Rows of other splits also in {train.name}: {listed(leaks)}."
    declared = [side.name for side in tests if side.declared.shares]
    besides = f", apart from declared overlap ({listed(declared)})" if declared else ""
    return f"{text}. It shares no row with another split at L0 to L2{besides}."


def different_words(words: U64) -> U64:
    """Return the distinct words in rising order; a sort is fastest for these."""
    rising = np.sort(words)
    new = np.ones(len(rising), np.bool_)
    new[1:] = rising[1:] != rising[:-1]
    return rising[new]


def _are_in(words: U64, known: U64) -> Flags:
    """Return which words are among sorted ones."""
    if not len(known):
        return np.zeros(len(words), np.bool_)
    places = np.minimum(np.searchsorted(known, words), len(known) - 1)
    return np.asarray(known[places] == words, np.bool_)
