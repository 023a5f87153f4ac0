"""Compiled checkers of bad arguments: from the crowd, from sequence; see `_check_world_fallacy`."""

from __future__ import annotations

from numba import njit

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_world_kernel_bits import (
    AD_HOMINEM,
    APPEAL_TO_POPULARITY,
    POST_HOC,
)
from synthgen.verifiers.skillmix._check_world_kernel_fallacy_known import (
    ALLUDES,
    CAUSES,
    CAUSES_OR_BECAUSE,
    COMES_AFTER,
    CORRECT,
    HELD,
    HOLDS,
    MANY,
    Fallacies,
)
from synthgen.verifiers.skillmix._check_world_kernel_fallacy_person import ad_hominem
from synthgen.verifiers.skillmix._check_world_kernel_told import (
    COMES_THEN,
    CONCLUDES,
    DETERMINER,
    GROUNDS,
    LINK,
    NEGATION,
    PRONOUN,
    START,
    STOP,
    STOP_WORD,
    Cuts,
    concluded,
    first_of,
    has_any,
    is_among,
)
from synthgen.verifiers.skillmix._text_table import Ints

_STRANGE, _AKIN, _SAME = range(3)
"""What a word is to those of an event: neither of them nor like one, like one, or one of them."""
_FARTHEST_BLAME = 3
_FARTHEST_VIEW = 2


@njit(cache=True, nogil=True)
def skills(cuts: Cuts, told: Ints, wanted: int, known: Fallacies) -> int:
    """Return the wanted skills that a text shows; its statements are told."""
    found = 0
    if wanted & AD_HOMINEM and ad_hominem(cuts, told, known.bits):
        found |= AD_HOMINEM
    if wanted & POST_HOC and _post_hoc(cuts, told, known):
        found |= POST_HOC
    if wanted & APPEAL_TO_POPULARITY and _appeal_to_popularity(cuts, told, known.bits):
        found |= APPEAL_TO_POPULARITY
    return found


@lent
def _post_hoc(cuts: Cuts, told: Ints, known: Fallacies) -> bool:
    """Say whether what came first is concluded to have caused what came then."""
    words = cuts.words
    for place in range(2, len(told)):
        verb = first_of(
            words, told[place, START], told[place, STOP], known.bits, int(CAUSES_OR_BECAUSE)
        )
        if (
            verb <= told[place, START]
            or not concluded(cuts, told, place)
            or has_any(words, told[place, START], told[place, STOP], cuts.classes, int(NEGATION))
        ):
            continue
        for at in range(max(0, place - _FARTHEST_BLAME), place - 1):
            if _follows(cuts, told, at, known.bits) and _blames(cuts, told, at, place, verb, known):
                return True
    return False


@lent
def _follows(cuts: Cuts, told: Ints, at: int, bits: Ints) -> bool:
    """Say whether the next statement tells what came after a statement, and is no argument."""
    link = told[at + 1, LINK]
    if told[at, LINK] == CONCLUDES or link in (CONCLUDES, GROUNDS):
        return False
    return bool(
        link == COMES_THEN
        or bits[cuts.words[told[at, START]]] & COMES_AFTER
        or has_any(cuts.words, told[at + 1, START], told[at + 1, STOP], bits, int(COMES_AFTER))
    )


@lent
def _blames(cuts: Cuts, told: Ints, at: int, place: int, verb: int, known: Fallacies) -> bool:
    """Say whether words before a verb take up a statement, and those behind it the next one.

    Where the verb is no verb of causing but such a word as "because" it is the other way round.
    """
    one, other = told[at], told[at + 1]
    if not known.bits[cuts.words[verb]] & CAUSES:
        one, other = other, one
    return _alludes(cuts, told[place, START], verb, one, other, known) and _alludes(
        cuts, verb + 1, told[place, STOP], other, one, known
    )


@lent
def _alludes(cuts: Cuts, start: int, stop: int, one: Ints, other: Ints, known: Fallacies) -> bool:
    """Say whether words take up one event rather than another, by its words or by a pronoun."""
    taken, strange = 0, 0
    for at in range(start, stop):
        word = cuts.words[at]
        if cuts.classes[word] & (STOP_WORD | DETERMINER) or is_among(cuts.words, word, start, at):
            continue
        here = _likeness(cuts, word, one[START], one[STOP], known.beginnings)
        there = _likeness(cuts, word, other[START], other[STOP], known.beginnings)
        taken += here == _SAME or (here == _AKIN and there != _SAME)
        strange += there == _SAME or (there == _AKIN and here != _SAME)
    if not taken and not strange:
        return has_any(cuts.words, start, stop, known.bits, int(ALLUDES))
    return taken > strange


@lent
def _likeness(cuts: Cuts, word: int, start: int, stop: int, beginnings: Ints) -> int:
    found = _STRANGE
    for at in range(start, stop):
        told = cuts.words[at]
        if told == word:
            return _SAME
        if beginnings[told] == beginnings[word] and not cuts.classes[told] & (
            STOP_WORD | DETERMINER
        ):
            found = _AKIN
    return found


@lent
def _appeal_to_popularity(cuts: Cuts, told: Ints, bits: Ints) -> bool:
    """Say whether a thing is concluded to be true because the many say so."""
    for at in range(len(told)):
        claim = _claim(cuts, told[at, START], told[at, STOP], bits)
        if claim < 0:
            continue
        if claim == told[at, STOP]:  # "everybody says so"
            if at and told[at, LINK] == GROUNDS and concluded(cuts, told, at - 1):
                return True
            continue
        for other in range(max(0, at - 1), min(len(told), at + _FARTHEST_VIEW + 1)):
            if other != at and _asserts(cuts, told, other, claim, told[at, STOP], bits):
                return True
    return False


@lent
def _claim(cuts: Cuts, start: int, stop: int, bits: Ints) -> int:
    """Return where the content of what the many hold begins, -1 if they hold nothing.

    It is the end of the words where they have no content: "everybody says so".
    """
    words = cuts.words
    verb = first_of(words, start, stop, bits, int(HOLDS))
    if (
        verb <= start
        or verb + 1 == stop
        or not bits[words[verb + 1]] & HELD
        or not has_any(words, start, verb, bits, int(MANY))
        or has_any(words, start, verb, cuts.classes, int(NEGATION))
    ):
        return -1
    claim = verb + 1
    while claim < stop and cuts.classes[words[claim]] & (STOP_WORD | DETERMINER):
        claim += 1
    return claim


@lent
def _asserts(cuts: Cuts, told: Ints, at: int, claim: int, end: int, bits: Ints) -> bool:
    """Say whether a statement concludes that words[claim:end] are so."""
    words, start, stop = cuts.words, told[at, START], told[at, STOP]
    if not concluded(cuts, told, at) or has_any(words, start, stop, cuts.classes, int(NEGATION)):
        return False
    if cuts.classes[words[start]] & PRONOUN and has_any(words, start, stop, bits, int(CORRECT)):
        return True
    for place in range(claim, end):
        word = words[place]
        if not cuts.classes[word] & (STOP_WORD | DETERMINER) and not is_among(
            words, word, start, stop
        ):
            return False
    return True
