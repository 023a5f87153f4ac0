"""Ranges of a scalar on both sides, such as lengths, and how far test exceeds train.

`Range` accumulates batches of integers: exact bounds and sum, and a histogram with exact bins below
256 and 32 bins for each doubling above, so that quantiles are accurate to 3 %. Partial ranges can
be merged, and the result depends on neither order nor batches.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from synthgen.core.errors import ParamError
from synthgen.draws.randomness import U64

Ints = NDArray[np.int64]

_EXACT_BITS, _FINE_BITS = 8, 5
_EXACT, _FINE = 1 << _EXACT_BITS, 1 << _FINE_BITS
_N_BINS = _EXACT + (64 - _EXACT_BITS) * _FINE
"""Number of bins of absolute values, up to 2^63."""
_LOW_32 = np.int64(2**32 - 1)


class Range:
    """Bounds, mean and histogram of integers added in batches.

    Attributes:
        n: Number of values.
        low, high: Smallest and largest value, None before the first.
        total: Sum of the values.
    """

    def __init__(self, values: ArrayLike = ()) -> None:
        self.n = 0
        self.low: int | None = None
        self.high: int | None = None
        self.total = 0
        self._bins = np.zeros(2 * _N_BINS, np.int64)
        self.add(values)

    def add(self, values: ArrayLike) -> None:
        """Add integers (n,), from -2^63 + 1 to 2^63 - 1.

        Raises:
            ParamError: for values that are not 64-bit integers, or -2^63.
        """
        numbers = _integers(values)
        if not len(numbers):
            return
        low, high = int(numbers.min()), int(numbers.max())
        if low == -(2**63):
            raise ParamError("smallest value", low, "above -2^63")
        self.n += len(numbers)
        self.low = low if self.low is None else min(self.low, low)
        self.high = high if self.high is None else max(self.high, high)
        # Sum 32-bit halves, so that no sum of a batch overflows.
        self.total += (int((numbers >> 32).sum()) << 32) + int((numbers & _LOW_32).sum())
        self._bins += np.bincount(_bin_of(numbers), minlength=2 * _N_BINS)

    def merge(self, other: Range) -> None:
        """Add the numbers of another range."""
        lows, highs = (self.low, other.low), (self.high, other.high)
        self.low = min((low for low in lows if low is not None), default=None)
        self.high = max((high for high in highs if high is not None), default=None)
        self.n += other.n
        self.total += other.total
        self._bins += other._bins

    @property
    def mean(self) -> float:
        """Mean of all values, nan without any."""
        return self.total / self.n if self.n else float("nan")

    def histogram(self) -> tuple[Ints, Ints]:
        """Return the start of each non-empty bin, rising, and its count, int64 (k,).

        Bins of negative values mirror the others and are represented by the value nearest to 0.
        """
        some = np.flatnonzero(self._bins)
        return _start_of(some), self._bins[some]

    def quantile(self, share: float) -> int | None:
        """Return a quantile: this share of all values is at most the result; None without values.

        It is the value of the bin nearest to 0, clipped to the bounds: exact up to 255, and
        accurate to 3 % beyond.

        Raises:
            ParamError: for a share that is not from 0 to 1.
        """
        if not 0.0 <= share <= 1.0:
            raise ParamError("share", share, "a number from 0 to 1")
        if self.low is None or self.high is None:
            return None
        starts, counts = self.histogram()
        # The tolerance keeps a product such as 0.1 * 3 * 10, just above 3, at the third value.
        place = int(np.searchsorted(np.cumsum(counts), max(share * self.n - 1e-9, 1)))
        return min(max(int(starts[min(place, len(starts) - 1)]), self.low), self.high)


@dataclass(frozen=True, slots=True)
class Shift:
    """Comparison of test with train.

    Attributes:
        mean: Mean of test minus mean of train, nan if a side is empty.
        relative: Quotient of that and train's mean, nan if it is 0 or a side is empty.
        above, below: Number of test values above and below all of train.
        n: Number of test values.
    """

    mean: float
    relative: float
    above: int
    below: int
    n: int

    @property
    def beyond(self) -> float:
        """Share of the test values outside train's range, nan without values."""
        return (self.above + self.below) / self.n if self.n else float("nan")


class Beyond:
    """Counts the test values outside the range of train.

    Args:
        train: Range of all train values; it must not grow later.
    """

    def __init__(self, train: Range) -> None:
        self._train = train
        self._test = Range()
        self._above = self._below = 0

    @property
    def test(self) -> Range:
        """Range of the test values so far."""
        return self._test

    def add(self, values: ArrayLike) -> None:
        """Add test integers (n,); if train is empty, all of them count as above it."""
        numbers = _integers(values)
        self._test.add(numbers)
        if self._train.low is None or self._train.high is None:
            self._above += len(numbers)
            return
        self._above += int(np.count_nonzero(numbers > self._train.high))
        self._below += int(np.count_nonzero(numbers < self._train.low))

    @property
    def shift(self) -> Shift:
        """Comparison so far."""
        mean = self._test.mean - self._train.mean
        relative = mean / abs(self._train.mean) if self._train.total else float("nan")
        return Shift(mean, relative, self._above, self._below, self._test.n)


def _integers(values: ArrayLike) -> Ints:
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iub":
        raise ParamError("values", f"{array.dtype} {array.shape}", "a vector of integers")
    if array.dtype.kind == "u" and int(array.max()) > 2**63 - 1:
        raise ParamError("largest value", int(array.max()), "at most 2^63 - 1")
    return array.astype(np.int64)


def step_and_width(values: Ints, most: int) -> tuple[int, int]:
    """Return the step of the values, and the width of at most `most` bins, a multiple of it.

    The step is the largest number that divides all their differences: bins of 3 over odd numbers
    would hold two values and one in turn.
    """
    if not len(values):
        return 1, 1
    # Differences of two int64 values may need 64 bits without a sign.
    steps = np.diff(np.unique(values).view(np.uint64))
    step = int(np.gcd.reduce(steps)) if len(steps) else 1
    span = int(values.max()) - int(values.min()) + step
    return step, step * max(1, -(-span // (step * most)))


def _bin_of(numbers: Ints) -> Ints:
    """Return the bin of each value: negative ones below _N_BINS, the others from there on."""
    size = np.abs(numbers)
    bits = _bit_lengths(size.astype(np.uint64))
    shift = np.maximum(bits - (_FINE_BITS + 1), 0)
    octave = np.maximum(bits - (_EXACT_BITS + 1), 0)
    fine = (size >> shift) - _FINE
    bins = np.where(size < _EXACT, size, _EXACT + octave * _FINE + fine)
    return np.where(numbers < 0, _N_BINS - 1 - bins, _N_BINS + bins)


def _start_of(bins: Ints) -> Ints:
    """Return the value nearest to 0 of each bin."""
    negative = bins < _N_BINS
    places = np.where(negative, _N_BINS - 1 - bins, bins - _N_BINS)
    octave, fine = np.divmod(np.maximum(places - _EXACT, 0), _FINE)
    large = (_FINE + fine) << (octave + _EXACT_BITS - _FINE_BITS)
    size = np.where(places < _EXACT, places, large)
    return np.where(negative, -size, size)


def _bit_lengths(words: U64) -> Ints:
    """Return the number of bits of each word; exact, as each half has fewer than 53."""
    high, low = (words >> np.uint64(32)).astype(np.float64), (words & np.uint64(2**32 - 1))
    of_high = np.frexp(high)[1].astype(np.int64)
    of_low = np.frexp(low.astype(np.float64))[1].astype(np.int64)
    return np.where(of_high > 0, of_high + 32, of_low)
