"""The rewriting verifier: worked examples, malformed and hostile text, check and oracle alike."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bounded import bounded
from tests.families.verdicts import Verdicts, strings

VERDICTS = Verdicts("rewrite")
both, followed = VERDICTS.both, VERDICTS.accepts
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
    *("a > b | á", "a > b | a\x00", "1 > b | a", "a < b | a", "a - b | a", "a > b / a"),
    "{ > b | a",
]


@pytest.mark.parametrize("prompt", WORKED)
def test_worked_examples(prompt: str) -> None:
    right, steps = WORKED[prompt]
    for text in (prompt, f"Some `rules`.\n\n`{prompt}`", f"`{prompt}` is it"):
        assert both(text, right) == [True, True]
        assert followed(text, right, steps)
        assert followed(text, right, None)
    wrong = {right + "a", right + " ", " " + right, right.upper() + "A", right + "\n", right + "_"}
    wrong |= {right[:i] + "q" + right[i + 1 :] for i in range(len(right))}
    wrong |= {right[:i] + right[i + 1 :] for i in range(len(right))}
    for answer in wrong:
        assert both(prompt, answer) == [False, False], answer
    changed = {steps[:i] + end + steps[i + 1 :] for i in range(len(steps)) for end in ("", "~")}
    changed |= {"", "none", f"0{steps}", f" {steps}", steps + "\n", f"{steps}\n{steps}"}
    for text in changed - {steps}:
        assert not followed(prompt, right, text), text


def test_further_occurrences_are_not_replaced() -> None:
    assert both("aa > b | aaaa", "bb") == [False, False]
    assert both("aa > b | aaaa", "aab") == [False, False]
    assert not followed("aa > b | aaaa", "baa", "2: aa[aa]\naa[b]")
    assert not followed("aa > b | caacaa", "cbcaa", "4: caac[aa]\ncaac[b]")


@pytest.mark.parametrize("prompt", MALFORMED)
def test_malformed_problems_have_no_right_answer(prompt: str) -> None:
    for answer in ("", " ", "a", "b", "_", "None", "none", prompt):
        assert both(prompt, answer) == [False, False]
        assert both(f"`{prompt}`", answer) == [False, False]
        assert not followed(prompt, answer, "none")


@settings(max_examples=200, deadline=None)
@given(st.text("ab", min_size=7, max_size=18), st.lists(st.integers(1, 18), min_size=1, max_size=8))
def test_long_left_sides_are_found_behind_parts_of_them(lhs: str, cuts: list[int]) -> None:
    string = "".join(lhs[:cut] for cut in cuts)
    prompt = f"{lhs} > c | {string}"
    assert both(prompt, string.replace(lhs, "c", 1)) == [True, True]
    assert both(prompt, string) == [lhs not in string] * 2


def test_long_and_repetitive_text_takes_linear_time() -> None:
    half = "a" * 400_000
    prompts = strings(f"{half}b > c | {half}{half}", f"{half} > _ | {half}b", "`" * 800_000)
    answers = strings(half + half, "b", "")
    VERDICTS.verifier.check(prompts[:1], answers[:1], None)
    with bounded(10.0):
        assert VERDICTS.verifier.check(prompts, answers, answers).tolist() == [False, False, False]
        assert VERDICTS.verifier.check(prompts, answers, None).tolist() == [True, True, False]
