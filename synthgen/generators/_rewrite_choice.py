"""Kernels of string rewriting: which rule a row has, and whether the rule changes its input."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.permutation import permuted
from synthgen.core.randomness import U64, draw_below

MILLION = 1_000_000
Choices = tuple[NDArray[np.int64], NDArray[np.bool_]]
"""The rule of each row, counted from the first one, and whether it changes nothing."""
_RULE_DRAW, _NOOP_DRAW = range(2)


@njit(cache=True, nogil=True)
def choose_rules(keys: U64, n_rules: Int, noop: Int) -> Choices:
    """Draw the rule of each row, and whether it changes nothing, `noop` times in a million."""
    rules = np.empty(len(keys), np.int64)
    absent = np.empty(len(keys), np.bool_)
    for i in range(len(keys)):
        rules[i] = draw_below(keys[i], _RULE_DRAW, n_rules)
        absent[i] = draw_below(keys[i], _NOOP_DRAW, MILLION) < noop
    return rules, absent


@njit(cache=True, nogil=True)
def deal_rules(
    addresses: U64,
    table: U64,
    ends: NDArray[np.int64],
    starts: NDArray[np.int64],
    noop: Int,
) -> Choices:
    """Give each row the rule that its place in a permutation belongs to.

    The rule is sought from the one that `starts` has for the part of all places where this one is:
    as there are as many parts as rules, that is one step on average over all places.

    Args:
        addresses: of the rows; those of a permutation's size and more begin again.
        table: of the permutation of all places.
        ends: place after the last one of each rule.
        starts: rule of the first place of each part; parts are of equal size, but for the last.
        noop: how many of a million places, spread evenly, have a row that changes nothing.
    """
    size = np.uint64(ends[-1])
    part = part_size(ends[-1], len(ends))
    rules = np.empty(len(addresses), np.int64)
    absent = np.empty(len(addresses), np.bool_)
    for i in range(len(addresses)):
        place = np.int64(permuted(addresses[i] % size, table))
        rule = starts[place // part]
        while ends[rule] <= place:
            rule += 1
        rules[i] = rule
        absent[i] = (place + 1) * noop // MILLION > place * noop // MILLION
    return rules, absent


@lent
def part_size(places: Int, parts: Int) -> Int:
    """Return how many places a part has if so many parts are to cover all."""
    return (places + parts - 1) // parts
