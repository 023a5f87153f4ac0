"""The shipped skills and topics."""

from __future__ import annotations

from collections import Counter

from synthgen.core.skill_inventory import (
    checkers_by_name,
    id_of_name,
    official_skills,
    official_topics,
    shipped_skills,
    shipped_topics,
    with_checkers,
)

OFFICIAL = [
    "self serving bias",
    "accident (fallacy)",
    "complex question (loaded question with implicit assumption)",
    "red herring",
    "metaphor",
    "spatial reasoning",
    "modus ponens",
    "statistical syllogism",
    "emotional self regulation",
    "folk physics (common knowledge physics)",
]
TOPICS = (
    *("Sewing", "Dueling", "The Ottoman Empire", "Urbanism", "Beekeeping", "Survivalism"),
    *("Guerilla warfare", "Triathlons", "Gardening", "Knots"),
)


def test_the_public_skills_and_topics() -> None:
    assert [skill.name for skill in official_skills()] == OFFICIAL
    assert official_topics() == TOPICS
    assert Counter(skill.category for skill in official_skills()) == {
        "rhetorical": 3,
        "logical": 3,
        "reasoning": 1,
        "literary": 1,
        "theory of the mind": 1,
        "physical knowledge": 1,
    }


def test_every_shipped_skill_can_be_told() -> None:
    skills = shipped_skills()
    assert skills[:10] == official_skills()
    assert len({skill.id for skill in skills}) == len({skill.name for skill in skills})
    assert len({skill.id for skill in skills}) == len(skills)
    for skill in skills:
        assert id_of_name(skill.name) == skill.id or skill.id.isidentifier()
        assert ":" not in skill.name
        assert '"' not in skill.name
        assert skill.name.isprintable()
        for text in (skill.category, skill.definition, skill.example):
            assert text
            assert text.isprintable()
        assert skill.definition[-1] == "."


def test_definitions_do_not_give_the_name_of_another_skill_away_as_their_own() -> None:
    definitions = [skill.definition for skill in shipped_skills()]
    assert len(set(definitions)) == len(definitions)


def test_topics_begin_with_the_public_ones_and_are_different() -> None:
    topics = shipped_topics()
    assert topics[:10] == TOPICS
    assert len(set(topics)) == len(topics)
    assert not any(set(topic) & set('.,:;!?"\\\n') for topic in topics)


def test_checkers_are_known_by_exact_names() -> None:
    skill = official_skills()[0]
    known = checkers_by_name()
    assert all(known[s.name] == s.id for s in shipped_skills() if s.checker)
    assert with_checkers([skill])[0].checker == (skill.name in known)


def test_ids_of_names() -> None:
    assert id_of_name("Accident (fallacy)") == "accident"
    assert id_of_name("self-serving  bias") == "self_serving_bias"
    assert id_of_name("(all in brackets)") == "all_in_brackets"
    assert id_of_name("Ελπίδα") == "ελπίδα"
