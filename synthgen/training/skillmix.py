"""Grade texts for skill mixes with a judge, and score the grades, as SKILL-MIX does.

A text for k skills gets k + 3 points: one for each skill, then for its topic, its sense and its
length (Yu et al. 2023, arXiv:2310.17567, section 3). The judge replies with a table or with lines;
the point for the length is counted here, not judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import sqrt
from statistics import mean, stdev

Points = Sequence[float]

_EXTRA = 3
"""Points beside those of the skills: topic, sense and length."""
_TITLES = re.compile(r"\b(Mr|Mrs|Ms|Dr|Prof)\. ")
_BOUNDARY = re.compile(r"[.!?][\"']* [\"']*[A-Z]")
_NUMBER = re.compile(r"[^0-9./]")


def extract_answer(reply: str) -> str:
    """Return the text of a reply: behind its last "Answer:", before the next "Explanation"."""
    return reply.rpartition("Answer:")[2].partition("Explanation")[0].strip()


def count_sentences(text: str) -> int:
    """Return how many sentences a text has: each ends before a blank and a capital letter."""
    return 1 + len(_BOUNDARY.findall(_TITLES.sub(r"\1.", text)))


def most_sentences(k: int) -> int:
    """Return how many sentences a text for k skills may have."""
    return max(1, k - 1)


def parse_table(reply: str) -> list[float]:
    """Return the points in the rows of a judge's table, without its total.

    Raises:
        ValueError: if a row has no number where its points are expected.
    """
    table = reply.rpartition("Here's the grading table:")[2].partition("Explanation:")[0]
    points: dict[str, float] = {}
    for line in table.split("\n"):
        cells = [cell.strip() for cell in line.split("|") if cell.strip()]
        lowered = line.lower()
        if "|" not in line or "--" in line or "criteria" in lowered:
            continue
        if len(cells) < 2:
            msg = f"no points in the row {line.strip()!r}"
            raise ValueError(msg)
        number = _NUMBER.sub("", cells[1])
        name = cells[0].lower()
        if number and "total" not in name and "score" not in name:
            points[name] = float(number.partition("/")[0])
    return list(points.values())


def parse_lines(reply: str) -> list[float]:
    """Return the points in a judge's lines "Point earned: 1"; what is not a number counts as 0."""
    found = re.findall(r"earned:\s*([0-9.]*[0-9])?", reply, re.IGNORECASE)
    return [float(number or 0) for number in found]


def points_of(given: Points, text: str, k: int, forbidden: Sequence[str] = ()) -> tuple[float, ...]:
    """Return the k + 3 points of a text.

    Args:
        given: points from the judge; missing ones are 0, and what is beyond k + 3 is dropped.
        text: the text, whose length is counted here.
        k: number of skills.
        forbidden: names of the skills in lower case; a skill that the text names gets no point.
    """
    points = [*given, *[0.0] * (k + _EXTRA)][: k + _EXTRA]
    points[-1] = float(count_sentences(text) <= most_sentences(k))
    for place, name in enumerate(forbidden):
        if name in text.lower():
            points[place] = 0.0
    return tuple(points)


def majority(gradings: Sequence[Points]) -> tuple[float, ...]:
    """Return the points on which gradings of one text agree: the rounded means, .5 to even."""
    return tuple(float(round(mean(each))) for each in zip(*gradings, strict=True))


def full_marks(points: Points) -> float:
    """Return 1 if every point was earned."""
    return float(min(points) == 1)


def all_skills(points: Points) -> float:
    """Return 1 if all skills and at least two of the other points were earned."""
    skills, extra = points[:-_EXTRA], points[-_EXTRA:]
    return float(min(skills) == 1 and sum(extra) >= _EXTRA - 1)


def skill_fraction(points: Points) -> float:
    """Return the share of skills that earned their point, or 0 unless the other points are full."""
    skills, extra = points[:-_EXTRA], points[-_EXTRA:]
    return sum(skills) / len(skills) if min(extra) == 1 else 0.0


METRICS: dict[str, Callable[[Points], float]] = {
    "full_marks": full_marks,
    "all_skills": all_skills,
    "skill_fraction": skill_fraction,
}
"""The metrics of the paper, each from 0 to 1 for one text."""


def summary(values: Sequence[Sequence[float]], best: Callable[..., float]) -> tuple[float, float]:
    """Return the mean over texts, and its standard error, of a metric over rounds.

    Args:
        values: for each prompt its values over rounds of generation.
        best: how rounds are combined: `max` or `statistics.mean`.
    """
    combined = [best(rounds) for rounds in values]
    error = stdev(combined) / sqrt(len(combined)) if len(combined) > 1 else 0.0
    return mean(combined), error
