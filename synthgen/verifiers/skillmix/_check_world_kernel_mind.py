"""Compiled checkers of minds: luck explained, feelings calmed; see `_check_world_mind`."""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_world_kernel_bits import (
    EMOTIONAL_SELF_REGULATION,
    FALSE_BELIEF,
    SELF_SERVING_BIAS,
)
from synthgen.verifiers.skillmix._check_world_kernel_mind_belief import false_belief
from synthgen.verifiers.skillmix._check_world_kernel_mind_known import (
    CALM,
    CUE,
    EXPLAINS,
    EXTERNAL,
    FAILURE,
    FEELING,
    INTERNAL,
    NOBODY,
    OWNER,
    SUCCESS,
    TRIGGER,
    Minds,
)
from synthgen.verifiers.skillmix._check_world_kernel_told import (
    GROUNDS,
    LINK,
    NEGATION,
    START,
    STOP,
    Cuts,
    bare,
    has_any,
)
from synthgen.verifiers.skillmix._text_table import Ints

_FARTHEST_OWNER = 3
_FARTHEST_VERB = 3
_CAUSES, _LUCKY, _UNLUCKY = range(3)
"""Rows of what is found: causes by statement, explainers of successes and of failures."""
_NOTHING = 0


@njit(cache=True, nogil=True)
def skills(cuts: Cuts, told: Ints, wanted: int, known: Minds) -> int:
    """Return the wanted skills that a text shows; its statements are told."""
    found = 0
    if wanted & FALSE_BELIEF and false_belief(cuts, told, known.bits):
        found |= FALSE_BELIEF
    if wanted & SELF_SERVING_BIAS and _self_serving_bias(cuts, told, known):
        found |= SELF_SERVING_BIAS
    if wanted & EMOTIONAL_SELF_REGULATION and _emotional_self_regulation(cuts, told, known):
        found |= EMOTIONAL_SELF_REGULATION
    return found


@njit(cache=True, nogil=True)
def _self_serving_bias(cuts: Cuts, told: Ints, known: Minds) -> bool:
    """Say whether one agent explains a success by an inner cause and a failure by an outer one."""
    found = np.empty((3, len(told)), np.int64)
    shown = _NOTHING
    for at in range(len(told)):
        found[_CAUSES, at] = _cause(cuts, told, at, known.bits)
        shown |= found[_CAUSES, at]
    if shown != INTERNAL | EXTERNAL:
        return False
    n_lucky, n_unlucky = 0, 0
    for at in range(len(told)):
        if not found[_CAUSES, at]:
            continue
        outcome = _outcome(cuts, told, at, found[_CAUSES], known.bits)
        if found[_CAUSES, at] == INTERNAL and outcome == SUCCESS:
            found[_LUCKY, n_lucky] = _explainer(cuts, told, at, known)
            n_lucky += 1
        elif found[_CAUSES, at] == EXTERNAL and outcome == FAILURE:
            found[_UNLUCKY, n_unlucky] = _explainer(cuts, told, at, known)
            n_unlucky += 1
    for one in range(n_lucky):
        for other in range(n_unlucky):
            lucky, unlucky = found[_LUCKY, one], found[_UNLUCKY, other]
            if lucky == NOBODY or unlucky == NOBODY or lucky == unlucky:
                return True
    return False


@lent
def _cause(cuts: Cuts, told: Ints, at: int, bits: Ints) -> int:
    """Return `INTERNAL`, `EXTERNAL`, or nothing where there is no cause or there are both."""
    start = told[at, START]
    cued, found, owner = told[at, LINK] == GROUNDS, _NOTHING, start - _FARTHEST_OWNER - 1
    for place in range(start, told[at, STOP]):
        word = cuts.words[place]
        if cuts.classes[word] & NEGATION:
            return _NOTHING
        cued |= bits[word] & CUE != 0
        found |= bits[word] & EXTERNAL
        if place - owner <= _FARTHEST_OWNER:
            found |= bits[word] & INTERNAL
        if bits[word] & OWNER:
            owner = place
    return found if cued and found != INTERNAL | EXTERNAL else _NOTHING


@lent
def _outcome(cuts: Cuts, told: Ints, at: int, causes: Ints, bits: Ints) -> int:
    """Return the outcome that a cause explains: of its own clause, the one before, or after."""
    for step in range(3):
        near = at if step == 0 else at - 1 if step == 1 else at + 1
        if not 0 <= near < len(told) or (near != at and causes[near]):
            continue
        shown = _NOTHING
        for place in range(told[near, START], told[near, STOP]):
            shown |= bits[cuts.words[place]] & (SUCCESS | FAILURE)
        if shown and not has_any(
            cuts.words, told[near, START], told[near, STOP], cuts.classes, int(NEGATION)
        ):
            return shown if shown != SUCCESS | FAILURE else _NOTHING
    return _NOTHING


@lent
def _explainer(cuts: Cuts, told: Ints, at: int, known: Minds) -> int:
    """Return the person who is the subject of the explanation; nobody for a pronoun."""
    stop = told[at, STOP]
    start = bare(cuts, told[at, START], stop)
    end = min(stop, start + 1 + _FARTHEST_VERB)
    if not has_any(cuts.words, start + 1, end, known.bits, int(EXPLAINS)):
        return NOBODY
    return int(known.people[cuts.words[start]])


@lent
def _emotional_self_regulation(cuts: Cuts, told: Ints, known: Minds) -> bool:
    """Say whether a trigger, a bad feeling, an act of regulation and calm come in this order."""
    stage, sufferer = TRIGGER, NOBODY
    for at in range(len(told)):
        stop = told[at, STOP]
        start = bare(cuts, told[at, START], stop)
        subject = known.people[cuts.words[start]] if start < stop else NOBODY
        denied = False
        for place in range(told[at, START], stop):
            word = cuts.words[place]
            if known.bits[word] & stage and not (denied and stage != TRIGGER):
                if stage == FEELING:
                    sufferer = subject
                others = sufferer != NOBODY and subject != NOBODY and sufferer != subject
                if stage == CALM and not others:
                    return True
                if not others:
                    stage <<= 1
            denied |= cuts.classes[word] & NEGATION != 0
    return False
