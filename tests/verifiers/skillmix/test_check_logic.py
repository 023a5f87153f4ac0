from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import synthgen.core.skill_logic as knowledge
from synthgen.verifiers.skillmix._check_logic import CHECKERS
from synthgen.verifiers.skillmix._check_logic_formula import (
    entails,
    formula,
    negate,
    proves,
)
from synthgen.verifiers.skillmix._check_logic_sets import follows
from synthgen.verifiers.skillmix._check_logic_words import _BY_FIRST, FILLER, MARKED, reduce, stem
from synthgen.verifiers.skillmix._checker import shown
from synthgen.verifiers.skillmix._text import view
from tests.bounded import bounded

POSITIVE = {
    "modus_ponens": [
        "If the rope is wet, the knot holds. The rope is wet. Therefore, the knot holds.",
        "The knot holds, because the rope is wet and the knot holds whenever the rope is wet.",
        "The rope isn't dry; the sail tears unless the rope is dry; so the sail must tear.",
        "We met at dawn. The knot holds, since if the rope is wet, the knot holds, and the rope "
        "is wet.",
    ],
    "modus_tollens": [
        "The rope is wet only if the knot holds; the knot does not hold; so the rope is not wet.",
        "If the rope is wet, the knot never holds. The knot holds. Hence the rope is not wet.",
    ],
    "hypothetical_syllogism": [
        "If the rope is wet, the knot holds; if the knot holds, we sail; so if the rope is wet, "
        "we sail.",
        "We sail if the knot holds. The knot holds when the rope is wet. Thus we sail when the "
        "rope is wet.",
    ],
    "disjunctive_syllogism": [
        "Either the rope is wet or the knot holds; the knot doesn't hold; so the rope is wet.",
        "The rope is wet or dry. The rope is not dry. It follows that the rope is wet.",
    ],
    "categorical_syllogism": [
        "All men are mortal. Socrates is a man. Therefore Socrates is mortal.",
        "No poets carry ropes, some guards are poets, so some guards do not carry ropes.",
        "Every guard is a poet; no poet carries ropes; so no guard carries ropes.",
        "All guards are poets; no cooks are poets; so no cooks are guards.",
    ],
    "de_morgan": [
        "It is false that either the rope is wet or the knot holds; so the rope is not wet and the "
        "knot does not hold.",
        "Either the rope is not wet or the knot does not hold; so it is not true that both the "
        "knot holds and the rope is wet.",
    ],
    "statistical_syllogism": [
        "Most guards are brave; Anna is a guard; so Anna is probably brave.",
        "90 percent of guards carry ropes; my cousin is one of the guards; so my cousin carries "
        "ropes.",
    ],
    "affirming_the_consequent": [
        "If the rope is wet, the knot holds. The knot holds. So the rope is wet.",
    ],
    "denying_the_antecedent": [
        "If the rope is wet, the knot holds. The rope is not wet. So the knot does not hold.",
    ],
    "undistributed_middle": [
        "All cats are mammals; all dogs are mammals; so all cats are dogs.",
        "All cats purr; Rex purrs; so Rex is a cat.",
    ],
    "false_dilemma": [
        "You are either with us or against us; there is no third way.",
    ],
    "slippery_slope": [
        "If he sleeps, she leaves; if she leaves, they quarrel; and if they quarrel, the town is "
        "doomed.",
    ],
    "begging_the_question": [
        "The rope is strong because it is sturdy.",
        "This guard is courageous. So this guard is brave.",
    ],
    "hasty_generalisation": [
        "This guard carries ropes, and another guard carries ropes; so all guards carry ropes.",
        "Three guards are not brave; so no guards are brave.",
    ],
    "composition_fallacy": ["Each plank of the ship is light, so the ship is light."],
    "fallacy_of_division": ["The team is powerful; so every player in the team is powerful."],
}
NEGATIVE = {
    "modus_ponens": [
        "If the rope is wet, the knot holds; the pin is wet; so the knot holds.",
        "If the rope is wet, the knot holds; the rope is wet; the knot holds; so the knot holds.",
        "If the rope is wet, the knot holds; the knot holds; so the rope is wet.",
        "If the rope is wet, the knot holds; is the rope wet? So the knot holds.",
        "If the rope is wet, the knot holds; the rope is wet; the knot holds.",
    ],
    "modus_tollens": [
        "If the rope is wet, the knot holds; the rope is not wet; so the knot does not hold.",
        "If the rope is wet, the knot holds; the pin does not hold; so the rope is not wet.",
    ],
    "hypothetical_syllogism": [
        "If the rope is wet, the knot holds; if the pin holds, we sail; so if the rope is wet, we "
        "sail.",
        "If the rope is wet, the knot holds; if we sail, the knot holds; so if the rope is wet, we "
        "sail.",
    ],
    "disjunctive_syllogism": [
        "Either the rope is wet or the knot holds; the rope is wet; so the knot does not hold.",
        "Either the rope is wet or the knot holds; the pin is not wet; so the knot holds.",
    ],
    "categorical_syllogism": [
        "All guards are poets; all cooks carry ropes; so all guards carry ropes.",
        "Some poets carry ropes; some guards are poets; so some guards carry ropes.",
        "All guards are poets; all cooks are poets; so all cooks are guards.",
    ],
    "de_morgan": [
        "It is not true that both the rope is wet and the knot holds; so the rope is not wet and "
        "the knot does not hold.",
    ],
    "statistical_syllogism": [
        "Few guards are brave; Anna is a guard; so Anna is probably brave.",
        "All guards are brave; Anna is a guard; so Anna is brave.",
        "Four in ten guards are brave; Anna is a guard; so Anna is probably brave.",
        "Most guards are brave; Anna is a cook; so Anna is probably brave.",
    ],
    "affirming_the_consequent": [
        "If the rope is wet, the knot holds. The rope is wet. So the knot holds.",
    ],
    "denying_the_antecedent": [
        "If the rope is wet, the knot holds. The knot does not hold. So the rope is not wet.",
    ],
    "undistributed_middle": [
        "All cats are mammals; all mammals are animals; so all cats are animals.",
        "All cats are mammals; all dogs are mammals; so some cats are not dogs.",
    ],
    "false_dilemma": [
        "The guard is either brave or not brave; there is no third way.",
        "The guard is either rich or poor, but there is much in between.",
        "Either the rope is wet or the knot holds; there is no third way.",
    ],
    "slippery_slope": [
        "If he sleeps, she leaves; if she leaves, they quarrel; and if they quarrel, we dance.",
        "If he sleeps, she leaves; if he reads, they quarrel; and if they quarrel, the town is "
        "doomed.",
        "If he sleeps, she leaves; if she leaves, the town is doomed.",
    ],
    "begging_the_question": [
        "The rope is strong because it is wet.",
        "The rope is strong because the rope is strong.",
        "The rope is strong; the knot is sturdy.",
    ],
    "hasty_generalisation": [
        "Forty guards are brave; so all guards are brave.",
        "One guard is brave; so some guards are brave.",
        "One cook is brave; so all guards are brave.",
    ],
    "composition_fallacy": [
        "Each plank of the ship is wet, so the ship is wet.",
        "Each plank of the ship is light, so the boat is light.",
    ],
    "fallacy_of_division": ["The team is silent; so every player in the team is silent."],
}


def fired(text: str) -> set[str]:
    seen = view(text)
    return {skill for skill, checker in CHECKERS.items() if shown(seen, checker)}


@pytest.mark.parametrize("skill", CHECKERS)
def test_examples_show_the_skill_and_no_other(skill: str) -> None:
    for text in POSITIVE[skill]:
        assert fired(text) == {skill}, text


def test_a_false_dilemma_can_be_argued_from() -> None:
    text = "The guard is a hero or a coward. The guard is not a hero. So the guard is a coward."
    assert fired(text) == {"false_dilemma", "disjunctive_syllogism"}


@pytest.mark.parametrize("skill", CHECKERS)
def test_near_misses_do_not_show_the_skill(skill: str) -> None:
    for text in NEGATIVE[skill]:
        assert skill not in fired(text), text


def test_the_examples_of_the_inventory_show_their_skills() -> None:
    path = Path(knowledge.__file__).with_name("skillmix_data") / "skills_logic.toml"
    skills = tomllib.loads(path.read_text(encoding="utf-8"))["skill"]
    assert {skill["id"] for skill in skills} == set(CHECKERS)
    for skill in skills:
        assert fired(skill["example"]) == {skill["id"]}, skill["example"]


def test_other_sentences_around_an_argument_change_nothing() -> None:
    around = ["The day was long; we sang.", "Nobody came, though all were asked."]
    for skill, texts in POSITIVE.items():
        text = " ".join([around[0], texts[0], around[1]])
        assert skill in fired(text), text


def test_truth_tables() -> None:
    a, b = formula(("rain", "falls")), formula(("snow", "falls"))
    rule = formula(("if", "rain", "falls", "then", "snow", "falls"))
    assert entails((rule, a), b)
    assert entails((rule, negate(b)), negate(a))
    assert not entails((rule, b), a)
    assert not entails((rule, negate(a)), negate(b))
    assert proves((rule, a), b)
    assert not proves((rule, a, b), b)
    assert not entails((), a)


def test_only_fifteen_moods_hold_without_existence() -> None:
    valid = 0
    for major in "AEIO":
        for minor in "AEIO":
            for end in "AEIO":
                for one in ((1, 2), (2, 1)):
                    for two in ((0, 1), (1, 0)):
                        valid += follows(((major, *one), (minor, *two)), (end, 0, 2))
    assert valid == 15


def test_reduced_statements() -> None:
    assert reduce("the rope does not hold".split()) == (False, "rope hold")
    assert reduce("the ropes hold".split()) == reduce("the rope holds".split())
    assert reduce("the rope isn't wet".split()) == (False, "rope be wet")
    assert reduce("there is no rope".split()) == (False, "there be rope")
    assert stem("watches") == "watch"
    assert stem("glass") == "glass"
    assert stem("fishermen") == "fisherman"


@given(st.text(alphabet="abif ,;.sonthe", max_size=300))
def test_no_text_is_too_strange(text: str) -> None:
    assert fired(text) <= set(CHECKERS)


_WORDS = "if so not all some is are a b c either or and both it true that since because no".split()


@given(st.lists(st.sampled_from([*_WORDS, ",", ";", "."]), max_size=80))
def test_no_order_of_connectives_is_too_strange(words: list[str]) -> None:
    assert fired(" ".join(words)) <= set(CHECKERS)


@pytest.mark.parametrize(
    "part",
    ["if a or if b and ", "so a if b; if b, c; ", "not both a and b, so ", "all a b, so all a c, "],
)
def test_hostile_texts_take_no_time(part: str) -> None:
    text = view(part * (4_900 // len(part)))
    with bounded(10.0):
        for checker in CHECKERS.values():
            shown(text, checker)


def test_every_phrase_that_marks_an_argument_has_a_word_to_look_for() -> None:
    for phrases in _BY_FIRST.values():
        for phrase, meaning in phrases:
            assert meaning == FILLER or not MARKED.isdisjoint(phrase), phrase
