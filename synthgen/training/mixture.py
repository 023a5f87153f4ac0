"""Mixtures and curricula: the source of each row of a stream.

An epoch consists of stages, each with a number of rows and the sources' shares in them. How many of
the first t rows of a stage come from each source follows from t by rounding, so it is known for any
position without the positions before it. Within a stage, each block of rows is shuffled.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.draws.streams import keyed_order, stream_key
from synthgen.training.view import View

BLOCK = 4096
"""Number of rows shuffled together; each block has the share of each source to within a row."""
Weights = Mapping[str, float]
Stages = Sequence[tuple[int, Weights]]
Places = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Index of a source, and number of a row in the order of that source."""
_MAX_ROWS = 2**48
_PRECISION = 10**12


def tempered(sources: Mapping[str, View], temperature: float) -> dict[str, float]:
    """Return weights in proportion to rows ** (1 / temperature).

    1 takes each source by its size; larger values favor small sources, up to equal shares.

    Raises:
        ParamError: for a temperature that is not positive.
    """
    if not temperature > 0:
        raise ParamError("temperature", temperature, "a positive number")
    largest = max((len(view) for view in sources.values()), default=1)
    return {name: (len(view) / largest) ** (1 / temperature) for name, view in sources.items()}


def power_law(names: Sequence[str], exponent: float = 1.0) -> dict[str, float]:
    """Return weights that fall as rank ** -exponent, in the order of the names (Zipf's law for 1).

    Raises:
        ParamError: for an exponent that is not finite.
    """
    if not math.isfinite(exponent):
        raise ParamError("exponent", exponent, "a finite number")
    return {name: rank**-exponent for rank, name in enumerate(names, start=1)}


def rising(view: View, axis: str, steps: int = 10) -> tuple[dict[str, View], Stages]:
    """Return sources and stages of an epoch in which the values of an axis rise.

    Each stage holds all rows between two values, shuffled, so that an epoch has each row once.

    Args:
        view: Rows.
        axis: Column of integers without nulls.
        steps: Largest number of stages, which are about equally large.

    Raises:
        UnknownNameError: for an unknown column.
        ParamError: for a column with texts or nulls, or one that is not an axis.

    Example:
        >>> import synthgen
        >>> train = synthgen.open("outputs/hint")["train"]
        >>> sources, stages = rising(train, "n_op", steps=2)
        >>> len(sources)
        2
        >>> order = synthgen.stream(sources, weights=stages)
    """
    check_int("steps", steps, 1, 1000)
    column = view.column(axis)
    fits = axis in view.axes and pa.types.is_integer(column.type) and not column.null_count
    if not fits or not len(column):
        raise ParamError("axis", axis, "an axis whose values are integers, without nulls")
    values, counts = np.unique(column.to_numpy(), return_counts=True)
    ends = np.cumsum(counts)
    cuts = np.searchsorted(ends, np.arange(1, steps + 1) * len(view) / steps)
    sources, stages, first = {}, [], 0
    for last in np.unique(np.minimum(cuts, len(values) - 1)).tolist():
        low, high = values[[first, last]].tolist()
        name = f"{axis} {low}" if low == high else f"{axis} {low} to {high}"
        sources[name] = view.where(f"{axis} BETWEEN {low} AND {high}")
        stages.append((len(sources[name]), {name: 1.0}))
        first = last + 1
    return sources, stages


@dataclass
class Schedule:
    """The stages of an epoch.

    Attributes:
        names: Names of the sources.
        rows: Number of rows of each stage.
        shares: Share of each source in each stage, in the order of the names.
        key: Key of the shuffles.
    """

    names: tuple[str, ...]
    rows: tuple[int, ...]
    shares: tuple[tuple[Fraction, ...], ...]
    key: int
    _kept: tuple[int, NDArray[np.int64], NDArray[np.int64]] | None = None

    @classmethod
    def from_weights(
        cls, sources: Mapping[str, View], weights: Weights | Stages | None, seed: int
    ) -> Schedule:
        """Return the schedule for the weights of a user.

        Args:
            sources: Sources by name.
            weights: Of one stage, as many rows as all sources have; or rows and weights of several
                stages; None for each source by its size.
            seed: Seed of the shuffles.

        Raises:
            UnknownNameError: for the weight of an unknown source.
            ParamError: for weights that are not positive numbers, or a stage without rows.
        """
        sizes = {name: len(view) for name, view in sources.items()}
        given = sizes if weights is None else weights
        stages = [(sum(sizes.values()), given)] if isinstance(given, Mapping) else list(given)
        pairs = all(isinstance(stage, tuple | list) and len(stage) == 2 for stage in stages)
        if not (stages and pairs and all(isinstance(each, Mapping) for _, each in stages)):
            expected = "a weight by the name of each source, or pairs of rows and such weights"
            raise ParamError("weights", weights, expected)
        for place, (rows, by_name) in enumerate(stages):
            check_int(f"rows of stage {place}", rows, 1, _MAX_ROWS)
            _check_weights(by_name, sizes)
        shares = [_shares([by_name.get(name, 0) for name in sizes]) for _, by_name in stages]
        rows_of = tuple(rows for rows, _ in stages)
        return cls(tuple(sizes), rows_of, tuple(shares), stream_key(seed, "mixture"))

    @property
    def epoch(self) -> int:
        """Rows of an epoch."""
        return sum(self.rows)

    @cached_property
    def _starts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """First slot of each stage and rows of each source before it, and those of an epoch."""
        stages = zip(self.rows, self.shares, strict=True)
        parts = [np.zeros(len(self.names), np.int64), *(_parts(*stage) for stage in stages)]
        return np.cumsum([0, *self.rows]), np.cumsum(parts, axis=0)

    def before(self, slot: int) -> NDArray[np.int64]:
        """Return the number of rows of each source before a slot, counted over all epochs."""
        slots, counts = self._starts
        epochs, slot = divmod(slot, self.epoch)
        stage = int(np.searchsorted(slots, slot, "right")) - 1
        within = _parts(slot - int(slots[stage]), self.shares[stage])
        rows: NDArray[np.int64] = epochs * counts[-1] + counts[stage] + within
        return rows

    def places(self, first: int, last: int) -> Places:
        """Return the source of each slot from `first` to `last` - 1, and its place in it."""
        if len(self.names) == 1:
            return np.zeros(last - first, np.int64), np.arange(first, last)
        parts = [
            tuple(part[max(first - start, 0) : last - start] for part in self._block(start, stop))
            for start, stop in self._blocks(first, last)
        ]
        sources, places = (np.concatenate(part) for part in zip(*parts, strict=True))
        return sources, places

    def _blocks(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Yield the bounds of all blocks with a slot from `first` to `last` - 1."""
        slots, _ = self._starts
        while first < last:
            epoch = first // self.epoch * self.epoch
            stage = int(np.searchsorted(slots, first - epoch, "right")) - 1
            start, stop = (epoch + int(slot) for slot in slots[stage : stage + 2])
            block = start + (first - start) // BLOCK * BLOCK
            first = min(block + BLOCK, stop)
            yield block, first

    def _block(self, start: int, stop: int) -> Places:
        """Return the sources and places of a whole block; the last one is kept."""
        if self._kept is None or self._kept[0] != start:
            before = self.before(start)
            counts = self.before(stop) - before
            sources = np.repeat(np.arange(len(counts)), counts)
            firsts = before - np.cumsum(counts) + counts
            places = np.arange(stop - start) + np.repeat(firsts, counts)
            sources = sources[keyed_order(stream_key(self.key, start), stop - start)]
            # Only sources are shuffled; the rows of each keep their order, as reads must rise.
            ranks = np.argsort(np.argsort(sources, kind="stable"))
            self._kept = start, sources, places[ranks]
        return self._kept[1:]


def _check_weights(weights: Weights, sizes: Mapping[str, int]) -> None:
    for name, weight in weights.items():
        if name not in sizes:
            raise UnknownNameError(kind="source", name=name, known=tuple(sizes))
        number = isinstance(weight, int | float) and 0 <= weight < math.inf
        if not number or (weight and not sizes[name]):
            what = f"weight of {name}"
            raise ParamError(what, weight, "a number from 0; 0 if no rows")
    if not any(weights.values()):
        raise ParamError("weights", weights, "one that is positive")


def _shares(weights: Sequence[float]) -> tuple[Fraction, ...]:
    """Return exact shares that are the same on every machine."""
    if all(isinstance(weight, int) for weight in weights):
        exact = [Fraction(weight) for weight in weights]
    else:
        exact = [Fraction(round(weight / max(weights) * _PRECISION)) for weight in weights]
    return tuple(each / sum(exact) for each in exact)


def _parts(rows: int, shares: Sequence[Fraction]) -> NDArray[np.int64]:
    """Return the number of rows that each source has among the first rows of a stage.

    The rows are divided between the last source and all others, then among the others likewise.
    """
    # Rounding one division at a time keeps the sum, and no part shrinks as rows grow.
    parts = np.zeros(len(shares), np.int64)
    left, share = rows, Fraction(1)
    for i in range(len(shares) - 1, -1, -1):
        others = share - shares[i]
        rest = math.floor(left * others / share + Fraction(1, 2)) if others else 0
        parts[i] = left - rest
        if not rest:
            break
        left, share = rest, others
    return parts
