"""Ranks of filled matrices and of matrices by formula: contract, answers by hand, axes."""

from __future__ import annotations

from typing import Any

import pytest

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.core.registry import generator_class, load_verifier
from synthgen.testing import check_family
from tests.families.verdicts import check_every_line_counts

FAMILIES = ("comp_matrix_rank", "trans_matrix_rank")
INDEPENDENT = (
    "In the matrix {}, each asterisk is replaced by a number drawn uniformly at random from {}, "
    "independently of the others. What is the probability that the resulting matrix has rank {}? "
    "Write the probability as a fraction p/q in lowest terms and give the integer p + q."
)
SHUFFLED = (
    "In the matrix {}, the asterisks are replaced by the numbers {} in random order; each number "
    "in this list is used once, and all orders are equally likely. What is the probability that "
    "the resulting matrix has rank {}? Write the probability as a fraction p/q in lowest terms and "
    "give the integer p + q."
)
FORMULA = (
    "A matrix has {0} rows and {0} columns, numbered from 1. Its entry in row i and column j is "
    "{1}. What is the rank of the matrix over the rational numbers? Give an integer."
)
GAPS = "[[*, *], [*, *]]"


def answer(family: str, prompt: str) -> str | None:
    verifier: Any = load_verifier(family)
    found: str | None = verifier.answer(prompt)
    return found


@pytest.mark.parametrize("level", range(1, 6))
@pytest.mark.parametrize("family", FAMILIES)
def test_contract(family: str, level: int) -> None:
    check_family(family, {"levels": (level,)}, rows=40)


@pytest.mark.parametrize("family", FAMILIES)
def test_contract_of_all_levels(family: str) -> None:
    check_family(family, rows=80)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (SHUFFLED.format(GAPS, "0, 1, 1, 0", 2), "4"),  # on the two diagonals: 1/3
        (SHUFFLED.format(GAPS, "0, 1, 1, 0", 1), "5"),
        (INDEPENDENT.format(GAPS, "{0, 1}", 1), "25"),  # 9/16
        (INDEPENDENT.format(GAPS, "{1, 0}", 2), "11"),  # 6/16
        (INDEPENDENT.format("[[1, 2], [*, 4]]", "{2, 0}", 1), "3"),
        (INDEPENDENT.format("[[1, *, 3], [2, 4, 6]]", "{2, 5}", 2), "3"),
    ],
)
def test_probabilities_by_hand(prompt: str, expected: str) -> None:
    assert answer("comp_matrix_rank", prompt) == expected


@pytest.mark.parametrize(
    "prompt",
    [
        SHUFFLED.format(GAPS, "0, 1, 1", 2),
        SHUFFLED.format("[[*, *], [*]]", "0, 1, 1", 1),
        SHUFFLED.format(
            "[[*, *, *, *], [*, *, *, *], [*, *, 1, 2]]", "0, 1, 2, 3, 4, 5, 6, 7, 8, 9", 2
        ),
        INDEPENDENT.format(GAPS, "{1, 1}", 1),
        INDEPENDENT.format(GAPS, "{0, 1}", 3),  # impossible
        INDEPENDENT.format("[[*, 1], [1, 1]]", "{2, 3}", 2),  # certain
        INDEPENDENT.format("[[1, 2], [3, 4]]", "{0, 1}", 1),
        INDEPENDENT.format("[[*, 01], [1, 1]]", "{0, 1}", 1),
        INDEPENDENT.format("[[*, 1], [1, 1]]", "{0, 100}", 1),
        INDEPENDENT.format(str([["*"] * 4] * 4).replace("'", ""), "{0, 1, 2}", 1),
    ],
)
def test_other_fillings_pose_no_problem(prompt: str) -> None:
    assert answer("comp_matrix_rank", prompt) is None


def test_steps_list_the_fillings_of_each_rank() -> None:
    prompt = SHUFFLED.format(GAPS, "0, 1, 1, 0", 2)
    ranks = {"0, 0, 1": 1, "0, 1, 0": 1, "0, 1, 1": 2, "1, 0, 0": 2, "1, 0, 1": 1, "1, 1, 0": 1}
    lines = [
        f"fillings that begin with {head}: {[int(r == rank) for r in range(3)]}"
        for head, rank in ranks.items()
    ]
    lines += ["fillings of rank 0, 1, ...: [0, 4, 2]", "probability of rank 2 = 2/6 = 1/3"]
    check_every_line_counts("comp_matrix_rank", prompt, "4", [*lines, "1 + 3 = 4"])


@pytest.mark.parametrize(
    ("n", "entry", "expected", "lines"),
    [
        (
            22,
            "-i*j + 2*i + 3",
            "2",
            [
                "coefficients of i^k*j^l by k and l: [[3, 0, 0], [2, -1, 0], [0, 0, 0]]",
                "minor of rows 1, 2 and columns 1, 2: -3",
            ],
        ),
        (20, "(2*i - j)^2", "3", ["coefficients of i^k*(-j)^(2 - k) for k = 0, ..., 2: [1, 4, 4]"]),
        (30, "|i - j|", "30", [f"det(A) = (-1)^(n - 1)*(n - 1)*2^(n - 2) = {-29 * 2**28}"]),
        (
            24,
            "the remainder when i + j is divided by 2",
            "2",
            [
                "first 2 rows and columns: [[0, 1], [1, 0]]",
                "minor of rows 1, 2 and columns 1, 2: -1",
            ],
        ),
    ],
)
def test_steps_reduce_a_formula(n: int, entry: str, expected: str, lines: list[str]) -> None:
    prompt = FORMULA.format(n, entry)
    lines = [*lines, f"rank = {expected}"]
    check_every_line_counts("trans_matrix_rank", prompt, expected, lines)


def test_the_sign_under_an_even_power_does_not_make_another_problem() -> None:
    generator = generator_class("trans_matrix_rank")(levels=(1, 2))
    problems = generator.draw(Rows.span(3, 0, 600))
    trees = [one.tree for one in problems.parts["made"] if one and one.kind == "power"]
    even = [tree for tree in trees if tree[-1] % 2 == 0]
    assert all(tree[2][4] > 0 for tree in even)  # of i
    assert any(tree[2][4] < 0 for tree in trees)


@pytest.mark.parametrize(
    ("n", "entry", "expected"),
    [
        (20, "i + j", "2"),
        (21, "the remainder when i*j is divided by 7", "4"),
        (20, "(i + j)^2", "3"),
        (20, "max(i, j)", "20"),
        (60, "gcd(i, j)", "60"),
        (24, "1 if i + j is divisible by 5, and 0 otherwise", "5"),
        (20, "-3*i^2*j + 4", "2"),
        (8, "7", "1"),
        (2, "i - j", "2"),
        (3, "|i - j|", "3"),
    ],
)
def test_ranks_by_hand(n: int, entry: str, expected: str) -> None:
    assert answer("trans_matrix_rank", FORMULA.format(n, entry)) == expected


@pytest.mark.parametrize(
    ("n", "entry"),
    [
        *((n, "i + j") for n in (61, 99, "020", 0)),
        *((20, entry) for entry in ("i + k", "i*i", "ij", "1*i", "i + ", "", " i", "i  + j")),
        *((20, entry) for entry in ("+i", "-0", "i^1", "i^3", "j*i", "01*i", "(max(i, j))^2")),
        (20, "the remainder when max(i, j) is divided by 5"),
        (20, "the remainder when i + j is divided by 0"),
    ],
)
def test_other_formulas_pose_no_problem(n: object, entry: str) -> None:
    assert answer("trans_matrix_rank", FORMULA.format(n, entry)) is None


@pytest.mark.parametrize("level", range(1, 6))
def test_axes_are_what_the_text_says(level: int) -> None:
    generator = generator_class("trans_matrix_rank")(levels=(level,))
    problems = generator.draw(Rows.span(3, 0, 100))
    texts = generator.render(problems, Render("instruction", "none"))
    for i, prompt in enumerate(texts.prompts.to_pylist()):
        n, rank = problems.axes["size"][i], problems.axes["matrix_rank"][i]
        assert f"{n} rows" in prompt or f"{n} x {n} matrix" in prompt or f"to {n}," in prompt
        assert texts.answers[i].as_py() == str(rank)
