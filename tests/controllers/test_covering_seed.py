"""Rows that have every t-way combination."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.controllers.covering_seed import (
    covering_rows,
    forbidden_tuples,
    row_bound,
    tuple_count,
)
from synthgen.core.errors import ParamError

Tuple = tuple[tuple[int, int], ...]


def tuples_of(rows: Iterable[Sequence[int]], strength: int) -> set[Tuple]:
    return {
        tuple(chosen) for row in rows for chosen in combinations(list(enumerate(row)), strength)
    }


def every_row(
    sizes: Sequence[int], forbidden: Sequence[Mapping[int, int]] = ()
) -> list[tuple[int, ...]]:
    return [
        row
        for row in product(*map(range, sizes))
        if not any(all(row[f] == v for f, v in one.items()) for one in forbidden)
    ]


def named(partial_rows: np.ndarray) -> set[Tuple]:
    return {tuple((f, v) for f, v in enumerate(row) if v >= 0) for row in partial_rows.tolist()}


@pytest.mark.parametrize(
    ("sizes", "strength", "bound"),
    [
        ((3, 3, 3, 3), 2, 9),
        ((2, 4, 2, 4, 5), 2, 20),
        ((3,) * 10, 2, 9),
        ((2,) * 10, 3, 8),
        ((10, 9, 6), 2, 90),
    ],
)
def test_published_sizes(sizes: tuple[int, ...], strength: int, bound: int) -> None:
    seed = covering_rows(sizes, strength, key=1)
    assert row_bound(sizes, strength) == bound
    assert bound <= len(seed.rows) <= 2 * bound + 4
    covered = tuples_of(seed.rows.tolist(), strength)
    assert len(covered) == tuple_count(sizes, strength)
    assert len(seed.infeasible) == len(seed.undecided) == 0


@st.composite
def constrained(draw: st.DrawFn) -> tuple[list[int], int, list[dict[int, int]]]:
    sizes = draw(st.lists(st.integers(1, 4), min_size=2, max_size=5))
    strength = draw(st.integers(1, min(3, len(sizes))))
    factors = st.lists(st.integers(0, len(sizes) - 1), min_size=1, max_size=3, unique=True)
    forbidden = [
        {factor: draw(st.integers(0, sizes[factor] - 1)) for factor in chosen}
        for chosen in draw(st.lists(factors, max_size=5))
    ]
    return sizes, strength, forbidden


@given(constrained(), st.integers(0, 2**64 - 1))
@settings(deadline=None)
def test_every_tuple_is_covered_or_named(
    case: tuple[list[int], int, list[dict[int, int]]], key: int
) -> None:
    sizes, strength, forbidden = case
    allowed = every_row(sizes, forbidden)
    seed = covering_rows(sizes, strength, key, forbidden)
    rows = [tuple(row) for row in seed.rows.tolist()]
    assert set(rows) <= set(allowed)
    possible = tuples_of(allowed, strength)
    assert tuples_of(rows, strength) == possible
    assert named(seed.infeasible) == tuples_of(every_row(sizes), strength) - possible
    assert len(seed.undecided) == 0


@given(constrained(), st.integers(0, 2**64 - 1))
@settings(deadline=None, max_examples=40)
def test_no_row_is_needless(case: tuple[list[int], int, list[dict[int, int]]], key: int) -> None:
    sizes, strength, forbidden = case
    rows = covering_rows(sizes, strength, key, forbidden).rows.tolist()
    whole = tuples_of(rows, strength)
    for place in range(len(rows)):
        assert tuples_of(rows[:place] + rows[place + 1 :], strength) < whole


def test_the_same_rows_for_the_same_key() -> None:
    first, second = covering_rows((3,) * 6, 2, 5), covering_rows((3,) * 6, 2, 5)
    assert first.rows.tolist() == second.rows.tolist()
    assert covering_rows((3,) * 6, 2, 6).rows.tolist() != first.rows.tolist()


@given(constrained())
@settings(deadline=None)
def test_a_rule_gives_the_smallest_tuples_it_forbids(
    case: tuple[list[int], int, list[dict[int, int]]],
) -> None:
    sizes, _, forbidden = case

    def allowed(partial: Mapping[int, int]) -> bool:
        return not any(one.items() <= partial.items() for one in forbidden)

    found = forbidden_tuples(sizes, allowed, 3)
    assert set(every_row(sizes, found)) == set(every_row(sizes, forbidden))
    for one in found:
        assert not any(other.items() < one.items() for other in found)


def test_constraints_that_leave_no_row_name_everything() -> None:
    seed = covering_rows((2, 2), 2, 1, [{0: 0}, {0: 1}])
    assert len(seed.rows) == 0
    assert len(seed.infeasible) == 4


def test_a_tuple_that_only_other_constraints_rule_out() -> None:
    """Factor 2 has no value left for (0, 0) of the first two."""
    seed = covering_rows((2, 2, 2), 2, 1, [{0: 0, 2: 0}, {1: 0, 2: 1}])
    assert named(seed.infeasible) == {((0, 0), (1, 0)), ((0, 0), (2, 0)), ((1, 0), (2, 1))}


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ParamError, match="strength"):
        covering_rows((2, 2), 3, 1)
    with pytest.raises(ParamError, match=r"sizes\[1\]=0"):
        covering_rows((2, 0), 1, 1)
    with pytest.raises(ParamError, match="factors"):
        covering_rows((), 1, 1)
    with pytest.raises(ParamError, match="tuples"):
        covering_rows((10_000, 10_000), 2, 1)
    with pytest.raises(ParamError, match=r"forbidden\[0\]\[1\]=2"):
        covering_rows((2, 2), 1, 1, [{1: 2}])
    with pytest.raises(ParamError, match=r"forbidden\[0\]"):
        covering_rows((2, 2), 1, 1, [{}])
