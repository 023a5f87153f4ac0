"""Errors: messages, exit codes and suggestions; and what the checkers of values say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core import errors
from synthgen.core.checks import check_bool, check_choice, check_int, check_symbols
from synthgen.core.errors import (
    DatasetError,
    EngineError,
    Fault,
    OutputError,
    ParamError,
    RecipeError,
    ShortfallError,
    SynthgenError,
    UnknownNameError,
    VerificationError,
    nearest,
)


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("max_operator", ["max_operators", "min_operators"], "max_operators"),
        ("lenght", ["length", "depth"], "length"),
        ("zzz", ["length", "depth"], None),
        ("length", [], None),
    ],
)
def test_nearest_names(name: str, known: list[str], expected: str | None) -> None:
    assert nearest(name, known) == expected


def test_param_errors_carry_name_value_and_expectation() -> None:
    error = ParamError("rows", "ten", "an integer from 1 to 9")
    assert (error.name, error.value, error.expected) == ("rows", "ten", "an integer from 1 to 9")
    assert str(error) == "rows='ten': expected an integer from 1 to 9"


def test_unknown_names_suggest_the_nearest_and_list_the_known() -> None:
    error = UnknownNameError("axis", "lenght", ["depth", "length"])
    assert (error.name, error.suggestion) == ("lenght", "length")
    assert str(error) == "unknown axis 'lenght'; did you mean 'length'? Known: depth, length"
    other = UnknownNameError("axis", "qqq", [])
    assert other.suggestion is None
    assert str(other).endswith("Known: none")


def test_recipe_errors_list_every_fault_in_file_order() -> None:
    faults = [Fault("late", "split.0.rows", 9), Fault("early", "name", 2), Fault("whole file")]
    error = RecipeError("r.toml", faults)
    assert [fault.message for fault in error.faults] == ["whole file", "early", "late"]
    assert str(error).splitlines() == [
        "r.toml: whole file",
        "r.toml:2: name: early",
        "r.toml:9: split.0.rows: late",
    ]


def test_exit_codes() -> None:
    failed = {EngineError, VerificationError}
    usage = {ParamError, UnknownNameError, RecipeError, ShortfallError, OutputError, DatasetError}
    assert {kind.exit_code for kind in failed} == {1}
    assert {kind.exit_code for kind in usage} == {2}


def test_all_errors_are_in_the_tree_and_in_its_picture() -> None:
    kinds = [
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, Exception)
    ]
    assert len(kinds) >= 9
    for kind in kinds:
        assert issubclass(kind, SynthgenError)
        assert kind.__name__ in (errors.__doc__ or "")


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
