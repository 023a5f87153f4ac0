"""Drawing tiles and shuffling them: exact numbers of drawings and of shuffles.

All tiles are told apart, so that every set of n of the T tiles and every one of the n! shuffles is
equally likely: a probability is a number of pairs out of C(T, n) * n!.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import comb, factorial

from synthgen.generators.omega.combinatorics._partitions import Partition

Case = tuple[Partition, int, int]
"""A pattern of what is drawn, the number of sets of tiles that have it, and of good shuffles."""


@lru_cache(maxsize=1 << 14)
def drawings(counts: Partition, n: int) -> dict[Partition, int]:
    """Return, for each pattern of n tiles, how many sets of tiles show it.

    A pattern holds how often each letter that occurs was drawn, the largest number first.
    """
    if not counts:
        return {(): 1} if n == 0 else {}
    found: Counter[Partition] = Counter()
    for taken in range(min(counts[-1], n) + 1):
        ways = comb(counts[-1], taken)
        for pattern, sets in drawings(counts[:-1], n - taken).items():
            whole = tuple(sorted((*pattern, taken), reverse=True)) if taken else pattern
            found[whole] += ways * sets
    return dict(sorted(found.items(), reverse=True))


@lru_cache(maxsize=1 << 10)
def derangements(pattern: Partition) -> int:
    """Count the shuffles of labelled tiles after which no position shows the letter it showed.

    By rook polynomials: a letter that occurs m times forbids an m by m block, which holds r rooks
    in C(m, r)^2 r! ways.
    """
    rooks = [1]
    for m in pattern:
        block = [comb(m, r) ** 2 * factorial(r) for r in range(m + 1)]
        product = [0] * (len(rooks) + m)
        for i, left in enumerate(rooks):
            for r, right in enumerate(block):
                product[i + r] += left * right
        rooks = product
    n = sum(pattern)
    return sum((-1) ** r * ways * factorial(n - r) for r, ways in enumerate(rooks))


def keeping(n: int, copies: int, kept: int) -> int:
    """Count the shuffles of n tiles in which `kept` of the copies' positions hold a copy again."""
    positions = comb(copies, kept) * comb(n - copies, copies - kept)
    return positions * factorial(copies) * factorial(n - copies)


def unfixed_cases(counts: Partition, n: int) -> list[Case]:
    """Return the cases of shuffles that fix no letter at all."""
    return [(pattern, sets, derangements(pattern)) for pattern, sets in drawings(counts, n).items()]


@lru_cache(maxsize=1 << 12)
def copies_cases(total: int, special: int, n: int, good: range) -> tuple[Case, ...]:
    """Return the cases by how many copies of one letter are drawn, fewest first.

    Args:
        total: tiles in the bag.
        special: copies of the letter in the bag.
        n: tiles drawn.
        good: numbers of kept positions that are asked for.
    """
    cases: list[Case] = []
    for copies in range(max(0, n - (total - special)), min(special, n) + 1):
        sets = comb(special, copies) * comb(total - special, n - copies)
        shuffles = sum(keeping(n, copies, kept) for kept in good if kept <= copies)
        cases.append(((copies,), sets, shuffles))
    return tuple(cases)
