"""Shuffles that fix no letter: examples by hand, and the sizes of the levels."""

from __future__ import annotations

import pytest

from synthgen.core.errors import ParamError
from synthgen.generators.omega._listed import listing_of
from synthgen.generators.omega.combinatorics import (
    combinatory_probability_no_fixed_points as family,
)


def answers(level: int) -> dict[object, str]:
    listing = listing_of(family.GENERATOR(levels=(level,)))
    return {(one.facts.n, one.facts.counts): one.answer for one in listing.made}


def test_examples_by_hand() -> None:
    # 3 different letters out of 1 + 2 + 3: 6 of 20 draws, 2 of 6 shuffles: 1/10
    assert answers(2)[3, (3, 2, 1)] == "11"
    assert answers(3)[4, (3, 3, 2)] == "8"
    # 2 different letters out of 2 + 1 + 1: 5 of 6 draws, 1 of 2 shuffles: 5/12
    assert answers(1) == {(2, (2, 1, 1)): "17"}


def test_the_published_levels_have_as_many_problems_as_partitions() -> None:
    sizes = [family.GENERATOR(levels=(level,)).space for level in range(1, 8)]
    assert sizes[:5] == [1, 3, 5, 9, 10]
    assert sizes[5] == 220
    assert sizes[6] is not None
    assert sizes[6] >= 1_000


def test_a_spread_reaches_other_sizes() -> None:
    made = listing_of(family.GENERATOR(levels=(1,), spread=1)).made
    sizes = {(one.facts.n, sum(one.facts.counts), len(one.facts.counts)) for one in made}
    assert (2, 4, 3) in sizes
    assert {n for n, _, _ in sizes} == {2, 3}
    assert {total for _, total, _ in sizes} == {3, 4, 5}
    assert {kinds for _, _, kinds in sizes} == {2, 3, 4}


@pytest.mark.parametrize("spread", [-1, 5, True, "1", 0.5])
def test_other_spreads_are_refused(spread: object) -> None:
    with pytest.raises(ParamError, match=r"spread=.*an integer from 0 to 4"):
        family.GENERATOR(spread=spread)  # type: ignore[arg-type]


def test_the_solution_counts_every_case() -> None:
    generator = family.GENERATOR(levels=(2,))
    made = next(one for one in listing_of(generator).made if one.facts.counts == (3, 2, 1))
    assert generator.steps(made).splitlines() == [
        "pattern 3: 1 drawings * 0 = 0",
        "pattern 2+1: 13 drawings * 0 = 0",
        "pattern 1+1+1: 6 drawings * 2 = 12",
        "good: 12 of 20 * 6 = 120",
        "12/120 = 1/10",
        "1 + 10 = 11",
    ]
