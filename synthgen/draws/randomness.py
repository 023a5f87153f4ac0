"""Addressed randomness: draw j of row `address` is a pure function of (stream, address, j).

A stream is named by words (recipe seed, source name, generator name) hashed to 64 bits. A row's key
is the SplitMix64 finaliser (Steele, Lea, Flood 2014) of stream and address, and its draw j is the
finaliser of key and j. There is no state, so a row is the same by itself, in any batch and in any
process, and the compiled form (`draw_bits`, `draw_below`) gives the same numbers as the numpy form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kernels import Int, inline
from synthgen.draws.streams import GOLDEN as GOLDEN
from synthgen.draws.streams import MIX_1, MIX_2
from synthgen.draws.streams import U64 as U64
from synthgen.draws.streams import mix_words as mix_words
from synthgen.draws.streams import stream_key as stream_key

T = TypeVar("T")

_S30, _S27, _S31, _S32, _S11 = (np.uint64(shift) for shift in (30, 27, 31, 32, 11))
_LOW_32 = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)


@inline
def mix64(value: np.uint64) -> np.uint64:
    """SplitMix64 finaliser: a bijection of 64-bit words in which every bit depends on every bit."""
    value = (value ^ (value >> _S30)) * MIX_1
    value = (value ^ (value >> _S27)) * MIX_2
    return value ^ (value >> _S31)


@inline
def row_key(stream: np.uint64, address: np.uint64) -> np.uint64:
    """Key of the row at `address` of a stream (compiled form of `Rows.keys`)."""
    return mix64(mix64(stream + address * GOLDEN) + GOLDEN)


@inline
def draw_bits(key: np.uint64, j: Int) -> np.uint64:
    """Draw number j (from 0) of the row with this key: 64 uniform bits."""
    return mix64(key + (np.uint64(j) + _ONE) * GOLDEN)


@inline
def scale_below(bits: np.uint64, n: np.uint64) -> np.uint64:
    """High word of bits * n: maps 64 uniform bits to 0..n-1 with a bias below n / 2^64."""
    bits_high, bits_low = bits >> _S32, bits & _LOW_32
    n_high, n_low = n >> _S32, n & _LOW_32
    cross = bits_high * n_low + ((bits_low * n_low) >> _S32)
    other = bits_low * n_high + (cross & _LOW_32)
    return bits_high * n_high + (cross >> _S32) + (other >> _S32)


@inline
def draw_below(key: np.uint64, j: Int, n: Int) -> Int:
    """Draw number j of a row as an integer from 0 to n - 1."""
    return np.int64(scale_below(draw_bits(key, j), np.uint64(n)))


def scale_words(bits: U64, n: int) -> NDArray[np.int64]:
    """Map an array of 64 uniform bits to 0..n-1, as `scale_below` does."""
    n_high, n_low = np.uint64(n >> 32), np.uint64(n & 0xFFFFFFFF)
    bits_high, bits_low = bits >> _S32, bits & _LOW_32
    cross = bits_high * n_low + ((bits_low * n_low) >> _S32)
    other = bits_low * n_high + (cross & _LOW_32)
    high: U64 = bits_high * n_high + (cross >> _S32) + (other >> _S32)
    return high.astype(np.int64)


@dataclass(frozen=True)
class Rows:
    """The addresses of n rows in one stream, with counter-based draws for them.

    Attributes:
        stream: Stream key of 64 bits.
        addresses: Addresses, uint64 (n,).
    """

    stream: int
    addresses: U64

    @classmethod
    def span(cls, stream: int, start: int, stop: int) -> Rows:
        """Return the rows at addresses start..stop-1."""
        return cls(stream, np.arange(start, stop, dtype=np.uint64))

    def __len__(self) -> int:
        return len(self.addresses)

    @cached_property
    def keys(self) -> U64:
        """Row keys, uint64 (n,): a kernel needs nothing else to draw."""
        return mix_words(mix_words(np.uint64(self.stream) + self.addresses * GOLDEN) + GOLDEN)

    def branch(self, label: str) -> Rows:
        """Return the same rows with draws unrelated to these, for a separate choice."""
        return Rows(stream_key(self.stream, label), self.addresses)

    def draws(self) -> Draws:
        """Return a fresh sequence of vectorised draws, beginning at draw 0 of every row."""
        return Draws(self.keys)

    def each(self, ahead: int = 0) -> Iterator[RowDraws]:
        """Yield one scalar sequence of draws per row, for generators in plain Python.

        The first draws of a row are made at once with those of other rows, which is faster: about
        as many as the rows before it took.

        Args:
            ahead: Smallest number; for callers that draw only after the last row is yielded.
        """
        start, rows, count = 0, _SAMPLED, max(ahead, _FIRST_DRAWS)
        while start < len(self):
            counters = np.arange(count, 0, -1, dtype=np.uint64)  # the last draw first
            keys = self.keys[start : start + rows]
            words = mix_words(keys[:, None] + counters * GOLDEN)
            made = list(map(RowDraws, keys.tolist(), words.tolist()))
            yield from made
            start += len(made)
            count = min(max(ahead, *(draws.taken for draws in made[-_SAMPLED:])), _MAX_AHEAD)
            rows = _BATCH // (count + 1)


class Draws:
    """Vectorised draws: every call takes the next draw(s) of all n rows."""

    def __init__(self, keys: U64) -> None:
        self._keys = keys
        self._next = 0

    def bits(self, size: int = 1) -> U64:
        """Return 64 uniform bits, uint64 (n, size), or (n,) for size 1."""
        counters = np.arange(self._next + 1, self._next + size + 1, dtype=np.uint64)
        self._next += size
        words = mix_words(self._keys[:, None] + counters * GOLDEN)
        return words[:, 0] if size == 1 else words

    def integers(self, low: int, high: int, size: int = 1) -> NDArray[np.int64]:
        """Return integers from low to high - 1, int64 (n, size), or (n,) for size 1."""
        return scale_words(self.bits(size), high - low) + low

    def uniform(self, size: int = 1) -> NDArray[np.float64]:
        """Return multiples of 2^-53 in [0, 1), float64 (n, size), or (n,) for size 1."""
        return (self.bits(size) >> _S11).astype(np.float64) * 2.0**-53


_MASK = (1 << 64) - 1
_BATCH, _MAX_AHEAD = 1 << 13, 1 << 9
"""First draws that are made together, as more would not stay in the cache, and those of one row."""
_FIRST_DRAWS, _SAMPLED = 12, 16
"""Draws ahead of the first rows, and number of rows from which those of others are known."""

_GOLDEN_INT, _MIX_1_INT, _MIX_2_INT = int(GOLDEN), int(MIX_1), int(MIX_2)


class RowDraws:
    """Scalar draws of one row in plain Python integers; the same numbers as `Draws`.

    Args:
        key: Key of the row.
        words: Bits of its first draws in reverse order, if already known; the list is consumed.
    """

    def __init__(self, key: int, words: list[int] | None = None) -> None:
        self._key = key
        self._words = [] if words is None else words
        self._next = len(self._words)

    @property
    def taken(self) -> int:
        """Number of draws so far."""
        return self._next - len(self._words)

    def bits(self) -> int:
        """Return 64 uniform bits."""
        words = self._words
        return words.pop() if words else self._further()

    def _further(self) -> int:
        """Return the draw after those already known."""
        self._next += 1
        word = (self._key + self._next * _GOLDEN_INT) & _MASK
        word = ((word ^ (word >> 30)) * _MIX_1_INT) & _MASK
        word = ((word ^ (word >> 27)) * _MIX_2_INT) & _MASK
        return word ^ (word >> 31)

    def integer(self, low: int, high: int) -> int:
        """Return an integer from low to high - 1."""
        words = self._words
        return low + ((words.pop() if words else self._further()) * (high - low) >> 64)

    def uniform(self) -> float:
        """Return a multiple of 2^-53 in [0, 1)."""
        return float((self.bits() >> 11) * 2.0**-53)

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items, each equally likely."""
        words = self._words
        return items[(words.pop() if words else self._further()) * len(items) >> 64]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Return different items in uniformly random order (a shuffle that ends early)."""
        moved: dict[int, int] = {}
        chosen = []
        for place in range(count):
            other = self.integer(place, len(items))
            chosen.append(items[moved.get(other, other)])
            moved[other] = moved.get(place, place)
        return chosen

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in uniformly random order (Fisher-Yates)."""
        result, words = list(items), self._words
        for last in range(len(result) - 1, 0, -1):
            other = (words.pop() if words else self._further()) * (last + 1) >> 64
            result[last], result[other] = result[other], result[last]
        return result
