"""The verifier of skill chains: worked examples, malformed text, steps, names, hostile input."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.generators.skillmix._chain_catalog import catalogue
from synthgen.generators.skillmix._chain_names import MOST_KEY, opaque_name
from synthgen.generators.skillmix.skill_chain import SkillChain
from synthgen.verifiers.skillmix._chain_atoms import ATOMS
from synthgen.verifiers.skillmix._chain_exact import exact_answer
from synthgen.verifiers.skillmix._chain_words import ROWS
from synthgen.verifiers.skillmix.skill_chain import VERIFIER
from tests.bounded import bounded

COMPOSE = {
    "rev": "esopmoc",
    "rotl2": "mposeco",
    "rotr3": "osecomp",
    "caesar5": "htrutxj",
    "atbash": "xlnklhv",
    "sort": "cemoops",
    "dedup": "compse",
    "rmvow": "cmps",
    "dbl": "ccoommppoossee",
    "evens": "cmoe",
    "odds": "ops",
    "swap": "ocpmsoe",
    "halves": "osecomp",
    "riffle": "coosmep",
    "mirror": "composeesopmoc",
    "drop2": "mpose",
    "vowrot": "cumpusi",
    "take3": "com",
    "half": "comp",
    "replace_ox": "cxmpxse",
    "remove_o": "cmpse",
    "insert_z2": "cozmpose",
    "insert_z9": "composez",
    "toggle_m": "copose",
    "toggle_z": "composez",
    "length": "7",
    "vowels": "3",
    "distinct": "6",
    "alphasum": "86",
    "index_o": "2",
    "index_z": "0",
    "codes": "[3, 15, 13, 16, 15, 19, 5]",
}
WORKED = {f"{label} | compose": answer for label, answer in COMPOSE.items()} | {
    "letters | [1, 26, 27, 0, -1, 53]": "azazya",
    "lrev | [3, 1, 4]": "[4, 1, 3]",
    "lsort | [3, 1, 4, 1]": "[1, 1, 3, 4]",
    "lsortdesc | [3, 1, 4, 1]": "[4, 3, 1, 1]",
    "ladd3 | [3, -1]": "[6, 2]",
    "lmul2 | [3, -1]": "[6, -2]",
    "lmod7 | [15, -1, 7]": "[1, 6, 0]",
    "prefix | [3, 1, 4]": "[3, 4, 8]",
    "diffs | [3, 1, 4]": "[-2, 3]",
    "unique | [3, 1, 3, 4, 1]": "[3, 1, 4]",
    "keepeven | [3, 0, -2, 5, 4]": "[0, -2, 4]",
    "keepgt5 | [5, 6, 1, 9]": "[6, 9]",
    "lrot2 | [3, 1, 4, 1]": "[4, 1, 3, 1]",
    "lrot5 | [3, 1, 4]": "[4, 3, 1]",
    "ltake2 | [3, 1, 4]": "[3, 1]",
    "ldrop2 | [3, 1, 4]": "[4]",
    "pairsums | [3, 1, 4, 1, 5]": "[4, 5, 5]",
    "sum | [3, 1, 4]": "8",
    "max | [3, 1, 4]": "4",
    "min | [3, 1, 4]": "1",
    "count | [3, 1, 4]": "3",
    "range | [3, 1, 4]": "3",
    "median | [3, 1, 4, 9]": "3",
    "median | [3, 1, 4]": "3",
    "argmax | [3, 9, 4, 9]": "2",
    "add7 | 5": "12",
    "mul3 | 5": "15",
    "mod5 | 13": "3",
    "digitsum | 908": "17",
    "revdigits | 120": "21",
    "collatz | 7": "22",
    "collatz | 22": "11",
    "sqmod97 | 10": "3",
    "gcd12 | 18": "6",
    "gcd12 | 0": "12",
    "digits | 907": "[9, 0, 7]",
    "digits | 0": "[0]",
    "divisors | 36": "[1, 2, 3, 4, 6, 9, 12, 18, 36]",
    "primes | 360": "[2, 2, 2, 3, 3, 5]",
    "acronym | [pear, fig, plum]": "pfp",
    "lasts | [pear, fig, plum]": "rgm",
    "wrev | [pear, fig, plum]": "[plum, fig, pear]",
    "wsort | [pear, fig, plum, figs]": "[fig, figs, pear, plum]",
    "wdedup | [fig, figs, fig, pear]": "[fig, figs, pear]",
    "wlonger3 | [pear, fig, plum]": "[pear, plum]",
    "rotl2 rev caesar5 | compose": "thjxtur",
    "acronym codes sum digits | [pear, fig, plum]": "[3, 8]",
    "first reverse the letters, then rotate left by 2: compose": "opmoces",
    "rotate_left_by_2(reverse_the_letters(compose))": "opmoces",
    "keep the first letter: compose": "c",
    "func_acwn(compose)": "esopmoc",
    "Say it.\n\n`rev | compose`\n\nPlease.": "esopmoc",
    "func_q writes the letters of a string in reverse order.\n"
    "func_b moves the first letter of a string to its end, twice.\n\n"
    "`first func_q, then func_b: compose`": "opmoces",
}
DEFINED = "func_q writes the letters of a string in reverse order.\n"
MALFORMED = [
    *(
        "",
        " ",
        "`",
        "compose",
        "rev",
        "rev |",
        "rev | ",
        "rev |compose",
        "rev| compose",
        "| compose",
    ),
    *(
        " | compose",
        "rev  | compose",
        " rev | compose",
        "rev rotl2  | compose",
        "rev, rev | compose",
    ),
    *("rev | Compose", "rev | com pose", "rev | compose ", "rev | 17", "rev | [1, 2]", "rev | [a]"),
    *("lrev | [1,2]", "lrev | [1, 2", "lrev | 1, 2]", "lrev | []", "lrev | [01]", "lrev | [1, a]"),
    *("lrev | [1, 2]]", "lrev | [ 1]", "lrev | [-0]", "add7 | 05", "add7 | -", "add7 | +5"),
    *(
        "wrev | [fig, 1]",
        "wrev | [fig,, fig]",
        "wrev | [fig, ]",
        "rotl10 | compose",
        "rotl0 | compose",
    ),
    *("caesar26 | compose", "replace_aa | compose", "length rev | compose", "nothing | compose"),
    *("reverse the letters | compose", "rev: compose", "first rev, then rotl2: compose"),
    *("first reverse the letters: compose", "reverse the letters, then rotate left by 2: compose"),
    *("first reverse the letters, rotate left by 2: compose", "reverse the letters:compose"),
    *("first reverse the letters, then : compose", "first , then rotate left by 2: compose"),
    *("first reverse the letters, then rotate left by 2, then : compose", ": compose"),
    *(
        "reverse the letters(compose)",
        "reverse_the_letters(compose",
        "reverse_the_letters compose)",
    ),
    *("reverse_the_letters(compose))", "reverse_the_letters((compose))", "reverse_the_letters()"),
    *("(compose)", "()", "reverse_the_letters: compose", "rev(compose)", "func_zzzz(compose)"),
    *("func_q(compose)", "func_acw(compose)", "func_acwnn(compose)", "func_ACWN(compose)"),
    *("diffs | [3]", "rmvow | aei", "divisors | 10001", "primes | 1", "digits | -4", "drop9 | abc"),
    f"{DEFINED}{DEFINED}\n`func_q: compose`",
    f"{DEFINED}func_b does something.\n\n`func_q: compose`",
    f"{DEFINED}\n`func_b: compose`",
    f"{DEFINED[:-2]}\n\n`func_q: compose`",
    "func_Q writes the letters of a string in reverse order.\n\n`func_Q: compose`",
    f"rev | {'a' * 129}",
    f"{'rev ' * 32}rev | compose",
    "mul12 mul11 | 99999999",
    *("rev | compös", "rév | compose"),
]
TOLD = [
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


def strings(*texts: str | None) -> pa.StringArray:
    return pa.array(texts, pa.string())


def both(prompt: str, answer: str) -> list[bool]:
    """What the compiled and the slow check say."""
    return [
        bool(VERIFIER.check(strings(prompt), strings(answer), None)[0]),
        bool(VERIFIER.symbolic(strings(prompt), strings(answer))[0]),
    ]


@pytest.mark.parametrize(("prompt", "answer"), WORKED.items())
def test_worked_examples(prompt: str, answer: str) -> None:
    assert both(prompt, answer) == [True, True]
    for wrong in ("", f"{answer} ", f" {answer}", answer[:-1], answer + answer[-1], f"{answer}\n"):
        assert both(prompt, wrong) == [False, False]


def test_every_row_is_worked_by_hand() -> None:
    labels = {label for prompt in WORKED for label in prompt.partition(" | ")[0].split(" ")}
    worked = {atom.row for atom in ATOMS if atom.forms[0] in labels}
    assert worked == set(range(len(ROWS)))


@pytest.mark.parametrize("prompt", MALFORMED)
def test_what_is_no_problem_has_no_answer(prompt: str) -> None:
    assert exact_answer(prompt) is None
    for answer in ("", "compose", "esopmoc", "[]", "[1, 2]", "0", "None"):
        assert both(prompt, answer) == [False, False]


@pytest.mark.parametrize(("solution", "right"), TOLD)
def test_steps_are_followed(solution: str, right: bool) -> None:
    prompt, answer = strings("rev rotl2 | compose"), strings("opmoces")
    assert bool(VERIFIER.check(prompt, answer, strings(solution))[0]) == right


def test_a_tenth_step_has_two_digits() -> None:
    prompt = strings(f"{'caesar1 ' * 9}caesar1 | a")
    lines = [f"{k}: {chr(97 + k)}" for k in range(1, 11)]
    assert VERIFIER.check(prompt, strings("k"), strings("\n".join(lines)))[0]
    lines[9] = "0: k"
    assert not VERIFIER.check(prompt, strings("k"), strings("\n".join(lines)))[0]


def test_generator_and_reader_know_the_same_atoms() -> None:
    """They share no code; the words are the protocol between them."""
    atoms = list(catalogue().values())
    assert [atom.forms[0] for atom in ATOMS] == [atom.label for atom in atoms]
    assert [atom.forms[1] for atom in ATOMS] == [atom.name for atom in atoms]
    assert [atom.forms[3] for atom in ATOMS] == [atom.definition for atom in atoms]
    assert [(atom.source, atom.result) for atom in ATOMS] == [atom.types for atom in atoms]


@pytest.mark.parametrize("key", [0, 1, 57, MOST_KEY])
def test_opaque_names_are_read_under_every_key(key: int) -> None:
    prompts, answers = [], []
    inputs = {0: "compose", 1: "[4, 9, 4, 12]", 2: "360", 3: "[fig, pear, fig, plums]"}
    for atom in list(catalogue().values())[:: 1 if key == 0 else 9]:
        value = inputs[atom.types[0]]
        answer = exact_answer(f"{atom.label} | {value}")
        if answer is not None:
            prompts.append(f"{opaque_name(atom, key)}({value})")
            answers.append(answer)
    assert len(prompts) > 150
    assert VERIFIER.check(strings(*prompts), strings(*answers), None).all()
    assert VERIFIER.symbolic(strings(*prompts), strings(*answers)).all()


words = st.lists(st.text("abeoz", min_size=1, max_size=6), min_size=1, max_size=6).map(
    lambda items: f"[{', '.join(items)}]"
)
lists = st.lists(st.integers(-40, 400), min_size=1, max_size=9).map(str)
values = st.one_of(
    st.text("aeiouxyzst", min_size=1, max_size=12), lists, st.integers(-20, 12_000).map(str), words
)
labels = st.sampled_from([atom.forms[0] for atom in ATOMS])


@given(st.lists(labels, min_size=1, max_size=4), values)
@settings(max_examples=600, deadline=None)
def test_both_checks_agree_on_any_chain(chain: list[str], value: str) -> None:
    prompt = f"{' '.join(chain)} | {value}"
    answer = exact_answer(prompt)
    if answer is None:
        assert both(prompt, value) == [False, False]
    else:
        assert both(prompt, answer) == [True, True]


@given(st.sampled_from([atom.forms[0] for atom in ATOMS]), st.data())
@settings(max_examples=1_500, deadline=None)
def test_both_checks_agree_on_every_atom(label: str, data: st.DataObject) -> None:
    types = next(ROWS[atom.row][1] for atom in ATOMS if atom.forms[0] == label)
    kinds = {"S": st.text("aeiouxyzst", min_size=1, max_size=12), "L": lists, "W": words}
    kinds["N"] = st.integers(-20, 12_000).map(str)
    prompt = f"{label} | {data.draw(kinds[types[0]])}"
    answer = exact_answer(prompt)
    assert both(prompt, answer or "nothing") == [answer is not None] * 2


@given(st.text(max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_text_is_judged(text: str) -> None:
    for prompt in (text, f"rev | {text}", f"{text} | compose", f"`{text}`", f"func_q {text}."):
        answer = exact_answer(prompt)
        assert both(prompt, answer or text) == [answer is not None] * 2


def test_changed_letters_of_a_prompt_are_noticed() -> None:
    generator = SkillChain(min_atoms=2, max_atoms=2, distractors=0)
    problems = generator.draw(Rows.span(2, 0, 400))
    problems = generator.draw(Rows(2, problems.rows.addresses[problems.valid]))
    for style in generator.prompts:
        texts = generator.render(problems, Render(style, "none"))
        changed = [re.sub("[sn]", "q", prompt) for prompt in texts.prompts.to_pylist()]
        same = [a == b for a, b in zip(changed, texts.prompts.to_pylist(), strict=True)]
        accepted = VERIFIER.check(pa.array(changed, pa.string()), texts.answers, None)
        assert accepted.sum() <= 12 + sum(same)


def test_hostile_text_is_judged_quickly() -> None:
    size = 200_000
    prompts = [
        *("func_" * size, "`" * size, "|" * size, "(" * size, "first " * size, ", then " * size),
        *("func_q \n" * size + "`func_q: a`", "rev | " + "a" * size, "rev | [" + "1, " * size),
        *("rev | " + "9" * size, "rev " * size + "| a", "reverse_the_letters(" * size),
    ]
    with bounded():
        for prompt in prompts:
            assert both(prompt, "a") == [False, False]


@pytest.mark.parametrize(
    ("prediction", "answer", "score"),
    [
        ("esopmoc", "esopmoc", 1.0),
        (" esopmoc\n", "esopmoc", 1.0),
        ("Esopmoc", "esopmoc", 0.0),
        ("17", "17", 1.0),
        ("+017", "17", 1.0),
        ("-17", "17", 0.0),
        ("[3,1,4]", "[3, 1, 4]", 1.0),
        ("[ 3 , 1,4 ]", "[3, 1, 4]", 1.0),
        ("3, 1, 4", "[3, 1, 4]", 0.0),
        ("[3, 14]", "[3, 1, 4]", 0.0),
        ("[pear,plum]", "[pear, plum]", 1.0),
        ("[" + "1," * 9_000 + "]", "[3, 1, 4]", 0.0),
        ("", "[3, 1, 4]", 0.0),
    ],
)
def test_grading(prediction: str, answer: str, score: float) -> None:
    assert VERIFIER.grade(prediction, answer) == score
