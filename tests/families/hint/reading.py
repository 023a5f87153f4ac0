"""HINT text in plain Python, by the published definitions only: the twin of the kernels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

RANK = dict.fromkeys("+-ab", 1) | dict.fromkeys("*/cd", 2)
LEAF = {str(digit): digit for digit in range(10)} | {"x": 11, "y": 12}


@dataclass(frozen=True)
class Node:
    """A tree that remembers the place of its root and the parentheses around it."""

    symbol: str
    at: int
    value: int
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
    """Read infix text by precedence climbing; an error if it has no value."""
    node, at = _climb(text, 0, 1)
    if at < len(text):
        raise ValueError(text[at:])
    return node


def _climb(text: str, at: int, lowest: int) -> tuple[Node, int]:
    """Read operators of rank >= lowest; return the tree and where it ends."""
    node, at = _primary(text, at)
    while at < len(text) and (rank := RANK.get(text[at], 0)) >= lowest:
        symbol, place = text[at], at
        right, at = _climb(text, at + 1, rank + 1)
        node = Node(symbol, place, apply(symbol, node.value, right.value), (node, right))
    return node, at


def _primary(text: str, at: int) -> tuple[Node, int]:
    """Read one symbol or one group in parentheses."""
    if text[at] != "(":
        return Node(text[at], at, LEAF[text[at]]), at + 1
    node, end = _climb(text, at + 1, 1)
    if text[end] != ")":
        raise ValueError(text[end])
    return replace(node, groups=(*node.groups, (at, end))), end + 1


def answer(prompt: str) -> str | None:
    """Value of the expression of a prompt; None if it has none, or an unreasonably large one."""
    parts = prompt.rsplit("`", 2)
    try:
        value = parse(parts[1] if len(parts) == 3 else prompt).value
    except (ValueError, IndexError, KeyError, ZeroDivisionError, RecursionError):
        return None
    return str(value) if value.bit_length() <= 10_000 else None


def steps(tree: Node) -> list[str]:
    """A line for each operator in the order in which they complete, or the value of a symbol."""
    return _operations(tree) or [str(tree.value)]


def _operations(tree: Node) -> list[str]:
    if not tree.arguments:
        return []
    left, right = tree.arguments
    own = f"{left.value}{tree.symbol}{right.value}={tree.value}"
    return [*_operations(left), *_operations(right), own]


def nodes(tree: Node) -> list[Node]:
    """All nodes in prefix order."""
    return [tree, *(node for argument in tree.arguments for node in nodes(argument))]


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
        "max_value": max(node.value for node in nodes(tree)),
        "result": tree.value,
        "max_dependency": max(distances, default=0),
    }


def _depth(tree: Node) -> int:
    return 1 + max((_depth(argument) for argument in tree.arguments), default=0)
