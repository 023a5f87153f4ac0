"""Candidates thinned out to a wanted distribution."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.controllers.rejection import acceptance, keep_by_rate
from synthgen.core.errors import ParamError

SHARES = st.lists(st.tuples(st.integers(1, 50), st.integers(0, 50)), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("source", "rates", "overall"),
    [
        ((0.5, 0.3, 0.15, 0.05), (0.1, 0.1667, 0.3333, 1), 0.2),
        ((0.4, 0.3, 0.2, 0.1), (0.25, 0.3333, 0.5, 1), 0.4),
    ],
)
def test_worked_examples(
    source: tuple[float, ...], rates: tuple[float, ...], overall: float
) -> None:
    found = acceptance(source, (1, 1, 1, 1))
    assert found.rates == pytest.approx(rates, abs=0.00005)
    assert found.overall == pytest.approx(overall)
    assert found.rarest == 3


def test_expected_candidates() -> None:
    found = acceptance((0.5, 0.3, 0.15, 0.05), (1, 1, 1, 1))
    assert found.candidates_for(200) == 1000
    assert found.candidates_for(201) == 1005
    assert found.candidates_for(0) == 0


@given(SHARES.filter(lambda cells: any(wanted for _, wanted in cells)))
@settings(deadline=None)
def test_what_is_kept_has_the_wanted_shares(cells: list[tuple[int, int]]) -> None:
    source = np.array([has for has, _ in cells])
    targets = np.array([wanted for _, wanted in cells])
    found = acceptance(source, targets)
    kept = source / source.sum() * found.rates
    assert kept / kept.sum() == pytest.approx(targets / targets.sum())
    assert kept.sum() == pytest.approx(found.overall)
    assert found.rates.max() == 1
    assert found.rates[found.rarest] == 1


@given(st.permutations(range(200)))
@settings(deadline=None, max_examples=20)
def test_a_candidate_is_kept_for_its_own_sake(order: list[int]) -> None:
    keys, cells = np.arange(200, dtype=np.uint64), np.arange(200) % 3
    rates = np.array([0.2, 0.5, 1.0])
    kept = keep_by_rate(keys, cells, rates, stream=5)
    assert (keep_by_rate(keys[order], cells[order], rates, stream=5) == kept[order]).all()
    assert kept[cells == 2].all()


def test_kept_shares_are_the_rates() -> None:
    keys, cells = np.arange(40_000, dtype=np.uint64), np.arange(40_000) % 4
    rates = np.array([0.0, 0.1, 0.5, 1.0])
    kept = keep_by_rate(keys, cells, rates, stream=5)
    shares = np.bincount(cells[kept], minlength=4) / 10_000
    assert shares[[0, 3]].tolist() == [0, 1]
    assert shares == pytest.approx(rates, abs=0.02)
    assert (keep_by_rate(keys, cells, rates, stream=6) != kept).any()


def test_cells_without_candidates_are_named() -> None:
    with pytest.raises(ParamError, match=r"source\[1\]=0: expected above 0, as its target is 0.2"):
        acceptance((1, 0), (0.8, 0.2))
    assert acceptance((1, 0), (1, 0)).rates.tolist() == [1, 0]


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ParamError, match="targets"):
        acceptance((1, 1), (1,))
    with pytest.raises(ParamError, match="cells"):
        keep_by_rate(np.zeros(1, np.uint64), np.array([2]), np.array([1.0]), 0)
