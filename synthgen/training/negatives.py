"""Negatives of texts as rows for trainers: chosen and rejected answers, and texts with points.

A dataset of `skill_text` with `solution = "negatives"` has them as JSON in its solutions: for each
skill that a prompt asks for, the same text without it, and the k + 3 points that it gets.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from synthgen.core.errors import DatasetError

_COLUMNS = ("prompt", "answer", "solution")
_SHOWN = 60
Rows = Mapping[str, Sequence[Any]]
"""Columns by name, all of one length: a batch of `datasets`, or `to_dict` of a data frame."""


def preference_pairs(rows: Rows) -> dict[str, list[Any]]:
    """Pair each text with each of its negatives.

    Args:
        rows: with the columns `prompt`, `answer` and `solution`. Rows without a solution give no
            pair.

    Returns:
        Columns `prompt`, `chosen`, `rejected`, and `lost`: which skill the rejected text lacks, by
        its place in the list of the prompt, from 0.

    Raises:
        DatasetError: for a missing column, or a solution that is no list of negatives.
    """
    found: dict[str, list[Any]] = {"prompt": [], "chosen": [], "rejected": [], "lost": []}
    for prompt, text, negatives in _told(rows):
        for points, negative in negatives:
            found["prompt"].append(prompt)
            found["chosen"].append(text)
            found["rejected"].append(negative)
            found["lost"].append(points.index(0))
    return found


def graded_texts(rows: Rows) -> dict[str, list[Any]]:
    """List each text and its negatives with their points.

    Args:
        rows: as those of `preference_pairs`.

    Returns:
        Columns `prompt`, `completion`, and `points`: k + 3 numbers, 1 or 0, for the skills in the
        order of the prompt's list, then topic, sense and length.

    Raises:
        DatasetError: for a missing column, or a solution that is no list of negatives.
    """
    found: dict[str, list[Any]] = {"prompt": [], "completion": [], "points": []}
    for prompt, text, negatives in _told(rows):
        whole = [1] * len(negatives[0][0])
        for points, told in [(whole, text), *negatives]:
            found["prompt"].append(prompt)
            found["completion"].append(told)
            found["points"].append(points)
    return found


def _told(rows: Rows) -> Iterator[tuple[str, str, list[tuple[list[int], str]]]]:
    """Yield prompt, text and negatives with their points, of each row that has some."""
    missing = [name for name in _COLUMNS if name not in rows]
    if missing:
        msg = f"no column {', '.join(missing)} among {', '.join(rows)}; expected those of a dataset"
        raise DatasetError(msg)
    for prompt, text, solution in zip(*(rows[name] for name in _COLUMNS), strict=True):
        if solution is not None:
            yield prompt, text, _read(solution)


def _read(solution: str) -> list[tuple[list[int], str]]:
    try:
        found = [(told["points"], told["text"]) for told in json.loads(solution)]
    except (ValueError, TypeError, KeyError, RecursionError):
        found = []
    if not found or not all(_is_negative(points, text) for points, text in found):
        msg = f"the solution {solution[:_SHOWN]!r} is no list of negatives; "
        msg += 'they are there where skill_text is built with solution = "negatives"'
        raise DatasetError(msg)
    return found


def _is_negative(points: object, text: object) -> bool:
    """Say whether these are points of which one is lacking, and a text."""
    if not isinstance(points, list) or not isinstance(text, str):
        return False
    return points.count(0) == 1 and points.count(1) == len(points) - 1
