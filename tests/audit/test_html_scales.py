from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.audit.html_charts import Scale, abscissa_scale, finite, value_scale

NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**400), 10**400)
DRAWN = NUMBERS.map(finite)


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([], ["0", "0.25", "0.5", "0.75", "1"]),
        ([0.0], ["0", "0.25", "0.5", "0.75", "1"]),
        ([62.0, 4.0], ["0", "20", "40", "60", "80"]),
        ([0.031], ["0", "0.01", "0.02", "0.03", "0.04"]),
        ([-2.0, 5.0], ["−2", "0", "2", "4", "6"]),
        ([3999.0], ["0", "1k", "2k", "3k", "4k"]),
    ],
)
def test_values_get_round_ticks_from_zero(values: list[float], labels: list[str]) -> None:
    assert [tick.label for tick in value_scale(values, 100, 0).ticks(4)] == labels


def test_far_abscissas_are_logarithmic() -> None:
    scale = abscissa_scale([100, 10_000, 1_000_000], 0, 400)
    assert scale.logarithmic
    assert [scale(x) for x in (100, 10_000, 1_000_000)] == [0, 200, 400]
    assert [tick.label for tick in scale.ticks(5)] == ["100", "1k", "10k", "100k", "1M"]
    assert not abscissa_scale([0, 10_000], 0, 400).logarithmic
    assert not abscissa_scale([5, 100], 0, 400).logarithmic


def test_one_abscissa_stands_in_the_middle() -> None:
    assert abscissa_scale([7.0], 0, 400)(7.0) == 200


@given(st.lists(DRAWN, max_size=5))
def test_every_value_has_its_place_and_ticks_are_inside(values: list[float]) -> None:
    for scale in (value_scale(values, 200, 0), abscissa_scale(values, 0, 200)):
        assert all(0 <= scale(value) <= 200 for value in values)
        ticks = scale.ticks(4)
        assert len(ticks) <= 12
        assert all(0 <= tick.place <= 200 for tick in ticks)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=5))
def test_order_is_kept(values: list[float]) -> None:
    scale = value_scale(values, 0, 200)
    places = [scale(value) for value in sorted(values)]
    assert places == sorted(places)


def test_what_is_no_number_is_not_drawn() -> None:
    assert finite(float("nan")) is None
    assert finite(float("inf")) is None
    assert finite(10**400) == 1e300
    assert finite(3) == 3.0
    assert math.isfinite(Scale(-1e300, 1e300, 0, 100)(1e300))
