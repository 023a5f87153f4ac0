"""Kernels of SCAN: commands by number, and rows joined from the pieces of their phrases.

A batch of commands is `phrases` int32 (n, most), the phrase codes in the order of the text,
`links` int8 (n, most), the connective before each phrase but the first, and `counts` int64 (n,),
how many phrases each has. Places that are not used hold the number of phrases and NO_CONNECTIVE.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.permutation import permuted
from synthgen.core.randomness import U64
from synthgen.generators._scan_language import AFTER, NO_CONNECTIVE

Phrases = NDArray[np.int32]
Links = NDArray[np.int8]
Counts = NDArray[np.int64]
PieceRows: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Numbers of the pieces that each row is joined from, end to end, and their offsets (n + 1,)."""
_TWO = np.uint64(2)


@njit(cache=True, nogil=True)
def unrank_commands(
    addresses: U64, order: U64, starts: U64, least: Int, n_phrases: Int
) -> tuple[Phrases, Links, Counts]:
    """Return the command at each address.

    Args:
        addresses: below the size of `order`.
        order: table of the permutation from addresses to numbers of commands.
        starts: number of the first command of `least`, `least` + 1, ... phrases.
        least: smallest number of phrases.
        n_phrases: different phrases of the language.
    """
    n, most = len(addresses), least + len(starts) - 1
    phrases = np.full((n, most), n_phrases, np.int32)
    links = np.full((n, most), NO_CONNECTIVE, np.int8)
    counts = np.empty(n, np.int64)
    base = np.uint64(n_phrases)
    for i in range(n):
        rest = permuted(addresses[i], order)
        size = len(starts) - 1
        while rest < starts[size]:
            size -= 1
        rest -= starts[size]
        counts[i] = least + size
        for j in range(counts[i]):
            phrases[i, j] = np.int32(rest % base)
            rest //= base
            if j > 0:
                links[i, j] = np.int8(rest % _TWO)
                rest //= _TWO
    return phrases, links, counts


@njit(cache=True, nogil=True)
def command_pieces(phrases: Phrases, links: Links, counts: Counts, connective: Int) -> PieceRows:
    """Return a command's words: phrases and the connectives between them."""
    ids = np.empty(2 * counts.sum(), np.int64)
    offsets = np.zeros(len(counts) + 1, np.int64)
    at = 0
    for i in range(len(counts)):
        for j in range(counts[i]):
            if j > 0:
                ids[at] = connective + np.int64(links[i, j])
                at += 1
            ids[at] = phrases[i, j]
            at += 1
        offsets[i + 1] = at
    return ids[:at], offsets


@njit(cache=True, nogil=True)
def symbol_pieces(phrases: Phrases, links: Links, counts: Counts, connective: Int) -> PieceRows:
    """Return a derivation in prefix order: connectives, the last one outermost, then phrases."""
    ids = np.empty(2 * counts.sum(), np.int64)
    offsets = np.zeros(len(counts) + 1, np.int64)
    at = 0
    for i in range(len(counts)):
        for j in range(counts[i] - 1, 0, -1):
            ids[at] = connective + np.int64(links[i, j])
            at += 1
        for j in range(counts[i]):
            ids[at] = phrases[i, j]
            at += 1
        offsets[i + 1] = at
    return ids[:at], offsets


@njit(cache=True, nogil=True)
def action_pieces(phrases: Phrases, links: Links, counts: Counts, actions: Int) -> PieceRows:
    """Return a command's actions: those of its phrases in the order in which they are done."""
    ids = np.empty(counts.sum(), np.int64)
    offsets = np.zeros(len(counts) + 1, np.int64)
    at = 0
    for i in range(len(counts)):
        low = _first_place(links[i], counts[i])
        high = low
        for j in range(counts[i]):
            if links[i, j] == AFTER:
                low -= 1
                ids[at + low] = actions + phrases[i, j]
            else:
                ids[at + high] = actions + phrases[i, j]
                high += 1
        at += counts[i]
        offsets[i + 1] = at
    return ids, offsets


@lent
def _first_place(links: Links, count: Int) -> Int:
    """Return how many phrases are done before the first one."""
    place: Int = 0
    for j in range(1, count):
        if links[j] == AFTER:
            place += 1
    return place


@njit(cache=True, nogil=True)
def step_pieces(
    phrases: Phrases,
    links: Links,
    counts: Counts,
    done: NDArray[np.int64],
    numbers: tuple[int, int, int, int],
) -> PieceRows:
    """Return the worked lines: those of each phrase, and after each but the first of all so far.

    Args:
        phrases: of the commands.
        links: of the commands.
        counts: of the commands.
        done: pieces of `action_pieces`, end to end.
        numbers: of the connectives, the equals sign, and the first opening and steps.
    """
    connective, equals, opening, steps = numbers
    ids = np.empty((counts * (3 * counts + 4)).sum(), np.int64)
    offsets = np.zeros(len(counts) + 1, np.int64)
    at, begin = 0, 0
    for i in range(len(counts)):
        low = begin + _first_place(links[i], counts[i])
        high = low
        for j in range(counts[i]):
            ids[at] = steps + phrases[i, j]
            at += 1
            if links[i, j] == AFTER:
                low -= 1
            else:
                high += 1
            if j == 0:
                continue
            ids[at] = opening + phrases[i, 0]
            at += 1
            for k in range(1, j + 1):
                ids[at] = connective + np.int64(links[i, k])
                ids[at + 1] = phrases[i, k]
                at += 2
            ids[at] = equals
            at += 1
            for place in range(low, high):
                ids[at] = done[place]
                at += 1
        begin += counts[i]
        offsets[i + 1] = at
    return ids[:at], offsets


@njit(cache=True, nogil=True)
def join_pieces(
    ids: NDArray[np.int64],
    id_offsets: NDArray[np.int64],
    pieces: NDArray[np.unsignedinteger],
    piece_offsets: NDArray[np.int64],
    trim: Int,
) -> tuple[NDArray[np.unsignedinteger], NDArray[np.int64]]:
    """Join each row's pieces, without the first `trim` units of the row; return with offsets."""
    n = len(id_offsets) - 1
    offsets = np.zeros(n + 1, np.int64)
    for i in range(n):
        length = -trim
        for place in range(id_offsets[i], id_offsets[i + 1]):
            length += piece_offsets[ids[place] + 1] - piece_offsets[ids[place]]
        offsets[i + 1] = offsets[i] + length
    out = np.empty(offsets[n], pieces.dtype)
    for i in range(n):
        at = offsets[i]
        skip = trim
        for place in range(id_offsets[i], id_offsets[i + 1]):
            for unit in range(piece_offsets[ids[place]] + skip, piece_offsets[ids[place] + 1]):
                out[at] = pieces[unit]
                at += 1
            skip = 0
    return out, offsets
