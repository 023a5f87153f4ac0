from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.auditing.html_tables import (
    brief,
    clean,
    figure,
    megabytes,
    percent,
)
from synthgen.auditing.wording import plural


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, "–"),
        (0, "0"),
        (1234567, "1,234,567"),
        (-1234, "−1,234"),
        (24 * 10**23, "2.4 x 10^24"),
        (0.25, "0.25"),
        (-0.5, "−0.5"),
        (1234.5678, "1,235"),
        (999.95, "1000"),
        (0.000012345, "1.234e−5"),
        (1e300, "1e300"),
        (float("nan"), "not a number"),
        (float("inf"), "∞"),
        (-float("inf"), "−∞"),
    ],
)
def test_figures(value: float | None, written: str) -> None:
    assert figure(value) == written


@pytest.mark.parametrize(
    ("part", "whole", "written"),
    [
        (0, 0, "–"),
        (0, 7, "0%"),
        (7, 7, "100%"),
        (1, 3, "33.3%"),
        (1, 10**6, "< 0.1%"),
        (10**6 - 1, 10**6, "> 99.9%"),
        (1, 10, "10%"),
    ],
)
def test_percents_keep_all_and_none_apart(part: int, whole: int, written: str) -> None:
    assert percent(part, whole) == written


def test_words() -> None:
    assert plural(1, "check") == "1 check"
    assert plural(1200, "check") == "1,200 checks"
    assert megabytes(5_250_000) == "5.2 MB"
    assert megabytes(512) == "0.5 kB"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Short.", "Short."),
        ("All is well. " * 4, "All is well. All is well."),
        ("one of many words, and others", "one of many words, and…"),
        ("a comma, then a longword here", "a comma, then a longword…"),
        ("x" * 40, "x" * 26 + "…"),
    ],
)
def test_brief_texts_end_with_a_sentence_or_a_word(text: str, shown: str) -> None:
    assert brief(text, 27) == shown


@given(st.text(st.characters()), st.integers(2, 40))
def test_cleaned_texts_are_short_and_print(text: str, most: int) -> None:
    cleaned = clean(text, most)
    shown = cleaned.replace("\n", "").replace("\t", "")
    assert all(each.isprintable() or each.isspace() for each in shown)
    assert "\u202e" not in cleaned
    cleaned.encode()
    assert len(cleaned) <= 10 * most
    if len(text) <= most and text.isprintable():
        assert cleaned == text
