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
    onset,
    past,
    plural,
    senses,
    third,
)
from synthgen.generators.skillmix._piece import Parts, Piece
from synthgen.generators.skillmix._pieces_figures_wordings import WORDINGS, Wordings

IMPLIES: dict[str, frozenset[str]] = {
    "gradatio": frozenset({"anadiplosis"}),
    "symploce": frozenset({"anaphora", "epistrophe"}),
    "tricolon": frozenset({"isocolon"}),
}
"""Figures that another one contains by definition."""

ALONE: frozenset[str] = frozenset({"epanalepsis"})
"""Figures whose segment must be a whole sentence."""

_FORMS: dict[str, Callable[[str], str]] = {
    "": str,
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


class _Word(str):
    """A word that a template asks for by form: `{0:s}` is the plural of part 0."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        return _FORMS[form](str(self))


@cache
def _told(skill: str) -> frozenset[str]:
    """Return the words of the lexicon of which the wordings of a skill have a form."""
    words = set(re.findall("[a-z]+", " ".join(WORDINGS[skill].texts)))
    return frozenset(sense.lemma for word in words for sense in senses(word)) | words


@cache
def _usable(skill: str, words: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the words that the wordings of a skill do not have, each with its first sound."""
    told = _told(skill)
    return tuple((word, onset(word) or word[0]) for word in words if word not in told)


def _draw(skill: str, kinds: tuple[str, ...], draws: RowDraws, topic: Topic) -> Parts | None:
    """Draw a word of each kind; no two are the same, nor begin alike where that can be had.

    Words that begin differently do not alliterate and are no forms of each other. The words of the
    wordings are left out: they would come twice.
    """
    chosen: list[str] = []
    sounds: set[str] = set()
    for kind in kinds:
        words = _usable(skill, _POOLS[kind](topic))
        start = draws.integer(0, len(words)) if words else 0
        spare = ""
        for at in range(start - len(words), start):
            word, sound = words[at]
            if sound not in sounds:
                break
            if not spare and word not in chosen:
                spare = word
        else:
            if not spare:
                return None
            word, sound = spare, ""
        chosen.append(word)
        sounds.add(sound)
    return tuple(chosen)


def _tell(texts: tuple[tuple[str, str], ...], parts: Parts, wording: int, side: int) -> str:
    return texts[wording][side].format(*map(_Word, parts))


def _sides(text: str) -> tuple[str, str]:
    """Return the whole and the broken form of a wording."""
    return _BREAK.sub(r"\1", text), _BREAK.sub(r"\2", text)


def _piece(skill: str, wordings: Wordings) -> Piece:
    texts = tuple(map(_sides, wordings.texts))
    pools = tuple(wordings.parts.split())
    return Piece(skill, "figure", len(texts), partial(_draw, skill, pools), partial(_tell, texts))


PIECES: tuple[Piece, ...] = tuple(_piece(*item) for item in WORDINGS.items())
