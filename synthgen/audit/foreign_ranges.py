"""Block of lengths, depths, values and answers: how far tests go beyond train."""

from __future__ import annotations

import math
from collections.abc import Sequence

from synthgen.audit.blocks import FLAG, OK, Bars, Block, BlockTable, Cell
from synthgen.audit.foreign_counts import SideCounts
from synthgen.audit.foreign_novelty import Novelty
from synthgen.core.coverage.answer_priors import answer_prior
from synthgen.core.coverage.ranges import Range

MOST_SHIFT = 0.1
"""A larger shift of a mean length is flagged: models find lengths before composition."""
_CHARTS = ("words", "tokens", "symbols", "characters", "depth", "answer tokens")
_MOST_BARS = 40

_Number = int | float | None


def ranges_block(train: SideCounts, tests: Sequence[SideCounts], found: Sequence[Novelty]) -> Block:
    """Return ranges of every length and value, the shift of means, and answer priors."""
    rows: list[tuple[Cell, ...]] = []
    flagged = []
    for name, own in train.ranges.items():
        if not own.n:
            continue
        rows.append((name, train.name, *_of_range(own), None, None))
        for each in found:
            beyond = each.beyond[name]
            shift = beyond.shift
            outside = _rounded(shift.beyond)
            rows.append(
                (name, each.name, *_of_range(beyond.test), _rounded(shift.relative), outside)
            )
            is_length = name != "answer value"
            if is_length and not math.isnan(shift.relative) and abs(shift.relative) > MOST_SHIFT:
                flagged.append(f"{name} of {each.name} by {shift.relative:+.0%}")
    columns = ("of", "split", "least", "mean", "median", "largest", "shift of mean", "beyond train")
    tables = [BlockTable("Lengths and values", columns, tuple(rows))]
    if len(train.answers) and any(len(test.answers) for test in tests):
        tables.append(_priors(train, tests))
    text = f"No mean length differs from that of {train.name} by more than {MOST_SHIFT:.0%}."
    if flagged:
        text = f"Means that differ from those of {train.name}: {', '.join(flagged)}."
    bars = tuple(_bars(name, train, tests) for name in train.ranges if name in _CHARTS)
    verdict = FLAG if flagged else OK
    return Block("ranges", "Lengths, values and answers", verdict, text, tuple(tables), bars)


def _of_range(of: Range) -> tuple[_Number, _Number, _Number, _Number]:
    return of.low, _rounded(of.mean), of.quantile(0.5), of.high


def _priors(train: SideCounts, tests: Sequence[SideCounts]) -> BlockTable:
    rows = []
    for test in tests:
        prior = answer_prior(train.answers, test.answers)
        shares = (prior.train_top, prior.test_top, prior.guess, prior.unseen, prior.distance)
        counts = (prior.train_answers, prior.test_answers)
        rows.append((test.name, *counts, *(_rounded(share) for share in shares)))
    columns = (
        *("split", "answers of train", "answers of test", "commonest in train"),
        *("commonest in test", "right by guessing", "unseen answer", "distance"),
    )
    return BlockTable("Answers", columns, tuple(rows))


def _bars(name: str, train: SideCounts, tests: Sequence[SideCounts]) -> Bars:
    """Return shares of rows by length, over bins of equal width."""
    sides = [side for side in (train, *tests) if name in side.ranges and side.ranges[name].n]
    bounds = [(side.ranges[name].low or 0, side.ranges[name].high or 0) for side in sides]
    low, high = min((b[0] for b in bounds), default=0), max((b[1] for b in bounds), default=0)
    width = max(1, -(-(high - low + 1) // _MOST_BARS))
    n_bins = (high - low) // width + 1
    values = []
    for side in sides:
        counts = [0] * n_bins
        starts, of_bins = side.ranges[name].histogram()
        for start, count in zip(starts.tolist(), of_bins.tolist(), strict=True):
            counts[min(max(start - low, 0) // width, n_bins - 1)] += count
        values.append(tuple(count / side.ranges[name].n for count in counts))
    labels = tuple(
        str(low + i * width) if width == 1 else f"{low + i * width}-{low + (i + 1) * width - 1}"
        for i in range(n_bins)
    )
    names = tuple(side.name for side in sides)
    return Bars(name.capitalize(), name, "share of rows", labels, names, tuple(values))


def _rounded(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 6)
