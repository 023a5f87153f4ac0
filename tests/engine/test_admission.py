"""What lets candidates in, block after block."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.contract import Axis
from synthgen.engine.split_state import Admission, Enriched, OnPace, admission
from synthgen.recipe.schema import Enrich, Pace, Split

AXES = {"n": Axis("number", "int16", 1, 4), "op": Axis("name", values=("add", "mul"))}
BLOCKS = st.lists(st.lists(st.integers(1, 4), max_size=30), max_size=4)
PACE = Pace.model_validate({"axes": ["n"], "of": [[1, 2], [2, 1], [3, 0]], "slack": 1.5})


def let_in(rule: Admission, blocks: list[list[int]]) -> list[int]:
    kept = []
    for block in blocks:
        column = np.array(block, np.int16)
        kept += column[rule.admit({"n": column}, len(block))].tolist()
    return kept


@given(BLOCKS)
def test_no_prefix_is_more_than_the_slack_ahead(blocks: list[list[int]]) -> None:
    kept = let_in(OnPace(PACE, AXES, 100), blocks)
    assert set(kept) <= {1, 2}
    for n in range(1, len(kept) + 1):
        for value, share in ((1, 2 / 3), (2, 1 / 3)):
            assert kept[:n].count(value) <= share * n + 1.5 + 1e-6
    assert kept == let_in(OnPace(PACE, AXES, 100), [[value for block in blocks for value in block]])


def test_a_row_without_the_axis_has_no_pace() -> None:
    rule = OnPace(PACE, AXES, 100)
    assert not rule.admit({}, 3).any()


def test_the_cell_that_is_waited_for_is_named() -> None:
    rule = OnPace(PACE, AXES, 100)
    assert let_in(rule, [[1] * 50]) == [1] * 4
    assert rule.reason() == "its pace waits for n=2 (0 of 4 rows, share 0.333)"


def test_sparse_cells_alone_after_the_first_block() -> None:
    rule = Enriched(Enrich.model_validate({"axes": ["n"], "share": 0.5}), AXES, 9)
    assert let_in(rule, [[1, 1, 1, 2, 3, 3]]) == [1, 1, 1, 2]  # first seen are first of equals
    assert let_in(rule, [[1, 2, 3, 3]]) == [2, 3, 3]
    assert let_in(rule, [[1, 2, 3]]) == [2, 3]
    assert "least filled 0.5 of 3 cells" in rule.reason()


def test_cells_are_ranked_again_within_a_block() -> None:
    rule = Enriched(Enrich.model_validate({"axes": ["n"], "share": 0.5}), AXES, 32 * 20)
    kept = let_in(rule, [[1] * 20 + [2] * 40 + [1] * 20])
    assert kept == [1] * 20 + [2] * 20 + [1] * 20


def test_one_cell_is_the_least_filled() -> None:
    rule = Enriched(Enrich.model_validate({"axes": ["n"], "share": 0.01}), AXES, 9)
    assert let_in(rule, [[2, 2], [], [2]]) == [2, 2, 2]


def test_which_one_a_split_has() -> None:
    plain = Split(name="train", rows=5)
    assert admission(plain, AXES) is None
    paced = plain.model_copy(update={"pace": PACE})
    assert isinstance(admission(paced, AXES), OnPace)
    enriched = plain.model_copy(update={"enrich": Enrich(axes=("op",))})
    assert isinstance(admission(enriched, AXES), Enriched)
