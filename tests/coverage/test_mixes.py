"""What of some mixes others have seen: by hand, and against plain Python sets."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.auditing.skill_mixes import (
    Mixes,
    coverage,
    largest_numbered,
)
from synthgen.core.errors import ParamError

Row = tuple[tuple[int, ...], int]


def mixes(rows: list[Row]) -> Mixes:
    width = max((len(skills) for skills, _ in rows), default=1)
    table = [[*skills, *[skills[-1]] * (width - len(skills))] for skills, _ in rows]
    return Mixes(
        np.array([len(skills) for skills, _ in rows], np.int64),
        np.array(table, np.int64).reshape(len(rows), width),
        np.array([topic for _, topic in rows], np.int64),
    )


TRAIN: list[Row] = [((0, 1, 2), 0), ((0, 3), 1), ((1, 3), 0), ((2, 3), 0)]


def test_by_hand() -> None:
    (found,) = coverage(mixes(TRAIN), mixes([((0, 1, 3), 0), ((0, 1, 2), 0), ((1, 2, 4), 1)]))
    assert (found.k, found.rows) == (3, 3)
    assert found.seen_subsets == (2, 2, 1)  # 4 is new; {0 1 3} has all pairs, {0 1 2} is there
    assert found.largest_seen == (0, 0, 2, 1)
    assert found.seen_cells == 2
    assert found.seen_mixes == 1
    # each skill of {0 1 3} is in 2, 2, 3 of 4 mixes, topic 0 in 3: 1/2 1/2 3/4 3/4 4 = 9/16
    chances = [9 / 16, 0.5**3 * 0.75 * 4, 0.0]
    assert found.expected == pytest.approx(sum(chances) / 3)


@given(
    *[
        st.lists(
            st.tuples(
                st.sets(st.integers(0, 6), min_size=1, max_size=4).map(
                    lambda skills: tuple(sorted(skills))
                ),
                st.integers(0, 2),
            ),
            max_size=15,
        )
    ]
    * 2
)
def test_against_sets(train: list[Row], test: list[Row]) -> None:
    def seen(subset: tuple[int, ...], topic: int | None = None) -> bool:
        return any(set(subset) <= set(s) and topic in (None, t) for s, t in train)

    largest = [
        max((n for n in range(len(s) + 1) if any(map(seen, combinations(s, n)))), default=0)
        if train
        else 0
        for s, _ in test
    ]
    for found in coverage(mixes(train), mixes(test)):
        rows = [(s, t) for s, t in test if len(s) == found.k]
        assert found.rows == len(rows)
        assert found.seen_subsets == tuple(
            sum(all(map(seen, combinations(s, n))) for s, _ in rows) for n in range(1, found.k + 1)
        )
        assert found.seen_cells == sum(all(seen((x,), t) for x in s) for s, t in rows)
        assert found.seen_mixes == sum(seen(s, t) for s, t in rows)
        of_k = [size for size, (s, _) in zip(largest, test, strict=True) if len(s) == found.k]
        assert found.largest_seen == tuple(map(of_k.count, range(found.k + 1)))


def test_numbers_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ParamError, match="fewer skills"):
        coverage(mixes([]), mixes([((0, 1, 2, 3, 4, 10**6), 0)]))


def test_skills_and_topics_have_numbers_of_their_own() -> None:
    nine = Mixes(np.array([9]), np.arange(44, 53)[None], np.array([121]))
    (found,) = coverage(nine, nine)
    assert (found.seen_subsets, found.seen_cells, found.seen_mixes) == ((1,) * 9, 1, 1)
    ten = Mixes(np.array([10, 1]), np.tile(np.arange(43, 53), (2, 1)), np.array([121, 0]))
    assert largest_numbered(ten, ten) == 9
    assert ten.up_to(9).sizes.tolist() == [1]
