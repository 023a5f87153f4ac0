"""Checkers of the frames of world and mind, on texts that no generator of ours wrote."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.skill_inventory import shipped_skills
from synthgen.core.skill_world import listed, records
from synthgen.verifiers.skillmix._check_world import CHECKERS
from synthgen.verifiers.skillmix._check_world_order import Fact, closure
from synthgen.verifiers.skillmix._checker import shown
from synthgen.verifiers.skillmix._text import view
from tests.bounded import bounded

SHOWN = [
    (
        "spatial_reasoning",
        "The box is in the shed. The key is inside the box. So the key is in the shed.",
    ),
    (
        "spatial_reasoning",
        "The cup is on the table and the table is in the kitchen, so the cup is in the kitchen.",
    ),
    (
        "spatial_reasoning",
        "The key must be left of the saw, because the key is left of the pot and the saw is "
        "to the right of the pot.",
    ),
    (
        "spatial_reasoning",
        "The harp fits in the crate; the crate is smaller than the van; therefore the van is "
        "larger than the harp.",
    ),
    (
        "spatial_reasoning",
        "In the barn stands the cart; the drum is in the cart, so it follows that the barn "
        "holds the drum.",
    ),
    (
        "spatial_reasoning",
        "The coin is in the jar; the jar is left of the lamp; thus the coin is to the left "
        "of the lamp.",
    ),
    (
        "spatial_reasoning",
        "The cup is above the pot; the pot is above the lid; the lid is above the rug; so "
        "the rug is below the cup.",
    ),
    (
        "temporal_order",
        "The sowing came before the weeding. The weeding was before the harvest. Hence the "
        "harvest came after the sowing.",
    ),
    (
        "temporal_order",
        "Since Anna left before Ben, and Ben left before Carl did, Anna left before Carl.",
    ),
    (
        "temporal_order",
        "The clerk washed the cup before the cook sold the salt, and the cook sold the salt "
        "before the maid lit the lamp, so the clerk washed the cup before the maid lit the "
        "lamp.",
    ),
    (
        "false_belief",
        "Sally puts the marble in the basket. Sally leaves. Anne moves the marble to the "
        "box. Sally will look for the marble in the basket.",
    ),
    (
        "false_belief",
        "The cook hid the key under the mat; the clerk moved it to the drawer while the cook "
        "was away; the cook thinks it is under the mat.",
    ),
    ("folk_physics", "The maid dropped a glass on the tiles. It shattered."),
    ("folk_physics", "The ice melted because the boy left the ice in the sun."),
    ("folk_physics", "The smith threw the anvil in the lake, and it sank."),
    (
        "arithmetic_comparison",
        "Anna has twelve cups and Ben has 7 cups, so Ben has five fewer cups than Anna.",
    ),
    (
        "arithmetic_comparison",
        "There are 30 goats and 12 sheep on the hill, so there are 18 more goats than sheep.",
    ),
    ("counting", "We bought two pots, three pans and a dozen plates, seventeen pieces altogether."),
    ("counting", "The shed holds 4 axes and 5 saws. That makes 9 tools."),
    ("counting", "There is a total of 9 tools: 4 axes and 5 saws."),
    ("unit_conversion", "The rope is 3 yards long, or 9 feet."),
    ("unit_conversion", "5 feet and 3 inches equals 63 inches."),
    ("unit_conversion", "Two hours are 120 minutes."),
    (
        "self_serving_bias",
        "The tailor says she won thanks to her own skill. But the tailor lost only because "
        "of the weather.",
    ),
    (
        "self_serving_bias",
        "When the coat sold, the tailor praised his own talent; when the hat failed, he "
        "blamed bad luck.",
    ),
    (
        "emotional_self_regulation",
        "The thread snapped. The tailor was furious, so he paused and breathed slowly. Soon "
        "he was calm.",
    ),
    ("accident", "All birds can fly. Ostriches are birds, and this ostrich therefore can fly."),
    (
        "accident",
        "The whale at the pier must walk about on dry land, since mammals walk about on dry land.",
    ),
    ("ad_hominem", "The tailor claims that the cloth is wet. Ignore it, for he is a gambler."),
    ("complex_question", "Have you stopped hiding the wool?"),
    ("complex_question", "The shop is small; why did the tailor steal the thread?"),
    ("red_herring", "Is the needle sharp? The tailor replied that the beehive is full of honey."),
    (
        "red_herring",
        "When asked why the thread is thin, the clerk answered that the harbor is muddy.",
    ),
    (
        "post_hoc",
        "A cat crossed the road. Soon after that the wagon broke. So the cat caused the "
        "wagon to break.",
    ),
    (
        "post_hoc",
        "She sneezed, then the lamp went out; it must have been caused by that; clearly the "
        "sneeze is to blame for the lamp.",
    ),
    ("appeal_to_popularity", "Everyone agrees that the tea is cold. Therefore the tea is cold."),
    (
        "appeal_to_popularity",
        "It must be true that the wool is rare, for nearly everybody says so.",
    ),
    (
        "equivocation",
        "The tailor is the star of the show; a star burns hydrogen; so the tailor burns hydrogen.",
    ),
]
NOT_SHOWN = [
    (
        "spatial_reasoning",
        "The box is in the shed; the key is in the jar; so the key is in the shed.",
    ),
    (
        "spatial_reasoning",
        "The box is in the shed; the key is in the box; so the shed is in the key.",
    ),
    (
        "spatial_reasoning",
        "The box is in the shed; the key is in the box; so the box is in the shed.",
    ),
    (
        "spatial_reasoning",
        "The cup is left of the pot; the jar is in the tin; so the pot is right of the cup.",
    ),
    (
        "spatial_reasoning",
        "The cup is above the pot; the pot is above the lid; so the cup is left of the lid.",
    ),
    (
        "spatial_reasoning",
        "The cup is in the jar; the cup is in the jar; the pen is on the jar; so the cup is "
        "on the pen.",
    ),
    (
        "spatial_reasoning",
        "The cup is above the pot; the pot is above the lid; the lid is above the cup; so "
        "the cup is above the lid.",
    ),
    (
        "temporal_order",
        "The sowing came before the weeding; the harvest came before the weeding; so the "
        "sowing came before the harvest.",
    ),
    ("temporal_order", "Anna left before Ben; Ben woke before Carl; so Anna left before Carl."),
    (
        "false_belief",
        "Sally puts the marble in the basket. Sally leaves. Anne moves the marble to the "
        "box. Sally will look for the marble in the box.",
    ),
    (
        "false_belief",
        "Sally puts the marble in the basket. Anne moves the marble to the box. Sally will "
        "look for the marble in the basket.",
    ),
    (
        "false_belief",
        "Sally puts the marble in the basket. Sally leaves. Sally returns. Anne moves the "
        "marble to the box. Sally will look for it in the basket.",
    ),
    (
        "false_belief",
        "Sally puts the marble in the basket. Sally leaves. Anne moves the marble to the "
        "box. Anne will look for it in the basket.",
    ),
    ("folk_physics", "The maid dropped a glass on the tiles. It melted."),
    ("folk_physics", "The maid dropped a glass on the tiles. It did not break."),
    ("folk_physics", "The smith threw the cork in the lake, and it sank."),
    ("folk_physics", "The maid dropped a feather on the tiles, and it shattered."),
    (
        "arithmetic_comparison",
        "Anna has twelve cups and Ben has 7 cups, so Ben has five more cups than Anna.",
    ),
    (
        "arithmetic_comparison",
        "Anna has 12 cups and Ben has 7 cups, so Anna has 4 more cups than Ben.",
    ),
    ("counting", "We bought two pots, three pans and a dozen plates, eighteen pieces altogether."),
    ("counting", "That makes 9 tools."),
    ("unit_conversion", "The rope is 3 yards long, or 10 feet."),
    ("unit_conversion", "The rope is 3 yards long, more than 9 feet."),
    ("unit_conversion", "It took 60 minutes, or 1 mile."),
    (
        "self_serving_bias",
        "When the coat sold, the tailor praised his own talent; when the hat failed, he "
        "blamed his own haste.",
    ),
    (
        "self_serving_bias",
        "When the coat sold, the tailor praised his own talent; when the hat failed, the "
        "weaver blamed bad luck.",
    ),
    (
        "self_serving_bias",
        "When the coat sold, the tailor thanked good luck; when the hat failed, he blamed "
        "his own haste.",
    ),
    (
        "emotional_self_regulation",
        "The tailor was calm, paused, was furious, and the thread snapped.",
    ),
    (
        "emotional_self_regulation",
        "The thread snapped. The tailor was furious, so he paused. Soon he was not calm.",
    ),
    ("accident", "All birds can fly; this sparrow is a bird; so it can fly."),
    ("accident", "Most birds can fly; this ostrich is a bird; so it can fly."),
    ("accident", "All birds can fly; this ostrich is a bird; so it cannot fly."),
    (
        "ad_hominem",
        "The tailor claims that the cloth is wet. Ignore it, for a test has shown the opposite.",
    ),
    ("ad_hominem", "The tailor claims that the cloth is wet. The tailor is a gambler."),
    (
        "ad_hominem",
        "The tailor claims that the cloth is wet. Ignore it, for the weaver is a gambler.",
    ),
    ("complex_question", "The tailor stole the thread; why did the tailor steal the thread?"),
    ("complex_question", "Did the tailor steal the thread?"),
    ("complex_question", "Nobody knows why the tailor stole the thread."),
    (
        "red_herring",
        "Asked whether the needle is sharp, the tailor replied that the thimble is round.",
    ),
    ("red_herring", "Asked whether the needle is sharp, the tailor replied that yes, it is."),
    (
        "post_hoc",
        "A cat crossed the road. Soon after that the wagon broke. So the wagon caused the "
        "cat to cross.",
    ),
    (
        "post_hoc",
        "A cat crossed the road. Soon after that the wagon broke. But the cat did not cause it.",
    ),
    ("appeal_to_popularity", "The cook agrees that the tea is cold. Therefore the tea is cold."),
    ("appeal_to_popularity", "Nobody says that the tea is cold; therefore the tea is cold."),
    ("appeal_to_popularity", "Everyone agrees that the tea is cold. Therefore the soup is hot."),
    (
        "equivocation",
        "The tailor is the star of the show; every star draws a crowd; so the tailor draws a "
        "crowd.",
    ),
    (
        "equivocation",
        "The tailor is the star of the show; every star burns hydrogen; so the tailor draws "
        "a crowd.",
    ),
]


def shows(skill: str, text: str) -> bool:
    return shown(view(text), CHECKERS[skill])


@pytest.mark.parametrize(("skill", "text"), SHOWN)
def test_free_text_shows_the_skill(skill: str, text: str) -> None:
    assert shows(skill, text)
    assert shows(skill, f"The old lamp flickers. {text} Then we went home, and it rained.")


@pytest.mark.parametrize(("skill", "text"), NOT_SHOWN)
def test_free_text_does_not_show_the_skill(skill: str, text: str) -> None:
    assert not shows(skill, text)


def test_shipped_examples_show_their_skills() -> None:
    found = {skill.id: skill for skill in shipped_skills()}
    for name in CHECKERS:
        assert found[name].checker
    world = {record["id"]: record["example"] for record in _inventory()}
    assert set(world) == set(CHECKERS)
    assert [name for name, example in world.items() if not shows(name, example)] == []


def _inventory() -> list[dict[str, str]]:
    import tomllib

    from synthgen.core import skill_world

    path = skill_world._DATA / "skills_world.toml"
    return list(tomllib.loads(path.read_text(encoding="utf-8"))["skill"])


def test_composition_table() -> None:
    facts = {Fact("in", "cup", "box"), Fact("x", "box", "pot"), Fact("on", "box", "cart")}
    closed = closure(facts | {Fact("in", "cart", "barn")})
    assert Fact("x", "cup", "pot") in closed
    assert Fact("in", "cup", "barn") in closed
    assert Fact("z", "cart", "cup") in closed
    assert Fact("size", "cup", "box") in closed
    assert Fact("x", "pot", "cup") not in closed


def test_rule_base_is_consistent() -> None:
    kinds = {record["name"]: set(listed(record["things"])) for record in records("physics", "kind")}
    effects = {
        record["name"]: set(listed(record["words"])) for record in records("physics", "effect")
    }
    rules = records("physics", "rule")
    due: dict[tuple[str, str], set[str]] = {}
    for rule in rules:
        for thing in kinds[rule["kind"]]:
            due.setdefault((thing, rule["event"]), set()).update(effects[rule["effect"]])
    for rule in rules:
        for wrong in listed(rule["wrong"]):
            for thing in kinds[rule["kind"]]:
                assert effects[wrong].isdisjoint(due[thing, rule["event"]]), (rule, wrong)


def test_kinds_are_members_or_exceptions() -> None:
    for rule in records("kinds", "rule"):
        assert not set(listed(rule["exceptions"])) & set(listed(rule["members"]))


WORDS = sorted(
    set(" ".join(text for _, text in SHOWN + NOT_SHOWN).lower().split())
    | set("so because 12 7 , ; . ? the is in before than if then and asked that".split())
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=80), st.text(max_size=40))
def test_never_raises(words: list[str], tail: str) -> None:
    text = view(f"{' '.join(words)} {tail}")
    for checker in CHECKERS.values():
        assert checker.shows(text) in (True, False)


HOSTILE = [
    "so the a is in the b, " * 200,
    "".join(f"the a{i} is above the a{i + 1}; " for i in range(150)) + "so the a0 is above the z",
    "1 cup, " * 600 + "5 in all",
    "a has 3 cups than more, " * 200,
    "3 feet is " * 400,
    "the cook put it in the box; " * 170,
    "everyone says that so, " * 200,
    "asked whether says that, " * 190,
    "is the star that every star is, so ".replace(",", "") * 120,
    "9" * 4900 + " feet",
    "two hundred thousand dozen " * 180,
    "baker is mole. mole paws, " * 190,
]


@pytest.mark.parametrize("raw", HOSTILE)
def test_hostile_texts_are_cheap(raw: str) -> None:
    text = view(raw[:5000])
    with bounded(10.0):
        for checker in CHECKERS.values():
            checker.shows(text)
