"""The verifier of the string systems: worked examples, malformed text, steps, hostile input."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.contract import Render, Verifier
from synthgen.core.randomness import Rows
from synthgen.generators import _systems_rules as systems
from synthgen.generators.string_systems import StringSystems
from synthgen.verifiers import _systems_words as words
from synthgen.verifiers._systems_exact import exact_result
from synthgen.verifiers.string_systems import VERIFIER
from tests.bounded import bounded

SIGNS = {number: rule[words.SIGNS] for number, rule in words.RULES.items()}
WORKED = {
    "ab*>ca* | abb": "cab",
    "*ac>*cb | bac": "bcb",
    "bc*>*aa | bcb": "baa",
    "*bb>* | abbbb": "a",
    "*bb>* | bb": "",
    "cb*?>aa* | cbab": "aaa",
    "cb*?>aa* | cb": "aa",
    "ca*>bb*c | cab": "bbbc",
    "*cc>a*b | bcc": "abb",
    "aa*>a* | aaab": "ab",
    "*abc*>*cab* | babcabc": "bccabab",
    "*bca*>** | abcabca": "a",
    "*ba>*ab | cba": "cab",
    "cc*>* | ccccb": "b",
    "*acb*>*bca* | acba": "bcaa",
    "*ca>*c | bca": "bc",
    "bb*>b* | bbba": "ba",
    "*aa>*cc | baa": "bcc",
    ".*ca*>.** | acaca": "a",
    ".*ca*>.** | caca": "ca",
    "even-b>*ab | bab": "babab",
    "over-15>-mid | abcabcabcabcabcab": "abcabcabbcabcab",
    "ac*>zz* | acb": "zzb",
    "ac*>zz* | xyz": "xyz",
    "*ac>*cb bc*>*aa ca*>bb*c bb*>b* *aa>*cc | bcb": "bbcb",
    "*ac>*cb bc*>*aa ca*>bb*c bb*>b* *aa>*cc | bbbcb": "bbac",
    "A::B | B# A# #B #A B#": "B#",
    "A::B | A# #A": "",
    "A::B | A# #B #A": "#B",
    "A::B | #A A#": "#A A#",
    "insertion | ABCDEABCD": "ABCDAEABCED",
    "insertion | DEABCDEA": "DEABDCDEAC",
    "insertion | XYZ": "XYZ",
}
MALFORMED = [
    *("", " ", "`", "|", " | ", "ab", "ab*>ca*", "ab*>ca* |", "ab*>ca* | ", "ab*>ca* |ab"),
    *("ab*>ca*| ab", " ab*>ca* | ab", "ab*>ca* | ab ", "ab*>ca*  | ab", "ab*>ca* | ab | ab"),
    *("ab*>ca* ab*>ca* | ab", "ab*>ba* | ab", "1 | ab", "ab*>ca*,aa*>a* | ab", "ab*>ca* | Ab"),
    *("A::B | ab", "A::B | ABCD", "A::B | A#", "A::B | C#", "A::B | A#  #A", "A::B | A# ", "A::B"),
    *("A::B | A##A", "a::b | A# #A", "insertion | A# #A", "insertion | ab", "insertion | ABCDé"),
    *("ab*>ca* | A# #A", "ab*>ca* | ABCD", "insertion ABCD", "insertion | AB CD", "ABCDE", "A# #A"),
    *("begins with ab: exchange this ab for ca | abb", "| ab", "  | ab"),
]
MALFORMED.remove("A::B | A#")


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


def told(rules: list[int], text: str) -> str:
    """An instruction with these rules."""
    lines = [f"{i + 1}. {words.RULES[number][1]}" for i, number in enumerate(rules)]
    return "\n".join(["Some rules. A string that", *lines, "", f"`{text}`"])


def test_it_is_a_verifier() -> None:
    assert isinstance(VERIFIER, Verifier)
    assert VERIFIER.check(strings(), strings(), None).shape == (0,)
    assert VERIFIER.symbolic(strings(), strings()).shape == (0,)
    assert VERIFIER.grade(" abc\n", "abc") == 1.0
    assert VERIFIER.grade("abd", "abc") == 0.0


def test_its_rules_are_those_of_the_generator() -> None:
    """Two lists, made apart: a rule that is told otherwise in one of them is found here."""
    assert list(words.RULES.values()) == [(rule.notation, rule.words) for rule in systems.BANK]
    assert len({form for rule in words.RULES.values() for form in rule}) == 2 * words.N_RULES


@pytest.mark.parametrize(("prompt", "answer"), WORKED.items())
def test_worked_examples(prompt: str, answer: str) -> None:
    assert both(prompt, answer) == [True, True]
    assert both(f"Some `rules`.\n\n`{prompt}`", answer) == [True, True]
    rules, text = prompt.split(" | ")
    numbers = {sign: number for number, sign in SIGNS.items()}
    if rules in ("A::B", "insertion"):
        assert both(f"Do it.\n\n`{text}`", answer) == [True, True]
    else:
        listed = [numbers[sign] for sign in rules.split(" ")]
        assert both(told(listed, text), answer) == [True, True]
    for other in (answer + "a", "a" + answer, answer[:-1], answer.swapcase(), answer + " ", " "):
        if other != answer:
            assert both(prompt, other) == [False, False], other


@pytest.mark.parametrize("prompt", MALFORMED)
def test_what_is_no_problem_has_no_right_answer(prompt: str) -> None:
    for answer in ("", " ", "ab", "ca", "cab", "A# #A", "A#", "ABCDA", "ABCDE", prompt):
        assert both(prompt, answer) == [False, False]
        assert not replayed(prompt, answer, "start: ab\nend")


def test_instructions_must_number_their_rules_from_one() -> None:
    good = told([8, 1, 20], "aab")
    assert both(good, "ca") == [True, True]
    changes = [
        good.replace("1. ", "2. "),
        good.replace("2. ", "3. "),
        good.replace("1. ", "01. "),
        good.replace("1. ", "1."),
        good.replace("1. ", "1.  "),
        good.replace("3. begins", "3. Begins"),
        good.replace("3. ", "2. "),
        good.replace("begins with ac: exchange this ac for zz", "aa*>a*"),
        good.replace(words.RULES[20][1], words.RULES[8][1]),
        good.replace("aab", "aab "),
        "`aab`",
    ]
    for change in changes:
        assert change != good
        assert both(change, "ca") == [False, False], change
        assert both(change, "aab") == [False, False], change
    assert both("1984.\n1234. x\n" + good, "ca") == [True, True]


def test_steps_are_replayed_line_by_line() -> None:
    rows = [
        ("aa*>a* ab*>ca* | aaab", "ca", ["start: aaab", "1: aab", "1: ab", "2: ca", "end"]),
        (
            "*ac>*cb bc*>*aa ca*>bb*c bb*>b* *aa>*cc | bcb",
            "bbcb",
            ["start: bcb", "2: baa", "5: bcc", "2: caa", "3: bbac", "1: bbcb", "4: bcb again"],
        ),
        ("*bb>* | bb", "", ["start: bb", "1: (empty)", "end"]),
        (
            "A::B | B# A# #B #A B#",
            "B#",
            [
                *("start: B# A# #B #A B#", "A# #B: B# #B A# #A B#", "B# #B: A# #A B#"),
                *("A# #A: B#", "end"),
            ],
        ),
        ("A::B | A# #A", "", ["start: A# #A", "A# #A: (empty)", "end"]),
        (
            "insertion | XABCDEABC",
            "XABCDAEABCE",
            ["start: XABCDEABC", "ABCD: XABCDAEABC", "EABC: XABCDAEABCE", "end"],
        ),
    ]
    for prompt, answer, lines in rows:
        right = "\n".join(lines)
        assert replayed(prompt, answer, right)
        assert replayed(prompt, answer, None)
        for i in range(len(lines)):
            assert not replayed(prompt, answer, "\n".join(lines[:i] + lines[i + 1 :]))
            assert not replayed(prompt, answer, "\n".join(lines[: i + 1] + lines[i:]))
            for other in (lines[i] + " ", " " + lines[i], lines[i] + "x", lines[i][:-1], "x"):
                assert not replayed(prompt, answer, "\n".join([*lines[:i], other, *lines[i + 1 :]]))
        for text in ("", "\n", right + "\n", "\n" + right, right.replace(": ", ":"), right[:-4]):
            assert not replayed(prompt, answer, text)
        assert not replayed(prompt, answer + "x", right)


def test_rules_from_the_tenth_on_have_two_digits() -> None:
    order = [3, 5, 6, 8, 12, 15, 20, 2, 4, 7, 11, 1]
    prompt = f"{' '.join(SIGNS[n] for n in order)} | abc"
    lines = ["start: abc", "12: cac", "3: bbcc", "6: bcc", "1: caa", "3: bbac", "6: bac"]
    lines += ["8: bcb", "1: baa", "end"]
    assert replayed(prompt, "baa", "\n".join(lines))
    assert not replayed(prompt, "baa", "\n".join(lines).replace("12: ", "2: "))
    assert not replayed(prompt, "baa", "\n".join(lines).replace("12: ", "22: "))


@settings(max_examples=300)
@given(st.data())
def test_both_checks_agree_on_any_list_and_string(data: st.DataObject) -> None:
    rules = data.draw(st.lists(st.integers(1, 20), min_size=1, max_size=12, unique=True))
    text = data.draw(st.text("abcz", min_size=1, max_size=20))
    for prompt in (f"{' '.join(SIGNS[n] for n in rules)} | {text}", told(rules, text)):
        answer = exact_result(prompt)
        assert answer is not None
        assert both(prompt, answer) == [True, True]
        assert both(prompt, answer + "a") == [False, False]


@settings(max_examples=200)
@given(st.text("ABCDE", min_size=1, max_size=30), st.lists(st.sampled_from(systems.TOKENS)))
def test_both_checks_agree_on_tokens_and_letters(text: str, tokens: list[str]) -> None:
    for prompt in (f"insertion | {text}", f"A::B | {' '.join([*tokens, 'A#'])}"):
        answer = exact_result(prompt)
        assert answer is not None
        assert both(prompt, answer) == [True, True]


@settings(max_examples=200)
@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_any_text_gets_an_answer(prompt: str, answer: str, solution: str) -> None:
    assert both(prompt, answer) == [False, False] or "`" in prompt
    inside = f"`{prompt}`"
    assert both(inside, answer) == [False, False] or re.fullmatch("[A-Z]+", prompt)
    assert not replayed("ab*>ca* | abb", "cab", solution)


@settings(max_examples=90)
@given(st.data())
def test_any_change_of_a_row_is_found(data: st.DataObject) -> None:
    system = data.draw(st.sampled_from(systems.SYSTEMS))
    generator = StringSystems(system, follow=0.7 if system == "insertion" else 0.0)
    problems = generator.draw(Rows.span(3, data.draw(st.integers(0, 999)), 1_000))
    first = Rows(3, problems.rows.addresses[problems.valid][:1])
    texts = generator.render(generator.draw(first), Render("instruction", "steps"))
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
            elif other != answer:
                assert both(prompt, other) == [False, False]


@pytest.mark.parametrize(
    "text",
    [
        "a" * 200_000,
        "A" * 200_000,
        "`" * 200_000,
        " " * 200_000,
        "|" * 200_000,
        "ab*>ca* " * 30_000,
        "A# #B " * 30_000,
        "1. x\n" * 40_000,
        "even-b>*ab aa*>a* | " + "ab" * 100_000,
        "over-15>-mid | " + "ab" * 100_000,
        "A::B | " + " ".join(["A#"] * 40_000 + ["#B"] * 40_000),
    ],
    ids=lambda text: text[:6],
)
def test_long_nonsense_is_refused_in_bounded_time(text: str) -> None:
    with bounded():
        assert both(text, "ab") == [False, False]
        assert both("ab*>ca* | abb", text) == [False, False]
        assert not replayed("ab*>ca* | abb", "cab", text)


def test_sliced_columns_and_nulls() -> None:
    prompts = strings("aa*>a* | aa", "insertion | ABCD", "A::B | A# #B")
    answers = strings("x", "ABCDA", "#B A#")
    steps = strings("", None, "start: A# #B\nA# #B: #B A#\nend")
    assert VERIFIER.check(prompts, answers, steps).tolist() == [False, True, True]
    window = slice(1, 3)
    right = VERIFIER.check(prompts[window], answers[window], steps[window])
    assert right.tolist() == [True, True]
