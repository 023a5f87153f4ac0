"""All checkers by the id of their skill."""

from __future__ import annotations

from synthgen.verifiers.skillmix import _check_figures as figures
from synthgen.verifiers.skillmix import _check_lexical as lexical
from synthgen.verifiers.skillmix import _check_logic as logic
from synthgen.verifiers.skillmix import _check_world as world
from synthgen.verifiers.skillmix._text import Checker, Text

CHECKERS: dict[str, Checker] = {
    **figures.CHECKERS,
    **lexical.CHECKERS,
    **logic.CHECKERS,
    **world.CHECKERS,
}


SKILLS = tuple(CHECKERS)


def marks_of(text: Text) -> int:
    """Return all skills that a text shows, as bits in the order of `SKILLS`."""
    words, found = text.words, 0
    for bit, triggers, also, shows in _TESTS:
        if triggers is not None and triggers.isdisjoint(words):
            continue
        if (also is None or not also.isdisjoint(words)) and shows(text):
            found |= bit
    return found


_TESTS = [(1 << at, one.triggers, one.also, one.shows) for at, one in enumerate(CHECKERS.values())]
BIT = {skill: 1 << at for at, skill in enumerate(SKILLS)}


def skills_shown(text: Text) -> frozenset[str]:
    """Return the ids of all skills that a text shows."""
    marks = marks_of(text)
    return frozenset([skill for skill, bit in BIT.items() if marks & bit])
