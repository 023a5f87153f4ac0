"""The verifier of inference: worked examples, ambiguous or malformed text, steps, bad input."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.contract import Render, Verifier
from synthgen.core.randomness import Rows
from synthgen.generators.rewrite_infer import RewriteInfer
from synthgen.verifiers._infer_exact import exact_result
from synthgen.verifiers.rewrite_infer import VERIFIER
from tests.bounded import bounded

WORKED = {
    "ab = ba": "ab > ba",
    "ab = abb ; b = b": "a > ab",
    "caaba = cbacba ; baab = bbacb": "aa > bac",
    "ab = cb ; ba = bc": "a > c",
    "ab = b ; cab = cb": "a > _",
    "abab = cab ; ab = c ; ba = ba": "ab > c",
    "a = _": "a > _",
    "aa > bac | ????? = cbacba": "caaba",
    "ab > ba | ??? = bab": "abb",
    "a > b | ?? = bb": None,
    "a > _ | ??? = bb": None,
    "a > _ | ? = _": "a",
    "b > ab | ??? = abab": "bab",
    "ab > ba | ?? = bb": "bb",
}
AMBIGUOUS = [
    "ab = abb",
    "abc = abc",
    "ab = ac ; ab = ad",
    "ab = cb ; ba = ba",
    "a > b | ??? = ab",
    "a > b | ??? = aba",
    "ab > c | ?????? = ab",
]
MALFORMED = [
    *("", " ", "`", "a", "a = b;", "a = b ;", " a = b", "a = b ", "a  = b", "a=b", "_ = a"),
    *("A = B", "a = b ; ", "a = b ;a = b", "a = _a", "a = b__", "a = é", "a > b", "a > b | = a"),
    *("a > b | ?", "a > b | ? = ", "a > b | ?a = b", "a > a | ? = b", "_ > b | ? = b"),
    *("a > b |? = b", "a > b | ? = b ; a = b", "a > b | ? ? = b", "? = b", "a = ?"),
    *("a > b > c | ? = c",),
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
    assert VERIFIER.symbolic(strings(), strings()).shape == (0,)
    assert VERIFIER.grade(" a > b\n", "a > b") == 1.0
    assert VERIFIER.grade("a > c", "a > b") == 0.0


@pytest.mark.parametrize(("prompt", "answer"), WORKED.items())
def test_worked_examples(prompt: str, answer: str | None) -> None:
    if answer is None:
        for other in ("ab", "bb", "ba", "abb", "bab", "bba"):
            assert both(prompt, other) == [False, False]
        return
    assert both(prompt, answer) == [True, True]
    assert both(f"Say `it`.\n\n`{prompt}`", answer) == [True, True]
    for other in (answer + "a", "a" + answer, answer[:-1], answer + " ", "", "_", answer.upper()):
        assert both(prompt, other) == [False, False], other


@pytest.mark.parametrize("prompt", AMBIGUOUS + MALFORMED)
def test_without_a_single_answer_nothing_is_right(prompt: str) -> None:
    answers = ["", "_", "a", "b", "ab", "ba", "aba", "baa", "a > b", "b > a", "a > _", "ab > ba"]
    for answer in [*answers, "b > c", "a > ab", "b > bb", "a > c", "ab > b", prompt]:
        assert both(prompt, answer) == [False, False], answer
        assert not replayed(prompt, answer, "a")


def test_only_the_shortest_rule_is_right() -> None:
    prompt = "abcd = aXcd ; abce = aXce".replace("X", "z")
    assert both(prompt, "b > z") == [True, True]
    for longer in ("ab > az", "bc > zc", "abc > azc", "z > b", "b > y", "b >  z", "b>z"):
        assert both(prompt, longer) == [False, False]


def test_steps_are_replayed_line_by_line() -> None:
    rows = [
        ("caaba = cbacba ; baab = bbacb ; aba = aba", "aa > bac",
         ["c[aa]ba > c[bac]ba", "b[aa]b > b[bac]b", "aba without aa"]),
        ("a = _ ; ba = b ; bb = bb", "a > _", ["[a] > []", "b[a] > b[]", "bb without a"]),
        ("ab > ba | ??? = bab", "abb", ["bab gives bba", "[ab]b fits"]),
        ("bb > a | ????? = abba", "bbbba", ["[bb]bba fits", "abb[bb] gives aabb"]),
        ("a > _ | ? = _", "a", ["[a] fits"]),
    ]  # fmt: skip
    for prompt, answer, lines in rows:
        right = "\n".join(lines)
        assert replayed(prompt, answer, right), prompt
        assert replayed(prompt, answer, None)
        for i in range(len(lines)):
            assert not replayed(prompt, answer, "\n".join(lines[:i] + lines[i + 1 :]))
            assert not replayed(prompt, answer, "\n".join(lines[: i + 1] + lines[i:]))
            for other in (lines[i] + " ", " " + lines[i], lines[i] + "x", lines[i][:-1], "x"):
                assert not replayed(prompt, answer, "\n".join([*lines[:i], other, *lines[i + 1 :]]))
        for text in ("", "\n", right + "\n", "\n" + right, right.replace("[", "")):
            assert not replayed(prompt, answer, text)
        assert not replayed(prompt, answer + "x", right)


WORDS = st.text("ab", min_size=1, max_size=5)


@settings(max_examples=300)
@given(st.lists(WORDS, min_size=1, max_size=4), WORDS, st.text("abc", max_size=3))
def test_both_checks_agree_on_any_pairs(inputs: list[str], x: str, y: str) -> None:
    prompt = " ; ".join(f"{z} = {z.replace(x, y, 1) or '_'}" for z in inputs)
    answer = exact_result(prompt)
    assert both(prompt, answer or "") == [answer is not None] * 2
    assert both(prompt, f"{x} > {y or '_'}") == [answer == f"{x} > {y or '_'}"] * 2


@settings(max_examples=300)
@given(WORDS, WORDS, st.text("abc", max_size=3), st.integers(-1, 1))
def test_both_checks_agree_on_any_input(z: str, x: str, y: str, more: int) -> None:
    prompt = f"{x} > {y or '_'} | {'?' * (len(z) + more)} = {z.replace(x, y, 1) or '_'}"
    answer = exact_result(prompt)
    assert both(prompt, answer or "") == [answer is not None] * 2
    assert both(prompt, z) == [answer == z] * 2


@settings(max_examples=150)
@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_any_text_gets_an_answer(prompt: str, answer: str, solution: str) -> None:
    assert both(prompt, answer) == [False, False]
    assert both(f"`{prompt}`", answer) == [False, False]
    assert not replayed("ab = cb ; ba = bc", "a > c", solution)


@settings(max_examples=80)
@given(st.data())
def test_any_change_of_a_row_is_found(data: st.DataObject) -> None:
    generator = RewriteInfer(data.draw(st.sampled_from(["rule", "input"])))
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
        "_" * 200_000,
        "`" * 200_000,
        "?" * 200_000,
        "a = b ; " * 30_000,
        "a > b | " + "?" * 100_000 + " = " + "a" * 100_000,
        "a" * 100_000 + " = " + "a" * 99_999,
        "a > _ | " + "?" * 100_000 + " = " + "b" * 99_999,
        " ; ".join(["a" * 300 + " = " + "a" * 299] * 300),
    ],
    ids=lambda text: text[:9],
)
def test_long_nonsense_is_refused_in_bounded_time(text: str) -> None:
    with bounded():
        assert both(text, "ab > a") == [False, False]
        assert both("ab = cb ; ba = bc", text) == [False, False]
        assert not replayed("ab = cb ; ba = bc", "a > c", text)


def test_sliced_columns_and_nulls() -> None:
    prompts = strings("a = b", "a > _ | ? = _", "ab = cb ; ba = bc")
    answers = strings("x", "a", "a > c")
    steps = strings("", None, "[a]b > [c]b\nb[a] > b[c]")
    assert VERIFIER.check(prompts, answers, steps).tolist() == [False, True, True]
    window = slice(1, 3)
    right = VERIFIER.check(prompts[window], answers[window], steps[window])
    assert right.tolist() == [True, True]
