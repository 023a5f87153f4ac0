"""What kernel families share: codes of integers, and ranges as fields."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega._colours import COLOURS, two_colours
from synthgen.generators.omega._kernel_family import (
    check_range,
    grown_codes,
    grown_values,
    put_integer,
)
from synthgen.generators.omega._numbers import integer_codes


@given(st.integers(-(2**62), 2**62) | st.sampled_from([0, 999, 1_000, 10**6 - 1, 10**6, -(10**18)]))
def test_integers_have_the_codes_that_all_families_give_them(value: int) -> None:
    codes = np.zeros(12, np.uint16)
    end = put_integer(codes, 1, value)
    assert codes[1:end].tolist() == integer_codes(value)


def test_room_grows_and_keeps_what_is_there() -> None:
    codes = np.arange(4, dtype=np.uint16)
    assert grown_codes(codes, 3, 1) is codes
    assert grown_codes(codes, 4, 3)[:4].tolist() == [0, 1, 2, 3]
    values = grown_values(np.arange(4, dtype=np.int16), 2, 100)
    assert len(values) >= 102
    assert values[:2].tolist() == [0, 1]


@pytest.mark.parametrize(("low", "high"), [(0, 0), (3, 3), (3, 9)])
def test_ranges(low: int, high: int) -> None:
    check_range("size", low, high, (3, 9))


@pytest.mark.parametrize(
    ("low", "high", "message"),
    [
        (2, 5, "min_size=2"),
        (6, 5, "min_size=6"),
        (0, 5, "min_size=0"),
        (3, 10, "max_size=10"),
        (3, 0, "min_size=3"),
        (True, 5, "min_size=True"),
        (3, "5", "max_size='5'"),
    ],
)
def test_other_ranges_are_refused(low: int, high: int, message: str) -> None:
    with pytest.raises(ParamError, match=message):
        check_range("size", low, high, (3, 9))


def test_two_colours_differ_and_all_occur() -> None:
    pairs = two_colours(Rows.span(3, 0, 2_000))
    assert (pairs[:, 0] != pairs[:, 1]).all()
    assert len(np.unique(pairs, axis=0)) == len(COLOURS) * (len(COLOURS) - 1)
    assert not any(colour[0] in "aeiou" for colour in COLOURS)
