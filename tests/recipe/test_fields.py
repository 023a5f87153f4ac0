from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import PydanticCustomError

from synthgen.recipe.fields import check_date, check_distinct, check_param, date_text, named_by

check_name = named_by("[a-z][a-z0-9_]{0,63}", reserved=("all",))


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("test-ood", "hyphens are not allowed, did you mean 'test_ood'?"),
        ("Test OOD!", "did you mean 'test_ood'?"),
        ("--", "hyphens are not allowed"),
        ("all", "'all' is reserved"),
        ("7", ""),
    ],
)
def test_names_come_with_advice(name: str, advice: str) -> None:
    with pytest.raises(PydanticCustomError) as caught:
        check_name(name)
    assert caught.value.message() == advice


@given(st.text())
def test_a_proposed_name_is_itself_allowed(name: str) -> None:
    try:
        assert check_name(name) == name
    except PydanticCustomError as error:
        _, _, proposal = error.message().partition("did you mean ")
        if proposal:
            assert check_name(proposal[1:-2])


@given(st.lists(st.text(max_size=2)).map(tuple))
def test_distinct(items: tuple[str, ...]) -> None:
    if len(set(items)) == len(items):
        assert check_distinct(items) == items
    else:
        with pytest.raises(PydanticCustomError, match="is repeated"):
            check_distinct(items)


@given(st.dates())
def test_dates_with_and_without_quotes(day: dt.date) -> None:
    assert date_text(day) == check_date(day.isoformat())


@pytest.mark.parametrize("text", ["", "20260131", "2026-W05-1", "2026-02-30", "31.01.2026"])
def test_what_is_no_date(text: str) -> None:
    with pytest.raises(PydanticCustomError):
        check_date(text)


def test_a_moment_is_no_date() -> None:
    moment = dt.datetime(2026, 1, 31, tzinfo=dt.UTC)
    assert date_text(moment) is moment


@given(st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(-1e300, 1e300) | st.text())
def test_scalars_are_kept_as_they_are(value: object) -> None:
    assert check_param(value) is value
    assert check_param([value, value]) == (value, value)
