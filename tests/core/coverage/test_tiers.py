"""Tiers and largest seen subsets against plain sets."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.coverage.id_counts import IdCounts
from synthgen.core.coverage.tiers import SeenSubsets, Tier, has_unseen, tier_counts, tiers
from synthgen.core.errors import ParamError
from synthgen.core.skill_coverage import largest_seen, mixes_of

SETS = st.lists(st.lists(st.integers(0, 7), max_size=5), max_size=8)


@pytest.mark.parametrize(
    ("flags", "tier"),
    [
        ("11111", Tier.DUPLICATE),
        ("01111", Tier.UNSEEN_ATOM),
        ("01011", Tier.UNSEEN_2),
        ("01001", Tier.UNSEEN_3),
        ("01000", Tier.SAME_TEMPLATE),
        ("00000", Tier.ALL_SEEN),
        ("00111", Tier.UNSEEN_ATOM),
    ],
)
def test_the_smallest_unit_counts(flags: str, tier: Tier) -> None:
    duplicate, template, atom, two, three = ([flag == "1"] for flag in flags)
    found = tiers(
        duplicate=duplicate,
        same_template=template,
        unseen_atom=atom,
        unseen_2=two,
        unseen_3=three,
    )
    assert found.tolist() == [tier]
    assert tier_counts(found) == {each: int(each == tier) for each in Tier}


@given(SETS, st.lists(st.integers(0, 7)))
def test_rows_with_something_unseen(rows: list[list[int]], seen: list[int]) -> None:
    found = has_unseen(ragged(rows, np.uint64), IdCounts(np.array(seen, np.uint64)))
    assert found.tolist() == [bool(set(row) - set(seen)) for row in rows]


@given(SETS, SETS, st.integers(1, 5), st.integers(0, 8))
def test_largest_seen_subsets(
    test: list[list[int]], train: list[list[int]], most: int, cut: int
) -> None:
    seen = SeenSubsets(most)
    seen.add(ragged(train[:cut], np.uint64))
    seen.add(ragged(train[cut:], np.uint64))
    rows = ragged(test, np.uint64)
    expected = [
        min(most, max((len(set(row) & set(other)) for other in train), default=0)) for row in test
    ]
    assert seen.largest_seen(rows).tolist() == expected
    for t in range(1, most + 1):
        every = [
            all(
                any(set(part) <= set(other) for other in train)
                for part in combinations(sorted(set(row)), t)
            )
            for row in test
        ]
        assert seen.all_seen(rows, t).tolist() == every


def test_it_agrees_with_columns_of_skills() -> None:
    rng = np.random.default_rng(5)
    sides = [np.sort(rng.permuted(np.tile(np.arange(12), (60, 1)), axis=1)[:, :4]) for _ in "ab"]
    mixes = []
    for side in sides:
        skills = {f"skill_{j + 1}": side[:, j] for j in range(4)}
        mixes.append(mixes_of({"k": np.full(60, 4), "topic": np.zeros(60, np.int64), **skills}))
    seen = SeenSubsets(4)
    seen.add(ragged(sides[0].tolist(), np.int64))
    found = seen.largest_seen(ragged(sides[1].tolist(), np.int64))
    assert found.tolist() == largest_seen(*mixes).tolist()


def test_arguments_out_of_range() -> None:
    with pytest.raises(ParamError, match=r"max_size=0"):
        SeenSubsets(0)
    with pytest.raises(ParamError, match=r"members of a train row=21"):
        SeenSubsets(2).add(ragged([list(range(21))], np.uint64))
    with pytest.raises(ParamError, match=r"t=3: expected an integer from 1 to 2"):
        SeenSubsets(2).all_seen(ragged([], np.uint64), 3)
    with pytest.raises(ParamError, match=r"flags=.*five of equal length"):
        tiers(duplicate=[True], same_template=[], unseen_atom=[], unseen_2=[], unseen_3=[])
