"""All checkers by the id of their skill."""

from __future__ import annotations

from collections.abc import Sequence

from synthgen.verifiers.skillmix import _check_figures as figures
from synthgen.verifiers.skillmix import _check_lexical as lexical
from synthgen.verifiers.skillmix import _check_logic as logic
from synthgen.verifiers.skillmix import _check_world as world
from synthgen.verifiers.skillmix._check_sieve import Sieve
from synthgen.verifiers.skillmix._text import Checker, Text, shown

CHECKERS: dict[str, Checker] = {
    **figures.CHECKERS,
    **lexical.CHECKERS,
    **logic.CHECKERS,
    **world.CHECKERS,
}


SKILLS = tuple(CHECKERS)


_SIEVE = Sieve(CHECKERS)
_TESTS = [(1 << at, one.shows) for at, one in enumerate(CHECKERS.values())]
BIT = {skill: 1 << at for at, skill in enumerate(SKILLS)}


def marks_of(text: Text) -> int:
    """Return all skills that a text shows, as bits in the order of `SKILLS`."""
    if text.marks is None:
        look_at([text])
    return text.marks or 0


def look_at(texts: Sequence[Text]) -> None:
    """Find out all skills that texts show.

    Each checker looks at all of a few texts before the next does, which keeps what it needs at
    hand: a sixth quicker than text by text.
    """
    marks = [0] * len(texts)
    skills, places = _SIEVE.possible(texts).nonzero()
    for skill, at in zip(skills.tolist(), places.tolist(), strict=True):
        bit, shows = _TESTS[skill]
        if shows(texts[at]):
            marks[at] |= bit
    for text, found in zip(texts, marks, strict=True):
        text.marks = found


def shows_skill(text: Text, skill: str) -> bool:
    """Say whether a text shows a skill, by what is known of the text if all were looked for."""
    if text.marks is None:
        return shown(text, CHECKERS[skill])
    return text.marks & BIT[skill] > 0
