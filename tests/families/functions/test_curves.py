"""Curves with random coefficients, iterated tents and waves, and integrals by symmetry."""

from __future__ import annotations

from fractions import Fraction

import pytest

from synthgen.core.randomness import Rows
from synthgen.core.registry import generator_class, load_verifier
from synthgen.testing import check_family
from tests.families.verdicts import check_every_line_counts

NAMES = ("comp_parametric_intersection", "trans_func_intersection", "trans_integrations")


@pytest.mark.parametrize("levels", [(1, 2, 3), (4, 5)])
@pytest.mark.parametrize("name", NAMES)
def test_contracts(name: str, levels: tuple[int, ...]) -> None:
    check_family(name, {"levels": levels}, rows=200, least_valid=0.9)


CHANCE = (
    "Two curves in the plane have the equations {} and {}, where {}, uniformly and independently of"
    " each other. Find the probability that the curves meet. If this probability is P/Q in lowest"
    " terms, what is P + Q? Give an integer."
)


@pytest.mark.parametrize(
    ("first", "second", "sets", "answer"),
    [
        ("y = x^2", "y = b*x + c", "b is drawn from {0, 1} and c from {-1, 1}", "3"),
        ("x^2 + y^2 = r", "y = x + c", "r is drawn from {1, 2} and c from {2, 3}", "5"),
        ("y = a*|x - 1| + 2", "y = c", "a is drawn from {-1, 1} and c from {1, 2}", "7"),
        (
            "y = x^2 + c",
            "y = a*x^2 + b*x + 1",
            "c is drawn from {1, 3}, a from {1, 2} and b from {0, 1}",
            "15",
        ),
        ("y = |x| + c", "y = b*x", "c is drawn from {0, 1} and b from {-1, 1}", "3"),
        ("y = x^2", "y = b*x + c", "b is drawn from {0, 0} and c from {-1, 1}", None),
        ("y = x^2", "y = b*x", "b is drawn from {0, 1} and c from {-1, 1}", None),
        ("y = x^2", "y = b*x + b", "b is drawn from {0, 1} and c from {-1, 1}", None),
        ("y = x^2", "y = b*x + c", "b is drawn from {0, 1} and c from {8, 9}", None),  # certain
        ("y = x^2", "y = b*x + c", "b is drawn from {0, 1} and c from {-9, -8}", None),
        ("y = x^3", "y = b*x + c", "b is drawn from {0, 1} and c from {-1, 1}", None),
        ("y = x^2 + 01", "y = b*x + c", "b is drawn from {0, 1} and c from {-1, 1}", None),
    ],
)
def test_chances_by_hand(first: str, second: str, sets: str, answer: str | None) -> None:
    verifier = load_verifier(NAMES[0])
    assert verifier.answer(CHANCE.format(first, second, sets)) == answer  # type: ignore[attr-defined]
    assert verifier.answer(CHANCE.format(second, first, sets)) == answer  # type: ignore[attr-defined]


def test_steps_must_lead_to_the_answer() -> None:
    prompt = CHANCE.format("y = x^2", "y = b*x + c", "b is drawn from {0, 1} and c from {-1, 1}")
    lines = [
        "the curves meet if the discriminant of the difference of the right sides is not negative",
        "b = 0: 1 of 2",
        "b = 1: 1 of 2",
        "choices: 2 * 2 = 4, with which the curves meet: 2",
        "2/4 = 1/2: 1 + 2 = 3",
    ]
    check_every_line_counts(NAMES[0], prompt, "3", lines)


TENT = (
    "Let t(x) = {s} - |{s} - 2*x| for 0 <= x <= {s}, and let f be the iterate of t that applies it"
    " {k}. For how many x in this interval does y = f(x) satisfy {line}? The answer is an integer."
)
WAVE = "How many real numbers x with 0 <= x < {} satisfy {} = {}? Give an integer."


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (TENT.format(s=1, k="once", line="y = x"), "2"),
        (TENT.format(s=1, k="twice", line="2*y = 1"), "4"),
        (TENT.format(s=1, k="3 times", line="y = x"), "8"),
        (TENT.format(s=2, k="once", line="y = 2"), "1"),
        (TENT.format(s=1, k="once", line="y = 2*x"), None),  # a whole piece
        (TENT.format(s=0, k="once", line="y = x"), None),
        (TENT.format(s=1, k="once", line="1*y = x"), None),
        (TENT.format(s=1, k="2 times", line="y = x"), None),
        (WAVE.format(2, "|1*sin(pi*x)|", 1), "2"),
        (WAVE.format(2, "||2*sin(pi*x)| - 1|", 1), "4"),
        (WAVE.format(1, "||4*sin(2*pi*x)| - 1|", 0), "4"),
        (WAVE.format(1, "|2*sin(pi*x)|", 1), None),  # half a period
        (WAVE.format(2, "|2*sin(pi*x)| - 1|", 1), None),
    ],
)
def test_tents_and_waves_by_hand(prompt: str, answer: str | None) -> None:
    assert load_verifier(NAMES[1]).answer(prompt) == answer  # type: ignore[attr-defined]


def test_steps_of_tents_and_waves() -> None:
    lines = [
        "f has 4 pieces of width 1/4, from 0 to 1 or from 1 to 0",
        "points inside rising pieces: 1, inside falling pieces: 2, at ends of pieces: 1",
        "1 + 2 + 1 = 4",
    ]
    prompt = TENT.format(s=1, k="twice", line="y = x")
    check_every_line_counts(NAMES[1], prompt, "4", lines)
    lines = [
        "values inside 1 pair of bars: [0]",
        "values inside 2 pairs of bars: [-1, 1]",
        "x in one period: 4, periods: 1",
        "4 * 1 = 4",
    ]
    prompt = WAVE.format(1, "||4*sin(2*pi*x)| - 1|", 0)
    check_every_line_counts(NAMES[1], prompt, "4", lines)


def test_multiples_of_a_line_against_a_tent_are_one_problem() -> None:
    problems = generator_class(NAMES[1])(levels=(1,)).draw(Rows.span(3, 0, 1_500))
    made = [one for one in problems.parts["made"] if one.kind == "line"]
    lines = {(*one.tree[:3], *(Fraction(x, one.tree[3]) for x in one.tree[4:])) for one in made}
    texts = {(one.tree, one.holes["left"], one.holes["line"]) for one in made}
    assert len({one.tree for one in made}) == len(lines) < len(texts)


INTEGRAL = (
    "Compute the integral of {} with respect to x from {} to {}, rounded to two decimal places."
)


@pytest.mark.parametrize(
    ("f", "a", "b", "answer"),
    [
        ("sin(x)^7/(sin(x)^7 + cos(x)^7)", "0", "pi/2", "0.79"),
        ("x*sin(x)/(1 + cos(x)^2)", "0", "pi", "2.47"),
        ("ln(1 + tan(x))", "0", "pi/4", "0.27"),
        ("8*ln(1 + x)/(1 + x^2)", "0", "1", "2.18"),
        ("x^2/(1 + 3^x)", "-3", "3", "9.00"),
        ("x^3*cos(x) + 3*x^2 + 1", "-1", "1", "4.00"),
        ("(x + 1)^2/((x + 1)^2 + (6 - x)^2)", "0", "5", "2.50"),
        ("x*sin(x)^2", "0", "pi", "2.47"),
        ("x*sin(x)", "0", "pi/2", None),
        ("x^2/(1 + 3^x)", "3", "-3", None),
        ("sin(x)^7/(sin(x)^7 + cos(x)^8)", "0", "pi/2", None),
        ("x^2", "0", "1", None),
        ("(x + 1)^2/((x + 1)^2 + (6 - x)^2)", "-2", "5", None),  # negative bases
    ],
)
def test_integrals_by_hand(f: str, a: str, b: str, answer: str | None) -> None:
    assert load_verifier(NAMES[2]).answer(INTEGRAL.format(f, a, b)) == answer  # type: ignore[attr-defined]


def test_steps_of_integrals() -> None:
    lines = [
        "f(x) + f(pi - x) = 2*pi*sin(x)^2",
        "integral of 2*pi*sin(x)^2 from 0 to pi: pi^2",
        "half of it: 1/2*pi^2 = 4.9348...",
        "rounded: 4.93",
    ]
    prompt = INTEGRAL.format("2*x*sin(x)^2", "0", "pi")
    check_every_line_counts(NAMES[2], prompt, "4.93", lines)
