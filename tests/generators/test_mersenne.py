"""The compiled draws against the standard library's, number by number."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.generators._mersenne import below, bits, seeded, shuffled

SEEDS = st.integers(0, 2**64)
# The first example compiles the kernels, so none may have a deadline.
unhurried = settings(deadline=None)


def stdlib(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311  the reference that is tested against


@unhurried
@given(SEEDS, st.lists(st.integers(1, 32), max_size=50))
def test_bits_are_getrandbits(seed: int, widths: list[int]) -> None:
    state, expected = seeded(seed), stdlib(seed)
    assert [bits(state, k) for k in widths] == [expected.getrandbits(k) for k in widths]


@unhurried
@given(SEEDS, st.lists(st.integers(1, 2**32 - 1) | st.integers(1, 40), max_size=50))
def test_below_is_choice_and_randint(seed: int, bounds: list[int]) -> None:
    state, chooser, roller = seeded(seed), stdlib(seed), stdlib(seed)
    drawn = [below(state, n) for n in bounds]
    assert drawn == [chooser.choice(range(n)) for n in bounds]
    assert drawn == [roller.randint(0, n - 1) for n in bounds]


@unhurried
@given(SEEDS, st.integers(0, 2_000))
def test_shuffled_is_shuffle_and_leaves_the_same_state(seed: int, n: int) -> None:
    state, expected = seeded(seed), stdlib(seed)
    order = list(range(n))
    expected.shuffle(order)
    assert shuffled(state, n).tolist() == order
    assert tuple(state.tolist()) == expected.getstate()[1]


@pytest.mark.parametrize("seed", [0, 1, 12306, -5, 2**40])
def test_long_streams_agree_over_many_twists(seed: int) -> None:
    state, expected = seeded(seed), stdlib(seed)
    assert [bits(state, 32) for _ in range(5_000)] == [
        expected.getrandbits(32) for _ in range(5_000)
    ]


def test_one_choice_still_takes_words() -> None:
    state = seeded(12306)
    assert below(state, 1) == 0
    assert state[624] != seeded(12306)[624]


def test_a_state_is_never_shared() -> None:
    first = seeded(3)
    bits(first, 8)
    assert not np.array_equal(first, seeded(3))
