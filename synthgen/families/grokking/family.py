"""Tables of binary operations: every pair of operands of an operation modulo p or on S5."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import gcd
from typing import Any

from synthgen.authoring import ListedFamily, Problem, Words, axis, levelled, params

_WORDS = Words.beside(__file__)
_FORMULAS: Mapping[str, str] = _WORDS["formulas"]
_MAX_MODULUS = 999
_Operation = Callable[[int, int], int]
_Equation = tuple[tuple[int, int, int], list[str], Sequence[Any]]
"""Operands and result as numbers and as texts, and the data of the steps."""


def _odd(value: int) -> bool:
    return value % 2 == 1


_MODULAR: Mapping[str, _Operation] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a * b,  # b is replaced by its inverse
    "square_plus": lambda a, b: a**2 + b,
    "cube_plus": lambda a, b: a**3 + b,
    "squares": lambda a, b: a**2 + b**2,
    "squares_product": lambda a, b: a**2 + a * b + b**2,
    "squares_product_plus": lambda a, b: a**2 + a * b + b**2 + a,
    "cube_product": lambda a, b: a**3 + a * b,
    "cube_product_plus": lambda a, b: a**3 + a * b**2 + b,
    "divide_or_subtract": lambda a, b: a - b,  # for even b; otherwise as in divide
    "add_or_multiply": lambda a, b: a * b if _odd(a) else a + b,
    "add_or_subtract": lambda a, b: a - b if _odd(a) else a + b,
}
_PERMUTATIONS = [*permutations(range(5))]
_CHAINS = {"s5": "ab", "s5_conjugate": "abA", "s5_aba": "aba"}
"""Permutations applied one after another; A is the inverse of a."""


@levelled("larger", 2, 5, 10, 20, 30, 40, 50, 60, 80, 90)
@dataclass(frozen=True)
class Grokking(ListedFamily):
    """One equation of the table of a binary operation.

    Attributes:
        operation: Name of the operation; those of permutations begin with s5.
        modulus: Modulus p, 2 to 999, prime or not; not used by permutations. Pairs with an
            undefined quotient are left out.
        repeats: Addresses of each equation, so that it occurs in several wordings.
    """

    operation: str = params.choice("divide", tuple(_FORMULAS))
    modulus: int = params.integer(97, 2, _MAX_MODULUS)

    version = 2
    verifier = "grokking"
    words = _WORDS
    answer_type = {"modular": "integer", "permutation": "string"}
    symbols = {**dict.fromkeys(_MODULAR, 3), **dict.fromkeys(_CHAINS, 2)}
    own_axes = {
        "operation": axis("the operation", values=tuple(_FORMULAS)),
        "modulus": axis("the modulus, or 120 permutations", 2, _MAX_MODULUS),
        "a": axis("first operand, or its place among the permutations", 0, _MAX_MODULUS),
        "b": axis("second operand, or its place", 0, _MAX_MODULUS),
        "c": axis("result, or its place", 0, _MAX_MODULUS),
        "smaller": axis("the smaller operand, equal for (a, b) and (b, a)", 0, _MAX_MODULUS),
        "larger": axis("the larger operand, equal for (a, b) and (b, a)", 0, _MAX_MODULUS),
    }

    def problems(self) -> Iterator[Problem]:
        """Yield the table row by row."""
        permuted = self.operation in _CHAINS
        modulus = len(_PERMUTATIONS) if permuted else self.modulus
        formula = _FORMULAS[self.operation]
        for (a, b, c), texts, data in self._products() if permuted else self._results():
            operands = int(texts[0]), int(texts[1])
            yield Problem(
                tree=(self.operation, *(operands if permuted else (modulus, *operands))),
                answer=texts[2],
                holes={
                    "operation": self.operation,
                    "formula": formula,
                    "p": modulus,
                    "a": texts[0],
                    "b": texts[1],
                },
                kind="permutation" if permuted else "modular",
                axes={
                    "operation": self.operation,
                    "modulus": modulus,
                    "a": a,
                    "b": b,
                    "c": c,
                    "smaller": min(a, b),
                    "larger": max(a, b),
                },
                data=data,
            )

    def _results(self) -> Iterator[_Equation]:
        for a, b in product(range(self.modulus), repeat=2):
            result = self._result(a, b)
            if result is not None:
                numbers = a, b, result % self.modulus
                yield numbers, [*map(str, numbers)], (a, b, result)

    def _divides(self, b: int) -> bool:
        return self.operation == "divide" or (self.operation == "divide_or_subtract" and _odd(b))

    def _result(self, a: int, b: int) -> int | None:
        """Return the result before it is reduced, None if it is undefined."""
        if not self._divides(b):
            return _MODULAR[self.operation](a, b)
        return a * pow(b, -1, self.modulus) if gcd(b, self.modulus) == 1 else None

    def _products(self) -> Iterator[_Equation]:
        places = {images: place for place, images in enumerate(_PERMUTATIONS)}
        for a, b in product(_PERMUTATIONS, repeat=2):
            factors = {"a": a, "b": b, "A": [*map(a.index, range(5))]}
            rows: list[Sequence[int]] = [range(5)]
            for name in _CHAINS[self.operation]:
                rows.append([factors[name][image] for image in rows[-1]])
            triple = a, b, tuple(rows[-1])
            numbers = places[a], places[b], places[triple[2]]
            yield numbers, ["".join(map(str, images)) for images in triple], rows

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the path of each number, or the unreduced result and its remainder."""
        if self.operation in _CHAINS:
            paths = zip(*problem.data, strict=True)
            return [" -> ".join(map(str, path)) for path in paths]
        a, b, result = problem.data
        p = self.modulus
        lines = [str(result)]
        if self._divides(b):
            inverse = pow(b, -1, p)
            lines = [
                f"{b} * {inverse} = {b * inverse // p} * {p} + {b * inverse % p}",
                f"{a} * {inverse} = {result}",
            ]
        return [*lines, f"{result} = {result // p} * {p} + {result % p}"]


GENERATORS = {"grokking": Grokking}
