"""Infix expressions, such as `(3 + 4) * x`, as trees whose symbols come first: `(* (+ 3 4) x)`.

Operands are names, numbers, calls such as `f(x, y)`, and expressions in brackets; a text needs at
least one operator between two operands. Among operators of equal precedence the left one binds
first, but powers bind from the right. A minus with a space on its left only is a sign, so `(f -3)`
is not an infix expression, and a hyphen between two words is part of a name.
"""

from __future__ import annotations

import re

import pyarrow as pa
import pyarrow.compute as pc

MAX_CHARACTERS = 10_000
"""A longer text is not read as an infix expression."""
MAX_NESTED = 100
"""Neither is one with more operands inside each other."""

_CANDIDATE = r"[\pL\pN_)]\s*[-+*/^%=<>!×÷·−]"
_TOKENS = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<name>[^\W\d]\w+(?:[-.][^\W\d]\w+)*|[^\W\d])"
    r"|(?P<number>\d+(?:\.\d+)?\w*)"
    r"|(?P<operator>\*\*|[<>=!]=|[-+*/^%=<>×÷·−])"
    r"|(?P<mark>[(),])"
)
_LEVELS = (
    ("=", "==", "!=", "<", ">", "<=", ">="),
    ("+", "-", "−"),
    ("*", "/", "%", "×", "÷", "·"),
    (),  # signs
    ("^", "**"),
)
_LEVEL = {operator: level for level, names in enumerate(_LEVELS, 1) for operator in names}
_SUM, _SIGN, _POWER = 2, 4, 5
_MINUS = ("-", "−")

_Token = tuple[str, str]
"""Kind and text."""
_END: _Token = ("end", "")


def with_prefix_trees(texts: pa.StringArray) -> pa.StringArray:
    """Return a text column with its infix expressions as trees, and all other texts unchanged."""
    candidates = pc.match_substring_regex(texts, _CANDIDATE)
    if not pc.any(candidates).as_py():
        return texts
    pairs = zip(texts.to_pylist(), candidates.to_pylist(), strict=True)
    trees = [(is_candidate and prefix_of(text)) or text for text, is_candidate in pairs]
    return pa.array(trees, pa.string())


def prefix_of(text: str) -> str | None:
    """Return the tree of an infix expression as text; None if the text is not one."""
    if len(text) > MAX_CHARACTERS:
        return None
    try:
        parser = _Parser(_tokens(text))
        tree = parser.expression(1, 0)
    except _NotInfixError:
        return None
    return tree if parser.next == _END and parser.operators else None


class _NotInfixError(Exception):
    """The text is not an infix expression."""


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    while at < len(text):
        match = _TOKENS.match(text, at)
        if match is None:
            raise _NotInfixError
        start, at = match.span()
        kind, token = str(match.lastgroup), match.group()
        if _LEVEL.get(token) == _SUM:
            ends_operand = (
                bool(tokens) and tokens[-1][0] != "operator" and tokens[-1][1] not in "(,"
            )
            is_spaced = text[at : at + 1].isspace()
            if is_spaced if not ends_operand else is_spaced != text[start - 1].isspace():
                raise _NotInfixError
        if kind != "space":
            tokens.append((kind, token))
    return tokens


class _Parser:
    """Parser of one text: `operators` counts its operators between two operands."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._rest = [_END, *reversed(tokens)]
        self.operators = 0

    @property
    def next(self) -> _Token:
        return self._rest[-1]

    def expression(self, level: int, depth: int) -> str:
        """Read operators of this level and higher ones with their operands."""
        if depth > MAX_NESTED:
            raise _NotInfixError
        left = self._operand(depth + 1)
        while (precedence := _LEVEL.get(self.next[1], 0)) >= level:
            operator = self._rest.pop()[1]
            # Powers bind from the right: the operand of a power takes further powers with it.
            right = self.expression(precedence + (precedence != _POWER), depth + 1)
            left = f"({operator} {left} {right})"
            self.operators += 1
        return left

    def _operand(self, depth: int) -> str:
        kind, token = self._take()
        if kind == "number":
            return token
        if kind == "name":
            if self.next[1] != "(":
                return token
            self._take()
            return f"({token} {' '.join(self._arguments(depth))})"
        if token in _MINUS:
            is_number = self.next[0] == "number"
            signed = self.expression(_SIGN, depth)
            return token + signed if is_number and "(" not in signed else f"({token} {signed})"
        if token != "(":
            raise _NotInfixError
        inside = self.expression(1, depth)
        if self._take()[1] != ")":
            raise _NotInfixError
        return inside

    def _arguments(self, depth: int) -> list[str]:
        """Read what follows the bracket of a call, with the closing one."""
        arguments = [self.expression(1, depth)]
        while (mark := self._take()[1]) == ",":
            arguments.append(self.expression(1, depth))
        if mark != ")":
            raise _NotInfixError
        return arguments

    def _take(self) -> _Token:
        if self.next == _END:
            raise _NotInfixError
        return self._rest.pop()
