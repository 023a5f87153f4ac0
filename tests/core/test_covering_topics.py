"""Topics of blocks: how evenly items meet them."""

from __future__ import annotations

import numpy as np
import pytest

from synthgen.core.covering import covering_design
from synthgen.core.covering_topics import assign_topics, cell_counts
from synthgen.core.errors import ParamError

CASES = [
    *((10, 3, 2), (10, 4, 2), (10, 4, 3), (40, 3, 2), (40, 4, 2), (40, 4, 3), (53, 3, 2)),
    *((53, 4, 2), (101, 2, 2), (101, 3, 2), (101, 4, 2), (101, 5, 2)),
]
TIGHT = {(10, 40, 3, 2), (10, 53, 4, 2), (10, 101, 5, 2), (100, 101, 2, 2)}
"""Items with exactly as many blocks as make all counts equal leave next to no freedom; for all
pairs of 101 items and 100 topics nothing better exists."""


def spread(counts: np.ndarray) -> int:
    """Largest difference of an item's counts."""
    return int((counts.max(axis=1) - counts.min(axis=1)).max())


@pytest.mark.parametrize("topics", [10, 100])
@pytest.mark.parametrize("case", CASES)
def test_items_meet_all_topics_equally_often(case: tuple[int, int, int], topics: int) -> None:
    design = covering_design(*case, 7)
    chosen = assign_topics(design.blocks, case[0], topics, 3)
    counts = cell_counts(design.blocks, chosen, case[0], topics)
    assert counts.sum() == design.blocks.size
    assert spread(counts) <= (2 if (topics, *case) in TIGHT else 1)
    times = np.bincount(chosen, minlength=topics)
    assert times.max() - times.min() <= max(2, 0.2 * times.mean())


def test_all_pairs_of_an_odd_number_of_items_cannot_be_even() -> None:
    """A topic of equal counts would pair the items off, which an odd number forbids."""
    design = covering_design(5, 2, 2, 0)
    counts = cell_counts(design.blocks, assign_topics(design.blocks, 5, 4, 1), 5, 4)
    assert spread(counts) == 2


def test_the_same_key_gives_the_same_topics() -> None:
    blocks = covering_design(12, 3, 2, 0).blocks
    one, same, other = (assign_topics(blocks, 12, 7, key) for key in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
    assert len(assign_topics(blocks[:0], 12, 7, 1)) == 0


def test_numbers_out_of_range_are_refused() -> None:
    blocks = covering_design(5, 3, 2, 0).blocks
    with pytest.raises(ParamError, match=r"^topics="):
        assign_topics(blocks, 5, 0, 1)
    with pytest.raises(ParamError, match=r"^effort="):
        assign_topics(blocks, 5, 3, 1, -1)
