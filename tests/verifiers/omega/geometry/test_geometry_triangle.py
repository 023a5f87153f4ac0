"""Constructions with triangles from the text: examples by hand."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.geometry.geometry_triangle import VERIFIER

RIGHT = (
    "Mark a new point A in the plane. Let B be a point at distance 6 from A. Rotate B about A by 90"
    " degrees counterclockwise to get D. Draw line g through A and D. Of the two points on line g"
    " at distance 8 from A, let C be the one nearer to D. Draw triangle ABC. "
)
EQUAL = "Let ABC be an equilateral triangle of side 6, its vertices named counterclockwise. "
ASK = "What is the distance between {} and {}? Round to two decimals."


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (RIGHT + "What is the circumradius of triangle ABC? Round to two decimals.", "5.00"),
        (RIGHT + "What is the inradius of triangle ABC? Round to two decimals.", "2.00"),
        (RIGHT + "What is the area of triangle ABC? Round to two decimals.", "24.00"),
        (RIGHT + "Let M be the circumcentre of triangle ABC. " + ASK.format("M", "B"), "5.00"),
        (RIGHT + "Let M be the centroid of triangle ABC. " + ASK.format("M", "A"), "3.33"),
        (RIGHT + "The altitudes of triangle ABC meet at H. " + ASK.format("H", "D"), "6.00"),
        (RIGHT + "Let J be the incentre of triangle ABC. " + ASK.format("J", "A"), "2.83"),
        (EQUAL + "Let J be the incentre of triangle ABC. " + ASK.format("J", "A"), "3.46"),
        (
            EQUAL + "Draw the incircle c of triangle ABC. Reflect A in the point B to get D. Let E"
            " be the inverse of D in circle c. " + ASK.format("D", "E"),
            "8.84",
        ),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    prompts, answers = pa.array([prompt]), pa.array([answer])
    assert VERIFIER.check(prompts, answers, None).all(), VERIFIER.answer(prompt)
    assert VERIFIER.symbolic(prompts, answers).all()
    wrong = pa.array([f"{float(answer) + 0.01:.2f}"])
    assert not VERIFIER.check(prompts, wrong, None).any()


@pytest.mark.parametrize(
    "prompt",
    [
        EQUAL + "What is the inradius of triangle ABD? Round to two decimals.",
        EQUAL.replace("ABC", "ABA") + "What is the area of triangle ABA? Round to two decimals.",
        EQUAL + "What is the circumradius of triangle BCA? Round to two decimals.",
        RIGHT.replace("triangle ABC", "triangle ABE")
        + "What is the area of triangle ABE? Round to two decimals.",
    ],
)
def test_a_triangle_must_have_been_introduced(prompt: str) -> None:
    """Defect: a published text uses a triangle that nothing has introduced."""
    assert VERIFIER.problem(prompt) is None
