"""The SCAN verifier: published examples, malformed text, and its two checks against each other."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bounded import bounded
from tests.families.scan import oracle
from tests.families.verdicts import Verdicts

VERBS = ("walk", "look", "run", "jump", "crawl", "hop", "swim", "climb", "dig", "rest")
VERDICTS = Verdicts("scan")
both, replayed = VERDICTS.both, VERDICTS.accepts
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
    *(command for command in oracle.REJECTED if command not in EXTENDED),
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
    ("command", "actions"), [*oracle.WORKED.items(), *EXTENDED.items()], ids=lambda text: text[:40]
)
def test_worked_examples(command: str, actions: str) -> None:
    right = oracle.spelt(actions)
    assert both(command, right) == [True, True]
    assert both(f"Some `rules`.\n\n`{command}`", right) == [True, True]
    done = right.split(" ")
    wrong = [
        *("", " ", right + " ", " " + right, right + "\n", right[:-1], right + "X", right.lower()),
        *(f"{right} {done[0]}", " ".join(done[1:]), " ".join(done[:-1]), right.replace(" ", "  ")),
        *(right.replace("LEFT", "RIGHT") + "_", right.replace("I_", "", 1), right + "\x00"),
        *(" ".join([*done[:i], "I_FLY", *done[i + 1 :]]) for i in range(len(done))),
    ]
    for answer in wrong:
        if answer != right:
            assert both(command, answer) == [False, False], answer


@pytest.mark.parametrize("command", MALFORMED)
def test_what_is_not_a_command_has_no_right_answer(command: str) -> None:
    answers = ["", " ", "None", "I_JUMP", "I_JUMP I_JUMP", "I_TURN_LEFT I_JUMP", "I_WALK", command]
    for answer in answers:
        assert both(command, answer) == [False, False]
        assert both(f"`{command}`", answer) == [False, False] or command in ("jump`", "`jump")
    assert not replayed(command, "I_JUMP", "jump = I_JUMP")


def test_the_command_is_between_the_last_two_backticks() -> None:
    assert both("`walk` and then `jump`", "I_JUMP") == [True, True]
    assert both("`jump` is the command", "I_JUMP") == [True, True]
    assert both("`jump", "I_JUMP") == [False, False]
    assert both("```jump", "I_JUMP") == [False, False]
    assert both("jump", "I_JUMP") == [True, True]


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
    assert replayed(prompt, answer, right)
    assert replayed(f"Rules.\n\n`{prompt}`", answer, right)
    assert replayed(prompt, answer, None)
    for i in range(5):
        assert not replayed(prompt, answer, "\n".join(lines[:i] + lines[i + 1 :]))
        assert not replayed(prompt, answer, "\n".join(lines[: i + 1] + lines[i:]))
        for other in (f"{lines[i]} ", f" {lines[i]}", f"{lines[i]} I_LOOK", lines[i][:-1], "x"):
            assert not replayed(prompt, answer, "\n".join([*lines[:i], other, *lines[i + 1 :]]))
    for text in ("", "\n", right + "\n", "\n" + right, right.replace(" = ", "="), lines[-1]):
        assert not replayed(prompt, answer, text)
    assert not replayed(prompt, answer + " I_LOOK", right)
    assert not replayed("look left", look, right)


SOUP = ("jump", "walk", "turn", "left", "right", "opposite", "around", "twice", "and", "after", "x")
PHRASE = "(?:(?:jump|walk)|(?:jump|walk|turn)(?: opposite| around)? (?:left|right))(?: twice)?"


@settings(max_examples=400)
@given(st.lists(st.sampled_from(SOUP), min_size=1, max_size=9))
def test_both_checks_accept_exactly_the_commands(soup: list[str]) -> None:
    command = " ".join(soup)
    is_command = re.fullmatch(f"{PHRASE}(?: (?:and|after) {PHRASE})*", command) is not None
    answer = " ".join(oracle.actions(command)) if is_command else "I_JUMP"
    assert both(command, answer) == [is_command] * 2


def test_long_commands_are_followed() -> None:
    n = 3_000
    command = "jump" + " after walk" * n
    answer = " ".join(["I_WALK"] * n + ["I_JUMP"])
    with bounded():
        assert both(command, answer) == [True, True]
        assert both(command, answer.replace("I_JUMP", "I_LOOK")) == [False, False]
        assert not replayed(command, answer, "jump = I_JUMP\nwalk = I_WALK\n" * 2_000)
