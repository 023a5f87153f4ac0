"""Arithmetic expressions grown from the value that they are to have, and their text.

A node is an integer, the letter of a number defined before, or (sign, left, right) with one of the
signs + - * /. A rational number is the quotient of two integers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
    return grow_listed(draws, value, n_signs, share, [], signs)


def grow_listed(
    draws: RowDraws,
    value: Ratio,
    n_signs: int,
    share: int,
    integers: list[int],
    signs: tuple[str, ...] = SIGNS,
) -> Node:
    """Return an expression as `grow` does, and list its integers from left to right."""
    if n_signs == 0:
        integers += value if value[1] != 1 else value[:1]
        return leaf(value)
    bits = draws.bits()
    sign = signs[(bits & 255) * len(signs) >> 8]
    operand = _operand(draws, bits >> 32, share)
    first, second = _operands(sign, value, operand, bits >> 8 & 1 == 0)
    on_left = (bits >> 9 & _PART) * n_signs >> 16
    on_right = n_signs - 1 - on_left
    # Most operands are integers, which need no call of their own.
    left: Node = first[0]
    if on_left or first[1] != 1:
        left = grow_listed(draws, first, on_left, share, integers, signs)
    else:
        integers.append(first[0])
    right: Node = second[0]
    if on_right or second[1] != 1:
        right = grow_listed(draws, second, on_right, share, integers, signs)
    else:
        integers.append(second[0])
    return sign, left, right


def _operand(draws: RowDraws, bits: int, share: int) -> Ratio:
    """Return a random rational other than zero, by 32 bits and more draws: mostly an integer."""
    if bits & 3:
        sizes = _sizes(share)
        if sizes == 0:
            return signed_of(draws, share, 1), 1
        size = ((bits >> 3) * sizes >> 29) + 1
        return size if bits & 4 else -size, 1
    return reduced(signed_of(draws, share // 2, 1), positive_of(draws, share, 2))


@cache
def _sizes(share: int) -> int:
    """Return how many sizes a number other than zero of this entropy has, 0 if too many."""
    return max(1, (power_of_ten(max(0, share)) + 1) // 2) if share <= _LARGE else 0


def _operands(sign: str, value: Ratio, operand: Ratio, on_left: bool) -> tuple[Ratio, Ratio]:  # noqa: FBT001
    """Return both operands of a sign, of which `operand` is one, such that they give the value."""
    (top, bottom), (other_top, other_bottom) = value, operand
    if sign in "+-":
        # value = operand + rest, value = operand - rest, or value = rest - operand
        if bottom == other_bottom == 1:
            if sign == "+":
                rest = top - other_top, 1
                return (operand, rest) if on_left else (rest, operand)
            if on_left:
                return operand, (other_top - top, 1)
            return (top + other_top, 1), operand
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
    first: Tree
    second: Tree
    if isinstance(left, int):
        first, text = left, str(left)
    else:
        first, text = _tree_and_text(left, letters)
    if isinstance(right, int):
        second, other = right, str(right)
    else:
        second, other = _tree_and_text(right, letters)
    if other < text and sign in "+*":
        return (_NAMES[sign], second, first), f"({other}{sign}{text})"
    return (_NAMES[sign], first, second), f"({text}{sign}{other})"


def put_letters(node: Node, letters: Mapping[int, str]) -> Node:
    """Return an expression with letters for some of its integers, by their places from 0."""
    place = -1
    last = max(letters)

    def replaced(part: Node) -> Node:
        nonlocal place
        if isinstance(part, tuple):
            sign, left, right = part
            left = replaced(left)
            return (sign, left, right if place >= last else replaced(right))
        if isinstance(part, str):
            return part
        place += 1
        return letters.get(place, part)

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
