"""Wordings of frames: templates with named slots, some of which a broken text fills otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_lexicon import Topic
from synthgen.generators.skillmix._piece import Parts
from synthgen.generators.skillmix._piece_slots import filler

_SLOT = re.compile(r"\{(\w+)\}")
_HE = ("he", "his", "him")
_SHE = ("she", "her", "her")
_WOMEN = frozenset(
    "aunt bride duchess grandmother matron niece noblewoman nun queen midwife witch maid "
    "mother sister daughter widow housewife ballerina debutante seamstress ladyship bridesmaid "
    "lady princess heroine milkmaid dairymaid godmother maiden muse soprano".split()
)
_MEN = frozenset(
    "monk king uncle nephew duke baron lord knight bishop pope priest friar sultan emperor prince "
    "samurai gladiator father brother son widower bachelor groom dandy abbot cardinal cavalier "
    "centurion chieftain earl gaffer grandfather janissary landlord legionary musketeer pasha "
    "pharaoh sexton shogun sorcerer squire vizier wizard".split()
)


def teller(
    slots: str, templates: tuple[str, ...], broken_templates: tuple[str, ...] = ()
) -> Callable[[Parts, int, bool], str]:
    """Return what tells parts by one of the templates.

    Args:
        slots: names of the parts in their order, then names such as `end|this|that` for a slot
            that is filled by the part `this`, and in a broken text by the part `that`.
        templates: with slots such as "{who}".
        broken_templates: one for each template, where slots alone do not make the difference.

    Raises:
        KeyError: if a template has a slot that is not named.
    """
    names = [slot for slot in slots.split() if "|" not in slot]
    place = {name: f"{{{at}}}" for at, name in enumerate(names)}
    swapped = dict(place)
    for name, this, that in (slot.split("|") for slot in slots.split() if "|" in slot):
        place[name], swapped[name] = place[this], place[that]
    right = tuple(filler(_SLOT.sub(lambda slot: place[slot[1]], text), {}) for text in templates)
    wrong = tuple(
        filler(_SLOT.sub(lambda slot: swapped[slot[1]], text), {})
        for text in broken_templates or templates
    )

    def tell(parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001 - by the contract
        return (wrong if broken else right)[wording](parts)

    return tell


def has(
    topic: Topic,
    *,
    persons: int = 0,
    tools: int = 0,
    places: int = 0,
    verbs: int = 0,
    adjectives: int = 0,
) -> bool:
    """Whether a topic has words enough of each sort."""
    return (
        len(topic.persons) >= persons
        and len(topic.tools) >= tools
        and len(topic.places) >= places
        and len(topic.verbs) >= verbs
        and len(topic.adjectives) >= adjectives
    )


def pronouns(draws: RowDraws, person: str) -> tuple[str, str, str]:
    """Return "he", "his", "him" or the like for a person; drawn where the noun leaves it open."""
    drawn = draws.choice((_HE, _SHE))
    if person in _WOMEN or person.endswith(("ess", "woman", "maid")):
        return _SHE
    if person in _MEN or person.endswith("man"):
        return _HE
    return drawn
