"""How probable programs of each size are, and which shapes a target distribution keeps.

A program of u unary and b binary functions has b + 1 strings. With both probabilities drawn
uniformly for each program, all its trees together have probability 1 / (f (f + 1) (f + b + 1)), for
f = u + b: the integrals of p_unary and p_function over [0, 1] are Beta functions, which cancel
against the number of trees. So sizes are drawn from a table and trees uniformly, and no tree is
ever given up because it grows too large.

The published data are naturalised: programs were sampled into a pool, and of each cell (depth,
tokens div 3) the first ones in the pool were kept, in proportion to natural sentences of that depth
and length. A program's place in the pool is drawn here from [0, 1): it is kept if it comes before
the point up to which its cell takes programs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Probability = float | None
"""None: drawn uniformly for each program."""


@dataclass(frozen=True, eq=False)
class Sizes:
    """The sizes of programs that are proposed.

    Attributes:
        thresholds: cumulative shares of the proposals, float64 (k,), ending in 1.
        counts: functions in all and unary ones, int64 (k, 2).
        bounds: no cell that programs of this size can be in takes more of the pool, (k,).
    """

    thresholds: Floats
    counts: NDArray[np.int64]
    bounds: Floats


def size_share(functions: int, unary: int, p_unary: Probability, p_function: Probability) -> float:
    """Return the probability that a program has so many functions and unary ones among them."""
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


def proposed_sizes(
    counts: tuple[int, int],
    strings: tuple[int, int],
    probabilities: tuple[Probability, Probability],
    kept: Floats,
    width: int,
) -> Sizes:
    """List the sizes with the shares in which they are proposed.

    Args:
        counts: smallest and largest number of functions.
        strings: shortest and longest string.
        probabilities: p_unary and p_function.
        kept: share of the pool that each cell takes, (depths, tokens div width); empty for all.
        width: tokens to a cell.
    """
    sizes, shares, bounds = [], [], []
    for functions in range(counts[0], counts[1] + 1):
        deep = kept[: functions + 1].max(axis=0, initial=0.0) if kept.size else kept
        for unary in range(functions + 1):
            binary = functions - unary
            share = size_share(functions, unary, *probabilities)
            bound = 1.0
            if kept.size:
                plain = functions + binary
                first = (plain + (binary + 1) * strings[0]) // width
                last = (plain + (binary + 1) * strings[1]) // width
                bound = float(deep[first : last + 1].max(initial=0.0))
            if share * bound > 0:
                sizes.append((functions, unary))
                shares.append(share * bound)
                bounds.append(bound)
    thresholds = np.cumsum(shares)
    pairs = np.array(sizes, np.int64).reshape(-1, 2)
    return Sizes(thresholds / thresholds[-1:], pairs, np.array(bounds, float))


def pool_shares(early: Floats, late: Floats, target: Floats, late_from: float) -> Floats:
    """Return the share of the pool after which each cell takes no more programs.

    The most frequent cell of the target takes all there are, and the others in proportion.

    Args:
        early: probability of each cell while strings of the smallest length last.
        late: and afterwards.
        target: natural counts of the cells.
        late_from: place in the pool at which they run out.
    """
    available = late_from * early + (1 - late_from) * late
    top = np.unravel_index(target.argmax(), target.shape)
    wanted = np.minimum(target * (available[top] / target[top]), available)
    with np.errstate(divide="ignore", invalid="ignore"):
        before = wanted / early
        after = late_from + (wanted - late_from * early) / late
    places = np.where(wanted <= late_from * early, before, after)
    return np.where(wanted > 0, np.clip(np.nan_to_num(places, posinf=1.0), 0.0, 1.0), 0.0)


PUBLISHED_WIDTH = 3
"""Tokens to a cell of the published data's naturalisation."""
PUBLISHED_LATE = 0.4
"""Place in the pool at which strings of two symbols run out, so that 16 % of all have two."""


@lru_cache(maxsize=1)
def published_shares() -> Floats:
    """Return what each cell of the published data takes of the pool, see `_PUBLISHED`."""
    rows = [[int(number) for number in row.split()] for row in _PUBLISHED.split("|")]
    shares = np.zeros((len(rows), max(map(len, rows))))
    for depth, row in enumerate(rows):
        shares[depth, : len(row)] = row
    return shares / 10_000


# Depths from 0, separated by |, with one number for each 3 tokens from 0, in 1/10,000 of the pool.
# Derived by `python -m benchmarks.pcfg_weights` from published summary figures alone: the shares of
# depths; and for the lengths at a depth a gamma density whose five coefficients are fitted to the
# deciles, mean and deviation of the length, its correlation with depth and the shares of functions.
_PUBLISHED = """
0 |
0 77 17 1 |
0 1162 1954 1032 253 48 20 6 2 |
0 365 1793 10000 6707 4891 2253 1117 707 365 198 96 49 30 13 12 5 |
0 0 562 5623 10000 10000 10000 10000 5909 3630 2317 1317 726 385 190 101 50 21 12 6 3 1 1 |
0 0 172 1742 9827 10000 10000 10000 10000 10000 9386 5671 3710 2099 1149 614 298 147 69 34 14 7
  3 1 1 0 0 0 0 0 4000 |
0 0 35 237 3459 7218 10000 10000 10000 10000 10000 10000 6341 3771 2231 1231 669 342 172 82 38
  17 8 4 1 1 |
0 0 0 37 589 2301 7356 10000 10000 10000 10000 10000 8491 5110 2970 1752 950 503 264 131 64 30
  13 6 2 1 |
0 0 0 13 154 1248 3879 9299 10000 10000 10000 10000 10000 9457 5846 3360 1847 996 516 268 125 61
  27 13 6 2 1 |
0 0 0 4 22 423 1118 3268 6051 9312 10000 10000 9383 7053 4700 2892 1756 897 476 248 114 55 25 11
  5 2 1 |
0 0 0 0 6 93 440 1460 3198 5331 6769 7666 6977 5543 3966 2692 1614 880 482 235 111 51 23 10 4 2
  1 |
0 0 0 0 2 22 194 606 1472 2701 3685 4227 4174 3670 2728 1863 1178 669 346 178 83 36 16 6 3 1 |
0 0 0 0 2 8 151 363 1021 1832 2776 3437 3233 2846 2214 1498 910 544 279 137 65 29 12 5 2 1 |
0 0 0 0 0 6 82 333 1001 1937 2995 3798 3432 3067 2286 1418 968 487 267 117 56 24 9 3 1 |
0 0 0 0 0 0 3 23 56 110 171 203 210 167 117 74 44 21 10 5 2 1 |
0 0 0 0 0 1 4 54 79 164 232 274 215 178 114 63 35 16 6 3 1 |
0 0 0 0 0 0 7 55 156 258 316 287 244 178 93 46 18 8 3 1 |
0 0 0 0 0 0 99 325 1311 1547 1674 1245 857 439 192 76 27 8 2 1
"""
