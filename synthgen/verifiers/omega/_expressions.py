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
_OPERAND = re.compile(r"(\(*)(-?)(0|[1-9][0-9]*|[a-z])(\)*)( \+ | - |[*/]|)", re.ASCII)
"""An operand with the parentheses and signs around it."""
_SIGNS = {"*": "*", "/": "/", " + ": "+", " - ": "-"}
_RANKS = {"*": 2, "/": 2, "+": 1, "-": 1, "(": 0}
"""Which signs are worked out before which: the higher ones first, from left to right."""


def read_expression(text: str) -> Tree | None:
    """Return the tree of an expression, or None if the text is none.

    A minus sign without spaces belongs to the number behind it; it may stand at the beginning
    and after an opening parenthesis.
    """
    # A shorter text has neither too long a number nor, if it is an expression, too deep a nesting.
    if len(text) > _MOST_DIGITS and _is_excessive(text):
        return None
    pieces = _OPERAND.findall(text)
    if not pieces or "".join(map("".join, pieces)) != text:
        return None
    return _tree(pieces)


def _is_excessive(text: str) -> bool:
    """Say whether a text has too many or too long tokens or is nested too deeply."""
    tokens = _TOKEN.findall(text)
    if len(tokens) > _MOST_TOKENS or max(map(len, tokens), default=0) > _MOST_DIGITS:
        return True
    return text.count("(") > _DEEPEST and _depth(tokens) > _DEEPEST


def _depth(tokens: list[str]) -> int:
    depth = deepest = 0
    for token in tokens:
        depth += (token == "(") - (token == ")")
        deepest = max(deepest, depth)
    return deepest


def _tree(pieces: list[tuple[str, str, str, str, str]]) -> Tree | None:
    """Build the tree with a stack of signs that wait for their right operands."""
    operands: list[Tree] = []
    waiting = ["("]
    before = "("
    for opening, minus, word, closing, text in pieces:
        if before == "":
            return None  # two operands without a sign between them
        waiting += opening
        if minus:
            if not (opening or before == "(") or word == "0" or word.isalpha():
                return None
            operands.append(-int(word))
        else:
            operands.append(word if word.isalpha() else int(word))
        for _ in closing:
            while waiting[-1] != "(":
                right = operands.pop()
                operands[-1] = (waiting.pop(), operands[-1], right)
            waiting.pop()
            if not waiting:
                return None
        if text:
            sign = _SIGNS[text]
            rank = _RANKS[sign]
            while _RANKS[waiting[-1]] >= rank:
                right = operands.pop()
                operands[-1] = (waiting.pop(), operands[-1], right)
            waiting.append(sign)
        before = text
    if before:
        return None
    while waiting[-1] != "(":
        right = operands.pop()
        operands[-1] = (waiting.pop(), operands[-1], right)
    return operands[0] if len(waiting) == 1 else None


def value_of(tree: Tree, known: Mapping[str, int]) -> Fraction | None:
    """Work a tree out; None for a division by zero, an unknown letter or a huge result."""
    value = ratio_of(tree, known)
    return Fraction(*value) if value else None


def ratio_of(tree: Tree, known: Mapping[str, int]) -> tuple[int, int] | None:
    """Work a tree out as `value_of` does, to a numerator and a denominator not in lowest terms."""
    value = _unreduced(tree, known)
    if value is None or value[0].bit_length() + value[1].bit_length() > _MOST_BITS:
        return None
    return value


def _unreduced(tree: Tree, known: Mapping[str, int]) -> tuple[int, int] | None:
    """Return numerator and denominator with all their common factors."""
    if isinstance(tree, int):
        return tree, 1
    if isinstance(tree, str):
        return (known[tree], 1) if tree in known else None
    sign, first, second = tree
    left = (first, 1) if isinstance(first, int) else _unreduced(first, known)
    right = (second, 1) if isinstance(second, int) else _unreduced(second, known)
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
    from sympy import Integer

    if isinstance(tree, int):
        return Integer(tree)
    if isinstance(tree, str):
        return known.get(tree)
    sign, left, right = tree[0], exact_value(tree[1], known), exact_value(tree[2], known)
    if left is None or right is None:
        return None
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    if sign == "*":
        return left * right
    return left / right if right != 0 else None


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
