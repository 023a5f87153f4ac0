"""What each phrase of a SCAN language contributes to a row: texts, symbols and measures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, offsets_of, ragged
from synthgen.generators._scan_language import (
    CONNECTIVES,
    TURN,
    Language,
    Phrase,
    form_actions,
    phrase_steps,
)

ANY_VERB = "U"
"""In a pattern of words, any verb but `turn`."""


@dataclass(frozen=True)
class Tables:
    """Columns over the m phrases of a language.

    Attributes:
        texts: bytes of ten pieces of text, see `Pieces`.
        symbols: codes of each phrase in prefix order, then of each connective.
        n_words, action_length, depth: int16 (m + 1,), 0 in the last place, which stands for a
            phrase that is not there.
        verb, manner, repeat: codes of names, int16 (m + 1,); the last is that of "none".
    """

    texts: Ragged
    symbols: Ragged
    n_words: NDArray[np.int16]
    action_length: NDArray[np.int16]
    depth: NDArray[np.int16]
    verb: NDArray[np.int16]
    manner: NDArray[np.int16]
    repeat: NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Pieces:
    """Numbers of the pieces of text of a language with m phrases.

    Every piece begins with the space or line end that separates it from what is before; the first
    of a row loses it. Phrase p has four pieces: p its words, actions + p, opening + p its words at
    the begin of a line, and steps + p its worked lines.
    """

    connective: int
    equals: int
    actions: int
    opening: int
    steps: int

    @classmethod
    def of(cls, m: int) -> Pieces:
        """Return the numbers for m phrases."""
        first = m + len(CONNECTIVES) + 1
        return cls(m, m + len(CONNECTIVES), first, first + m, first + 2 * m)


@lru_cache(maxsize=8)
def phrase_tables(language: Language) -> Tables:
    """Return the tables of a language."""
    phrases = list(language.phrases())
    code = language.signature.code
    symbols = [[code[symbol] for symbol in phrase.derivation] for phrase in phrases]
    actions = [form_actions(phrase) * phrase.times for phrase in phrases]
    manners = {name: i for i, name in enumerate(language.manner_names)}
    verbs = {name: i for i, name in enumerate(language.verb_words)}
    return Tables(
        texts=_texts(phrases, actions),
        symbols=ragged([*symbols, *([code[word]] for word in CONNECTIVES)]),
        n_words=_column(len(phrase.text.split()) for phrase in phrases),
        action_length=_column(map(len, actions)),
        depth=_column(phrase.depth for phrase in phrases),
        verb=_column((verbs[phrase.verb] for phrase in phrases), len(verbs)),
        manner=_column((manners[_manner_name(phrase)] for phrase in phrases), len(manners)),
        repeat=_column((phrase.times - 1 for phrase in phrases), language.repeats + 1),
    )


@lru_cache(maxsize=64)
def phrases_with(language: Language, pattern: str) -> NDArray[np.bool_]:
    """Say which phrases hold the words of a pattern side by side, bool (m + 1,)."""
    wanted = pattern.split(" ")
    holds = [_holds(phrase.text.split(), wanted) for phrase in language.phrases()]
    return np.array([*holds, False])


def _holds(words: list[str], wanted: list[str]) -> bool:
    if wanted[0] == ANY_VERB:
        return words[0] != TURN and words[1 : len(wanted)] == wanted[1:]
    places = range(len(words) - len(wanted) + 1)
    return any(words[place : place + len(wanted)] == wanted for place in places)


def _manner_name(phrase: Phrase) -> str:
    return "_".join(filter(None, (phrase.manner, phrase.direction))) or "bare"


def _column(values: Iterable[int], last: int = 0) -> NDArray[np.int16]:
    return np.array([*values, last], np.int16)


def _texts(phrases: list[Phrase], actions: list[list[str]]) -> Ragged:
    """Return the pieces of text in the order of `Pieces`."""
    pieces = [
        *(f" {phrase.text}" for phrase in phrases),
        *(f" {word}" for word in CONNECTIVES),
        " =",
        *(" " + " ".join(done) for done in actions),
        *(f"\n{phrase.text}" for phrase in phrases),
        *("\n" + "\n".join(phrase_steps(phrase)) for phrase in phrases),
    ]
    encoded = [piece.encode("ascii") for piece in pieces]
    offsets = offsets_of(np.array([len(piece) for piece in encoded]))
    return Ragged(np.frombuffer(b"".join(encoded), np.uint8), offsets)
