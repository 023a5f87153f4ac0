"""Sentences that define numbers before a question: reading them and working them out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from synthgen.verifiers.omega._expressions import Tree, exact_value, ratio_of, read_expression
from synthgen.verifiers.omega._sums import Sum, letters_in, linear_form, read_equation

Definition: TypeAlias = "tuple[tuple[str, ...], Tree | None, tuple[Sum, ...]]"
"""Letters in alphabetical order, the expression if it is one, the equations if not."""
Definitions: TypeAlias = "tuple[Definition, ...]"

_PAIR = re.compile(r"Let ([a-z]) and ([a-z]) (?:satisfy|be the solution of) (.+) and (.+)")
_ONE = re.compile(r"Let ([a-z]) (?:be the solution of|satisfy) (.+)")
_VALUE = re.compile(r"(?:Let ([a-z]) (?:=|be)|Suppose ([a-z]) =) (.+)")
_EQUATIONS = re.compile(r"Suppose that (.+?)(?: and (.+))?")
_MOST = 8
_LARGEST = 10**80


def read_definitions(statement: str) -> tuple[Definitions, str] | None:
    """Return the definitions at the beginning of a statement, and the question behind them.

    Returns:
        None if a letter is defined twice, or by letters that are unknown.
    """
    sentences = statement.split(". ", _MOST)
    known: set[str] = set()
    found: list[Definition] = []
    for sentence in sentences[:-1]:
        definition = _read_sentence(sentence, known)
        if definition is None:
            break
        letters, tree, equations = definition
        if tree is not None:
            used = set(_letters_of(tree))
        else:
            used = set[str]().union(*map(letters_in, equations)).difference(letters)
        if not used <= known or not known.isdisjoint(letters):
            return None
        known.update(letters)
        found.append(definition)
    return tuple(found), ". ".join(sentences[len(found) :])


def _read_sentence(sentence: str, known: set[str]) -> Definition | None:
    if not sentence.startswith(("Let ", "Suppose ")):
        return None
    pair = _PAIR.fullmatch(sentence)
    if pair:
        return _with_equations([pair[3], pair[4]], {pair[1], pair[2]}, 2)
    one = _ONE.fullmatch(sentence)
    if one:
        return _with_equations([one[2]], {one[1]}, 1)
    value = _VALUE.fullmatch(sentence)
    if value:
        tree = read_expression(value[3])
        return None if tree is None else ((value[1] or value[2],), tree, ())
    several = _EQUATIONS.fullmatch(sentence)
    if several is None:
        return None
    texts = [text for text in several.groups() if text]
    equations = [read_equation(text) for text in texts]
    letters = set[str]().union(*(letters_in(terms) for terms in equations if terms)) - known
    return _with_equations(texts, letters, len(texts))


def _with_equations(texts: list[str], letters: set[str], n: int) -> Definition | None:
    equations = [terms for terms in map(read_equation, texts) if terms is not None]
    if len(equations) != n or len(letters) != n:
        return None
    return tuple(sorted(letters)), None, tuple(equations)


def _letters_of(tree: Tree) -> list[str]:
    if isinstance(tree, tuple):
        return _letters_of(tree[1]) + _letters_of(tree[2])
    return [tree] if isinstance(tree, str) else []


def settle(definitions: Definitions) -> dict[str, int] | None:
    """Return the letters' values in order; None if one is huge, no integer or not determined."""
    known: dict[str, int] = {}
    for letters, tree, equations in definitions:
        if tree is not None:
            quotients = [ratio_of(tree, known)]
        else:
            forms = [linear_form(terms, known) for terms in equations]
            quotients = _by_determinants(letters, [form for form in forms if form is not None])
        for letter, quotient in zip(letters, quotients, strict=True):
            if quotient is None:
                return None
            value, rest = divmod(quotient[0], quotient[1])
            if rest or abs(value) >= _LARGEST:
                return None
            known[letter] = value
    return known


def _by_determinants(
    letters: tuple[str, ...], forms: list[dict[str, int]]
) -> list[tuple[int, int] | None]:
    """Solve one or two linear equations by Cramer's rule, to quotients in any terms."""
    undetermined: list[tuple[int, int] | None] = [None] * len(letters)
    if len(forms) != len(letters):
        return undetermined
    if len(forms) == 1:
        times, constant = forms[0].get(letters[0], 0), -forms[0][""]
        return [(constant, times)] if times else undetermined
    (a, b, c), (d, e, f) = (
        (form.get(letters[0], 0), form.get(letters[1], 0), -form[""]) for form in forms
    )
    determinant = a * e - b * d
    if determinant == 0:
        return undetermined
    return [(c * e - b * f, determinant), (a * f - c * d, determinant)]


def settle_exactly(definitions: Definitions) -> dict[str, int] | None:
    """Return the letters' values by SymPy's rationals and linear solver."""
    from sympy import Integer

    known: dict[str, Any] = {}
    for letters, tree, equations in definitions:
        values = (
            [exact_value(tree, known)] if tree is not None else _solved(letters, equations, known)
        )
        for letter, value in zip(letters, values, strict=True):
            if not isinstance(value, Integer) or abs(value) >= _LARGEST:
                return None
            known[letter] = value
    return {letter: int(value) for letter, value in known.items()}


def _solved(
    letters: tuple[str, ...], equations: tuple[Sum, ...], known: dict[str, Any]
) -> Sequence[Any]:
    """Solve linear equations, whose coefficients come from their values at simple places."""
    from sympy import Integer

    zero, one = Integer(0), Integer(1)
    nowhere = known | dict.fromkeys(letters, zero)
    rows = []
    for terms in equations:
        if any(sum(power for name, power in term[2] if name in letters) > 1 for term in terms):
            return [None] * len(letters)
        constant = _value_at(terms, nowhere)
        slopes = [_value_at(terms, nowhere | {letter: one}) - constant for letter in letters]
        rows.append([*slopes, -constant])
    return solved_exactly(rows) or [None] * len(letters)


def _value_at(terms: Sum, values: dict[str, Any]) -> Any:
    from sympy import Integer, Rational

    total: Any = Integer(0)
    for top, bottom, powers in terms:
        product: Any = Rational(top, bottom)
        for letter, power in powers:
            product *= values[letter] ** power
        total += product
    return total


def solved_exactly(rows: Sequence[Sequence[Any]]) -> list[Any] | None:
    """Solve as many linear equations as unknowns by SymPy's matrices over the rationals.

    Args:
        rows: coefficients and, on the other side, the constant.

    Returns:
        SymPy's rationals; None if there is no solution or more than one.
    """
    from sympy import QQ
    from sympy.polys.matrices import DomainMatrix

    size = len(rows)
    numbers = [[QQ(int(value.p), int(value.q)) for value in row] for row in rows]
    reduced, pivots = DomainMatrix(numbers, (size, size + 1), QQ).rref()
    if pivots != tuple(range(size)):
        return None
    return [QQ.to_sympy(reduced[place, size].element) for place in range(size)]
