"""Reading arithmetic expressions by precedence, and working them out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from math import gcd
from typing import Any, TypeAlias

Tree: TypeAlias = "int | str | tuple[str, Tree, Tree]"
"""An integer, a letter, or (sign, left, right)."""

_MOST_DIGITS = 80
_MOST_TOKENS = 300
_MOST_BITS = 12_000
_DEEPEST = 60
_TOKEN = re.compile(r"0|[1-9][0-9]*|[a-z]| \+ | - |[-*/()]", re.ASCII)
_PRODUCTS, _SUMS = {"*", "/"}, {" + ", " - "}


def read_expression(text: str) -> Tree | None:
    """Return the tree of an expression, or None if the text is none.

    A minus sign without spaces belongs to the number behind it; it may stand at the beginning
    and after an opening parenthesis.
    """
    tokens = _TOKEN.findall(text)
    if len(tokens) > _MOST_TOKENS or "".join(tokens) != text:
        return None
    if any(len(token) > _MOST_DIGITS for token in tokens) or _depth(tokens) > _DEEPEST:
        return None
    reader = _Reader(tokens)
    tree = reader.sum()
    return tree if tree is not None and reader.ended else None


def _depth(tokens: list[str]) -> int:
    depth = deepest = 0
    for token in tokens:
        depth += (token == "(") - (token == ")")
        deepest = max(deepest, depth)
    return deepest


class _Reader:
    """Recursive descent over tokens; every method returns None where the text is wrong."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = [*tokens, ""]
        self._at = 0

    @property
    def ended(self) -> bool:
        return self._tokens[self._at] == ""

    def _take(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def sum(self) -> Tree | None:
        tree = self._product(self._signed())
        while tree is not None and self._tokens[self._at] in _SUMS:
            sign = self._take().strip()
            right = self._product(self._atom())
            tree = None if right is None else (sign, tree, right)
        return tree

    def _product(self, tree: Tree | None) -> Tree | None:
        while tree is not None and self._tokens[self._at] in _PRODUCTS:
            sign, right = self._take(), self._atom()
            tree = None if right is None else (sign, tree, right)
        return tree

    def _signed(self) -> Tree | None:
        if self._tokens[self._at] != "-":
            return self._atom()
        self._take()
        number = self._tokens[self._at]
        return -int(self._take()) if number.isdigit() and number != "0" else None

    def _atom(self) -> Tree | None:
        token = self._tokens[self._at]
        if token.isdigit():
            return int(self._take())
        if token.isalpha():
            return self._take()
        if token != "(":
            return None
        self._take()
        tree = self.sum()
        return tree if self._tokens[self._at] == ")" and self._take() else None


def value_of(tree: Tree, known: Mapping[str, int]) -> Fraction | None:
    """Work a tree out; None for a division by zero, an unknown letter or a huge result."""
    value = _unreduced(tree, known)
    if value is None or value[0].bit_length() + value[1].bit_length() > _MOST_BITS:
        return None
    return Fraction(*value)


def _unreduced(tree: Tree, known: Mapping[str, int]) -> tuple[int, int] | None:
    """Return numerator and denominator with all their common factors."""
    if isinstance(tree, int):
        return tree, 1
    if isinstance(tree, str):
        return (known[tree], 1) if tree in known else None
    sign, left, right = tree[0], _unreduced(tree[1], known), _unreduced(tree[2], known)
    if left is None or right is None:
        return None
    (a, b), (c, d) = left, right
    if sign == "*":
        return a * c, b * d
    if sign == "/":
        return (a * d, b * c) if c else None
    return (a * d + c * b if sign == "+" else a * d - c * b), b * d


def exact_value(tree: Tree, known: Mapping[str, Any]) -> Any:
    """Work a tree out in SymPy's rationals; None for a division by zero or an unknown letter."""
    from sympy import Add, Integer, Mul, Pow

    if isinstance(tree, int):
        return Integer(tree)
    if isinstance(tree, str):
        return known.get(tree)
    sign, left, right = tree[0], exact_value(tree[1], known), exact_value(tree[2], known)
    if left is None or right is None:
        return None
    if sign == "+":
        return Add(left, right)
    if sign == "-":
        return Add(left, Mul(Integer(-1), right))
    if sign == "*":
        return Mul(left, right)
    return Mul(left, Pow(right, Integer(-1))) if right != 0 else None


def _text(value: Fraction) -> str:
    text = str(value)
    return text if text.isdigit() else f"({text})"


def _bare_fraction(tree: Tree) -> bool:
    """Say whether a tree is a fraction in lowest terms, with nothing left to be done."""
    if isinstance(tree, tuple) and tree[0] == "/":
        top, bottom = tree[1], tree[2]
        if isinstance(top, int) and isinstance(bottom, int):
            return bottom > 1 and gcd(top, bottom) == 1
    return False


def lines_of(tree: Tree, known: Mapping[str, int]) -> list[str]:
    """Return the way to the value: one line a sign, operands before results, left before right."""
    if not isinstance(tree, tuple):
        return []
    lines = [line for part in tree[1:] for line in lines_of(part, known)]
    left, right, value = (value_of(part, known) for part in (tree[1], tree[2], tree))
    if left is None or right is None or value is None:
        return ["no value"]
    if not _bare_fraction(tree):
        lines.append(f"{_text(left)} {tree[0]} {_text(right)} = {value}")
    return lines
