"""Rubrics from the text of prompts: by hand, against the plain form, and on hostile text."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.generators.skillmix._prompt_wordings import WORDINGS
from synthgen.generators.skillmix.skill_prompt import SkillPrompt
from synthgen.verifiers.answers import EQUALITIES
from synthgen.verifiers.skillmix._prompt_exact import rubric_of
from synthgen.verifiers.skillmix._prompt_forms import FORMS
from synthgen.verifiers.skillmix.skill_prompt import VERIFIER

PROMPT = (
    "Write a short, natural text on the topic of Salt mines. In at most two sentences, it has to "
    "show every skill of this list, without naming any:\n- Zeugma (figure): one verb, two objects."
    "\n- Bathos\n- red herring no one knows"
)
RUBRIC = {
    "forbidden": ["zeugma", "bathos", "red herring no one knows"],
    "n_sentences": 2,
    "rubric": [
        {"checker": None, "kind": "skill", "text": "Illustrates Zeugma (figure)", "weight": 1},
        {"checker": None, "kind": "skill", "text": "Illustrates Bathos", "weight": 1},
        {
            "checker": None,
            "kind": "skill",
            "text": "Illustrates red herring no one knows",
            "weight": 1,
        },
        {"checker": None, "kind": "topic", "text": "Pertains to Salt mines", "weight": 1},
        {"checker": None, "kind": "sense", "text": "Makes sense", "weight": 1},
        {"checker": None, "kind": "length", "text": "Has at most 2 sentences", "weight": 1},
    ],
}
ANSWER = json.dumps(RUBRIC, separators=(",", ":"))


def check(prompt: str, answer: str) -> bool:
    columns = (pa.array([text], pa.string()) for text in (prompt, answer))
    return bool(VERIFIER.check(*columns, None)[0])


def test_by_hand() -> None:
    assert rubric_of(PROMPT) == ANSWER
    assert check(PROMPT, ANSWER)
    assert VERIFIER.grade(f" {ANSWER}\n", ANSWER) == 1.0
    assert VERIFIER.grade(ANSWER.replace("2", "3"), ANSWER) == 0.0
    assert "rubric" in EQUALITIES


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("two sentences", "three sentences"),
        ("two sentences", "some sentences"),
        ("Salt mines", ""),
        ("\n- Bathos", "\n- Zeugma (figure)"),
        ("\n- Bathos", "\n- : no name"),
        ("\n- Bathos", "\nBathos"),
        ("\n- Bathos", "\n\n- Bathos"),
        ("Write a", "Write"),
        ("without naming any", "naming all"),
        ("no one knows", "no one knows\nGood luck."),
    ],
)
def test_prompts_that_ask_for_nothing_of_ours(old: str, new: str) -> None:
    prompt = PROMPT.replace(old, new)
    assert prompt != PROMPT
    assert rubric_of(prompt) is None
    assert not check(prompt, ANSWER)
    assert not check(prompt, "")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Ελπίδα (ἐλπίς)", "ελπίδα"),
        ("(bare)", "(bare)"),
        ('a "quoted" one', 'a "quoted" one'),
        ("back\\slash", "back\\slash"),
        ("tab\tbed", "tab\tbed"),
    ],
)
def test_names_that_need_care_go_the_slow_way(name: str, told: str) -> None:
    prompt = PROMPT.replace("- Bathos", f"- {name}")
    answer = rubric_of(prompt)
    assert answer is not None
    assert json.loads(answer)["forbidden"][1] == told
    assert check(prompt, answer)
    assert not check(prompt, ANSWER)


def test_a_checker_is_named_where_the_name_has_one() -> None:
    generator = SkillPrompt(inventory="all", topics="all", ks=(1, 2, 3, 4, 5, 6), rounds=4)
    rows = Rows(3, np.linspace(0, generator.space - 1, 2_000).astype(np.uint64))
    problems = generator.draw(rows)
    for style in SkillPrompt.prompts:
        texts = generator.render(problems, Render(style, "none"))
        assert VERIFIER.check(texts.prompts, texts.answers, None).all()
        assert VERIFIER.symbolic(texts.prompts[:300], texts.answers[:300]).all()
        for row, answer in enumerate(texts.answers.to_pylist()[:300]):
            items = json.loads(answer)["rubric"]
            known = sum(item["checker"] is not None for item in items)
            assert known == problems.axes["n_checkers"][row]


def test_the_wordings_are_read_by_code_of_its_own() -> None:
    told = [form.replace("<T>", "{topic}").replace("<N>", "{limit}") for form in FORMS]
    assert [form.replace("<L>", "{skills}") for form in told] == list(WORDINGS)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60), st.integers(0, len(PROMPT)))
def test_hostile_text_raises_nothing_and_both_checks_agree(one: str, two: str, at: int) -> None:
    for prompt in (one, PROMPT[:at] + one + PROMPT[at:], PROMPT[:at] + one):
        answer = rubric_of(prompt)
        for given_answer in (two, ANSWER, answer or ""):
            assert check(prompt, given_answer) == (given_answer == answer)


@pytest.mark.parametrize("prompt", ["x" * 200_000, PROMPT + "\n- x" * 50_000, "\n- " * 5_000])
def test_long_text_is_refused_quickly(prompt: str) -> None:
    assert not check(prompt, ANSWER)
    assert rubric_of(prompt) is None
