"""Linear systems from the text: published examples, and wrong ways to right answers."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.algebra.algebra_linear_equation import VERIFIER

TWO = "Solve the system of equations 2*x + 3*y = 12 and x - y = 1 for x. Give an integer."
LETTER = (
    "Let k = -2 + 3. Solve the system of equations k*x + y = 5 and x - 2*y = -4 for x. "
    "Give an integer."
)
WAY = "(1) 2*x + 3*y = 12\n(2) x - y = 1\n(3) 1*(1) + 3*(2), divided by 5: x = 3\nx = 3"


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (TWO, "3"),
        (LETTER, "2"),
        ("Given that 0 = b - 7 and b = 2*c + 3*b - 4*c, find c. The answer is an integer.", "7"),
        (
            "The numbers x, y and z satisfy x + y + z = 6, z = 3 and 4 = x + z. What is y? "
            "Answer with an integer.",
            "2",
        ),
        ("Find the value of d for which d + f = 0 and f = -2 all hold. Give an integer.", "2"),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert accepts(prompt, answer)
    assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
    assert not accepts(prompt, str(int(answer) + 1))
    assert not VERIFIER.symbolic(pa.array([prompt]), pa.array([str(int(answer) + 1)])).any()


@pytest.mark.parametrize(
    "prompt",
    [
        TWO.replace("x - y = 1", "4*x + 6*y = 24"),
        TWO.replace("x - y = 1", "2*x + 3*y = 11"),
        TWO.replace("= 12", "= 13"),
    ],
)
def test_systems_without_one_integer_solution_have_no_answer(prompt: str) -> None:
    assert VERIFIER.problem(prompt) is not None
    assert VERIFIER.answer(prompt) is None
    assert not any(accepts(prompt, str(value)) for value in range(-20, 20))


@pytest.mark.parametrize(
    "statement",
    [
        TWO.replace("for x", "for z"),
        TWO.replace("2*x", "2*x^2"),
        TWO.replace("2*x", "2x"),
        TWO.replace("2*x", "z*x"),
        TWO.replace(" and x - y = 1", ""),
        TWO.replace("3*y", "3*z"),
        TWO + " ",
        LETTER.replace("k*x", "j*x"),
        "The numbers x and z satisfy x + y = 1 and x - y = 1. What is y? Answer with an integer.",
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    problem = VERIFIER.problem(statement)
    assert problem is None or VERIFIER.answer(statement) is None


@pytest.mark.parametrize(
    "way",
    [
        "x = 3",
        WAY.replace("\nx = 3", ""),
        WAY.replace("\nx = 3", "\nx = 3\nx = 3"),
        WAY.replace("2*x", "3*x"),
        WAY.replace("(3)", "(4)"),
        WAY.replace("3*(2)", "2*(2)"),
        WAY.replace("3*(2)", "3*(3)"),
        WAY.replace(", divided by 5", ""),
        WAY.replace(", divided by 5", ", divided by 0"),
        "(1) 2*x + 3*y = 12\n(2) x - y = 1\nx = 3",
        "(1) 2*x + 3*y = 12\n(2) x - y = 1\n(3) 1*(1) + 1*(2): 3*x + 2*y = 13\nx = 3",
        "",
    ],
)
def test_steps_must_be_combinations_that_leave_the_unknown_alone(way: str) -> None:
    assert accepts(TWO, "3", WAY)
    assert not accepts(TWO, "3", way)


def test_steps_state_the_letters_first() -> None:
    way = "(1) x + y = 5\n(2) x - 2*y = -4\n(3) 2*(1) + 1*(2), divided by 3: x = 2\nx = 2"
    assert accepts(LETTER, "2", f"k = 1\n{way}")
    assert not accepts(LETTER, "2", way)
    assert not accepts(LETTER, "2", f"k = 2\n{way}")
