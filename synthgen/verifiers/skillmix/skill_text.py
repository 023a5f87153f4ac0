"""Texts with skills, searched by checkers that see nothing but the words.

A text that was asked for must have all of its k + 3 points. Texts that are given with it as
negatives must each lack one skill, in the order of the list, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.verifiers import answers as equality
from synthgen.verifiers.skillmix._check_figures import OF_WHOLE_TEXTS
from synthgen.verifiers.skillmix._look import looked_at, marks_of
from synthgen.verifiers.skillmix._points import points
from synthgen.verifiers.skillmix._request import Request, read_request
from synthgen.verifiers.skillmix._skills import BIT, shows_skill
from synthgen.verifiers.skillmix._text import Text, view

LONGEST_SOLUTION = 100_000
_NEGATIVE = re.compile(r'\{"points":\[([01](?:,[01])*)\],"text":"([^"\\\x00-\x1f]*)"\}')
"""One of a list in JSON; no text of ours needs an escape."""
_AT_ONCE = 256
"""Rows that are looked at together."""
_WHOLE = re.compile(r"[A-Z][^\n]*[a-z0-9][.?]", re.ASCII)
_BEFORE, _AFTER = "Morning came.", "Nobody spoke."
"""Sentences that show nothing."""


class SkillTextVerifier:
    """Gives points to texts, and finds out what they show."""

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Give every row its points, and its negatives theirs, if it has any."""
        return np.array([_is_right(*row, {}) for row in _rows(prompts, answers, solutions)], bool)

    def symbolic(self, prompts: pa.StringArray, answers: pa.StringArray) -> NDArray[np.bool_]:
        """Find the skills again where plain sentences stand before and after the text."""
        rows = zip(prompts.to_pylist(), answers.to_pylist(), strict=True)
        right = (_is_right(read_request(p), a, None, {}) and _stands_alone(p, a) for p, a in rows)
        return np.array(list(right), bool)

    def measure(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> Mapping[str, NDArray[Any]]:
        """Return for each skill whether each row's text shows it, and which rows are right.

        Where a prompt gives texts, the whole one counts: the one that is chosen, or the one given.
        """
        marks: list[int] = []
        right: list[bool] = []
        for start in range(0, len(prompts), _AT_ONCE):
            batch = _rows(
                prompts.slice(start, _AT_ONCE),
                answers.slice(start, _AT_ONCE),
                None if solutions is None else solutions.slice(start, _AT_ONCE),
            )
            wholes = [_text_of(request, answer) for request, answer, _ in batch]
            raws = list(dict.fromkeys([*wholes, *_other_texts(batch)]))
            seen = dict(zip(raws, looked_at(raws), strict=True))
            marks += [marks_of(seen[raw]) for raw in wholes]
            right += [_is_right(*row, seen) for row in batch]
        found = np.array(marks, np.int64)
        shows = {f"shows_{skill}": found & bit > 0 for skill, bit in BIT.items()}
        return shows | {"sound": np.array(right, bool)}

    def points(self, prompt: str, text: str) -> tuple[int, ...] | None:
        """Give a text the k + 3 points of what a prompt asks for; None if it asks for no text."""
        request = read_request(prompt)
        return points(request, view(text)) if request and request.form == "write" else None

    def grade(self, prediction: str, answer: str) -> float:
        """Return 1.0 if the prediction is the answer, as text; `points` looks at the skills."""
        return equality.grade(prediction, answer, "string")


def _rows(
    prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
) -> list[tuple[Request | None, str, str | None]]:
    """Return what each row asks for, its answer and its solution."""
    ways = solutions.to_pylist() if solutions is not None else [None] * len(prompts)
    requests = map(read_request, prompts.to_pylist())
    return list(zip(requests, answers.to_pylist(), ways, strict=True))


def _is_right(
    request: Request | None, answer: str, way: str | None, seen: Mapping[str, Text]
) -> bool:
    """Say whether a row is right; what is known of texts that were seen is not found out again."""
    if request is None:
        return False
    texts = [seen.get(raw) or view(raw) for raw in request.texts or (answer,)]
    if not _FORMS[request.form](request, answer, texts):
        return False
    return way is None or (request.form == "write" and _negatives_fit(request, way, seen))


def _text_of(request: Request | None, answer: str) -> str:
    """Return the text of a row that is to show every skill, an empty one if there is none."""
    if request is None:
        return ""
    if request.form == "write":
        return answer
    return request.texts[request.form == "choose" and answer == "B"]


def _other_texts(rows: Sequence[tuple[Request | None, str, str | None]]) -> Iterator[str]:
    """Yield what prompts give, and the negatives of rows, where there is one for each skill."""
    for request, _, way in rows:
        yield from request.texts if request else ()
        negatives = _read_negatives(way) if request and way is not None else None
        if request and negatives and len(negatives) == len(request.skills):
            yield from (text for _, text in negatives)


def _stands_alone(prompt: str, answer: str) -> bool:
    request = read_request(prompt)
    if request is None or request.form != "write":
        return request is not None
    framed = view(f"{_BEFORE} {answer} {_AFTER}")
    skills = [skill for skill in request.skills if skill not in OF_WHOLE_TEXTS]
    return all(shows_skill(framed, skill) for skill in skills)


def _is_full(request: Request, text: Text) -> bool:
    """Say whether a text has every point, and stands there without anything around it."""
    return _WHOLE.fullmatch(text.raw) is not None and all(points(request, text))


def _writes(request: Request, _answer: str, texts: Sequence[Text]) -> bool:
    return _is_full(request, texts[0])


def _grades(request: Request, answer: str, texts: Sequence[Text]) -> bool:
    return " ".join(map(str, points(request, texts[0]))) == answer


def _chooses(request: Request, answer: str, texts: Sequence[Text]) -> bool:
    """Say whether the answer names the only text that is whole."""
    full = [_is_full(request, text) for text in texts]
    return full in ([True, False], [False, True]) and answer == "AB"[full.index(True)]


_FORMS: Mapping[str, Callable[[Request, str, Sequence[Text]], bool]] = {
    "write": _writes,
    "grade": _grades,
    "choose": _chooses,
}


def _negatives_fit(request: Request, way: str, seen: Mapping[str, Text]) -> bool:
    """Say whether there is a text for each skill that has all points but that one."""
    negatives = _read_negatives(way)
    if negatives is None or len(negatives) != len(request.skills):
        return False
    lost = _points_without_one(len(request.skills))
    return all(
        claimed == told and points(request, seen.get(text) or view(text)) == wanted
        for (claimed, text), (told, wanted) in zip(negatives, lost, strict=True)
    )


@cache
def _points_without_one(k: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the points of texts that lack each of k skills in turn, also as they are told."""
    wanted = [tuple([int(j != i) for j in range(k + 3)]) for i in range(k)]
    return tuple([(",".join(map(str, marks)), marks) for marks in wanted])


@lru_cache(maxsize=_AT_ONCE)
def _read_negatives(way: str) -> list[tuple[str, str]] | None:
    """Return negatives behind their points, None if a solution is not made of such."""
    if len(way) > LONGEST_SOLUTION:
        return None
    found: list[tuple[str, str]] = _NEGATIVE.findall(way)
    told = ",".join([f'{{"points":[{points}],"text":"{text}"}}' for points, text in found])
    return found if f"[{told}]" == way else None


VERIFIER = SkillTextVerifier()
