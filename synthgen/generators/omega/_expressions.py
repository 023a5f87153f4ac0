"""Arithmetic expressions grown from the value that they are to have, and their text.

A node is an integer, the letter of a number defined before, or (sign, left, right) with one of the
signs + - * /. A rational number is the quotient of two integers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from math import gcd
from typing import TypeAlias

from synthgen.core.derivation import Signature
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._draws import (
    PER_DIGIT,
    positive_of,
    power_of_ten,
    signed_of,
)
from synthgen.generators.omega._numbers import Tree, integer_codes, tree_codes
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
    return _grown(draws, value, n_signs, share, _sizes(share), integers, signs)


def _grown(
    draws: RowDraws,
    value: Ratio,
    n_signs: int,
    share: int,
    sizes: int,
    integers: list[int],
    signs: tuple[str, ...],
) -> Node:
    if n_signs == 0:
        integers += value if value[1] != 1 else value[:1]
        return leaf(value)
    bits = draws.bits()
    sign = signs[(bits & 255) * len(signs) >> 8]
    # Most operands are integers, for which 32 of the bits are enough.
    operand: Ratio
    if sizes and bits >> 32 & 3:
        size = ((bits >> 35) * sizes >> 29) + 1
        operand = (size if bits >> 34 & 1 else -size, 1)
    else:
        operand = _operand(draws, bits >> 32, share)
    first, second = _operands(sign, value, operand, bits >> 8 & 1 == 0)
    on_left = (bits >> 9 & _PART) * n_signs >> 16
    on_right = n_signs - 1 - on_left
    # Integers need no call of their own.
    left: Node = first[0]
    if on_left or first[1] != 1:
        left = _grown(draws, first, on_left, share, sizes, integers, signs)
    else:
        integers.append(first[0])
    right: Node = second[0]
    if on_right or second[1] != 1:
        right = _grown(draws, second, on_right, share, sizes, integers, signs)
    else:
        integers.append(second[0])
    return sign, left, right


def _operand(draws: RowDraws, bits: int, share: int) -> Ratio:
    """Return a rational other than zero, by 2 bits and more draws, where one word is too little."""
    if bits & 3:
        return signed_of(draws, share, 1), 1
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
    before = written(left) if isinstance(left, tuple) else str(left)
    after = written(right) if isinstance(right, tuple) else str(right)
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


def sign_codes(signature: Signature) -> list[int]:
    """Return the codes of the signs, in the order of SIGNS."""
    return [signature.code[_NAMES[sign]] for sign in SIGNS]


def expression_codes(node: Node, letters: Mapping[str, Tree], signature: Signature) -> list[int]:
    """Return the codes of the canonical tree, without making the tree itself."""
    known = {
        letter: (tree_codes(("let", tree), signature), repr(("let", tree)))
        for letter, tree in letters.items()
    }
    heads = {sign: signature.code[name] for sign, name in _NAMES.items()}
    return _codes_and_text(node, known, heads)[0]


def _codes_and_text(
    node: Node, letters: Mapping[str, tuple[list[int], str]], heads: Mapping[str, int]
) -> tuple[list[int], str]:
    """Return codes and the text of `_tree_and_text`."""
    if isinstance(node, int):
        return integer_codes(node), str(node)
    if isinstance(node, str):
        return letters[node]
    sign, left, right = node
    if isinstance(left, int):
        first, text = integer_codes(left), str(left)
    else:
        first, text = _codes_and_text(left, letters, heads)
    if isinstance(right, int):
        second, other = integer_codes(right), str(right)
    else:
        second, other = _codes_and_text(right, letters, heads)
    if other < text and sign in "+*":
        return [heads[sign], *second, *first], f"({other}{sign}{text})"
    return [heads[sign], *first, *second], f"({text}{sign}{other})"


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
