"""Statements read with the kernel: strictly, and as the generators write them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.generators.omega import _statements as told
from synthgen.verifiers.omega._forms import MOST_BYTES, NUMBER, PAIRS, ROWS, WORD, WORDS, Form

TEXTS = (
    "<n> things: <list>. The <w> one, <n> times.",
    "Pairs <pairs>, and a <w> thing; rows <cells>; <list>, or <n>.",
)
NAMES = ("red", "blue", "uncoloured")
FORM = Form(
    [TEXTS[:1], TEXTS[1:]],
    {"n": NUMBER, "w": WORD, "list": WORDS, "pairs": PAIRS, "cells": ROWS},
    NAMES,
)
STATEMENTS = told.Statements.of(
    TEXTS,
    {
        "n": told.INTEGER,
        "w": told.WORD,
        "list": told.WORDS,
        "pairs": told.PAIRS,
        "cells": told.ROWS,
    },
    NAMES,
)
numbers = st.integers(0, 30_000)
words = st.integers(0, 2)


@settings(max_examples=150, deadline=None, database=None)
@given(
    st.integers(0, 1),
    numbers,
    words,
    st.lists(words, min_size=1, max_size=9),
    st.lists(st.tuples(numbers, numbers), min_size=1, max_size=9),
    st.sets(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=30),
    st.booleans(),
)
def test_what_is_written_is_read_again(
    kind: int,
    n: int,
    word: int,
    items: list[int],
    pairs: list[tuple[int, int]],
    cells: set[tuple[int, int]],
    boxed: bool,
) -> None:
    values = [n, word, len(items), *items]
    if kind == 1:
        values += [len(pairs), *(end for pair in pairs for end in pair)]
        by_rows = sorted((y, x) for x, y in cells)
        values += [len(cells), *(part for y, x in by_rows for part in (x, y))]
    ending = "\n\nPut the final answer, and nothing else, inside \\boxed{}." if boxed else ""
    text = STATEMENTS.text(ragged([values], np.int16), np.array([kind]), ending)[0].as_py()
    assert FORM.read_one(text) == (kind, tuple(values))
    assert FORM.read_one(text + " ") is None
    assert FORM.read_one(text[1:]) is None


GOOD = "3 things: red, blue. The blue one, 3 times."


def test_the_text_that_the_others_differ_from() -> None:
    assert FORM.read_one(GOOD) == (0, (3, 1, 2, 0, 1))


@pytest.mark.parametrize(
    "text",
    [
        *("", "3", GOOD[:-1], GOOD + "\n", " " + GOOD, GOOD.replace("times", "time")),
        *(GOOD.replace("3", "03"), GOOD.replace("3", "-3"), GOOD.replace("3", "30001")),
        *(GOOD.replace("3", "9" * 40), GOOD.replace("3 times", "4 times"), GOOD.replace("3", "")),
        *(GOOD.replace("3 times", "33 times"), GOOD.replace("red", "Red"), GOOD.replace("red", "")),
        *(GOOD.replace(", blue", " blue"), GOOD.replace(", blue", ",  blue"), "é" + GOOD),
        GOOD.replace("3", "３"),
    ],
)
def test_other_texts_are_none_of_the_form(text: str) -> None:
    assert FORM.read_one(text) is None


def test_words_and_wordings_that_begin_or_end_alike() -> None:
    kinds = [("A <w> one.", "A <w> one, <n>."), ("<n>: a <w> one.",)]
    form = Form(kinds, {"n": NUMBER, "w": WORD}, ("blue", "black"))
    assert form.read_one("A black one.") == (0, (1,))
    assert form.read_one("A blue one, 7.") == (0, (7, 0))
    assert form.read_one("12: a black one.") == (1, (12, 1))
    for text in ("A bl one.", "A blu", "A b", "one.", ".", "A blackone.", "A red one."):
        assert form.read_one(text) is None


ROW_TEXT = "Pairs (1, 2), and a red thing; rows {}; blue, or 5."


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        ("row 2: 3", (1, 3, 2)),
        ("row 2: 3, 7; row 5: 1", (3, 3, 2, 7, 2, 1, 5)),
        ("row 5: 1; row 2: 3", None),
        ("row 2: 3; row 2: 4", None),
        ("row 2: 7, 3", None),
        ("row 2: 3, 3", None),
        ("row 2: ", None),
        ("row 2: 3; row 5", None),
        ("", None),
    ],
)
def test_cells_by_rows_rise(cells: str, values: tuple[int, ...] | None) -> None:
    read = FORM.read_one(ROW_TEXT.format(cells))
    assert read == (None if values is None else (1, (5, 0, 1, 1, 1, 1, 2, *values)))


def test_a_text_that_is_too_long_is_not_read() -> None:
    items = ", ".join(["red"] * (MOST_BYTES // 5))
    assert FORM.read_one(GOOD.replace("red", items)) is None
    items = ", ".join(["red"] * 5_000)
    read = FORM.read_one(GOOD.replace("red", items))
    assert read is not None
    assert read[1][2] == 5_001
