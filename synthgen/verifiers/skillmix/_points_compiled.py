"""Points of many texts at once, found by compiled code: topics and sense."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from synthgen.core.skill_lexicon import topic_words, topics
from synthgen.verifiers.skillmix._points import ARTICLES, article_of, topic_bits
from synthgen.verifiers.skillmix._points_kernel import make_sense, topics_of
from synthgen.verifiers.skillmix._text_cut import Cut
from synthgen.verifiers.skillmix._text_table import COLUMN_BITS, Ints, columns, extended

_FIRST_ROWS = 4_096


class Sense:
    """Finds topics and sense; the words of all texts have one numbering."""

    def __init__(self) -> None:
        self._n_columns = -(-len(topics()) // COLUMN_BITS)
        self._bits: Ints = np.zeros((_FIRST_ROWS, self._n_columns), np.int64)
        self._articles: Ints = np.zeros((_FIRST_ROWS, 2), np.int64)
        self._n_words = 0

    def find(self, cut: Cut) -> Iterator[tuple[int, bool]]:
        """Yield the bits of each text's topics, and whether its words make sense."""
        self._grow(cut.known.names)
        parts = cut.words, cut.clause_ends, cut.sentence_ends, cut.text_ends
        found = topics_of(*parts, self._bits).tolist()
        senses = make_sense(*parts, self._articles).tolist()
        for bits, sense in zip(found, senses, strict=True):
            yield sum([part << at * COLUMN_BITS for at, part in enumerate(bits)]), sense

    def _grow(self, names: list[str]) -> None:
        """Add the rows of new words."""
        new, n = names[self._n_words :], self._n_words
        if new:
            known = _topics_by_word()
            bits = [columns(known.get(word, 0), self._n_columns) for word in new]
            articles = [(_code(word), _code(article_of(word))) for word in new]
            self._bits = extended(self._bits, n, bits)
            self._articles = extended(self._articles, n, articles)
            self._n_words = len(names)


def _code(word: str) -> int:
    return ARTICLES.index(word) + 1 if word in ARTICLES else 0


@cache
def _topics_by_word() -> dict[str, int]:
    found: dict[str, int] = {}
    for name, bit in topic_bits().items():
        for word in topic_words(name):
            found[word] = found.get(word, 0) | bit
    return found
