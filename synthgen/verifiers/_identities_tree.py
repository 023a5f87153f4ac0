"""Terms as plain Python trees: read by precedence climbing, written again, and matched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

FUNCTIONS = ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs")
METAS = "abcd"
VARIABLES = "mnopqrstuvwxyz"
_RANKS = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
_TOKEN = re.compile(r"[a-z]+\(?|[0-9]+|[()^]| [-+*/] ", re.ASCII)
_MOST_TOKENS = 8_000
_MOST_NESTED = 120
_MOST_DIGITS = 6


class NotATermError(ValueError):
    """The text is not the spelling of a term, or of one that is too large."""


@dataclass(frozen=True, slots=True)
class Term:
    """A symbol with its operands.

    Attributes:
        symbol: operator, function, letter or number.
        operands: none for letters and numbers.
        depth: of nested symbols, at most 120.
    """

    symbol: str
    operands: tuple[Term, ...] = ()
    depth: int = 1


def _term(symbol: str, *operands: Term) -> Term:
    depth = 1 + max((operand.depth for operand in operands), default=0)
    if depth > _MOST_NESTED:
        raise NotATermError(symbol)
    return Term(symbol, operands, depth)


def read(text: str, letters: str) -> Term:
    """Read a term over these letters.

    Raises:
        NotATermError: if it is none, or not in the one spelling that it has.
    """
    tokens = _TOKEN.findall(text)[::-1]
    if len(tokens) > _MOST_TOKENS or sum(map(len, tokens)) != len(text):
        raise NotATermError(text)
    term = _operation(tokens, 1, letters, 0)
    if tokens or write(term) != text:
        raise NotATermError(text)
    return term


def read_problem(text: str) -> tuple[Term, Term, Term]:
    """Read `LHS = RHS | TERM =`.

    Raises:
        NotATermError: if it is something else.
    """
    rule, bar, term = text.partition(" | ")
    left, equals, right = rule.partition(" = ")
    if not bar or not equals or not term.endswith(" ="):
        raise NotATermError(text)
    return read(left, METAS), read(right, METAS), read(term[:-2], VARIABLES)


def read_answer(text: str) -> Term:
    """Read a term of the kind that is rewritten.

    Raises:
        NotATermError: if it is none.
    """
    return read(text, VARIABLES)


def _operation(tokens: list[str], lowest: int, letters: str, nested: int) -> Term:
    """Read operators of rank >= lowest, joined from the left; `tokens` is a stack."""
    left = _operand(tokens, letters, nested)
    while tokens and (rank := _RANKS.get(tokens[-1].strip(), 0)) >= lowest:
        symbol = tokens.pop().strip()
        left = _term(symbol, left, _operation(tokens, rank + 1, letters, nested + 1))
    return left


def _operand(tokens: list[str], letters: str, nested: int) -> Term:
    token = tokens.pop() if tokens else ""
    if nested > _MOST_NESTED:
        raise NotATermError(token)
    if token.isdecimal() and len(token) <= _MOST_DIGITS and str(int(token)) == token:
        return _term(token)
    if len(token) == 1 and token in letters:
        return _term(token)
    name = token[:-1]
    if not token.endswith("(") or (name and name not in FUNCTIONS):
        raise NotATermError(token)
    inside = _operation(tokens, 1, letters, nested + 1)
    if not tokens or tokens.pop() != ")":
        raise NotATermError(token)
    return _term(name, inside) if name else inside


def write(term: Term) -> str:
    """Write a term with the parentheses that its tree needs."""
    symbol, operands = term.symbol, term.operands
    if len(operands) < 2:
        return f"{symbol}({write(operands[0])})" if operands else symbol
    rank = _RANKS[symbol]
    parts = []
    for operand, least in zip(operands, (rank, rank + 1), strict=True):
        inner = _RANKS.get(operand.symbol, 9)
        tight = inner > rank if symbol == "^" else inner >= least
        parts.append(write(operand) if tight else f"({write(operand)})")
    return (symbol if symbol == "^" else f" {symbol} ").join(parts)


def match(pattern: Term, term: Term) -> dict[str, Term] | None:
    """Return the values of the pattern's letters with which it is this term, or None."""
    values: dict[str, Term] = {}
    pairs = [(pattern, term)]
    while pairs:
        wanted, found = pairs.pop()
        if wanted.symbol in METAS:
            if values.setdefault(wanted.symbol, found) != found:
                return None
        elif wanted.symbol != found.symbol:
            return None
        else:
            pairs += zip(wanted.operands, found.operands, strict=True)
    return values


def subterms(term: Term) -> Iterator[tuple[tuple[int, ...], Term]]:
    """Yield every subterm with its path: which operand to take, from the root on."""
    waiting: list[tuple[tuple[int, ...], Term]] = [((), term)]
    while waiting:
        path, inner = waiting.pop()
        yield path, inner
        waiting += [((*path, i), operand) for i, operand in enumerate(inner.operands)]


def with_values(term: Term, values: Mapping[str, Term]) -> Term:
    """Return the term with these values for its letters.

    Raises:
        NotATermError: if it becomes too deep, or a meta-variable has no value.
    """
    if term.symbol in values:
        return values[term.symbol]
    if term.symbol in METAS:
        raise NotATermError(term.symbol)
    return _term(term.symbol, *(with_values(operand, values) for operand in term.operands))


def replaced(term: Term, path: tuple[int, ...], new: Term) -> Term:
    """Return the term with another subterm at a path."""
    if not path:
        return new
    operands = list(term.operands)
    operands[path[0]] = replaced(operands[path[0]], path[1:], new)
    return _term(term.symbol, *operands)
