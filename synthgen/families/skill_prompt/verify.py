"""Rubrics worked out from the text of a prompt.

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


class _Asked(NamedTuple):
    """What a prompt asks for: skills in the order of the list, a topic, and at most sentences."""

    names: tuple[str, ...]
    topic: str
    sentences: int


@reads(
    Words({"prompts": {"": _WORDS["wordings"]}}),
    topic=holes.pattern(r"[^\"\\\n]+"),
    limit=holes.word(_LIMITS),
    skills=holes.pattern(_LIST, lambda text: tuple(_LINE.findall(text))),
)
def _read(topic: str, limit: str, skills: tuple[str, ...]) -> _Asked | None:
    k, sentences = len(skills), _LIMITS.index(limit) + 1
    if len(set(skills)) < k or k > _MAX_SKILLS or sentences != (1 if k < 3 else k - 1):
        return None
    if not all(text.isprintable() for text in (topic, *skills)):
        return None
    return _Asked(skills, topic, sentences)


def _rubric(asked: _Asked) -> str:
    items = [("skill", filled(_RUBRIC["skill"], {"name": name})) for name in asked.names]
    items.append(("topic", filled(_RUBRIC["topic"], {"topic": asked.topic})))
    items += [("sense", _RUBRIC["sense"]), ("length", _RUBRIC["length"][asked.sentences - 1])]
    return _JSON.encode(
        {
            "rubric": [{"kind": kind, "text": text, "weight": 1} for kind, text in items],
            "n_sentences": asked.sentences,
            "forbidden": [(name.split("(", 1)[0].strip() or name).lower() for name in asked.names],
        }
    )


class RubricVerifier(PlainVerifier[_Asked]):
    """A verifier of prompts whose answers state what a text must satisfy."""

    open_ended = True

    def problem(self, prompt: str) -> _Asked | None:
        """Return what a prompt asks for; no text is asked for in a box."""
        return None if prompt.endswith(BOXED) else super().problem(prompt)


VERIFIERS = {"skill_prompt": RubricVerifier(_read, _rubric, "rubric", remembered=0)}
