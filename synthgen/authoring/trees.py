"""Trees of symbols and integers as derivations.

An integer from -999 to 999 is one leaf, named by its value. A larger one is `(intK limb ... limb)`
with K limbs of three digits, the most significant first, below `neg` if it is negative. These
symbols come first in every signature, so that kernels know their codes as constants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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


def tree_codes(tree: Tree, signature: Signature) -> list[int]:
    """Return the codes of a tree in prefix order.

    Raises:
        ParamError: for an unknown symbol, or a wrong number of arguments.
    """
    codes: list[int] = []
    _append_codes(tree, signature.code, signature.arities, codes)
    return codes


def trees_column(trees: Iterable[Tree | None], signature: Signature) -> Ragged:
    """Return the codes of trees in prefix order, an empty row where there is no tree.

    Raises:
        ParamError: for an unknown symbol, or a wrong number of arguments.
    """
    codes: list[int] = []
    ends = [0]
    for tree in trees:
        if tree is not None:
            _append_codes(tree, signature.code, signature.arities, codes)
        ends.append(len(codes))
    return Ragged(np.array(codes, np.uint16), np.array(ends, np.int64))


def _append_codes(
    tree: Tree, code: Mapping[str, int], arities: Sequence[int], codes: list[int]
) -> None:
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
                codes.append(_symbol(node, 0, code, arities))
            else:
                codes.append(_symbol(str(node[0]), len(node) - 1, code, arities))
                arguments = iter(node)
                next(arguments)
                stack.append(arguments)
                break
        else:
            stack.pop()


def _symbol(name: str, count: int, code: Mapping[str, int], arities: Sequence[int]) -> int:
    found = code.get(name)
    if found is None or arities[found] != count:
        found = code.get(f"{name}{count}")
    if found is not None and arities[found] == count:
        return found
    if name in code:
        raise ParamError(name, count, f"{arities[code[name]]} arguments")
    raise ParamError("symbol", name, f"a declared symbol of {count} arguments")
