"""Values of polynomials: the contract, examples by hand on both sides, what is no problem."""

from typing import Any

import pytest

from synthgen.contract.registry import generator_class
from synthgen.draws.randomness import RowDraws
from synthgen.testing import check_family
from tests.families.scripted import scripted
from tests.families.verdicts import accepts, answer, check_every_line_counts

NAME = "polynomial_evaluation"
WIDE = {"min_coefficient": -99, "max_coefficient": 99, "max_degree": 9, "min_x": -20, "max_x": 20}


@pytest.mark.parametrize(
    "params",
    [{}, {"modulus": 10}, {**WIDE, "level": True}, {**WIDE, "min_terms": 90, "max_terms": 120}],
    ids=str,
)
def test_contract(params: dict[str, Any]) -> None:
    check_family(NAME, params, rows=40 if "min_terms" in params else 100)


WORKED: list[tuple[int, list[tuple[int, int]], int, str, str, list[str]]] = [
    (
        *(-2, [(-3, 3), (2, 1)], 10),
        *("-3*x^3 + 2*x | x = -2 | mod 10", "0"),
        [
            "-3*x^3: -3 * -8 = 24; 0 + 24 = 24, modulo 10: 4",
            "2*x: 2 * -2 = -4; 4 + -4 = 0, modulo 10: 0",
        ],
    ),
    (
        *(2, [(1, 2), (-1, 1), (0, 3), (3, 0)], 0),
        *("x^2 - x + 0*x^3 + 3 | x = 2", "5"),
        [
            "x^2: 1 * 4 = 4; 0 + 4 = 4",
            "-x: -1 * 2 = -2; 4 + -2 = 2",
            "0*x^3: 0 * 8 = 0; 2 + 0 = 2",
            "3: 3 * 1 = 3; 2 + 3 = 5",
        ],
    ),
    (0, [(2, 0)], 0, "2 | x = 0", "2", ["2: 2 * 1 = 2; 0 + 2 = 2"]),
    (
        *(1, [(-3, 3)], 10),
        *("-3*x^3 | x = 1 | mod 10", "7"),
        ["-3*x^3: -3 * 1 = -3; 0 + -3 = -3, modulo 10: 7"],
    ),
]
"""The first is the example of Kazemnejad et al. (2023)."""


@pytest.mark.parametrize(("x", "terms", "modulus", "prompt", "wanted", "lines"), WORKED)
def test_by_hand(
    x: int, terms: list[tuple[int, int]], modulus: int, prompt: str, wanted: str, lines: list[str]
) -> None:
    assert answer(NAME, prompt) == wanted
    check_every_line_counts(NAME, prompt, wanted, lines)
    family: Any = generator_class(NAME)(modulus=modulus)
    drawn = [pair for c, d in terms for pair in ((c, -3, 4), (d, 0, 4))]
    problem = family.make(scripted((len(terms), 1, 9), (x, -2, 3), *drawn))
    assert (problem.answer, family.steps_of(problem)) == (wanted, lines)
    text = family.words.wordings("bare", problem.kind)[0]
    assert text.format(**family.holes_of(problem, RowDraws(0))) == prompt
    assert problem.axes == {"length": len(terms), "degree": max(d for _, d in terms)}


def test_the_order_of_terms_makes_no_other_problem() -> None:
    family: Any = generator_class(NAME)(min_terms=2)
    terms = [[(3, -3, 4), (2, 0, 4)], [(1, -3, 4), (0, 0, 4)]]
    one, other = (
        family.make(scripted((2, 2, 9), (1, -2, 3), *first, *last))
        for first, last in (terms, terms[::-1])
    )
    assert one.tree == other.tree
    assert one.holes != other.holes


@pytest.mark.parametrize(
    "prompt",
    [
        "x^1 | x = 2",
        "x^10 | x = 2",
        "- 3*x | x = 2",
        "3x | x = 2",
        "x | x = 2 | mod 0",
        "x | x = 12345",
        "What is the value of x modulo 5 when x = 1? Answer with a number from 0 to 5.",
    ],
)
def test_what_is_no_problem(prompt: str) -> None:
    assert answer(NAME, prompt) is None
    assert not accepts(NAME, prompt, "2")
