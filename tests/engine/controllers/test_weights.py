"""Weights by power law, Zipf, geometric series and temperature."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.engine.controllers.weights import (
    power_law_weights,
    temperature_weights,
)

SIZES = st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=8)


@given(SIZES, st.floats(-4, 4))
@settings(deadline=None)
def test_power_law_is_the_power(sizes: list[float], exponent: float) -> None:
    weights = power_law_weights(np.array(sizes), exponent)
    assert weights == pytest.approx([size**exponent for size in sizes], rel=1e-12)


@given(SIZES, st.floats(0.1, 100))
@settings(deadline=None)
def test_temperature_is_the_root_of_shares_of_the_largest(
    sizes: list[float], temperature: float
) -> None:
    weights = temperature_weights(np.array(sizes), temperature)
    expected = [(size / max(sizes)) ** (1 / temperature) for size in sizes]
    assert weights == pytest.approx(expected, rel=1e-11)


def test_temperature_between_proportional_and_equal() -> None:
    sizes = np.array([1, 4, 16])
    assert temperature_weights(sizes, 1.0) == pytest.approx([1 / 16, 1 / 4, 1])
    assert temperature_weights(sizes, 2.0) == pytest.approx([1 / 4, 1 / 2, 1])
    assert temperature_weights(sizes, math.inf).tolist() == [1, 1, 1]


@pytest.mark.parametrize("sizes", [[], [0], [1, -1], [1, math.nan], [1, math.inf], [[1, 2]]])
def test_sizes_must_be_above_zero(sizes: list[float]) -> None:
    with pytest.raises(ParamError, match="sizes"):
        power_law_weights(np.array(sizes, np.float64), 0.5)
    with pytest.raises(ParamError, match="weights"):
        temperature_weights(np.array(sizes, np.float64), 1.0)


@pytest.mark.parametrize("exponent", [65, -65, math.nan])
def test_exponents_must_be_in_range(exponent: float) -> None:
    with pytest.raises(ParamError, match="exponent"):
        power_law_weights(np.array([1.0, 2.0]), exponent)


@pytest.mark.parametrize("temperature", [0.0, -1.0, 0.01, math.nan])
def test_temperatures_must_be_in_range(temperature: float) -> None:
    with pytest.raises(ParamError, match="temperature"):
        temperature_weights(np.array([1.0, 2.0]), temperature)
