"""The SCAN verifier: published examples, malformed text, and its two checks against each other."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.contract import Render, Verifier
from synthgen.core.randomness import Rows
from synthgen.generators import _scan_language as language
from synthgen.generators.scan import Scan
from synthgen.verifiers import _scan_words as words
from synthgen.verifiers._scan_exact import exact_actions
from synthgen.verifiers.scan import VERIFIER
from tests.bounded import bounded
from tests.generators import scan_oracle as oracle

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


def strings(*texts: str | None) -> pa.StringArray:
    return pa.array(texts, pa.string())


def both(prompt: str, answer: str) -> list[bool]:
    """What the compiled and the slow check say."""
    return [
        bool(VERIFIER.check(strings(prompt), strings(answer), None)[0]),
        bool(VERIFIER.symbolic(strings(prompt), strings(answer))[0]),
    ]


def replayed(prompt: str, answer: str, solution: str | None) -> bool:
    return bool(VERIFIER.check(strings(prompt), strings(answer), strings(solution))[0])


def test_it_is_a_verifier() -> None:
    assert isinstance(VERIFIER, Verifier)
    assert VERIFIER.check(strings(), strings(), None).shape == (0,)
    assert VERIFIER.check(strings(), strings(), strings()).shape == (0,)
    assert VERIFIER.symbolic(strings(), strings()).shape == (0,)


def test_its_words_are_those_of_the_generator() -> None:
    """Two lists, made apart: a word that one of them lacks is found here."""
    assert words.ACTING == language.VERBS
    assert words.WAYS == language.DIRECTIONS
    assert words.TIMES == language.REPEATS
    patterns = {path: "".join("AT"[s] for s in steps) for path, steps in words.PATHS.items()}
    assert patterns == language.MANNERS
    every = [*words.ACTING, *words.WAYS, *words.TIMES, *words.PATHS, "turn", "and", "after"]
    assert len(set(every)) == len(every)


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
def test_what_is_no_command_has_no_right_answer(command: str) -> None:
    answers = ["", " ", "None", "I_JUMP", "I_JUMP I_JUMP", "I_TURN_LEFT I_JUMP", "I_WALK", command]
    for answer in answers:
        assert both(command, answer) == [False, False]
        assert both(f"`{command}`", answer) == [False, False] or command in ("jump`", "`jump")
    assert not replayed(command, "I_JUMP", "jump = I_JUMP")


def test_the_command_stands_between_the_last_two_backticks() -> None:
    assert both("`walk` and then `jump`", "I_JUMP") == [True, True]
    assert both("`jump` is the command", "I_JUMP") == [True, True]
    assert both("`jump", "I_JUMP") == [False, False]
    assert both("```jump", "I_JUMP") == [False, False]
    assert both("jump", "I_JUMP") == [True, True]


def test_every_command_of_the_language() -> None:
    commands = oracle.commands()[::3]
    answers = [" ".join(oracle.actions(command)) for command in commands]
    assert VERIFIER.check(strings(*commands), strings(*answers), None).all()
    assert VERIFIER.symbolic(strings(*commands), strings(*answers)).all()
    shifted = [*answers[1:], answers[0]]
    wrong = [one != other for one, other in zip(answers, shifted, strict=True)]
    assert (VERIFIER.check(strings(*commands), strings(*shifted), None) != wrong).all()


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


SOUP = (
    *("jump", "walk", "hop", "turn", "left", "right", "up", "opposite", "around", "past"),
    *("twice", "ninefold", "and", "after", "x"),
)


@settings(max_examples=400)
@given(st.lists(st.sampled_from(SOUP), min_size=1, max_size=9))
def test_both_checks_accept_the_same_texts(soup: list[str]) -> None:
    command = " ".join(soup)
    actions = exact_actions(command)
    answer = "" if actions is None else actions
    assert both(command, answer) == [actions is not None] * 2


@settings(max_examples=150)
@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_any_text_gets_an_answer(prompt: str, answer: str, solution: str) -> None:
    assert both(prompt, answer) == [False, False] or prompt.strip("`") in language.VERBS
    assert both(f"`{prompt}`", answer) == [False, False] or prompt in language.VERBS
    assert not replayed("jump left", "I_TURN_LEFT I_JUMP", solution)


@settings(max_examples=60)
@given(st.data())
def test_any_change_of_a_row_is_found(data: st.DataObject) -> None:
    scan = Scan(verbs=8, directions=4, manners=5, repeats=4, max_phrases=3)
    address = data.draw(st.integers(0, scan.space - 1))
    rows = Rows(3, pa.array([address], pa.uint64()).to_numpy())
    texts = scan.render(scan.draw(rows), Render("bare", "steps"))
    prompt, answer, steps = (
        column[0].as_py() for column in (texts.prompts, texts.answers, texts.solutions)
    )
    assert replayed(prompt, answer, steps)
    for text, is_steps in ((answer, False), (steps, True)):
        at = data.draw(st.integers(0, len(text) - 1))
        char = data.draw(st.characters(codec="ascii").filter(lambda c: c != text[at]))  # noqa: B023
        for other in (text[:at] + char + text[at + 1 :], text[:at] + text[at + 1 :]):
            if is_steps:
                assert not replayed(prompt, answer, other)
            else:
                assert both(prompt, other) == [False, False]


@pytest.mark.parametrize(
    "text",
    [
        "jump " * 40_000,
        "jump and " * 20_000 + "x",
        "jump ninefold after " * 10_000,
        " " * 200_000,
        "`" * 200_000,
        "a" * 200_000,
        "turn around left ninefold and " * 9_000 + "turn",
    ],
    ids=lambda text: text[:6],
)
def test_long_nonsense_is_refused_in_bounded_time(text: str) -> None:
    with bounded():
        assert both(text, "I_JUMP") == [False, False]
        assert both("jump", text) == [False, False]
        assert not replayed("jump", "I_JUMP", text)


def test_long_commands_are_followed() -> None:
    n = 3_000
    command = "jump" + " after walk" * n
    answer = " ".join(["I_WALK"] * n + ["I_JUMP"])
    with bounded():
        assert both(command, answer) == [True, True]
        assert both(command, answer.replace("I_JUMP", "I_LOOK")) == [False, False]
        assert not replayed(command, answer, "jump = I_JUMP\nwalk = I_WALK\n" * 2_000)


def test_sliced_columns_and_nulls() -> None:
    prompts, answers = strings("walk", "jump", "jump left"), strings("I_X", "I_JUMP", "I_TURN_LEFT")
    steps = strings("", None, "jump = I_JUMP")
    assert VERIFIER.check(prompts, answers, steps).tolist() == [False, True, False]
    window = slice(1, 3)
    right = VERIFIER.check(prompts[window], answers[window], steps[window])
    assert right.tolist() == [True, False]


@pytest.mark.parametrize(
    ("prediction", "expected"),
    [
        ("I_JUMP I_RUN", 1.0),
        (" I_JUMP I_RUN\n", 1.0),
        ("I_JUMP  I_RUN", 0.0),
        ("I_RUN I_JUMP", 0.0),
        ("The answer is I_JUMP I_RUN", 0.0),
        ("I_JUMP", 0.0),
        ("", 0.0),
    ],
)
def test_grading(prediction: str, expected: float) -> None:
    assert VERIFIER.grade(prediction, "I_JUMP I_RUN") == expected
