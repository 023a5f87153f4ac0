"""A number of positions keep one letter: examples by hand, and numbers that can occur."""

from __future__ import annotations

import pytest

from synthgen.core.errors import ParamError
from synthgen.generators.omega._listed import listing_of
from synthgen.generators.omega.combinatorics import (
    combinatory_probability_exactly_n_specific_fixed as family,
)


def answers(level: int) -> dict[object, str]:
    listing = listing_of(family.GENERATOR(levels=(level,)))
    facts = [(one.facts, one.answer) for one in listing.made]
    return {(f.n, f.counts, f.counts[f.place], f.kept): answer for f, answer in facts}


def test_examples_by_hand() -> None:
    assert answers(2)[3, (3, 2, 1), 3, 1] == "29"
    assert answers(2)[3, (3, 2, 1), 2, 2] == "16"


def test_certain_and_impossible_events_are_left_out() -> None:
    for level in (1, 2, 3):
        for answer in answers(level).values():
            assert int(answer) >= 3  # the least numerator and denominator are 1 and 2


def test_no_more_positions_are_asked_for_than_there_can_be() -> None:
    for n, counts, special, kept in answers(5):  # type: ignore[misc]
        assert 1 <= kept <= min(3, special, n)
        assert special in counts


def test_spreads_are_checked() -> None:
    with pytest.raises(ParamError, match=r"spread="):
        family.GENERATOR(spread=9)
