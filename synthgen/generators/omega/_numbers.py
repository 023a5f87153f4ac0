"""Trees of symbols and integers as derivations, with one numbering that all OMEGA families share.

An integer from -999 to 999 is one leaf, named by itself. A larger one is `(intK limb ... limb)`
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
"""The integer v is the leaf of code v + LARGEST_LEAF where |v| is at most this."""
MOST_LIMBS = 60
_BASE = 1_000
_TWO, _THREE = _BASE**2, _BASE**3
NEGATIVE = 2 * LARGEST_LEAF + 1
"""Code of the symbol `neg`."""
TWO_LIMBS = NEGATIVE + 1
"""Code of the symbol `int2`; K limbs are TWO_LIMBS + K - 2."""
OWN_SYMBOLS = TWO_LIMBS + MOST_LIMBS - 1
"""Code of the first symbol of a family's own."""

Tree: TypeAlias = "int | str | list[int] | tuple[Tree, ...]"
"""An integer, a leaf's name, a tuple of a symbol's name and its arguments, or finished codes."""


@cache
def _number_symbols() -> dict[str, int]:
    symbols = {str(value): 0 for value in range(-LARGEST_LEAF, LARGEST_LEAF + 1)}
    return symbols | {"neg": 1} | {f"int{k}": k for k in range(2, MOST_LIMBS + 1)}


def signature_of(symbols: Mapping[str, int]) -> Signature:
    """Return the signature of the integers and a family's own symbols, name -> arity."""
    return _signature(tuple(symbols.items()))


@cache
def _signature(symbols: tuple[tuple[str, int], ...]) -> Signature:
    """Make each signature once: it has thousands of names, whose ids are hashed."""
    return Signature.of(_number_symbols() | dict(symbols))


def integer_codes(value: int) -> list[int]:
    """Return the codes of an integer in prefix order.

    Raises:
        ParamError: for an integer of more than 180 digits.
    """
    if -LARGEST_LEAF <= value <= LARGEST_LEAF:
        return [value + LARGEST_LEAF]
    if value < 0:
        return [NEGATIVE, *integer_codes(-value)]
    if value < _TWO:
        return [TWO_LIMBS, value // _BASE + LARGEST_LEAF, value % _BASE + LARGEST_LEAF]
    limbs: list[int] = []
    while value >= _THREE:  # three limbs at a time, as arithmetic is faster below 2^30
        value, three = divmod(value, _THREE)
        limbs += (
            three % _BASE + LARGEST_LEAF,
            three // _BASE % _BASE + LARGEST_LEAF,
            three // _TWO + LARGEST_LEAF,
        )
    while value:
        limbs.append(value % _BASE + LARGEST_LEAF)
        value //= _BASE
    if len(limbs) > MOST_LIMBS:
        raise ParamError("digits", 3 * len(limbs), f"at most {3 * MOST_LIMBS}")
    limbs.append(TWO_LIMBS + len(limbs) - 2)
    limbs.reverse()
    return limbs


def integers_codes(values: Iterable[int]) -> list[int]:
    """Return the codes of integers one after another.

    Raises:
        ParamError: for an integer of more than 180 digits.
    """
    codes: list[int] = []
    for value in values:
        if -LARGEST_LEAF <= value <= LARGEST_LEAF:
            codes.append(value + LARGEST_LEAF)
        else:
            codes += integer_codes(value)
    return codes


def tree_codes(tree: Tree, signature: Signature) -> list[int]:
    """Return the codes of a tree in prefix order.

    Raises:
        ParamError: for a symbol with a wrong number of arguments.
    """
    codes: list[int] = []
    _put_codes(tree, signature.code, signature.arities, codes)
    return codes


def trees_column(trees: Iterable[Tree | None], signature: Signature) -> Ragged:
    """Return the codes of trees in prefix order, none where there is no tree.

    Raises:
        ParamError: for a symbol with a wrong number of arguments.
    """
    codes: list[int] = []
    ends = [0]
    code, arities = signature.code, signature.arities
    for tree in trees:
        if isinstance(tree, list):
            codes += tree
        elif tree is not None:
            _put_codes(tree, code, arities, codes)
        ends.append(len(codes))
    return Ragged(np.array(codes, np.uint16), np.array(ends, np.int64))


def _put_codes(
    tree: Tree, code: Mapping[str, int], arities: Sequence[int], codes: list[int]
) -> None:
    """Add the codes of a tree to a list; what waits behind is kept as iterators over arguments."""
    waiting = [iter((tree,))]
    while waiting:
        for node in waiting[-1]:
            if isinstance(node, int):
                if -LARGEST_LEAF <= node <= LARGEST_LEAF:
                    codes.append(node + LARGEST_LEAF)
                else:
                    codes += integer_codes(node)
                continue
            if isinstance(node, list):
                codes += node
                continue
            name, count = (node, 0) if isinstance(node, str) else (str(node[0]), len(node) - 1)
            symbol = code[name]
            if arities[symbol] != count:
                raise ParamError(name, count, f"{arities[symbol]} arguments")
            codes.append(symbol)
            if count:
                arguments = iter(node)
                next(arguments)
                waiting.append(arguments)
                break
        else:
            waiting.pop()
