"""Drawing of entries, shapes and derivations of matrices."""

from __future__ import annotations

import numpy as np
import pytest

from synthgen.core.columns import Ragged
from synthgen.core.derivation import format_derivation
from synthgen.core.randomness import Rows
from synthgen.generators.omega._numbers import OWN_SYMBOLS, signature_of, tree_codes
from synthgen.generators.omega.arithmetic._matrix_draw import (
    GENERAL,
    SYMMETRIC,
    TRIANGULAR,
    derivations_of,
    draw_entries,
    matrix_codes,
    matrix_symbols,
    shapes_of,
)


@pytest.mark.parametrize("shape", [GENERAL, SYMMETRIC, TRIANGULAR])
def test_entries_have_their_shape_and_fill_their_range(shape: int) -> None:
    n, size, bound = 300, 4, 3
    offsets, sizes = np.arange(n + 1) * size * size, np.full(n, size)
    keys = Rows.span(1, 0, n).keys
    entries = draw_entries(
        keys, offsets, sizes, np.full(n, bound), np.full(n, shape), shape == TRIANGULAR
    )
    matrices = entries.reshape(n, size, size)
    assert set(shapes_of(entries, offsets, sizes).tolist()) == {shape}
    assert np.unique(matrices[:, 0, 1]).tolist() == list(range(-bound, bound + 1))
    if shape == TRIANGULAR:
        diagonal = np.diagonal(matrices, axis1=1, axis2=2)
        assert np.unique(diagonal).tolist() == [-3, -2, -1, 1, 2, 3]
        assert not np.tril(matrices, -1).any()
    if shape == SYMMETRIC:
        assert np.array_equal(matrices, matrices.transpose(0, 2, 1))


def test_derivations_are_those_of_the_trees() -> None:
    symbols = {"first": 3, "second": 2} | matrix_symbols(square=False)
    signature = signature_of(symbols)
    rows = [
        ("first", (-1_234,), [(2, 3, (1, -2, 3, 4_005, -999, 0)), (3, 2, (0, 0, -1_000, 7, 8, 9))]),
        ("second", (), [(2, 2, (5, 5, 5, 5)), (2, 2, (196_020, -196_020, 1_000, 1))]),
    ]
    flat = [x for _, _, matrices in rows for _, _, entries in matrices for x in entries]
    offsets = np.cumsum([0] + [len(m[2]) for _, _, matrices in rows for m in matrices])
    dims = np.array([[m[:2] for m in matrices] for _, _, matrices in rows])
    codes = derivations_of(
        OWN_SYMBOLS + np.array([0, 1]),
        np.array([[-1_234], [77]]),
        np.array([1, 0]),
        matrix_codes(dims[:, :, 0], dims[:, :, 1], 2, square=False),
        Ragged(np.array(flat), offsets),
    )
    for i, (head, numbers, matrices) in enumerate(rows):
        tree = (head, *numbers, *((f"matrix{r}x{c}", *entries) for r, c, entries in matrices))
        assert codes.row(i).tolist() == tree_codes(tree, signature)
    assert format_derivation(codes.row(1).tolist(), signature).startswith("(second (matrix2x2 5 5")
