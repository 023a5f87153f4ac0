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
from synthgen.core.errors import AuthorError, ParamError, did_you_mean
from synthgen.trees.derivations import Signature

LARGEST_LEAF = 999
"""An integer v with |v| at most this is the leaf of code v + LARGEST_LEAF."""
MAX_LIMBS = 340
_LIMBS = {
    text: value + LARGEST_LEAF
    for value in range(LARGEST_LEAF + 1)
    for text in (str(value), f"{value:03}")
}
"""Code of each limb as it is written."""
_TOO_LARGE = 10 ** (3 * MAX_LIMBS)
NEGATIVE = 2 * LARGEST_LEAF + 1
"""Code of the symbol `neg`."""
TWO_LIMBS = NEGATIVE + 1
"""Code of the symbol `int2`; K limbs are TWO_LIMBS + K - 2."""
OWN_SYMBOLS = TWO_LIMBS + MAX_LIMBS - 1
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
    known |= {"neg": 1} | {f"int{k}": k for k in range(2, MAX_LIMBS + 1)}
    for name, arity in symbols:
        if isinstance(arity, int):
            known[name] = arity
        else:
            known |= {f"{name}{n}": n for n in range(arity[0], arity[1] + 1)}
    return Signature.from_arities(known)


def integer_codes(value: int) -> list[int]:
    """Return the codes of an integer in prefix order.

    Raises:
        ParamError: for an integer of more than 1,020 digits.
    """
    if -LARGEST_LEAF <= value <= LARGEST_LEAF:
        return [value + LARGEST_LEAF]
    if value < 0:
        return [NEGATIVE, *integer_codes(-value)]
    if value >= _TOO_LARGE:
        raise ParamError("integer", f"{value.bit_length()} bits", f"at most {3 * MAX_LIMBS} digits")
    limbs = f"{value:,}".split(",")
    return [TWO_LIMBS + len(limbs) - 2, *[_LIMBS[limb] for limb in limbs]]


def trees_column(trees: Iterable[Tree | None], signature: Signature) -> Ragged:
    """Return the codes of trees in prefix order, an empty row where there is no tree.

    Raises:
        AuthorError: for an unknown symbol, or a wrong number of arguments.
    """
    codes: list[int] = []
    ends = [0]
    known = _Codes(signature)
    for tree in trees:
        if tree is not None:
            _append_codes(tree, known, codes)
        ends.append(len(codes))
    return Ragged(np.array(codes, np.uint16), np.array(ends, np.int64))


class _Codes(dict[str | tuple[str, int], int]):
    """Codes of leaves by name, and of other symbols by name and number of arguments."""

    def __init__(self, signature: Signature) -> None:
        super().__init__()
        self._signature = signature

    def __missing__(self, key: str | tuple[str, int]) -> int:
        name, count = (key, 0) if isinstance(key, str) else key
        code, arities = self._signature.code, self._signature.arities
        for known in (name, f"{name}{count}"):
            if known in code and arities[code[known]] == count:
                self[key] = code[known]
                return code[known]
        own = list(code)[OWN_SYMBOLS:]
        counts = [str(arities[code[known]]) for known in own if known.rstrip("0123456789") == name]
        if counts:
            declared = f"it is declared with {', '.join(counts)}"
            raise AuthorError("tree", f"symbol {name!r} has {count} arguments; {declared}")
        meant = did_you_mean(name, {known.rstrip("0123456789") for known in own})
        raise AuthorError("tree", f"symbol {name!r} is not declared in `symbols`{meant}")


def _append_codes(tree: Tree, known: _Codes, codes: list[int]) -> None:
    """Append the codes of a tree."""
    stack = [tree]  # what remains of it, the next node last
    while stack:
        node = stack.pop()
        if isinstance(node, int):
            if -LARGEST_LEAF <= node <= LARGEST_LEAF:
                codes.append(node + LARGEST_LEAF)
            else:
                codes += integer_codes(node)
        elif isinstance(node, str):
            codes.append(known[node])
        elif isinstance(node, list):
            codes += node
        else:
            codes.append(known[str(node[0]), len(node) - 1])
            stack += node[:0:-1]
