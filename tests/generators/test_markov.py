from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from synthgen.core.contract import Problems, Render, Texts
from synthgen.core.derivation import derivation_text
from synthgen.core.errors import ParamError
from synthgen.core.randomness import RowDraws, Rows, stream_key
from synthgen.core.registry import load_verifier
from synthgen.generators._markov_confluence import CONFLUENCE, confluence
from synthgen.generators._markov_engine import SCOPES, STRATEGIES
from synthgen.generators._markov_measure import why_halting
from synthgen.generators._markov_program import Rule, Run, compiled, run
from synthgen.generators.markov import Markov
from tests.generators import markov_oracle as oracle

STREAM = stream_key(7, "source", "markov")
HALTING = {"blocked", "stopped"}
EVERYTHING: dict[str, Any] = {"scopes": SCOPES, "strategies": STRATEGIES[:-1]}
ANY_ORDER: dict[str, Any] = {"strategies": ("any_order",), "stop_share": 0}


def drawn(kind: Markov, n: int = 500) -> Problems:
    """The valid ones of n addresses, or of more where rules must meet a condition."""
    rare = kind.necessary or "any_order" in kind.strategies
    rows = Rows.span(STREAM, 0, 8 * n if rare else n)
    valid = kind.draw(rows).valid
    return kind.draw(Rows(STREAM, rows.addresses[valid][:n]))


def told(kind: Markov, problems: Problems, prompt: str = "bare", solution: str = "none") -> Texts:
    return kind.render(problems, Render(prompt, solution))


def ran(rules: list[tuple[str, str, bool]], word: str, **limits: int) -> Run:
    return run([Rule(*rule) for rule in rules], word, **limits)


KINDS = {
    "default": Markov(),
    "next": Markov(task="next_rule"),
    "next of all": Markov(task="next_rule", empty_share=0.3, **EVERYTHING),
    "status": Markov(task="status", max_steps=25, max_length=40),
    "status of all": Markov(task="status", max_steps=20, empty_share=0.3, **EVERYTHING),
    "steps": Markov(task="apply_k", markers="XY", cascade_share=0.8, growth_share=0.5),
    "steps of all": Markov(task="apply_k", **EVERYTHING),
    "length": Markov(terminating="length", max_lhs=4),
    "order": Markov(terminating="order", min_lhs=2, max_lhs=4, max_rhs=4, letters="abcd9"),
    "shortlex": Markov(terminating="shortlex", **EVERYTHING),
    "parallel": Markov(scopes=("all_parallel",), strategies=("markov_priority", "round_robin")),
    "any order": Markov(terminating="shortlex", **ANY_ORDER),
    "any order, sorting": Markov(terminating="order", min_lhs=2, letters="abcd", **ANY_ORDER),
    "any order or not": Markov(
        terminating="length", strategies=("any_order", "round_robin"), stop_share=0, letters="ab"
    ),
    "necessary": Markov(necessary=True, max_rules=8),
    "necessary for the status": Markov(task="status", necessary=True, max_steps=20),
    "long": Markov(min_steps=30, max_steps=50, max_word=24),
    "many rules": Markov(min_rules=32, max_rules=32, letters="abcde", stop_share=0.0),
}
every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@pytest.mark.parametrize("word", oracle.REVERSED)
def test_word_and_its_reverse(word: str) -> None:
    done = ran(oracle.REVERSAL, word)
    assert (done.word, done.status) == (word + word[::-1], "stopped")
    assert len(done.steps) == oracle.REVERSED[word]


def test_the_published_trace_and_random_words() -> None:
    steps = ran(oracle.REVERSAL, "abb").steps
    assert [f"{rule}@{place} {word}" for rule, place, word in steps] == oracle.REVERSAL_TRACE
    for draws in Rows.span(STREAM, 0, 300).each():
        word = "".join(draws.choice("ab") for _ in range(draws.integer(0, 9)))
        assert ran(oracle.REVERSAL, word).word == word + word[::-1]


@pytest.mark.parametrize("word", oracle.UNARIES)
def test_binary_to_unary(word: str) -> None:
    bars, steps = oracle.UNARIES[word]
    done = ran(oracle.UNARY, word)
    assert (done.word, done.status, len(done.steps)) == ("i" * bars, "blocked", steps)


@pytest.mark.parametrize(("rules", "word", "status", "last", "steps"), oracle.ENDS)
def test_how_runs_end(rules: Any, word: str, status: str, last: str | None, steps: int) -> None:
    done = ran(rules, word, max_steps=50)
    assert (done.status, len(done.steps)) == (status, steps)
    assert last is None or done.word == last
    assert (done.loop_start, done.loop_length) == ((0, 2) if status == "loop" else (-1, 0))


def test_the_order_of_ends_at_the_limits() -> None:
    grow, turn = [("a", "aa", False)], [("a", "b", False), ("b", "a", False)]
    assert ran(grow, "a", max_length=3).status == "overflow"
    assert ran(grow, "a", max_length=3).word == "aaa"
    assert ran(grow, "a", max_steps=2, max_length=3).status == "budget"
    assert [ran(turn, "a", max_steps=k).status for k in range(3)] == ["budget", "budget", "loop"]
    assert ran([("a", "b", False)], "a", max_steps=1).status == "blocked"
    assert ran([("a", "a", True)], "a").status == "stopped"


@pytest.mark.parametrize("scope", oracle.SCOPED)
def test_scopes(scope: str) -> None:
    result, word = oracle.SCOPED[scope]
    lhs = "aa"
    if scope in ("leftmost", "rightmost"):
        rules = [Rule("a" if scope == "rightmost" else "Z", "X", True, scope)]
        word = word if scope == "rightmost" else "aZaa"
    else:
        rules = [Rule(lhs, "X", True, scope)]
    assert run(rules, word).word == result
    if scope != "all_nonoverlap":
        ends = {"rightmost": "abX", "suffix": "abX", "whole": "ab"}
        assert run([Rule("", "X", True, scope)], "ab").word == ends.get(scope, "Xab")


def test_parallel_rules_act_together() -> None:
    algae = [Rule("a", "ab", False, "all_parallel"), Rule("b", "a", False, "all_parallel")]
    words = [word for _, _, word in run(algae, "a", max_steps=6).steps]
    assert words == ["ab", "aba", "abaab", "abaababa", "abaababaabaab", "abaababaabaababaababa"]
    mixed = [Rule("ab", "x", False, "all_parallel"), Rule("b", "y", True, "all_parallel")]
    done = run(mixed, "babb")
    assert done.steps == ((0, 1, "yxy"),)
    assert done.status == "blocked"


def test_strategies() -> None:
    rules = [Rule("a", "b"), Rule("b", "c"), Rule("c", "a")]
    assert run(rules, "aab", "sequential_once").steps == (
        (0, 0, "bab"),
        (1, 0, "cab"),
        (2, 0, "aab"),
    )
    assert run(rules, "aab", "sequential_once").status == "blocked"
    around = run(rules, "aab", "round_robin")
    assert [rule for rule, _, _ in around.steps] == [0, 1, 2]
    assert (around.status, around.loop_start, around.loop_length) == ("loop", 0, 3)
    by_rank = run(rules, "aab")
    assert [rule for rule, _, _ in by_rank.steps] == [0, 0, 1, 1, 1, 2, 0, 1]
    assert (by_rank.status, by_rank.loop_start, by_rank.loop_length) == ("loop", 5, 3)


@every_kind
def test_texts_and_axes_are_those_of_a_slow_reading(kind: Markov) -> None:
    problems = drawn(kind, 250)
    texts = told(kind, problems, "bare", "trace")
    assert texts.solutions is not None
    prompts = texts.prompts.to_pylist()
    expected = [oracle.answered(oracle.parse(prompt)) for prompt in prompts]
    assert texts.answers.to_pylist() == [answer for answer, _, _ in expected]
    assert texts.solutions.to_pylist() == [trace for _, trace, _ in expected]
    columns = {name: column.tolist() for name, column in problems.axes.items()}
    for name, column in columns.items():
        if kind.axes[name].values:
            columns[name] = [kind.axes[name].values[value] for value in column]
    named = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    assert named == [oracle.axes(prompt) for prompt in prompts]
    assert problems.difficulty.tolist() == problems.axes["n_steps"].tolist()


@every_kind
def test_problems_keep_within_the_params(kind: Markov) -> None:
    problems = drawn(kind)
    assert len(problems) > 250
    for prompt in told(kind, problems).prompts.to_pylist():
        problem = oracle.parse(prompt)
        assert kind.min_rules <= len(problem.rules) <= kind.max_rules
        lefts = [rule.lhs for rule in problem.rules]
        assert len(set(lefts)) == len(lefts)
        assert problem.strategy in kind.strategies
        for rule in problem.rules:
            assert rule.scope in kind.scopes or not rule.lhs
            assert rule.lhs != rule.rhs
            assert not rule.lhs or kind.min_lhs <= len(rule.lhs) <= kind.max_lhs
            assert kind.min_rhs <= len(rule.rhs) <= kind.max_rhs
            assert set(rule.lhs + rule.rhs) <= set(kind.letters + kind.markers)
        if kind.task != "next_rule":
            assert kind.min_word <= len(problem.word) <= kind.max_word
            assert set(problem.word) <= set(kind.letters)
    axes = problems.axes
    assert axes["longest_word"].max() <= kind.max_length
    if kind.task in ("run", "status"):
        assert axes["n_fired"].min() >= kind.min_fired
        assert kind.min_steps <= axes["n_steps"].min() <= axes["n_steps"].max() <= kind.max_steps
    if kind.task in ("run", "apply_k"):
        texts = told(kind, problems)
        pairs = zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True)
        assert all(oracle.parse(prompt).word != answer.strip("_") for prompt, answer in pairs)


@pytest.mark.parametrize(
    "kind",
    [
        Markov(terminating="length", max_lhs=4, max_word=12),
        Markov(terminating="order", min_lhs=2, letters="abcd", max_word=12),
        Markov(terminating="shortlex", letters="ab", max_rules=5, max_word=8),
        Markov(terminating="length", **EVERYTHING),
        Markov(terminating="order", min_lhs=2, letters="abc", **EVERYTHING),
        Markov(terminating="shortlex", letters="ab", max_rules=5, max_word=8, **EVERYTHING),
    ],
)
def test_programs_that_must_halt_do_so_within_their_bound(kind: Markov) -> None:
    """No status is asked for, so that a run which did not halt would be among the rows."""
    kind = replace(kind, task="status", max_steps=1_000, min_steps=0, min_fired=0)
    problems = drawn(kind, 3_000)
    axes = problems.axes
    assert axes["bound"].max() <= kind.max_steps
    assert (axes["terminating"] > 0).all()
    assert (axes["status"] <= 1).all()
    assert (axes["n_steps"] <= axes["bound"]).all()
    assert axes["n_steps"].max() > 5


def test_rules_that_must_be_needed_are() -> None:
    for name, task in (("necessary", "run"), ("necessary for the status", "status")):
        problems = drawn(KINDS[name], 1_000)
        assert np.array_equal(problems.axes["n_needed"], problems.axes["n_fired"])
        free = drawn(Markov(task=task), 1_000).axes
        assert (free["n_needed"] <= free["n_fired"]).all()
        assert (free["n_needed"] < free["n_fired"]).mean() > 0.05


def test_what_is_needed_by_hand() -> None:
    cases = {
        "a > b ; b > c | ab =": [0, 1],
        "a > b ; b > c ; a > c | ab =": [1],
        "a > _ ; ab > b | ab =": [],
        "a > b ; b > a @prefix | ca ? 1 =": [0],
        "a > b ; b > a ; a > ba | a ? status 9 9 =": [0, 1],
        "a > b ; b > a ; b > a @prefix | a ? status 9 9 =": [0],
        "b > c ; a > b ; c > a | bb ? 2 =": [0],
    }
    for prompt, expected in cases.items():
        assert oracle.needed(oracle.parse(prompt)) == expected, prompt


@pytest.mark.parametrize("name", ["any order", "any order, sorting", "any order or not"])
def test_any_order_has_one_result(name: str) -> None:
    """Everything that the word can become is gone through."""
    problems = drawn(KINDS[name], 600)
    texts = told(KINDS[name], problems)
    free = 0
    for prompt, answer in zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True):
        problem = oracle.parse(prompt)
        if problem.strategy == "any_order":
            free += 1
            if len(problem.word) <= 9:
                assert oracle.results(problem.rules, problem.word) == {answer.strip("_")}
    assert (problems.axes["confluent"] == CONFLUENCE.index("yes")).sum() >= free > 200


CONFLUENT = [
    ([("ba", "ab")], "yes"),
    ([("ab", "a"), ("ba", "a")], "yes"),
    ([("ab", "c"), ("bc", "a")], "no"),
    ([("aa", "b"), ("ab", "a")], "no"),
    ([("aa", "a"), ("bb", "b"), ("ba", "ab")], "yes"),
    ([("ba", "ab"), ("ca", "ac"), ("cb", "bc")], "yes"),
    ([("aba", "b")], "no"),
    ([("aba", "a")], "yes"),
    ([("abc", ""), ("b", "")], "no"),
    ([("abc", "ac"), ("b", "")], "yes"),
    ([("a", "b")], "unknown"),
    ([("a", "aa")], "unknown"),
]


@pytest.mark.parametrize(("rules", "expected"), CONFLUENT)
def test_confluence_of_small_systems(rules: list[tuple[str, str]], expected: str) -> None:
    program = compiled([Rule(*rule) for rule in rules])
    assert CONFLUENCE[confluence(program, why_halting(program))] == expected
    told = [oracle.Rule(*rule, False, "leftmost") for rule in rules]
    assert oracle.confluent(told, oracle.why_halting(told)) == expected
    words = ["".join(word) for n in range(6) for word in product("abc", repeat=n)]
    if expected != "unknown":
        unique = all(len(oracle.results(told, word)) == 1 for word in words)
        assert unique == (expected == "yes")


def test_derivations_spell_the_problem() -> None:
    kind = KINDS["steps of all"]
    problems = drawn(kind, 40)

    def string(side: str) -> str:
        return f"(string{len(side)} {' '.join(side)})" if side else "string0"

    for text, prompt in zip(
        derivation_text(problems.derivations, kind.signature).to_pylist(),
        told(kind, problems).prompts.to_pylist(),
        strict=True,
    ):
        p = oracle.parse(prompt)
        rules = " ".join(
            f"({'stop_' * r.stop}rule{f'_{r.scope}' if r.scope != 'leftmost' else ''} "
            f"{string(r.lhs)} {string(r.rhs)})"
            for r in p.rules
        )
        name = "program" if p.strategy == "markov_priority" else p.strategy
        program = f"({name}{len(p.rules)} {rules})"
        assert text == f"(apply_k #{p.numbers[0]} {program} {string(p.word)})"


def test_statuses_can_be_chosen() -> None:
    for status in ("blocked", "stopped", "loop", "budget", "overflow"):
        kind = Markov(task="status", statuses=(status,), max_steps=30)
        assert {kind.axes["status"].values[i] for i in drawn(kind, 200).axes["status"]} == {status}
    only = Markov(statuses=("stopped", "loop"))
    assert set(drawn(only, 200).axes["status"].tolist()) == {1}


def test_targets_pull_steps_and_statuses() -> None:
    few, many = (drawn(Markov(steer=steer), 2_000).axes["n_steps"] for steer in (1, 16))
    assert many.mean() > 1.4 * few.mean()
    ends = [
        np.bincount(drawn(Markov(task="status", steer=steer), 2_000).axes["status"])
        for steer in (1, 16)
    ]
    assert ends[1].min() > 1.5 * ends[0].min()


def share_of(kind: Markov, what: str) -> float:
    """Share of rules (but the first of a program) of which something holds."""
    found = []
    for prompt in told(kind, drawn(kind, 800)).prompts.to_pylist():
        rules = oracle.parse(prompt).rules
        for i, rule in enumerate(rules[1:], 1):
            earlier = rules[:i]
            found.append(
                {
                    "cascade": any(rule.lhs in other.rhs for other in earlier),
                    "growth": len(rule.rhs) > len(rule.lhs),
                    "deletion": not rule.rhs,
                    "stop": rule.stop,
                    "decoy": any(
                        len(other.lhs) == len(rule.lhs)
                        and sum(a != b for a, b in zip(other.lhs, rule.lhs, strict=True)) == 1
                        for other in earlier
                    ),
                }[what]
            )
    return float(np.mean(found))


@pytest.mark.parametrize("what", ["cascade", "growth", "deletion", "stop", "decoy"])
def test_shares_steer_the_rules(what: str) -> None:
    base = Markov(letters="abcdef", min_lhs=2, max_lhs=3, max_rhs=4, min_fired=1)
    low, high = (share_of(replace(base, **{f"{what}_share": s}), what) for s in (0.0, 0.6))
    assert high > low + 0.1


def test_empty_left_sides_come_last() -> None:
    kind = Markov(task="status", empty_share=1.0)
    for prompt in told(kind, drawn(kind, 200)).prompts.to_pylist():
        rules = oracle.parse(prompt).rules
        assert [not rule.lhs for rule in rules] == [False] * (len(rules) - 1) + [True]


def test_next_rules_are_asked_for_far_down_the_list_too() -> None:
    answers = drawn(Markov(task="next_rule"), 3_000).axes["first_rule"]
    counts = np.bincount(answers, minlength=7) / len(answers)
    assert (counts[:5] > 0.02).all()
    assert counts.max() < 0.6


@pytest.mark.parametrize("task", ["run", "next_rule", "status", "apply_k"])
def test_wordings_differ_and_are_accepted(task: str) -> None:
    kind = Markov(task=task, **EVERYTHING)
    texts = told(kind, drawn(kind, 200), "instruction", "trace")
    assert len(set(texts.templates.to_pylist())) == 6
    assert all(name.startswith(f"{task}_") for name in texts.templates.to_pylist())
    assert all("`@suffix`" in p and "`round_robin :`" in p for p in texts.prompts.to_pylist())
    plain = told(Markov(task=task), drawn(Markov(task=task), 50), "instruction")
    assert not any("@" in p or "round_robin" in p for p in plain.prompts.to_pylist())
    verifier = load_verifier("markov")
    assert verifier.check(texts.prompts, texts.answers, texts.solutions).all()
    assert verifier.symbolic(texts.prompts, texts.answers).all()


def test_a_row_draws_the_same_numbers_in_plain_python() -> None:
    """The first draw of an attempt decides the number of rules."""
    rows = Rows.span(STREAM, 0, 300)
    kind = Markov(min_rules=1, max_rules=32, letters="abcdef", min_fired=0, allow_trivial=True)
    kind = replace(kind, task="status", min_steps=0, steer=1, decoy_share=0.0, min_lhs=3)
    counts = kind.draw(rows).axes["n_rules"]
    expected = []
    for draws in rows.each():
        attempt = RowDraws(draws.bits())
        attempt.bits()
        expected.append(attempt.integer(1, 33))
    assert np.mean(counts == expected) > 0.95


@pytest.mark.parametrize(
    "params",
    [
        {"task": "guess"},
        {"letters": ""},
        {"letters": "aB"},
        {"markers": "x"},
        {"max_rules": 33},
        {"min_rules": 7},
        {"min_lhs": 0},
        {"max_lhs": 17},
        {"max_rhs": 17},
        {"min_rhs": 4},
        {"min_word": 17},
        {"max_word": 201},
        {"strategies": ()},
        {"strategies": ("random",)},
        {"scopes": ("leftmost", "leftmost")},
        {"terminating": "always"},
        {"stop_share": 1.5},
        {"decoy_share": True},
        {"min_steps": 51},
        {"max_steps": 1001},
        {"max_length": 15},
        {"min_fired": 7},
        {"statuses": ("open",)},
        {"statuses": ("loop",)},
        {"allow_trivial": 1},
        {"necessary": 1},
        {"necessary": True, "task": "apply_k"},
        {"necessary": True, "task": "next_rule"},
        {"task": "apply_k", "terminating": "length", **ANY_ORDER},
        {"scopes": SCOPES, "terminating": "length", **ANY_ORDER},
        {"stop_share": 0.1, "terminating": "length", "strategies": ("any_order",)},
        {"terminating": "none", **ANY_ORDER},
        {"steer": 0},
        {"empty_share": 0.5, "terminating": "length"},
        {"min_steps": 0, "task": "apply_k"},
    ],
)
def test_wrong_params_are_refused(params: dict[str, Any]) -> None:
    with pytest.raises(ParamError, match=f"^{next(iter(params))}="):
        Markov(**params)


@pytest.mark.parametrize(
    ("params", "possible"),
    [
        ({"letters": "ab", "max_lhs": 1}, "max_rules=6: expected at most 2,"),
        ({"letters": "ab", "max_lhs": 2, "max_rules": 7}, "max_rules=7: expected at most 6,"),
        (
            {"letters": "ab", "terminating": "order", "max_lhs": 2},
            "max_rules=6: expected at most 1",
        ),
        ({"terminating": "length", "max_lhs": 1}, "max_rules=6: expected at most 3,"),
        ({"terminating": "length", "min_steps": 17}, "min_steps=17: expected at most 16,"),
        (
            {"terminating": "order", "max_word": 4, "min_steps": 6},
            "min_steps=6: expected at most 5",
        ),
        ({"strategies": ("sequential_once",), "min_steps": 7}, "min_steps=7: expected at most 6,"),
    ],
)
def test_impossible_params_are_refused_with_what_is_possible(
    params: dict[str, Any], possible: str
) -> None:
    with pytest.raises(ParamError) as error:
        Markov(**params)
    assert str(error.value).startswith(possible)


def test_params_that_hardly_any_program_meets_give_invalid_rows() -> None:
    kind = Markov(max_steps=1_000, min_steps=1_000, max_word=4)
    problems = kind.draw(Rows.span(STREAM, 0, 20))
    assert not problems.valid.any()


@pytest.mark.parametrize(
    "arguments",
    [{"lhs": "", "scope": "all_parallel"}, {"lhs": "é"}, {"lhs": "a" * 33}, {"scope": "middle"}],
)
def test_wrong_rules_are_refused(arguments: dict[str, str]) -> None:
    with pytest.raises(ParamError):
        Rule(**{"lhs": "a", "rhs": "b", **arguments})
