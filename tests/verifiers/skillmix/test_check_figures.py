from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import synthgen.core.skill_lexicon as lexicon
from synthgen.verifiers.skillmix._check_figures import CHECKERS, OF_WHOLE_TEXTS
from synthgen.verifiers.skillmix._check_figures_clauses import ending, opening
from synthgen.verifiers.skillmix._checker import shown
from synthgen.verifiers.skillmix._text import view
from tests.bounded import bounded

SHEET = {
    "anaphora": (
        "We dig the soil, we dig the bed, we dig the path.",
        "We dig the soil, you sow the bed, they sweep the path.",
    ),
    "epistrophe": (
        "The fence needs rope, the boat needs rope, the tent needs rope.",
        "The fence needs rope, the boat needs tar, the tent needs pegs.",
    ),
    "anadiplosis": (
        "The knot holds the rope; rope holds the sail.",
        "The knot holds the rope; wind fills the sail.",
    ),
    "inclusio": (
        "The tide was out; children dug for crabs. A gull cried; the tide was out.",
        "The tide was out; children dug for crabs. A gull cried; the tide was in.",
    ),
    "epanalepsis": ("Rope must always answer to rope.", "Rope must always answer to hands."),
    "antimetabole": (
        "Tend the garden in peace, and find peace in the garden.",
        "Tend the garden in peace, and find the garden in peace.",
    ),
    "polysyndeton": (
        "We dug and weeded and watered and sang.",
        "We dug, weeded, watered and sang.",
    ),
    "asyndeton": ("We dug, weeded, watered.", "We dug, weeded and watered."),
    "epizeuxis": ("Stitch, stitch, stitch until dawn.", "Stitch, and stitch until dawn."),
}
"""The examples of the definitions, with and without the figure."""

POSITIVE = {
    "anaphora": [
        "Every night she wrote. In the garden they sang, in the garden they wept, in the garden "
        "they slept.",
        "Rain fell on the roof. Rain ran down the walls. Rain stood in the hall.",
    ],
    "epistrophe": ["They spoke of bread; she dreamed of bread: nobody had bread, alas."],
    "symploce": [
        "The judge wants proof, the judge asked twice for proof, the judge will wait for proof.",
    ],
    "anadiplosis": ["Fear leads to anger. Anger leads to hate."],
    "gradatio": ["Fear leads to anger; anger breeds hate; hate ends in war.", "X b; b c, c d."],
    "inclusio": [
        "It rained on Monday. Nobody came. It rained on Monday!",
        "In the year of the flood, nobody sold grain: a loaf cost a cow? A cow cost a house, in "
        "the year of the flood",
    ],
    "epanalepsis": [
        "The sun set; rope must always answer to rope; it was late.",
        "Snow fell all night, and in the morning, everywhere, snow.",
    ],
    "antimetabole": ["Eat to live. Do not live to eat!"],
    "polysyndeton": [
        "He came, and saw, and won.",
        "They had no ink nor paper nor quills, but waited.",
        "Bring salt, flour and eggs and milk and butter.",
    ],
    "asyndeton": [
        "It was late; I came, I saw, I conquered; then it rained.",
        "He sold his house, his cart, his only good horse.",
    ],
    "epizeuxis": ["Never, never, never give up.", "It rained and rained. Mud mud mud!"],
    "diacope": ["She kept the key, the old key to no known key.", "Day after day we waited."],
    "isocolon": [
        "The potters paint the bowls, and the weavers wash the rugs.",
        "It rained. A tailor stitches a sleeve; an apprentice inspects an oar; nobody came.",
    ],
    "tricolon": ["A tailor stitches, a potter paints; we sew cuffs, we knit socks, we dye robes."],
    "polyptoton": [
        "Whoever stitches goes on stitching.",
        "She is a weaver among weavers.",
        "They wove in the morning, though what they had woven was sold.",
    ],
}
NEGATIVE = {
    "anaphora": [
        "The cat sat, the dog ran, the hen slept.",
        "We dig the soil, we dig the bed, they rest, we dig the path.",
        "Rain, rain, rain.",
    ],
    "epistrophe": ["Rope, rope, rope.", "They need rope, we need rope, you need the rope now."],
    "symploce": [
        "We dig the soil, we dig the bed, we dig the path.",
        "We dig for gold, we dig for gold, we dig for gold.",
        "We dig, we dig, we dig.",
    ],
    "anadiplosis": ["Rope, rope, rope.", "He held the rope; it was a good rope."],
    "gradatio": ["Fear leads to anger; anger breeds hate; love ends in peace."],
    "inclusio": [
        "It rained on Monday; it rained on Monday.",
        "It rained there, nobody came, it rained there.",
        "It rained on Monday, nobody came, on Monday it rained.",
        "Nobody came; it rained on Monday; somebody left; it rained on Monday.",
        "It rained on Monday, nobody came, it rained on Monday again.",
    ],
    "epanalepsis": ["Rope is rope.", "The rope must answer to the rope.", "A rope is only a rope."],
    "antimetabole": ["The cook fed the dog, and the cook fed the dog.", "Eat to live."],
    "polysyndeton": [
        "The smith has rope and tar, and the baker has flour.",
        "And they ran. And they sang. And they slept.",
        "They ran and, when the rain had stopped and the moon was out, sang.",
    ],
    "asyndeton": [
        "If it rains, we stay, we sleep.",
        "The smith, a calm man, opened the door.",
        "In spring, the river rises, so the bridge is closed.",
        "Stitch, stitch, stitch until dawn.",
    ],
    "epizeuxis": ["It cost 1,000,000,000 coins.", "Very, very old."],
    "diacope": ["Mud, old mud.", "A mud so deep and so very old is mud."],
    "isocolon": [
        "The potters paint the bowls, and the weavers never wash the rugs.",
        "We sew, we knit.",
        "The potters paint the bowls, and the potters paint the bowls.",
        "The zorks blip the flurbs, the quons drell the vims.",
    ],
    "tricolon": [
        "We sew cuffs, we knit socks.",
        "We sew cuffs, we knit socks, we dye robes, we glue boots.",
        "We sew cuffs, we knit socks, we seldom dye robes.",
    ],
    "polyptoton": [
        "Most weavers sleep late, but this weaver does not.",
        "One of them stitches; the other was stitching.",
        "They weave and weave.",
    ],
}


@pytest.fixture(autouse=True)
def _lexicon_has_the_words() -> None:
    for word in ("stitches", "weavers", "woven", "robes", "glue", "bowls"):
        assert lexicon.senses(word), f"{word} is gone from the lexicon: mend the vectors"


@pytest.mark.parametrize("skill", SHEET)
def test_examples_of_the_sheet(skill: str) -> None:
    whole, broken = SHEET[skill]
    assert shown(view(whole), CHECKERS[skill])
    assert not shown(view(broken), CHECKERS[skill])


def cases(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(skill, text) for skill, texts in table.items() for text in texts]


@pytest.mark.parametrize(("skill", "text"), cases(POSITIVE))
def test_shows_a_figure_in_any_english(skill: str, text: str) -> None:
    assert shown(view(text), CHECKERS[skill])


@pytest.mark.parametrize(("skill", "text"), cases(NEGATIVE))
def test_is_not_taken_in(skill: str, text: str) -> None:
    assert not shown(view(text), CHECKERS[skill])


def test_every_skill_has_vectors_and_data() -> None:
    path = lexicon.Path(lexicon.__file__).with_name("skillmix_data") / "skills_figures.toml"
    skills = tomllib.loads(path.read_text(encoding="utf-8"))["skill"]
    assert {skill["id"] for skill in skills} == set(CHECKERS) == set(POSITIVE) == set(NEGATIVE)
    for skill in skills:
        assert set(skill) == {
            "id", "name", "category", "definition", "example", "level", "checker"
        }  # fmt: skip
        assert shown(view(skill["example"]), CHECKERS[skill["id"]]), skill["example"]
        assert skill["name"] not in skill["definition"].lower()
        assert skill["name"] not in skill["example"].lower()


@pytest.mark.parametrize("skill", CHECKERS)
def test_figure_is_found_between_other_sentences_unless_it_is_of_the_whole_text(skill: str) -> None:
    for text in (*POSITIVE[skill], *SHEET.get(skill, ())[:1]):
        around = f"Nobody knew the answer. {text} The evening was quiet; owls called, once."
        assert shown(view(around), CHECKERS[skill]) != (skill in OF_WHOLE_TEXTS), around


def test_openings_and_endings_hold_a_content_word() -> None:
    clauses = view("We dig soil, on top of it, the rope is here, rope").clauses
    assert [opening(clause) for clause in clauses] == [2, 2, 2, 0]
    assert [ending(clause) for clause in clauses] == [1, 3, 3, 0]


WORDS = st.sampled_from(
    "the a and or rope dig stitch stitches weaver weavers we in it , ; . ?".split()
)


@given(st.lists(WORDS, max_size=60))
def test_containments(words: list[str]) -> None:
    text = view(" ".join(words))
    found = {skill for skill, checker in CHECKERS.items() if shown(text, checker)}
    assert "gradatio" not in found or "anadiplosis" in found
    assert "symploce" not in found or {"anaphora", "epistrophe"} <= found
    assert "tricolon" not in found or "isocolon" in found


@given(st.text(max_size=200))
def test_any_text_gets_an_answer(raw: str) -> None:
    text = view(raw)
    assert {shown(text, checker) for checker in CHECKERS.values()} <= {True, False}


LETTERS = "abcdefghijklmnopqrstuvwxyz"
HOSTILE = [
    "a b " * 1_249,
    "rope," * 999,
    "and " * 1_249,
    "rope and " * 550,
    "and x, " * 700,
    " ".join(a + b for a in LETTERS for b in LETTERS) + ";"
    + " ".join(a + b for b in LETTERS for a in LETTERS),
    "we sew cuffs, " * 350,
]  # fmt: skip


@pytest.mark.parametrize("raw", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_take_bounded_time(raw: str) -> None:
    text = view(raw)
    assert text.sentences
    with bounded(10.0):
        for checker in CHECKERS.values():
            shown(text, checker)
