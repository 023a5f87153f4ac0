"""What selection does row by row, against slow readings of it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.randomness import mix_words
from synthgen.core.selection import choose_by_word, shuffle_words, take_first

SALT = np.uint64(77)
WORDS = st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=20)


def slow_choice(matches: list[bool], weights: list[int], unit: Fraction) -> int:
    """Walk over the shares of those that match, in exact numbers."""
    goal = unit * sum(w for w, there in zip(weights, matches, strict=True) if there)
    share = 0
    for choice, there in enumerate(matches):
        share += weights[choice] * there
        if share > goal:
            return choice
    return -1


@given(WORDS, st.integers(0, 4), st.data())
def test_a_choice_is_the_one_in_whose_share_the_word_lies(
    words: list[int], k: int, data: st.DataObject
) -> None:
    each = st.lists(st.booleans(), min_size=k, max_size=k)
    matches = data.draw(st.lists(each, min_size=len(words), max_size=len(words)))
    weights = data.draw(st.lists(st.integers(1, 2**20), min_size=k, max_size=k))
    rows = np.array(matches, np.bool_).reshape(len(words), k)
    own = np.array(words, np.uint64)
    chosen = choose_by_word(rows, own, np.array(weights, np.float64), SALT, -1)
    units = [Fraction(word >> 11, 2**53) for word in mix_words(own ^ SALT).tolist()]
    assert chosen.tolist() == [
        slow_choice(row, weights, unit) for row, unit in zip(matches, units, strict=True)
    ]


@given(
    st.lists(st.tuples(st.integers(-1, 3), st.booleans()), max_size=30),
    st.lists(st.integers(0, 5), min_size=4, max_size=4),
)
def test_cells_take_their_first_usable_rows(rows: list[tuple[int, bool]], room: list[int]) -> None:
    usable = [there and cell >= 0 for cell, there in rows]
    taken, left = np.zeros(len(rows), np.bool_), np.array(room)
    cells = np.array([cell for cell, _ in rows], np.int32)
    take_first(cells, np.array(usable, np.bool_), left, taken)
    for cell in range(4):
        own = [i for i, (c, _) in enumerate(rows) if c == cell and usable[i]]
        assert np.flatnonzero(taken & (cells == cell)).tolist() == own[: room[cell]]
        assert left[cell] == room[cell] - len(own[: room[cell]])


@given(WORDS, st.integers(0, 2**16 - 1))
def test_lots_depend_on_source_and_address(addresses: list[int], source: int) -> None:
    own = np.array(addresses, np.uint64)
    sources = np.full(len(own), source, np.uint16)
    lots = shuffle_words(sources, own, SALT)
    assert (lots == mix_words(mix_words(own ^ SALT) ^ np.uint64(source))).all()
    other = shuffle_words(sources ^ np.uint16(1), own, SALT)
    assert (lots != other).all()
