"""Compiled checkers of arguments find what the plain ones find."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from synthgen.core.skill_lexicon import topic_words, topics
from synthgen.verifiers.skillmix import _check_logic_compiled, _text_table
from synthgen.verifiers.skillmix._check_logic import CHECKERS
from synthgen.verifiers.skillmix._check_logic_compiled import RULES, Arguments
from synthgen.verifiers.skillmix._check_logic_words import stem
from synthgen.verifiers.skillmix._skills import SKILLS
from synthgen.verifiers.skillmix._text import view
from synthgen.verifiers.skillmix._text_cut import Cut
from synthgen.verifiers.skillmix._text_words import Words
from tests.fresh_process import printed

SHOWN = {
    "modus_ponens": "If the lamp is lit, the rope is dry; the lamp is lit; so the rope is dry.",
    "modus_tollens": "The lamp is lit only if the rope is dry; the rope is not dry; thus the lamp "
    "is not lit.",
    "hypothetical_syllogism": "If the lamp is lit, the rope is dry; if the rope is dry, the miner "
    "sings; so if the lamp is lit, then the miner sings.",
    "disjunctive_syllogism": "Either the lamp is lit or the rope is dry; the lamp isn't lit; so "
    "the rope is dry.",
    "categorical_syllogism": "All miners are cooks; no cooks are bakers; so no miners are bakers.",
    "de_morgan": "It is not true that both the lamp is lit and the rope is dry; hence the lamp is "
    "not lit or the rope is not dry.",
    "statistical_syllogism": "Nine in ten miners are wet; the owl is a miner; so the owl is "
    "probably wet.",
    "affirming_the_consequent": "The rope is dry if the lamp is lit, and the rope is dry. So the "
    "lamp is lit.",
    "denying_the_antecedent": "Whenever the lamp is lit, the rope is dry. The lamp is not lit. "
    "Therefore the rope is not dry.",
    "undistributed_middle": "All miners are cooks; all bakers are cooks; so all miners are bakers.",
    "hasty_generalisation": "This miner is wet; that miner is wet; so all miners are wet.",
    "slippery_slope": "If we lose a coin, we lose a purse; if we lose a purse, we sell the house; "
    "if we sell the house, it ends in ruin.",
}
STATEMENTS = (
    "the lamp is lit|the lamp is not lit|it is false that the lamp is lit|the rope is dry|"
    "the rope never holds|the rope doesn't hold|the rope holds|all miners are cooks|"
    "no cooks are bakers|some bakers are miners|most miners are bakers|the owl is a miner|"
    "ann is one of the miners|ann is a cook|not both the lamp is lit and the rope holds|"
    "neither the lamp is lit nor the rope holds|the lamp is lit or the rope holds|"
    "either the lamp is lit or dark|each brick in the wall is light|the whole wall is light|"
    "each miner in the crowd is weak|the crowd is weak|three miners are wet|a miner is wet|"
    "every miner is wet|half of the miners are wet|90 percent of cooks are wet|it is hot|"
    "the soup is hot or the soup is cold|there is nothing between|the miner is brave|"
    "the miner is bold|he is bold|if the lamp is lit then the rope holds|"
    "the rope holds only if the lamp is lit|the lamp is lit unless the rope holds|"
    "the lamp implies that the rope holds|the end is ruin"
).split("|")
LEADS = (
    "so |therefore |thus |hence |it follows that |since |because |for |given that |and |now |"
    "we know that |and so |if |unless |provided that ||||"
).split("|")
JOINTS = ("; ", ", ", ". ", ", and ", " and ", " because ", ", since ", " therefore ", "? ")


def found(raws: Sequence[str], arguments: Arguments | None = None) -> NDArray[np.bool_]:
    cut = Cut(raws, Words())
    return (arguments or Arguments()).rules(cut, np.ones(len(raws), bool))


def plainly(raws: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([[CHECKERS[rule].shows(view(raw)) for raw in raws] for rule in RULES])


@st.composite
def arguments_of(draw: st.DrawFn) -> str:
    """A few statements that speak of the same things, with marks of arguments."""
    pool = draw(st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=3))
    n = draw(st.integers(2, 7))
    told = ""
    for at in range(n):
        joint = draw(st.sampled_from(JOINTS)) if at else ""
        told += joint + draw(st.sampled_from(LEADS)) + draw(st.sampled_from(pool))
    return told + draw(st.sampled_from((".", "?", "", " too.")))


def test_rules_are_the_checkers() -> None:
    assert tuple(CHECKERS) == RULES
    assert set(RULES) < set(SKILLS)


def test_stems_are_single_words() -> None:
    """Formulas are compared stem by stem, and a minus before a stem denies it."""
    words = frozenset().union(*(topic_words(topic.name) for topic in topics()))
    assert all(stem(word).isalpha() for word in words)


@pytest.mark.parametrize("rule", SHOWN)
def test_a_rule_is_found(rule: str) -> None:
    assert found([SHOWN[rule]])[RULES.index(rule), 0]
    assert np.array_equal(found([SHOWN[rule]]), plainly([SHOWN[rule]]))


@settings(max_examples=150, deadline=None)
@given(st.lists(arguments_of(), min_size=1, max_size=10))
def test_any_argument_is_judged_alike(raws: list[str]) -> None:
    assert np.array_equal(found(raws), plainly(raws)), raws


def test_shapes_keep_their_numbers_while_tables_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_text_table, "FIRST_ENTRIES", 2)
    monkeypatch.setattr(_check_logic_compiled, "_MOST_SHAPES", 9)
    arguments, known = Arguments(), Words()
    for raw in [*SHOWN.values(), *SHOWN.values()]:
        rules = arguments.rules(Cut([raw, raw], known), np.array([False, True]))
        assert not rules[:, 0].any()
        assert np.array_equal(rules[:, 1:], plainly([raw]))


@pytest.mark.parametrize(
    "raw",
    ["so. " * 1200, "if a, b; " * 500, "either a or b, so a. " * 230, "all a are b; so " * 300, ""],
)
def test_hostile_texts_are_judged_alike(raw: str) -> None:
    assert np.array_equal(found([raw]), plainly([raw]))


def test_compiled_and_plain_agree() -> None:
    module = "tests.verifiers.skillmix.test_check_logic_compiled"
    assert printed(f"from {module} import digest; print(digest())", plain=True) == digest()


def digest() -> str:
    """Return the digest of what is found."""
    rng = np.random.default_rng(3)
    raws = list(SHOWN.values())
    for _ in range(60):
        told = rng.choice(rng.choice(STATEMENTS, 3), 5)
        raws.append("; ".join(np.char.add(rng.choice(LEADS, 5), told).tolist()))
    return hashlib.sha256(found(raws).tobytes()).hexdigest()
