from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

import pytest

from synthgen.core.randomness import Rows, stream_key
from synthgen.core.skill_lexicon import Topic, topic_words, topics
from synthgen.generators.skillmix._piece import Joint, Parts
from synthgen.generators.skillmix._pieces_joints import JOINTS
from synthgen.verifiers.skillmix._check_figures import CHECKERS as FIGURES
from synthgen.verifiers.skillmix._check_lexical import CHECKERS as LEXICAL
from synthgen.verifiers.skillmix._check_logic import CHECKERS as LOGIC
from synthgen.verifiers.skillmix._check_world import CHECKERS as WORLD
from synthgen.verifiers.skillmix._checker import Checker, shown
from synthgen.verifiers.skillmix._text import view
from tests.generators.skillmix.segments import words_of

N_ROWS = 600
CHECKERS: dict[str, Checker] = {**LOGIC, **WORLD, **FIGURES, **LEXICAL}
SEGMENT = re.compile(r"[a-z0-9]+(?:[,;]? [a-z0-9]+)*")
every_joint = pytest.mark.parametrize("joint", JOINTS, ids=lambda joint: "-".join(joint.skills))


@lru_cache
def drawn(joint: Joint) -> list[tuple[Topic, Parts, int]]:
    rows, found = Rows.span(stream_key(12, *joint.skills), 0, N_ROWS), []
    for at, draws in enumerate(rows.each()):
        topic = topics()[at % len(topics())]
        parts = joint.make(draws, topic)
        if parts is not None:
            found.append((topic, parts, draws.integer(0, joint.wordings)))
    assert len(found) >= 0.9 * N_ROWS
    return found


def test_enough_pairs_of_both_ways() -> None:
    ways = Counter(joint.way for joint in JOINTS)
    assert ways["embed"] >= 10
    assert ways["overlay"] >= 6
    assert len({frozenset(joint.skills) for joint in JOINTS}) == len(JOINTS)
    assert {skill for joint in JOINTS for skill in joint.skills} <= set(CHECKERS)


@every_joint
def test_whole_shows_both_and_each_can_be_lost_alone(joint: Joint) -> None:
    for _, parts, wording in drawn(joint):
        for lost in (-1, 0, 1):
            text = joint.tell(parts, wording, lost)
            for at, skill in enumerate(joint.skills):
                assert shown(view(f"{text}."), CHECKERS[skill]) == (at != lost), (skill, text)


@every_joint
def test_segments_are_clean_and_on_topic(joint: Joint) -> None:
    for topic, parts, wording in drawn(joint):
        whole, *broken = (joint.tell(parts, wording, lost) for lost in (-1, 0, 1))
        assert len({whole, *broken}) == 3
        assert len(words_of(whole) & topic_words(topic.name)) >= 2, whole
        for segment in (whole, *broken):
            assert SEGMENT.fullmatch(segment), segment
            assert words_of(segment) & topic_words(topic.name), segment


@every_joint
def test_hardly_a_third_figure_arises(joint: Joint) -> None:
    implied = {"anadiplosis"} if "gradatio" in joint.skills else set[str]()
    others: Counter[str] = Counter()
    for _, parts, wording in drawn(joint):
        text = view(joint.tell(parts, wording, -1) + ".")
        for skill, checker in CHECKERS.items():
            others[skill] += skill not in joint.skills and shown(text, checker)
    assert all(count <= N_ROWS // 50 for skill, count in others.items() if skill not in implied), (
        others
    )


@every_joint
def test_wordings_differ(joint: Joint) -> None:
    _, parts, _ = drawn(joint)[0]
    assert joint.wordings >= 3
    told = {joint.tell(parts, wording, -1) for wording in range(joint.wordings)}
    assert len(told) == joint.wordings
