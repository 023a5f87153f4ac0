"""Ranks of filled matrices and of matrices by formula: contract, answers by hand, axes."""

import pytest

from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from tests.families.omega.matrices.test_arithmetic import (
    ALL,
    DETERMINANT,
    EXAMPLE,
    INVERSE_LARGEST,
    INVERSE_TRACE,
    LEFT,
    POWER,
    PRODUCT,
    RANK,
    RIGHT,
    TWO,
    UNIT,
    valid,
)
from tests.families.verdicts import accepts, answer, check_every_line_counts

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


@pytest.mark.parametrize("family", FAMILIES)
def test_contract(family: str) -> None:
    check_family(family, rows=200)


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


DETERMINANT_STEPS = (
    "pivot 2, divisor 1: [[8, 10], [0, 18]]\npivot 8, divisor 2: [[72]]\ndet = 72\n72 mod 1000 = 72"
)
SWAPPED_STEPS = "swap rows 1 and 2\npivot 3, divisor 1: [[6]]\ndet = -6\n-6 mod 1000 = 994"
RANK_STEPS = (
    "pivot 1, divisor 1: [[0, 0, 0], [1, 0, 1], [1, 0, 1]]\n"
    "swap rows 1 and 2\n"
    "pivot 1, divisor 1: [[0, 0], [0, 0]]\n"
    "rank = 2"
)
ZERO_COLUMN = "drop a zero column: [[2], [3]]\npivot 2, divisor 1: [[]]\nrank = 1"
INVERSE_STEPS = (
    "inverse of A = [[3, 0, -3], [0, 1, 0], [-3, 0, 6]] / 3\n"
    "trace of the inverse of A = 10/3\n"
    "trace of the inverse of B = 60 * 10/3 = 200\n"
    "rounded = 200"
)
LARGEST_STEPS = (
    "inverse of A = [[1, 0], [0, -1]] / 3\n"
    "largest entry of the inverse of A = {0}1/3\n"
    "largest entry of the inverse of B = 1 * {0}1/3 = {0}1/3\n"
    "rounded = 0"
)
TRACE_STEPS = (
    "entry (1, 1) of A*B = 1*2 + (-2)*(-3) + 3*1 = 11\n"
    "entry (2, 2) of A*B = 0*0 + 4*1 + (-1)*1 = 3\n"
    "entry (3, 3) of A*B = 5*1 + 2*4 + 2*(-2) = 9\n"
    "trace = 23"
)
ROW_STEPS = (
    "row 1 of A*B = [11, 1, -13], sum -1\n"
    "row 2 of A*B = [-13, 3, 18], sum 8\n"
    "row 3 of A*B = [6, 4, 9], sum 19\n"
    "sum = 26"
)
POWER_STEPS = (
    "A^2 = [[1, 2, 1], [0, 1, 2], [0, 0, 1]]\nA^3 = [[1, 3, 3], [0, 1, 3], [0, 0, 1]]\nsum = 12"
)
DETERMINANT_PROMPT = DETERMINANT.format([[2, -1, 3], [0, 4, 5], [-2, 1, 6]])
TRACE_PROMPT = PRODUCT.format(LEFT, RIGHT, "trace")
INVERSE_PROMPT = INVERSE_TRACE.format(EXAMPLE, 60)


@pytest.mark.parametrize(
    ("family", "prompt", "answer", "solution"),
    [
        ("determinant", DETERMINANT_PROMPT, "72", DETERMINANT_STEPS),
        ("determinant", DETERMINANT.format([[0, 2], [3, 5]]), "994", SWAPPED_STEPS),
        ("rank", RANK.format(TWO), "2", RANK_STEPS),
        ("rank", RANK.format([[0, 2], [0, 3]]), "1", ZERO_COLUMN),
        ("inverse", INVERSE_PROMPT, "200", INVERSE_STEPS),
        *(
            ("inverse", INVERSE_LARGEST.format([[3, 0], [0, -3]], 1), "0", LARGEST_STEPS.format(x))
            for x in ("", "-")
        ),
        ("multiplication", TRACE_PROMPT, "23", TRACE_STEPS),
        ("multiplication", PRODUCT.format(LEFT, RIGHT, ALL), "26", ROW_STEPS),
        (
            "multiplication",
            PRODUCT.format(LEFT, RIGHT, "entry in row 1 and column 1"),
            "11",
            TRACE_STEPS.partition("\n")[0],
        ),
        ("power", POWER.format(UNIT, ALL, 3), "12", POWER_STEPS),
    ],
)
def test_solutions_by_hand(family: str, prompt: str, answer: str, solution: str) -> None:
    assert accepts(f"arithmetic_matrix_{family}", prompt, answer, solution)


@pytest.mark.parametrize(
    ("family", "prompt", "answer", "solution"),
    [
        *(
            ("determinant", DETERMINANT_PROMPT, "72", steps)
            for steps in (
                "det = 72\n72 mod 1000 = 72",
                DETERMINANT_STEPS.replace("[0, 18]", "[0, 19]"),
                DETERMINANT_STEPS.replace("divisor 2", "divisor 1"),
                DETERMINANT_STEPS.replace("det = 72", "det = 1072").replace("72 mod", "1072 mod"),
                DETERMINANT_STEPS + "\n72 mod 1000 = 72",
                "swap rows 1 and 1\n" + DETERMINANT_STEPS,
                "",
            )
        ),
        ("determinant", DETERMINANT.format([[0, 1], [0, 2]]), "0", "det = 0\n0 mod 1000 = 0"),
        *(
            ("rank", RANK.format(TWO), "2", steps)
            for steps in (
                RANK_STEPS.replace("swap rows 1 and 2\n", ""),
                RANK_STEPS.replace("rank = 2", "rank = 3"),
                RANK_STEPS.partition("\n")[2],
                RANK_STEPS + "\nrank = 2",
                "rank = 2",
            )
        ),
        *(
            ("inverse", INVERSE_PROMPT, "200", steps)
            for steps in (
                INVERSE_STEPS.replace("/ 3\n", "/ 6\n"),
                INVERSE_STEPS.replace(
                    "[[3, 0, -3], [0, 1, 0], [-3, 0, 6]] / 3",
                    "[[6, 0, -6], [0, 2, 0], [-6, 0, 12]] / 6",
                ),
                INVERSE_STEPS.replace("[-3, 0, 6]]", "[-3, 0, 5]]"),
                INVERSE_STEPS.replace("[0, 1, 0]", "[0, 01, 0]"),
                INVERSE_STEPS.replace("[0, 1, 0]", "[0, , 0]"),
                INVERSE_STEPS.replace("A = 10/3", "A = 20/6"),
                INVERSE_STEPS.replace("= 60 *", "= 61 *"),
                INVERSE_STEPS.partition("\n")[2],
                INVERSE_STEPS + "\nrounded = 200",
                "",
            )
        ),
        *(
            ("multiplication", TRACE_PROMPT, "23", steps)
            for steps in (
                TRACE_STEPS.replace("(-2)*(-3)", "-2*-3"),
                TRACE_STEPS.replace("= 11", "= 12"),
                TRACE_STEPS.partition("\n")[2],
                TRACE_STEPS + "\ntrace = 23",
                ROW_STEPS,
                "trace = 23",
            )
        ),
        *(
            ("power", POWER.format(UNIT, ALL, 3), "12", steps)
            for steps in (
                POWER_STEPS.replace("A^2", "A^4"),
                POWER_STEPS.replace("[0, 1, 3]", "[0, 1, 4]"),
                POWER_STEPS.partition("\n")[2],
                POWER_STEPS + "\nsum = 12",
                "sum = 12",
            )
        ),
    ],
)
def test_steps_must_lead_to_the_answer(
    family: str, prompt: str, answer: str, solution: str
) -> None:
    assert not accepts(f"arithmetic_matrix_{family}", prompt, answer, solution)


def test_families_without_steps_accept_none() -> None:
    prompt = "What is the largest singular value of [[1]], rounded to the nearest integer?"
    assert not accepts("arithmetic_matrix_svd", prompt, "1", "1")


def test_the_longest_solutions_can_be_read() -> None:
    params = {"levels": (9,), "min_size": 20, "max_size": 20, "max_entry": 99}
    problems = valid("rank", 3, 20, **params)
    generator = generator_class("arithmetic_matrix_rank")(**params)
    texts = generator.render(problems, Render("boxed", "steps"))
    assert texts.solutions is not None
    assert max(map(len, texts.solutions.to_pylist())) > 60_000
    verifier = load_verifier("arithmetic_matrix_rank")
    assert verifier.check(texts.prompts, texts.answers, texts.solutions).all()


def test_powers_are_written_by_squaring() -> None:
    params = {"levels": (1,), "min_exponent": 11, "max_exponent": 11}
    generator = generator_class("arithmetic_matrix_power")(**params)
    texts = generator.render(generator.draw(Rows.span(1, 0, 3)), Render("instruction", "steps"))
    assert texts.solutions is not None
    for solution in texts.solutions.to_pylist():
        names = [line.partition(" = ")[0] for line in solution.split("\n")]
        assert names[:-1] == ["A^2", "A^4", "A^5", "A^10", "A^11"]


SPECTRA = {
    "eigenvalues": (
        "What is the largest absolute value of an eigenvalue of [[1, 2], [2, -2]]? Round your"
        " answer to the nearest integer.",
        "3",
        [
            "characteristic polynomial of A: [1, 1, -6]",
            "eigenvalues: -3.000, 2.000",
            "largest absolute value, to the nearest integer: 3",
        ],
    ),
    "svd": (
        "What is the sum of all singular values of [[1, 1], [0, 1]], counted with multiplicity?"
        " Round only the sum, to the nearest integer.",
        "2",
        [
            "A^T*A = [[1, 1], [1, 2]]",
            "characteristic polynomial of A^T*A: [1, -3, 1]",
            "singular values: 0.618, 1.618",
            "sum of singular values, to the nearest integer: 2",
        ],
    ),
}


@pytest.mark.parametrize("family", SPECTRA)
def test_steps_state_the_spectrum(family: str) -> None:
    prompt, answer, lines = SPECTRA[family]
    check_every_line_counts(f"arithmetic_matrix_{family}", prompt, answer, lines)


def test_equal_eigenvalues_are_all_listed() -> None:
    prompt = (
        "What is the sum of the absolute values of all eigenvalues of [[1, 1, 1], [1, 1, 1],"
        " [1, 1, 1]], counted with multiplicity? Round only the sum, to the nearest integer."
    )
    start, end = (
        "characteristic polynomial of A: [1, -3, 0, 0]\neigenvalues: ",
        ("\nsum of absolute values, to the nearest integer: 3"),
    )
    name = "arithmetic_matrix_eigenvalues"
    assert accepts(name, prompt, "3", f"{start}0.000, 0.000, 3.000{end}")
    assert not accepts(name, prompt, "3", f"{start}0.000, 3.000, 3.000{end}")
    assert not accepts(name, prompt, "3", f"{start}0.000, 3.000{end}")
