"""Kernels that count no references: what they compute, and that they cannot allocate."""

import numba
import numpy as np
import pytest
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from synthgen.core.kernels import kernel


def _total(values: NDArray[np.int64]) -> int:
    total = 0
    for value in values:
        total += value
    return total


def test_without_the_option_it_is_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("numba.core.cpu.CPUTargetOptions")
    assert kernel(_total)(np.array([3, -1, 4])) == 6


@pytest.mark.skipif(bool(getattr(numba.config, "DISABLE_JIT", 0)), reason="nothing is compiled")
def test_it_cannot_allocate() -> None:
    def doubled(values: NDArray[np.int64]) -> int:
        return len(values.copy())

    assert doubled(np.arange(3)) == 3
    with pytest.raises((NumbaError, RuntimeError, AssertionError)):
        kernel(doubled)(np.arange(3))
