"""Rubrics derived from the text of a prompt.

The family writes prompt and rubric from one drawn mix. Here the prompt is read back: its wording,
the topic, the limit and the lines of its list.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from synthgen.authoring import PlainVerifier, Words, holes, reads
from synthgen.authoring.words import BOXED, filled

_WORDS = Words.beside(__file__)
_LIMITS: list[str] = _WORDS["limits"]
_RUBRIC = _WORDS["rubric"]
_MAX_SKILLS = len(_LIMITS) + 1
_NAME = r"[^:\"\\\n]+"
_LIST = rf"\n- {_NAME}(?:\n- {_NAME})*|\n- {_NAME}: [^\n]+(?:\n- {_NAME}: [^\n]+)*"
_LINE = re.compile(rf"\n- ({_NAME})(?:: [^\n]+)?")
_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class _Request(NamedTuple):
    """Skills in the order of a prompt's list, its topic, and the largest number of sentences."""

    names: tuple[str, ...]
    topic: str
    sentences: int


@reads(
    Words({"prompts": {"": _WORDS["wordings"]}}),
    topic=holes.pattern(r"[^\"\\\n]+"),
    limit=holes.word(_LIMITS),
    skills=holes.pattern(_LIST, lambda text: tuple(_LINE.findall(text))),
)
def _read(topic: str, limit: str, skills: tuple[str, ...]) -> _Request | None:
    k, sentences = len(skills), _LIMITS.index(limit) + 1
    if len(set(skills)) < k or k > _MAX_SKILLS or sentences != (1 if k < 3 else k - 1):
        return None
    if not all(text.isprintable() for text in (topic, *skills)):
        return None
    return _Request(skills, topic, sentences)


def _rubric(request: _Request) -> str:
    items = [("skill", filled(_RUBRIC["skill"], {"name": name})) for name in request.names]
    items.append(("topic", filled(_RUBRIC["topic"], {"topic": request.topic})))
    items += [("sense", _RUBRIC["sense"]), ("length", _RUBRIC["length"][request.sentences - 1])]
    return _JSON.encode(
        {
            "rubric": [{"kind": kind, "text": text, "weight": 1} for kind, text in items],
            "n_sentences": request.sentences,
            "forbidden": [
                (name.split("(", 1)[0].strip() or name).lower() for name in request.names
            ],
        }
    )


class RubricVerifier(PlainVerifier[_Request]):
    """A verifier of prompts whose answers state what a text must satisfy."""

    open_ended = True

    def problem(self, prompt: str) -> _Request | None:
        """Return the request of a prompt, None if it demands a boxed answer."""
        return None if prompt.endswith(BOXED) else super().problem(prompt)


VERIFIERS = {"skill_prompt": RubricVerifier(_read, _rubric, "rubric", remembered=0)}
