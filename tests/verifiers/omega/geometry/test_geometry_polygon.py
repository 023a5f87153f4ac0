"""Constructions with regular polygons from the text: examples by hand."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.geometry.geometry_polygon import VERIFIER

START = "Mark a new point {} in the plane. "
POLYGON = (
    "Let {} be a regular polygon with {} sides, centre O and circumradius {}, its vertices named"
    " counterclockwise. "
)
AREA = "What is the area of polygon {}? Round to two decimals."
ASK = "What is the distance between {} and {}? Round to two decimals."
HEXAGON = START.format("O") + POLYGON.format("ABCDEF", 6, 4)


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (HEXAGON + AREA.format("ABCDEF"), "41.57"),
        (START.format("O") + POLYGON.format("ABCDE", 5, 2) + ASK.format("A", "C"), "3.80"),
        (HEXAGON + ASK.format("A", "C"), "6.93"),
        (
            START.format("O") + "Let P be a point at distance 7 from O. Let ABCD be the regular"
            " polygon with 4 sides, centre O and circumradius 3 whose vertex A lies on the ray from"
            " O through P, its vertices named counterclockwise. Reflect P in the point B to get Q. "
            + ASK.format("Q", "C"),
            "7.21",
        ),
        (
            HEXAGON + "Let d be the distance between A and C. Draw a regular polygon PQRS with 4"
            " sides and circumradius d about the centre A, its vertices named counterclockwise. "
            + AREA.format("PQRS"),
            "96.00",
        ),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    prompts, answers = pa.array([prompt]), pa.array([answer])
    assert VERIFIER.check(prompts, answers, None).all()
    assert VERIFIER.symbolic(prompts, answers).all()
    wrong = pa.array([f"{float(answer) + 0.01:.2f}"])
    assert not VERIFIER.check(prompts, wrong, None).any()


@pytest.mark.parametrize(
    "prompt",
    [
        HEXAGON.replace("ABCDEF", "ABCDE") + ASK.format("A", "C"),
        HEXAGON.replace("ABCDEF", "ABCDEA") + ASK.format("A", "C"),
        HEXAGON.replace("ABCDEF", "ABCDEO") + ASK.format("A", "C"),
        HEXAGON.replace("6 sides", "2 sides") + ASK.format("A", "C"),
        HEXAGON.replace("6 sides", "9000 sides") + ASK.format("A", "C"),
        HEXAGON + AREA.format("ABCDE"),
        HEXAGON + "What is the area of triangle ABC? Round to two decimals.",
    ],
)
def test_other_statements_are_none_of_this_family(prompt: str) -> None:
    assert VERIFIER.problem(prompt) is None
