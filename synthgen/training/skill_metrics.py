"""Metrics of SKILL-MIX over points of texts (Yu et al. 2023): pure functions.

Points of a text with k skills are k + 3 numbers in the order of the rubric: one for each skill,
then topic, sense and length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import mean, stdev

OTHERS = 3
"""Points beside those for skills."""
_ENOUGH_OTHERS = 2


@dataclass(frozen=True, slots=True)
class Measured:
    """A metric over tuples of skills: its mean, and the standard error of the mean.

    Attributes:
        mean: from 0 to 1.
        error: sample standard deviation over the root of the number of tuples; None for one tuple.
        tuples: number of them.
    """

    mean: float
    error: float | None
    tuples: int


def majority(rounds: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return each point by the majority of several gradings; an even split gives no point."""
    return tuple(int(2 * sum(points) > len(points)) for points in zip(*rounds, strict=True))


def full_marks(points: Sequence[int]) -> float:
    """Return 1 if every point was earned, else 0."""
    return float(all(points))


def all_skills(points: Sequence[int]) -> float:
    """Return 1 if every skill and at least two of the other points were earned, else 0."""
    skills, others = points[:-OTHERS], points[-OTHERS:]
    return float(all(skills) and sum(others) >= _ENOUGH_OTHERS)


def skill_fraction(points: Sequence[int]) -> float:
    """Return the share of the skills if the other three points were earned, else 0."""
    skills, others = points[:-OTHERS], points[-OTHERS:]
    return sum(skills) / len(skills) if all(others) else 0.0


METRICS = {
    "ratio_of_full_marks": full_marks,
    "ratio_of_all_skills": all_skills,
    "skill_fraction": skill_fraction,
}


def over_tuples(texts: Mapping[str, Sequence[Sequence[int]]]) -> dict[str, Measured]:
    """Return every metric over tuples, each with the best of its texts.

    Args:
        texts: points of the texts of each tuple, one text or more.
    """
    found = {}
    for name, metric in METRICS.items():
        best = [max(metric(points) for points in rounds) for rounds in texts.values()]
        error = stdev(best) / sqrt(len(best)) if len(best) > 1 else None
        found[name] = Measured(mean(best), error, len(best))
    return found
