"""The reward: attacks that must get nothing, spellings that must count, and bounded time."""

from __future__ import annotations

import doctest
import pickle
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.contract import answers
from synthgen.contract.answers import PARSERS
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.training import extraction, reward
from synthgen.training.reward import judge
from tests.building import environment

FORMS = (
    "{}",
    "Answer: {}",
    "**Answer:** {}",
    "So the answer is {}.",
    "I add up and get the result.\nFinal answer:\n{}",
    r"Therefore \boxed{{{}}}.",
    r"Let me see. $\boxed{{\text{{{}}}}}$",
    "<think>It may be 1 or 7.</think><answer>{}</answer>",
    "The last step gives\n\n**{}**",
    "Some work: 3 + 4 = 7.\n`{}`",
)
HIDDEN = (
    r"\boxed{{{gold}}} was my first guess. \boxed{{{wrong}}}",
    "Answer: {gold}\nAnswer: {wrong}",
    "<think>Answer: {gold}</think>{wrong}",
    "<answer>{gold}</answer> is not it. <answer>{wrong}</answer>",
    "{gold}\n{wrong}",
)

GOLD = {
    "integer": "2920",
    "decimal": "12.50",
    "rational": "-3/4",
    "string": "I_JUMP I_TURN_LEFT",
    "list": "[3, 12, 5]",
    "expression": "8 / (3 - 8/3)",
    "literal": "['ab', 1]",
    "choice": "B",
    "labels": "A, C",
}
RIGHT = {
    "integer": ["2920", "+2920", "02920", "2,920", r"2{,}920", r"2\,920", "2 920", "x = 2920"],
    "decimal": ["12.50", "12.5", "+12.5", "012.500", "≈ 12.50", r"\approx 12.5", "A = 12.50"],
    "rational": ["-3/4", "-0.75", "- 3/4", r"-\frac{3}{4}", r"\frac{-3}{4}", r"-\dfrac34", "−6/8"],
    "string": [
        *("I_JUMP I_TURN_LEFT", " I_JUMP  I_TURN_LEFT ", '"I_JUMP I_TURN_LEFT"'),
        *("'I_JUMP I_TURN_LEFT'", r"I\_JUMP I\_TURN\_LEFT", r"\text{I_JUMP I_TURN_LEFT}"),
    ],
    "list": [
        "[3, 12, 5]",
        "[3,12,5]",
        "[ 3 , 12 , 5 ]",
        "[3,  12, 5]",
        '"[3, 12, 5]"',
        "$[3,12,5]$",
    ],
    "expression": [
        *("8 / (3 - 8/3)", "8/(3-8/3)", "(8 / (3 - (8/3)))", r"8 \div (3 - 8 \div 3)"),
        *("8 ÷ (3 − 8÷3)", "8/(3 - 8/3) = 24"),
    ],
    "literal": [
        *("['ab', 1]", "['ab',1]", '["ab", 1]', "[ 'ab' , 1 ]", "['a' 'b', 1]", "['ab', 1,]"),
    ],
    "choice": ["B", "b", "(B)", "B)", "[b]", "<B>", "Option B", "choice (b)", r"\text{B}", "( B )"],
    "labels": [
        "A, C",
        "a,c",
        "C, A",
        "(A), (C)",
        "[c], [a]",
        "<A>, C)",
        "Option A, option C",
        "{A, C}",
    ],
}
WRONG = {
    "integer": [
        *("2921", "2919", "292", "920", "29200", "12920", "-2920", "--2920", "2920.5", "2920.0"),
        *("2.92e3", "0xb68", "2_920", "29,20", "29 20", "2920 2920", "2920 or 2921", "2920, 2921"),
        *("[2920]", "1460+1460", "2920/1", "5840/2", r"\frac{5840}{2}", "2920 apples", "not 2920"),
        *(
            "about 2920",
            "2920?",
            "2920%",
            "٢٩٢٠",
            "２９２０",
            "",
            "x",
            "2919 = 2920",
            "2920 = 2921",
        ),
        *("1 2920", "2920\x00", "2920!=2920", r"2920\\2921", "{2920", "inf", "nan", "None"),
    ],
    "decimal": [
        *("12.51", "12.49", "12.05", "1250", "12,50", "-12.50", "12.5.0", "1.25e1", "25/2", "13"),
        *("12", "12.500001", "12.50 or 12.51", "12.50%", "12.50 cm", "1 2.50", "12. 50", "0.1250"),
        *("125e-1", "twelve", "[12.5]", "12.5+0", "12.5..", "..5", "", "nan", "12½", "12:50"),
        *("12.50, 12.51", "10 + 2.50", "12.4999999", "112.50", "12.505", "x = y = 12.50", "1,2.50"),
    ],
    "rational": [
        *("3/4", "-4/3", "-3/5", "-0.7500001", "-75%", "-3", "4", "-3/4/1", "-3/0", "0/0", "-34"),
        *("-3:4", "-3/4 or 3/4", r"\frac{3}{4}", r"-1\frac{3}{4}", r"2\frac{-3}{4}", "-1 3/4"),
        *("-(-3/4)", "--3/4", "-3//4", "-3/4.0", "-.74", "-7/8", "-30/4", "-3/40", "", "half"),
        *(
            r"-\frac{3}{4}5",
            r"-\frac{3}{44}",
            r"-\frac{4}{3}",
            "-3 4",
            "[-3/4]",
            "-0,75",
            "-3/4 pi",
        ),
    ],
    "string": [
        *(
            "I_JUMP",
            "I_TURN_LEFT",
            "I_TURN_LEFT I_JUMP",
            "I_JUMP I_TURN_LEFT I_JUMP",
            "I_JUMP_LEFT",
        ),
        *("i_jump i_turn_left", "I_JUMP, I_TURN_LEFT", "I_JUMP I_TURN_RIGHT", "I_JUMPI_TURN_LEFT"),
        *("I JUMP I TURN LEFT", "JUMP TURN_LEFT", "I_JUMP I_TURN_LEFT?", "I_JUMP or I_TURN_LEFT"),
        *("not I_JUMP I_TURN_LEFT", "I_JUMP I_TURN_LEFT is wrong", "", "*", "I_JUMP/I_TURN_LEFT"),
        *(
            "[I_JUMP I_TURN_LEFT]",
            "(I_JUMP I_TURN_LEFT)",
            "I_JUMP  |  I_TURN_LEFT",
            "I_JUMP I_TURN_",
        ),
        *("I_JUMP I_TURN_LEFTT", "I__JUMP I_TURN_LEFT", "I_JUMP I_TURN LEFT", "jump left", "None"),
    ],
    "list": [
        *(
            "[3, 12]",
            "[3, 12, 5, 5]",
            "[5, 12, 3]",
            "3, 12, 5",
            "(3, 12, 5)",
            "{3, 12, 5}",
            "[3 12 5]",
        ),
        *(
            "[3, 1, 2, 5]",
            "[31, 2, 5]",
            "[3, 12, 5",
            "3, 12, 5]",
            "[[3, 12, 5]]",
            "[3, 12; 5]",
            "[]",
        ),
        *(
            "[3, 12, 6]",
            "[3,, 12, 5]",
            "[3, 12, 5.0]",
            "[+3, 12, 5]",
            "[03, 12, 5]",
            "3125",
            "20",
            "",
        ),
        *(
            "[3, 12, 5] or [3, 12, 6]",
            "[3, 12, 5][3]",
            "[3, 12, five]",
            "[3, 12, 5, ]",
            "[-3, 12, 5]",
        ),
    ],
    "expression": [
        *("24", "8 * 3", "8 * 3 * 1", "8 + 8 + 3 + 3", "8 / (3 - 8/3) = 25", "8 / (3 - 8/3); 3"),
        *(
            "8 / (3 - 8/3) or 24",
            "8 / 3 - 8/3",
            "8 / (3 - 8/3",
            "(8 / 3) - (8 / 3)",
            "3 * 8 + 8 - 8",
        ),
        *(
            "8 / (3 - 8/3.0)",
            "8 / (3 - 8/3) / 1",
            "8 // (3 - 8/3)",
            "8 / (3! - 8/3)",
            "8 / (3 - 83)",
        ),
        *(
            "-8 / (8/3 - 3)",
            "8 ** 3 - 8 / 3",
            "8 / (3 - 8/3) + 0",
            "8 / (x - 8/3)",
            "[8, 3, 8, 3]",
            "",
        ),
    ],
    "literal": [
        *(
            "['ab', True]",
            "['ab', 1.0]",
            "('ab', 1)",
            "{'ab', 1}",
            "['ab']",
            "[1, 'ab']",
            "['ab', '1']",
        ),
        *(
            "['AB', 1]",
            "[ab, 1]",
            "['ab' 1]",
            "['ab', 1",
            "'ab', 1",
            "['ab', 1] + []",
            "list(('ab', 1))",
        ),
        *(
            "['ab', 1][:]",
            "['ab', 2 - 1]",
            "['ab ', 1]",
            "[b'ab', 1]",
            "['ab', -1]",
            "['ab', 1, 1]",
            "",
        ),
    ],
    "choice": [
        *("A", "C", "AB", "BB", "2", "8", "ß", "β", "A or B", "A, B", "A and B", "B or C", "B A"),
        *(
            "not B",
            "B) 42",
            "42 (B)",
            "B: 42",
            "(B",
            "[B)",
            "B?",
            "((B))",
            "B=B",
            "{B, C}",
            "",
        ),
        *("Option A", "option", "Options A, B", "all", "none", "any", "A-B", "B/C", "B\x00", "1 B"),
    ],
    "labels": [
        *("A", "C", "AC", "A C", "A; C", "A and C", "A, and C", "A or C", "A & C", "A/C", "A-C"),
        *("A, B", "A, B, C", "A, B, C, D", "B, D", "A, C, none", "none", "all", "A, A", "A, C, C"),
        *("A,, C", ", A, C", "(A, C)", "[A, C]", "A: 42, C: 7", "(A) 42, (C) 7", "not B, D", ""),
        *("Options A, C", "all but B, D", "A, not C", "A, C?", "A, C or A, B", "1, 3", "А, С"),
    ],
}


def type_of(kind: str) -> str:
    return "string" if kind == "list" else kind


@pytest.mark.parametrize("kind", GOLD)
def test_every_spelling_in_every_form_counts(kind: str) -> None:
    texts = [form.format(text) for form, text in product(FORMS, RIGHT[kind])]
    assert len(texts) >= 60
    for text in texts:
        assert judge(text, GOLD[kind], type_of(kind)).score == 1.0, text


@pytest.mark.parametrize("kind", GOLD)
def test_no_attack_is_paid(kind: str) -> None:
    texts = [form.format(text) for form, text in product(FORMS, WRONG[kind])]
    texts += [
        form.format(gold=GOLD[kind], wrong=text)
        for form, text in product(HIDDEN, WRONG[kind])
        if text
    ]
    assert len(texts) >= 300
    for text in texts:
        assert judge(text, GOLD[kind], type_of(kind)).score == 0.0, text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no answer"),
        ("<think>Answer: 5", "no answer"),
        ("5" * 20_000, "no answer"),
        ("I do not know.", "unreadable"),
        ("Answer: 6", "wrong"),
        ("Answer: 5", "right"),
    ],
)
def test_the_reason_is_given(text: str, why: str) -> None:
    assert judge(text, "5", "integer").why == why


@pytest.mark.parametrize("text", [r"\boxed{}", "Answer:", '""', "<answer></answer>", "Answer: ``"])
def test_an_empty_string_can_be_the_answer(text: str) -> None:
    assert judge(text, "", "string").score == 1.0
    assert judge(text, "a", "string").score == 0.0


def test_stars_and_underscores_of_answers_are_kept() -> None:
    for answer in ("* cake ( x _ 1 ) ; like .", "_", "a*b", "**", "x_"):
        assert judge(f"Answer: {answer}", answer, "string").score == 1.0
        assert judge(f"\\boxed{{{answer}}}", answer, "string").score == 1.0


def test_other_types_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'integer'"):
        judge("5", "5", "integr")
    with pytest.raises(ParamError):
        judge("5", "{}", "rubric")


def test_a_text_is_graded_by_constraints() -> None:
    answer = '[{"phrase":"In short","type":"start_with"}]'
    assert judge("<think>Hm.</think>In short, it rains.", answer, "constraints").score == 1.0
    assert judge("It rains.", answer, "constraints").score == 0.0
    both = '[{"phrase":"In short","type":"start_with"},{"phrase":"it rains.","type":"end_with"}]'
    assert judge("Often it rains.", both, "constraints").score == 0.0
    assert judge("Often it rains.", both, "constraints", shares=True).score == 0.5


@given(st.text(), st.text(max_size=5), st.sampled_from(sorted({*PARSERS} - {"rubric"})))
def test_any_text_gets_a_verdict(text: str, answer: str, answer_type: str) -> None:
    if answer_type != "constraints":
        assert judge(text, answer, answer_type).score in (0.0, 1.0)


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "\\boxed{",
            "{",
            "}",
            "\\boxed{}",
            "<answer>",
            "</answer>",
            "Answer: ",
            "the answer is\n",
        ),
        *(
            "\n",
            " ",
            "\t*",
            "**",
            "$",
            "1",
            "1,000,",
            "\\frac{1}",
            "the ",
            "</think>",
            "<think>",
            "\\",
        ),
    ],
)
def test_hostile_texts_take_milliseconds(piece: str) -> None:
    for size in (10_000, 400_000):
        text = (piece * (size // len(piece) + 1))[:size]
        began = time.process_time()
        for answer_type in ("integer", "rational", "decimal", "string"):
            judge(text, "5", answer_type)
        assert time.process_time() - began < 2.0  # four calls, on any machine


def test_it_is_pure_and_can_be_sent_to_threads_and_processes() -> None:
    again = pickle.loads(pickle.dumps(reward.reward))  # noqa: S301
    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(lambda n: again(f"Answer: {n}", "7", "integer"), range(200))]
    assert sum(found) == 1.0


def test_it_loads_no_heavy_library() -> None:
    code = (
        "import sys, synthgen; synthgen.reward('5', '5', 'integer')\n"
        "print([name for name in ('numba', 'sympy', 'polars', 'numpy', 'pyarrow', 'rich') "
        "if name in sys.modules])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True
    )
    assert ended.stdout == "[]\n"


@pytest.mark.parametrize("module", [extraction, reward, answers])
def test_the_examples(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted > 0
    assert result.failed == 0
