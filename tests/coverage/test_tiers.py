"""Tiers and largest seen subsets against plain sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.errors import ParamError
from synthgen.coverage.id_counts import IdCounts
from synthgen.coverage.tiers import Tier, has_unseen, tier_counts, tiers

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


def test_arguments_out_of_range() -> None:
    with pytest.raises(ParamError, match=r"flags=.*expected five columns of equal length"):
        tiers(duplicate=[True], same_template=[], unseen_atom=[], unseen_2=[], unseen_3=[])
