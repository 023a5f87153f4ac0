"""Rewriting by a stated identity, from the text: parsed, matched, and written again.

A row is accepted if the left side of its rule, which may be any over a, b, c, d, matches the
expression in exactly one place, if the answer is the expression with this place rewritten, and if
the rule is an identity, which SymPy proves (`verify_proof`, once for each rule). Nothing here knows
the list of identities.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from synthgen.authoring import PlainVerifier, Words, holes, reads
from synthgen.families.identities.verify_proof import is_identity

METAS, VARIABLES = "abcd", "mnopqrstuvwxyz"
_FUNCTIONS = ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs")
_RANKS = {" + ": 1, " - ": 1, " * ": 2, " / ": 2, "^": 3}
_ATOM = 4
_TOKEN = re.compile(rf"(?:{'|'.join(_FUNCTIONS)})\(|0|[1-9][0-9]{{0,5}}|[a-z]|[()^]| [-+*/] ")
_MAX_NESTED = 120
_MAX_SYMBOLS = 8_000
_MAX_PARSED = 1 << 10

Term: TypeAlias = "str | tuple[Term, ...]"
"""A letter or number, or a symbol with its operands."""


class _Problem(NamedTuple):
    """The two sides of the rule, and the expression, as text."""

    left: str
    right: str
    term: str


@reads(
    Words.beside(__file__),
    rule=holes.pattern(r"[a-z0-9+*/^() -]{1,254} = [a-z0-9+*/^() -]{1,254}"),
    term=holes.pattern(r"[a-z0-9+*/^() -]{1,32768}"),
)
def _read(rule: str, term: str) -> _Problem:
    left, right = rule.split(" = ")
    return _Problem(left, right, term)


class _Reader:
    """Reads a term by precedence climbing; ValueError if it is malformed or too large."""

    def __init__(self, text: str, letters: str) -> None:
        self._tokens = _TOKEN.findall(text)[::-1]
        self._letters = letters
        if len(self._tokens) > _MAX_SYMBOLS or sum(map(len, self._tokens)) != len(text):
            raise ValueError(text)

    def whole(self) -> Term:
        """Read all tokens as one term."""
        term, _ = self._operation(1, 0)
        if self._tokens:
            raise ValueError(self._tokens)
        return term

    def _operation(self, lowest: int, nested: int) -> tuple[Term, int]:
        """Read operators of rank >= lowest, joined from the left; return also the term's depth."""
        term, depth = self._operand(nested)
        while self._tokens and _RANKS.get(self._tokens[-1], 0) >= lowest:
            sign = self._tokens.pop()
            right, right_depth = self._operation(_RANKS[sign] + 1, nested + 1)
            term, depth = (sign, term, right), 1 + max(depth, right_depth)
            if depth > _MAX_NESTED:
                raise ValueError(sign)
        return term, depth

    def _operand(self, nested: int) -> tuple[Term, int]:
        token = self._tokens.pop() if self._tokens else ""
        if nested > _MAX_NESTED:
            raise ValueError(token)
        if token.isdecimal() or (len(token) == 1 and token in self._letters):
            return token, 1
        if not token.endswith("("):
            raise ValueError(token)
        inside, depth = self._operation(1, nested + 1)
        if not self._tokens or self._tokens.pop() != ")":
            raise ValueError(token)
        return ((token[:-1], inside), depth + 1) if token != "(" else (inside, depth)


def _parsed(text: str, letters: str) -> Term | None:
    """Read a term over these letters; None if it is not in its canonical spelling."""
    try:
        term = _Reader(text, letters).whole()
    except ValueError:
        return None
    return term if _written(term)[0] == text else None


def _written(term: Term) -> tuple[str, int]:
    """Write a term and return also how tightly its outermost symbol binds."""
    if isinstance(term, str):
        return term, _ATOM
    sign = str(term[0])
    parts = [_written(operand) for operand in term[1:]]
    if sign not in _RANKS:
        return f"{sign}({parts[0][0]})", _ATOM
    rank = _RANKS[sign]
    lowest = (_ATOM, _ATOM) if sign == "^" else (rank, rank + 1)
    texts = [
        text if inner >= low else f"({text})"
        for (text, inner), low in zip(parts, lowest, strict=True)
    ]
    return sign.join(texts), rank


@lru_cache(_MAX_PARSED)
def _rule(left: str, right: str) -> tuple[Term, Term] | None:
    """Read both sides of a rule; None if it is not an identity."""
    before, after = _parsed(left, METAS), _parsed(right, METAS)
    if before is None or after is None or not is_identity(before, after):
        return None
    return before, after


def _fit(pattern: Term, term: Term, values: dict[str, Term]) -> bool:
    """Return whether a pattern equals a whole term for some values of its letters; fill them in."""
    pairs = [(pattern, term)]
    while pairs:
        wanted, part = pairs.pop()
        if isinstance(wanted, str):
            if (values.setdefault(wanted, part) if wanted in METAS else wanted) != part:
                return False
        elif isinstance(part, str) or wanted[0] != part[0]:
            return False
        else:
            pairs += zip(wanted[1:], part[1:], strict=True)
    return True


def _filled(side: Term, values: Mapping[str, Term]) -> Term:
    """Return a side with these values; KeyError for a letter without a value."""
    if isinstance(side, str):
        return values[side] if side in METAS else side
    return (side[0], *[_filled(operand, values) for operand in side[1:]])


def _replaced(term: Term, path: Sequence[int], new: Term) -> Term:
    if not path:
        return new
    at = path[0]
    return (*term[:at], _replaced(term[at], path[1:], new), *term[at + 1 :])


@lru_cache(1)
def _rewritten(problem: _Problem) -> tuple[str, list[str]] | None:
    """Rewrite the only match of the rule; return also the lines of the solution.

    None if the number of matches is not one.
    """
    rule = _rule(problem.left, problem.right)
    term = _parsed(problem.term, VARIABLES) if rule else None
    if rule is None or term is None:
        return None
    places: list[tuple[tuple[int, ...], dict[str, Term]]] = []
    waiting: list[tuple[tuple[int, ...], Term]] = [((), term)]
    while waiting:
        path, inner = waiting.pop()
        values: dict[str, Term] = {}
        if _fit(rule[0], inner, values):
            places.append((path, values))
        if not isinstance(inner, str):
            waiting += [((*path, at), inner[at]) for at in range(1, len(inner))]
    if len(places) != 1:
        return None
    path, values = places[0]
    try:
        new = _filled(rule[1], values)
    except KeyError:
        return None
    lines = [f"{name} = {_written(values[name])[0]}" for name in sorted(values)]
    used = " = ".join(_written(side)[0] for side in (_filled(rule[0], values), new))
    return _written(_replaced(term, path, new))[0], [*lines, used]


def _solve(problem: _Problem) -> str | None:
    rewritten = _rewritten(problem)
    return rewritten[0] if rewritten else None


def _follows(problem: _Problem, answer: str, steps: Sequence[str]) -> bool:
    """Compare with the values of the rule's letters, a line for each, and the rule with them."""
    return _rewritten(problem) == (answer, list(steps))


VERIFIERS = {"identities": PlainVerifier(_read, _solve, "string", follows=_follows, remembered=0)}
