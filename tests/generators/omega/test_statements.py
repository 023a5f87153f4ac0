"""Statements written from wordings with holes."""

from __future__ import annotations

import numpy as np
import pytest

from synthgen.core.columns import ragged
from synthgen.generators.omega._statements import (
    INTEGER,
    PAIRS,
    ROWS,
    WORD,
    WORDS,
    Statements,
)

HOLES = {"n": INTEGER, "w": WORD, "list": WORDS, "pairs": PAIRS, "cells": ROWS}
WORDS_KNOWN = ("red", "blue", "uncoloured")


def told(text: str, values: list[int], ending: str = "") -> str:
    column = Statements.of([text], HOLES, WORDS_KNOWN).text(
        ragged([values], np.int16), np.zeros(1, np.int64), ending
    )
    return str(column[0].as_py())


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("<n>", [0], "0"),
        ("so <n> and <n>.", [30_000], "so 30000 and 30000."),
        ("a <w> one", [1], "a blue one"),
        ("<list>!", [3, 2, 0, 1], "uncoloured, red, blue!"),
        ("<pairs>", [2, 3, 5, 1, 14], "(3, 5), (1, 14)"),
        ("<pairs>", [1, 3, 5], "(3, 5)"),
        ("<cells>.", [3, 3, 2, 7, 2, 1, 5], "row 2: 3, 7; row 5: 1."),
        ("<pairs> of <n>", [9, 1, 3, 5], "(3, 5) of 9"),
        ("no hole", [], "no hole"),
    ],
)
def test_holes(text: str, values: list[int], expected: str) -> None:
    assert told(text, values) == expected
    assert told(text, values, " End.") == expected + " End."


def test_rows_have_wordings_and_values_of_their_own() -> None:
    statements = Statements.of(["<n> <w>", "<pairs>: <n>"], HOLES, WORDS_KNOWN)
    rows = ragged([[4, 0], [7, 2, 1, 2, 3, 4], [5, 2]], np.int16)
    texts = statements.text(rows, np.array([0, 1, 0]), "")
    assert texts.to_pylist() == ["4 red", "(1, 2), (3, 4): 7", "5 uncoloured"]
    assert len(statements.text(ragged([], np.int16), np.zeros(0, np.int64), "x")) == 0


def test_an_unknown_hole_is_refused() -> None:
    with pytest.raises(ValueError, match="other"):
        Statements.of(["<other>"], HOLES)
