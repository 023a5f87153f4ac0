"""The verifier of skill chains: malformed text, solutions, names, hostile input, grading."""

from __future__ import annotations

import re

import pytest

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.core.registry import generator_class
from tests.families.verdicts import Verdicts, strings

CHAIN, VERDICTS = generator_class("skill_chain"), Verdicts("skill_chain")
DEFINED = "func_q reverses the order of the letters of a string.\n"
ROTATE = "rotate the string left by 2 places"
FORMS = {
    "rotl2 rev caesar5 | compose": "thjxtur",
    "acronym codes sum digits | [pear, fig, plum]": "[3, 8]",
    f"first reverse the letters, then {ROTATE}: compose": "opmoces",
    "rotate_the_string_left_by_2_places(reverse_the_letters(compose))": "opmoces",
    "keep only the first letter: compose": "c",
    "func_acwn(compose)": "esopmoc",
    "func_acwn: compose": "esopmoc",
    "func_acwn | compose": "esopmoc",
    "Say it.\n\n`rev | compose`\n\nPlease.": "esopmoc",
    f"{DEFINED}func_b exchanges a with z, b with y, c with x and so on in a string.\n\n"
    "`first func_q, then func_b: compose`": "vhlknlx",
}
MALFORMED = [
    *("", " ", "`", "compose", "rev", "rev |", "rev | ", "rev |compose", "rev| compose"),
    *("| compose", " | compose", "rev  | compose", " rev | compose", "rev rotl2  | compose"),
    *("rev, rev | compose", "rev | Compose", "rev | com pose", "rev | compose ", "rev | 17"),
    *("rev | [1, 2]", "rev | [a]", "rev | compös", "rév | compose", f"rev | {'a' * 129}"),
    *("lrev | [1,2]", "lrev | [1, 2", "lrev | 1, 2]", "lrev | []", "lrev | [01]", "lrev | [1, a]"),
    *("lrev | [1, 2]]", "lrev | [ 1]", "lrev | [-0]", "add7 | 05", "add7 | -", "add7 | +5"),
    *("wrev | [fig, 1]", "wrev | [fig,, fig]", "wrev | [fig, ]", "rotl10 | compose"),
    *("rotl0 | compose", "caesar26 | compose", "replace_aa | compose", "length rev | compose"),
    *("nothing | compose", f"{'rev ' * 32}rev | compose", "mul12 mul11 | 99999999"),
    *("reverse the letters | compose", "rev: compose", "first rev, then rotl2: compose"),
    *("first reverse the letters: compose", f"reverse the letters, then {ROTATE}: compose"),
    *(f"first reverse the letters, {ROTATE}: compose", "reverse the letters:compose"),
    *("first reverse the letters, then : compose", f"first , then {ROTATE}: compose"),
    *(f"first reverse the letters, then {ROTATE}, then : compose", ": compose"),
    *("rotate the string left by 1 places: compose", "keep only the first 1 letters: compose"),
    *("reverse the letters(compose)", "reverse_the_letters(compose", "reverse_the_letters()"),
    *("reverse_the_letters compose)", "reverse_the_letters(compose))", "(compose)", "()"),
    *("reverse_the_letters((compose))", "reverse_the_letters: compose", "rev(compose)"),
    *("func_zzzz(compose)", "func_q(compose)", "func_acw(compose)", "func_acwnn(compose)"),
    "func_ACWN(compose)",
    f"{DEFINED}{DEFINED}\n`func_q: compose`",
    f"{DEFINED}func_b does something.\n\n`func_q: compose`",
    f"{DEFINED}\n`func_b: compose`",
    f"{DEFINED[:-2]}\n\n`func_q: compose`",
    f"{DEFINED.replace('_q', '_Q')}\n`func_Q: compose`",
]
SOLUTIONS = [
    ("1: esopmoc\n2: opmoces", True),
    ("1: ...\n2: opmoces", True),
    ("1: esopmoc\n2: ...", False),
    ("1: ...\n2: ...", False),
    ("2: opmoces", False),
    ("1: esopmoc", False),
    ("1: opmoces\n2: opmoces", False),
    ("1: esopmoc\n2: opmoces\n", False),
    ("1: esopmoc\n\n2: opmoces", False),
    ("1: esopmoc\n2: opmoces\n2: opmoces", False),
    ("1: esopmoc\n3: opmoces", False),
    ("1: ..\n2: opmoces", False),
    ("1: ....\n2: opmoces", False),
    ("1:esopmoc\n2: opmoces", False),
    ("01: esopmoc\n2: opmoces", False),
    ("", False),
    ("opmoces", False),
]


@pytest.mark.parametrize(("prompt", "answer"), FORMS.items())
def test_every_form_of_a_problem_is_read(prompt: str, answer: str) -> None:
    assert VERDICTS.both(prompt, answer) == [True, True]
    assert VERDICTS.both(prompt, answer[:-1]) == [False, False]


@pytest.mark.parametrize("prompt", MALFORMED)
def test_malformed_prompts_have_no_answer(prompt: str) -> None:
    assert VERDICTS.verifier.answer(prompt) is None
    for answer in ("", "compose", "esopmoc", "[]", "[1, 2]", "0", "None"):
        assert VERDICTS.both(prompt, answer) == [False, False]


@pytest.mark.parametrize(("solution", "right"), SOLUTIONS)
def test_solutions_are_followed(solution: str, right: bool) -> None:
    assert VERDICTS.accepts("rev rotl2 | compose", "opmoces", solution) == right


def test_a_tenth_step_has_two_digits() -> None:
    prompt = f"{'caesar1 ' * 9}caesar1 | a"
    lines = [f"{k}: {chr(97 + k)}" for k in range(1, 11)]
    assert VERDICTS.accepts(prompt, "k", "\n".join(lines))
    assert not VERDICTS.accepts(prompt, "k", "\n".join([*lines[:9], "0: k"]))


def test_changed_letters_of_a_prompt_are_noticed() -> None:
    generator = CHAIN(min_atoms=2, max_atoms=2, distractors=0)
    problems = generator.draw(Rows.span(2, 0, 400))
    problems = generator.draw(Rows(2, problems.rows.addresses[problems.valid]))
    for style in generator.prompts:
        texts = generator.render(problems, Render(style, "none"))
        prompts = texts.prompts.to_pylist()
        changed = [re.sub("[sn]", "q", prompt) for prompt in prompts]
        same = sum(a == b for a, b in zip(changed, prompts, strict=True))
        accepted = VERDICTS.verifier.check(strings(*changed), texts.answers, None)
        assert accepted.sum() <= 12 + same
