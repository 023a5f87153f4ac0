"""Many texts taken apart at once; sentences and clauses as objects are made when one asks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial, reduce
from itertools import accumulate
from operator import or_

import numpy as np

from synthgen.verifiers.skillmix._text import MOST_CHARACTERS, Clause, Sentence, Text
from synthgen.verifiers.skillmix._text_scan import scan
from synthgen.verifiers.skillmix._text_table import NEW, Ints
from synthgen.verifiers.skillmix._text_words import Words


class Cut:
    """Texts taken apart.

    Attributes:
        raws: as written.
        plains: in lower case.
        words: numbers of all words.
        clause_ends: in words.
        marks: behind each clause, as characters, 0 for none.
        sentence_ends: in clauses.
        text_ends: in sentences.
        bits: of the words of each clause, once they are known.
        known: words by their numbers.
    """

    def __init__(self, raws: Sequence[str], known: Words) -> None:
        """Take texts apart; those that are too long have no sentences."""
        self.raws = raws
        self.plains = [raw.lower() for raw in raws]
        self.known = known
        self._scan(
            [
                b"" if len(raw) > MOST_CHARACTERS else plain.encode("utf-8", "surrogatepass")
                for raw, plain in zip(raws, self.plains, strict=True)
            ]
        )
        self.bits: list[int] = []

    def _scan(self, texts: Sequence[bytes]) -> None:
        joined, known = b"".join(texts), self.known
        most = len(joined) // 2 + len(texts)  # something stands between words
        numbers, starts, stops, clause_ends, marks, sentence_ends = np.empty((6, most), np.int64)
        self.text_ends = np.empty(len(texts), np.int64)
        n_words, n_clauses, n_sentences = scan(
            np.frombuffer(joined, np.uint8),
            np.fromiter(accumulate(map(len, texts)), np.int64, len(texts)),
            known.slots,
            known.pool,
            known.stops,
            numbers,
            starts,
            stops,
            clause_ends,
            marks,
            sentence_ends,
            self.text_ends,
        )
        self.words: Ints = numbers[:n_words]
        self.clause_ends: Ints = clause_ends[:n_clauses]
        self.marks: Ints = marks[:n_clauses]
        self.sentence_ends: Ints = sentence_ends[:n_sentences]
        new = np.flatnonzero(self.words == NEW)
        spans = zip(starts[new].tolist(), stops[new].tolist(), strict=True)
        self.words[new] = known.numbers_of(
            [joined[start:stop].decode("ascii") for start, stop in spans]
        )

    def text(self, at: int) -> Text:
        """Return a text with the parts that are known here."""
        return Text(self.raws[at], self.plains[at], partial(self._sentences, at))

    def _sentences(self, at: int) -> tuple[Sentence, ...]:
        return tuple(map(self.sentence, self.sentences_of(at)))

    def sentences_of(self, at: int) -> range:
        """Return the numbers of the sentences of a text."""
        return _span(self._ends[2], at)

    def clauses_of(self, at: int) -> range:
        """Return the numbers of the clauses of a text."""
        _, sentence_ends, text_ends = self._ends
        first, last = text_ends[at - 1] if at else 0, text_ends[at]
        start = sentence_ends[first - 1] if first else 0
        return range(start, sentence_ends[last - 1] if last else 0)

    def sentence(self, at: int) -> Sentence:
        """Return a sentence by its number."""
        return Sentence(tuple(map(self.clause, _span(self._ends[1], at))))

    def sentence_bits(self, at: int) -> int:
        """Return the bits of the words of a sentence, once they are known."""
        return reduce(or_, [self.bits[clause] for clause in _span(self._ends[1], at)])

    def clause(self, at: int) -> Clause:
        """Return a clause by its number."""
        names, numbers, mark = self.known.names, self._numbers, self.marks[at]
        words = tuple([names[numbers[word]] for word in _span(self._ends[0], at)])
        found = Clause(words, chr(mark) if mark else "")
        if self.bits:
            found.bits = self.bits[at]
        return found

    @cached_property
    def _ends(self) -> tuple[list[int], list[int], list[int]]:
        return self.clause_ends.tolist(), self.sentence_ends.tolist(), self.text_ends.tolist()

    @cached_property
    def _numbers(self) -> list[int]:
        found: list[int] = self.words.tolist()
        return found


def _span(ends: list[int], at: int) -> range:
    """Return the numbers of the parts of a whole, by where the parts of each whole end."""
    return range(ends[at - 1] if at else 0, ends[at])
