from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from synthgen.recipe.loader import show, worded
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
        ({"verify": 3}, "verify", "verify=3: expected a table [verify]"),
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
            {"dedup": {"symbolic": 1}},
            "dedup.symbolic",
            "unknown key 'symbolic'; it belongs in [verify]. Known: on",
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
