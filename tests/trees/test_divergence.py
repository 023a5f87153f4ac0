"""Chernoff divergence: worked values, bounds, and the same bits in any order."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.trees.divergence import chernoff_divergence, power, powers

COUNTS = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)), min_size=1, max_size=30)
PINNED = ["0x1.5a38daff9a100p-4", "0x1.9c4b33ce39678p-3", "0x1.b5f32bf438234p-3"]
EXPONENTS = st.floats(0.01, 0.99)


def divergence_of(train: list[str], test: list[str], exponent: float) -> float:
    counts = Counter(train), Counter(test)
    names = sorted(counts[0] | counts[1])
    return chernoff_divergence(
        *(np.array([count[name] for name in names]) for count in counts), exponent
    )


def pairs(rows: list[str]) -> list[str]:
    return [
        f"{one} {other}"
        for row in rows
        for one, other in zip(row.split(), row.split()[1:], strict=False)
    ]


@pytest.mark.parametrize(
    ("train", "test", "exponent", "expected"),
    [
        ([1, 1, 998, 0], [400, 400, 0, 200], 0.1, 1 - 0.439424),
        ([1, 1, 998, 0], [400, 400, 0, 200], 0.5, 1 - 0.04),
        ([1, 1, 998, 0], [400, 400, 0, 200], 0.9, 1 - 0.003641),
        ([9, 1], [5, 5], 0.1, 0.044060),
        ([5, 5], [9, 1], 0.1, 0.033914),
        ([5, 5], [9, 1], 0.5, 0.105573),
        ([9, 1], [5, 5], 0.5, 0.105573),
    ],
)
def test_worked_values(train: list[int], test: list[int], exponent: float, expected: float) -> None:
    found = chernoff_divergence(np.array(train), np.array(test), exponent)
    assert found == pytest.approx(expected, abs=6e-7)


@pytest.mark.parametrize(
    ("train", "test", "atoms", "compounds"),
    [
        (["A T", "B T", "A R", "L N B"], ["B R", "B N A", "A N B"], 0.191105, 0.8),
        (["A N B", "B T", "A R", "L N B"], ["B R", "B N A", "A T"], 0.060108, 1.0),
    ],
)
def test_a_worked_split(train: list[str], test: list[str], atoms: float, compounds: float) -> None:
    tokens = [[token for row in rows for token in row.split()] for rows in (train, test)]
    assert divergence_of(*tokens, 0.5) == pytest.approx(atoms, abs=6e-7)
    assert divergence_of(pairs(train), pairs(test), 0.1) == pytest.approx(compounds, abs=6e-7)


def columns(counts: list[tuple[int, int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    both = np.array(counts, np.int64)
    return both[:, 0], both[:, 1]


@given(COUNTS, EXPONENTS)
def test_it_is_the_formula_from_0_to_1(counts: list[tuple[int, int]], exponent: float) -> None:
    train, test = columns(counts)
    found = chernoff_divergence(train, test, exponent)
    assert 0.0 <= found <= 1.0
    if train.sum() and test.sum():
        p, q = train / train.sum(), test / test.sum()
        assert found == pytest.approx(1 - np.sum(p**exponent * q ** (1 - exponent)), abs=1e-9)
        assert chernoff_divergence(test, train, 1 - exponent) == pytest.approx(found, abs=1e-9)
    else:
        assert found == 0.0


@given(COUNTS, EXPONENTS, st.randoms(use_true_random=False))
def test_order_and_absent_things_change_no_bit(
    counts: list[tuple[int, int]], exponent: float, random: object
) -> None:
    found = chernoff_divergence(*columns(counts), exponent)
    more = [*counts, (0, 0)]
    random.shuffle(more)  # type: ignore[attr-defined]
    assert chernoff_divergence(*columns(more), exponent) == found
    as_weights = [column.astype(np.float64) for column in columns(counts)]
    assert chernoff_divergence(*as_weights, exponent) == found


@given(st.lists(st.integers(0, 10**6), min_size=1), st.integers(1, 50), EXPONENTS)
def test_equal_shares_do_not_diverge(counts: list[int], times: int, exponent: float) -> None:
    train = np.array(counts)
    assert chernoff_divergence(train, times * train, exponent) == pytest.approx(0.0, abs=1e-12)


def test_nothing_in_common_is_1() -> None:
    assert chernoff_divergence(np.array([3, 0, 1]), np.array([0, 7, 0]), 0.1) == 1.0


@given(st.floats(1e-12, 1e12), EXPONENTS)
def test_powers_are_those_of_the_c_library_to_14_digits(value: float, exponent: float) -> None:
    found = power(value, exponent)
    assert math.isclose(found, value**exponent, rel_tol=1e-14)
    assert powers(np.array([value, 0.0]), exponent).tolist() == [found, 0.0]


def test_powers_of_one_and_of_squares_are_exact() -> None:
    assert [power(float(4**k), 0.5) for k in range(20)] == [2.0**k for k in range(20)]
    assert [power(1.0, k / 10) for k in range(1, 10)] == [1.0] * 9


def test_bits_never_change() -> None:
    train, test = np.arange(1, 1001), np.arange(1000, 0, -1)
    assert [chernoff_divergence(train, test, a).hex() for a in (0.1, 0.37, 0.5)] == PINNED


@pytest.mark.parametrize("exponent", [0.0, 1.0, -0.5, math.nan])
def test_exponents_out_of_range_are_refused(exponent: float) -> None:
    with pytest.raises(ParamError, match="exponent="):
        chernoff_divergence(np.array([1]), np.array([1]), exponent)


@pytest.mark.parametrize(
    ("train", "test"), [([1, 2], [1]), ([1, -2], [1, 1]), ([1, 2], [0, -1]), ([[1]], [[1]])]
)
def test_bad_counts_are_refused(train: list[int], test: list[int]) -> None:
    with pytest.raises(ParamError, match="counts="):
        chernoff_divergence(np.array(train), np.array(test), 0.5)
