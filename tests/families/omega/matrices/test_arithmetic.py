"""The seven matrix families: contract, answers by hand, params, axes and the size of spaces."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from synthgen.contract.interfaces import Problems, Render
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from synthgen.trees.derivations import derivation_text
from tests.families.verdicts import valid_problems

NAMES = ("determinant", "eigenvalues", "inverse", "multiplication", "power", "rank", "svd")
FAMILIES = [f"arithmetic_matrix_{name}" for name in NAMES]
Matrix = list[list[int]]

DETERMINANT = (
    "Let A = {}. Find det(A) modulo 1000. Give the least non-negative residue, an integer."
)
RANK = "What is the rank of the matrix {}? Give an integer."
DOMINANT = (
    "What is the largest absolute value of an eigenvalue of {}? Round your answer to the nearest "
    "integer."
)
EIGENVALUE_SUM = (
    "What is the sum of the absolute values of all eigenvalues of {}, counted with multiplicity? "
    "Round only the sum, to the nearest integer."
)
LARGEST = "What is the largest singular value of {}, rounded to the nearest integer?"
SUM = (
    "What is the sum of all singular values of {}, counted with multiplicity? Round only the sum, "
    "to the nearest integer."
)
SPREAD = (
    "By how much does the largest singular value of {} exceed the smallest? Round only the "
    "difference, to the nearest integer."
)
INVERSE = "Let A = {} and B = A/{}. "
INVERSE_SUM = INVERSE + (
    "What is the sum of all entries of the inverse of B, rounded to the nearest integer?"
)
INVERSE_ABSOLUTE_SUM = INVERSE + (
    "What is the sum of the absolute values of all entries of the inverse of B, rounded to the "
    "nearest integer?"
)
INVERSE_TRACE = INVERSE + "What is the trace of the inverse of B, rounded to the nearest integer?"
INVERSE_LARGEST = INVERSE + (
    "Which entry of the inverse of B has the largest absolute value? Give this entry, with its "
    "sign, rounded to the nearest integer."
)
INVERSE_ENTRY = INVERSE + (
    "What is the entry in row {} and column {} of the inverse of B, rounded to the nearest integer?"
)
PRODUCT = "Let A = {} and B = {}. What is the {} of A*B? Give an integer."
POWER = "Let A = {}. What is the {} of A^{}? Give an integer."
ALL, ALL_ABSOLUTE = "sum of all entries", "sum of the absolute values of all entries"

UNIT = [[1, 1, 0], [0, 1, 1], [0, 0, 1]]
OTHER = [[1, -2, 0], [3, 1, 1], [0, 2, -1]]
TWO = [[1, 2, 3, 4], [2, 4, 6, 8], [0, 1, 0, 1], [1, 3, 3, 5]]
TRIANGULAR = [[3, 1, 2], [0, -5, 4], [0, 0, 2]]
SYMMETRIC = [[2, 1, 0], [1, 2, 1], [0, 1, 2]]
EXAMPLE = [[2, 0, 1], [0, 3, 0], [1, 0, 1]]
LEFT = [[1, -2, 3], [0, 4, -1], [5, 2, 2]]
RIGHT = [[2, 0, 1], [-3, 1, 4], [1, 1, -2]]
DIAGONAL = [[3, 0, 0, 0], [0, -4, 0, 0], [0, 0, 1, 0], [0, 0, 0, 2]]
GENERAL = [[1, 2, 0, -1], [0, 3, 1, 2], [-2, 0, 1, 1], [4, -1, 0, 2]]
CIRCULANT = [[35 if (c - r) % 12 < 2 else -1 for c in range(12)] for r in range(12)]
"""36 (I + P) - J, P the cyclic shift, J all ones, takes (1, -1, 1, ...) to 0."""
UPPER = [[35 if r == c else 1 if c > r else 0 for c in range(12)] for r in range(12)]


def answer(family: str, prompt: str) -> str | None:
    verifier: Any = load_verifier(f"arithmetic_matrix_{family}")
    found: str | None = verifier.answer(prompt)
    return found


def valid(family: str, seed: int, n: int, **params: Any) -> Problems:
    generator = generator_class(f"arithmetic_matrix_{family}")(**params)
    return valid_problems(generator, Rows.span(seed, 0, n))


def matrices_of(family: str, problems: Problems) -> list[Matrix]:
    """Read the square matrices of derivations that end with one."""
    signature = generator_class(f"arithmetic_matrix_{family}")().signature
    found = []
    for text in derivation_text(problems.derivations, signature).to_pylist():
        words = text.rpartition("(matrix")[2].rstrip(")").split()
        assert not any("(" in word for word in words), "entries of more than three digits"
        n = int(words[0].partition("x")[0])
        found.append([list(map(int, words[1 + n * r : 1 + n * r + n])) for r in range(n)])
    return found


def texts_of(family: str, problems: Problems, **params: Any) -> tuple[list[str], list[str]]:
    generator = generator_class(f"arithmetic_matrix_{family}")(**params)
    texts = generator.render(problems, Render("instruction", "none"))
    return texts.prompts.to_pylist(), texts.answers.to_pylist()


SIZES = {"min_size": 2, "max_size": 5, "max_entry": 9}


@pytest.mark.parametrize("params", [{"levels": (1, 2, 3)}, {"levels": (4, 5, 6, 7, 8, 9)}, SIZES])
@pytest.mark.parametrize("name", FAMILIES)
def test_contract(name: str, params: dict[str, Any]) -> None:
    check_family(name, params, rows=60)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in FAMILIES if "svd" in name or "rank" in name])
def test_contract_at_the_largest_sizes(name: str) -> None:
    check_family(name, {"levels": (9,), "min_size": 20, "max_size": 20, "max_entry": 99}, rows=40)


@pytest.mark.parametrize(
    ("family", "prompt", "expected"),
    [
        ("determinant", DETERMINANT.format([[2, -1, 3], [0, 4, 5], [-2, 1, 6]]), "72"),
        ("determinant", DETERMINANT.format([[-3, 2, 1], [4, 0, -2], [5, 1, 6]]), "930"),
        ("determinant", DETERMINANT.format([[1, 2], [2, 4]]), "0"),
        ("determinant", DETERMINANT.format([[0, 1], [1, 0]]), "999"),
        ("determinant", DETERMINANT.format([[10, 1], [0, 100]]), "0"),
        ("determinant", DETERMINANT.format([[7]]), "7"),
        ("determinant", DETERMINANT.format(CIRCULANT), "0"),
        ("determinant", DETERMINANT.format(UPPER), str(35**12 % 1000)),  # beyond 2^61
        ("rank", RANK.format(TWO), "2"),
        ("rank", RANK.format([[3, 0, 1, 2], [1, 1, 1, 1], [4, 1, 2, 3], [0, 0, 0, 5]]), "3"),
        ("rank", RANK.format([[0, 0], [0, 0]]), "0"),
        ("rank", RANK.format([[5]]), "1"),
        ("rank", RANK.format([[i + j for j in range(20)] for i in range(20)]), "2"),
        ("rank", RANK.format([[i * j % 7 for j in range(20)] for i in range(20)]), "4"),
        ("eigenvalues", DOMINANT.format(TRIANGULAR), "5"),  # the eigenvalue is -5
        ("eigenvalues", EIGENVALUE_SUM.format(TRIANGULAR), "10"),
        ("eigenvalues", DOMINANT.format(SYMMETRIC), "3"),  # 2 + sqrt(2)
        ("eigenvalues", EIGENVALUE_SUM.format(SYMMETRIC), "6"),
        ("eigenvalues", EIGENVALUE_SUM.format([[0, 1], [1, 0]]), "2"),
        ("eigenvalues", DOMINANT.format([[1, 1], [1, 0]]), "2"),  # the golden ratio
        ("eigenvalues", EIGENVALUE_SUM.format([[1, 1], [1, 0]]), "2"),  # sqrt(5)
        ("eigenvalues", EIGENVALUE_SUM.format([[1, 1, 1]] * 3), "3"),
        ("eigenvalues", EIGENVALUE_SUM.format([[0, 1, 1], [1, 0, 1], [1, 1, 0]]), "4"),
        ("eigenvalues", EIGENVALUE_SUM.format([[0, 0], [0, 0]]), "0"),
        ("eigenvalues", DOMINANT.format([[-7]]), "7"),
        ("svd", SUM.format(DIAGONAL), "10"),
        ("svd", SPREAD.format(DIAGONAL), "3"),
        ("svd", LARGEST.format(GENERAL), "5"),
        ("svd", SUM.format([[1, 1], [1, 1]]), "2"),
        ("svd", SPREAD.format([[0, 5], [-5, 0]]), "0"),
        ("svd", SUM.format([[2] * 20] * 20), "40"),
        ("svd", LARGEST.format([[1, 1], [0, 1]]), "2"),  # the golden ratio
        ("svd", SPREAD.format([[1, 1], [0, 1]]), "1"),  # just 1: the ratio less its inverse
        ("svd", LARGEST.format([[-6]]), "6"),
        ("inverse", INVERSE_TRACE.format(EXAMPLE, 60), "200"),
        ("inverse", INVERSE_SUM.format(EXAMPLE, 60), "80"),
        ("inverse", INVERSE_ABSOLUTE_SUM.format(EXAMPLE, 60), "320"),
        ("inverse", INVERSE_LARGEST.format(EXAMPLE, 60), "120"),
        ("inverse", INVERSE_LARGEST.format([[2, 0], [0, -1]], 3), "-3"),
        ("inverse", INVERSE_LARGEST.format([[3, 0], [0, -3]], 1), "0"),  # 1/3 and -1/3
        ("inverse", INVERSE_ENTRY.format(EXAMPLE, 60, 3, 1), "-60"),
        ("inverse", INVERSE_ENTRY.format([[1, 2], [3, 4]], 10, 2, 1), "15"),
        ("inverse", INVERSE_ENTRY.format([[1, 2], [3, 4]], 10, 1, 2), "10"),
        ("inverse", INVERSE_TRACE.format([[3]], 10), "3"),
        ("multiplication", PRODUCT.format(LEFT, RIGHT, "trace"), "23"),
        ("multiplication", PRODUCT.format(LEFT, RIGHT, ALL_ABSOLUTE), "78"),
        ("multiplication", PRODUCT.format(LEFT, RIGHT, ALL), "26"),
        ("multiplication", PRODUCT.format(LEFT, RIGHT, "entry in row 2 and column 3"), "18"),
        ("multiplication", PRODUCT.format([[1], [2]], [[3, 4]], ALL), "21"),
        (
            "multiplication",
            PRODUCT.format([[9_999_999] * 20] * 20, [[-9_999_999] * 20] * 20, ALL_ABSOLUTE),
            str(8000 * 9_999_999**2),
        ),
        ("power", POWER.format(UNIT, ALL, 3), "12"),
        ("power", POWER.format(OTHER, "entry in row 2 and column 1", 3), "-3"),
        ("power", POWER.format([[0, -1], [1, 0]], ALL_ABSOLUTE, 7), "2"),
        ("power", POWER.format([[0, -1], [1, 0]], ALL, 1), "0"),
        ("power", POWER.format([[-9] * 16] * 16, ALL, 11), str(-(9**11) * 16**12)),
        ("power", POWER.format([[-9] * 16] * 16, ALL_ABSOLUTE, 11), str(9**11 * 16**12)),
    ],
)
def test_answers_by_hand(family: str, prompt: str, expected: str) -> None:
    assert answer(family, prompt) == expected


@pytest.mark.parametrize(
    ("family", "prompt"),
    [
        *(("determinant", DETERMINANT.format(a)) for a in ("[[1, 2]]", "[]", "[[1,2],[3,4]]")),
        *(("determinant", DETERMINANT.format(a)) for a in ("[[1, 2], [3]]", "[[01]]", "[[-0]]")),
        *(("determinant", DETERMINANT.format(a)) for a in ("[[+1]]", "[[1.0]]", "[[ 1]]", "[[١]]")),
        *(("determinant", DETERMINANT.format(a)) for a in ("[[12345678]]", "[[]]", "A", "[[1]")),
        ("determinant", DETERMINANT.format([[1] * 21] * 21)),
        ("determinant", DETERMINANT.format([[1]]) + " "),
        *(("eigenvalues", DOMINANT.format(a)) for a in ([[1, 2], [3, 4]], [[1, 0], [5, 1]])),
        *(("svd", LARGEST.format(a)) for a in ([[1, 2]], [[1], [2]], "A")),
        ("inverse", INVERSE_SUM.format([[1, 2], [2, 4]], 10)),  # singular
        ("inverse", INVERSE_ENTRY.format([[2, 0], [0, 4]], 3, 1, 1)),  # 3/2
        ("inverse", INVERSE_LARGEST.format([[2, 0], [0, -2]], 4)),  # 2 and -2
        ("inverse", INVERSE_ENTRY.format(EXAMPLE, 60, 4, 1)),
        ("inverse", INVERSE_ENTRY.format(EXAMPLE, 60, 1, 0)),
        ("inverse", INVERSE_SUM.format(EXAMPLE, "060")),
        ("inverse", INVERSE_SUM.format(EXAMPLE, 0)),
        ("multiplication", PRODUCT.format([[1, 2]], [[3], [4], [5]], "trace")),
        ("multiplication", PRODUCT.format([[1, 2]], [[3, 4, 5], [6, 7, 8]], "trace")),
        ("multiplication", PRODUCT.format(LEFT, RIGHT, "entry in row 4 and column 1")),
        ("multiplication", PRODUCT.format(LEFT, 5, ALL)),
        *(("power", POWER.format(UNIT, ALL, exponent)) for exponent in (0, 17, "03")),
        ("power", POWER.format([[1, 2]], ALL, 3)),
        ("power", POWER.format(UNIT, "entry in row 4 and column 1", 2)),
    ],
)
def test_other_prompts_pose_no_problem(family: str, prompt: str) -> None:
    assert answer(family, prompt) is None


def test_singular_values_that_floating_point_cannot_round() -> None:
    """Both are sqrt(m^2 + m), which is 1.4e-8 below m + 1/2."""
    m, root = 9_000_000, 3_000
    matrix = [[m, root], [-root, m]]
    assert answer("svd", LARGEST.format(matrix)) == str(m)
    assert answer("svd", SUM.format(matrix)) == str(2 * m + 1)
    assert answer("svd", SPREAD.format(matrix)) == "0"


def test_the_dominant_eigenvalue_is_often_negative_and_its_absolute_value_is_asked_for() -> None:
    problems = valid("eigenvalues", 3, 200, levels=(2,), shapes=("triangular",))
    diagonals = [np.diag(matrix) for matrix in matrices_of("eigenvalues", problems)]
    assert np.mean([d[np.abs(d).argmax()] < 0 for d in diagonals]) > 0.3
    prompts, answers = texts_of("eigenvalues", problems)
    for prompt, found, diagonal, asked in zip(
        prompts, answers, diagonals, problems.axes["subtype"], strict=True
    ):
        assert "absolute value" in prompt
        assert "nearest" in prompt
        values = np.abs(diagonal)
        assert int(found) == (values.sum() if asked else values.max())


def test_the_text_of_an_inverse_states_the_divisor() -> None:
    problems = valid("inverse", 3, 20, levels=(7,))
    prompts, _ = texts_of("inverse", problems)
    assert all(" 840" in text or "/840" in text for text in prompts)


def test_no_determinant_is_zero_and_no_triangular_one_ends_in_three_zeros() -> None:
    problems = valid("determinant", 4, 500, levels=(7,))
    _, answers = texts_of("determinant", problems)
    triangular = problems.axes["matrix_shape"] == 2
    assert triangular.mean() > 0.1
    assert "0" not in np.array(answers)[triangular]


def test_ranks_are_those_of_the_matrix_even_where_factors_lose_some() -> None:
    problems = valid("rank", 3, 400, levels=(1,), max_entry=1)
    assert 200 < len(problems) < 390
    ranks = [int(np.linalg.matrix_rank(m)) for m in matrices_of("rank", problems)]
    _, answers = texts_of("rank", problems)
    assert list(map(int, answers)) == problems.axes["matrix_rank"].tolist() == ranks


@pytest.mark.parametrize("family", ["determinant", "inverse", "power", "svd", "eigenvalues"])
def test_axes_say_what_the_matrix_is(family: str) -> None:
    problems = valid(family, 5, 300, levels=(1, 2), max_entry=2)
    for i, matrix in enumerate(matrices_of(family, problems)):
        array = np.array(matrix)
        shape = 2 if not np.tril(array, -1).any() else int((array == array.T).all())
        assert problems.axes["matrix_shape"][i] == shape
        assert problems.axes["size"][i] == len(matrix)
        assert np.abs(array).max() <= 2
        if shape == 2 and family in ("determinant", "inverse", "svd"):
            assert np.diag(array).all()


def test_exponents_and_dimensions_are_those_of_the_level() -> None:
    problems = valid("power", 5, 200, levels=(2,))
    assert set(problems.axes["exponent"].tolist()) == {3, 4}
    problems = valid("multiplication", 5, 200, levels=(1,))
    assert set(problems.axes["size"].tolist()) == {3, 4, 5}
    prompts, _ = texts_of("multiplication", problems)
    shapes = {tuple(map(_shape, prompt.split("[[")[1:])) for prompt in prompts}
    assert len(shapes) > 20
    assert all(left[1] == right[0] for left, right in shapes)
    square = [prompt for prompt in prompts if "trace" in prompt or "diagonal" in prompt]
    for left, right in (map(_shape, prompt.split("[[")[1:]) for prompt in square):
        assert left[0] == right[1]


def _shape(text: str) -> tuple[int, int]:
    """Rows and columns of the matrix with which a text begins."""
    rows = text.partition("]]")[0].split("], [")
    return len(rows), rows[0].count(",") + 1


def test_small_spaces_are_at_least_as_large_as_said() -> None:
    small: dict[str, Any] = {"levels": (1,), "min_size": 2, "max_size": 2, "max_entry": 1}
    cells = [np.array(c).reshape(2, 2) for c in product((-1, 0, 1), repeat=4)]
    regular = sum(round(np.linalg.det(c)) != 0 for c in cells)
    rank_one = len({str(np.outer(c[0], c[1])) for c in cells if np.outer(c[0], c[1]).any()})
    upper = sum(c[1, 0] == 0 for c in cells)
    either = sum(c[1, 0] in (0, c[0, 1]) for c in cells)
    for family, least, exact in (
        ("determinant", 12, regular),
        ("rank", 24, rank_one),
        ("eigenvalues", 2 * upper, 2 * either),
    ):
        kind = generator_class(f"arithmetic_matrix_{family}")
        assert kind(**small).fewest_problems == least <= exact
        assert len(np.unique(valid(family, 3, 6_000, **small).keys, axis=0)) == exact
    for family in ("inverse", "svd"):
        assert generator_class(f"arithmetic_matrix_{family}")().fewest_problems is None
    symmetric = {"shapes": ("symmetric",)}
    assert generator_class(FAMILIES[0])(**symmetric).fewest_problems is None
    assert generator_class(FAMILIES[0])(levels=(1,)).fewest_problems == 8**3 * 21**3


def test_a_row_is_the_same_whatever_the_order_of_levels() -> None:
    sizes = {3: 6, 2: 4}
    for levels in ((3, 2), (2, 3)):
        problems = valid("determinant", 5, 50, levels=levels)
        drawn = problems.axes["level"].tolist()
        assert problems.axes["size"].tolist() == [sizes[level] for level in drawn]


@pytest.mark.parametrize(
    ("family", "params", "message"),
    [
        ("determinant", {"min_size": 1}, "min_size=1"),
        ("determinant", {"max_size": 21}, "max_size=21"),
        ("determinant", {"min_size": 5, "max_size": 4}, "min_size=5"),
        ("determinant", {"levels": (3,), "max_size": 5}, "min_size=0"),
        ("determinant", {"max_entry": 100}, "max_entry=100"),
        ("determinant", {"max_entry": True}, "max_entry=True"),
        ("determinant", {"shapes": ("round",)}, "shapes="),
        ("determinant", {"shapes": ("general", "general")}, "shapes="),
        ("determinant", {"shapes": "general"}, "shapes="),
        ("determinant", {"levels": (10,)}, "levels="),
        ("eigenvalues", {"shapes": ("general",)}, "shapes=.*symmetric, triangular"),
        ("power", {"min_exponent": 1}, "min_exponent=1"),
        ("power", {"max_exponent": 13}, "max_exponent=13"),
        ("power", {"min_exponent": 4, "max_exponent": 3}, "min_exponent=4"),
        ("power", {"levels": (7,), "max_exponent": 5}, "min_exponent=0"),
    ],
)
def test_wrong_params_are_refused(family: str, params: dict[str, Any], message: str) -> None:
    with pytest.raises(ParamError, match=message):
        generator_class(f"arithmetic_matrix_{family}")(**params)
