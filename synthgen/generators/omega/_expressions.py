"""Arithmetic expressions grown from the value that they are to have, and their text.

A node is an integer, the letter of a number defined before, or (sign, left, right) with one of the
signs + - * /. A rational number is the quotient of two integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from math import gcd
from typing import TypeAlias

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._draws import (
    PER_DIGIT,
    positive_of,
    power_of_ten,
    signed_of,
)
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega._parts import Ratio, reduced

Node: TypeAlias = "int | str | tuple[str, Node, Node]"

SIGNS = ("+", "-", "*", "/")
_NAMES = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
SYMBOLS: Mapping[str, int] = dict.fromkeys(_NAMES.values(), 2)
"""Symbols of an expression's tree, name -> arity."""
_PART = (1 << 16) - 1
_LARGE = 4 * PER_DIGIT


def leaf(value: Ratio) -> Node:
    """Return a rational as an integer or a quotient of integers."""
    return value[0] if value[1] == 1 else ("/", *value)


def grow(
    draws: RowDraws, value: Ratio, n_signs: int, share: int, signs: tuple[str, ...] = SIGNS
) -> Node:
    """Return an expression with this value and so many random signs.

    Each sign brings a random operand with `share` sixteenths of entropy. Quotients that stand for
    rational numbers come in addition.
    """
    if n_signs == 0:
        return leaf(value)
    bits = draws.bits()
    sign = signs[(bits & 255) * len(signs) >> 8]
    operand = _operand(draws, bits >> 32, share)
    first, second = _operands(sign, value, operand, bits >> 8 & 1 == 0)
    on_left = (bits >> 9 & _PART) * n_signs >> 16
    return (
        sign,
        grow(draws, first, on_left, share, signs),
        grow(draws, second, n_signs - 1 - on_left, share, signs),
    )


def _operand(draws: RowDraws, bits: int, share: int) -> Ratio:
    """Return a random rational other than zero, by 32 bits and more draws: mostly an integer."""
    if bits & 3:
        if share > _LARGE:
            return signed_of(draws, share, 1), 1
        size = ((bits >> 3) * _sizes(share) >> 29) + 1
        return size if bits & 4 else -size, 1
    return reduced(signed_of(draws, share // 2, 1), positive_of(draws, share, 2))


@cache
def _sizes(share: int) -> int:
    """Return how many sizes a number other than zero of this entropy has."""
    return max(1, (power_of_ten(max(0, share)) + 1) // 2)


def _operands(sign: str, value: Ratio, operand: Ratio, on_left: bool) -> tuple[Ratio, Ratio]:  # noqa: FBT001
    """Return both operands of a sign, of which `operand` is one, such that they give the value."""
    (top, bottom), (other_top, other_bottom) = value, operand
    if sign in "+-":
        # value = operand + rest, value = operand - rest, or value = rest - operand
        if sign == "-" and not on_left:
            rest = reduced(top * other_bottom + other_top * bottom, bottom * other_bottom)
            return rest, operand
        rest = reduced(top * other_bottom - other_top * bottom, bottom * other_bottom)
        if sign == "-":
            return operand, (-rest[0], rest[1])
        return (operand, rest) if on_left else (rest, operand)
    if sign == "*":
        rest = reduced(top * other_bottom, bottom * other_top)
        return (operand, rest) if on_left else (rest, operand)
    if on_left and top:
        return operand, reduced(other_top * bottom, other_bottom * top)
    return reduced(top * other_top, bottom * other_bottom), operand


def written(node: Node) -> str:
    """Write an expression with no more parentheses than make every reading the same.

    Quotients before * or / are in parentheses, and so is what begins with a minus sign further
    right than the beginning.
    """
    if not isinstance(node, tuple):
        return str(node)
    sign, left, right = node
    before, after = written(left), written(right)
    if sign in "+-":
        if after[0] == "-" or (isinstance(right, tuple) and right[0] in "+-"):
            after = f"({after})"
        return f"{before} {sign} {after}"
    if isinstance(left, tuple) and left[0] != "*":
        before = f"({before})"
    if after[0] == "-" or isinstance(right, tuple):
        after = f"({after})"
    return f"{before}{sign}{after}"


def expression_tree(node: Node, letters: Mapping[str, Tree]) -> Tree:
    """Return the canonical tree: operands of + and * sorted, letters as their definitions."""
    return _tree_and_text(node, letters)[0]


def _tree_and_text(node: Node, letters: Mapping[str, Tree]) -> tuple[Tree, str]:
    """Return the tree and a text to sort it by."""
    if isinstance(node, int):
        return node, str(node)
    if isinstance(node, str):
        tree = ("let", letters[node])
        return tree, repr(tree)
    sign, left, right = node
    first, text = _tree_and_text(left, letters)
    second, other = _tree_and_text(right, letters)
    if sign in "+*" and other < text:
        return (_NAMES[sign], second, first), f"({other}{sign}{text})"
    return (_NAMES[sign], first, second), f"({text}{sign}{other})"


def integers_in(node: Node) -> Iterator[int]:
    """Yield the integers of an expression from left to right."""
    if isinstance(node, int):
        yield node
    elif isinstance(node, tuple):
        yield from integers_in(node[1])
        yield from integers_in(node[2])


def put_letter(node: Node, place: int, letter: str) -> Node:
    """Return an expression whose integer number `place`, from 0, is replaced by a letter."""
    left = place + 1

    def replaced(part: Node) -> Node:
        nonlocal left
        if isinstance(part, tuple):
            return (part[0], replaced(part[1]), replaced(part[2]))
        left -= isinstance(part, int)
        return letter if left == 0 and isinstance(part, int) else part

    return replaced(node)


_RESULTS: Mapping[str, Callable[[Ratio, Ratio], Ratio]] = {
    "+": lambda x, y: reduced(x[0] * y[1] + y[0] * x[1], x[1] * y[1]),
    "-": lambda x, y: reduced(x[0] * y[1] - y[0] * x[1], x[1] * y[1]),
    "*": lambda x, y: reduced(x[0] * y[0], x[1] * y[1]),
    "/": lambda x, y: reduced(x[0] * y[1], x[1] * y[0]),
}


def ratio_text(value: Ratio) -> str:
    """Write `a` or `a/b`."""
    return str(value[0]) if value[1] == 1 else f"{value[0]}/{value[1]}"


def operand_text(value: Ratio) -> str:
    """Write a number as an operand: in parentheses if it is negative or a fraction."""
    text = ratio_text(value)
    return text if text.isdigit() else f"({text})"


def is_fraction(node: Node) -> bool:
    """Say whether a node is a fraction in lowest terms rather than a division to be done."""
    if not isinstance(node, tuple) or node[0] != "/":
        return False
    top, bottom = node[1], node[2]
    both = isinstance(top, int) and isinstance(bottom, int)
    return both and bottom > 1 and gcd(top, bottom) == 1  # type: ignore[operator, arg-type]


def working(node: Node, letters: Mapping[str, int]) -> tuple[Ratio, list[str]]:
    """Work an expression out, one line a sign, from the inside out and from left to right."""
    if isinstance(node, int):
        return (node, 1), []
    if isinstance(node, str):
        return (letters[node], 1), []
    sign, (first, lines), (second, others) = node[0], *(working(n, letters) for n in node[1:])
    lines += others
    value = _RESULTS[sign](first, second)
    if not is_fraction(node):
        operands = f"{operand_text(first)} {sign} {operand_text(second)}"
        lines.append(f"{operands} = {ratio_text(value)}")
    return value, lines
