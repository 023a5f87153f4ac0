"""Random colourings carried to red: the examples, and every colouring tried."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from synthgen.generators.omega.composition.comp_vertex_color import (
    CompVertexColor,
    _good,
    _probability,
)


@pytest.mark.parametrize(("n", "value", "answer"), [(6, "15/32", 47), (8, "115/256", 371)])
def test_examples_of_the_sheet(n: int, value: str, answer: int) -> None:
    found = _probability(n, _good(n)[0], 1, 2)
    assert found == Fraction(value)
    assert found.numerator + found.denominator == answer


@pytest.mark.parametrize("n", [3, 4, 5, 6, 7])
def test_counts_are_those_of_all_colourings(n: int) -> None:
    turns = [[(i + t) % n for i in range(n)] for t in range(n)]
    flips = [[(t - i) % n for i in range(n)] for t in range(n)]
    for kind, moves in enumerate((turns, turns + flips)):
        counts = [0] * (n + 1)
        for colours in product((False, True), repeat=n):
            fits = any(not any(colours[i] and colours[move[i]] for i in range(n)) for move in moves)
            counts[sum(colours)] += fits
        assert list(_good(n)[kind]) == counts


def test_chances_and_numbers_of_blue_vertices() -> None:
    good = _good(5)[0]
    by_chance = sum(
        Fraction(good[k]) * Fraction(1, 3) ** k * Fraction(2, 3) ** (5 - k) for k in range(6)
    )
    assert _probability(5, good, 1, 3) == by_chance
    assert _probability(5, good, 2, 0) == Fraction(good[2], 10)


def test_the_space_is_what_is_listed() -> None:
    sizes = [CompVertexColor(levels=(level,)).space for level in range(1, 6)]
    assert sizes == [137, 71, 73, 76, 78]
    assert CompVertexColor().fewest_problems == sum(sizes)
