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

import synthgen
from synthgen.contract import answers, numerals
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
    "list:integer": "[3, 12, 5]",
    "list": "Up, turn left, Up",
    "set:integer": "3, 12, 5",
    "label": "Not valid",
    "expression": "8 / (3 - 8/3)",
    "literal": "['ab', 1]",
    "choice": "B",
    "labels": "A, C",
    "until:2": "0 1 1 2 0 0",
}
RIGHT = {
    "integer": [
        *("2920", "+2920", "02920", "2,920", r"2{,}920", r"2\,920", "2 920", "x = 2920"),
        *(r"2,\!920", r"2\ 920", "2~920", "2\u202f920", "3000 - 80 = 2920"),
    ],
    "decimal": ["12.50", "12.5", "+12.5", "012.500", "≈ 12.50", r"\approx 12.5", "A = 12.50"],
    "rational": ["-3/4", "-0.75", "−3/4", r"-\frac{3}{4}", r"\frac{-3}{4}", r"-\dfrac34", "−6/8"],
    "string": [
        *("I_JUMP I_TURN_LEFT", " I_JUMP  I_TURN_LEFT ", '"I_JUMP I_TURN_LEFT"'),
        *("'I_JUMP I_TURN_LEFT'", r"I\_JUMP I\_TURN\_LEFT", r"\text{I_JUMP I_TURN_LEFT}"),
    ],
    "list:integer": [
        *("[3, 12, 5]", "[3,12,5]", "[ 3 , 12 , 5 ]", "[3,  12, 5]", '"[3, 12, 5]"', "$[3,12,5]$"),
        *("3, 12, 5", "3,12,5", "(3, 12, 5)", "{3, 12, 5}", r"\{3, 12, 5\}", r"\[3, 12, 5\]"),
        *("[3,\t12,\u00a05]", "['3', '12', '5']", "[3,12 ,5]", r"\(3, 12, 5\)"),
    ],
    "list": [
        *("Up, turn left, Up", "up,turn left,up", "UP, TURN LEFT, UP", "[Up, Turn Left, Up]"),
        *("up , turn  left , up", "(up, turn left, up)", "['Up', 'turn left', 'Up']"),
        *('["up","turn left","up"]', "{up, turn left, up}"),
    ],
    "set:integer": [
        *(
            "3, 12, 5",
            "3,5,12",
            "{5, 12, 3}",
            "[12,3,5]",
            "(3, 12, 5)",
            r"\{3, 5, 12\}",
            "5 ,3, 12",
        ),
        *("$3, 5, 12$", "12,5,3", "{ 3,12,5 }"),
    ],
    "label": [
        *(
            "Not valid",
            "not valid",
            "Not Valid",
            "NOT VALID",
            " not  valid",
            "'Not valid'",
            '"not valid"',
        ),
        *(r"\text{Not valid}", "*not valid*", "“not valid”"),
    ],
    "expression": [
        *("8 / (3 - 8/3)", "8/(3-8/3)", "(8 / (3 - (8/3)))", r"8 \div (3 - 8 \div 3)"),
        *("8 ÷ (3 − 8÷3)", "8/(3 - 8/3) = 24"),
    ],
    "literal": [
        *("['ab', 1]", "['ab',1]", '["ab", 1]', "[ 'ab' , 1 ]", "['a' 'b', 1]", "['ab', 1,]"),
        *("(['ab', 1])", "['ab', 0x1]", "[('ab'), 1]", '[ "ab",1 ]', "['\\x61b', 1]"),
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
    "until:2": [
        *("0 1 1 2 0 0", "0 1 1 2", "0 1 1 2 0", "0  1 1 2 0 0 0", "'0 1 1 2'", "$0 1 1 2 0 0$"),
    ],
}
WRONG = {
    "integer": [
        *("2921", "2919", "292", "920", "29200", "12920", "-2920", "--2920", "2920.5", "2920.0"),
        *("2.92e3", "0xb68", "2_920", "29,20", "29 20", "2920 2920", "2920 or 2921", "2920, 2921"),
        *(
            "[2920]",
            "1460+1460",
            "2920/1",
            "5840/2",
            "2x = 2920",
            r"\frac{5840}{2}",
            "2920!",
            "2920 apples",
            "not 2920",
        ),
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
        *("2 x = 920", "29 a=20", "- 2920", "0,002,920", "2, 920", "2,9 20", "2920 = 2x", "2920:"),
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
    "list:integer": [
        *("[3, 12]", "[3, 12, 5, 5]", "[5, 12, 3]", "3; 12; 5", "(3, 12, 5]", "3 12 5", "[3 12 5]"),
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
        *(
            "3, 12 and 5",
            "3, 12, 5, 5",
            "3,125",
            "312,5",
            "3, 1 2, 5",
            "3 -> 12 -> 5",
            "12, 5",
            "3",
        ),
    ],
    "list": [
        *("Up, turn left", "turn left, Up, Up", "Up, turn, left, Up", "Up turn left Up", "Up", ""),
        *(
            "Up, turn left, Up, Up",
            "Up, turn left, Down",
            "Up; turn left; Up",
            "Up,, turn left, Up",
        ),
        *("[Up, turn left], Up", "Up, turn left, and Up", "Up, turn left or Up", "U, turn left, U"),
        *(
            "Up, turn_left, Up",
            "Up, turnleft, Up",
            "Uр, turn left, Up",
            ", ",
        ),
        *(
            "Up, turn left, Up?",
            "not Up, turn left, Up",
            "Up / turn left / Up",
            "up, left, up",
            "[]",
        ),
        *("Up. turn left. Up", "Up, turn right, Up", "1, 2, 1", "Up, 'turn left, Up'"),
    ],
    "set:integer": [
        *(
            "3, 12",
            "3, 12, 5, 5",
            "3, 12, 6",
            "3, 12, 5, 6",
            "3 12 5",
            "3; 12; 5",
            "3, 125",
            "",
            "{}",
        ),
        *("3, 12, -5", "3, 12, 5.0", "3, 12, 05", "3, 12, +5", "3 and 12 and 5", "3, 12, five"),
        *(
            "3, 12, 5 or 6",
            "[3, 12], 5",
            "{3, {12, 5}}",
            "3,,12,5",
            "20",
            "3, 3, 12, 5",
        ),
        *("(3, 12, 5}", "3, 1 2, 5", "all", "none", "x, y, z", "12, 5", "3 12, 5", "3 < 5 < 12"),
    ],
    "label": [
        *(
            "valid",
            "not",
            "Notvalid",
            "Not_valid",
            "Not valid or valid",
            "Not, valid",
            "invalid",
            "",
        ),
        *("Not valid, valid", "it is not valid", "Not valid?", "not valid because", "[Not valid]"),
        *("valid not", "Not vаlid", "Not valid valid", "yes", "no", "none", "not-valid", "N", "1"),
        *("(Not valid)", "Not valid: yes", "Not valid / valid", "not valid 1", "Nοt valid"),
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
    "until:2": [
        *(
            "0 1 1",
            "0 1 1 0 0",
            "0 1 2 0 0",
            "0 1 0 2 0 0",
            "1 1 2",
            "0 1 1 1 2",
            "2",
            "0",
            "",
            "0112",
        ),
        *(
            "0, 1, 1, 2",
            "0 1 1 2 or 0 1 2",
            "0 1 1 2 00",
            "01 1 2",
            "0 1 1 12",
            "[0 1 1 2]",
            "0 1 1 2?",
        ),
        *("not 0 1 1 2", "0 1 1 22", "2 0 1 1 2", "0 1 1 2 x", "0 1 1 -2"),
    ],
}

TYPES = (*GOLD, "decimal:meters", "integer:dollars", "checked:sokoban")

READ = (
    *("We add 5 and 7. The answer is {}.", "Therefore, the answer is {}.", "The answer: {}"),
    *("It is known. Therefore, the answer is {}.", "Answer:\n```\n{}\n```", "```\n{}\n```"),
    *("First this.\n\n```text\n{}\n```", "So \\boxed{{{}}}.\nThe result is confirmed.", "Ans: {}"),
    *("#### {}", "Output: {}", "Result = {}", "**Answer** {}", "**Final answer**\n{}", "{}</s>"),
    *("Answer: {}<|eot_id|>", "{}<|im_end|>", "Answer: {} <end_of_turn>\n", "The answer is\n\n{}"),
    *(
        '{{"answer": "{}"}}',
        '{{"why": "a, b", "answer": "{}"}}',
        "{{\\boxed{{{}}}}}",
        "- Answer: {}",
    ),
)


@pytest.mark.parametrize("kind", [kind for kind in GOLD if kind != "literal"])
@pytest.mark.parametrize("form", READ)
def test_usual_ways_to_state_an_answer_count(kind: str, form: str) -> None:
    text = form.format(GOLD[kind])
    assert judge(text, GOLD[kind], kind).score == 1.0


@pytest.mark.parametrize(
    ("text", "answer", "kind"),
    [
        *((text, "12", "integer") for text in ("$5+7 = 12$", "5 + 7 = **12**", '{"answer": 12}')),
        *(
            (text, "12", "integer")
            for text in (r"3 \times 4 = 12", "x_1 = 5 + 7 = 12", "f(2) = 12")
        ),
        *(
            (text, "1/3", "rational")
            for text in (r"\cfrac{1}{3}", r"\left(\frac13\right)", "(1/3)")
        ),
        ("1,000/3", "1000/3", "rational"),
        ("The answer is Right, Up.", "Right, Up", "list"),
        ("The answer is right, up.", "Right, Up", "list"),
        ("The answer is Right.", "right", "label"),
        ("So it is \\boxed{12}.\nThe answer is right.", "12", "integer"),
        (r"\frac{1}{-3}", "-1/3", "rational"),
        (r"32,\!349", "32349", "integer"),
        *((text, "90", "integer:degrees") for text in (r"90^\circ", "90°", "90 degrees", "$90$")),
        *((text, "18", "integer:dollars") for text in (r"\$18", "$18", "18 dollars", "18")),
        *((text, "2.0", "decimal:meters") for text in ("2.0 m", "2 meters", r"2\text{ m}", "2.00")),
        *((text, "[6, 6]", "literal") for text in ("Answer:\n```python\n[6,6]\n```", "`[6,6]`")),
        *((text, "} ]", "string") for text in (r"\boxed{\} ]}", r"$\boxed{\} ]}$", "Answer: } ]")),
        ("Answer: " + "a, " * 9_000 + "a", "a, " * 9_000 + "a", "list"),
    ],
)
def test_these_are_right(text: str, answer: str, kind: str) -> None:
    assert judge(text, answer, kind).score == 1.0


@pytest.mark.parametrize(
    ("text", "answer", "kind"),
    [
        ("Answer: 2x = 4", "24", "integer"),
        ("3 x = 400", "3400", "integer"),
        ("10 a=500", "10500", "integer"),
        (r"\boxed{5!}", "5", "integer"),
        ("8*3!", "8*3", "expression"),
        ("0,123", "123", "integer"),
        ("The steps:\n- 3\n- 12", "-12", "integer"),
        (r"\boxed{] ) } }}", "] )", "string"),
        ("1,001", "1000", "integer"),
        ("So it is 12 or so.", "12", "integer"),
        ("The answer is 12. The answer is 13.", "12", "integer"),
        ("The answer is 12.\nThe answer is not 12.", "12", "integer"),
        (r"First \boxed{12}, then \boxed{1", "12", "integer"),
        (r"\boxed{12} or \fbox{13", "12", "integer"),
        ("90°", "90", "integer"),
        ("2 km", "2", "decimal:meters"),
        ("90 degrees", "90", "integer:meters"),
    ],
)
def test_these_are_not(text: str, answer: str, kind: str) -> None:
    assert judge(text, answer, kind).score == 0.0


def test_any_right_answer_is_paid_if_the_prompt_is_known() -> None:
    (row,) = synthgen.generate("sokoban", 1, params={"asks": ["any"]}, seed=3)
    prompt, answer, kind = row["prompt"], row["answer"], row["answer_type"]
    ways = (("Up", "Down"), ("Down", "Up"), ("Left", "Right"), ("Right", "Left"))
    longer = [f"Answer: {there},{back.upper()}, {answer}" for there, back in ways]
    assert kind == "checked:sokoban"
    assert sum(judge(text, answer, kind).score for text in longer) == 0.0
    assert sum(judge(text, answer, kind, prompt=prompt).score for text in longer) >= 1.0
    assert judge(longer[0].rpartition(",")[0], answer, kind, prompt=prompt).score == 0.0
    assert judge(answer, answer, kind, prompt="Another prompt?").score == 1.0


LOOSE = ("integer", "list:integer", "label", "literal")
"""Types that are written in many ways."""


@pytest.mark.parametrize("kind", GOLD)
def test_every_spelling_in_every_form_counts(kind: str) -> None:
    texts = [form.format(text) for form, text in product(FORMS, RIGHT[kind])]
    assert len(texts) >= (100 if kind in LOOSE else 60)
    for text in texts:
        assert judge(text, GOLD[kind], kind).score == 1.0, text


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
        assert judge(text, GOLD[kind], kind).score == 0.0, text


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


@given(st.text(), st.text(max_size=5), st.sampled_from(TYPES))
def test_any_text_gets_a_verdict(text: str, answer: str, answer_type: str) -> None:
    assert judge(text, answer, answer_type).score in (0.0, 1.0)


PIECES = (
    *("\\boxed{", "{", "}", "\\boxed{}", "<answer>", "</answer>", "Answer: ", "the answer is\n"),
    *("\n", " ", "\t*", "**", "$", "1", "1,000,", "\\frac{1}", "the ", "</think>", "<think>", "\\"),
    *(
        "a",
        "x=",
        "=",
        "1+",
        "(",
        "[",
        "'",
        "```",
        "```\n",
        "Answer",
        "**answer**",
        '{"answer": ',
        ". ",
    ),
    *(
        "<|eot_id|>",
        "#### ",
        "-",
        ",",
        "1 ",
        "\\,",
        "so ",
        "\\text{",
        "\\left(",
        "a_",
        "°",
        "m",
        "A, ",
    ),
    *(
        "\u00a0",
        "é",
        '"',
        "answer: answer ",
        ". the answer",
        "not ",
        "lambda:",
        "[1],",
        "\\{",
        "1/",
    ),
)


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("end", ["", "!", "5", "\nAnswer: 5"])
def test_hostile_texts_take_milliseconds(piece: str, end: str) -> None:
    text = (piece * (10_000 // len(piece) + 1))[:10_000] + end
    for answer_type in TYPES:
        assert min(_seconds(text, answer_type) for _ in range(3)) < 0.5  # 10 times what is promised


def _seconds(text: str, answer_type: str) -> float:
    began = time.process_time()
    judge(text, GOLD.get(answer_type, "5"), answer_type)
    return time.process_time() - began


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


@pytest.mark.parametrize("module", [extraction, reward, answers, numerals])
def test_the_examples(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted > 0
    assert result.failed == 0
