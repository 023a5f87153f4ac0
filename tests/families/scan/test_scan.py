"""SCAN: the published language whole, its rules, and larger languages against their grammar."""

import hashlib
import re
from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.contract.interfaces import Problems, Render, Texts
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows, stream_key
from synthgen.families.scan.family import Scan
from synthgen.rules.language import compile_where
from synthgen.testing import check_family
from synthgen.trees.derivations import derivation_text
from tests.bounded import bounded
from tests.conformance import original
from tests.families.scan import language
from tests.families.verdicts import Verdicts

STREAM = stream_key(7, "scan", "scan")
BARE = Render("bare", "none")
COUNT = (
    *("jump", "turn left", "right", "U right", "turn right", "around right", "U around right"),
    *("turn around right", "opposite right", "U opposite right", "turn opposite right"),
    *("look around right", "walk around right", "run around right", "jump around right"),
    *("U", "twice", "around right thrice"),
)
HISTOGRAM = (
    "1:6 2:88 3:398 4:860 5:1184 6:1178 7:1104 8:1450 9:1256 10:1696 11:1072 12:1578 13:432 14:848 "
    "15:688 16:304 17:512 18:784 19:448 20:464 21:64 22:576 24:336 25:448 26:512 27:448 28:448 "
    "30:576 32:448 33:256 36:64 40:256 48:128"
)
WORD_COUNTS = [4, 18, 72, 328, 1288, 3520, 6080, 6400, 3200]
RULES = {
    "action_length <= 22": 16_990,
    "action_length >= 24": 3_920,
    "n_jump = 0": 13_203,
    "verb_1 <> 'jump' AND verb_2 <> 'jump'": 13_203,
    "n_jump > 0 AND n_words > 1": 7_706,
    "n_jump > 0 AND n_words = 1": 1,
    "n_turn_left = 0": 19_701,
    "n_turn_left > 0 AND n_words > 2": 1_208,
    "n_turn_left > 0 AND n_words = 2": 1,
    "n_around_right = 0": 15_225,
    "manner_1 <> 'around_right' AND manner_2 <> 'around_right'": 15_225,
    "n_u_around_right > 0 AND n_turn_around_right = 0": 4_476,
    "n_turn_around_right > 0": 1_209,
    "n_opposite_right = 0": 15_225,
    "n_u_opposite_right > 0 AND n_turn_opposite_right = 0": 4_476,
    "n_turn_opposite_right > 0": 1_209,
    "n_u_right = 0 AND n_turn_right = 0": 15_225,
    "n_u_right > 0 AND n_turn_right = 0": 4_476,
    "n_turn_right > 0": 1_209,
    "manner_1 = 'right' OR manner_2 = 'right'": 4_476 + 1_209,
    "n_jump_around_right > 0 AND n_turn_around_right = 0": 1_173,
    "verb_1 = 'jump' AND manner_1 = 'around_right' AND NOT (verb_2 = 'turn' AND manner_2 = "
    "'around_right') OR verb_2 = 'jump' AND manner_2 = 'around_right' AND NOT (verb_1 = 'turn' AND "
    "manner_1 = 'around_right')": 1_173,
    "n_jump_around_right = 0 AND n_turn_around_right = 0": 18_528,
    "n_around_right = n_look_around_right": 16_290,
    "n_look_around_right > 0 AND n_around_right = n_look_around_right": 1_065,
    "n_around_right = n_look_around_right + n_walk_around_right": 17_391,
    "n_around_right = n_look_around_right + n_walk_around_right + n_run_around_right": 18_528,
    "n_phrases = 1": 102,
    "connective_2 = 'and'": 10_404,
    "connective_2 = 'after'": 10_404,
    "connective_2 = 'none' AND verb_2 = 'none' AND manner_2 = 'none' AND repeat_2 = 'none'": 102,
    "repeat_1 = 'twice' AND repeat_2 = 'twice'": 34 * 34 * 2,
    "n_u_right = 2": (4 * 3) ** 2 * 2,
}
"""Rules and how many of the 20,910 commands meet them, as published or by the grammar."""


@lru_cache(maxsize=8)
def drawn(scan: Scan, n: int | None = None) -> Problems:
    return scan.draw(Rows.span(STREAM, 0, scan.space if n is None else n))


@lru_cache(maxsize=8)
def whole(prompt: str = "bare", solution: str = "none") -> Texts:
    scan = Scan(count=COUNT)
    return scan.render(drawn(scan), Render(prompt, solution))


def named_axes(scan: Scan, problems: Problems) -> dict[str, list[Any]]:
    """Axes as values and names."""
    return {
        name: [axis.values[code] for code in problems.axes[name]]
        if axis.values
        else problems.axes[name].tolist()
        for name, axis in scan.axes.items()
    }


def axes_of(command: str, most: int) -> dict[str, Any]:
    """The axes from the text alone."""
    words = command.split(" ")
    links = [word for word in words if word in ("and", "after")]
    phrases = command.replace(" after ", " and ").split(" and ")
    found: dict[str, Any] = {"n_words": len(words), "n_phrases": len(phrases)}
    depths = []
    for place in range(1, most + 1):
        here = place <= len(phrases)
        parts = phrases[place - 1].split(" ") if here else []
        repeat = parts.pop() if parts and parts[-1] in repeats() else "once"
        found[f"verb_{place}"] = parts[0] if here else "none"
        found[f"manner_{place}"] = ("_".join(parts[1:]) or "bare") if here else "none"
        found[f"repeat_{place}"] = repeat if here else "none"
        if place > 1:
            found[f"connective_{place}"] = links[place - 2] if here else "none"
        if here:
            below = len(phrases) - max(place - 1, 1)
            depths.append(1 + (len(parts) > 1) + (repeat != "once") + below)
    found["depth"] = max(depths)
    return found


def repeats() -> tuple[str, ...]:
    tens = ("fourfold", "fivefold", "sixfold", "sevenfold", "eightfold", "ninefold")
    return ("twice", "thrice", *tens)


def test_the_whole_language_is_the_published_one() -> None:
    assert Scan().space == 20_910
    prompts = whole().prompts.to_pylist()
    assert hashlib.sha256("\n".join(sorted(prompts)).encode()).hexdigest() == language.SHA256
    assert sorted(prompts) == language.commands()
    texts = whole("instruction", "steps")
    assert VERDICTS.verifier.check(texts.prompts, texts.answers, texts.solutions).all()
    assert drawn(Scan()).valid.all()
    assert len({tuple(key) for key in drawn(Scan()).keys.tolist()}) == 20_910


def test_counts_of_lengths_words_and_actions() -> None:
    axes = drawn(Scan()).axes
    lengths = Counter(axes["action_length"].tolist())
    assert " ".join(f"{n}:{lengths[n]}" for n in sorted(lengths)) == HISTOGRAM
    words = np.bincount(axes["n_words"])[1:].tolist()
    assert words == WORD_COUNTS
    used = Counter(word for prompt in whole().prompts.to_pylist() for word in prompt.split())
    counts = dict.fromkeys(("left", "right"), 18_405) | dict.fromkeys(("twice", "thrice"), 13_906)
    counts |= dict.fromkeys(("opposite", "around"), 12_270) | {"turn": 7_362}
    counts |= dict.fromkeys(("and", "after"), 10_404) | dict.fromkeys(language.VERBS, 8_589)
    assert used == counts
    done = Counter(word for answer in whole().answers.to_pylist() for word in answer.split())
    turns = dict.fromkeys(("I_TURN_LEFT", "I_TURN_RIGHT"), 85_890)
    assert done == turns | {f"I_{verb.upper()}": 31_902 for verb in language.VERBS}


@pytest.mark.parametrize(("command", "actions"), language.WORKED.items())
def test_worked_examples(command: str, actions: str) -> None:
    index = whole().prompts.to_pylist().index(command)
    assert whole().answers[index].as_py() == language.spelt(actions)


@pytest.mark.parametrize(("rule", "count"), RULES.items())
def test_rules_select_what_is_published(rule: str, count: int) -> None:
    scan = Scan(count=COUNT)
    frame = pl.DataFrame(named_axes(scan, drawn(scan)))
    assert frame.filter(compile_where(rule, scan.axes)).height == count


def test_published_lists_are_of_this_language() -> None:
    """The simple and MCD lists are disjoint, and as long as published."""
    path = original("scan/scan_splits.json")
    lists = language.published_lists(path)
    assert {name: len(commands) for name, commands in lists.items()} == {
        "simple/train": 16_728,
        "simple/test": 4_182,
        "mcd1/train": 8_365,
        "mcd1/dev": 1_046,
        "mcd1/test": 1_045,
    }
    known = set(whole().prompts.to_pylist())
    assert all(known.issuperset(commands) for commands in lists.values())


def test_axes_follow_from_the_text() -> None:
    scan = Scan(count=COUNT)
    axes = named_axes(scan, drawn(scan))
    for i, prompt in list(enumerate(whole().prompts.to_pylist()))[::7]:
        for name, value in axes_of(prompt, 2).items():
            assert axes[name][i] == value, (prompt, name)
        assert axes["action_length"][i] == len(whole().answers[i].as_py().split(" "))
        phrases = prompt.replace(" after ", " and ").split(" and ")
        for words in COUNT:
            wanted = f" {words} ".replace(" U ", " walk ")
            texts = [f" {phrase} " for phrase in phrases]
            if words.startswith("U"):
                texts = [re.sub(r"^ (look|run|jump) ", " walk ", text) for text in texts]
            name = "n_" + words.lower().replace(" ", "_")
            assert axes[name][i] == sum(wanted in text for text in texts), (prompt, words)
    assert np.array_equal(drawn(scan).difficulty, drawn(scan).axes["action_length"])


def test_derivations() -> None:
    texts = derivation_text(drawn(Scan()).derivations, Scan().signature).to_pylist()
    found = dict(zip(whole().prompts.to_pylist(), texts, strict=True))
    assert found["jump"] == "jump"
    assert found["turn left"] == "(left turn)"
    assert found["walk thrice"] == "(thrice walk)"
    assert found["jump around left twice"] == "(twice (around jump leftward))"
    assert found["look right and turn opposite right thrice"] == (
        "(and (right look) (thrice (opposite turn rightward)))"
    )
    assert len(set(texts)) == 20_910


def edges(codes: list[int], arities: tuple[int, ...]) -> Counter[tuple[int, int, int]]:
    """Parent, slot and child of each node but the root of a prefix sequence."""
    found: Counter[tuple[int, int, int]] = Counter()
    waiting: list[list[int]] = []
    for code in codes:
        while waiting and waiting[-1][1] == arities[waiting[-1][0]]:
            waiting.pop()
        if waiting:
            found[waiting[-1][0], waiting[-1][1], code] += 1
            waiting[-1][1] += 1
        waiting.append([code, 0])
    return found


@pytest.mark.parametrize(
    ("name", "divergence"),
    [
        ("scan-length", 0.0525),
        ("scan-addprim-jump", 0.1668),
        ("scan-addprim-turn-left", 0.0427),
        ("scan-template-around-right", 0.1725),
        ("scan-template-jump-around-right", 0.0507),
    ],
)
def test_trees_have_the_published_divergence_of_edges(name: str, divergence: float) -> None:
    """Compound divergence of the published sets, measured on trees of this shape elsewhere."""
    trees, arities = drawn(Scan()).derivations, Scan().signature.arities
    counts = {part: Counter[tuple[int, int, int]]() for part in ("train", "test")}
    for i, prompt in enumerate(whole().prompts.to_pylist()):
        for part, rule in language.RULES[name].items():
            if rule(prompt):
                command, times = language.REPEATED.get((name, part), ("", 1))
                for edge, n in edges(trees.row(i).tolist(), arities).items():
                    counts[part][edge] += n * (times if prompt == command else 1)
    train, test = counts["train"], counts["test"]
    shared = sum(
        (train[edge] / train.total()) ** 0.1 * (test[edge] / test.total()) ** 0.9
        for edge in train.keys() & test.keys()
    )
    assert 1 - shared == pytest.approx(divergence, abs=5e-5)


def test_longer_commands_are_joined_from_the_left() -> None:
    scan = Scan(verbs=3, directions=1, manners=0, repeats=0, min_phrases=3, max_phrases=3)
    texts = scan.render(drawn(scan), Render("bare", "steps"))
    index = texts.prompts.to_pylist().index("walk and look left after run")
    assert texts.answers[index].as_py() == "I_RUN I_WALK I_TURN_LEFT I_LOOK"
    text = derivation_text(drawn(scan).derivations, scan.signature)[index].as_py()
    assert text == "(after (and walk (left look)) run)"
    assert texts.solutions[index].as_py().split("\n") == [
        "walk = I_WALK",
        "look = I_LOOK",
        "look left = I_TURN_LEFT I_LOOK",
        "walk and look left = I_WALK I_TURN_LEFT I_LOOK",
        "run = I_RUN",
        "walk and look left after run = I_RUN I_WALK I_TURN_LEFT I_LOOK",
    ]


def test_steps_have_a_line_for_every_node_that_means_actions() -> None:
    found = dict(
        zip(whole().prompts.to_pylist(), whole("bare", "steps").solutions.to_pylist(), strict=True)
    )
    assert found["jump"] == "jump = I_JUMP"
    assert found["turn left"] == "turn left = I_TURN_LEFT"
    assert found["turn right twice after look opposite left"].split("\n") == [
        "turn right = I_TURN_RIGHT",
        "turn right twice = I_TURN_RIGHT I_TURN_RIGHT",
        "look = I_LOOK",
        "look opposite left = I_TURN_LEFT I_TURN_LEFT I_LOOK",
        "turn right twice after look opposite left = "
        "I_TURN_LEFT I_TURN_LEFT I_LOOK I_TURN_RIGHT I_TURN_RIGHT",
    ]


def test_the_order_is_keyed_and_looks_random() -> None:
    one, two = (
        Scan().render(Scan().draw(Rows.span(stream, 0, 2_000)), BARE).prompts.to_pylist()
        for stream in (1, 2)
    )
    assert len(set(one)) == len(set(two)) == 2_000
    assert 100 < len(set(one) & set(two)) < 290  # 191 by chance
    shares = np.bincount([len(prompt.split()) for prompt in one], minlength=10)[1:] / 2_000
    assert np.abs(shares - np.array(WORD_COUNTS) / 20_910).max() < 0.04


def test_beyond_the_space_nothing_is_valid() -> None:
    problems = Scan().draw(Rows(STREAM, np.array([20_909, 20_910, 2**64 - 1], np.uint64)))
    assert problems.valid.tolist() == [True, False, False]


LANGUAGES: list[dict[str, Any]] = [
    {"count": ("U around right", "jump")},
    {"verbs": 8, "directions": 4, "manners": 3, "repeats": 3, "min_phrases": 3, "max_phrases": 3},
    {"verbs": 64, "directions": 8, "manners": 5, "repeats": 8, "max_phrases": 4},
    {"verbs": 1, "directions": 1, "manners": 0, "repeats": 0, "max_phrases": 16},
    {"max_phrases": 8},
]


@pytest.mark.parametrize("params", LANGUAGES, ids=str)
def test_contract(params: dict[str, Any]) -> None:
    check_family("scan", params)


@settings(max_examples=15)
@given(
    st.integers(1, 3),
    st.integers(1, 2),
    st.integers(0, 2),
    st.integers(0, 2),
    st.integers(1, 2),
    st.integers(0, 2**64 - 1),
)
def test_small_languages_are_whole(
    verbs: int, directions: int, manners: int, repeats: int, most: int, stream: int
) -> None:
    scan = Scan(verbs, directions, manners, repeats, 1, most)
    phrases = (verbs + (verbs + 1) * directions * (1 + manners)) * (1 + repeats)
    assert scan.space == phrases + (2 * phrases**2 if most == 2 else 0)
    problems = scan.draw(Rows.span(stream, 0, scan.space))
    prompts = scan.render(problems, BARE).prompts.to_pylist()
    assert len(set(prompts)) == scan.space
    assert len({tuple(key) for key in problems.keys.tolist()}) == scan.space
    assert set(prompts) <= set(language.commands())


def test_a_command_has_the_same_key_in_every_language() -> None:
    small, large = Scan(), Scan(verbs=6, directions=3, manners=3, repeats=3)
    keys = []
    for scan in (small, large):
        problems = drawn(scan)
        prompts = scan.render(problems, BARE).prompts.to_pylist()
        keys.append(dict(zip(prompts, map(tuple, problems.keys.tolist()), strict=True)))
    assert all(keys[1][prompt] == key for prompt, key in keys[0].items())


@pytest.mark.parametrize(
    ("params", "name"),
    [
        ({"verbs": 0}, "verbs"),
        ({"verbs": 65}, "verbs"),
        ({"verbs": True}, "verbs"),
        ({"directions": 0}, "directions"),
        ({"directions": 9}, "directions"),
        ({"manners": -1}, "manners"),
        ({"manners": 6}, "manners"),
        ({"repeats": 9}, "repeats"),
        ({"max_phrases": 0}, "max_phrases"),
        ({"max_phrases": 17}, "max_phrases"),
        ({"min_phrases": 3}, "min_phrases"),
        ({"max_phrases": 9}, "max_phrases"),
        ({"verbs": 64, "directions": 8, "max_phrases": 6}, "max_phrases"),
        ({"count": "jump"}, "count"),
        ({"count": ("jump", "jump")}, "count"),
        ({"count": ("hop",)}, "count"),
        ({"count": ("",)}, "count"),
        ({"count": ("jump  left",)}, "count"),
        ({"count": ("turn twice",)}, "count"),
        ({"count": ("jump and",)}, "count"),
        ({"count": ("left U",)}, "count"),
        ({"count": (7,)}, "count"),
        ({"count": ("left thrice",), "repeats": 1}, "count"),
    ],
)
def test_params_are_checked(params: dict[str, Any], name: str) -> None:
    with pytest.raises(ParamError, match=f"^{name}="):
        Scan(**params)


@pytest.mark.parametrize("scan", [Scan(), Scan(5, 3, 4, 5, 1, 3), Scan(2, 1, 0, 0, 1, 1)])
def test_instructions_explain_the_words_in_use_and_no_others(scan: Scan) -> None:
    texts = scan.render(
        drawn(scan, 1_000 if scan.space > 1_000 else None), Render("instruction", "none")
    )
    first = {}
    for name, prompt in zip(texts.templates.to_pylist(), texts.prompts.to_pylist(), strict=True):
        rules, command = prompt.rsplit("\n\n`", 1)
        assert command.endswith("`")
        first[name] = rules
    words = ["opposite", "around", "across", "past", "beyond"]
    for rules in first.values():
        found = set(
            rules.replace(";", " ").replace(",", " ").replace(":", " ").replace("(", " ").split()
        )
        assert {word for word in words if word in found} == set(words[: scan.manners])
        assert {word for word in repeats() if word in found} == set(repeats()[: scan.repeats])
        assert ("after" in found and "and" in found) or scan.max_phrases == 1
        assert "left" in rules
        assert "I_TURN_" in rules
    if scan.space > 100:
        assert len(first) == 6
        assert len(set(first.values())) == 6


VERBS = ("walk", "look", "run", "jump", "crawl", "hop", "swim", "climb", "dig", "rest")
VERDICTS = Verdicts("scan")
accepts = VERDICTS.accepts
EXTENDED = {
    "jump and walk and run": "I_JUMP I_WALK I_RUN",
    "jump after walk and run": "I_WALK I_JUMP I_RUN",
    "jump and walk after run": "I_RUN I_JUMP I_WALK",
    "jump after walk after run": "I_RUN I_WALK I_JUMP",
    "hop across up": "I_TURN_UP I_HOP I_TURN_UP I_HOP",
    "turn across down": "I_TURN_DOWN I_TURN_DOWN",
    "swim past north": "I_SWIM I_TURN_NORTH I_SWIM",
    "turn past south": "I_TURN_SOUTH",
    "rest beyond east": "I_TURN_EAST I_REST I_REST",
    "turn beyond west": "I_TURN_WEST",
    "clap fourfold": "I_CLAP I_CLAP I_CLAP I_CLAP",
    "look fivefold": " ".join(["I_LOOK"] * 5),
    "look sixfold": " ".join(["I_LOOK"] * 6),
    "look sevenfold": " ".join(["I_LOOK"] * 7),
    "look eightfold": " ".join(["I_LOOK"] * 8),
    "turn up ninefold": " ".join(["I_TURN_UP"] * 9),
}
MALFORMED = [
    *(command for command in language.REJECTED if command not in EXTENDED),
    *("", " ", "`", "``", "and", "after", "left", "twice", "around", "around left", "jump and"),
    *("and jump", "jump and and walk", "jump and after walk", "jump twice left", "jump left right"),
    *("jump around", "jump around twice", "jump opposite around left", "jump around opposite left"),
    *("turn around", "turn opposite twice left", "walk walk", "turn jump", "jump turn left"),
    *(" jump", "jump ", "jump  twice", "jump\ttwice", "jump\n", "\njump", "jump\x00", "Jump"),
    *("JUMP", "jumps", "jum", "jumptwice", "jump, walk", "jump left.", "jump lefts", "jump lef"),
    *("jump twice twice", "jump twice after", "I_JUMP", "turn left around", "jump opposite", "é"),
    *("hop up fold", "tenfold", "jump onefold", "jump forward", "jump twice and", "jump then walk"),
    *("(jump)", "jump and (walk)", "jump `left`x", "`jump", "jump`", "jump` twice", "jump ` twice"),
]


@pytest.mark.parametrize(
    ("command", "actions"),
    [*language.WORKED.items(), *EXTENDED.items()],
    ids=lambda text: text[:40],
)
def test_worked_examples_are_verified(command: str, actions: str) -> None:
    right = language.spelt(actions)
    assert accepts(command, right)
    assert accepts(f"Some `rules`.\n\n`{command}`", right)
    done = right.split(" ")
    wrong = [
        *("", " ", right + " ", " " + right, right + "\n", right[:-1], right + "X", right.lower()),
        *(f"{right} {done[0]}", " ".join(done[1:]), " ".join(done[:-1]), right.replace(" ", "  ")),
        *(right.replace("LEFT", "RIGHT") + "_", right.replace("I_", "", 1), right + "\x00"),
        *(" ".join([*done[:i], "I_FLY", *done[i + 1 :]]) for i in range(len(done))),
    ]
    for answer in wrong:
        if answer != right:
            assert not accepts(command, answer), answer


@pytest.mark.parametrize("command", MALFORMED)
def test_what_is_not_a_command_has_no_right_answer(command: str) -> None:
    answers = ["", " ", "None", "I_JUMP", "I_JUMP I_JUMP", "I_TURN_LEFT I_JUMP", "I_WALK", command]
    for answer in answers:
        assert not accepts(command, answer)
        assert not accepts(f"`{command}`", answer) or command in ("jump`", "`jump")
    assert not accepts(command, "I_JUMP", "jump = I_JUMP")


def test_the_command_is_between_the_last_two_backticks() -> None:
    assert accepts("`walk` and then `jump`", "I_JUMP")
    assert accepts("`jump` is the command", "I_JUMP")
    assert not accepts("`jump", "I_JUMP")
    assert not accepts("```jump", "I_JUMP")
    assert accepts("jump", "I_JUMP")


def test_steps_are_replayed_line_by_line() -> None:
    prompt = "look left twice after turn around right"
    around, look = " ".join(["I_TURN_RIGHT"] * 4), "I_TURN_LEFT I_LOOK"
    lines = [
        "look = I_LOOK",
        f"look left = {look}",
        f"look left twice = {look} {look}",
        f"turn around right = {around}",
        f"{prompt} = {around} {look} {look}",
    ]
    answer, right = lines[-1].split(" = ")[1], "\n".join(lines)
    assert accepts(prompt, answer, right)
    assert accepts(f"Rules.\n\n`{prompt}`", answer, right)
    assert accepts(prompt, answer, None)
    for i in range(5):
        assert not accepts(prompt, answer, "\n".join(lines[:i] + lines[i + 1 :]))
        assert not accepts(prompt, answer, "\n".join(lines[: i + 1] + lines[i:]))
        for other in (f"{lines[i]} ", f" {lines[i]}", f"{lines[i]} I_LOOK", lines[i][:-1], "x"):
            assert not accepts(prompt, answer, "\n".join([*lines[:i], other, *lines[i + 1 :]]))
    for text in ("", "\n", right + "\n", "\n" + right, right.replace(" = ", "="), lines[-1]):
        assert not accepts(prompt, answer, text)
    assert not accepts(prompt, answer + " I_LOOK", right)
    assert not accepts("look left", look, right)


SOUP = ("jump", "walk", "turn", "left", "right", "opposite", "around", "twice", "and", "after", "x")
PHRASE = "(?:(?:jump|walk)|(?:jump|walk|turn)(?: opposite| around)? (?:left|right))(?: twice)?"


@settings(max_examples=400)
@given(st.lists(st.sampled_from(SOUP), min_size=1, max_size=9))
def test_exactly_the_commands_are_accepted(soup: list[str]) -> None:
    command = " ".join(soup)
    is_command = re.fullmatch(f"{PHRASE}(?: (?:and|after) {PHRASE})*", command) is not None
    answer = " ".join(language.actions(command)) if is_command else "I_JUMP"
    assert accepts(command, answer) == is_command


def test_long_commands_are_followed() -> None:
    n = 3_000
    command = "jump" + " after walk" * n
    answer = " ".join(["I_WALK"] * n + ["I_JUMP"])
    with bounded():
        assert accepts(command, answer)
        assert not accepts(command, answer.replace("I_JUMP", "I_LOOK"))
        assert not accepts(command, answer, "jump = I_JUMP\nwalk = I_WALK\n" * 2_000)
