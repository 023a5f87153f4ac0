"""The string systems: every rule by hand, axes from the texts, and what makes them well defined."""

from collections import Counter
from itertools import pairwise, product
from math import perm
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.authoring import Words
from synthgen.authoring.words import filled
from synthgen.contract.interfaces import Problems, Render, Texts
from synthgen.contract.registry import generator_class
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.families import string_systems
from synthgen.testing import check_family
from tests.bounded import bounded
from tests.building import build_bundled
from tests.families.verdicts import Verdicts, valid_problems

VERDICTS = Verdicts("string_systems")
accepts = VERDICTS.accepts

WORDS = Words.beside(string_systems.__file__)
NOTATIONS, SENTENCES = WORDS["rules"]["notations"], WORDS["rules"]["sentences"]
KIND: Any = generator_class("string_systems")
STEPS = Render("bare", "steps")
TOKENS = ("A#", "B#", "#A", "#B")
SINGLE = [
    (1, ["abb", "cab"]),
    (2, ["bac", "bcb"]),
    (3, ["bcb", "baa"]),
    (3, ["bc", "aa"]),
    (4, ["abbbb", "abb", "a"]),
    (4, ["bb", "(empty)"]),
    (5, ["cbab", "aaa"]),
    (5, ["cb", "aa"]),
    (5, ["cbc", "aa"]),
    (6, ["cab", "bbbc"]),
    (7, ["bcc", "abb"]),
    (8, ["aaab", "aab", "ab"]),
    (9, ["babcabc", "bcababc", "bcabcab", "bccabab"]),
    (10, ["abcabca", "abca", "a"]),
    (11, ["cba", "cab"]),
    (12, ["ccccb", "ccb", "b"]),
    (13, ["acba", "bcaa"]),
    (14, ["bca", "bc"]),
    (15, ["bbba", "bba", "ba"]),
    (16, ["baa", "bcc"]),
    (17, ["acaca", "aca", "a"]),
    (17, ["caca", "ca"]),
    (18, ["bab", "babab"]),
    (19, ["abcabcabcabcabcab", "abcabcababcabcab", "abcabcabbcabcab"]),
    (20, ["acb", "zzb"]),
]
"""States under a single rule, worked out by hand."""
IDLE = [
    *("bab", "aca", "abc", "bba", "acb", "aca", "cca", "baa", "acb", "bac"),
    *("bab", "acc", "abc", "caa", "abb", "aab", "cab", "abaa", "abcabcabcabcabc", "aac"),
]
"""Strings to which a rule does not apply, rule by rule."""
CYCLES = [
    (
        [2, 3, 6, 15, 16],
        ["bcb", "baa", "bcc", "caa", "bbac", "bbcb", "bcb"],
        [2, 5, 2, 3, 1, 4],
    ),
    (
        [2, 3, 6, 15, 16],
        ["bbbcb", "bbcb", "bcb", "baa", "bcc", "caa", "bbac", "bbcb"],
        [4, 4, 2, 5, 2, 3, 1],
    ),
]
"""The last string is the first that occurs again."""
PROGRAMS = {
    "B# A# #B #A B#": ["A# #B: B# #B A# #A B#", "B# #B: A# #A B#", "A# #A: B#"],
    "A# #A": ["A# #A: (empty)"],
    "A# #B": ["A# #B: #B A#"],
    "B# #A": ["B# #A: #A B#"],
    "#A A#": [],
    "B#": [],
}
INSERTIONS = {
    "ABCDEABCD": "ABCDAEABCED",
    "ABCDABCD": "ABCDAABCDA",
    "BCDE": "BCDEB",
    "CDEA": "CDEAC",
    "DEAB": "DEABD",
    "EABC": "EABCE",
    "ABCABCD": "ABCABCDA",
    "ABDC": "ABDC",
    "AABCDD": "AABCDAD",
}
PARAMS: list[dict[str, Any]] = [
    {},
    {"empty": True, "min_length": 1, "alphabet": "abcz", "min_rules": 1},
    {"min_length": 20, "max_length": 60, "max_rules": 20, "max_steps": 100},
    {"system": "ab", "min_length": 2},
    {"system": "ab", "min_length": 1, "max_length": 30, "empty": True},
    {"system": "insertion", "follow": 0.7},
    {"system": "insertion", "alphabet": "ABCDEFG", "follow": 0.5},
]


def made(n: int, style: Render = STEPS, **params: Any) -> tuple[Any, Problems, Texts]:
    """Some valid problems and their texts."""
    generator = KIND(**params)
    problems = valid_problems(generator, Rows.span(11, 0, n))
    return generator, problems, generator.render(problems, style)


def bare(rules: list[int], text: str) -> str:
    return f"{' '.join(NOTATIONS[rule - 1] for rule in rules)} | {text}"


def answer_of(prompt: str) -> str:
    found = VERDICTS.verifier.answer(prompt)
    assert found is not None
    return str(found)


@pytest.mark.parametrize("params", PARAMS, ids=str)
def test_contract(params: dict[str, Any]) -> None:
    check_family("string_systems", params, rows=400)


@pytest.mark.parametrize(("rule", "states"), SINGLE)
def test_every_rule_of_the_bank_by_hand(rule: int, states: list[str]) -> None:
    prompt, answer = bare([rule], states[0]), states[-1].replace("(empty)", "")
    lines = [f"start: {states[0]}", *(f"rule 1: {state}" for state in states[1:])]
    assert answer_of(prompt) == answer
    assert accepts(prompt, answer, "\n".join([*lines, "end: no rule applies"]))


@pytest.mark.parametrize("rule", range(1, 21))
def test_a_rule_that_does_not_apply_does_nothing(rule: int) -> None:
    assert answer_of(bare([rule], IDLE[rule - 1])) == IDLE[rule - 1]
    assert answer_of(bare([rule], "b")) == "b"


def test_the_first_rule_that_applies_acts() -> None:
    assert answer_of(bare([8, 1], "aab")) == "ca"
    assert answer_of(bare([4, 16], "bb")) == ""
    assert answer_of(bare([14, 10], "bca")) == "bc"
    assert answer_of(bare([10, 14], "bca")) == ""


@pytest.mark.parametrize(("rules", "states", "numbers"), CYCLES)
def test_a_run_ends_before_a_repetition(
    rules: list[int], states: list[str], numbers: list[int]
) -> None:
    prompt, answer = bare(rules, states[0]), states[-2]
    assert answer_of(prompt) == answer
    lines = [f"rule {number}: {state}" for number, state in zip(numbers, states[1:], strict=True)]
    solution = [f"start: {states[0]}", *lines, "end: this string has occurred before"]
    assert accepts(prompt, answer, "\n".join(solution))
    assert not accepts(prompt, answer, "\n".join([*solution[:-1], "end: no rule applies"]))
    assert not accepts(prompt, answer, "\n".join([*solution[:-2], solution[-1]]))


@pytest.mark.parametrize(("program", "lines"), PROGRAMS.items())
def test_programs_of_ab_by_hand(program: str, lines: list[str]) -> None:
    answer = lines[-1].split(": ")[1].replace("(empty)", "") if lines else program
    assert answer_of(f"A::B | {program}") == answer
    solution = [f"start: {program}", *lines, "end: no two # signs face each other"]
    assert accepts(f"A::B | {program}", answer, "\n".join(solution))


def reduced(tokens: list[str], *, rightmost: bool) -> tuple[list[str], int]:
    """Rewrite one pair after the other, in either order."""
    steps = 0
    while True:
        places = [k for k, (x, y) in enumerate(pairwise(tokens)) if x[1] == "#" == y[0]]
        if not places:
            return tokens, steps
        at = places[-1 if rightmost else 0]
        x, y = tokens[at], tokens[at + 1]
        tokens = tokens[:at] + ([] if x[0] == y[1] else [y, x]) + tokens[at + 2 :]
        steps += 1


@settings(max_examples=200)
@given(st.lists(st.sampled_from(TOKENS), min_size=1, max_size=24))
def test_the_order_of_steps_makes_no_difference_to_ab(tokens: list[str]) -> None:
    left, steps = reduced(tokens, rightmost=False)
    assert (left, steps) == reduced(tokens, rightmost=True)
    assert answer_of(f"A::B | {' '.join(tokens)}") == " ".join(left)
    assert steps <= (len(tokens) // 2) * ((len(tokens) + 1) // 2)


@pytest.mark.parametrize(("before", "after"), INSERTIONS.items())
def test_insertions_by_hand(before: str, after: str) -> None:
    assert answer_of(f"insertion | {before}") == after


@pytest.mark.parametrize("params", PARAMS[1:], ids=str)
def test_axes_are_those_of_the_texts(params: dict[str, Any]) -> None:
    generator, problems, texts = made(400, **params)
    axes = {name: values.tolist() for name, values in problems.axes.items()}
    system = params.get("system", "manipulation")
    assert texts.solutions is not None
    columns = (texts.prompts, texts.answers, texts.solutions)
    for i, (prompt, answer, steps) in enumerate(
        zip(*(c.to_pylist() for c in columns), strict=True)
    ):
        rules, text = prompt.split(" | ")
        *lines, end = steps.split("\n")
        repeats = end == "end: this string has occurred before"
        done = lines[1:-1] if repeats else lines[1:]
        assert axes["ended"][i] == repeats
        assert lines[0] == f"start: {text}"
        assert axes["n_steps"][i] == problems.difficulty[i] == len(done)
        assert axes["n_fired"][i] == len({line.split(": ")[0] for line in done})
        assert lines[len(done)].split(": ")[1] == (answer or "(empty)")
        lengths = [len(one.split() if system == "ab" else one) for one in (text, answer)]
        assert [axes["input_length"][i], axes["answer_length"][i]] == lengths
        count = {"manipulation": len(rules.split(" ")), "ab": 4, "insertion": 5}[system]
        assert axes["n_rules"][i] == count
        assert axes["length_level"][i] == 1 + (lengths[0] > 10) + (lengths[0] > 50)
        assert axes["rules_level"][i] == 1 + sum(count > most for most in (3, 5, 10, 15))
        assert generator.axes["system"].values[axes["system"][i]] == system


def test_rules_and_letters_are_drawn_evenly_and_without_replacement() -> None:
    _, _, texts = made(5_000, Render("bare", "none"))
    counters: list[Counter[Any]] = [Counter() for _ in range(4)]
    for prompt in texts.prompts.to_pylist():
        rules, text = prompt.split(" | ")
        names = rules.split(" ")
        assert len(set(names)) == len(names)
        counters[0].update(names)
        counters[1].update(text)
        counters[2][len(names)] += 1
        counters[3][len(text)] += 1
    sets = set(NOTATIONS), set("abc"), set(range(3, 9)), set(range(5, 21))
    for counter, wanted in zip(counters, sets, strict=True):
        assert set(counter) == wanted
        values = list(counter.values())
        assert min(values) > 0.8 * sum(values) / len(values)
        assert max(values) < 1.2 * sum(values) / len(values)


def test_following_letters_make_groups() -> None:
    circle = {a + b for a, b in pairwise("ABCDEA")}
    for follow in (0.0, 0.5, 0.9):
        _, _, texts = made(1_000, system="insertion", follow=follow)
        pairs = [a + b for p in texts.prompts.to_pylist() for a, b in pairwise(p.split(" | ")[1])]
        share = np.mean([pair in circle for pair in pairs])
        assert follow + (1 - follow) / 5 - 0.02 < share < follow + (1 - follow) / 2
    whole: dict[str, Any] = {
        "system": "insertion",
        "follow": 1.0,
        "alphabet": "ABC",
        "min_length": 8,
    }
    generator, _, texts = made(50, **whole, max_length=8)
    assert generator.fewest_problems is None
    for prompt in texts.prompts.to_pylist():
        assert all(b == "ABC"["ABC".index(a) + 1] for a, b in pairwise(prompt[-8:]) if a != "C")


@pytest.mark.parametrize("empty", [False, True])
def test_problems_are_counted_exactly_where_possible(empty: bool) -> None:
    for length in range(1, 6):
        sizes = {"min_length": length, "max_length": length, "empty": empty}
        left = [reduced(list(t), rightmost=False)[0] for t in product(TOKENS, repeat=length)]
        kept = sum(empty or len(tokens) > 0 for tokens in left)
        assert KIND(system="ab", **sizes).fewest_problems == kept
        assert KIND(system="insertion", **sizes).fewest_problems == 5**length
    slow = KIND(system="ab", min_length=6, max_length=6, max_steps=8)
    assert slow.fewest_problems == 7 * 2**6
    assert KIND(system="insertion", min_length=400, max_length=500).fewest_problems == 10**30


def test_the_bound_of_manipulation_holds() -> None:
    bound = KIND(min_length=7, max_length=7, min_rules=2, max_rules=2).fewest_problems
    strings = map("".join, product("abc", repeat=7))
    inert = [
        text
        for text in strings
        if all(answer_of(bare([rule], text)) == text for rule in range(1, 21))
    ]
    assert perm(20, 2) < bound <= perm(20, 2) * len(inert)
    assert KIND(alphabet="ab").fewest_problems is None
    assert KIND(min_length=2, max_length=4).fewest_problems is None


def test_empty_answers_are_dropped_unless_asked_for() -> None:
    for system in ("manipulation", "ab"):
        sizes: dict[str, Any] = {"system": system, "min_length": 2, "max_length": 6}
        _, problems, texts = made(1_500, **sizes, empty=True)
        n_empty = texts.answers.to_pylist().count("")
        assert 0 < n_empty == (problems.axes["answer_length"] == 0).sum()
        assert "" not in made(1_500, **sizes)[2].answers.to_pylist()


def test_problems_that_take_too_long_are_dropped() -> None:
    sizes: dict[str, Any] = {"min_length": 30, "max_length": 60}
    problems = KIND(**sizes, max_rules=20, max_steps=5).draw(Rows.span(1, 0, 500))
    longer = KIND(**sizes, max_rules=20).draw(Rows.span(1, 0, 500))
    assert np.array_equal(problems.valid, longer.valid & (longer.axes["n_steps"] <= 5))
    assert 0 < problems.valid.mean() < 1


@pytest.mark.parametrize(
    "params",
    [
        {"min_length": 500, "max_length": 500, "min_rules": 20, "max_rules": 20},
        {"system": "ab", "min_length": 100, "max_length": 140, "max_steps": 5_000},
        {"system": "insertion", "min_length": 500, "max_length": 500, "follow": 1.0},
    ],
    ids=str,
)
def test_the_far_ends_of_the_parameters(params: dict[str, Any]) -> None:
    for style in (STEPS, Render("instruction", "steps")):
        _, problems, texts = made(20, style, **params)
        assert len(problems) > 15
        assert VERDICTS.verifier.check(texts.prompts, texts.answers, texts.solutions).all()


@pytest.mark.parametrize(
    ("params", "name"),
    [
        ({"system": "markov"}, "system"),
        ({"min_length": 0}, "min_length"),
        ({"min_length": 21}, "min_length"),
        ({"max_length": 501}, "max_length"),
        ({"max_rules": 21}, "max_rules"),
        ({"min_rules": 9}, "min_rules"),
        ({"alphabet": "abA"}, "alphabet"),
        ({"alphabet": "aa"}, "alphabet"),
        ({"system": "ab", "alphabet": "AB"}, "alphabet"),
        ({"follow": 0.5}, "follow"),
        ({"system": "insertion", "follow": 1.5}, "follow"),
        ({"max_steps": 5_001}, "max_steps"),
        ({"empty": 1}, "empty"),
    ],
)
def test_params_out_of_range_are_rejected(params: dict[str, Any], name: str) -> None:
    with pytest.raises(ParamError, match=f"^{name}="):
        KIND(**params)


@pytest.mark.parametrize("wording", WORDS.wordings("instruction", "manipulation"))
def test_instructions_number_their_rules_from_one(wording: str) -> None:
    lines = [f"{i}. {SENTENCES[rule - 1]}" for i, rule in enumerate([8, 1, 20], 1)]
    good = filled(wording, {"rules": "\n".join(lines), "string": "aab"})
    assert accepts(good, "ca")
    changes = [
        good.replace("1. ", "2. "),
        good.replace("2. ", "3. "),
        good.replace("1. ", "01. "),
        good.replace("1. ", "1.  "),
        good.replace(SENTENCES[19], NOTATIONS[7]),
        good.replace(SENTENCES[19], SENTENCES[7]),
        good.replace("aab", "aab "),
        good.replace("aab", "aaB"),
    ]
    for change in changes:
        assert change != good
        assert not accepts(change, "ca")
        assert not accepts(change, "aab")


@pytest.mark.parametrize(
    "prompt",
    [
        *("", " | ", "ab*>ca* |", "ab*>ca* | ", " | ab", "ab*>ca*| ab", "ab*>ca*  | ab", "x | ab"),
        *("ab*>ca* ab*>ca* | ab", "ab*>ca* | aB", "ab*>ca* | ab ", "A::B | ", "A::B | A#  #A"),
        *("A::B | A##A", "A::B | A", "A::B | ab", "insertion | abcd", "insertion | ABC D", "ABCD"),
        *("a::b | A#", "insertion |ABCD", "ab*>ca* | A#", "ab*>ca* | ab\n", "\nA::B | A#"),
    ],
)
def test_what_is_not_a_problem_has_no_answer(prompt: str) -> None:
    assert not any(accepts(prompt, answer) for answer in ("", "ab", "ca", "A#", "ABCDA", prompt))


def test_hard_problems_take_bounded_time() -> None:
    with bounded():
        for text in ("ab" * 500, "ba" * 499 + "c", "cab" * 333):
            accepts(bare(list(range(20, 0, -1)), text), "ab")
            accepts(bare([18, 2, 13, 9], text), "ab")


SIZES = {"train": 1_800, "test": 60, "test_long": 60, "test_rules": 20, "test_repeat": 20}


def test_the_recipe_holds_out_what_it_says(tmp_path: Path) -> None:
    sets = ("render.solution='steps'", "render.prompt='instruction'")
    rows = build_bundled("string-systems", tmp_path / "out", *sets, scale=0.02)
    assert {split: len(found) for split, found in rows.items()} == SIZES
    for split in ("train", "test", "test_long"):
        per_system = [row["system"] for row in rows[split]]
        assert {per_system.count(name) for name in set(per_system)} == {SIZES[split] // 3}
    assert all(row["input_length"] <= 15 and row["n_rules"] <= 8 for row in rows["train"])
    assert all(row["input_length"] > 15 for row in rows["test_long"])
    assert all("\n9. If" in row["prompt"] for row in rows["test_rules"])
    for split, found in rows.items():
        repeats = split == "test_repeat"
        assert all(row["solution"].endswith("occurred before") == repeats for row in found)
        for system in {row["system"] for row in found}:
            idle = [row["n_steps"] == 0 for row in found if row["system"] == system]
            assert sum(idle) <= len(idle) / 20, (split, system)
    ids = [row["id"] for found in rows.values() for row in found]
    assert len(set(ids)) == len(ids)
