"""Bits of inductive bias: worked values and exact sums of integers."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.coverage.id_counts import IdCounts
from synthgen.coverage.k_coverage import monolithic_bits, unseen_entries

TRAIN = ["000", "001", "002", "020", "021", "110", "010", "012", "100", "101"]
FIRST = [[0, 1, 0], [1, 0, 2], [2, 2, 1]]


@pytest.mark.parametrize(
    ("unseen", "error", "bits"),
    [(17, 0.0, 26.944), (17, 0.1, 21.815), (17, 0.25, 11.516), (5, 0.0, 7.925)],
)
def test_worked_monolithic_bits(unseen: int, error: float, bits: float) -> None:
    assert monolithic_bits(unseen, 3, error) == pytest.approx(bits, abs=5e-4)


def entries(rows: list[str]) -> list[IdCounts]:
    """Entries of the two tables that rows of the toy two-hop task use."""
    inputs = [[int(char) for char in row] for row in rows]
    return [
        IdCounts([3 * a + b for a, b, _ in inputs]),
        IdCounts([3 * FIRST[a][b] + c for a, b, c in inputs]),
    ]


def unseen(test: list[str]) -> list[int]:
    return [unseen_entries(*pair) for pair in zip(entries(test), entries(TRAIN), strict=True)]


@given(st.integers(0, 60), st.integers(1, 9), st.integers(0, 100))
def test_it_is_the_sum(count: int, answers: int, percent: int) -> None:
    wrong = count * percent // 100
    right = sum(math.comb(count, j) * (answers - 1) ** j for j in range(wrong + 1))
    share = Fraction(right, answers**count)
    expected = math.log2(share.denominator) - math.log2(share.numerator)
    assert monolithic_bits(count, answers, percent / 100) == pytest.approx(expected, abs=1e-9)


def test_millions_of_inputs() -> None:
    n = 4_000_000
    rate = 0.1
    entropy = -(rate * math.log2(rate) + (1 - rate) * math.log2(1 - rate))
    expected = n * (math.log2(10) - entropy - rate * math.log2(9))
    assert monolithic_bits(n, 10, rate) == pytest.approx(expected, rel=1e-5)
    assert monolithic_bits(n, 10, 0.95) == pytest.approx(0.0, abs=1e-6)
    assert monolithic_bits(n, 10, 1.0) == 0.0


def test_arguments_out_of_range() -> None:
    with pytest.raises(ParamError, match=r"error=1.5: expected a share"):
        monolithic_bits(3, 3, 1.5)
    with pytest.raises(ParamError, match=r"answers=0"):
        monolithic_bits(3, 0)
