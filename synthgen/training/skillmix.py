"""Grade texts for skill mixes with a judge, and score the grades, as SKILL-MIX does.

A text for k skills gets k + 3 points: one for each skill, then for its topic, its sense and its
length (Yu et al. 2023, arXiv:2310.17567, section 3). The judge replies with a table or with lines;
the point for the length is counted here, not judged.

Each step reads and writes JSON Lines: texts of a model -> prompts for a judge -> replies -> points
-> scores, or training rows. Several texts for one row are rounds of generation, several replies to
one prompt are rounds of grading.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from synthgen.core.errors import DatasetError
from synthgen.dataset.reader import Dataset

Points = Sequence[float]
Record = dict[str, Any]

FORMS = ("table", "lines")
"""Forms of a judge's reply."""
_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

_EXTRA = 3
"""Number of points besides those of the skills: topic, sense and length."""
_MAX_POINTS = 100
"""Largest points of a criterion, though a judge should give 0 or 1."""
_TITLES = re.compile(r"\b(Mr|Mrs|Ms|Dr|Prof)\. ")
_BOUNDARY = re.compile(r"[.!?][\"']* [\"']*[A-Z]")
_NUMBER = re.compile(r"[^0-9./]")


def extract_answer(reply: str) -> str:
    """Return the text of a reply, from its last "Answer:" to the next "Explanation"."""
    return reply.rpartition("Answer:")[2].partition("Explanation")[0].strip()


def count_sentences(text: str) -> int:
    """Return the number of sentences: each ends before a blank and a capital letter."""
    return 1 + len(_BOUNDARY.findall(_TITLES.sub(r"\1.", text)))


def max_sentences(k: int) -> int:
    """Return the largest number of sentences of a text for k skills."""
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
    numbers = re.findall(r"earned:\s*([0-9.]*[0-9])?", reply, re.IGNORECASE)
    return [float(number or 0) for number in numbers]


def points_of(given: Points, text: str, k: int, forbidden: Sequence[str] = ()) -> tuple[float, ...]:
    """Return the k + 3 points of a text.

    Args:
        given: Points from the judge; missing ones are 0, and points beyond k + 3 are dropped.
        text: Text, whose length is counted here.
        k: Number of skills.
        forbidden: Names of the skills in lower case; a skill that the text names gets no point.
    """
    points = [*given, *[0.0] * (k + _EXTRA)][: k + _EXTRA]
    points[-1] = float(count_sentences(text) <= max_sentences(k))
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
        values: Values over rounds of generation, for each prompt.
        best: Function that combines rounds: `max` or `statistics.mean`.
    """
    combined = [best(rounds) for rounds in values]
    error = stdev(combined) / sqrt(len(combined)) if len(combined) > 1 else 0.0
    return mean(combined), error


# Rows of a dataset, texts, judgements.


@dataclass(frozen=True, slots=True)
class Mix:
    """A row that requests a text.

    Attributes:
        id, split, prompt: Id, split and prompt of the row.
        skills: Names in the order of the prompt.
        topic: Topic of the text.
        forbidden: Names that the text must not contain, in lower case.
    """

    id: str
    split: str
    prompt: str
    skills: tuple[str, ...]
    topic: str
    forbidden: tuple[str, ...]

    @property
    def k(self) -> int:
        """Number of skills."""
        return len(self.skills)

    @property
    def sentences(self) -> str:
        """Largest length of a text, as a phrase."""
        count = max_sentences(self.k)
        return f"{_WORDS['numbers'][count]} sentence{'s' * (count > 1)}"


def read_mixes(dataset: Dataset, splits: Sequence[str] = ()) -> dict[str, Mix]:
    """Return the rows of a dataset that have a rubric, by id.

    Raises:
        DatasetError: if there are none.
    """
    mixes = {}
    for split in splits or dataset.splits:
        for batch in dataset.batches(split, ("id", "prompt", "answer", "answer_type")):
            for row in batch.to_pylist():
                if row["answer_type"] == "rubric":
                    mixes[row["id"]] = _mix(split, row)
    if not mixes:
        msg = f"{dataset.folder}: no row has a rubric: these steps are for datasets of skill_prompt"
        raise DatasetError(msg)
    return mixes


def _mix(split: str, row: Mapping[str, str]) -> Mix:
    try:
        rubric = json.loads(row["answer"])
        texts = [str(item["text"]) for item in rubric["rubric"]]
        forbidden = tuple(str(name) for name in rubric["forbidden"])
        if len(texts) <= _EXTRA or not row["id"] or not row["prompt"]:
            raise ValueError
    except (ValueError, TypeError, LookupError, RecursionError):
        msg = f"{split}: id {row['id']!r}: the answer is not a rubric of skill_prompt"
        raise DatasetError(msg) from None
    skills = tuple(text.removeprefix("Illustrates ") for text in texts[:-_EXTRA])
    topic = texts[-_EXTRA].removeprefix("Pertains to ")
    return Mix(row["id"], split, row["prompt"], skills, topic, forbidden)


def grade_prompts(
    mixes: Mapping[str, Mix],
    replies: Mapping[str, Sequence[str]],
    definitions: Mapping[str, str],
    form: str = "table",
) -> Iterator[Record]:
    """Yield a prompt for the judge for each text of a model.

    Args:
        mixes: Rows by id.
        replies: Replies of a model to each row, one for each round.
        definitions: Definitions of the skills by name.
        form: Form of the judge's reply, of `FORMS`.
    """
    for name, texts in replies.items():
        mix = mixes[name]
        if unknown := [skill for skill in mix.skills if skill not in definitions]:
            msg = f"id {name!r}: the inventory has no skill {unknown[0]!r}"
            raise DatasetError(msg)
        criteria = [f"illustrates {skill}" for skill in mix.skills]
        criteria += [f"pertains to {mix.topic}", "makes sense", f"has at most {mix.sentences}"]
        holes = {
            "topic": mix.topic,
            "sentences": mix.sentences,
            "skills": ", ".join(mix.skills),
            "definitions": "\n".join(f"- {skill}: {definitions[skill]}" for skill in mix.skills),
            "criteria": "; ".join(criteria),
        }
        for number, reply in enumerate(texts):
            text = extract_answer(reply)
            prompt = _WORDS["grade"][form].strip().format(text=text, **holes)
            yield {"id": name, "round": number, "text": text, "prompt": prompt}


def second_turns(
    mixes: Mapping[str, Mix], replies: Mapping[str, Sequence[str]]
) -> Iterator[Record]:
    """Yield for each reply of a model the messages that ask it to improve its text."""
    for name, texts in replies.items():
        request = _WORDS["improve"].strip().format(sentences=mixes[name].sentences)
        for number, reply in enumerate(texts):
            turns = [("user", mixes[name].prompt), ("assistant", reply), ("user", request)]
            messages = [{"role": role, "content": content} for role, content in turns]
            yield {"id": name, "round": number, "messages": messages}


def _check_points(points: object) -> None:
    """Raise ValueError unless these are points."""
    numbers = isinstance(points, list | tuple) and all(
        isinstance(point, int | float) and 0 <= point <= _MAX_POINTS for point in points
    )
    if not numbers:
        msg = f"points={str(points)[:60]}: expected numbers from 0 to {_MAX_POINTS}"
        raise ValueError(msg)


def parse_judgements(records: Sequence[Record], form: str = "table") -> Iterator[Record]:
    """Yield the points in each reply of a judge, or the error that it has none."""
    parse = {"table": parse_table, "lines": parse_lines}[form]
    for record in records:
        parsed = {name: record[name] for name in ("id", "round", "text")}
        try:
            points = parse(record["reply"])
            _check_points(points)
        except ValueError as error:
            yield parsed | {"error": str(error)}
            continue
        yield parsed | ({"points": points} if points else {"error": "no points in the reply"})


# Scores.


@dataclass(slots=True)
class MixScore:
    """Scores of the texts for k skills of a split.

    Attributes:
        texts: Number of rows with a graded text.
        best, average: Mean and standard error of the best round, and of the mean of rounds,
            by metric.
    """

    texts: int
    best: dict[str, tuple[float, float]]
    average: dict[str, tuple[float, float]]


@dataclass(slots=True)
class MixScores:
    """Scores of all texts.

    Attributes:
        by_k: Scores by split and k.
        skills: Share of texts that earned the point of a skill, by skill.
        errors: Number of replies without points, by id.
    """

    by_k: dict[tuple[str, int], MixScore] = field(default_factory=dict)
    skills: dict[str, float] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)


Rounds = dict[int, tuple[str, tuple[float, ...]]]
"""Round -> text and the points on which its gradings agree."""


def agreed(
    mixes: Mapping[str, Mix], records: Sequence[Record], *, named: bool = False
) -> tuple[dict[str, Rounds], dict[str, int]]:
    """Return the agreed points of each text, and the number of replies of each row without points.

    Args:
        mixes: Rows by id.
        records: Points and errors, as `parse_judgements` yields them.
        named: Whether a skill that the text names gets its point, too.

    Raises:
        DatasetError: for a record of an unknown row, or with points that are not numbers.
    """
    gradings: dict[tuple[str, int], list[tuple[float, ...]]] = defaultdict(list)
    texts: dict[tuple[str, int], str] = {}
    errors: dict[str, int] = defaultdict(int)
    for record in records:
        mix = mixes.get(record["id"])
        if mix is None:
            msg = f"id {record['id']!r} is not in the dataset"
            raise DatasetError(msg)
        if "points" not in record:
            errors[mix.id] += 1
            continue
        try:
            _check_points(record["points"])
        except ValueError as error:
            msg = f"id {mix.id!r}: {error}"
            raise DatasetError(msg) from None
        forbidden = () if named else mix.forbidden
        points = points_of(record["points"], record["text"], mix.k, forbidden)
        gradings[mix.id, record["round"]].append(points)
        texts[mix.id, record["round"]] = record["text"]
    rounds: dict[str, Rounds] = defaultdict(dict)
    for (name, number), points_list in gradings.items():
        rounds[name][number] = (texts[name, number], majority(points_list))
    return dict(rounds), dict(errors)


def score_mixes(
    mixes: Mapping[str, Mix],
    records: Sequence[Record],
    *,
    without: Sequence[str] = (),
    named: bool = False,
) -> MixScores:
    """Score graded texts.

    Args:
        mixes: Rows by id.
        records: Points and errors, as `parse_judgements` yields them.
        without: Skills, such as common ones, whose mixes are left out.
        named: Whether a skill that the text names gets its point, too.
    """
    rounds_of, errors = agreed(mixes, records, named=named)
    scores = MixScores(errors=errors)
    groups: dict[tuple[str, int], list[list[tuple[float, ...]]]] = defaultdict(list)
    earned: dict[str, list[float]] = defaultdict(list)
    for name, rounds in rounds_of.items():
        mix = mixes[name]
        if not set(without).isdisjoint(mix.skills):
            continue
        points = [rounds[number][1] for number in sorted(rounds)]
        groups[mix.split, mix.k].append(points)
        for each in points:
            for skill, point in zip(mix.skills, each, strict=False):
                earned[skill].append(point)
    for key, texts in sorted(groups.items()):
        values = {
            name: [[metric(points) for points in rounds] for rounds in texts]
            for name, metric in METRICS.items()
        }
        scores.by_k[key] = MixScore(
            len(texts),
            {name: summary(per_text, max) for name, per_text in values.items()},
            {name: summary(per_text, mean) for name, per_text in values.items()},
        )
    scores.skills = {skill: mean(points) for skill, points in sorted(earned.items())}
    return scores


def accepted(mixes: Mapping[str, Mix], records: Sequence[Record]) -> Iterator[Record]:
    """Yield a training row for each row of the dataset that has a text with full marks."""
    for name, rounds in agreed(mixes, records)[0].items():
        full = [text for text, points in rounds.values() if full_marks(points)]
        if full:
            mix = mixes[name]
            yield {"id": name, "k": mix.k, "prompt": mix.prompt, "completion": full[0]}
