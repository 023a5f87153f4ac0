"""The rewriting verifier: worked examples, malformed text, hostile text, and both checks alike."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from synthgen.core.contract import Verifier
from synthgen.verifiers.rewrite import VERIFIER
from tests.bounded import bounded

WORKED = {
    "aa > bac | caaba": ("cbacba", "1: c[aa]ba\nc[bac]ba"),
    "iss > art | mississippi": ("martissippi", "1: m[iss]issippi\nm[art]issippi"),
    "iss > art | canada": ("canada", "none"),
    "aa > b | aaaa": ("baa", "0: [aa]aa\n[b]aa"),
    "abab > c | abaabababab": ("abacabab", "3: aba[abab]abab\naba[c]abab"),
    "a > _ | bab": ("bb", "1: b[a]b\nb[]b"),
    "ab > _ | ab": ("", "0: [ab]\n[]"),
    "z > a | " + "y" * 12 + "z": ("y" * 12 + "a", f"12: {'y' * 12}[z]\n{'y' * 12}[a]"),
    "abc > x | ab": ("ab", "none"),
    "x > x | x": ("x", "0: [x]\n[x]"),
}
MALFORMED = [
    *("", " ", "`", "a", "a > b", "a > b |", "a > b | ", " > b | a", "a >  | a", "a > b c | a"),
    *("a > b | a ", " a > b | a", "a > b  | a", "a  > b | a", "a >b | a", "a> b | a", "a > b| a"),
    *("a > b |a", "A > b | a", "a > B | a", "a > b | A", "_ > b | a", "a > b | _", "a > __ | a"),
    *("a > _b | a", "a > b_ | a", "a > b | a\n", "a\t> b | a", "a > b | a | a", "a > b > c | a"),
    *(
        "a > b | á",
        "a > b | a\x00",
        "1 > b | a",
        "a < b | a",
        "a - b | a",
        "a > b / a",
        "{ > b | a",
    ),
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
    assert VERIFIER.grade(" cbacba\n", "cbacba") == 1.0
    assert VERIFIER.grade("cbacb", "cbacba") == 0.0


@pytest.mark.parametrize("prompt", WORKED)
def test_worked_examples(prompt: str) -> None:
    right, steps = WORKED[prompt]
    for text in (prompt, f"Some `rules`.\n\n`{prompt}`", f"`{prompt}` is it"):
        assert both(text, right) == [True, True]
        assert replayed(text, right, steps)
        assert replayed(text, right, None)
    wrong = [right + "a", right + " ", " " + right, right.upper() + "A", right + "\n", right + "_"]
    wrong += [right[:i] + "q" + right[i + 1 :] for i in range(len(right))]
    wrong += [right[:i] + right[i + 1 :] for i in range(len(right))]
    for answer in wrong:
        lhs, rhs, string = prompt.replace(" | ", " > ").split(" > ")
        if answer != string.replace(lhs, rhs.replace("_", ""), 1):
            assert both(prompt, answer) == [False, False], answer
    for i in range(len(steps)):
        for changed in (steps[:i] + steps[i + 1 :], steps[:i] + "~" + steps[i + 1 :]):
            assert changed == steps or not replayed(prompt, right, changed)
    for changed in ("", "none", f"0{steps}", f" {steps}", steps + "\n", f"{steps}\n{steps}"):
        assert changed == steps or not replayed(prompt, right, changed)


def test_further_occurrences_are_not_replaced() -> None:
    assert both("aa > b | aaaa", "bb") == [False, False]
    assert both("aa > b | aaaa", "aab") == [False, False]
    assert not replayed("aa > b | aaaa", "baa", "2: aa[aa]\naa[b]")
    assert not replayed("aa > b | caacaa", "cbcaa", "4: caac[aa]\ncaac[b]")


@pytest.mark.parametrize("prompt", MALFORMED)
def test_what_is_no_problem_has_no_right_answer(prompt: str) -> None:
    for answer in ("", " ", "a", "b", "_", "None", "none", prompt):
        assert both(prompt, answer) == [False, False]
        assert both(f"`{prompt}`", answer) == [False, False]
        assert not replayed(prompt, answer, "none")


@settings(max_examples=300, deadline=None)
@given(
    st.text("ab", min_size=1, max_size=6),
    st.text("ab", max_size=4),
    st.text("ab", min_size=1, max_size=25),
)
@example("aab", "", "aaab")
@example("abaabab", "b", "abaabaabab")
def test_both_checks_find_the_leftmost_place(lhs: str, rhs: str, string: str) -> None:
    prompt = f"{lhs} > {rhs or '_'} | {string}"
    place = next((i for i in range(len(string)) if string.startswith(lhs, i)), None)
    if place is None:
        right, steps = string, "none"
    else:
        before, after = string[:place], string[place + len(lhs) :]
        right = before + rhs + after
        steps = f"{place}: {before}[{lhs}]{after}\n{before}[{rhs}]{after}"
    assert both(prompt, right) == [True, True]
    assert both(prompt, right + "a") == [False, False]
    assert replayed(prompt, right, steps)
    assert not replayed(prompt, right, steps.replace("[", "", 1) + " ")


@settings(max_examples=200, deadline=None)
@given(st.text("ab", min_size=7, max_size=18), st.lists(st.integers(1, 18), min_size=1, max_size=8))
def test_long_left_sides_are_found_behind_parts_of_them(lhs: str, cuts: list[int]) -> None:
    string = "".join(lhs[:cut] for cut in cuts)
    prompt = f"{lhs} > c | {string}"
    assert both(prompt, string.replace(lhs, "c", 1)) == [True, True]
    assert both(prompt, string) == [lhs not in string] * 2


@settings(max_examples=300, deadline=None)
@given(st.text("ab >|_`\n", max_size=14), st.text("ab_ ", max_size=5))
def test_any_text_is_judged_alike(prompt: str, answer: str) -> None:
    assert len(set(both(prompt, answer))) == 1
    replayed(prompt, answer, prompt)


def test_long_and_repetitive_text_takes_no_long_time() -> None:
    half = "a" * 400_000
    prompts = strings(f"{half}b > c | {half}{half}", f"{half} > _ | {half}b", "`" * 800_000)
    answers = strings(half + half, "b", "")
    VERIFIER.check(prompts[:1], answers[:1], None)
    with bounded(10.0):
        assert VERIFIER.check(prompts, answers, answers).tolist() == [False, False, False]
        assert VERIFIER.check(prompts, answers, None).tolist() == [True, True, False]
