"""Lattice paths by turns: the examples, and every path tried."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from synthgen.generators.omega.transformation.trans_gridworld import TransGridworld, _counts


def total(kind: int, w: int, h: int, k: int) -> int:
    return sum(right + up for _, right, up in _counts(kind, w, h, k))


def tried(kind: int, w: int, h: int, k: int) -> int:
    found = 0
    for rights in combinations(range(w + h), w):
        steps = [place in rights for place in range(w + h)]
        turns = sum(p != q for p, q in pairwise(steps))
        found += turns <= k if kind == 1 else turns == k and (kind == 0 or steps[0])
    return found


@pytest.mark.parametrize(("w", "h", "paths"), [(9, 9, 448), (8, 8, 294)])
def test_examples_of_the_sheet(w: int, h: int, paths: int) -> None:
    assert total(0, w, h, 4) == paths  # 8 * 28 * 2 and 7 * 21 * 2


@pytest.mark.parametrize(("w", "h"), [(3, 3), (3, 5), (5, 4), (2, 6)])
def test_counts_are_those_of_all_paths(w: int, h: int) -> None:
    for kind in range(3):
        for k in range(1, 8):
            assert total(kind, w, h, k) == tried(kind, w, h, k)


def test_the_space_is_what_is_listed() -> None:
    sizes = [TransGridworld(levels=(level,)).space for level in range(1, 6)]
    assert sizes == [110, 168, 168, 288, 440]
    assert TransGridworld().fewest_problems == sum(sizes)
