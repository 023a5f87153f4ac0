"""What is found out of many texts at once is what is found out of each by itself."""

from __future__ import annotations

from itertools import pairwise

import pytest

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.core.skill_lexicon import topics
from synthgen.engine.kept import valid_ones
from synthgen.generators.skillmix.skill_text import SkillText
from synthgen.verifiers.skillmix import _look
from synthgen.verifiers.skillmix._checker import shown
from synthgen.verifiers.skillmix._look import looked_at
from synthgen.verifiers.skillmix._points import makes_sense, on_topic
from synthgen.verifiers.skillmix._skills import CHECKERS, shows_skill
from synthgen.verifiers.skillmix._text import MOST_CHARACTERS, view

ODD = (
    "",
    " ;. ",
    "a" * (MOST_CHARACTERS + 1),
    "Needle.",
    "Needle and thread. Rain, rain and rain.",
    "A hour passed; an needle broke.",
    "The long needle broke; the long needle broke.",
    "The needle broke. The needle broke.",
    "the needle broke",
    "The \u212a needle broke, \u0130 say!",
    "No, no, no.",
    "Today, when the cook left the cup in the box, when the cook left the cup in the box, the "
    "clerk moved the cup to the shelf. The cook looks in the box.",
)


def texts() -> list[str]:
    generator = SkillText(ks=(1, 3, 5))
    problems = valid_ones(generator.draw(Rows.span(3, 0, 120)))
    answers = generator.render(problems, Render("instruction", "none")).answers.to_pylist()
    halves = [one[: len(one) // 2] + other for one, other in pairwise(answers)]
    return [*answers, *halves, *ODD]


def test_all_points_are_those_of_the_plain_definitions() -> None:
    names = [topic.name for topic in topics()][::7]
    for text in looked_at(texts()):
        alone = view(text.raw)
        for skill, checker in CHECKERS.items():
            assert shows_skill(text, skill) == shown(alone, checker), (skill, text.raw)
        assert text.topics is not None
        assert text.sense is not None
        assert [on_topic(text, name) for name in names] == [on_topic(alone, name) for name in names]
        assert makes_sense(text) == makes_sense(alone), text.raw


def test_new_tables_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    raws = texts()
    before = [(text.marks, text.topics, text.sense) for text in looked_at(raws)]
    monkeypatch.setattr(_look, "_MOST_WORDS", 3)
    after = [(text.marks, text.topics, text.sense) for text in looked_at(raws)]
    assert after == before
    assert _look._looks[0].is_full()


def test_nothing_is_found_in_no_texts() -> None:
    assert looked_at([]) == []
