"""A slow reading of HINT text in plain Python, by the published definitions only."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

RANK = dict.fromkeys("+-ab", 1) | dict.fromkeys("*/cd", 2)
LEAF = {str(digit): digit for digit in range(10)} | {"x": 11, "y": 12}


@dataclass(frozen=True)
class Node:
    """A tree that remembers the place of its root and the parentheses around it."""

    symbol: str
    at: int
    arguments: tuple[Node, ...] = ()
    groups: tuple[tuple[int, int], ...] = ()

    @property
    def rank(self) -> int:
        return RANK[self.symbol] if self.arguments else 3


def apply(symbol: str, left: int, right: int) -> int:
    """Value of one operator in exact integers; ZeroDivisionError if undefined."""
    if symbol == "+":
        return left + right
    if symbol == "-":
        return max(0, left - right)
    if symbol == "*":
        return left * right
    if symbol == "/":
        return -(-left // right)
    if symbol == "a":
        return max(left, right)
    if symbol == "b":
        return min(left, right)
    if symbol == "c":
        return -(-(left + right) // 2)
    return -(-(2 * left * right) // (left + right))


def parse(text: str) -> Node:
    """Read infix text by the grammar sum = product (+ product)*, product = factor (* factor)*."""
    node, at = _chain(text, 0, 1)
    assert at == len(text), text
    return node


def _chain(text: str, at: int, rank: int) -> tuple[Node, int]:
    node, at = _chain(text, at, 2) if rank == 1 else _factor(text, at)
    while at < len(text) and RANK.get(text[at]) == rank:
        operator = at
        right, at = _chain(text, at + 1, 2) if rank == 1 else _factor(text, at + 1)
        node = Node(text[operator], operator, (node, right))
    return node, at


def _factor(text: str, at: int) -> tuple[Node, int]:
    if text[at] != "(":
        assert text[at] in LEAF, text
        return Node(text[at], at), at + 1
    node, end = _chain(text, at + 1, 1)
    assert text[end] == ")", text
    groups = (*node.groups, (at, end))
    return Node(node.symbol, node.at, node.arguments, groups), end + 1


def nodes(tree: Node) -> list[Node]:
    """All nodes in prefix order."""
    return [tree, *(node for argument in tree.arguments for node in nodes(argument))]


def value(tree: Node) -> int:
    """Value of a tree."""
    if not tree.arguments:
        return LEAF[tree.symbol]
    left, right = tree.arguments
    return apply(tree.symbol, value(left), value(right))


def prefix(tree: Node) -> str:
    """Prefix text with brackets."""
    if not tree.arguments:
        return tree.symbol
    return f"({tree.symbol} {' '.join(prefix(argument) for argument in tree.arguments)})"


def infix(tree: Node, *, full: bool = False) -> str:
    """Text of a tree, with parentheses where they are needed, or around all compound arguments."""
    if not tree.arguments:
        return tree.symbol
    left, right = tree.arguments
    wrap_left = left.arguments and (full or left.rank < tree.rank)
    wrap_right = right.arguments and (full or right.rank <= tree.rank)
    one, other = infix(left, full=full), infix(right, full=full)
    return (
        (f"({one})" if wrap_left else one) + tree.symbol + (f"({other})" if wrap_right else other)
    )


def heads(text: str) -> list[int]:
    """Head of every token: an argument's operator, a parenthesis' enclosed root, -1 the root."""
    found = [-1] * len(text)
    for node in nodes(parse(text)):
        for argument in node.arguments:
            found[argument.at] = node.at
        for group in node.groups:
            for end in group:
                found[end] = node.at
    return found


def axes(text: str) -> dict[str, int]:
    """Every axis of an expression, from its text."""
    nesting = [0]
    for char in text:
        nesting.append(nesting[-1] + (char == "(") - (char == ")"))
    tree = parse(text)
    distances = [abs(i - head) for i, head in enumerate(heads(text)) if head >= 0]
    return {
        "n_op": sum(char in RANK for char in text),
        "length": len(text),
        "depth": _depth(tree),
        "n_paren": sum(after > before for before, after in pairwise(nesting)),
        "paren_depth": max(nesting),
        "max_value": max(value(node) for node in nodes(tree)),
        "result": value(tree),
        "max_dependency": max(distances, default=0),
    }


def _depth(tree: Node) -> int:
    return 1 + max((_depth(argument) for argument in tree.arguments), default=0)
