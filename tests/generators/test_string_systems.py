"""The string systems: every rule by hand, axes from the texts, and what makes them well defined."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product
from math import perm
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.contract import Problems, Render, Texts
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators import _systems_rules as systems
from synthgen.generators._systems_draw import run_inputs
from synthgen.generators._systems_run import UNENDED
from synthgen.generators.string_systems import StringSystems
from synthgen.verifiers.string_systems import VERIFIER

BARE, STEPS = Render("bare", "none"), Render("bare", "steps")
SINGLE = [
    (1, ["abb", "cab"]),
    (2, ["bac", "bcb"]),
    (3, ["bcb", "baa"]),
    (3, ["bc", "aa"]),
    (4, ["abbbb", "abb", "a"]),
    (4, ["bb", ""]),
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
IDLE = {
    1: "bab",
    2: "aca",
    3: "abc",
    4: "bba",
    5: "acb",
    6: "aca",
    7: "cca",
    8: "baa",
    9: "acb",
    10: "bac",
    11: "bab",
    12: "acc",
    13: "abc",
    14: "caa",
    15: "abb",
    16: "aab",
    17: "cab",
    18: "abaa",
    19: "abcabcabcabcabc",
    20: "aac",
}
"""Strings that a rule leaves alone."""
A_CYCLE = (
    [2, 3, 6, 15, 16],
    ["bcb", "baa", "bcc", "caa", "bbac", "bbcb"],
)
"""The next string would be the first one again."""
LEADING_IN = ([2, 3, 6, 15, 16], ["bbbcb", "bbcb", "bcb", "baa", "bcc", "caa", "bbac"])
"""The next string would be the second one again."""
PAIRS = {
    "B# A# #B #A B#": ["B# #B A# #A B#", "A# #A B#", "B#"],
    "A# #A": ["(empty)"],
    "A# #B": ["#B A#"],
    "B# #A": ["#A B#"],
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


def made(generator: StringSystems, n: int, style: Render = STEPS) -> tuple[Problems, Texts]:
    """Some valid problems and their texts."""
    problems = generator.draw(Rows.span(11, 0, n))
    problems = generator.draw(Rows(11, problems.rows.addresses[problems.valid]))
    return problems, generator.render(problems, style)


def run(rules: list[int], text: str, max_steps: int = 100) -> tuple[str, int, int]:
    """Answer, steps and ending of manipulation."""
    lists = np.full((1, systems.N_BANK), -1, np.int8)
    lists[0, : len(rules)] = np.array(rules) - 1
    symbols = np.frombuffer(text.encode(), np.uint8).copy()
    offsets, counts = np.array([0, len(text)]), np.array([len(rules)])
    runs = run_inputs(systems.MANIPULATION, symbols, offsets, lists, counts, max_steps)
    return runs.symbols.tobytes().decode(), int(runs.steps[0]), int(runs.ended[0])


def run_fixed(system: int, symbols: list[int]) -> tuple[list[int], int]:
    """Answer and steps of A::B or insertion."""
    lists = np.full((1, systems.N_BANK), -1, np.int8)
    values = np.array(symbols, np.uint8)
    offsets, counts = np.array([0, len(symbols)]), np.array([0])
    runs = run_inputs(system, values, offsets, lists, counts, 5_000)
    return runs.symbols.tolist(), int(runs.steps[0])


@pytest.mark.parametrize(("rule", "states"), SINGLE)
def test_every_rule_of_the_bank_by_hand(rule: int, states: list[str]) -> None:
    assert run([rule], states[0]) == (states[-1], len(states) - 1, 0)


@pytest.mark.parametrize("rule", range(1, 21))
def test_a_rule_that_does_not_fit_does_nothing(rule: int) -> None:
    assert run([rule], IDLE[rule]) == (IDLE[rule], 0, 0)
    assert run([rule], "b" if rule != 4 else "a") == ("b" if rule != 4 else "a", 0, 0)


def test_the_first_rule_of_the_list_that_fits_acts() -> None:
    assert run([8, 1], "aab") == ("ca", 2, 0)
    assert run([4, 16], "bb") == ("", 1, 0)
    assert run([14, 10], "bca") == ("bc", 1, 0)
    assert run([10, 14], "bca") == ("", 1, 0)


@pytest.mark.parametrize(("rules", "states"), [A_CYCLE, LEADING_IN])
def test_a_string_that_comes_again_ends_before_it(rules: list[int], states: list[str]) -> None:
    steps = len(states) - 1
    assert run(rules, states[0]) == (states[-1], steps, 1)
    assert run(rules, states[0], steps) == (states[-1], steps, 1)
    assert run(rules, states[0], steps - 1)[2] == UNENDED


@pytest.mark.parametrize(("program", "states"), PAIRS.items())
def test_programs_of_ab_by_hand(program: str, states: list[str]) -> None:
    left, steps = run_fixed(systems.AB, [systems.TOKENS.index(t) for t in program.split()])
    told = " ".join(systems.TOKENS[token] for token in left)
    assert (told or "(empty)") == (states[-1] if states else program)
    assert steps == len(states)


def reduced(tokens: list[int], *, rightmost: bool) -> tuple[list[int], int]:
    """Rewrite one pair after the other, in either order."""
    steps = 0
    while True:
        places = [k for k, (x, y) in enumerate(pairwise(tokens)) if x < 2 <= y]
        if not places:
            return tokens, steps
        at = places[-1 if rightmost else 0]
        x, y = tokens[at], tokens[at + 1]
        tokens = tokens[:at] + ([] if y == x + 2 else [y, x]) + tokens[at + 2 :]
        steps += 1


@settings(max_examples=200)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=24))
def test_the_order_of_steps_makes_no_difference_to_ab(tokens: list[int]) -> None:
    found = run_fixed(systems.AB, tokens)
    assert found == reduced(tokens, rightmost=False) == reduced(tokens, rightmost=True)
    assert found[1] <= (len(tokens) // 2) * ((len(tokens) + 1) // 2)


@pytest.mark.parametrize(("before", "after"), INSERTIONS.items())
def test_insertions_by_hand(before: str, after: str) -> None:
    left, steps = run_fixed(systems.INSERTION, list(before.encode()))
    assert bytes(left).decode() == after
    assert steps == len(after) - len(before)


@settings(max_examples=200)
@given(st.text("ABCDEF", max_size=30))
def test_insertion_is_one_pass_from_the_left(text: str) -> None:
    out, at, steps = "", 0, 0
    while at < len(text):
        group = text[at : at + 4]
        whole = len(group) == 4 and group in "ABCDEABC"
        out += group + group[0] if whole else text[at]
        at += 4 if whole else 1
        steps += whole
    assert run_fixed(systems.INSERTION, list(text.encode())) == (list(out.encode()), steps)


@pytest.mark.parametrize(
    "generator",
    [
        StringSystems(empty=True, min_length=1),
        StringSystems(min_length=20, max_length=60, max_rules=20),
        StringSystems("ab", min_length=1, empty=True),
        StringSystems("insertion", follow=0.7),
    ],
    ids=["manipulation", "long", "ab", "insertion"],
)
def test_axes_are_those_of_the_texts(generator: StringSystems) -> None:
    problems, texts = made(generator, 1_500)
    axes = {name: column.tolist() for name, column in problems.axes.items()}
    spaced = generator.system == "ab"
    for i, (prompt, answer, steps) in enumerate(
        zip(*(c.to_pylist() for c in (texts.prompts, texts.answers, texts.solutions)), strict=True)
    ):
        rules, told = prompt.split(" | ")
        lines = steps.split("\n")
        repeats = lines[-1].endswith(" again")
        done = lines[1:-1]
        assert axes["ended"][i] == repeats
        assert repeats or lines[-1] == "end"
        assert lines[0] == f"start: {told}"
        assert axes["n_steps"][i] == problems.difficulty[i] == len(done)
        assert axes["n_fired"][i] == len({line.split(": ")[0] for line in done})
        assert (lines[: len(done) + 1][-1].split(": ")[1]) == (answer or "(empty)")
        lengths = [len(text.split() if spaced else text) for text in (told, answer)]
        assert [axes["input_length"][i], axes["answer_length"][i]] == lengths
        count = {"manipulation": len(rules.split(" ")), "ab": 4, "insertion": 5}[generator.system]
        assert axes["n_rules"][i] == count
        assert axes["length_level"][i] == 1 + (lengths[0] > 10) + (lengths[0] > 50)
        assert axes["rules_level"][i] == 1 + sum(count > most for most in (3, 5, 10, 15))
        assert axes["system"][i] == systems.SYSTEMS.index(generator.system)


def test_rules_and_letters_are_drawn_evenly_and_without_replacement() -> None:
    _, texts = made(StringSystems(), 20_000, BARE)
    lists, letters, counts, lengths = Counter(), Counter(), Counter(), Counter()
    for prompt in texts.prompts.to_pylist():
        rules, text = prompt.split(" | ")
        names = rules.split(" ")
        assert len(set(names)) == len(names)
        lists.update(names)
        letters.update(text)
        counts[len(names)] += 1
        lengths[len(text)] += 1
    assert set(counts) == set(range(3, 9))
    assert set(lengths) == set(range(5, 21))
    assert set(letters) == set("abc")
    for counter in (lists, letters, counts, lengths):
        values = list(counter.values())
        assert min(values) > 0.9 * sum(values) / len(values)
        assert max(values) < 1.1 * sum(values) / len(values)
    assert set(lists) == {rule.notation for rule in systems.BANK}


def test_following_letters_make_groups() -> None:
    shares = []
    for follow in (0.0, 0.5, 0.9):
        problems, texts = made(StringSystems("insertion", follow=follow), 4_000)
        circle = {a + b for a, b in pairwise("ABCDEA")}
        pairs = [a + b for p in texts.prompts.to_pylist() for a, b in pairwise(p.split(" | ")[1])]
        shares.append(np.mean([pair in circle for pair in pairs]))
        assert shares[-1] == pytest.approx(follow + (1 - follow) / 5, abs=0.02)
        assert problems.axes["n_steps"].mean() > 0
    whole = StringSystems("insertion", follow=1.0, alphabet="ABC", min_length=8, max_length=8)
    assert whole.fewest_problems is None
    for prompt in made(whole, 50)[1].prompts.to_pylist():
        assert all(b == "ABC"["ABC".index(a) + 1] for a, b in pairwise(prompt[-8:]) if a != "C")


@pytest.mark.parametrize("empty", [False, True])
def test_problems_are_counted_exactly_where_it_says_so(empty: bool) -> None:
    for length in range(1, 7):
        ab = StringSystems("ab", min_length=length, max_length=length, empty=empty)
        left = [run_fixed(systems.AB, list(t))[0] for t in product(range(4), repeat=length)]
        assert ab.fewest_problems == sum(empty or len(tokens) > 0 for tokens in left)
        insertion = StringSystems("insertion", min_length=length, max_length=length, empty=empty)
        assert insertion.fewest_problems == 5**length
    slow = StringSystems("ab", min_length=6, max_length=6, max_steps=8)
    assert slow.fewest_problems == 7 * 2**6
    assert StringSystems("insertion", min_length=400, max_length=500).fewest_problems == 10**30


def test_the_bound_of_manipulation_holds() -> None:
    bound = StringSystems(min_length=7, max_length=7, min_rules=2, max_rules=2).fewest_problems
    inert = [
        text
        for text in map("".join, product("abc", repeat=7))
        if all(run([rule], text)[1] == 0 for rule in range(1, 21))
    ]
    assert bound is not None
    assert perm(20, 2) < bound <= perm(20, 2) * len(inert)
    assert StringSystems(alphabet="ab").fewest_problems is None
    assert StringSystems(min_length=2, max_length=4).fewest_problems is None


def test_answers_that_are_empty_are_dropped_unless_asked_for() -> None:
    for system in ("manipulation", "ab"):
        params: dict[str, Any] = {"system": system, "min_length": 2, "max_length": 6}
        problems, texts = made(StringSystems(**params, empty=True), 4_000)
        n_empty = texts.answers.to_pylist().count("")
        assert 0 < n_empty == (problems.axes["answer_length"] == 0).sum()
        assert VERIFIER.check(texts.prompts, texts.answers, texts.solutions).all()
        assert "" not in made(StringSystems(**params), 4_000)[1].answers.to_pylist()


def test_problems_that_take_too_long_are_dropped() -> None:
    short = StringSystems(min_length=30, max_length=60, max_rules=20, max_steps=5)
    problems = short.draw(Rows.span(1, 0, 2_000))
    longer = StringSystems(min_length=30, max_length=60, max_rules=20).draw(Rows.span(1, 0, 2_000))
    assert np.array_equal(problems.valid, longer.valid & (longer.axes["n_steps"] <= 5))
    assert 0 < problems.valid.mean() < 1


@pytest.mark.parametrize(
    "params",
    [
        {"min_length": 500, "max_length": 500, "min_rules": 20, "max_rules": 20},
        {"system": "ab", "min_length": 100, "max_length": 140, "max_steps": 5_000},
        {"system": "insertion", "min_length": 500, "max_length": 500, "follow": 1.0},
        {"alphabet": "abcxz", "min_rules": 1, "min_length": 1},
        {"system": "insertion", "alphabet": "ABCDEFG", "follow": 0.5},
    ],
)
def test_the_far_ends_of_the_parameters(params: dict[str, Any]) -> None:
    for style in (STEPS, Render("instruction", "steps")):
        problems, texts = made(StringSystems(**params), 40, style)
        assert len(problems) > 30
        assert VERIFIER.check(texts.prompts, texts.answers, texts.solutions).all()
        assert VERIFIER.symbolic(texts.prompts[:5], texts.answers[:5]).all()


@pytest.mark.parametrize(
    ("params", "name"),
    [
        ({"system": "markov"}, "system"),
        ({"min_length": 0}, "min_length"),
        ({"min_length": 21}, "min_length"),
        ({"max_length": 501}, "max_length"),
        ({"max_rules": 21}, "max_rules"),
        ({"min_rules": 9}, "min_rules"),
        ({"min_rules": 0}, "min_rules"),
        ({"alphabet": "abA"}, "alphabet"),
        ({"alphabet": "aa"}, "alphabet"),
        ({"system": "ab", "alphabet": "AB"}, "alphabet"),
        ({"follow": 0.5}, "follow"),
        ({"system": "insertion", "follow": 1.5}, "follow"),
        ({"system": "insertion", "follow": "much"}, "follow"),
        ({"max_steps": 5_001}, "max_steps"),
        ({"max_steps": 0}, "max_steps"),
        ({"empty": 1}, "empty"),
    ],
)
def test_params_that_make_no_sense_are_refused(params: dict[str, Any], name: str) -> None:
    with pytest.raises(ParamError, match=f"^{name}="):
        StringSystems(**params)


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_every_wording_tells_all_rules(system: str) -> None:
    _, texts = made(StringSystems(system), 600, Render("instruction", "none"))
    told = {}
    for name, prompt in zip(texts.templates.to_pylist(), texts.prompts.to_pylist(), strict=True):
        told[name] = prompt.rsplit("\n\n`", 1)[0]
    assert len(told) == len(set(told.values())) == 6
    rules = {"manipulation": ("1. ", "2. ", "3. "), "ab": systems.PAIRS, "insertion": systems.RUNS}
    for text in told.values():
        assert "`" not in text
        assert all(rule in text for rule in rules[system])
        if system == "ab":
            for fate in ("#B A#", "#A B#", "vanish"):
                assert fate in text
        if system == "insertion":
            assert all(f"{run[0]} after {run}" in text for run in systems.RUNS)


def test_the_same_answers_as_reasoning_gym() -> None:
    pytest.importorskip("reasoning_gym")
    from reasoning_gym.algorithmic import ab, string_insertion, string_manipulation

    peer = string_manipulation.StringManipulationDataset(
        string_manipulation.StringManipulationConfig(size=1, seed=0)
    )
    place = {rule.notation: i for i, rule in enumerate(systems.BANK)}
    for params in ({}, {"min_length": 1, "max_length": 40, "min_rules": 1, "max_rules": 20}):
        problems, texts = made(StringSystems(empty=True, **params), 3_000, BARE)
        for i, prompt in enumerate(texts.prompts.to_pylist()):
            rules, text = prompt.split(" | ")
            chosen = [peer.rules[place[name]] for name in rules.split(" ")]
            states = peer._get_all_transforms(text, chosen)
            assert states[-1] == texts.answers[i].as_py(), prompt
            assert len(states) - 1 == problems.axes["n_steps"][i]
    problems, texts = made(StringSystems("ab", min_length=1, max_length=18, empty=True), 3_000)
    for i, prompt in enumerate(texts.prompts.to_pylist()):
        program_states, endless = ab.compute_steps(prompt.removeprefix("A::B | ").split(" "))
        assert not endless
        assert " ".join(program_states[-1]) == texts.answers[i].as_py()
        assert len(program_states) - 1 == problems.axes["n_steps"][i]
    inserting = string_insertion.StringInsertionDataset(
        string_insertion.StringInsertionConfig(size=1, seed=0)
    )
    _, texts = made(StringSystems("insertion", follow=0.7), 3_000, BARE)
    for prompt, answer in zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True):
        assert inserting._get_answer(prompt.removeprefix("insertion | ")) == answer
