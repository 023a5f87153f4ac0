"""What compiled checkers of bad arguments are given: bits of words, and how each begins."""

from __future__ import annotations

from typing import NamedTuple

from synthgen.verifiers.skillmix._text_table import Ints

# A kernel that hands one of these to another writes int(...), since numba would compile the other
# anew for each constant.
(
    CLAIMS,
    REJECTS,
    TRUSTS,
    FLAW,
    COMES_AFTER,
    CAUSES,
    CAUSES_OR_BECAUSE,
    ALLUDES,
    MANY,
    HELD,
    HOLDS,
    CORRECT,
) = (1 << at for at in range(12))
"""Classes of words, as bits."""


class Fallacies(NamedTuple):
    """Words by their numbers.

    Attributes:
        bits: classes of each.
        beginnings: number of its first letters; words with the same one are taken to be akin.
    """

    bits: Ints
    beginnings: Ints
