"""What the sieve of texts knows of words: a row of numbers for each."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.skillmix import _check_sieve_table as table
from synthgen.verifiers.skillmix._check_figures_parallel import part_names
from synthgen.verifiers.skillmix._check_figures_words import COORDINATORS, LINKS, kind, lemmas
from synthgen.verifiers.skillmix._check_lexical_images import ARTICLES, COPULAS
from synthgen.verifiers.skillmix._check_lexical_measures import Numerals, bounds, extremes
from synthgen.verifiers.skillmix._check_lexical_opposites import JOINING, antonyms, clashes, opposed
from synthgen.verifiers.skillmix._check_lexical_sounds import first_sound, rhymes, stem
from synthgen.verifiers.skillmix._check_world_number import NUMBERS
from synthgen.verifiers.skillmix._check_world_order import AT_PLACE, BEFORE_PLACE, HOLDS
from synthgen.verifiers.skillmix._check_world_parse import LINKING
from synthgen.verifiers.skillmix._check_world_question import ASKS
from synthgen.verifiers.skillmix._text import STOP
from synthgen.verifiers.skillmix._text_table import columns, extended
from synthgen.verifiers.skillmix._wanted import bits_of, n_sets

_FIRST_ROWS = 4096
_PARTS = (
    "adjective base",
    "noun base",
    "noun plural",
    "verb base",
    "verb third",
    "verb past",
    "verb participle",
    "verb gerund",
)


@cache
def _uses() -> tuple[Container[str], ...]:
    """Return the words of each use in the order of the table."""
    return (
        COPULAS,
        ARTICLES,
        frozenset(("the",)),
        frozenset(("like",)),
        frozenset(("as",)),
        frozenset().union(*clashes().values()),
        clashes(),
        extremes(),
        frozenset(("than",)),
        Numerals(),
        bounds(),
        ASKS,
        NUMBERS,
        AT_PLACE,
        BEFORE_PLACE,
        LINKING,
        HOLDS,
        JOINING,
    )


@cache
def _opposed() -> dict[str, int]:
    """Return the number of each word that has an opposite."""
    return {word: at for at, word in enumerate(sorted(opposed()), 1)}


def opposites() -> NDArray[np.bool_]:
    """Return which two words are opposites, by their numbers."""
    numbers = _opposed()
    found = np.zeros((len(numbers) + 1, len(numbers) + 1), np.bool_)
    for one, other in antonyms():
        found[numbers[one], numbers[other]] = True
    return found


class Rows:
    """Rows of words by their numbers.

    Attributes:
        table: row i is what is known of word i.
        codes: numbers of lemmas and the like, which are above all others.
    """

    def __init__(self) -> None:
        self.table = np.zeros((_FIRST_ROWS, table.N_COLUMNS), np.int64)
        self.codes: dict[str, int] = {"": 0}
        self._n_sets = n_sets()
        self._n_rows = 0

    def fits(self) -> bool:
        """Say whether no set of words was added since the first row."""
        return self._n_sets == n_sets()

    def grow(self, names: Sequence[str]) -> None:
        """Add the rows of new words, which come in the order of their numbers."""
        new = names[self._n_rows :]
        if new:
            self.table = extended(self.table, self._n_rows, [self._row(word) for word in new])
            self._n_rows = len(names)

    def _row(self, word: str) -> list[int]:
        sound = first_sound(word)
        coordinator = COORDINATORS.index(word) + 1 if word in COORDINATORS else 0
        return [
            *columns(bits_of((word,)), table.N_BITS),
            word in STOP,
            word in LINKS,
            word.isalpha(),
            coordinator,
            self._code(kind(word)),
            0 if kind(word) else self._bits(part_names(word)),
            self._code(sound),
            self._code(stem(word)) if sound else 0,
            rhymes().get(word, -1) + 1,
            *(self._lemma(word, part) for part in ("verb", "noun")),
            sum(1 << at for at, words in enumerate(_uses()) if word in words),
            _opposed().get(word, 0),
        ]

    def _code(self, name: str) -> int:
        return self.codes.setdefault(name, len(self.codes))

    def _bits(self, names: frozenset[str]) -> int:
        return sum(1 << _PARTS.index(name) for name in names)

    def _lemma(self, word: str, part: str) -> int:
        found = [lemma for known, lemma in lemmas().get(word, ()) if known == part]
        if len(found) > 1:
            raise ValueError(word)
        return self._code(f"{part} {found[0]}") if found else 0
