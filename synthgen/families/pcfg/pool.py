"""The sizes of programs, and the share of them that a target distribution keeps.

A program of u unary and b binary functions has b + 1 strings. With both probabilities drawn
uniformly for each program, all its trees together have probability 1 / (f (f + 1) (f + b + 1)), for
f = u + b: the integrals of p_unary and p_function over [0, 1] are Beta functions, which cancel
against the number of trees. So sizes are drawn from a table and trees uniformly, and no tree
is given up because it grows too large.

The published data are naturalized: programs were sampled into a pool, and of each cell (depth,
tokens div 3) the first ones in the pool were kept, in proportion to natural sentences of that depth
and length. A program's place in the pool is drawn here from [0, 1): it is kept if it comes before
the point up to which its cell takes programs.
"""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np

from synthgen.authoring import Words
from synthgen.draws.randomness import Rows
from synthgen.families.pcfg.kernels import (
    COUNTED,
    FIRST_STRING,
    Floats,
    Plan,
    count_axes,
    draw_programs,
)

Chance = float | None
"""A probability; None: drawn uniformly for each program."""
PUBLISHED_WIDTH = 3
"""Tokens per cell in the published data."""
PUBLISHED_LATE = 0.4
"""Place in the pool at which strings of two symbols run out, so that 16 % of strings have two."""
_BLOCK, _BLOCKS = 1 << 16, 16
"""Programs from which the grammar's cells are counted, if the target is the user's."""
_POOL_STREAM = 0x706366672D706F6F


def completed(
    plan: Plan,
    counts: tuple[int, int],
    chances: tuple[Chance, Chance],
    target: tuple[int, ...] | None,
) -> Plan:
    """Add the sizes to a plan, and the share of the pool that each cell takes.

    Args:
        plan: Plan without sizes and shares.
        counts: Fewest and most functions.
        chances: Probability of a unary function, and of a function as argument.
        target: Counts as depth, length, count, depth ...; () for none, None for the published one.
    """
    if target is None:
        plan = plan._replace(kept=_published_cells(), width=PUBLISHED_WIDTH)
    elif target:
        plan = plan._replace(kept=_target_cells(_with_sizes(plan, counts, chances), target))
    return _with_sizes(plan, counts, chances)


def _with_sizes(plan: Plan, counts: tuple[int, int], chances: tuple[Chance, Chance]) -> Plan:
    """Add the sizes, in the shares in which they are proposed."""
    if not len(plan.unary) or not len(plan.binary):
        chances = float(len(plan.unary) > 0), chances[1]
    sizes, shares, bounds = [], [], []
    for functions in range(counts[0], counts[1] + 1):
        deep = plan.kept[: functions + 1].max(axis=0, initial=0.0)
        for unary in range(functions + 1):
            binary = functions - unary
            bound = 1.0
            if plan.kept.size:
                plain = functions + binary
                first, last = ((plain + (binary + 1) * n) // plan.width for n in plan.strings)
                # No cell within reach of this size keeps more: sizes are proposed only that often.
                bound = float(deep[first : last + 1].max(initial=0.0))
            share = _size_share(functions, unary, *chances) * bound
            if share > 0:
                sizes.append((functions, unary))
                shares.append(share)
                bounds.append(bound)
    thresholds = np.cumsum(shares)
    return plan._replace(
        thresholds=thresholds / thresholds[-1:],
        counts=np.array(sizes, np.int64).reshape(-1, 2),
        bounds=np.array(bounds, float),
    )


def _size_share(functions: int, unary: int, p_unary: Chance, p_function: Chance) -> float:
    """Return the probability of a number of functions and of unary ones among them."""
    binary = functions - unary
    share = 1.0 / functions
    if p_function is None:
        share /= functions + binary + 1
    else:
        share *= comb(functions + binary, binary) * functions / (binary + 1)
        share *= p_function ** (functions - 1) * (1 - p_function) ** (binary + 1)
    if p_unary is None:
        return share / (functions + 1)
    return share * comb(functions, unary) * p_unary**unary * (1 - p_unary) ** binary


@cache
def _published_cells() -> Floats:
    """Return the share of the pool that each cell of the published data takes."""
    rows = Words.beside(__file__, "pool.toml")["cells"]
    shares = np.zeros((len(rows), max(map(len, rows))))
    for depth, row in enumerate(rows):
        shares[depth, : len(row)] = row
    return shares / 10_000


def _target_cells(plan: Plan, target: tuple[int, ...]) -> Floats:
    """Return the share of the pool that each cell takes for the user's counts."""
    cells = np.array(target, np.int64).reshape(-1, 3)
    cells = cells[cells[:, 0] > 1]
    places = (cells[:, 0] - 1, cells[:, 1] // plan.width)
    wanted = np.zeros((int(places[0].max()) + 1, int(places[1].max()) + 1))
    np.add.at(wanted, places, cells[:, 2].astype(float))
    early, late = (_grammar_cells(plan, shift, wanted.shape) for shift in (0, 1))
    return _pool_shares(early, late, wanted, plan.late_from)


def _grammar_cells(plan: Plan, shift: int, extent: tuple[int, ...]) -> Floats:
    """Estimate the probability of each cell in the grammar, the shortest strings lengthened."""
    shortest, longest = plan.strings
    plan = plan._replace(
        strings=(min(shortest + shift, longest), longest),
        depths=(1, plan.depths[1]),
        root=-1,
        n_symbols=1,
        attempts=1,
    )
    counts = np.zeros(extent)
    for block in range(_BLOCKS):
        rows = Rows.span(_POOL_STREAM + shift, block * _BLOCK, (block + 1) * _BLOCK)
        codes, offsets, valid = draw_programs(rows.keys, plan)
        axes = count_axes(codes, offsets, FIRST_STRING + longest)[:, valid]
        depth = axes[COUNTED.index("depth")]
        cell = axes[COUNTED.index("n_tokens")] // plan.width
        inside = (depth < extent[0]) & (cell < extent[1])
        np.add.at(counts, (depth[inside], cell[inside]), 1)
    return counts / (_BLOCK * _BLOCKS)


def _pool_shares(early: Floats, late: Floats, target: Floats, late_from: float) -> Floats:
    """Return the share of the pool after which each cell takes no more programs.

    The most frequent cell of the target takes all of its programs, and the others in proportion.

    Args:
        early: Probability of each cell before strings of the smallest length run out.
        late: Probability of each cell afterwards.
        target: Natural counts of the cells.
        late_from: Place in the pool at which these strings run out.
    """
    available = late_from * early + (1 - late_from) * late
    top = np.unravel_index(target.argmax(), target.shape)
    wanted = np.minimum(target * (available[top] / target[top]), available)
    with np.errstate(divide="ignore", invalid="ignore"):
        before = wanted / early
        after = late_from + (wanted - late_from * early) / late
    places = np.where(wanted <= late_from * early, before, after)
    return np.where(wanted > 0, np.clip(np.nan_to_num(places, posinf=1.0), 0.0, 1.0), 0.0)
