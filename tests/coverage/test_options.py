"""Reading options, and choosing among them by their form."""

from __future__ import annotations

import polars as pl
import pytest

from synthgen.coverage.options import Question, choose_options, read_question
from synthgen.coverage.predictors import OPTIONS, measure_shortcuts


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("Which is even?\n(A) 3\n(B) 4\n(C) 5\nAnswer:", "B"),
        ("Which is even? A. 3 B. 4 C. 5\n", "(B)"),
        ("Which is even?\n1) 3\n2) 4\n3) 5\n\nAnswer:", "2"),
        ("Which is even? || [i] 3 || [ii] 4 || [iii] 5 || Give its label. || A:", "ii"),
        ("Which is even?\nOption <a> 3\nOption <b> 4\nOption <c> 5\nAnswer:", "b"),
        ("Which is even?\n(A) 3\n(B) 4\n(C) 5\nAnswer:", "4"),
    ],
)
def test_options_are_read_by_their_labels(prompt: str, answer: str) -> None:
    question = read_question(prompt, answer)
    assert question
    assert question.options == ("3", "4", "5")
    assert question.right == 1
    assert question.problem.startswith("Which is even?")


@pytest.mark.parametrize("prompt", ["Add (1 + 2) and 3.", "See A. Smith.", "", "(B) 3 (C) 4"])
def test_other_prompts_have_no_options(prompt: str) -> None:
    assert read_question(prompt, "A") is None


def asked(place: int, wrong: str, word: str) -> Question:
    options = [f"{wrong}{k}" for k in range(4)]
    options[place] = f"{word}{place}"
    return Question(f"Where is {word}{place}?", tuple(options), place)


def test_a_form_of_its_own_and_quoted_words_give_options_away() -> None:
    shapes = [asked(k * 7 % 4, "x", "yy.") for k in range(120)]
    alone, every = choose_options(shapes[:80], shapes[80:])
    assert alone == every == [question.right for question in shapes[80:]]
    quoted = [
        Question(f"Is it w{k}?", tuple(f"w{k + j - k * 3 % 4}" for j in range(4)), k * 3 % 4)
        for k in range(100, 300)
    ]
    alone, every = choose_options(quoted[:120], quoted[120:])
    right = [question.right for question in quoted[120:]]
    assert every == right
    assert sum(a == b for a, b in zip(alone, right, strict=True)) < 40


def test_the_audit_answers_options_of_third_parties() -> None:
    texts = "A. {}\nB. {}".format
    shown = [(texts("yes, it is", "yes"), "A"), (texts("no", "no, it is"), "B")]
    rows = [(f"Take {k}.\n{shown[k % 3 > 0][0]}", shown[k % 3 > 0][1]) for k in range(300)]
    prompts, answers = zip(*rows, strict=True)
    table = pl.DataFrame({"prompt": prompts, "answer": answers, "task": ""})
    hits = measure_shortcuts(table[:200], {"test": table[200:]})["test"]
    for name in OPTIONS:
        assert hits[name].tolist() == [1] * 100
    plain = pl.DataFrame({"prompt": ["1 + 1"] * 60, "answer": ["2"] * 60, "task": ""})
    assert not {*OPTIONS} & {*measure_shortcuts(plain[:50], {"test": plain[50:]})["test"]}
