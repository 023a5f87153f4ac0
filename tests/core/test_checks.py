"""Checkers of parameter values: what they let through and what they say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.checks import check_bool, check_choice, check_int, check_symbols
from synthgen.core.errors import ParamError


@given(st.integers(-5, 5))
def test_integers_within_the_bounds_pass(value: int) -> None:
    if -3 <= value <= 4:
        assert check_int("n", value, -3, 4) == value
    else:
        with pytest.raises(ParamError, match=rf"^n={value}: expected an integer from -3 to 4$"):
            check_int("n", value, -3, 4)


@pytest.mark.parametrize("value", [True, False, 1.0, "1", None, [1], float("nan")])
def test_what_is_no_integer_is_refused(value: object) -> None:
    with pytest.raises(ParamError, match=r"^n=.*: expected an integer from 0 to 9$") as caught:
        check_int("n", value, 0, 9)
    assert caught.value.name == "n"
    assert caught.value.value is value


def test_booleans() -> None:
    assert check_bool("flag", True) is True
    assert check_bool("flag", False) is False
    for value in (0, 1, "true", None):
        with pytest.raises(ParamError, match=r"^flag=.*: expected true or false$"):
            check_bool("flag", value)


def test_choices() -> None:
    assert check_choice("style", "full", ("minimal", "full")) == "full"
    for value in ("ful", "", 3, None, ["full"]):
        with pytest.raises(ParamError, match=r"^style=.*: expected one of minimal, full$"):
            check_choice("style", value, ("minimal", "full"))


def test_symbols_are_distinct_known_and_enough() -> None:
    assert check_symbols("digits", "31", "0123", 1) == "31"
    assert check_symbols("digits", "", "0123") == ""
    for value in ("", "11", "4", "0a", 3, None, ["0", "1"]):
        with pytest.raises(ParamError, match=r"^digits=.*: expected a string of at least 1 diff"):
            check_symbols("digits", value, "0123", 1)
