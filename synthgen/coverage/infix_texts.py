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
MAX_FORMULAS, MAX_STEPS = 100, 50_000
"""Formulas that are read in one text, and tokens that are taken for them."""

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
    parser = _Parser(_tokens(text))
    try:
        tree = parser.expression(1, 0)
    except _NotInfixError:
        return None
    return tree if parser.next == _END and parser.operators else None


def formulas_in(text: str) -> list[str]:
    """Return the trees of the infix expressions inside a text, such as a question.

    There, an operand is a number, a single letter, a call or an expression in brackets, as words
    are not part of a formula.
    """
    if len(text) > MAX_CHARACTERS:
        return []
    formulas: list[str] = []
    parser = _Parser(_tokens(text), is_part=True)
    while parser.next != _END and len(formulas) < MAX_FORMULAS and parser.steps < MAX_STEPS:
        start, parser.operators = parser.at, 0
        try:
            tree = parser.expression(1, 0)
        except _NotInfixError:
            tree = ""
        if tree and parser.operators:
            formulas.append(tree)
        else:
            parser.at = start + 1
    return formulas


class _NotInfixError(Exception):
    """The text is not an infix expression."""


def _tokens(text: str) -> list[_Token]:
    """Return the tokens of a text; what is not part of an infix expression has the kind "other"."""
    tokens: list[_Token] = []
    at = 0
    while at < len(text):
        match = _TOKENS.match(text, at)
        if match is None:
            tokens.append(("other", text[at]))
            at += 1
            continue
        start, at = match.span()
        kind, token = str(match.lastgroup), match.group()
        if _LEVEL.get(token) == _SUM:
            ends_operand = (
                bool(tokens) and tokens[-1][0] != "operator" and tokens[-1][1] not in "(,"
            )
            is_spaced = text[at : at + 1].isspace()
            if is_spaced if not ends_operand else is_spaced != text[start - 1].isspace():
                kind = "other"
        if kind == "name" and text[at : at + 1] == "(":
            kind = "call"
        if kind != "space":
            tokens.append((kind, token))
    return tokens


class _Parser:
    """Parser of one text.

    Attributes:
        at: Number of the next token.
        operators: Number of operators between two operands that were read.
        steps: Number of tokens that were taken.
    """

    def __init__(self, tokens: list[_Token], *, is_part: bool = False) -> None:
        self._tokens = [*tokens, _END]
        self._is_part = is_part
        self.at = self.operators = self.steps = 0

    @property
    def next(self) -> _Token:
        """The next token, or `_END`."""
        return self._tokens[self.at]

    def expression(self, level: int, depth: int) -> str:
        """Read operators of this level and higher ones with their operands."""
        if depth > MAX_NESTED:
            raise _NotInfixError
        left = self._operand(depth + 1)
        while self.next[0] == "operator":
            precedence = _LEVEL.get(self.next[1], 0)
            if precedence < level:
                break
            start = self.at
            operator = self._take()[1]
            # Powers bind from the right: the operand of a power takes further powers with it.
            try:
                right = self.expression(precedence + (precedence != _POWER), depth + 1)
            except _NotInfixError:
                if not self._is_part:
                    raise
                self.at = start  # the expression ends before this operator
                break
            left = f"({operator} {left} {right})"
            self.operators += 1
        return left

    def _operand(self, depth: int) -> str:
        kind, token = self._take()
        if kind == "number":
            return token
        if kind in ("name", "call"):
            if self.next[1] != "(" or (self._is_part and kind == "name"):
                if self._is_part and len(token) > 1:
                    raise _NotInfixError
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
        self.at += 1
        self.steps += 1
        return self._tokens[self.at - 1]
