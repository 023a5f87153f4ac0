"""Points of a text by the rubric of a prompt for writers."""

from __future__ import annotations

import json

from synthgen.core.skill_lexicon import topic_words
from synthgen.verifiers.skillmix._checker import shown
from synthgen.verifiers.skillmix._points import count_sentences, makes_sense, on_topic
from synthgen.verifiers.skillmix._skills import CHECKERS
from synthgen.verifiers.skillmix._text import view

_TOPIC = "Pertains to "


def rubric_points(rubric: str, raw: str) -> tuple[int | None, ...]:
    """Give a text the points of a rubric, in its order; None for one that no checker can give."""
    asked = json.loads(rubric)
    text = view(raw)
    named = [name in raw.lower() for name in asked["forbidden"]]
    found: list[int | None] = []
    for place, item in enumerate(asked["rubric"]):
        if item["kind"] == "skill":
            checker = CHECKERS.get(item["checker"])
            shows = None if checker is None else shown(text, checker)
            found.append(0 if named[place] else None if shows is None else int(shows))
    topic = asked["rubric"][len(found)]["text"].removeprefix(_TOPIC)
    found.append(int(on_topic(text, topic)) if topic_words(topic) else None)
    length = count_sentences(raw) <= asked["n_sentences"]
    return (*found, int(makes_sense(text)), int(length))
