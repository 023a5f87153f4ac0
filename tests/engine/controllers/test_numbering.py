"""Numbers for 64-bit ids."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from synthgen.core.columns import ragged
from synthgen.core.randomness import mix_words
from synthgen.core.steering import number_words, rows_with

WORDS = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 5), max_size=60)


def by_hand(words: list[int]) -> list[int]:
    known: dict[int, int] = {}
    return [known.setdefault(word, len(known)) for word in words]


def numbers_of(words: list[int]) -> tuple[NDArray[np.int32], int]:
    column = np.array(words, np.uint64)
    return number_words(column, mix_words(column))


@given(WORDS)
@settings(deadline=None)
def test_numbers_in_the_order_of_first_occurrence(words: list[int]) -> None:
    numbers, n = numbers_of(words)
    assert numbers.tolist() == by_hand(words)
    assert n == len(set(words))


def test_the_table_grows() -> None:
    words = [i * i % 30_011 for i in range(60_000)]
    numbers, n = numbers_of(words)
    assert numbers.tolist() == by_hand(words)
    assert n == len(set(words)) > 1 << 13


def test_words_that_collide_are_told_apart() -> None:
    words = np.arange(3_000, dtype=np.uint64)
    numbers, n = number_words(words, np.full(3_000, 2**64 - 1, np.uint64))
    assert n == 3_000
    assert numbers.tolist() == list(range(3_000))


@given(st.lists(st.lists(st.integers(0, 6), max_size=6), max_size=12))
@settings(deadline=None)
def test_rows_with_a_number_count_it_once(rows: list[list[int]]) -> None:
    column = ragged(rows, np.int32)
    counts = rows_with(column.values.astype(np.int32), column.offsets, 7)
    assert counts.tolist() == [sum(number in row for row in rows) for number in range(7)]
