"""Axes of the string systems, and how many problems there are at least."""

from __future__ import annotations

from math import comb, perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.core.contract import Axis
from synthgen.generators._systems_rules import AB, INSERTION, LONGEST, N_BANK, SYSTEMS

ENDINGS = ("blocked", "repeat")
LENGTH_LEVELS = (10, 50, 100, 500)
RULE_LEVELS = (3, 5, 10, 15, 20)
"""Largest length and number of rules of each level of the curriculum."""
_COUNTED_TO = 10**30


def system_axes(
    rules: tuple[int, int], lengths: tuple[int, int], max_steps: int
) -> dict[str, Axis]:
    """Return the axes.

    Args:
        rules: fewest and most rules.
        lengths: shortest and longest input.
        max_steps: of a problem.
    """
    low, high = lengths
    steps = min(max_steps, 2**15 - 1)
    longest = high + 2 * max_steps
    return {
        "system": Axis("the system", values=SYSTEMS),
        "n_steps": Axis("steps from the input to the answer", low=0, high=steps),
        "n_rules": Axis("rules of the system or list", low=rules[0], high=rules[1]),
        "input_length": Axis("letters or tokens of the input", low=low, high=high),
        "answer_length": Axis("letters or tokens of the answer", low=0, high=longest),
        "n_fired": Axis("different rules that fire on the way", low=0, high=rules[1]),
        "ended": Axis("no rule fits, or the next string has occurred", values=ENDINGS),
        "length_level": Axis(
            "level of the input length: up to 10, 50, 100, 500", low=1, high=len(LENGTH_LEVELS)
        ),
        "rules_level": Axis(
            "level of the number of rules: up to 3, 5, 10, 15, 20", low=1, high=len(RULE_LEVELS)
        ),
    }


def levels_of(lengths: NDArray[np.int64], rules: NDArray[Any]) -> dict[str, NDArray[np.int64]]:
    """Return the axes of the curriculum."""
    return {
        "length_level": np.searchsorted(LENGTH_LEVELS, lengths) + 1,
        "rules_level": np.searchsorted(RULE_LEVELS, rules) + 1,
    }


def fewest_strings(
    system: int,
    lengths: tuple[int, int],
    rules: tuple[int, int],
    letters: str,
    max_steps: int,
    *,
    empty: bool,
) -> int | None:
    """Return a lower bound of the number of problems, at most 10^30, or None without one.

    Args:
        system: one of SYSTEMS.
        lengths: shortest and longest input.
        rules: fewest and most rules of a list.
        letters: of the inputs.
        max_steps: above which a problem is dropped.
        empty: whether one with an empty answer is kept.
    """
    total = 0
    for length in range(lengths[0], lengths[1] + 1):
        if system == AB:
            total += _programs(length, max_steps, empty=empty)
        elif system == INSERTION:
            total += len(letters) ** length if length // 4 <= max_steps else 0
        else:
            total += _inert(length, letters, rules)
    return min(total, _COUNTED_TO) or None


def _programs(length: int, max_steps: int, *, empty: bool) -> int:
    """Count A::B's programs; if some may take too long, those that are in normal form.

    A token that faces right meets each one that faces left and comes later at most once. A program
    vanishes if both its A and its B match like brackets: Cat(m) Cat(m + 1) of 2m tokens.
    """
    half: int = length // 2
    if half * (length - half) > max_steps:
        return int((length + 1) * 2**length)
    vanishing = 0 if empty or length % 2 else _catalan(half) * _catalan(half + 1)
    return int(4**length - vanishing)


def _catalan(m: int) -> int:
    return int(comb(2 * m, m) // (m + 1))


def _inert(length: int, letters: str, rules: tuple[int, int]) -> int:
    """Count some problems in which no rule fires: strings ba...bc with an odd number of b.

    Between them stand a and b alone, and the last of them is b. Where the string is longer than
    LONGEST, the list must not have the rule for such strings.
    """
    if length < 5 or not set("abc") <= set(letters):
        return 0
    bank = N_BANK - (length > LONGEST)
    lists = sum(perm(bank, count) for count in range(rules[0], rules[1] + 1))
    return int(2 ** max(0, length - 6) * lists)
