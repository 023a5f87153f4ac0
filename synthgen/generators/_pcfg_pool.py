"""What the drawing kernels need to know of the parameters, computed once for each set of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.randomness import row_key
from synthgen.generators._pcfg_grammar import (
    PUBLISHED_LATE,
    PUBLISHED_WIDTH,
    Floats,
    Probability,
    Sizes,
    pool_shares,
    proposed_sizes,
    published_shares,
)
from synthgen.generators._pcfg_shapes import Counts, Limits, draw_shape
from synthgen.generators._pcfg_symbols import FUNCTIONS, N_UNARY

_POOL = 1 << 20
"""Shapes from which the grammar's own cells are counted, where the target is the user's."""
_POOL_STREAM = 0x706366672D706F6F


@dataclass(frozen=True)
class Grammar:
    """The parameters that decide how shapes are drawn.

    Attributes:
        target: counts as (depth, length, count) end to end; () for none, None for the published.
        late_from: negative for the published place.
    """

    counts: tuple[int, int]
    strings: tuple[int, int]
    probabilities: tuple[Probability, Probability]
    functions: tuple[str, ...]
    depths: tuple[int, int]
    max_text: int
    max_result: int
    root: str
    target: tuple[int, ...] | None
    width: int
    late_from: float


@dataclass(frozen=True, eq=False)
class Shapes:
    """Arguments of the drawing kernels, as they describe them."""

    limits: Limits
    sizes: Sizes
    kept: Floats
    late_from: float
    unary: Counts
    binary: Counts


@lru_cache(maxsize=32)
def shapes_of(grammar: Grammar) -> Shapes:
    """Return what the kernels need; takes a moment where the target is the user's."""
    late_from = grammar.late_from if grammar.late_from >= 0 else PUBLISHED_LATE
    width = grammar.width if grammar.target else PUBLISHED_WIDTH
    codes = [FUNCTIONS.index(name) for name in sorted(grammar.functions, key=FUNCTIONS.index)]
    unary = np.array([code for code in codes if code < N_UNARY], np.int64)
    binary = np.array([code for code in codes if code >= N_UNARY], np.int64)
    root = FUNCTIONS.index(grammar.root) if grammar.root else -1
    limits = (
        *grammar.strings,
        grammar.depths[1],
        grammar.max_text,
        grammar.max_result,
        root,
        width,
        grammar.depths[0],
    )
    kept = np.zeros((0, 0))
    if grammar.target is None:
        kept = published_shares()
    elif grammar.target:
        kept = _user_shares(grammar, limits, unary, binary, late_from)
    sizes = _sizes(grammar, unary, binary, kept, width)
    return Shapes(limits, sizes, kept, late_from, unary, binary)


def _sizes(grammar: Grammar, unary: Counts, binary: Counts, kept: Floats, width: int) -> Sizes:
    """List the sizes; without functions of one arity the other is certain."""
    p_unary, p_function = grammar.probabilities
    if not len(unary) or not len(binary):
        p_unary = float(len(unary) > 0)
    counts = max(grammar.counts[0], grammar.depths[0]), grammar.counts[1]
    return proposed_sizes(counts, grammar.strings, (p_unary, p_function), kept, width)


def _user_shares(
    grammar: Grammar, limits: Limits, unary: Counts, binary: Counts, late_from: float
) -> Floats:
    """Return the shares of the pool for the user's counts."""
    cells = np.array(grammar.target, np.int64).reshape(-1, 3)
    cells = cells[cells[:, 0] > 1]
    places = (cells[:, 0] - 1, cells[:, 1] // grammar.width)
    target = np.zeros((int(places[0].max()) + 1, int(places[1].max()) + 1))
    np.add.at(target, places, cells[:, 2].astype(float))
    low, high = grammar.strings
    sizes = _sizes(grammar, unary, binary, np.zeros((0, 0)), grammar.width)
    early, late = (
        _count_cells(
            np.uint64(_POOL_STREAM + shift),
            _POOL,
            (min(low + shift, high), *limits[1:5], -1, grammar.width, 1),
            sizes.thresholds,
            sizes.counts,
            sizes.bounds,
            unary,
            binary,
            target.shape,
        )
        for shift in (0, 1)
    )
    return pool_shares(early / _POOL, late / _POOL, target, late_from)


@njit(cache=True, nogil=True)
def _count_cells(
    stream: np.uint64,
    n: Int,
    limits: Limits,
    thresholds: Floats,
    sizes: Counts,
    bounds: Floats,
    unary: Counts,
    binary: Counts,
    extent: tuple[int, int],
) -> NDArray[np.float64]:
    """Count the cells (depth, tokens div width) of n shapes of the grammar, those within extent."""
    counts = np.zeros(extent, np.float64)
    if len(sizes) == 0:
        return counts
    kept = np.zeros((0, 0), np.float64)
    most = 2 * sizes[-1, 0] + 4
    words = np.empty(most, np.uint64)
    kinds = np.empty(most, np.int64)
    shape = np.empty(most, np.int64)
    stack = np.empty(most, np.int64)
    for i in range(n):
        key = row_key(stream, np.uint64(i))
        _, nodes, depth, tokens = draw_shape(
            key,
            np.int64(0),
            limits,
            thresholds,
            sizes,
            bounds,
            kept,
            1.0,
            unary,
            binary,
            words,
            kinds,
            shape,
            stack,
        )
        cell = tokens // limits[6]
        if nodes > 0 and depth < extent[0] and cell < extent[1]:
            counts[depth, cell] += 1
    return counts
