"""The verifier of block synthesis: worked examples, other rules, malformed and hostile text."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.contract import Render, Verifier
from synthgen.core.randomness import Rows
from synthgen.generators.block_synthesis import BlockSynthesis
from synthgen.verifiers._blocks_exact import exact_counts
from synthgen.verifiers.block_synthesis import MOST_STEPS, VERIFIER
from tests.bounded import bounded

RULES = "[A][B][C]>{A} [A][B]>{C} [B][C]>{B} [C][C]>{C} {A}{C}>(A)(B) {B}{B}>(C)"
OTHER = "[C][C]>{C} {B}{B}>(C) [B][C]>{B} [A][B]>{C} {A}{C}>(A)(B) [A][B][C]>{A}"
WORKED = {
    f"{RULES} | 3 2 4 0 0 0 0 0 0": "1 0 0 1 0 0 1 1 0",
    f"{OTHER} | 3 2 4 0 0 0 0 0 0": "1 0 0 0 0 4 0 0 0",
    f"{RULES} | 0 0 0 0 0 0 0 0 0": "0 0 0 0 0 0 0 0 0",
    "[A]>[B] | 2 0 0 0 0 0 0 0 1": "0 2 0 0 0 0 0 0 1",
    "(C)>[A][A] [A][A][A]>[B] | 0 0 0 0 0 0 0 0 2": "1 1 0 0 0 0 0 0 0",
}


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
    assert VERIFIER.symbolic(strings(), strings()).shape == (0,)
    assert VERIFIER.grade(" 1 0\n", "1 0") == 1.0
    assert VERIFIER.grade("1 1", "1 0") == 0.0


@pytest.mark.parametrize(("prompt", "answer"), WORKED.items())
def test_worked_examples(prompt: str, answer: str) -> None:
    for text in (prompt, f"Some `rules`.\n\n`{prompt}`"):
        assert both(text, answer) == [True, True]
        assert replayed(text, answer, None)
        for other in ("", " ", answer[:-1], answer + "0", answer + " ", " " + answer, "0" + answer):
            assert both(text, other) == [False, False], other
        assert both(text, answer[:-1] + "7") == [False, False]


def test_steps_are_replayed_line_by_line() -> None:
    prompt, answer = f"{RULES} | 3 2 4 0 0 0 0 0 0", "1 0 0 1 0 0 1 1 0"
    lines = [
        *("start: 3 2 4 0 0 0 0 0 0", "1: 2 1 3 1 0 0 0 0 0", "1: 1 0 2 2 0 0 0 0 0"),
        *("4: 1 0 0 2 0 1 0 0 0", "5: 1 0 0 1 0 0 1 1 0", "end"),
    ]
    right = "\n".join(lines)
    assert replayed(prompt, answer, right)
    for i, line in enumerate(lines):
        assert not replayed(prompt, answer, "\n".join(lines[:i] + lines[i + 1 :]))
        assert not replayed(prompt, answer, "\n".join(lines[: i + 1] + lines[i:]))
        for other in (line + " ", " " + line, line[:-1], line[1:], "0" + line, line + "0", ""):
            assert not replayed(prompt, answer, "\n".join([*lines[:i], other, *lines[i + 1 :]]))
    for text in ("", "end", right + "\n", "\n" + right, right[:-4], right.replace(": ", ":")):
        assert not replayed(prompt, answer, text)


MALFORMED = [
    *("", " ", "`", "|", " | ", RULES, f"{RULES} |", f"{RULES} | ", f"{RULES} | 1 1 1"),
    *(f"{RULES} | 1 0 0 0 0 0 0 0", f"{RULES} | 1 0 0 0 0 0 0 0 0 0", " | 1 0 0 0 0 0 0 0 0"),
    *(f"{RULES} | 01 0 0 0 0 0 0 0 0", f"{RULES} | -1 0 0 0 0 0 0 0 0"),
    *(f"{RULES} | 10000 0 0 0 0 0 0 0 0", f"{RULES} | 1  0 0 0 0 0 0 0 0"),
    *(f" {RULES} | 1 0 0 0 0 0 0 0 0", f"{RULES}  | 1 0 0 0 0 0 0 0 0"),
    *(f"{RULES} | 1 0 0 0 0 0 0 0 0 ", f"{RULES}| 1 0 0 0 0 0 0 0 0"),
    *(f"{rule} | 1 0 0 0 0 0 0 0 0" for rule in ("[A]", "[A]>", ">[A]", "[A>[B]", "[A}>[B]")),
    *(f"{rule} | 1 0 0 0 0 0 0 0 0" for rule in ("[D]>[B]", "[a]>[B]", "[A] >[B]", "[A]>[B],")),
    *(f"{rule} | 1 0 0 0 0 0 0 0 0" for rule in ("[A]>[B]>[C]", "[A]>[B]  [A]>[C]", "A>B")),
    *("[A]>[B] [B]>[A] | 1 0 0 0 0 0 0 0 0", "[A]>[A] | 1 0 0 0 0 0 0 0 0"),
    *("[A]>[A][B] | 1 0 0 0 0 0 0 0 0", f"{'(C)>[A] ' * 33}| 1 0 0 0 0 0 0 0 0"),
]


@pytest.mark.parametrize("prompt", MALFORMED)
def test_what_is_no_problem_or_has_no_end_has_no_right_answer(prompt: str) -> None:
    for answer in ("", " ", "1 0 0 0 0 0 0 0 0", "0 1 0 0 0 0 0 0 0", "1 1 1", prompt):
        assert both(prompt, answer) == [False, False]
        assert not replayed(prompt, answer, "start: 1 0 0 0 0 0 0 0 0\nend")


def test_runs_are_followed_as_far_as_promised() -> None:
    assert both("[A]>[B] | 9999 0 0 0 0 0 0 0 0", "0 9999 0 0 0 0 0 0 0") == [True, True]
    slow = "[A]>[B] [B]>[C] | {} 0 0 0 0 0 0 0 0"
    assert both(slow.format(MOST_STEPS // 2), "0 0 5000 0 0 0 0 0 0") == [True, True]
    assert both(slow.format(MOST_STEPS // 2 + 1), "0 0 5001 0 0 0 0 0 0") == [False, False]


BLOCK = st.sampled_from(["[A]", "[B]", "[C]", "{A}", "{B}", "{C}", "(A)", "(B)", "(C)"])
SIDE = st.lists(BLOCK, min_size=1, max_size=3).map("".join)
RULE = st.tuples(SIDE, SIDE).map(">".join)


@settings(max_examples=60)
@given(
    st.lists(RULE, min_size=1, max_size=5).map(" ".join),
    st.lists(st.integers(0, 9), min_size=9, max_size=9),
)
def test_both_checks_agree_on_any_rules(rules: str, counts: list[int]) -> None:
    prompt = f"{rules} | {' '.join(map(str, counts))}"
    answer = exact_counts(prompt)
    assert both(prompt, answer or "") == [answer is not None] * 2
    assert both(prompt, "0 0 0 0 0 0 0 0 0")[0] == (answer == "0 0 0 0 0 0 0 0 0")


@settings(max_examples=200)
@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_any_text_gets_an_answer(prompt: str, answer: str, solution: str) -> None:
    assert both(prompt, answer) == [False, False]
    assert both(f"`{prompt}`", answer) == [False, False]
    good = next(iter(WORKED))
    assert not replayed(good, WORKED[good], solution)


@settings(max_examples=60)
@given(st.data())
def test_any_change_of_a_row_is_found(data: st.DataObject) -> None:
    kind = BlockSynthesis(data.draw(st.sampled_from(["square", "all"])), 0, 12, shuffled=True)
    problems = kind.draw(Rows.span(3, at := data.draw(st.integers(0, 9_999)), at + 1))
    texts = kind.render(problems, Render("instruction", "steps"))
    assert texts.solutions is not None
    columns = (texts.prompts, texts.answers, texts.solutions)
    prompt, answer, steps = (column[0].as_py() for column in columns)
    assert replayed(prompt, answer, steps)
    for text, is_steps in ((answer, False), (steps, True)):
        place = data.draw(st.integers(0, len(text) - 1))
        char = data.draw(st.characters(codec="ascii").filter(lambda c: c != text[place]))  # noqa: B023
        for other in (text[:place] + char + text[place + 1 :], text[:place] + text[place + 1 :]):
            if is_steps:
                assert not replayed(prompt, answer, other)
            elif other != answer:
                assert both(prompt, other) == [False, False]


@pytest.mark.parametrize(
    "text",
    [
        *("[" * 200_000, "[A]" * 70_000, "`" * 200_000, " " * 200_000, "1 " * 100_000),
        *("[A]>[B] " * 25_000, f"{RULES} | " + "9" * 100_000, "[A]>" + "(B)" * 60_000),
        "[A]>" + "[A]" * 50_000 + " | 9999 0 0 0 0 0 0 0 0",
    ],
    ids=lambda text: text[:12],
)
def test_long_nonsense_is_refused_in_bounded_time(text: str) -> None:
    with bounded():
        good = next(iter(WORKED))
        assert both(text, "0 0 0 0 0 0 0 0 0") == [False, False]
        assert both(good, text) == [False, False]
        assert not replayed(good, WORKED[good], text)


def test_sliced_columns_and_nulls() -> None:
    prompts = strings(*WORKED)
    answers, steps = strings(*WORKED.values()), strings("x", None, "x", None, None)
    assert VERIFIER.check(prompts, answers, steps).tolist() == [False, True, False, True, True]
    window = slice(1, 4)
    found = VERIFIER.check(prompts[window], answers[window], steps[window]).tolist()
    assert found == [True, False, True]
