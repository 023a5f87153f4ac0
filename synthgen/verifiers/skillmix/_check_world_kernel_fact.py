"""Compiled checkers of facts about the world; see `_check_world_fact`."""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix import _check_world_kernel_bits as bit
from synthgen.verifiers.skillmix._check_world_fact import FARTHEST
from synthgen.verifiers.skillmix._check_world_kernel_fact_known import (
    BUDGE,
    CLASSES,
    DEEDS,
    EACH,
    EFFECT,
    EFFECTS,
    EVENT,
    EXCEPTIONS,
    KIND,
    KIND_OF_THING,
    KINDS,
    NEAR,
    PROPERTIES,
    SOME,
    STANDS,
    THINGS,
    Facts,
)
from synthgen.verifiers.skillmix._check_world_kernel_fact_senses import equivocation
from synthgen.verifiers.skillmix._check_world_kernel_told import (
    NEGATION,
    PRONOUN,
    START,
    STOP,
    Cuts,
    concluded,
)
from synthgen.verifiers.skillmix._text_table import Ints

_NAMED_BEFORE = 3
"""Statements in which what a pronoun stands for may be named."""


@njit(cache=True, nogil=True)
def skills(cuts: Cuts, told: Ints, wanted: int, known: Facts) -> int:
    """Return the bits of the wanted skills that a text shows, whose statements are told."""
    found = 0
    if wanted & bit.FOLK_PHYSICS and _folk_physics(cuts, told, known):
        found |= bit.FOLK_PHYSICS
    if wanted & bit.ACCIDENT and _accident(cuts, told, known):
        found |= bit.ACCIDENT
    if wanted & bit.EQUIVOCATION and equivocation(cuts, told, known):
        found |= bit.EQUIVOCATION
    return found


@lent
def _folk_physics(cuts: Cuts, told: Ints, known: Facts) -> bool:
    """Say whether a deed is told, and of the same thing what must come of the deed."""
    for at in range(len(told)):
        for verb in range(told[at, START], told[at, STOP]):
            word = cuts.words[verb]
            if (
                known.words[word, DEEDS]
                and verb > told[at, START]
                and _comes_true(cuts, told, at, verb, known)
            ):
                return True
            if cuts.classes[word] & NEGATION:
                break  # all verbs behind it are denied
    return False


@lent
def _comes_true(cuts: Cuts, told: Ints, at: int, verb: int, known: Facts) -> bool:
    stop = told[at, STOP]
    thing = verb + 1
    while thing < stop and not known.words[cuts.words[thing], THINGS]:
        thing += 1
    if thing == stop:
        return False
    near = 0
    for other in range(told[at, START], stop):
        near |= known.words[cuts.words[other], NEAR]
    happened = near & known.words[cuts.words[verb], DEEDS]
    kinds = known.words[cuts.words[thing], THINGS]
    due = int(np.int64(0))  # no literal, for which what follows would be compiled once more
    for rule in range(len(known.rules)):
        if known.rules[rule, EVENT] & happened and known.rules[rule, KIND_OF_THING] & kinds:
            due |= known.rules[rule, EFFECT]
    if not due:
        return False
    for other in range(max(0, at - FARTHEST), min(len(told), at + FARTHEST + 1)):
        if other != at and _shows_effect(cuts, told, other, cuts.words[thing], due, known):
            return True
    return False


@lent
def _shows_effect(cuts: Cuts, told: Ints, at: int, thing: int, due: int, known: Facts) -> bool:
    """Say whether a statement tells of the thing, or of "it", that a due effect comes."""
    about = denied = False
    for place in range(told[at, START], told[at, STOP]):
        word = cuts.words[place]
        effects, kind = known.words[word, EFFECTS], known.words[word, CLASSES]
        if effects:  # the first one decides
            about |= place == told[at, START]
            return bool(about and effects & due > 0 and denied == (kind & BUDGE > 0))
        about |= word == thing or kind & STANDS > 0
        denied |= cuts.classes[word] & NEGATION > 0
    return False


@lent
def _accident(cuts: Cuts, told: Ints, known: Facts) -> bool:
    """Say whether a rule is stated and applied to a kind that is known to be an exception."""
    stated = _stated(cuts, told, known)
    for at in range(len(told) if stated else 0):
        properties = kinds = exceptions = denials = 0
        for place in range(told[at, START], told[at, STOP]):
            word = cuts.words[place]
            properties |= known.words[word, PROPERTIES]
            kinds |= known.words[word, KINDS]
            exceptions |= known.words[word, EXCEPTIONS]
            denials |= cuts.classes[word] & NEGATION
        applied = stated & properties & ~kinds
        if denials or not applied or not concluded(cuts, told, at):
            continue
        if cuts.classes[cuts.words[told[at, START]]] & PRONOUN:
            for near in range(max(0, at - _NAMED_BEFORE), at):
                for place in range(told[near, START], told[near, STOP]):
                    exceptions |= known.words[cuts.words[place], EXCEPTIONS]
        if applied & exceptions:
            return True
    return False


@lent
def _stated(cuts: Cuts, told: Ints, known: Facts) -> int:
    """Return the rules that are stated, as bits."""
    found = 0
    for at in range(len(told)):
        start, stop = told[at, START], told[at, STOP]
        properties = kinds = denials = 0
        for place in range(start, stop):
            word = cuts.words[place]
            properties |= known.words[word, PROPERTIES]
            kinds |= known.words[word, KINDS]
            denials |= cuts.classes[word] & NEGATION | known.words[word, CLASSES] & SOME
        if start + 1 < stop and known.words[cuts.words[start], CLASSES] & EACH:
            kinds |= known.words[cuts.words[start + 1], KIND]
        if not denials:
            found |= properties & kinds
    return found
