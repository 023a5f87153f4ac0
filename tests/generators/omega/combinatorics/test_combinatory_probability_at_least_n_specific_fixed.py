"""At least a number of positions keep one letter: examples by hand."""

from __future__ import annotations

import pytest

from synthgen.core.errors import ParamError
from synthgen.generators.omega._listed import listing_of
from synthgen.generators.omega.combinatorics import (
    combinatory_probability_at_least_n_specific_fixed as family,
)


def answers(level: int) -> dict[object, str]:
    listing = listing_of(family.GENERATOR(levels=(level,)))
    facts = [(one.facts, one.answer) for one in listing.made]
    return {(f.n, f.counts, f.counts[f.place], f.kept): answer for f, answer in facts}


def test_examples_by_hand() -> None:
    assert answers(2)[3, (3, 2, 1), 3, 1] == "33"
    assert answers(2)[3, (3, 2, 1), 3, 2] == "6"


def test_certain_and_impossible_events_are_left_out() -> None:
    for level in (1, 2, 3):
        for answer in answers(level).values():
            assert int(answer) >= 3  # the least numerator and denominator are 1 and 2


def test_the_other_letters_make_another_problem_of_the_same_probability() -> None:
    found = answers(3)
    assert found[4, (4, 2, 2), 4, 2] == found[4, (4, 3, 1), 4, 2]
    trees = [one.tree for one in listing_of(family.GENERATOR(levels=(3,))).made]
    assert len(set(trees)) == len(trees) == len(found)


def test_spreads_are_checked() -> None:
    with pytest.raises(ParamError, match=r"spread="):
        family.GENERATOR(spread=9)
