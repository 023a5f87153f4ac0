"""Walks over atoms that have every allowed pair about equally often.

A walk of k atoms has a probability in proportion to the product of its pairs' weights, so it can be
drawn atom by atom. The weights are scaled, over and over, by the root of what a pair lacks: they
move towards the walks of most entropy whose pairs are all equally frequent. With walks of two atoms
that is exact; longer ones pass through atoms of many pairs into few, and come near it.

Sums run along the first axis, row by row, so that the tables are the same on every machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.errors import ParamError

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
_ROUNDS = 150
_LARGEST_STEP = 4.0
_FULL = 2.0**32


class Walks(NamedTuple):
    """How to draw walks.

    Attributes:
        steps: uint32 (s, m, m): the last atom's row of a step holds running chances of the next
            one, in units of 2^-32; the first row of a first step holds those of the first atom.
            Step t of a walk of k atoms is at k (k - 1) / 2 + t.
        reached: whether an atom can stand at a place of a walk, bool (m, places).
    """

    steps: NDArray[np.uint32]
    reached: Truths


def walk_tables(
    allowed: Truths, starts: Truths, ends: Truths, lengths: tuple[int, int], *, balanced: bool
) -> Walks:
    """Return tables for walks of all lengths.

    Args:
        allowed: which pairs may stand side by side, bool (m, m).
        starts: which atoms a walk may begin with, bool (m,).
        ends: which it may end with, bool (m,).
        lengths: fewest and most atoms.
        balanced: whether pairs shall be equally frequent, or each next atom equally likely.

    Raises:
        ParamError: if there are no walks of some length.
    """
    m, longest = len(allowed), lengths[1]
    steps = np.zeros((longest * (longest + 1) // 2, m, m), np.uint32)
    reached = np.zeros((m, longest), bool)
    for length in range(lengths[0], longest + 1):
        weights = allowed.astype(np.float64)
        futures = _futures(weights, ends, length)
        if not (starts * futures[0]).any():
            raise ParamError("max_atoms", longest, f"chains of {length} of these atoms and types")
        if balanced and length > 1:
            weights = _scaled(weights, starts, ends, length)
            futures = _futures(weights, ends, length)
        elif not balanced:
            futures = [(future > 0).astype(np.float64) for future in futures]
        base = length * (length - 1) // 2
        steps[base, 0] = _running(starts * futures[0])
        present: Truths = starts & np.greater(futures[0], 0)
        reached[:, 0] |= present
        for t in range(1, length):
            ways = weights * futures[t]
            present = np.asarray((ways[present] > 0).any(axis=0))
            reached[:, t] |= present
            for row in range(m):
                steps[base + t, row] = _running(ways[row])
    return Walks(steps, reached)


def _futures(weights: Floats, ends: Truths, length: int) -> list[Floats]:
    """Return for each place the weight of all ways on from each atom there."""
    turned = np.ascontiguousarray(weights.T)
    futures = [ends.astype(np.float64)]
    for _ in range(length - 1):
        future: Floats = (turned * futures[-1][:, None]).sum(axis=0)
        futures.append(future / max(float(future.max()), 1e-300))
    return futures[::-1]


def _scaled(weights: Floats, starts: Truths, ends: Truths, length: int) -> Floats:
    """Scale weights towards equal shares of all pairs that some walk has."""
    for _ in range(_ROUNDS):
        futures = _futures(weights, ends, length)
        past = starts.astype(np.float64)
        shares = np.zeros_like(weights)
        for t in range(1, length):
            flow = past[:, None] * weights * futures[t]
            total = float(np.cumsum(flow.sum(axis=0))[-1])
            shares += flow / total
            past = (past[:, None] * weights).sum(axis=0)
            past /= float(past.max())
        used = shares > 0
        fair = (length - 1) / int(used.sum())
        factor = np.sqrt(fair / np.where(used, shares, fair))
        weights = weights * np.clip(factor, 1 / _LARGEST_STEP, _LARGEST_STEP)
        weights /= float(weights.max())
    return weights


def _running(ways: Floats) -> NDArray[np.uint32]:
    """Return running chances in units of 2^-32; the last possible one is the largest there is."""
    sums = np.cumsum(ways)
    if sums[-1] <= 0:
        return np.zeros(len(ways), np.uint32)
    marks = np.minimum(np.rint(sums / sums[-1] * _FULL), _FULL - 1)
    marks[int(np.flatnonzero(ways)[-1]) :] = _FULL - 1
    whole: NDArray[np.uint32] = marks.astype(np.uint32)
    return whole
