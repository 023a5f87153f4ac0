"""Compiled arguments against the person; see `_check_world_fallacy.ad_hominem`."""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_world_kernel_fallacy_known import (
    CLAIMS,
    FLAW,
    REJECTS,
    TRUSTS,
)
from synthgen.verifiers.skillmix._check_world_kernel_told import (
    CLAUSE,
    CONCLUDES,
    DETERMINER,
    GROUNDS,
    LINK,
    NEGATION,
    NO_LINK,
    PERSON,
    PRONOUN,
    START,
    STOP,
    STOP_WORD,
    THAT,
    Cuts,
    bare,
    has_any,
    is_among,
)
from synthgen.verifiers.skillmix._text_table import Ints

_PERSON, _LAST, _LAST_BUT = range(3)
"""Columns of reasons: the person they are about, and where the claim has a word of theirs last,
and last but for that word."""
_FARTHEST_REASON = 4
_ANYBODY, _NOWHERE = -1, -1
_CLAIM_WORDS = 3
"""Of "anna says that"."""


@njit(cache=True, nogil=True)
def ad_hominem(cuts: Cuts, told: Ints, bits: Ints) -> bool:
    """Say whether a claim is rejected for a property of its author alone."""
    reasons = np.empty((_FARTHEST_REASON, 3), np.int64)
    for at in range(len(told)):
        n = _NOWHERE  # the reasons against all claims of a statement are the same
        for place in range(told[at, START], told[at, STOP] - _CLAIM_WORDS + 1):
            author = cuts.words[place]
            if (
                bits[cuts.words[place + 1]] & CLAIMS
                and cuts.classes[cuts.words[place + 2]] & THAT
                and cuts.classes[author] & PERSON
            ):
                if n == _NOWHERE:
                    n = _attacks(cuts, told, at, bits, reasons)
                if n and _all_against(cuts.words, author, place, reasons[:n]):
                    return True
    return False


@lent
def _attacks(cuts: Cuts, told: Ints, at: int, bits: Ints, reasons: Ints) -> int:
    """Find the reasons for which a claim is rejected; return their number, 0 for no attack."""
    n, last = 0, at
    rejected = _rejects(cuts, told, at, bits) or (at > 0 and _rejects(cuts, told, at - 1, bits))
    for i in range(at + 1, min(at + _FARTHEST_REASON + 1, len(told))):
        if rejected and n and told[i, CLAUSE] != told[last, CLAUSE]:
            break
        rejected = rejected or _rejects(cuts, told, i, bits)
        if _is_reason(told, i):
            if not _read(cuts, told, at, i, bits, reasons[n]):
                return 0
            n, last = n + 1, i
    return n if rejected else 0


@lent
def _rejects(cuts: Cuts, told: Ints, at: int, bits: Ints) -> bool:
    start, stop = told[at, START], told[at, STOP]
    return has_any(cuts.words, start, stop, bits, int(REJECTS)) or (
        has_any(cuts.words, start, stop, bits, int(TRUSTS))
        and has_any(cuts.words, start, stop, cuts.classes, int(NEGATION))
    )


@lent
def _is_reason(told: Ints, at: int) -> bool:
    if told[at, LINK] != NO_LINK:
        return bool(told[at, LINK] == GROUNDS)
    return at + 1 < len(told) and bool(told[at + 1, LINK] == CONCLUDES)


@lent
def _read(cuts: Cuts, told: Ints, at: int, i: int, bits: Ints, reason: Ints) -> bool:
    """Read a reason against the claims of a statement; return whether it can be a flaw."""
    words, stop = cuts.words, told[i, STOP]
    start = bare(cuts, told[i, START], stop)
    if start == stop or not has_any(words, told[i, START], stop, bits, int(FLAW)):
        return False
    about = (cuts.classes[words[start]] | cuts.classes[words[told[i, START]]]) & PRONOUN
    reason[_PERSON] = _ANYBODY if about else words[start]
    reason[_LAST] = reason[_LAST_BUT] = _NOWHERE
    # Seen from its end, so that one look at it does for all claims that it has.
    for place in range(told[at, STOP] - 1, told[at, START] - 1, -1):
        word = words[place]
        if cuts.classes[word] & (STOP_WORD | DETERMINER) or not is_among(words, word, start, stop):
            continue
        if reason[_LAST] == _NOWHERE:
            reason[_LAST] = place
        elif word != words[reason[_LAST]]:
            reason[_LAST_BUT] = place
            break
    return True


@lent
def _all_against(words: Ints, author: int, place: int, reasons: Ints) -> bool:
    """Say whether reasons are about an author, and not about what he says from a place on."""
    for reason in reasons:
        if reason[_PERSON] not in (_ANYBODY, author):
            return False
        shared = reason[_LAST]
        if shared != _NOWHERE and words[shared] == author:
            shared = reason[_LAST_BUT]
        if shared >= place + _CLAIM_WORDS:
            return False
    return True
