from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import synthgen.core.skill_lexicon as lexicon
from synthgen.verifiers.skillmix._check_lexical import CHECKERS
from synthgen.verifiers.skillmix._check_lexical_nouns import subject
from synthgen.verifiers.skillmix._checker import shown
from synthgen.verifiers.skillmix._text import view
from tests.bounded import bounded

POSITIVE = {
    "alliteration": [
        "Peter Piper picked a peck of pickled peppers.",
        "The knight needs a gnarled net.",
        "Philip finds the photograph funny.",
    ],
    "rhyme": [
        "The moon came up so very soon; he played a tune.",
        "They walked all day, and some would pray, until the night; it gave no light.",
    ],
    "antithesis": [
        "To err is human, but the rich praise the war, and the poor praise the peace.",
        "Love is an ideal thing; they built in hope, we built in despair.",
        "Many are called early, few are called late.",
    ],
    "climax": [
        "It took minutes, it took hours, it took days.",
        "First a breeze came, then a wind, and then a storm.",
        "She is pretty, no, beautiful, no, gorgeous!",
    ],
    "litotes": ["She is not at all stupid.", "It wasn't a bad idea.", "He was not unaware of it."],
    "oxymoron": ["It was an open secret.", "They lived in cheerful misery, alas."],
    "simile": [
        "He was as brave as a lion.",
        "Like a wolf, the tailor waited.",
        "The oven roars like a volcano in the evening.",
        "Her voice cut like a razor.",
        "The sailor stood in the door, as silent as a ghost.",
    ],
    "metaphor": [
        "Her memory is an attic without a lamp.",
        "Time is a thief.",
        "Nobody doubts that the old baker is a lion.",
        "The tailor was a lighthouse to us.",
    ],
    "personification": [
        "The wind whispered through the trees.",
        "While the loom sobbed, we slept.",
        "Every night the old kettle quietly complains.",
    ],
    "hyperbole": [
        "I have told you a million times.",
        "It weighs fifty thousand tons.",
        "They waited 1000000 years.",
        "This loaf is heavier than the moon.",
        "My grandmother is older than the hills.",
    ],
    "synesthesia": ["She spoke in a velvety voice.", "A loud color hung there."],
}
NEGATIVE = {
    "alliteration": [
        "The bold miner digs a bucket of coal.",
        "Bakers bake baking bakeries.",
        "An apple always appears out of order.",
        "The baker slept, the butcher ate, the barber sang.",
        "The bold sailor of the old grey ship found a bell at the bay.",
    ],
    "rhyme": ["They came at night, and again at night.", "The moon rose; the sun set."],
    "antithesis": [
        "The rich fear the war, and the poor want it.",
        "Young and old were there, and rich and poor.",
        "The young sailor fears the storm, the tall sailor fears the calm.",
        "Up and down, left and right.",
    ],
    "climax": [
        "It took days, hours, minutes.",
        "It was hot. It was scorching. It was blazing.",
        "They were tired, exhausted and weary.",
    ],
    "litotes": ["She is not kind.", "He is bad and not kind.", "It is bad."],
    "oxymoron": ["In the silence a deafening bang was heard.", "The complete silence lasted."],
    "simile": [
        "He was as brave as a tailor.",
        "They like a lion.",
        "Weavers like a fox.",
        "The tailor ran as fast as he could.",
        "The fox is as brave as a lion.",
        "It is as far as a mile.",
    ],
    "metaphor": [
        "The weaver is a tailor.",
        "A metronome is a clock.",
        "The tailor is like a lion.",
        "The tailor is not a lion.",
        "The actress is a star.",
        "The fox is a beast.",
    ],
    "personification": [
        "The tailor whispered.",
        "The tailor at the loom complains.",
        "The falcon laughed.",
        "The tailor cleaned the loom and sighed.",
        "The kettles complains.",
    ],
    "hyperbole": [
        "It took three hours.",
        "They waited twenty years.",
        "This loaf is heavier than the stone.",
        "The planet is larger than the moon.",
        "The loaf is not heavier than the moon.",
        "5 tonnes are 5000 kilograms.",
    ],
    "synesthesia": ["A loud voice was heard.", "A warm day, a song.", "The voice was velvety."],
}


@pytest.fixture(autouse=True)
def _lexicon_has_the_words() -> None:
    for word in ("tailor", "weaver", "baker", "loom", "kettle", "sailor", "moon", "planet", "oven"):
        assert lexicon.senses(word), f"{word} is gone from the lexicon: mend the vectors"


def cases(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(skill, text) for skill, texts in table.items() for text in texts]


@pytest.mark.parametrize(("skill", "text"), cases(POSITIVE))
def test_shows_a_figure(skill: str, text: str) -> None:
    assert shown(view(text), CHECKERS[skill])


@pytest.mark.parametrize(("skill", "text"), cases(NEGATIVE))
def test_is_not_taken_in(skill: str, text: str) -> None:
    assert not shown(view(text), CHECKERS[skill])


def test_every_skill_has_vectors_and_data() -> None:
    path = Path(lexicon.__file__).with_name("skillmix_data") / "skills_lexical.toml"
    skills = tomllib.loads(path.read_text(encoding="utf-8"))["skill"]
    assert {skill["id"] for skill in skills} == set(CHECKERS) == set(POSITIVE) == set(NEGATIVE)
    for skill in skills:
        assert set(skill) == {
            "id", "name", "category", "definition", "example", "level", "checker"
        }  # fmt: skip
        found = {
            name for name, checker in CHECKERS.items() if shown(view(skill["example"]), checker)
        }
        assert found == {skill["id"]}, skill["example"]
        assert skill["name"] not in skill["definition"].lower()
        assert skill["name"] not in skill["example"].lower()


@pytest.mark.parametrize("skill", CHECKERS)
def test_figure_is_found_between_other_sentences(skill: str) -> None:
    for text in POSITIVE[skill]:
        around = f"Nobody knew the answer. {text} It was quiet; owls called, once."
        assert shown(view(around), CHECKERS[skill]), around


@pytest.mark.parametrize(
    ("words", "noun"),
    [
        ("the tailor at the loom", "tailor"),
        ("at the mill the tailor", "tailor"),
        ("at the mill", "mill"),
        ("with old wool from the mill the loom", "loom"),
        ("nobody said so", ""),
    ],
)
def test_the_subject_is_not_governed_by_a_preposition(words: str, noun: str) -> None:
    assert subject(tuple(words.split())) == noun


WORDS = st.sampled_from(
    "the a and as like is not than million years tailor loom lion bad sighs moon young old "
    "heavier deafening silence velvety voice tired weary exhausted , ; . ?".split()
)


@given(st.lists(WORDS, max_size=60))
def test_a_figure_stays_when_a_sentence_is_added(words: list[str]) -> None:
    raw = " ".join(words)
    text, longer = view(raw), view(f"{raw}. Nobody knew")
    for skill, checker in CHECKERS.items():
        assert not shown(text, checker) or shown(longer, checker), skill


@given(st.text(max_size=200))
def test_any_text_gets_an_answer(raw: str) -> None:
    text = view(raw)
    assert {shown(text, checker) for checker in CHECKERS.values()} <= {True, False}


HOSTILE = [
    "as a " * 999,
    "like a lion " * 400,
    "is a lion " * 450,
    "the loom sighs " * 330,
    "bold " * 999,
    "tired weary " * 400,
    "million " * 600,
    "9999999999999999 " * 290,
    "moon than heavier " * 250,
    "the young tailor, the old tailor, " * 140,
    "not very so too " * 300,
    "of the mill " * 400 + "is a lion",
]


@pytest.mark.parametrize("raw", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_take_bounded_time(raw: str) -> None:
    text = view(raw)
    assert text.sentences
    with bounded(10.0):
        for checker in CHECKERS.values():
            shown(text, checker)
