"""What compiled checkers of minds are given: bits of words, and the person that each names."""

from __future__ import annotations

from typing import NamedTuple

from synthgen.verifiers.skillmix._text_table import Ints

# A kernel that hands one of these to another writes int(...), since numba would compile the other
# anew for each constant.
(
    TRIGGER,
    FEELING,
    ACT,
    CALM,
    INTERNAL,
    EXTERNAL,
    SUCCESS,
    FAILURE,
    CUE,
    OWNER,
    EXPLAINS,
    PUTS_OR_MOVES,
    MOVES,
    LEAVES,
    OUT,
    RETURNS,
    TO,
    PLACE,
    BELIEVES_OR_SEEKS,
    SEEKS,
    ADVERB,
    END,
    WHILE_OR_WHEN,
    CAME,
    IN,
    FROM,
) = (1 << at for at in range(26))
"""Classes of words, as bits; the first four are the stages of calming down, in their order."""
NOBODY = 0


class Minds(NamedTuple):
    """Words by their numbers.

    Attributes:
        bits: classes of each.
        people: number of the person that it names, `NOBODY` for other words.
    """

    bits: Ints
    people: Ints
