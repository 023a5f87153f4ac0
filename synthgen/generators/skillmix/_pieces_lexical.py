"""Pieces that show a figure of speech in the choice of their words."""

from __future__ import annotations

from functools import partial

from synthgen.generators.skillmix._piece import Parts, Piece
from synthgen.generators.skillmix._pieces_lexical_wordings import WORDINGS, Wordings
from synthgen.generators.skillmix._pieces_lexical_words import Tell, kinds_of, maker, teller

IMPLIES: dict[str, frozenset[str]] = {}
"""Figures that another one contains by definition: none."""


def _told(tell: Tell, parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001 - contract
    return tell(parts, wording, 0 if broken else -1)


def _piece(skill: str, wordings: Wordings) -> Piece:
    kinds = kinds_of(wordings.words)
    names = (*wordings.names.split(), *kinds)
    return Piece(
        skill,
        "lexical",
        min(map(len, wordings.texts.values())),
        maker(wordings.content, kinds, wordings.texts),
        partial(_told, teller(names, wordings.texts)),
    )


PIECES: tuple[Piece, ...] = tuple(_piece(*item) for item in WORDINGS.items())
