"""What compiled checkers of arguments know of words and stems: a row of numbers for each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.skillmix import _check_logic_informal as informal
from synthgen.verifiers.skillmix import _check_logic_kernel_known as kernel
from synthgen.verifiers.skillmix import _check_logic_sets as sets
from synthgen.verifiers.skillmix._check_logic_shapes import key_of
from synthgen.verifiers.skillmix._check_logic_words import STEMS, token
from synthgen.verifiers.skillmix._text_table import Ints, extended

_FIRST_ROWS = 4_096
_SHARES = {
    sets.ALL: kernel.ALL,
    sets.NO: kernel.NO,
    sets.SOME: kernel.SOME,
    sets.MOST: kernel.MOST,
    sets.FEW: kernel.FEW,
    sets.NOT_ALL: kernel.NOT_ALL,
}
_LONGEST_PHRASE = 4
_NAMED = ("be", "no", "one", "of", "among", "belong", "to", "in", "out", "percent")
"""In the order of their codes in the kernel, from 1 on."""


class Codes:
    """Rows of words by their numbers, and rows of stems and other strings by their codes.

    Attributes:
        words: row i is what is known of word i.
        strings: code of each stem, key and word of a phrase.
    """

    def __init__(self) -> None:
        self.words: Ints = np.zeros((_FIRST_ROWS, kernel.N_WORD_COLUMNS), np.int64)
        self.strings = {name: code for code, name in enumerate(("", *_NAMED))}
        self._phrases = self._coded([((_SHARES[share],), phrase) for phrase, share in sets.PHRASES])
        self._closings = self._coded([((), phrase) for phrase in informal.CLOSINGS])
        self._spoken = frozenset(self.strings)
        self._opposed = np.array(
            [[self.code(one), self.code(other)] for one, other in informal.opposed()], np.int64
        )
        self._models = _models()
        self._stems: Ints = np.zeros((_FIRST_ROWS, kernel.N_STEM_COLUMNS), np.int64)
        self._n_words = self._n_stems = 0

    def grow(self, names: Sequence[str]) -> kernel.Known:
        """Add the rows of new words, and return all that is known."""
        new = names[self._n_words :]
        if new:
            self.words = extended(self.words, self._n_words, [self._word(word) for word in new])
            self._n_words = len(names)
        more = list(islice(self.strings, self._n_stems, None))
        if more:
            self._stems = extended(self._stems, self._n_stems, list(map(_stem, more)))
            self._n_stems = len(self.strings)
        return kernel.Known(
            self.words, self._stems, self._phrases, self._closings, self._opposed, self._models
        )

    def code(self, string: str) -> int:
        """Return the code of a string; 0 is for nothing."""
        return self.strings.setdefault(string, len(self.strings))

    def _coded(self, rows: list[tuple[tuple[int, ...], tuple[str, ...]]]) -> Ints:
        """Return phrases as rows of what goes before them, their length and their words."""
        return np.array(
            [
                [*before, len(phrase), *map(self.code, phrase)]
                + [0] * (_LONGEST_PHRASE - len(phrase))
                for before, phrase in rows
            ],
            np.int64,
        )

    def _word(self, word: str) -> list[int]:
        weight, number = token(word), sets.number(word)
        return [
            self.code(key_of(word)),
            self.code(STEMS[word]),
            self.code(weight.removeprefix("-")),
            weight[:1] == "-",
            -1 if number is None else number,
            word in sets.ARTICLES,
            word in sets.INDIVIDUAL,
            self.strings[word] if word in self._spoken else 0,
        ]


def _stem(stem: str) -> list[int]:
    groups = informal.same().get(stem, frozenset())
    return [
        sum(1 << group for group in groups),
        *(
            stem in words
            for words in (
                informal.PRONOUNS,
                informal.EACH,
                informal.WITHIN,
                informal.AS_ONE,
                informal.wholes(),
                informal.parts(),
                informal.small(),
                informal.large(),
                informal.ends(),
            )
        ),
    ]


def _models() -> NDArray[np.uint64]:
    """Return where each form holds, by form, subject and predicate, as four words of bits."""
    found = np.zeros((len(kernel.LETTERS), 3, 3, 4), np.uint64)
    low = (1 << 64) - 1
    for form, subject, predicate, word in product(range(4), range(3), range(3), range(4)):
        bits = sets.models(kernel.LETTERS[form], subject, predicate)
        found[form, subject, predicate, word] = bits >> 64 * word & low
    return found
