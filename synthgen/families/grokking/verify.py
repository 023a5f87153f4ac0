"""Binary operations from the text: sums of powers, quotients by search, images one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from synthgen.authoring import Words, WorkedVerifier, holes, reads

_WORDS = Words.beside(__file__)
_FORMULAS: Mapping[str, str] = _WORDS["formulas"]
_MAX_MODULUS = 999
_POWERS: Mapping[str, Sequence[tuple[int, int, int]]] = {
    "add": [(1, 1, 0), (1, 0, 1)],
    "subtract": [(1, 1, 0), (-1, 0, 1)],
    "multiply": [(1, 1, 1)],
    "square_plus": [(1, 2, 0), (1, 0, 1)],
    "cube_plus": [(1, 3, 0), (1, 0, 1)],
    "squares": [(1, 2, 0), (1, 0, 2)],
    "squares_product": [(1, 2, 0), (1, 1, 1), (1, 0, 2)],
    "squares_product_plus": [(1, 2, 0), (1, 1, 1), (1, 0, 2), (1, 1, 0)],
    "cube_product": [(1, 3, 0), (1, 1, 1)],
    "cube_product_plus": [(1, 3, 0), (1, 1, 2), (1, 0, 1)],
}
"""Sums of coefficient * a^j * b^k, as (coefficient, j, k)."""
_CASES = {
    "divide_or_subtract": ("b", "subtract", "divide"),
    "add_or_multiply": ("a", "add", "multiply"),
    "add_or_subtract": ("a", "add", "subtract"),
}
"""The operand whose parity decides, and the operations for even and odd."""
_Problem = tuple[str, int, str, str]
"""Operation, modulus (0 for permutations) and operands."""


@reads(
    _WORDS,
    p=holes.NATURAL,
    a=holes.pattern("[0-9]{1,5}"),
    b=holes.pattern("[0-9]{1,5}"),
    operation=holes.word(_FORMULAS),
    formula=holes.word(_FORMULAS.values()),
)
def _read(
    kind: str, a: str, b: str, p: int = 0, operation: str = "", formula: str = ""
) -> _Problem | None:
    name = operation or next(name for name, text in _FORMULAS.items() if text == formula)
    if name.startswith("s5") != (kind == "permutation"):
        return None
    if kind == "permutation":
        return (name, 0, a, b) if sorted(a) == sorted(b) == [*"01234"] else None
    fits = all(str(int(text)) == text and int(text) < p for text in (a, b))
    return (name, p, a, b) if fits and p <= _MAX_MODULUS else None


def _case(operation: str, a: int, b: int) -> str:
    """Return the operation that applies to these operands."""
    decides, even, odd = _CASES.get(operation, ("a", operation, operation))
    return odd if (a if decides == "a" else b) & 1 else even


def _sum(operation: str, a: int, b: int) -> int:
    return sum(factor * a**j * b**k for factor, j, k in _POWERS[operation])


def _work(problem: _Problem) -> tuple[str | None, list[str]]:
    """Return the result, and its lines of work."""
    operation, p, first, second = problem
    if not p:
        paths = _paths(problem)
        return "".join(path[-1] for path in paths), [" -> ".join(path) for path in paths]
    a, b = int(first), int(second)
    operation = _case(operation, a, b)
    if operation != "divide":
        value = _sum(operation, a, b)
        lines = [str(value)]
    else:
        inverses = [c for c in range(p) if b * c % p == 1 % p]
        if not inverses:
            return None, []
        value = a * inverses[0]
        product = b * inverses[0]
        lines = [
            f"{b} * {inverses[0]} = {product // p} * {p} + {1 % p}",
            f"{a} * {inverses[0]} = {value}",
        ]
    quotient, rest = divmod(value, p)
    return str(rest), [*lines, f"{value} = {quotient} * {p} + {rest}"]


def _paths(problem: _Problem) -> list[list[str]]:
    """Return the images of each number under one permutation after another."""
    operation, _, a, b = problem
    paths = []
    for i in "01234":
        path = [i, a[int(i)]]
        path.append(b[int(path[-1])])
        if operation == "s5_aba":
            path.append(a[int(path[-1])])
        elif operation == "s5_conjugate":
            path.append(str(a.index(path[-1])))
        paths.append(path)
    return paths


def _type_of(problem: _Problem) -> str:
    _, p, *_ = problem
    return "integer" if p else "string"


VERIFIERS = {"grokking": WorkedVerifier(_read, _work, _type_of)}
