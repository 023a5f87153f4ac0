"""Chains of problems from the text: the answer to each one is put into the next.

Every problem is read by the verifier of whichever family knows its statement.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Protocol, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.registry import load_verifier
from synthgen.verifiers import answers as equality
from synthgen.verifiers.omega._plain import MOST_CHARACTERS
from synthgen.verifiers.omega._wordings import BOXED

FAMILIES = (
    "algebra_func_derivative_sign",
    "algebra_func_extrema",
    "algebra_func_extrema_coords",
    "algebra_func_intersection",
    "algebra_func_intersection_coords",
    "algebra_func_zeros",
    "algebra_linear_equation",
    "algebra_polynomial_roots",
    "arithmetic_gcd",
    "arithmetic_list_prime_factors",
    "arithmetic_matrix_determinant",
    "arithmetic_matrix_eigenvalues",
    "arithmetic_matrix_inverse",
    "arithmetic_matrix_multiplication",
    "arithmetic_matrix_power",
    "arithmetic_matrix_rank",
    "arithmetic_matrix_svd",
    "combinatory_distribution",
    "combinatory_probability_at_least_n_specific_fixed",
    "combinatory_probability_exactly_n_specific_fixed",
    "combinatory_probability_no_fixed_points",
    "combinatory_probability_no_specific_letter_fixed",
    "geometry_polygon_chords",
    "geometry_polygon_color",
    "geometry_polygon_rotation",
    "logic_gridworld_blocked",
    "logic_gridworld_knight_move",
    "logic_gridworld_rookmove",
    "logic_puzzles_grid_chip",
    "logic_zebralogic",
    "numbertheory_lte_qr",
    "numbertheory_ordered_lte",
    "numbertheory_qr_sum",
)
"""Families that a link may be of."""
_INTRODUCTIONS = {
    "Solve these problems in turn and give the answer to the last one.",
    "The following problems build on each other. What is the answer to the last one?",
    "Each problem uses the answer to the one before it. Give the answer to the last problem.",
    "Work through these problems in order; only the answer to the last one counts.",
}
_MOST_LINKS = 5
_PROBLEM = re.compile(r"\n\nProblem ([1-9])\. ", re.ASCII)
_ANSWER = re.compile(r"Let (K[1-9]) be the answer to problem ([1-9])\. ", re.ASCII)
_REST = re.compile(
    r"Let (K[1-9]) be the remainder when the absolute value of the answer to problem ([1-9]) is "
    r"divided by ([1-9][0-9]{0,8})\. ",
    re.ASCII,
)
_SUM = re.compile(r"\((K[1-9]) ([+-]) (0|[1-9][0-9]{0,60})\)", re.ASCII)
_REMEMBERED = 1 << 12
_HEAD = 14
"""Characters by which the family of a statement is remembered."""


class _Solver(Protocol):
    def answer(self, prompt: str) -> str | None:
        """Work out a prompt; None if it is none of the family's."""

    def symbolic(self, prompts: pa.StringArray, answers: pa.StringArray) -> NDArray[np.bool_]:
        """Work out every prompt in another way."""


class ChainVerifier:
    """Works the problems of each chain out in turn."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._worked_out = lru_cache(_REMEMBERED)(self._work_out)

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Work out every chain, and compare the answers on the way, where they are told."""
        ways = solutions.to_pylist() if solutions is not None else [None] * len(prompts)
        rows = zip(prompts.to_pylist(), answers.to_pylist(), ways, strict=True)
        return np.array([self._right(*row) for row in rows], dtype=bool)

    def _right(self, prompt: str, answer: str, way: str | None) -> bool:
        found = [result for _, _, result in self._worked_out(prompt)]
        if not found or found[-1] != answer:
            return False
        told = "\n".join(f"Problem {place}: {text}" for place, text in enumerate(found, 1))
        return way is None or way == told

    def symbolic(self, prompts: pa.StringArray, answers: pa.StringArray) -> NDArray[np.bool_]:
        """Work out every problem of every chain by the slow way of its family, too."""
        right = []
        for prompt, answer in zip(prompts.to_pylist(), answers.to_pylist(), strict=True):
            links = self._worked_out(prompt)
            agree = all(
                _solver(family).symbolic(pa.array([statement]), pa.array([result]))[0]
                for family, statement, result in links
            )
            right.append(bool(links) and links[-1][2] == answer and agree)
        return np.array(right, dtype=bool)

    def grade(self, prediction: str, answer: str) -> float:
        """Return 1.0 if the prediction is the answer, else 0.0."""
        return equality.grade(prediction, answer, "integer")

    def _work_out(self, prompt: str) -> tuple[tuple[str, str, str], ...]:
        """Return family, statement and answer of each problem; nothing if one has none."""
        links: tuple[tuple[str, str, str], ...] = ()
        for told in _problems(prompt):
            statement = _put_in(told, len(links), links[-1][2] if links else "")
            if statement is None:
                return ()
            family, result = self._solved(statement)
            if result is None or equality.parse_integer(result) is None:
                return ()
            links += ((family, statement, result),)
        return links

    def _solved(self, statement: str) -> tuple[str, str | None]:
        """Return the family that knows a statement, and the answer."""
        head = statement[:_HEAD]
        likely = self._known.get(head)
        for family in (likely, *FAMILIES) if likely else FAMILIES:
            result = _solver(family).answer(statement)
            if result is not None:
                self._known[head] = family
                return family, result
        return "", None


def _solver(family: str) -> _Solver:
    return cast("_Solver", load_verifier(family))


def _problems(prompt: str) -> list[str]:
    """Return the problems of a chain as they are told; nothing if it is no chain."""
    prompt = prompt.removesuffix(BOXED)
    if len(prompt) > MOST_CHARACTERS:
        return []
    introduction, *parts = _PROBLEM.split(prompt)
    numbers, told = parts[::2], parts[1::2]
    in_order = numbers == [str(place) for place in range(1, len(told) + 1)]
    known = introduction in _INTRODUCTIONS and len(told) <= _MOST_LINKS
    return told if known and in_order else []


def _put_in(told: str, place: int, known: str) -> str | None:
    """Return the statement of a problem with the answer to the one before it put in."""
    if place == 0:
        return told
    plain, rest = _ANSWER.match(told), _REST.match(told)
    match = plain or rest
    if match is None or match[1] != f"K{place}" or match[2] != str(place):
        return None
    value = int(known)
    if rest:
        value = abs(value) % int(rest[3])
    statement = told[match.end() :]
    sums = list(_SUM.finditer(statement))
    if len(sums) != 1 or sums[0][1] != match[1]:
        return None
    value += int(sums[0][3]) if sums[0][2] == "+" else -int(sums[0][3])
    if value < 0:
        return None
    return f"{statement[: sums[0].start()]}{value}{statement[sums[0].end() :]}"


VERIFIER = ChainVerifier()
