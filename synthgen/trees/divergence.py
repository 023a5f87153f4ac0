"""Chernoff divergence of two counts of the same things, equal to the last bit on any machine.

For counts c of train and d of test with totals n and m it is 1 - sum of (c/n)^a (d/m)^(1-a), from 0
(equal shares) to 1 (nothing in common); a thing that one side lacks adds nothing (Keysers et al.
2020, arXiv:1912.09713: exponent a = 0.5 for atoms, 0.1 for compounds).

Powers use only additions, multiplications and divisions, which IEEE 754 rounds alike on every
machine, unlike the `pow` of C libraries; sums are exact before they are rounded.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.core.kernels import jit, kernel

_SQRT_HALF = 0.7071067811865476
_LOG_2 = 0.6931471805599453
_LOG_TERMS = 12  # of artanh for |x| <= 0.172: the rest is below 2^-60
_EXP_TERMS = 18  # of exp for |x| <= 0.347: the rest is below 2^-80


def chernoff_divergence(
    train: NDArray[np.integer] | NDArray[np.floating],
    test: NDArray[np.integer] | NDArray[np.floating],
    exponent: float,
) -> float:
    """Return the divergence of two vectors of counts or weights.

    Args:
        train: Counts of each thing in train, at least 0, (k,).
        test: Counts of the same things in test, (k,).
        exponent: Power of the train shares, above 0 and below 1; the test shares have 1 minus it.

    Returns:
        From 0 to 1; 0 where a side is empty.

    Raises:
        ParamError: for an exponent out of range, negative counts or vectors of unequal length.
    """
    check_exponent("exponent", exponent)
    if train.shape != test.shape or train.ndim != 1:
        raise ParamError("counts", (train.shape, test.shape), "two vectors of equal length")
    if bool((train < 0).any() or (test < 0).any()):
        raise ParamError("counts", "negative", "none below 0")
    shared = np.flatnonzero((train > 0) & (test > 0))
    totals = np.array([math.fsum(train.tolist()), math.fsum(test.tolist())])
    if not totals.all():
        return 0.0
    terms = powers(train[shared].astype(np.float64), exponent)
    terms *= powers(test[shared].astype(np.float64), 1.0 - exponent)
    most = power(totals[0], exponent) * power(totals[1], 1.0 - exponent)
    return max(0.0, 1.0 - math.fsum(terms.tolist()) / most)


def check_exponent(name: str, value: float) -> float:
    """Return a Chernoff exponent, or raise ParamError if it is not between 0 and 1."""
    if not 0.0 < value < 1.0:
        raise ParamError(name, value, "a number above 0 and below 1")
    return value


@jit
def powers(values: NDArray[np.float64], exponent: float) -> NDArray[np.float64]:
    """Return `power` of every value."""
    out = np.empty(len(values), np.float64)
    for i in range(len(values)):
        out[i] = power(values[i], exponent)
    return out


@kernel
def power(value: float, exponent: float) -> float:
    """Return value^exponent for 0 <= value and 0 < exponent < 1, to 14 digits for counts."""
    if value <= 0.0:
        return 0.0
    mantissa, twos = math.frexp(value)
    if mantissa < _SQRT_HALF:
        mantissa *= 2.0
        twos -= 1
    ratio = (mantissa - 1.0) / (mantissa + 1.0)  # log of the mantissa is 2 artanh of this
    square = ratio * ratio
    series = 0.0
    for j in range(_LOG_TERMS, 0, -1):
        series = series * square + 1.0 / (2 * j - 1)
    wanted = exponent * twos + exponent * (2.0 * ratio * series / _LOG_2)  # in powers of two
    whole = math.floor(wanted + 0.5)
    rest = (wanted - whole) * _LOG_2
    result = 1.0
    for j in range(_EXP_TERMS, 0, -1):
        result = 1.0 + result * rest / j
    return math.ldexp(result, int(whole))
