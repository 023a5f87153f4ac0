"""Rows of rewriting programs: the contract, axes from the texts, the params."""

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from synthgen.contract.interfaces import Generator, Problems, Render, Texts
from synthgen.contract.registry import generator_class
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows, stream_key
from synthgen.testing import check_family
from synthgen.trees.derivations import derivation_text
from tests.families.markov import programs

STREAM = stream_key(7, "source", "markov")
EVERYTHING: dict[str, Any] = {
    "scopes": (
        *("leftmost", "rightmost", "all_nonoverlap", "all_parallel"),
        *("prefix", "suffix", "whole"),
    ),
    "strategies": ("markov_priority", "round_robin", "sequential_once"),
}
ANY_ORDER: dict[str, Any] = {"strategies": ("any_order",), "stop_share": 0}
KINDS: dict[str, dict[str, Any]] = {
    "default": {},
    "next": {"task": "next_rule"},
    "next of all": {"task": "next_rule", "empty_share": 0.3, **EVERYTHING},
    "status": {"task": "status", "max_steps": 25, "max_length": 40},
    "status of all": {"task": "status", "max_steps": 20, "empty_share": 0.3, **EVERYTHING},
    "steps": {"task": "apply_k", "markers": "XY", "cascade_share": 0.8, "growth_share": 0.5},
    "steps of all": {"task": "apply_k", **EVERYTHING},
    "length": {"terminating": "length", "max_lhs": 4},
    "order": {
        "terminating": "order",
        "min_lhs": 2,
        "max_lhs": 4,
        "max_rhs": 4,
        "letters": "abcd9",
    },
    "shortlex": {"terminating": "shortlex", **EVERYTHING},
    "any order": {"terminating": "shortlex", **ANY_ORDER},
    "any order, sorting": {"terminating": "order", "min_lhs": 2, "letters": "abcd", **ANY_ORDER},
    "any order or not": {
        "terminating": "length",
        "letters": "ab",
        "stop_share": 0,
        "strategies": ("any_order", "round_robin"),
    },
    "necessary": {"necessary": True, "max_rules": 8},
    "necessary for the status": {"task": "status", "necessary": True, "max_steps": 20},
    "long": {"min_steps": 30, "max_steps": 50, "max_word": 24},
    "many rules": {"min_rules": 32, "max_rules": 32, "letters": "abcde", "stop_share": 0.0},
}
RARE = {"any order", "any order, sorting", "any order or not", "necessary for the status"}
every_kind = pytest.mark.parametrize("name", KINDS)


def markov(**params: Any) -> Generator:
    return generator_class("markov")(**params)


def drawn(kind: Any, n: int = 500) -> Any:
    """The valid ones of n addresses, or of more where rules must meet a condition."""
    rare = kind.necessary or "any_order" in kind.strategies
    rows = Rows.span(STREAM, 0, 8 * n if rare else n)
    valid = kind.draw(rows).valid
    return kind.draw(Rows(STREAM, rows.addresses[valid][:n]))


def rendered(
    kind: Generator, problems: Problems, prompt: str = "bare", solution: str = "none"
) -> Texts:
    return kind.render(problems, Render(prompt, solution))


@every_kind
def test_contract(name: str) -> None:
    check_family("markov", KINDS[name], rows=150, least_valid=0.05 if name in RARE else 0.5)


def rows_of(name: str) -> list[tuple[dict[str, Any], programs.Problem, str, str]]:
    """Axes, problem, answer and trace of some rows."""
    kind = markov(**KINDS[name])
    problems = drawn(kind, 200)
    texts = rendered(kind, problems, "bare", "trace")
    assert texts.solutions is not None
    columns = {name: column.tolist() for name, column in problems.axes.items()}
    for axis, column in columns.items():
        if kind.axes[axis].values:
            columns[axis] = [kind.axes[axis].values[value] for value in column]
    assert problems.difficulty.tolist() == columns["n_steps"]
    return [
        (dict(zip(columns, row, strict=True)), programs.parse(prompt), answer, trace)
        for row, prompt, answer, trace in zip(
            zip(*columns.values(), strict=True),
            texts.prompts.to_pylist(),
            texts.answers.to_pylist(),
            texts.solutions.to_pylist(),
            strict=True,
        )
    ]


@every_kind
def test_axes_follow_from_the_texts(name: str) -> None:
    for axes, problem, answer, trace in rows_of(name):
        expected = {**axes_of_program(problem), **axes_of_run(problem, answer, trace)}
        assert {axis: axes[axis] for axis in expected} == expected
        assert {*axes} - {*expected} == {"bound", "confluent", "n_needed"}
        assert axes["terminating"] != "none" or axes["bound"] == 0


def axes_of_program(problem: programs.Problem) -> dict[str, Any]:
    rules = problem.rules
    scopes = {rule.scope for rule in rules}
    return {
        "question": problem.question,
        "strategy": problem.strategy,
        "scope": scopes.pop() if len(scopes) == 1 else "mixed",
        "terminating": programs.reduced(rules),
        "n_rules": len(rules),
        "has_stop": int(any(rule.stop for rule in rules)),
        "n_stop_rules": sum(rule.stop for rule in rules),
        "n_growing": sum(len(rule.rhs) > len(rule.lhs) for rule in rules),
        "feeds_itself": int(any(rule.lhs in rule.rhs for rule in rules)),
        "word_length": len(problem.word),
        "longest_side": max(max(len(rule.lhs), len(rule.rhs)) for rule in rules),
    }


def axes_of_run(problem: programs.Problem, answer: str, trace: str) -> dict[str, Any]:
    lines = [re.split("[@ ]", line) for line in trace.split("\n") if "@" in line]
    steps = [(int(rule), int(place)) for rule, place, *_ in lines]
    words = [problem.word, *(line[2].strip("_") for line in lines if line[2:])]
    status, *loop = trace.split("\n")[-1].split(" ")
    start, length = map(int, loop or ("-1", "0"))
    ends, word = problem.question in ("run", "status"), answer.strip("_")
    word = word if problem.question in ("run", "apply_k") else ""
    first, place = steps[0] if steps else (0, -1)
    places = len(problem.word) - len(problem.rules[first - 1].lhs) + 1
    return {
        "status": status if ends else "open",
        "n_steps": len(steps),
        "n_fired": len({rule for rule, _ in steps}),
        "answer_length": len(word),
        "answer_letters": len({*word}),
        "longest_word": max(map(len, words)),
        "loop_start": start,
        "loop_length": length,
        "first_rule": first,
        "first_place": place,
        "first_bin": 10 * place // places if steps else -1,
        "n_adjacent": len({(a[0], b[0]) for a, b in pairwise(steps)}),
    }


@pytest.mark.slow
@every_kind
def test_rules_are_needed_if_another_answer_is_right_without_them(name: str) -> None:
    for axes, problem, answer, trace in rows_of(name):
        needed = {line.split("@")[0] for line in trace.split("\n") if "@" in line}
        if problem.question != "next_rule":
            problem = problem._replace(strategy=problem.strategy.replace("any_order", ""))
            for fired in needed.copy():
                rules = [rule for i, rule in enumerate(problem.rules, 1) if str(i) != fired]
                if rules and programs.accepted(problem, answer, rules=rules):
                    needed.remove(fired)
        assert axes["n_needed"] == len(needed)


@every_kind
def test_confluent_programs_can_be_run_in_any_order(name: str) -> None:
    for axes, problem, answer, _ in rows_of(name):
        plain = all(rule.scope == "leftmost" and not rule.stop for rule in problem.rules)
        known = plain and axes["terminating"] != "none"
        assert (axes["confluent"] != "unknown") == known
        if known and problem.question == "run":
            free = programs.accepted(problem, answer, strategy="any_order")
            assert free == (axes["confluent"] == "yes")


@every_kind
def test_problems_keep_within_the_params(name: str) -> None:
    kind: Any = markov(**KINDS[name])
    problems = drawn(kind, 300)
    texts = rendered(kind, problems)
    for prompt, answer in zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True):
        problem = programs.parse(prompt)
        assert kind.min_rules <= len(problem.rules) <= kind.max_rules
        assert len({rule.lhs for rule in problem.rules}) == len(problem.rules)
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
        if kind.task in ("run", "apply_k"):
            assert problem.word != answer.strip("_")
    axes = problems.axes
    assert axes["longest_word"].max() <= kind.max_length
    if kind.task in ("run", "status"):
        assert axes["n_fired"].min() >= kind.min_fired
        assert kind.min_steps <= axes["n_steps"].min() <= axes["n_steps"].max() <= kind.max_steps


@pytest.mark.parametrize(
    "params",
    [
        {"terminating": "length", "max_lhs": 4, "max_word": 12},
        {"terminating": "order", "min_lhs": 2, "letters": "abc", **EVERYTHING},
        {"terminating": "shortlex", "letters": "ab", "max_rules": 5, "max_word": 8, **EVERYTHING},
    ],
)
def test_programs_that_must_halt_do_so_within_their_bound(params: dict[str, Any]) -> None:
    """All statuses are accepted, so that a run which did not halt would be among the rows."""
    kind = markov(**params, task="status", max_steps=1_000, min_steps=0, min_fired=0)
    axes = drawn(kind, 2_000).axes
    assert (axes["terminating"] > 0).all()
    assert (axes["status"] <= 1).all()
    assert (axes["n_steps"] <= axes["bound"]).all()
    if params["terminating"] == "length":
        assert np.array_equal(axes["bound"], axes["word_length"])
    assert axes["n_steps"].max() > 5


def test_rules_that_must_be_needed_are() -> None:
    for name, task in (("necessary", "run"), ("necessary for the status", "status")):
        axes = drawn(markov(**KINDS[name]), 500).axes
        assert np.array_equal(axes["n_needed"], axes["n_fired"])
        free = drawn(markov(task=task), 1_000).axes
        assert (free["n_needed"] < free["n_fired"]).mean() > 0.05


@pytest.mark.parametrize("name", ["any order", "any order, sorting", "any order or not"])
def test_any_order_has_one_result(name: str) -> None:
    """Everything that the word can become is tried; no two orders of the same rules occur."""
    kind = markov(**KINDS[name])
    texts, free = rendered(kind, drawn(kind, 400)), 0
    for prompt, answer in zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True):
        problem = programs.parse(prompt)
        if problem.strategy == "any_order":
            sides = [[programs.LETTERS.index(char) for char in rule.lhs] for rule in problem.rules]
            assert sides == sorted(sides)
        if problem.strategy == "any_order" and len(problem.word) <= 9:
            free += 1
            assert programs.results(problem.rules, problem.word) == {answer.strip("_")}
    assert free > 40


def test_derivations_spell_the_problem() -> None:
    kind = markov(**KINDS["steps of all"])
    problems = drawn(kind, 40)

    def string(side: str) -> str:
        return f"(string{len(side)} {' '.join(side)})" if side else "string0"

    for text, prompt in zip(
        derivation_text(problems.derivations, kind.signature).to_pylist(),
        rendered(kind, problems).prompts.to_pylist(),
        strict=True,
    ):
        p = programs.parse(prompt)
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
        kind = markov(task="status", statuses=(status,), max_steps=30)
        assert {kind.axes["status"].values[i] for i in drawn(kind, 200).axes["status"]} == {status}
    only = markov(statuses=("stopped", "loop"))
    assert set(drawn(only, 200).axes["status"].tolist()) == {1}


def test_targets_steer_steps_and_statuses() -> None:
    few, many = (drawn(markov(steer=steer), 2_000).axes["n_steps"] for steer in (1, 16))
    assert many.mean() > 1.4 * few.mean()
    ends = [
        np.bincount(drawn(markov(task="status", steer=steer), 2_000).axes["status"])
        for steer in (1, 16)
    ]
    assert ends[1].min() > 1.5 * ends[0].min()


def share_of(kind: Generator, what: str) -> float:
    """Share of rules (except the first of a program) that have a property."""
    found = []
    for prompt in rendered(kind, drawn(kind, 800)).prompts.to_pylist():
        rules = programs.parse(prompt).rules
        for i, rule in enumerate(rules[1:], 1):
            near = [
                sum(a != b for a, b in zip(other.lhs, rule.lhs, strict=True))
                for other in rules[:i]
                if len(other.lhs) == len(rule.lhs)
            ]
            holds = {
                "cascade": any(rule.lhs in other.rhs for other in rules[:i]),
                "growth": len(rule.rhs) > len(rule.lhs),
                "deletion": not rule.rhs,
                "stop": rule.stop,
                "decoy": 1 in near,
            }
            found.append(holds[what])
    return float(np.mean(found))


@pytest.mark.parametrize("what", ["cascade", "growth", "deletion", "stop", "decoy"])
def test_shares_steer_the_rules(what: str) -> None:
    base: Any = markov(letters="abcdef", min_lhs=2, max_lhs=3, max_rhs=4, min_fired=1)
    low, high = (share_of(replace(base, **{f"{what}_share": s}), what) for s in (0.0, 0.6))
    assert high > low + 0.1


def test_empty_left_sides_come_last() -> None:
    kind = markov(task="status", empty_share=1.0)
    for prompt in rendered(kind, drawn(kind, 200)).prompts.to_pylist():
        rules = programs.parse(prompt).rules
        assert [not rule.lhs for rule in rules] == [False] * (len(rules) - 1) + [True]


def test_next_rules_far_down_the_list_occur() -> None:
    answers = drawn(markov(task="next_rule"), 3_000).axes["first_rule"]
    counts = np.bincount(answers, minlength=7) / len(answers)
    assert (counts[:5] > 0.02).all()
    assert counts.max() < 0.6


@pytest.mark.parametrize("task", ["run", "next_rule", "status", "apply_k"])
def test_wordings_explain_what_the_params_allow(task: str) -> None:
    kind = markov(task=task, **EVERYTHING)
    texts = rendered(kind, drawn(kind, 200), "instruction", "trace")
    assert len(set(texts.templates.to_pylist())) == 6
    assert all(name.startswith(f"{task}_") for name in texts.templates.to_pylist())
    assert all("`@suffix`" in p and "`round_robin :`" in p for p in texts.prompts.to_pylist())
    plain = rendered(markov(task=task), drawn(markov(task=task), 50), "instruction")
    assert not any("@" in p or "round_robin" in p for p in plain.prompts.to_pylist())
    assert not any("{" in p or "  " in p for p in plain.prompts.to_pylist())


@pytest.mark.parametrize(
    "params",
    [
        *({"task": "guess"}, {"letters": ""}, {"letters": "aB"}, {"markers": "x"}),
        *({"max_rules": 33}, {"min_rules": 7}, {"min_lhs": 0}, {"max_lhs": 17}, {"max_rhs": 17}),
        *({"min_rhs": 4}, {"min_word": 17}, {"max_word": 201}, {"max_word": 61}),
        *({"strategies": ()}, {"strategies": ("random",)}, {"scopes": ("leftmost", "leftmost")}),
        *({"terminating": "always"}, {"stop_share": 1.5}, {"decoy_share": True}, {"steer": 0}),
        *({"min_steps": 51}, {"max_steps": 1001}, {"min_fired": 7}, {"statuses": ("open",)}),
        *({"statuses": ("loop",)}, {"allow_trivial": 1}, {"necessary": 1}),
        {"necessary": True, "task": "apply_k"},
        {"necessary": True, "task": "next_rule"},
        {"task": "apply_k", "terminating": "length", **ANY_ORDER},
        {"scopes": ("prefix",), "terminating": "length", **ANY_ORDER},
        {"stop_share": 0.1, "terminating": "length", "strategies": ("any_order",)},
        {"terminating": "none", **ANY_ORDER},
        {"empty_share": 0.5, "terminating": "length"},
        {"min_steps": 0, "task": "apply_k"},
    ],
)
def test_wrong_params_are_refused(params: dict[str, Any]) -> None:
    with pytest.raises(ParamError, match=f"^{next(iter(params))}="):
        markov(**params)


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
        markov(**params)
    assert str(error.value).startswith(possible)


def test_params_that_hardly_any_program_meets_give_invalid_rows() -> None:
    kind = markov(max_steps=1_000, min_steps=1_000, max_word=4)
    assert not kind.draw(Rows.span(STREAM, 0, 20)).valid.any()
