"""The exception tree: messages, exit codes and suggestions."""

from __future__ import annotations

import pytest

from synthgen.core import errors
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
