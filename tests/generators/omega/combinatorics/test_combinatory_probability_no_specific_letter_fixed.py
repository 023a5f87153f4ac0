"""No position keeps one letter: examples by hand, and symmetric letters are one."""

from __future__ import annotations

import pytest

from synthgen.core.errors import ParamError
from synthgen.generators.omega._listed import listing_of
from synthgen.generators.omega.combinatorics import (
    combinatory_probability_no_specific_letter_fixed as family,
)


def answers(level: int) -> dict[object, str]:
    listing = listing_of(family.GENERATOR(levels=(level,)))
    facts = [(one.facts, one.answer) for one in listing.made]
    return {(f.n, f.counts, f.counts[f.place]): answer for f, answer in facts}


def test_examples_by_hand() -> None:
    assert answers(2)[3, (3, 2, 1), 2] == "8"
    assert answers(2)[3, (3, 2, 1), 3] == "27"
    # one tile of four, two drawn: half of the draws have it, and half of the shuffles keep it
    assert answers(1)[2, (2, 1, 1), 1] == "7"


def test_certain_and_impossible_events_are_left_out() -> None:
    for level in (1, 2, 3):
        for answer in answers(level).values():
            assert int(answer) >= 3  # the least numerator and denominator are 1 and 2


def test_letters_with_as_many_copies_are_one_problem() -> None:
    made = listing_of(family.GENERATOR(levels=(1,))).made
    assert [one.facts.counts[one.facts.place] for one in made] == [2, 1]


def test_spreads_are_checked() -> None:
    with pytest.raises(ParamError, match=r"spread="):
        family.GENERATOR(spread=9)
