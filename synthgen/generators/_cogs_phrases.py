"""Kernels that draw the words and noun phrases of COGS sentences."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import draw_bits
from synthgen.generators._cogs_grammar import (
    ANIMATE,
    FIRST_NAME_TARGET,
    FIRST_PLACE,
    FIRST_PP,
    INANIMATE,
    INANIMATE_SHARE,
    LAST_NAME_TARGET,
    MAY_HAVE_PP,
    NAME,
    NP_DET,
    NP_DET_PP,
    NP_NAME,
    THE,
    A,
)
from synthgen.generators._cogs_words import Words

REFUSED = -1
"""End of a phrase that is given up: too deep, or with a noun that was there before."""
ANY, REQUIRED = -1, -2
"""Depths of prepositional phrases that are drawn: if the kind may have one, or at least one."""
REDRAWN, ALLOWED = 1, 2
"""What becomes of a noun that was there before, where the sentence is not refused."""
_TRIES = 256
_LOW_32, _S32, _S11 = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(11)
_TO_UNIT = 2.0**-53
_ON_SHARE, _ON_OR_IN_SHARE = 0.333, 0.666


class Chances(NamedTuple):
    """Probabilities and bounds of the main grammar.

    Attributes:
        pp: a noun that may have a prepositional phrase has one.
        definite: an article is `the`.
        name: an animate noun phrase is a name.
        max_cp, max_pp: deepest nesting that is kept.
        repeats: 0 if a sentence with a noun twice is refused, REDRAWN if the noun is drawn again,
            ALLOWED if it may be there twice.
    """

    pp: float
    definite: float
    name: float
    max_cp: int
    max_pp: int
    repeats: int


@lent
def unit(key: np.uint64, j: Int) -> float:
    """Draw number j of a row as a multiple of 2^-53 in [0, 1)."""
    return np.float64(draw_bits(key, j) >> _S11) * _TO_UNIT


@lent
def draw_word(words: Words, kind: Int, key: np.uint64, j: Int) -> Int:
    """Draw a word of a list by its weight."""
    bits = draw_bits(key, j)
    start = words.starts[kind]
    size = np.uint64(words.starts[kind + 1] - start)
    slot = start + np.int64(((bits >> _S32) * size) >> _S32)
    is_itself = (bits & _LOW_32) < words.limits[slot]
    word: Int = words.codes[slot] if is_itself else words.others[slot]
    return word


@lent
def draw_phrase(
    codes: Codes,
    at: Int,
    key: np.uint64,
    j: Int,
    kind: Int,
    target: Int,
    depth: Int,
    further: float,
    words: Words,
    chances: Chances,
    seen: NDArray[np.int64],
) -> tuple[Int, Int]:
    """Write one noun phrase at `at`; return its end or REFUSED, and the next draw number.

    Its nouns are those of `kind`, or the word of the list `target` unless that is -1. `depth` is
    the number of nested prepositional phrases, ANY or REQUIRED. `seen` holds the number of nouns
    of the sentence so far, and then these.
    """
    nouns = target
    if target < 0:
        common = int(depth > 0 or depth == REQUIRED)
        nouns, j = _noun_list(key, j, kind, common, chances.name)
    if nouns == NAME or FIRST_NAME_TARGET <= nouns <= LAST_NAME_TARGET:
        noun, j = _new_noun(words, nouns, key, j, chances.repeats, seen)
        codes[at], codes[at + 1] = NP_NAME, max(noun, 0)
        return REFUSED if noun == REFUSED else at + 2, j
    if depth < 0:
        more = depth == REQUIRED
        if not more and MAY_HAVE_PP[kind]:
            more = unit(key, j) < chances.pp
            j += 1
        depth = 0
        while more:
            depth += 1
            if depth > chances.max_pp:
                return REFUSED, j
            more = unit(key, j) < further
            j += 1
    for left in range(depth, -1, -1):
        codes[at] = NP_DET_PP if left else NP_DET
        codes[at + 1] = THE if unit(key, j) < chances.definite else A
        noun, j = _new_noun(words, nouns, key, j + 1, chances.repeats, seen)
        if noun == REFUSED:
            return REFUSED, j
        codes[at + 2] = noun
        at += 3
        if left:
            chance = unit(key, j)
            place = np.int64(chance >= _ON_SHARE) + np.int64(chance >= _ON_OR_IN_SHARE)
            codes[at] = FIRST_PP + place
            nouns = FIRST_PLACE + place
            at, j = at + 1, j + 1
    return at, j


@lent
def _noun_list(key: np.uint64, j: Int, kind: Int, common: Int, name: float) -> tuple[Int, Int]:
    """Draw which list the noun of a phrase is from; `common` leaves names out."""
    inanimate = INANIMATE_SHARE[kind]
    total = inanimate + (1.0 - inanimate) * (1.0 - name) if common else 1.0
    if unit(key, j) * total < inanimate:
        return INANIMATE, j + 1
    if not common and unit(key, j + 1) < name:
        return NAME, j + 2
    return ANIMATE, j + 2


@lent
def _new_noun(
    words: Words, nouns: Int, key: np.uint64, j: Int, repeats: Int, seen: NDArray[np.int64]
) -> tuple[Int, Int]:
    """Draw a noun of a list, or REFUSED if it was there before; and the next draw number."""
    count = seen[0]
    for _ in range(_TRIES):
        noun = np.int64(draw_word(words, nouns, key, j))
        j += 1
        known = False
        for place in range(1, count + 1):
            known = known or seen[place] == noun
        if not known or repeats == ALLOWED:
            seen[0] = count + 1
            seen[count + 1] = noun
            return noun, j
        if repeats != REDRAWN:
            break
    return REFUSED, j
