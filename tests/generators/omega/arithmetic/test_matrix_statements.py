"""Statements about matrices: the kernel writes what `str.format` would."""

from __future__ import annotations

import numpy as np
import pytest

from synthgen.core.columns import ragged
from synthgen.generators.omega.arithmetic._matrix_statements import statement_texts

ONE = ("{a}", "Of {a}, row {row} and {row} again.", "{row} to the {power} of A = {a}?")
TWO = ("{b} times {a}.", "Let A = {a}, and so on to {power} and {row}; {b}")


@pytest.mark.parametrize(("texts", "k"), [(ONE, 1), (TWO, 2)])
@pytest.mark.parametrize("ending", ["", "\n\nSo."])
def test_writes_what_format_writes(texts: tuple[str, ...], k: int, ending: str) -> None:
    rng = np.random.default_rng(4)
    n = 40
    dims = rng.integers(1, 6, (n, k, 2))
    lists = [rng.integers(-120, 121, rows * columns) for rows, columns in dims.reshape(-1, 2)]
    chosen = rng.integers(0, len(texts), n)
    numbers = rng.integers(-5, 10**9, (n, 2))
    matrices = ragged([one.tolist() for one in lists], np.int64)
    widths = np.ascontiguousarray(dims[:, :, 1])
    found = statement_texts(
        texts, ("power", "row"), chosen, matrices, widths, numbers, ending
    ).to_pylist()
    for i, text in enumerate(found):
        holes = {
            name: lists[i * k + j].reshape(dims[i, j]).tolist() for j, name in enumerate("ab"[:k])
        }
        power, row = numbers[i].tolist()
        assert text == texts[chosen[i]].format(**holes, power=power, row=row) + ending
