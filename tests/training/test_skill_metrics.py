"""Metrics of SKILL-MIX on points made by hand."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.training.skill_metrics import (
    all_skills,
    full_marks,
    majority,
    over_tuples,
    skill_fraction,
)


@pytest.mark.parametrize(
    ("points", "full", "skills", "fraction"),
    [
        ((1, 1, 1, 1, 1), 1.0, 1.0, 1.0),
        ((1, 1, 0, 1, 1), 0.0, 1.0, 0.0),
        ((1, 1, 0, 0, 1), 0.0, 0.0, 0.0),
        ((1, 0, 1, 1, 1), 0.0, 0.0, 0.5),
        ((0, 0, 1, 1, 1), 0.0, 0.0, 0.0),
        ((1, 0, 0, 1, 1, 1), 0.0, 0.0, 1 / 3),
        ((1, 1, 1, 1, 0, 1), 0.0, 1.0, 0.0),
        ((0, 1, 1, 1), 0.0, 0.0, 0.0),
    ],
)
def test_metrics_by_hand(
    points: tuple[int, ...], full: float, skills: float, fraction: float
) -> None:
    assert full_marks(points) == full
    assert all_skills(points) == skills
    assert skill_fraction(points) == fraction


def test_an_even_split_of_gradings_gives_no_point() -> None:
    """The published aggregation rounds the mean, and rounds one half to zero."""
    assert majority([(1, 0, 1), (0, 0, 1)]) == (0, 0, 1)
    assert majority([(1, 0, 1), (0, 0, 1), (1, 1, 0)]) == (1, 0, 1)


@given(st.lists(st.tuples(*[st.integers(0, 1)] * 5), min_size=1, max_size=7))
def test_majority_is_the_rounded_mean(rounds: list[tuple[int, ...]]) -> None:
    means = [sum(column) / len(rounds) for column in zip(*rounds, strict=True)]
    assert majority(rounds) == tuple(round(mean) for mean in means)


def test_each_tuple_counts_with_its_best_text() -> None:
    texts = {"a": [(1, 0, 1, 1, 1), (1, 1, 1, 1, 1)], "b": [(1, 0, 1, 1, 1)], "c": [(0,) * 5]}
    found = over_tuples(texts)
    assert found["ratio_of_full_marks"].mean == pytest.approx(1 / 3)
    assert found["ratio_of_all_skills"].mean == pytest.approx(1 / 3)
    assert found["skill_fraction"].mean == pytest.approx(1.5 / 3)
    # values 1, 1/2, 0: their sample standard deviation is 1/2
    assert found["skill_fraction"].error == pytest.approx(0.5 / sqrt(3))
    assert found["skill_fraction"].tuples == 3


def test_one_tuple_has_no_standard_error() -> None:
    assert over_tuples({"a": [(1, 1, 1, 1)]})["ratio_of_full_marks"].error is None
