"""Easiness of structures, items and splits, from 0 (hard) to 1 (Bogin, Gupta, Berant 2022).

A test item is hard if it has a local structure that train lacks. As a soft measure, the easiness of
a structure u that train has is 1, and otherwise

    e(u) = max of sim(u_i, v) over places i and symbols v such that train has u with v at place i

or 0 if there is none. The easiness of an item is the minimum over its structures, and that of a
split the mean over its items. Two symbols are similar if they occur in the same contexts: sim is
the Jaccard index of their context sets, averaged over the directions (following and preceding
symbols) and then over the two codes pc and sc. Directions in which neither has contexts are left
out, as are codes without directions; sim is 1 for equal symbols and 0 if nothing is left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged, distinct_values, offsets_of
from synthgen.coverage.id_counts import IdCounts
from synthgen.draws.randomness import U64
from synthgen.trees.derivations import Signature
from synthgen.trees.local_structures import code_of, structure_text, symbols_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_CONTEXT_CODES = 2  # pc and sc, the first of PREFIX_CODES
_WORD = 64
_MAX_WORDS_AT_ONCE = 1 << 22
_MAX_AT_ONCE = 4096
_SHIFTS = tuple(np.uint64(shift) for shift in (32, 16, 0))
_SYMBOL = np.uint64(0xFFFF)


class SeenStructures:
    """The local structures of train, and the contexts of its symbols."""

    def __init__(self, words: U64, *, places: int = 3) -> None:
        """Store the structures of train.

        Args:
            words: Structures as `local_structures` gives them, repeated or not, uint64 (m,).
            places: Number of leading places of a structure that may hold another symbol: 3 for all;
                2 as in the authors' code at every size, which is set for size 2.

        Raises:
            ParamError: for places out of range.
        """
        self._n_places = check_int("places", places, 1, 3)
        self.words = distinct_values(words)
        self._known = IdCounts(self.words)
        symbols = symbols_of(self.words)
        self._symbols = np.unique(symbols[symbols >= 0])
        self._contexts = self._context_sets(symbols)

    def has(self, words: U64) -> NDArray[np.bool_]:
        """Return which structures train has, bool (m,)."""
        return self._known.has(words)

    def similarity(self, one: Ints, other: Ints) -> Floats:
        """Return sim of pairs of symbol codes (m,) in either order, from 0 to 1, float64 (m,)."""
        out = np.empty(len(one))
        rows = self._places(one), self._places(other)
        step = max(1, _MAX_WORDS_AT_ONCE // self._contexts.shape[-1])
        for start in range(0, len(one), step):
            chunk = slice(start, start + step)
            out[chunk] = self._similarity(rows[0][chunk], rows[1][chunk])
        out[one == other] = 1.0
        return out

    def easiness(self, words: U64) -> Floats:
        """Return e(u) of structures, float64 (m,)."""
        out = self.has(words).astype(np.float64)
        return self._softened(words, out, np.flatnonzero(out == 0.0))

    def easiness_without(self, words: U64) -> Floats:
        """Return e(u) of each structure as if train lacked only that one, float64 (m,).

        Contexts of symbols are those of all of train, so this is an approximation, but fast.
        """
        out = np.zeros(len(words))
        for start in range(0, len(words), _MAX_AT_ONCE):
            chunk = slice(start, start + _MAX_AT_ONCE)
            some = np.arange(len(words[chunk]))
            out[chunk] = self._softened(words[chunk], out[chunk], some, others=True)
        return out

    def _softened(self, words: U64, out: Floats, unseen: Ints, *, others: bool = False) -> Floats:
        """Fill in e(u) of unseen structures; with `others`, no symbol may replace itself."""
        # Structures of two symbols begin at the second position of a word.
        skipped = (symbols_of(words[unseen])[:, 0] < 0).astype(np.int64)
        for number, shift in enumerate(_SHIFTS):
            place = number - skipped
            of_place = unseen[(place >= 0) & (place < self._n_places)]
            structures, stand_ins = self._neighbours(words[of_place], shift)
            own = ((words[of_place] >> shift) & _SYMBOL).astype(np.int64)[structures]
            pairs, which = np.unique(own << 16 | stand_ins, return_inverse=True)
            values = self.similarity(pairs >> 16, pairs & 0xFFFF)[which]
            if others:
                values[own == stand_ins] = 0.0
            np.maximum.at(out, of_place[structures], values)
        return out

    def _neighbours(self, words: U64, shift: np.uint64) -> tuple[Ints, Ints]:
        """Return all (index of u, symbol v) such that train has u with v at some place."""
        others = ~(_SYMBOL << shift)
        kept = self.words & others
        # Sorted by all symbols but that place, the matches of each u are one run.
        order = np.argsort(kept, kind="stable")
        first = np.searchsorted(kept[order], words & others, side="left")
        last = np.searchsorted(kept[order], words & others, side="right")
        counts = last - first
        structures = np.repeat(np.arange(len(words)), counts)
        within = np.arange(len(structures)) - np.repeat(offsets_of(counts)[:-1], counts)
        matches = self.words[order[first[structures] + within]]
        return structures, ((matches >> shift) & _SYMBOL).astype(np.int64)

    def _context_sets(self, symbols: Ints) -> U64:
        """Return the symbols that follow and precede each symbol, as bits: (code, direction, k, w).

        The last of the k rows is empty, for symbols that train lacks.
        """
        k = len(self._symbols)
        bits = np.zeros((_CONTEXT_CODES, 2, k + 1, k // _WORD + 1), np.uint64)
        codes = code_of(self.words)
        for code in range(_CONTEXT_CODES):
            pairs = self._places(symbols[codes == code, 1:])
            for direction in range(2):
                own, context = pairs[:, direction], pairs[:, 1 - direction]
                flags = np.uint64(1) << (context % _WORD).astype(np.uint64)
                np.bitwise_or.at(bits[code, direction], (own, context // _WORD), flags)
        return bits

    def _places(self, symbols: Ints) -> Ints:
        """Return the row of each symbol in the context sets."""
        k = len(self._symbols)
        places = np.searchsorted(self._symbols, symbols)
        known = np.append(self._symbols, -1)[places] == symbols
        return np.where(known, places, k)

    def _similarity(self, one: Ints, other: Ints) -> Floats:
        by_code = np.full((_CONTEXT_CODES, len(one)), np.nan)
        for code in range(_CONTEXT_CODES):
            indices = np.full((2, len(one)), np.nan)
            for direction in range(2):
                sets = self._contexts[code, direction]
                left, right = sets[one], sets[other]
                both = np.bitwise_count(left & right).sum(axis=1, dtype=np.int64)
                either = np.bitwise_count(left | right).sum(axis=1, dtype=np.int64)
                np.divide(both, either, out=indices[direction], where=either > 0)
            by_code[code] = _mean_of_known(indices, np.nan)
        return _mean_of_known(by_code, 0.0)


@dataclass(frozen=True, slots=True)
class HardStructure:
    """A structure of a test that train lacks.

    Attributes:
        text: Code and symbols of the structure.
        easiness: Value e(u).
        items: Number of items with it.
        first: Number of the first of these items, from 0.
    """

    text: str
    easiness: float
    items: int
    first: int


class EasinessTally:
    """Easiness of the items of a test, batch by batch."""

    def __init__(self, seen: SeenStructures) -> None:
        self.n = 0
        self._seen = seen
        self._values: dict[float, int] = {}
        self._unseen: dict[int, HardStructure] = {}

    @property
    def mean(self) -> float:
        """Easiness of the split: the mean over items, 1 without any."""
        total = math.fsum(value * often for value, often in self._values.items())
        return total / self.n if self.n else 1.0

    def add(self, items: Ragged) -> Floats:
        """Add items by their structures, and return the easiness of each, float64 (n,)."""
        row_of = np.repeat(np.arange(len(items)), items.lengths)
        unseen = np.flatnonzero(~self._seen.has(items.values))
        words, which = np.unique(items.values[unseen], return_inverse=True)
        easiness = self._seen.easiness(words)
        out = np.ones(len(items))
        np.minimum.at(out, row_of[unseen], easiness[which])
        for value, often in zip(*np.unique(out, return_counts=True), strict=True):
            self._values[float(value)] = self._values.get(float(value), 0) + int(often)
        self._add_unseen(words, easiness, *rows_of(which, row_of[unseen], len(words)))
        self.n += len(items)
        return out

    def hardest(self, signature: Signature, most: int) -> list[HardStructure]:
        """Return the unseen structures with the lowest easiness, ties by frequency."""
        unseen = [
            replace(structure, text=structure_text(word, signature))
            for word, structure in self._unseen.items()
        ]
        return sorted(unseen, key=lambda each: (each.easiness, -each.items, each.text))[:most]

    def _add_unseen(self, words: U64, easiness: Floats, items: Ints, first: Ints) -> None:
        columns = (words, easiness, items, first)
        for word, value, often, row in zip(*(c.tolist() for c in columns), strict=True):
            known = self._unseen.get(word)
            before, begin = (known.items, known.first) if known else (0, self.n + row)
            self._unseen[word] = HardStructure("", value, before + often, begin)


def rows_of(which: Ints, row_of: Ints, n: int) -> tuple[Ints, Ints]:
    """Return the number of rows with each structure, and the first of them."""
    size = int(row_of.max(initial=0)) + 1
    structures, rows = np.divmod(np.unique(which * size + row_of), size)
    starts = np.searchsorted(structures, np.arange(n))
    return np.bincount(structures, minlength=n), rows[starts]


def _mean_of_known(values: Floats, otherwise: float) -> Floats:
    """Return the means of the columns, ignoring NaN."""
    known = ~np.isnan(values)
    count = known.sum(axis=0)
    out = np.full(values.shape[1], otherwise)
    np.divide(np.where(known, values, 0.0).sum(axis=0), count, out=out, where=count > 0)
    return out
