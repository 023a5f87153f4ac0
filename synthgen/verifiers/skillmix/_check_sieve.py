"""The sieve of texts: which checkers need not be asked, found out for many texts at once.

Each word has a number and a row of what matters about it in a table; the rest is compiled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.skillmix import _check_sieve_table as table
from synthgen.verifiers.skillmix._check_figures_parallel import part_names
from synthgen.verifiers.skillmix._check_figures_words import COORDINATORS, LINKS, kind, lemmas
from synthgen.verifiers.skillmix._check_lexical_measures import steps
from synthgen.verifiers.skillmix._check_lexical_opposites import opposed
from synthgen.verifiers.skillmix._check_lexical_sounds import first_sound, rhymes, stem
from synthgen.verifiers.skillmix._check_logic import SAME
from synthgen.verifiers.skillmix._check_sieve_kernel import sift
from synthgen.verifiers.skillmix._check_world_order import IN_SPACE, IN_TIME, SPLIT
from synthgen.verifiers.skillmix._text import STOP, Checker, Text
from synthgen.verifiers.skillmix._wanted import bits_of, n_sets, wanted

_SIGNS = {
    "anaphora": table.ANAPHORA,
    "epistrophe": table.EPISTROPHE,
    "symploce": table.SYMPLOCE,
    "anadiplosis": table.ANADIPLOSIS,
    "gradatio": table.GRADATIO,
    "epanalepsis": table.EPANALEPSIS,
    "antimetabole": table.ANTIMETABOLE,
    "polysyndeton": table.POLYSYNDETON,
    "asyndeton": table.ASYNDETON,
    "epizeuxis": table.EPIZEUXIS,
    "diacope": table.DIACOPE,
    "isocolon": table.ISOCOLON,
    "tricolon": table.TRICOLON,
    "polyptoton": table.POLYPTOTON,
    "alliteration": table.ALLITERATION,
    "rhyme": table.RHYMES,
    "antithesis": table.ANTITHESIS,
    "climax": table.CLIMAX,
    "spatial_reasoning": table.SPACE,
    "temporal_order": table.TIME,
    "begging_the_question": table.REWORDED,
}
_PLACES = {"text": table.IN_TEXT, "sentence": table.IN_SENTENCE, "clause": table.IN_CLAUSE}
_SETS = (wanted(opposed), wanted(steps), SPLIT, IN_SPACE, IN_TIME, SAME)
"""In the order of the table."""
_BITS = 62
"""Of a column of bits."""
_MOST_WORDS = 65_536
"""With more of them a new table is begun."""
_FIRST_ROWS = 4096


class _Words(dict[str, int]):
    """Numbers of words, given as they come; row i of `table` is what is known of word i."""

    def __init__(self) -> None:
        super().__init__()
        self.table = np.zeros((_FIRST_ROWS, table.N_COLUMNS), np.int64)
        self.codes: dict[str, int] = {"": 0}
        self.n_sets = n_sets()

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        if number >= len(self.table):
            self.table = np.concatenate([self.table, np.zeros_like(self.table)])
        self.table[number] = self._row(word)
        return number

    def _row(self, word: str) -> list[int]:
        sound = first_sound(word)
        coordinator = COORDINATORS.index(word) + 1 if word in COORDINATORS else 0
        return [
            *_columns(bits_of((word,))),
            word in STOP,
            word in LINKS,
            coordinator,
            self._code(kind(word)),
            0 if kind(word) else self._bits(part_names(word)),
            self._code(sound),
            self._code(stem(word)) if sound else 0,
            rhymes().get(word, -1) + 1,
            *(self._lemma(word, part) for part in ("verb", "noun")),
        ]

    def _code(self, name: str) -> int:
        return self.codes.setdefault(name, len(self.codes))

    def _bits(self, names: frozenset[str]) -> int:
        return sum(1 << _PARTS.index(name) for name in names)

    def _lemma(self, word: str, part: str) -> int:
        found = [lemma for known, lemma in lemmas().get(word, ()) if known == part]
        return -1 if len(found) > 1 else self._code(f"{part} {found[0]}") if found else 0


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


def _columns(bits: int) -> list[int]:
    found = [bits >> at * _BITS & (1 << _BITS) - 1 for at in range(table.N_BITS)]
    if bits >> table.N_BITS * _BITS:
        raise OverflowError(bits)
    return found


class Sieve:
    """Says which checkers can find their skill in a text."""

    def __init__(self, checkers: Mapping[str, Checker]) -> None:
        self._needs = np.array([_columns(one.needs) for one in checkers.values()], np.int64)
        self._places = np.array([_PLACES[one.part] for one in checkers.values()], np.int64)
        self._signs = np.array([_SIGNS.get(name, table.ANY) for name in checkers], np.int64)
        self._sets = np.array([_columns(bits) for bits in _SETS], np.int64)
        self._words = _Words()

    def possible(self, texts: Sequence[Text]) -> NDArray[np.bool_]:
        """Return whether each checker need be asked about each text, (checkers, texts).

        On the way clauses get the bits of their words.
        """
        if len(self._words) > _MOST_WORDS or self._words.n_sets != n_sets():
            self._words = _Words()
        sentences = [sentence for text in texts for sentence in text.sentences]
        clauses = [clause for sentence in sentences for clause in sentence.clauses]
        said = [clause.words for clause in clauses]
        words = np.fromiter(map(self._words.__getitem__, chain.from_iterable(said)), np.int64)
        possible, bits = sift(
            words,
            _ends(list(map(len, said))),
            np.array([clause.mark == "," for clause in clauses], np.bool_),
            _ends([len(sentence.clauses) for sentence in sentences]),
            _ends([len(text.sentences) for text in texts]),
            self._words.table,
            self._needs,
            self._places,
            self._signs,
            self._sets,
            len(self._words.codes),
        )
        for clause, (low, high) in zip(clauses, bits.tolist(), strict=True):
            clause.bits = low | high << _BITS
        return possible


def _ends(counts: Sequence[int]) -> table.Ints:
    return np.fromiter(accumulate(counts), np.int64, len(counts))
