"""Pieces that show a figure of speech on the surface of their clauses."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_lexicon import (
    Topic,
    article,
    gerund,
    past,
    plural,
    senses,
    third,
)
from synthgen.generators.skillmix._piece import Parts, Piece, Sounding, sounded, unlike, unsaid
from synthgen.generators.skillmix._piece_slots import Fill, Forms, filler
from synthgen.generators.skillmix._pieces_figures_wordings import WORDINGS, Wordings

IMPLIES: dict[str, frozenset[str]] = {
    "gradatio": frozenset({"anadiplosis"}),
    "symploce": frozenset({"anaphora", "epistrophe"}),
    "tricolon": frozenset({"isocolon"}),
}
"""Figures that another one contains by definition."""

ALONE: frozenset[str] = frozenset({"epanalepsis"})
"""Figures whose segment must be a whole sentence."""

AROUND: frozenset[str] = frozenset({"inclusio"})
"""Constraints: figures of the whole text, which their first and last clause put around the rest."""

_FORMS: Forms = {
    "a": lambda word: f"{article(word)} {word}",
    "s": plural,
    "z": third,
    "ed": past,
    "ing": gerund,
}
_POOLS: dict[str, Callable[[Topic], tuple[str, ...]]] = {
    "person": lambda topic: topic.persons,
    "tool": lambda topic: topic.tools,
    "good": lambda topic: topic.goods,
    "place": lambda topic: topic.places,
    "verb": lambda topic: topic.verbs,
}
_BREAK = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")


@cache
def _told(skill: str) -> frozenset[str]:
    """Return the words of the lexicon of which the wordings of a skill have a form."""
    words = set(re.findall("[a-z]+", " ".join(WORDINGS[skill].texts)))
    return frozenset(sense.lemma for word in words for sense in senses(word)) | words


@cache
def _usable(skill: str, words: tuple[str, ...]) -> Sounding:
    """Return the words that the wordings of a skill do not have, each with its first sound."""
    told = _told(skill)
    return tuple(sounded(word) for word in words if word not in told)


def _maker(skill: str, kinds: tuple[str, ...]) -> Callable[[RowDraws, Topic], Parts | None]:
    """Return what draws a word of each kind; no two are the same, nor begin alike if possible.

    Words that begin differently do not alliterate and are no forms of each other. The words of the
    wordings are left out: they would come twice.
    """
    known: dict[str, tuple[Topic, tuple[Sounding, ...]]] = {}

    def make(draws: RowDraws, topic: Topic) -> Parts | None:
        found = known.get(topic.name)
        if found is None or found[0] is not topic:
            pools = tuple(_usable(skill, _POOLS[kind](topic)) for kind in kinds)
            found = known[topic.name] = (topic, pools)
        chosen: list[str] = []
        sounds: set[str] = set()
        for words in found[1]:
            if not words:
                return None
            start = draws.integer(0, len(words))
            word, sound = words[start]
            if sound in sounds:
                other = unlike(words, start, sounds) or unsaid(words, start, chosen)
                if other is None:
                    return None
                word, sound = other
            chosen.append(word)
            sounds.add(sound)
        return tuple(chosen)

    return make


def _tell(texts: tuple[tuple[Fill, Fill], ...], parts: Parts, wording: int, side: int) -> str:
    return texts[wording][side](parts)


def _sides(text: str) -> tuple[Fill, Fill]:
    """Return what tells the whole and the broken form of a wording."""
    whole, broken = _BREAK.sub(r"\1", text), _BREAK.sub(r"\2", text)
    return filler(whole, _FORMS), filler(broken, _FORMS)


def _piece(skill: str, wordings: Wordings) -> Piece:
    texts = tuple(map(_sides, wordings.texts))
    kinds = tuple(wordings.parts.split())
    kind = "constraint" if skill in AROUND else "figure"
    return Piece(skill, kind, len(texts), _maker(skill, kinds), partial(_tell, texts))


PIECES: tuple[Piece, ...] = tuple(_piece(*item) for item in WORDINGS.items())
