"""Draws made ahead are those of the row, and trees are written alike one by one and together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega._draws import each_row, integer_between, signed_of
from synthgen.generators.omega._numbers import signature_of, tree_codes, trees_column

quickly = settings(max_examples=40, deadline=None, database=None)


@quickly
@given(st.integers(0, 2**64 - 1), st.integers(1, 40), st.integers(0, 3_000))
def test_draws_made_ahead_are_those_of_the_row(stream: int, ahead: int, moved: int) -> None:
    rows = Rows.span(stream, 3, 6)
    for plain, draws in zip(rows.each(), each_row(rows, ahead), strict=True):
        assert draws.at == 0
        assert [draws.bits() for _ in range(70)] == [plain.bits() for _ in range(70)]
        assert draws.at == 70
        assert [draws.integer(-4, 9) for _ in range(9)] == [plain.integer(-4, 9) for _ in range(9)]
        assert draws.shuffled(range(9)) == plain.shuffled(range(9))
        assert draws.uniform() == plain.uniform()
        draws.move_to(draws.at + moved)
        for _ in range(moved):
            plain.bits()
        assert [draws.bits() for _ in range(40)] == [plain.bits() for _ in range(40)]


@pytest.mark.parametrize("span", [1, 2**64 - 1, 2**64, 10**40])
def test_integers_of_any_size_lie_between_their_bounds(span: int) -> None:
    values = [integer_between(d, -5, span - 6) for d in each_row(Rows.span(1, 0, 200))]
    assert min(values) >= -5
    assert max(values) <= span - 6
    assert max(values) + 5 >= (span - 1) // 2


def test_signed_integers_have_both_signs_and_a_least_size() -> None:
    values = {signed_of(d, 16, 3) for d in each_row(Rows.span(2, 0, 2_000))}
    assert values == {*range(-7, -2), *range(3, 8)}


def test_trees_are_written_alike_one_by_one_and_together() -> None:
    signature = signature_of({"pair": 2, "zero": 0})
    trees = [("pair", "zero", ("pair", -1_234_567, 8)), None, 5, ("zero",), "zero"]
    column = trees_column(trees, signature)
    assert column.values.dtype == np.uint16
    for i, tree in enumerate(trees):
        assert column.row(i).tolist() == ([] if tree is None else tree_codes(tree, signature))
    assert tree_codes("zero", signature) == tree_codes(("zero",), signature)


@pytest.mark.parametrize("tree", ["pair", ("pair", 1), ("zero", 1), ("pair", 1, 2, 3)])
def test_a_symbol_needs_its_arguments(tree: object) -> None:
    with pytest.raises(ParamError, match="arguments"):
        tree_codes(tree, signature_of({"pair": 2, "zero": 0}))  # type: ignore[arg-type]
