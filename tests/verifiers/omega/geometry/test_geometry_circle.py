"""Constructions with circles from the text: examples by hand, and choices that are not clear."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.geometry.geometry_circle import VERIFIER

START = "Mark a new point O in the plane. Draw circle c with centre O and radius {}. "
ON = "Choose any new point P on circle c. "
ASK = "What is the distance between {} and {}? Round to two decimals."


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            START.format(5) + ON + "Draw the tangent t to circle c at P. Let M be the point halfway"
            " between O and P. Reflect M in line t to get G. " + ASK.format("O", "G"),
            "7.50",
        ),
        (
            START.format(6) + "Let A be a point at distance 4 from O. Let B be the inverse of A in"
            " circle c. " + ASK.format("A", "B"),
            "5.00",
        ),
        (
            START.format(5) + ON + "Turning P around O counterclockwise through 60 degrees gives Q."
            " Draw line g through P and Q. Line g meets circle c at P and again at R. Reflect R in"
            " the point P to get S. " + ASK.format("Q", "S"),
            "10.00",
        ),
        (
            START.format(3) + "Let A be a point at distance 5 from O. Turning A around O"
            " counterclockwise through 90 degrees gives B. Of the two tangents from A to circle c,"
            " let t be the one whose point of contact is nearer to B. Reflect O in line t to get"
            " D. " + ASK.format("O", "D"),
            "6.00",
        ),
        (
            START.format(3) + ON + "Circle d about D has radius 2 and touches circle c from outside"
            " at P. Turning P around O counterclockwise through 90 degrees gives Q. Of the two"
            " circles of radius 1 that touch circles c and d from outside, let e be the one whose"
            " centre E is nearer to Q. " + ASK.format("E", "D"),
            "3.00",
        ),
        (
            START.format(5) + "Draw a chord XY of length 6 in circle c, with O, X and Y in"
            " counterclockwise order. Let M be the point halfway between X and Y. "
            + ASK.format("O", "M"),
            "4.00",
        ),
        (
            START.format(5) + ON + "Rotate P about O by 90 degrees counterclockwise to get Q. Let M"
            " be the point halfway between P and Q. Draw line g through O and M. The arc of circle"
            " c that leads counterclockwise from P to Q meets line g at R. " + ASK.format("R", "P"),
            "3.83",
        ),
        (
            START.format(5) + ON + "Let d be the image of circle c under the half-turn about P."
            " Choose any new point A on circle d. Choose any new point B on circle d. Choose any"
            " new point C on circle d. Let g be the line of all points that are equally far from A"
            " and B. Let h be the line of all points that are equally far from C and B. Lines g and"
            " h meet at D. " + ASK.format("O", "D"),
            "10.00",
        ),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    prompts, answers = pa.array([prompt]), pa.array([answer])
    assert VERIFIER.check(prompts, answers, None).all()
    assert VERIFIER.symbolic(prompts, answers).all()
    wrong = pa.array([f"{float(answer) + 0.01:.2f}"])
    assert not VERIFIER.check(prompts, wrong, None).any()
    assert not VERIFIER.symbolic(prompts, wrong).any()


@pytest.mark.parametrize(
    "prompt",
    [
        START.format(5) + ON + "Choose any new point Q on circle c. " + ASK.format("P", "Q"),
        START.format(5) + "Let P be a point at distance 9 from O. Draw line g through O and P. Of"
        " the two points where line g meets circle c, let Q be the one nearer to O. "
        + ASK.format("P", "Q"),
        START.format(5) + "Let P be a point at distance 9 from O. Draw line g through O and P. Line"
        " g meets circle c at P and again at Q. " + ASK.format("P", "Q"),
        START.format(5) + "Let P be a point at distance 9 from O. Draw the tangent t to circle c at"
        " P. Reflect O in line t to get Q. " + ASK.format("P", "Q"),
        START.format(5)
        + ON
        + "Rotate P about O by 90 degrees counterclockwise to get Q. Of the two"
        " tangents from P to circle c, let t be the one whose point of contact is nearer to Q."
        " Reflect Q in line t to get R. " + ASK.format("P", "R"),
        START.format(2) + "Draw a circle d with centre D and radius 3 that touches circle c from"
        " inside. "
        + "Let r be the radius of circle d. Let P be a point at distance r from O. "
        + ASK.format("P", "O"),
        START.format(5)
        + ON
        + "Let A be the centre of circle c. Line g meets segment AP at B. "
        + ASK.format("A", "B"),
    ],
)
def test_questions_without_one_answer_have_none(prompt: str) -> None:
    problem = VERIFIER.problem(prompt)
    assert VERIFIER.answer(prompt) is None
    assert problem is None or VERIFIER._exact(problem) is None
