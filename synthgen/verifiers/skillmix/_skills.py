"""All checkers by the id of their skill."""

from __future__ import annotations

from synthgen.verifiers.skillmix import _check_figures as figures
from synthgen.verifiers.skillmix import _check_lexical as lexical
from synthgen.verifiers.skillmix import _check_logic as logic
from synthgen.verifiers.skillmix import _check_world as world
from synthgen.verifiers.skillmix._checker import Checker, shown
from synthgen.verifiers.skillmix._text import Text

CHECKERS: dict[str, Checker] = {
    **figures.CHECKERS,
    **lexical.CHECKERS,
    **logic.CHECKERS,
    **world.CHECKERS,
}


SKILLS = tuple(CHECKERS)
BIT = {skill: 1 << at for at, skill in enumerate(SKILLS)}


def shows_skill(text: Text, skill: str) -> bool:
    """Say whether a text shows a skill, by what is known of the text if all were looked for."""
    if text.marks is None:
        return shown(text, CHECKERS[skill])
    return text.marks & BIT[skill] > 0
