"""Kernels that draw what chains begin with: strings, lists, numbers, words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import draw_below
from synthgen.generators.skillmix._chain_family import NUMBER, STRING, WORDS
from synthgen.generators.skillmix._chain_opcodes import Value

WORD_LENGTHS = (3, 7)
DRAWS = 160
"""Draws that an input has to itself."""
_REPEATS = 5
"""One word in so many is an earlier one again."""
_SPOKEN = np.array([ord(c) - 96 for c in "bcdfghjklmnpqrstvwxyzaeiou"], np.int64)
_N_CONSONANTS, _N_VOWELS = 21, 5


class Sizes(NamedTuple):
    """What inputs are like, and what their results may be.

    Attributes:
        min_length, max_length: of strings and lists.
        max_entry: of lists.
        max_number: of numbers.
        min_words, max_words: of words.
        longest, largest: value on the way.
    """

    min_length: int
    max_length: int
    max_entry: int
    max_number: int
    min_words: int
    max_words: int
    longest: int
    largest: int


@lent
def below(key: np.uint64, j: Int, n: Int) -> Int:
    """Return draw j of a row as an integer from 0 to n - 1, as a call that compiles quickly."""
    return draw_below(key, j, n)


@lent
def draw_input(kind: Int, key: np.uint64, j: Int, sizes: Sizes, letters: Value, out: Value) -> Int:
    """Draw a value of a type, from draw j on, and return its length."""
    if kind == WORDS:
        return _draw_words(key, j, sizes, out)
    n: Int = np.int64(1)
    lowest, many = 0, len(letters)
    if kind == NUMBER:
        lowest, many = 1, sizes.max_number
    else:
        n = sizes.min_length + below(key, j, sizes.max_length - sizes.min_length + 1)
        if kind != STRING:
            many = sizes.max_entry + 1
    for k in range(n):
        drawn = lowest + below(key, j + 1 + k, many)
        out[k] = letters[drawn] if kind == STRING else drawn
    return n


@lent
def _draw_words(key: np.uint64, j: Int, sizes: Sizes, out: Value) -> Int:
    """Draw words that can be spoken: consonants and vowels in turn."""
    count = sizes.min_words + below(key, j, sizes.max_words - sizes.min_words + 1)
    at: Int = np.int64(0)
    for word in range(count):
        choice = below(key, j + 1, _REPEATS)
        if word > 0 and choice == 0:
            source = _start_of(out, below(key, j + 2, word))
            while out[source] != 0:
                out[at] = out[source]
                source += 1
                at += 1
        else:
            shape = below(key, j + 2, 2 * (WORD_LENGTHS[1] - WORD_LENGTHS[0] + 1))
            for k in range(WORD_LENGTHS[0] + shape // 2):
                vowel = (k + shape) % 2
                many = _N_VOWELS if vowel else _N_CONSONANTS
                out[at] = _SPOKEN[vowel * _N_CONSONANTS + below(key, j + 3 + k, many)]
                at += 1
        j += 3 + WORD_LENGTHS[1]
        out[at] = 0
        at += 1
    return at


@lent
def _start_of(words: Value, place: Int) -> Int:
    """Return where the word at a place, counted from 0, begins."""
    start: Int = np.int64(0)
    for _ in range(place):
        while words[start] != 0:
            start += 1
        start += 1
    return start
