"""Kernels of SCAN: commands by number, and rows joined from the pieces of their phrases.

Every row of a batch (its command, derivation, actions or steps) is a list of numbered pieces: a
kernel lists them, and `join_pieces` copies them.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kernels import Int, jit, kernel
from synthgen.draws.permutation import permuted
from synthgen.draws.randomness import U64

AND, AFTER, NO_CONNECTIVE = range(3)
PieceRows: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Numbers of the pieces of each row, end to end, and their offsets (n + 1,)."""
_TWO = np.uint64(2)


class Commands(NamedTuple):
    """A batch of n commands of at most m phrases.

    Attributes:
        phrases: Codes in the order of the text, int32 (n, m); the number of phrases of the
            language for a missing one.
        links: Connective before each phrase, int8 (n, m), or NO_CONNECTIVE.
        counts: Phrases of each command, int64 (n,).
    """

    phrases: NDArray[np.int32]
    links: NDArray[np.int8]
    counts: NDArray[np.int64]


class Pieces(NamedTuple):
    """Index of the first piece of text of each kind; phrase p is piece p.

    Attributes:
        connective: Words that join phrases.
        equals: Equals sign.
        actions: Actions of each phrase.
        opening: Each phrase at the beginning of a line.
        steps: Worked lines of each phrase.
    """

    connective: int
    equals: int
    actions: int
    opening: int
    steps: int


@jit
def unrank_commands(
    addresses: U64, order: U64, starts: U64, min_phrases: Int, n_phrases: Int
) -> Commands:
    """Return the command at each address.

    Args:
        addresses: Addresses below the size of `order`.
        order: Table of the permutation from addresses to command numbers.
        starts: Number of the first command of `min_phrases`, `min_phrases` + 1, ... phrases.
        min_phrases: Smallest number of phrases.
        n_phrases: Number of different phrases of the language.
    """
    n, max_phrases = len(addresses), min_phrases + len(starts) - 1
    phrases = np.full((n, max_phrases), n_phrases, np.int32)
    links = np.full((n, max_phrases), NO_CONNECTIVE, np.int8)
    counts = np.empty(n, np.int64)
    base = np.uint64(n_phrases)
    for i in range(n):
        rest = permuted(addresses[i], order)
        size = len(starts) - 1
        while rest < starts[size]:
            size -= 1
        rest -= starts[size]
        counts[i] = min_phrases + size
        for j in range(counts[i]):
            phrases[i, j] = np.int32(rest % base)
            rest //= base
            if j > 0:
                links[i, j] = np.int8(rest % _TWO)
                rest //= _TWO
    return Commands(phrases, links, counts)


@jit
def word_pieces(commands: Commands, connective: Int, prefix: bool) -> PieceRows:
    """Return phrases and connectives, in the order of the text or in prefix order.

    In prefix order the connectives come first, the last one outermost, and then the phrases.
    """
    phrases, links, counts = commands
    ids = np.empty(2 * counts.sum() - len(counts), np.int64)
    offsets = np.zeros(len(counts) + 1, np.int64)
    at = 0
    for i in range(len(counts)):
        last = counts[i] - 1
        for j in range(counts[i]):
            ids[at + (last + j if prefix else 2 * j)] = phrases[i, j]
            if j > 0:
                ids[at + (last - j if prefix else 2 * j - 1)] = connective + np.int64(links[i, j])
        at += 2 * last + 1
        offsets[i + 1] = at
    return ids, offsets


@jit
def action_pieces(commands: Commands, actions: Int) -> PieceRows:
    """Return the actions of commands: those of their phrases in the order of execution."""
    phrases, links, counts = commands
    ids = np.empty(counts.sum(), np.int64)
    offsets = np.zeros(len(counts) + 1, np.int64)
    at = 0
    for i in range(len(counts)):
        low = at + _first_place(links[i], counts[i])
        high = low
        for j in range(counts[i]):
            if links[i, j] == AFTER:
                low -= 1
                ids[low] = actions + phrases[i, j]
            else:
                ids[high] = actions + phrases[i, j]
                high += 1
        at += counts[i]
        offsets[i + 1] = at
    return ids, offsets


@kernel
def _first_place(links: NDArray[np.int8], count: Int) -> Int:
    """Return the number of phrases that are executed before the first one."""
    place: Int = 0
    for j in range(1, count):
        if links[j] == AFTER:
            place += 1
    return place


@jit
def step_pieces(commands: Commands, done: NDArray[np.int64], pieces: Pieces) -> PieceRows:
    """Return the lines of each phrase, followed (except the first) by a line for all so far.

    Args:
        commands: Batch of commands.
        done: Pieces of `action_pieces`, end to end.
        pieces: Numbers of the pieces.
    """
    phrases, links, counts = commands
    ids = np.empty((counts * (3 * counts + 4)).sum(), np.int64)
    offsets = np.zeros(len(counts) + 1, np.int64)
    at, begin = 0, 0
    for i in range(len(counts)):
        low = begin + _first_place(links[i], counts[i])
        high = low
        for j in range(counts[i]):
            ids[at] = pieces.steps + phrases[i, j]
            at += 1
            if links[i, j] == AFTER:
                low -= 1
            else:
                high += 1
            if j == 0:
                continue
            ids[at] = pieces.opening + phrases[i, 0]
            at += 1
            for k in range(1, j + 1):
                ids[at] = pieces.connective + np.int64(links[i, k])
                ids[at + 1] = phrases[i, k]
                at += 2
            ids[at] = pieces.equals
            at += 1
            for place in range(low, high):
                ids[at] = done[place]
                at += 1
        begin += counts[i]
        offsets[i + 1] = at
    return ids[:at], offsets


@jit
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
