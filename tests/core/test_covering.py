"""Covering designs: what they cover, how large they are, how evenly they use items."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.covering import Covering, cell_count, covering_design, schoenheim_bound
from synthgen.core.errors import ParamError
from tests.bounded import bounded

BOUNDS = {
    (10, 3, 2): 17,
    (10, 4, 2): 8,
    (10, 4, 3): 30,
    (40, 3, 2): 267,
    (40, 4, 2): 130,
    (40, 4, 3): 2_470,
    (53, 3, 2): 460,
    (53, 4, 2): 239,
    (101, 2, 2): 5_050,
    (101, 3, 2): 1_684,
    (101, 4, 2): 859,
    (101, 5, 2): 505,
}
LARGEST = (101, 4, 3)
MOST_SPREAD = 8


def uncovered(design: Covering, barred: set[frozenset[int]] = frozenset()) -> set[tuple[int, ...]]:  # type: ignore[assignment]
    """The subsets without a barred pair that no block has: by enumeration."""
    wanted = {
        subset
        for subset in combinations(range(design.items), design.strength)
        if not any(frozenset(pair) in barred for pair in combinations(subset, 2))
    }
    for block in design.blocks.tolist():
        wanted.difference_update(combinations(block, design.strength))
    return wanted


@pytest.mark.parametrize(("case", "bound"), [*BOUNDS.items(), (LARGEST, 42_092)])
def test_schoenheim_bounds_of_the_literature(case: tuple[int, int, int], bound: int) -> None:
    assert schoenheim_bound(*case) == bound


@pytest.mark.parametrize("key", [1, 2, 3])
@pytest.mark.parametrize("case", BOUNDS)
def test_designs_are_small_even_and_whole(case: tuple[int, int, int], key: int) -> None:
    covering_design(6, 3, 2, 0)  # compiled
    with bounded():
        design = covering_design(*case, key)
    assert len(design.blocks) <= 1.25 * BOUNDS[case]
    assert len(design.blocks) >= BOUNDS[case]
    assert design.uses.max() - design.uses.min() <= (2 if case == (10, 3, 2) else MOST_SPREAD)
    assert np.all(np.diff(design.blocks, axis=1) > 0)
    assert not uncovered(design)
    assert not len(design.infeasible)


def test_the_largest_design() -> None:
    covering_design(6, 4, 3, 0)
    with bounded():
        design = covering_design(*LARGEST, 1)
    assert len(design.blocks) <= 1.25 * 42_092
    assert design.uses.max() - design.uses.min() <= MOST_SPREAD
    assert not uncovered(design)


def test_the_same_key_gives_the_same_design() -> None:
    one, same, other = (covering_design(20, 4, 2, key).blocks for key in (5, 5, 6))
    assert np.array_equal(one, same)
    assert one.shape != other.shape or not np.array_equal(one, other)


def test_all_subsets_where_blocks_are_as_large() -> None:
    design = covering_design(7, 3, 3, 0)
    assert sorted(map(tuple, design.blocks.tolist())) == list(combinations(range(7), 3))
    assert covering_design(5, 5, 2, 0).blocks.tolist() == [[0, 1, 2, 3, 4]]
    assert sorted(covering_design(5, 1, 1, 0).blocks.ravel().tolist()) == list(range(5))


@settings(deadline=None, max_examples=40)
@given(
    items=st.integers(4, 14),
    size=st.integers(2, 5),
    strength=st.integers(1, 3),
    pairs=st.sets(st.frozensets(st.integers(0, 13), min_size=2, max_size=2), max_size=12),
    key=st.integers(0, 2**64 - 1),
)
def test_incompatible_items_never_meet_and_the_rest_is_covered(
    items: int, size: int, strength: int, pairs: set[frozenset[int]], key: int
) -> None:
    size, barred = min(size, items), {pair for pair in pairs if max(pair) < items}
    strength = min(strength, size)
    design = covering_design(items, size, strength, key, [tuple(pair) for pair in barred])  # type: ignore[misc]
    blocks = [set(block) for block in design.blocks.tolist()]
    assert all(len(block) == size for block in blocks)
    assert not any(pair <= block for pair in barred for block in blocks)
    lost = {tuple(subset) for subset in design.infeasible.tolist()}
    assert uncovered(design, barred) == lost
    for subset in lost:  # no block of compatible items has them
        others = [i for i in range(items) if i not in subset]
        assert not any(
            not any(pair <= {*subset, *more} for pair in barred)
            for more in combinations(others, size - strength)
        )


def test_numbers_of_cells_are_those_of_the_literature() -> None:
    full = [cell_count(101, 100, k) for k in range(1, 7)]
    assert full == [10_100, 505_000, 16_665_000, 408_292_500, 7_920_874_500, 126_733_992_000]
    assert [cell_count(10, 10, k) for k in range(1, 7)] == [100, 450, 1_200, 2_100, 2_520, 2_100]


@pytest.mark.parametrize(
    ("args", "name"),
    [
        ((0, 1, 1, 0), "items"),
        ((5, 6, 2, 0), "size"),
        ((5, 3, 4, 0), "strength"),
        ((1_000, 5, 4, 0), "items"),
        ((5, 3, 2, 0, [(1, 1)]), "incompatible"),
        ((5, 3, 2, 0, [(1, 5)]), "incompatible"),
    ],
)
def test_numbers_out_of_range_are_refused(args: tuple[object, ...], name: str) -> None:
    with pytest.raises(ParamError, match=f"^{name}="):
        covering_design(*args)  # type: ignore[arg-type]
