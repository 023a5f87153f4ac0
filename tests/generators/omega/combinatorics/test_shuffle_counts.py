"""Numbers of drawings and shuffles against all tiles and all permutations."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from math import comb

import pytest

from synthgen.generators.omega.combinatorics._matches import (
    copies_cases,
    derangements,
    drawings,
    keeping,
    unfixed_cases,
)
from synthgen.generators.omega.combinatorics._partitions import partitions


@pytest.mark.parametrize("counts", [(3, 2, 1), (2, 2), (4, 1, 1), (3, 3, 2)])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_drawings_are_those_of_all_sets_of_tiles(counts: tuple[int, ...], n: int) -> None:
    tiles = [letter for letter, many in enumerate(counts) for _ in range(many)]
    seen = Counter(
        tuple(sorted(Counter(drawn).values(), reverse=True)) for drawn in combinations(tiles, n)
    )
    assert drawings(counts, n) == dict(seen)
    assert sum(seen.values()) == comb(sum(counts), n)


@pytest.mark.parametrize("pattern", [(1,), (2, 1), (1, 1, 1), (2, 2), (3, 2, 1), (2, 2, 1, 1)])
def test_derangements_are_those_of_all_shuffles(pattern: tuple[int, ...]) -> None:
    row = [letter for letter, many in enumerate(pattern) for _ in range(many)]
    shuffles = permutations(range(len(row)))
    assert derangements(pattern) == sum(
        all(row[tile] != row[place] for place, tile in enumerate(shuffle)) for shuffle in shuffles
    )


@pytest.mark.parametrize(("n", "copies"), [(3, 1), (4, 2), (5, 3), (5, 5), (6, 0)])
def test_kept_positions_are_those_of_all_shuffles(n: int, copies: int) -> None:
    shuffles = permutations(range(n))
    seen = Counter(sum(tile < copies for tile in shuffle[:copies]) for shuffle in shuffles)
    for kept in range(copies + 1):
        assert keeping(n, copies, kept) == seen[kept]


def test_cases_cover_all_drawings() -> None:
    assert sum(sets for _, sets, _ in unfixed_cases((3, 2, 1), 3)) == 20
    assert sum(sets for _, sets, _ in copies_cases(6, 3, 3, range(1))) == 20
    whole = copies_cases(6, 3, 3, range(4))
    assert [shuffles for _, _, shuffles in whole] == [6, 6, 6, 6]


@pytest.mark.parametrize(
    ("total", "parts", "number"), [(4, 2, 2), (8, 4, 5), (11, 5, 10), (3, 4, 0)]
)
def test_partitions(total: int, parts: int, number: int) -> None:
    found = list(partitions(total, parts))
    assert len(set(found)) == len(found) == number
    assert all(sum(one) == total and sorted(one, reverse=True) == list(one) for one in found)
