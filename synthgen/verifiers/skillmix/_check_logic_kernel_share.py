"""Compiled statements about all, some, most and a few; see `_check_logic_sets`."""

from __future__ import annotations

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_logic_kernel_formula import (
    Formulas,
    body_up_to,
    next_stem,
)
from synthgen.verifiers.skillmix._check_logic_kernel_known import (
    ALL,
    DENIES,
    FEW,
    IN,
    IS_ARTICLE,
    IS_INDIVIDUAL,
    MOST,
    NO_STEM,
    NOT_ALL,
    NUMBER,
    OF,
    ONE,
    OUT,
    PERCENT,
    SOME,
    SPOKEN,
    WEIGHT,
    Known,
)
from synthgen.verifiers.skillmix._text_table import Ints

SHARE, MEMBERS, POSITIVE, BODY = range(4)
"""Columns of statements about a share."""
N_SHARE_COLUMNS = 4
_LENGTH, _FIRST = 1, 2
"""Of phrases."""


@lent
def read_share(words: Ints, known: Known, formulas: Formulas, row: Ints) -> None:
    """Read a statement; without a quantifier it is about an individual."""
    # A word that begins no phrase is spared the look at all of them.
    for at in range(len(known.phrases) if known.words[words[0], SPOKEN] else 0):
        n = known.phrases[at, _LENGTH]
        if begins(words, known.phrases[at, _FIRST : _FIRST + n], known):
            _of_share(known.phrases[at, 0], words[n:], known, formulas, row)
            return
    if known.words[words[0], NUMBER] >= 0:
        _counted(words, known, formulas, row)
        return
    row[SHARE], row[MEMBERS] = ONE, 1
    start = known.words[words[0], IS_INDIVIDUAL]
    row[POSITIVE], row[BODY] = _reduced(words[start:], known, formulas)


@lent
def begins(words: Ints, phrase: Ints, known: Known) -> bool:
    """Say whether words begin with a phrase."""
    if len(words) < len(phrase):
        return False
    for at in range(len(phrase)):
        if known.words[words[at], SPOKEN] != phrase[at]:
            return False
    return True


@lent
def _of_share(share: int, words: Ints, known: Known, formulas: Formulas, row: Ints) -> None:
    start = 1 if len(words) and known.words[words[0], IS_ARTICLE] else 0
    row[SHARE], row[MEMBERS] = share, 0
    row[POSITIVE], row[BODY] = _reduced(words[start:], known, formulas)
    if share == NOT_ALL:
        row[SHARE], row[POSITIVE] = SOME, 1 - row[POSITIVE]


@lent
def _counted(words: Ints, known: Known, formulas: Formulas, row: Ints) -> None:
    """Read "nine in ten", "nine out of ten", "ninety percent of" and plain counts."""
    count, start = known.words[words[0], NUMBER], 0
    if _says(words, 1, IN, known):
        start = 2
    elif _says(words, 1, OUT, known) and _says(words, 2, OF, known):
        start = 3
    if 0 < start < len(words) and known.words[words[start], NUMBER] >= 0:
        whole = known.words[words[start], NUMBER]
        _of_share(_named_share(count, whole), words[start + 1 :], known, formulas, row)
    elif _says(words, 1, PERCENT, known) and _says(words, 2, OF, known):
        _of_share(_named_share(count, 100), words[3:], known, formulas, row)
    else:
        row[SHARE], row[MEMBERS] = ONE, count
        row[POSITIVE], row[BODY] = _reduced(words[1:], known, formulas)


@lent
def _says(words: Ints, at: int, code: int, known: Known) -> bool:
    return at < len(words) and known.words[words[at], SPOKEN] == code


@lent
def _named_share(count: int, whole: int) -> int:
    if count >= whole:
        return ALL
    return MOST if 2 * count > whole else FEW


@lent
def _reduced(words: Ints, known: Known, formulas: Formulas) -> tuple[int, int]:
    """Return the sign of a statement and its body: its stems, without articles and the like."""
    positive, start = 1, next_stem(formulas)
    stop = start
    for word in words:
        weight = known.words[word, WEIGHT]
        if known.words[word, DENIES] or (weight == NO_STEM and stop > start):
            positive = 1 - positive
            if weight == NO_STEM:
                continue
        if weight:
            formulas.stems[stop] = weight
            stop += 1
    return positive, body_up_to(formulas, stop)
