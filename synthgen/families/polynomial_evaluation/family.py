"""Polynomials as sums of drawn terms, and their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from synthgen.authoring import PlainFamily, Problem, RowDraws, Tree, Words, axis, levelled, params

_WORDS = Words.beside(__file__)
_MAX, _OFFERED = 200, 16
_Term = tuple[int, int]
"""Coefficient and degree."""


@levelled("length", 2, 3, 4, 6, 8, 12, 16, 24, 40, 80)
@dataclass(frozen=True)
class PolynomialEvaluation(PlainFamily):
    """Evaluate a polynomial at an integer. Its terms are independent, so degrees may recur.

    Attributes:
        min_terms, max_terms: Terms of the polynomial, 1 to 200.
        min_coefficient, max_coefficient: Coefficients of the terms; 0 is as likely as any other.
        max_degree: Highest degree of a term, 0 to 9; all degrees up to it are equally likely.
        min_x, max_x: Numbers at which the polynomial is evaluated.
        modulus: Modulus of the answer; 0 for the value itself.
    """

    min_terms: int = params.integer(1, 1, _MAX, up_to="max_terms")
    max_terms: int = params.integer(8, 1, _MAX)
    min_coefficient: int = params.integer(-3, -999, 999, up_to="max_coefficient")
    max_coefficient: int = params.integer(3, -999, 999)
    max_degree: int = params.integer(3, 0, 9)
    min_x: int = params.integer(-2, -99, 99, up_to="max_x")
    max_x: int = params.integer(2, -99, 99)
    modulus: int = params.integer(0, 0, 1_000)

    verifier = "polynomial_evaluation"
    same_up_to = "the order of the terms"
    words = _WORDS
    symbols = {"value": 2, "remainder": 3, "sum": (1, _MAX), "term": 2}
    own_axes = {
        "length": axis("terms of the polynomial", "min_terms", "max_terms"),
        "degree": axis("highest degree of a term", 0, "max_degree"),
    }

    def make(self, draws: RowDraws) -> Problem:
        """Draw terms and a number; only the text depends on the order of the terms."""
        count = draws.integer(self.min_terms, self.max_terms + 1)
        x = draws.integer(self.min_x, self.max_x + 1)
        low, high = self.min_coefficient, self.max_coefficient + 1
        terms = [
            (draws.integer(low, high), draws.integer(0, self.max_degree + 1)) for _ in range(count)
        ]
        polynomial: Tree = ("sum", *(("term", c, degree) for c, degree in sorted(terms)))
        kind = "remainder" if self.modulus else "value"
        return Problem(
            tree=(kind, *([self.modulus] if self.modulus else []), x, polynomial),
            answer=self._value(x, terms),
            holes={
                "polynomial": _written(terms),
                "x": x,
                "modulus": self.modulus,
                "largest": self.modulus - 1,
            },
            kind=kind,
            axes={"length": count, "degree": max(degree for _, degree in terms)},
            data=(x, terms),
        )

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Evaluate the polynomial at other numbers."""
        others = [draws.integer(self.min_x, self.max_x + 1) for _ in range(_OFFERED)]
        return [self._value(x, problem.data[1]) for x in others]

    def _value(self, x: int, terms: Sequence[_Term]) -> str:
        value = sum(coefficient * x**degree for coefficient, degree in terms)
        return str(value % self.modulus if self.modulus else value)

    def steps_of(self, problem: Problem) -> list[str]:
        """Write a line for each term, with the sum so far."""
        x, terms = problem.data
        lines, before = [], 0
        for coefficient, degree in terms:
            power = x**degree
            product = coefficient * power
            total = before + product
            rest = total % self.modulus if self.modulus else total
            holes = {"term": _written([(coefficient, degree)]), "coefficient": coefficient}
            holes |= {"power": power, "product": product, "before": before, "total": total}
            lines.append(_WORDS.line(problem.kind, **holes, modulus=self.modulus, rest=rest))
            before = rest
        return lines


def _written(terms: Sequence[_Term]) -> str:
    text = "".join([_signed(*term) for term in terms])
    return f"-{text[3:]}" if text.startswith(" -") else text[3:]


@cache
def _signed(coefficient: int, degree: int) -> str:
    """Write a term after its sign, without a coefficient or exponent of 1."""
    size = abs(coefficient)
    power = f"{size}*x^{degree}".removeprefix("1*").removesuffix("^1") if degree else size
    return f" {'-' if coefficient < 0 else '+'} {power}"


GENERATORS = {"polynomial_evaluation": PolynomialEvaluation}
