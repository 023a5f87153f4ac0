"""Trees of symbols and integers as derivations.

An integer from -999 to 999 is one leaf, named by its value. A larger one is `(intK limb ... limb)`
with K limbs of three digits, the most significant first, below `neg` if it is negative. These
symbols come first in every signature, so that kernels know their codes as constants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TypeAlias

import numpy as np

from synthgen.core.columns import Ragged
from synthgen.core.derivation import Signature
from synthgen.core.errors import ParamError

LARGEST_LEAF = 999
"""An integer v with |v| at most this is the leaf of code v + LARGEST_LEAF."""
MOST_LIMBS = 340
_BASE = 1_000
NEGATIVE = 2 * LARGEST_LEAF + 1
"""Code of the symbol `neg`."""
TWO_LIMBS = NEGATIVE + 1
"""Code of the symbol `int2`; K limbs are TWO_LIMBS + K - 2."""
OWN_SYMBOLS = TWO_LIMBS + MOST_LIMBS - 1
"""Code of the first symbol that a family declares."""

Tree: TypeAlias = "int | str | list[int] | tuple[Tree, ...]"
"""An integer, a leaf's name, a tuple of a symbol's name and its arguments, or codes."""
Symbols: TypeAlias = "Mapping[str, int | tuple[int, int]]"
"""Name -> arity, or (smallest, largest arity): `f` of 2 to 4 arguments is `f2`, `f3` and `f4`."""


def signature_of(symbols: Symbols) -> Signature:
    """Return the signature of the integers and a family's own symbols."""
    return _signature(tuple(symbols.items()))


@cache
def _signature(symbols: tuple[tuple[str, int | tuple[int, int]], ...]) -> Signature:
    known = {str(value): 0 for value in range(-LARGEST_LEAF, LARGEST_LEAF + 1)}
    known |= {"neg": 1} | {f"int{k}": k for k in range(2, MOST_LIMBS + 1)}
    for name, arity in symbols:
        if isinstance(arity, int):
            known[name] = arity
        else:
            known |= {f"{name}{n}": n for n in range(arity[0], arity[1] + 1)}
    return Signature.of(known)


def integer_codes(value: int) -> list[int]:
    """Return the codes of an integer in prefix order.

    Raises:
        ParamError: for an integer of more than 1,020 digits.
    """
    if -LARGEST_LEAF <= value <= LARGEST_LEAF:
        return [value + LARGEST_LEAF]
    if value < 0:
        return [NEGATIVE, *integer_codes(-value)]
    limbs: list[int] = []
    while value:
        value, limb = divmod(value, _BASE)
        limbs.append(limb + LARGEST_LEAF)
    if len(limbs) > MOST_LIMBS:
        raise ParamError("digits", 3 * len(limbs), f"at most {3 * MOST_LIMBS}")
    limbs.append(TWO_LIMBS + len(limbs) - 2)
    limbs.reverse()
    return limbs


def trees_column(trees: Iterable[Tree | None], signature: Signature) -> Ragged:
    """Return the codes of trees in prefix order, an empty row where there is no tree.

    Raises:
        ParamError: for an unknown symbol, or a wrong number of arguments.
    """
    symbols = _Codes(signature)
    codes: list[int] = []
    ends = [0]
    for tree in trees:
        if tree is not None:
            _append_codes(tree, symbols, codes)
        ends.append(len(codes))
    return Ragged(np.array(codes, np.uint16), np.array(ends, np.int64))


class _Codes(dict[tuple[str, int], int]):
    """Codes of the symbols that occur, by name and number of arguments."""

    def __init__(self, signature: Signature) -> None:
        super().__init__()
        self._code, self._arities = signature.code, signature.arities

    def __missing__(self, key: tuple[str, int]) -> int:
        name, count = key
        for known in (name, f"{name}{count}"):
            if known in self._code and self._arities[self._code[known]] == count:
                return self.setdefault(key, self._code[known])
        if name in self._code:
            raise ParamError(name, count, f"{self._arities[self._code[name]]} arguments")
        raise ParamError("symbol", name, f"a declared symbol of {count} arguments")


def _append_codes(tree: Tree, symbols: _Codes, codes: list[int]) -> None:
    """Append the codes of a tree. The stack holds iterators over the remaining arguments."""
    stack = [iter((tree,))]
    while stack:
        for node in stack[-1]:
            if isinstance(node, int):
                if -LARGEST_LEAF <= node <= LARGEST_LEAF:
                    codes.append(node + LARGEST_LEAF)
                else:
                    codes += integer_codes(node)
            elif isinstance(node, list):
                codes += node
            elif isinstance(node, str):
                codes.append(symbols[node, 0])
            else:
                codes.append(symbols[str(node[0]), len(node) - 1])
                arguments = iter(node)
                next(arguments)
                stack.append(arguments)
                break
        else:
            stack.pop()
