"""Touching circles: examples by hand, and Descartes equation."""

from __future__ import annotations

from math import isqrt

import pytest

from synthgen.generators.omega._listed import listing_of
from synthgen.generators.omega.transformation.trans_circles import TransCircles, _chain, _triples


def found(kind: str, given: tuple[int, ...], length: int = 1) -> str:
    family = TransCircles()
    kinds = [
        made
        for made in listing_of(family).made
        if family.subtypes[made.subtype] == kind and made.facts == (given, length)
    ]
    return kinds[0].answer


@pytest.mark.parametrize(
    ("kind", "given", "length", "answer"),
    [
        ("inner", (2, 3, 6), 1, "23"),  # 11 + 2 * 6
        ("outer", (2, 3, 6), 1, "1"),  # 2 * 6 - 11: a circle of radius one goes around
        ("line", (1, 4), 1, "9"),  # (1 + 2)^2
        ("chain", (2, 3, 6), 2, "50"),  # 2 (2 + 3 + 23) - 6
    ],
)
def test_examples_by_hand(kind: str, given: tuple[int, ...], length: int, answer: str) -> None:
    assert found(kind, given, length) == answer


def test_every_four_curvatures_satisfy_descartes() -> None:
    for a, b, c in _triples()[:300]:
        before = c
        for d in _chain(a, b, c, 4):
            assert (a + b + before + d) ** 2 == 2 * (a * a + b * b + before**2 + d * d)
            before = d


def test_all_triples_are_listed() -> None:
    end = 25
    wanted = sum(
        isqrt(s) ** 2 == s
        for c in range(1, end)
        for b in range(1, c + 1)
        for a in range(b + 1)
        for s in [a * b + b * c + c * a]
    )
    assert sum(c < end for _, _, c in _triples()) == wanted


def test_the_space_is_what_is_listed() -> None:
    sizes = [TransCircles(levels=(level,)).space for level in range(1, 6)]
    assert sizes == [47, 469, 1343, 3468, 9343]
    assert TransCircles().fewest_problems == sum(sizes)
