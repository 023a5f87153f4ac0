"""Halton, R2 and Latin hypercube points."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.engine.controllers.weights import (
    MOST_DIMENSIONS,
    PRIMES,
    halton,
    levels_of,
    r2,
)

SQUARE = (8, 8)


def cells_hit(points: np.ndarray) -> int:
    return len(np.unique(levels_of(points, SQUARE), axis=0))


def mirrored(index: int, base: int) -> Fraction:
    value, scale = Fraction(0), Fraction(1)
    while index:
        index, digit = divmod(index, base)
        scale /= base
        value += digit * scale
    return value


def test_published_points() -> None:
    first = np.arange(1, 5)
    assert halton(first, (2, 3)) == pytest.approx(
        np.array([[0.5, 0.3333], [0.25, 0.6667], [0.75, 0.1111], [0.125, 0.4444]]), abs=5e-5
    )
    assert r2(first) == pytest.approx(
        np.array(
            [
                [0.254878, 0.069840],
                [0.009755, 0.639681],
                [0.764633, 0.209521],
                [0.519511, 0.779361],
            ]
        ),
        abs=5e-7,
    )


def test_cells_hit_by_64_points() -> None:
    assert cells_hit(halton(np.arange(64), (2, 3))) == 55
    assert cells_hit(r2(np.arange(64))) == 54


@given(st.lists(st.integers(0, 2**31), max_size=20), st.sampled_from(PRIMES))
@settings(deadline=None)
def test_halton_mirrors_digits(indices: list[int], base: int) -> None:
    points = halton(np.array(indices, np.int64), (base,))
    assert points[:, 0].tolist() == [float(mirrored(index, base)) for index in indices]
    assert ((points >= 0) & (points < 1)).all()


def test_r2_of_one_dimension_steps_by_the_golden_ratio() -> None:
    golden = (5**0.5 - 1) / 2
    expected = [(0.5 + index * golden) % 1 for index in range(50)]
    assert r2(np.arange(50), 1)[:, 0] == pytest.approx(expected)


@given(st.integers(1, MOST_DIMENSIONS), st.integers(0, 10**12))
@settings(deadline=None)
def test_a_point_is_a_function_of_its_index(dimensions: int, index: int) -> None:
    alone = r2(np.array([index]), dimensions)
    assert (r2(np.array([3, index]), dimensions)[1] == alone[0]).all()
    assert ((alone >= 0) & (alone < 1)).all()


def test_bad_arguments_are_named() -> None:
    one = np.array([1])
    with pytest.raises(ParamError, match="bases"):
        halton(one, (2, 4))
    with pytest.raises(ParamError, match="bases"):
        halton(one, (1,))
    with pytest.raises(ParamError, match="indices"):
        halton(np.array([-1]), (2,))
    with pytest.raises(ParamError, match="indices"):
        r2(np.array([-1]))
    with pytest.raises(ParamError, match="dimensions"):
        r2(one, 17)
    with pytest.raises(ParamError, match="sizes"):
        levels_of(r2(one), (2,))
