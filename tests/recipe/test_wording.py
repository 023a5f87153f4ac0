"""What is said of faults in a recipe, and the text around them."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from synthgen.core.errors import Fault, RecipeError
from synthgen.recipe.loader import MAX_BYTES, parse_toml, read_text, show, worded
from synthgen.recipe.schema import Recipe

GOOD: dict[str, Any] = {
    "name": "a",
    "source": [{"generator": "hint"}],
    "split": [{"name": "train", "rows": 1}],
}


def messages(**changes: Any) -> list[tuple[str, str]]:
    with pytest.raises(ValidationError) as caught:
        Recipe.model_validate({**GOOD, **changes})
    return [(".".join(path), message) for path, message in worded(caught.value)]


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ({"dedup": 3}, "dedup", "dedup=3: expected a table [dedup]"),
        ({"split": [3]}, "split.0", "split[0]=3: expected a table [[split]]"),
        ({"source": "hint"}, "source", "source='hint': expected one or more [[source]] tables"),
        (
            {"source": [{"generator": "hint", "params": 3}]},
            "source.0.params",
            "params=3: expected a table of the generator's params",
        ),
        (
            {"source": [{"generator": "hint", "params": {"x": dt.date(2026, 1, 31)}}]},
            "source.0.params.x",
            (
                "x=2026-01-31: expected an integer of 64 bits, a finite float, a string, a boolean "
                "or a list of these"
            ),
        ),
        (
            {"split": [{"name": "a", "rows": 1, "cap": {"axis": "x"}}]},
            "split.0.cap.share",
            "missing key 'share': expected a number above 0 and below 1",
        ),
        (
            {"dedup": {"row_group": 1}},
            "dedup.row_group",
            "unknown key 'row_group'; it belongs in [output]. Known: on",
        ),
        ({"dedup": {"name": 1}}, "dedup.name", "unknown key 'name'. Known: on"),
    ],
)
def test_messages(changes: dict[str, Any], path: str, message: str) -> None:
    assert messages(**changes) == [(path, message)]


def test_faulty_items_are_not_reported_as_a_list_that_is_too_short() -> None:
    assert [path for path, _ in messages(source=[{}])] == ["source.0.generator"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        ("a'b", '"a\'b"'),
        ([1, "a", False], "[1, 'a', false]"),
        ({"a": 1}, "a table"),
        (dt.date(2026, 1, 31), "2026-01-31"),
        (dt.time(7, 30), "07:30:00"),
        pytest.param(1 << 20_000, "an integer of 20001 bits", id="huge integer"),
        pytest.param("x" * 1000, "'" + "x" * 75 + " ...", id="long text"),
    ],
)
def test_values_are_shown_as_toml_has_them(value: object, text: str) -> None:
    assert show(value) == text


@given(st.text() | st.integers() | st.lists(st.lists(st.text())))
def test_shown_values_are_one_short_line(value: object) -> None:
    shown = show(value)
    assert len(shown) <= 80
    assert "\n" not in shown


def read_fault(path: Path) -> Fault:
    with pytest.raises(RecipeError) as caught:
        read_text(path)
    (fault,) = caught.value.faults
    return fault


def parse_fault(text: str) -> Fault:
    with pytest.raises(RecipeError) as caught:
        parse_toml(text, "a.toml")
    (fault,) = caught.value.faults
    return fault


def test_byte_order_mark_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b"\xef\xbb\xbfname = 'a'\r\n")
    assert parse_toml(read_text(path), "a.toml") == {"name": "a"}


def test_size_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b"#" * MAX_BYTES)
    assert len(read_text(path)) == MAX_BYTES
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    assert read_fault(path) == Fault("expected a file of at most 4194304 bytes")


def test_what_cannot_be_read(tmp_path: Path) -> None:
    assert read_fault(tmp_path / "no.toml").message == "cannot be read: No such file or directory"
    assert read_fault(tmp_path).message == "cannot be read: Is a directory"


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("a = 1\nb 2\n", "Expected '=' after a key", 2),
        ("a = 1\n\na = 2", "this key is already set above", 3),
        ("a = [1,\n2\n\n", "Unclosed array (at the end)", 3),
        ('a = """\n\n\nx', "Unterminated string (at the end)", 4),
        ("a =", "Invalid value", 1),
        pytest.param("a = " + "[" * 50_000, "nested too deeply", None, id="deep"),
        pytest.param("a = " + "1" * 5000, "too many digits", None, id="long"),
    ],
)
def test_syntax_faults_have_their_line(text: str, message: str, line: int | None) -> None:
    fault = parse_fault(text)
    assert fault.message.startswith("not valid TOML: ")
    assert message in fault.message
    assert fault.line == line
