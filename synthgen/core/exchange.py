"""Local search for train and test sets whose compounds differ much while their atoms differ little.

Two rows of different sides change places whenever that does no harm. The score is the divergence of
the compounds, less a charge for what other features diverge beyond their bounds and for every atom
that test has and train lacks. Each of the two rows is the most promising of a few random ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import draw_below
from synthgen.core.tally import (
    Change,
    Feature,
    Floats,
    Ints,
    change_of,
    divergence_after,
    exchange,
    no_change,
    unseen_after,
    weigh,
)

PROPOSED, EXCHANGED, LAST_GAIN = 0, 1, 2
CANDIDATES = 8


class Aim(NamedTuple):
    """What the search looks for.

    Attributes:
        atom_bound, axis_bound: divergences of atoms and of axes that are free of charge.
        penalty: charge for a divergence of 1 beyond them.
        unseen_penalty: charge for each atom that test has and train lacks.
        target: stop once the compounds diverge so far and nothing is charged.
        patience: stop after so many proposals without a gain.
        refresh: weigh all rows anew after so many proposals.
    """

    atom_bound: float
    axis_bound: float
    penalty: float
    unseen_penalty: float
    target: float
    patience: int
    refresh: int


class Proposal(NamedTuple):
    """Two places of different sides, and the signs of `tally.change_of`."""

    place: Int
    other: Int
    train_sign: Int
    test_sign: Int


@njit(cache=True, nogil=True)
def climb(
    compounds: Feature,
    atoms: Feature,
    axes: Feature,
    places: Ints,
    n_train: int,
    n_test: int,
    aim: Aim,
    key: np.uint64,
    steps: int,
    counts: Ints,
) -> tuple[float, float]:
    """Search for at most `steps` proposals.

    Args:
        compounds: filled for `places`, as are the other features; they follow the exchanges.
        atoms: bounded by `aim.atom_bound`.
        axes: bounded by `aim.axis_bound`.
        places: all rows, int64 (n,): train first, then test, then the unused; changed in place.
        n_train: number of train rows, at least 1.
        n_test: number of test rows, at least 1.
        aim: what to look for.
        key: of the row of draws that makes the proposals.
        steps: number of proposals at most.
        counts: number of proposals and exchanges so far, and of the last proposal that was a gain,
            int64 (3,); proposals are numbered on, so a search may be done in stretches.

    Returns:
        The score, and the charge that it is less by.
    """
    nothing = no_change()
    charge = _charge(atoms, nothing, axes, nothing, aim)
    score = divergence_after(compounds, nothing) - charge
    gains = np.zeros((2, len(places)))
    first = counts[PROPOSED]
    for step in range(first, first + steps):
        if (charge == 0.0 and score >= aim.target) or step - counts[LAST_GAIN] >= aim.patience:
            break
        if (step - first) % aim.refresh == 0:
            weigh(compounds, places, n_train, n_test, gains)
        counts[PROPOSED] += 1
        place, other, train_sign, test_sign = _propose(key, step, n_train, n_test, places, gains)
        out, to = places[place], places[other]
        compound_change = change_of(compounds, out, to, train_sign, test_sign)
        diverged = divergence_after(compounds, compound_change)
        if diverged < score:
            continue  # whatever the charge
        atom_change = change_of(atoms, out, to, train_sign, test_sign)
        axis_change = change_of(axes, out, to, train_sign, test_sign)
        new_charge = _charge(atoms, atom_change, axes, axis_change, aim)
        if diverged - new_charge < score:
            continue
        exchange(compounds, out, to, train_sign, test_sign, compound_change)
        exchange(atoms, out, to, train_sign, test_sign, atom_change)
        exchange(axes, out, to, train_sign, test_sign, axis_change)
        places[place], places[other] = to, out
        _turn(gains, out, train_sign, test_sign)
        _turn(gains, to, train_sign, test_sign)
        counts[EXCHANGED] += 1
        if diverged - new_charge > score:
            counts[LAST_GAIN] = step + 1
        score, charge = diverged - new_charge, new_charge
    return score, charge


@lent
def _charge(
    atoms: Feature, atom_change: Change, axes: Feature, axis_change: Change, aim: Aim
) -> float:
    beyond = max(0.0, divergence_after(atoms, atom_change) - aim.atom_bound)
    beyond += max(0.0, divergence_after(axes, axis_change) - aim.axis_bound)
    return aim.penalty * beyond + aim.unseen_penalty * unseen_after(atoms, atom_change)


@njit(cache=True, nogil=True)
def _propose(
    key: np.uint64, step: Int, n_train: int, n_test: int, places: Ints, gains: Floats
) -> Proposal:
    """Choose two places: train and unused, test and unused, and train and test by turns."""
    used = n_train + n_test
    n_unused = len(places) - used
    turn = step % 3 if n_unused > 0 else 2
    first, count, other_first, other_count = 0, n_train, used, n_unused
    train_sign, test_sign = np.int64(1), np.int64(0)
    if turn == 1:
        first, count = n_train, n_test
        train_sign, test_sign = np.int64(0), np.int64(1)
    elif turn == 2:
        other_first, other_count = n_train, n_test
        test_sign = np.int64(-1)
    draw = 2 * CANDIDATES * step
    place = _best(key, draw, first, count, places, gains, train_sign, test_sign)
    draw += CANDIDATES
    other = _best(key, draw, other_first, other_count, places, gains, train_sign, test_sign)
    return Proposal(place, other, train_sign, test_sign)


@lent
def _best(
    key: np.uint64,
    draw: Int,
    first: Int,
    count: Int,
    places: Ints,
    gains: Floats,
    train_sign: Int,
    test_sign: Int,
) -> Int:
    """Return the most promising of a few random places, first..first+count-1."""
    best: Int = np.int64(-1)
    most = 0.0
    for j in range(CANDIDATES):
        place = first + draw_below(key, draw + j, count)
        row = places[place]
        gain = abs(train_sign) * gains[0, row] + abs(test_sign) * gains[1, row]
        if best < 0 or gain > most:
            best, most = place, gain
    return best


@lent
def _turn(gains: Floats, row: Int, train_sign: Int, test_sign: Int) -> None:
    """Note that to change its side again would undo what a row has just added."""
    if train_sign != 0:
        gains[0, row] = -gains[0, row]
    if test_sign != 0:
        gains[1, row] = -gains[1, row]
