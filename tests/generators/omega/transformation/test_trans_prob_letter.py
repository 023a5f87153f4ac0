"""Shuffled words: the example, and every order tried."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import factorial

import pytest

from synthgen.generators.omega.composition._questions import parts_sum
from synthgen.generators.omega.transformation.trans_prob_letter import (
    TransProbLetter,
    _apart,
    _good,
)


def kept(order: tuple[int, ...]) -> int:
    return sum(i == j for i, j in enumerate(order))


def test_the_example_of_the_sheet() -> None:
    assert _good("none", 10, 0) == 1_334_961
    assert parts_sum(Fraction(_good("none", 10, 0), factorial(10))) == "61281"  # 16481/44800


@pytest.mark.parametrize("n", [4, 5, 6, 7])
def test_counts_are_those_of_all_orders(n: int) -> None:
    orders = list(permutations(range(n)))
    assert _good("none", n, 0) == sum(kept(p) == 0 for p in orders)
    squares = (tuple(p[p[i]] for i in range(n)) for p in orders)
    assert _good("twice", n, 0) == sum(kept(p) == 0 for p in squares)
    for s in range(1, n - 1):
        assert _good("exactly", n, s) == sum(kept(p) == s for p in orders)
        assert _good("some", n, s) == sum(all(p[i] != i for i in range(s)) for p in orders)


@pytest.mark.parametrize("word", ["aabb", "aabbc", "aaabbb", "aabbcd", "aaabbcc"])
def test_repeated_letters(word: str) -> None:
    counts = tuple(sorted((word.count(letter) for letter in set(word)), reverse=True))
    apart = sum(all(p != q for p, q in zip(o, word, strict=True)) for o in permutations(word))
    assert _apart(counts) == apart


def test_the_space_is_what_is_listed() -> None:
    sizes = [TransProbLetter(levels=(level,)).space for level in range(1, 6)]
    assert sizes == [31, 60, 102, 159, 152]
    assert TransProbLetter().fewest_problems == sum(sizes)
