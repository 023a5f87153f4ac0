"""Tents and waves: examples by hand, and fine grids."""

from __future__ import annotations

from itertools import pairwise
from math import pi, sin

import pytest

from synthgen.core.randomness import Rows
from synthgen.generators.omega.transformation.trans_func_intersection import (
    TransFuncIntersection,
)

EPSILON = 1e-9


def problems_of(kind: int, level: int) -> list[object]:
    drawn = TransFuncIntersection(levels=(level,)).draw(Rows.span(3, 0, 80)).parts["made"]
    return [made for made in drawn if made and made.subtype == kind]


@pytest.mark.parametrize("level", [1, 2, 3])
def test_tents_and_lines_on_their_corners(level: int) -> None:
    for made in problems_of(0, level):
        _, s, k, d, slope, height = made.tree  # type: ignore[attr-defined]

        def gap(
            x: float, s: int = s, k: int = k, d: int = d, line: tuple[int, int] = (slope, height)
        ) -> float:
            y = x
            for _ in range(k):
                y = s - abs(s - 2 * y)
            return d * y - line[0] * x - line[1]

        values = [gap(s * place / 2**k) for place in range(2**k + 1)]
        changes = sum(p * q < -EPSILON for p, q in pairwise(values))
        zeros = sum(abs(value) <= EPSILON for value in values)
        assert made.answer == str(changes + zeros)  # type: ignore[attr-defined]


def test_two_tents_cross_once_for_each_pair_of_pieces() -> None:
    for made in problems_of(1, 2):
        _, _, k, times = made.tree  # type: ignore[attr-defined]
        assert made.answer == str(2 ** (k + times))  # type: ignore[attr-defined]


def test_waves_on_a_fine_grid() -> None:
    for made in problems_of(2, 1):
        _, amplitude, frequency, end, c, (_, *folds) = made.tree  # type: ignore[attr-defined]
        levels = []
        for v in range(-amplitude, amplitude + 1):
            y = abs(v)
            for fold in folds:
                y = abs(y - fold)
            if y == c:
                levels.append(v)
        steps = 2_000 * end * frequency
        # half steps, so that no point is a zero, a top or a bottom of the sine
        height = [
            amplitude * sin(frequency * pi * (place + 0.5) * end / steps)
            for place in range(-1, steps)
        ]
        count = 0
        for v in levels:
            if abs(v) == amplitude:
                count += frequency * end // 2
            else:
                count += sum((p - v) * (q - v) < 0 for p, q in pairwise(height))
        assert made.answer == str(count)  # type: ignore[attr-defined]
