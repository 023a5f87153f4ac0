"""What the verifiers of the families about functions share: rising precision and reading."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from synthgen.verifiers.omega.algebra._func_back import Chain
from synthgen.verifiers.omega.algebra._func_fixed import Number, OpenError
from synthgen.verifiers.omega.algebra._func_meet import Meeting
from synthgen.verifiers.omega.algebra._func_read import Layers

T = TypeVar("T")
PRECISIONS = (192, 1_024, 4_096)
_PAIR_PRECISIONS = (144, 320, 1_280)
MOST_REACH = 100


def settled(
    layers: Layers,
    reach: int | Fraction,
    count: Callable[[Chain], T],
    low: Fraction | None = None,
) -> T | None:
    """Work with rising precision until nothing is open; None if it always is."""
    for bits in PRECISIONS:
        try:
            return count(Chain(layers, reach, bits, low))
        except OpenError:
            continue
    return None


def nearest_integer(value: Number, bits: int) -> int:
    """Return the integer nearest to a number.

    Raises:
        OpenError: if it lies, or may lie, halfway between two.
    """
    if not isinstance(value, tuple):
        if (2 * value).denominator == 1 and value.denominator == 2:
            raise OpenError
        return (value + Fraction(1, 2)).__floor__()
    half = 1 << (bits - 1)
    low, high = (value[0] + half) >> bits, (value[1] + half) >> bits
    if low != high:
        raise OpenError
    return low


def settled_pair(
    f: Layers, g: Layers, reach: int | Fraction, work: Callable[[Meeting], T]
) -> T | None:
    """Work on two functions with rising precision until nothing is open; None if it always is."""
    for bits in _PAIR_PRECISIONS:
        try:
            return work(Meeting(Chain(f, reach, bits), Chain(g, reach, bits)))
        except OpenError:
            continue
    return None
