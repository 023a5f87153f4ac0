"""Constructions of points and lines from the text: examples, ill-posed texts and wrong ways."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.generators.omega.geometry.geometry_basic import GeometryBasic
from synthgen.verifiers.omega.geometry._construct_commands import BASIC, CIRCLE, POLYGON, TRIANGLE
from synthgen.verifiers.omega.geometry._construct_exact import _WORK as EXACT_WORK
from synthgen.verifiers.omega.geometry._construct_read import RULES, grammar
from synthgen.verifiers.omega.geometry._construct_run import _WORK as WORK
from synthgen.verifiers.omega.geometry.geometry_basic import VERIFIER

START = "Mark a new point A in the plane. Let B be a point at distance {} from A. "
ASK = "What is the distance between {} and {}? Round to two decimals."
TWICE = (
    START.format(6)
    + "Reflect A in the point B to get C. Rotate B about A by 90 degrees counterclockwise to get"
    " D. " + ASK.format("C", "D")
)
WAY = """\
A = (0.0000, 0.0000)
B = (6.0000, 0.0000)
C = (12.0000, 0.0000)
D = (0.0000, 6.0000)
13.4164 rounds to 13.42"""


def both(prompt: str, answer: str, way: str | None = None) -> tuple[bool, bool]:
    """What the two verifications say of a row."""
    prompts, answers = pa.array([prompt]), pa.array([answer])
    ways = None if way is None else pa.array([way])
    first = bool(VERIFIER.check(prompts, answers, ways)[0])
    return first, bool(VERIFIER.symbolic(prompts, answers)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (TWICE, "13.42"),
        (
            START.format(10) + "Let M be the point halfway between A and B. Rotate B about A by"
            " 120 degrees counterclockwise to get P. " + ASK.format("M", "P"),
            "13.23",
        ),
        (
            START.format(5) + "Rotate B about A by 90 degrees counterclockwise to get C. Draw line"
            " g through A and B. Line g has two points at distance 13 from C; let D be the one"
            " nearer to B. " + ASK.format("B", "D"),
            "7.00",
        ),
        (
            START.format(4) + "Rotate B about A by 150 degrees counterclockwise to get C. Draw line"
            " g through A and B. Draw line h through A and C. Let j be the line that bisects the"
            " acute angles between lines h and g. Reflect B in line j to get D. Let E be the point"
            " halfway between B and D. What is the size of angle BAE in degrees? Round to two"
            " decimals.",
            "15.00",
        ),
        (
            START.format(4) + "Let X be any new point of the plane. Reflect X in the point A to get"
            " Y. Reflect Y in the point B to get Z. Consider the vector XZ from X to Z. Translate B"
            " by the vector XZ to get C. " + ASK.format("A", "C"),
            "12.00",
        ),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert both(prompt, answer) == (True, True)
    assert both(prompt, answer[:-1]) == (False, False)
    assert both(prompt, answer + "0") == (False, False)


@pytest.mark.parametrize(
    "prompt",
    [
        START.format(6) + "Let X be any new point of the plane. " + ASK.format("X", "B"),
        START.format(6) + "Draw line g through A and B. Choose any new point C on line g. "
        "Reflect A in the point C to get D. " + ASK.format("B", "D"),
        START.format(6) + "Draw line g through A and B. Let h be the parallel to line g through A. "
        "Lines g and h meet at C. " + ASK.format("A", "C"),
        START.format(6) + "Draw line g through A and B. Rotate B about A by 90 degrees"
        " counterclockwise to get D. Line g has two points at distance 7 from A; let C be the one"
        " nearer to D. " + ASK.format("B", "C"),
        START.format(1) + "Let C be a point at distance 5 from A. " + ASK.format("B", "C"),
    ],
)
def test_questions_without_one_answer_have_none(prompt: str) -> None:
    problem = VERIFIER.problem(prompt)
    assert problem is not None
    assert VERIFIER.answer(prompt) is None
    assert VERIFIER._exact(problem) is None


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        ASK.format("A", "B"),
        TWICE + " ",
        TWICE.replace("Reflect A", "Reflect E"),
        TWICE.replace("to get D", "to get B"),
        TWICE.replace("and D?", "and E?"),
        TWICE.replace("90 degrees", "090 degrees"),
        TWICE.replace("90 degrees", "999999 degrees"),
        TWICE.replace("two decimals", "three decimals"),
        TWICE.replace("between C and D", "between C and C"),
        TWICE.replace("between C and D", "between A and D"),
        START.format(6) + "What is the length of segment AB? Round to two decimals.",
        START.format(6) + "Join A and B by segment BA. Find the length of segment BA, rounded to"
        " two decimals.",
        START.format(6) + "Draw circle c with centre A and radius 3. " + ASK.format("A", "B"),
        ("Mark a new point A in the plane. " * 81) + ASK.format("A", "B"),
    ],
)
def test_other_statements_are_none_of_this_family(prompt: str) -> None:
    assert VERIFIER.problem(prompt) is None


@pytest.mark.parametrize(
    "way",
    [
        "",
        "\n".join(WAY.splitlines()[1:]),
        WAY.replace("(6.0000, 0.0000)", "(6.0002, 0.0000)"),
        WAY.replace("(0.0000, 6.0000)", "(0.0000, -6.0000)"),
        WAY.replace("(0.0000, 6.0000)", "(0.000, 6.000)"),
        WAY.replace("(0.0000, 0.0000)", "(-0.0000, 0.0000)"),
        WAY.replace("13.4164", "13.4174"),
        WAY.replace("13.42", "13.41"),
        WAY.replace("D =", "E ="),
        WAY + "\n13.4164 rounds to 13.42",
    ],
)
def test_a_way_must_place_every_object(way: str) -> None:
    assert both(TWICE, "13.42", WAY) == (True, True)
    assert both(TWICE, "13.42", way)[0] is False


def test_every_command_of_the_grammar_can_be_worked_out_in_both_ways() -> None:
    assert set(WORK) == set(EXACT_WORK) == set(RULES)
    sentences = [
        sentence
        for text in (BASIC, CIRCLE, TRIANGLE, POLYGON)
        for sentence in grammar(text, "any")[1]
    ]
    assert len(sentences) == len(set(sentences)) == 2 * len(RULES)


def test_fifty_digits_agree_at_the_highest_level() -> None:
    generator = GeometryBasic(levels=(7,))
    texts = generator.render(generator.draw(Rows.span(21, 0, 60)), Render("instruction", "none"))
    assert VERIFIER.check(texts.prompts, texts.answers, None).all()
    assert VERIFIER.symbolic(texts.prompts, texts.answers).all()
