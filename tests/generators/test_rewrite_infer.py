"""Inference about rewriting: answers are the only ones, by brute force over rules and inputs."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthgen.core.contract import Problems, Render, Texts
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.engine.build import build
from synthgen.engine.local import LocalEngine
from synthgen.engine.progress import Phases
from synthgen.generators.rewrite_infer import RewriteInfer
from synthgen.verifiers.rewrite_infer import VERIFIER
from tests.building import plan_of, rows_of

STEPS = Render("bare", "steps")
TINY = {"alphabet": "ab", "max_input": 6, "max_lhs": 3, "max_rhs": 2}


def made(generator: RewriteInfer, n: int, style: Render = STEPS) -> tuple[Problems, Texts]:
    """Some valid problems and their texts."""
    problems = generator.draw(Rows.span(11, 0, n))
    problems = generator.draw(Rows(11, problems.rows.addresses[problems.valid]))
    return problems, generator.render(problems, style)


@lru_cache
def strings(letters: str, low: int, high: int) -> list[str]:
    return ["".join(s) for length in range(low, high + 1) for s in product(letters, repeat=length)]


def pairs_of(prompt: str) -> list[tuple[str, str]]:
    pairs = (pair.split(" = ") for pair in prompt.split(" ; "))
    return [(before, after.replace("_", "")) for before, after in pairs]


def side(text: str) -> str:
    return text.replace("_", "")


def test_the_rule_is_the_only_shortest_of_all_rules() -> None:
    problems, texts = made(RewriteInfer(**TINY, max_pairs=4), 250)
    assert len(problems) > 200
    rules = [
        (x, y)
        for x in strings("ab", 1, 6)
        for y in strings("ab", 0, 7)
        if len(x) + len(y) <= 8 and x != y
    ]
    for i, prompt in enumerate(texts.prompts.to_pylist()):
        pairs = pairs_of(prompt)
        fitting = [
            (x, y) for x, y in rules if all(z.replace(x, y, 1) == after for z, after in pairs)
        ]
        shortest = min(len(x) + len(y) for x, y in fitting)
        best = [(x, y) for x, y in fitting if len(x) + len(y) == shortest]
        x, y = texts.answers[i].as_py().split(" > ")
        assert best == [(x, side(y))], prompt
        short = problems.axes["n_candidates"][i] == len(fitting)
        assert short or max(len(z) + len(after) for z, after in pairs) > 8


def test_the_input_is_the_only_one_of_all_inputs() -> None:
    problems, texts = made(RewriteInfer("input", **TINY), 1_000)
    places = []
    for i, prompt in enumerate(texts.prompts.to_pylist()):
        rule, told = prompt.split(" | ")
        x, y = map(side, rule.split(" > "))
        unknown, output = told.split(" = ")
        fitting = [
            z
            for z in strings("ab", 1, 6)
            if len(z) == len(unknown) and z.replace(x, y, 1) == side(output)
        ]
        assert fitting == [texts.answers[i].as_py()], prompt
        places.append(
            sum(side(output).startswith(y, at) for at in range(len(side(output)) + 1))
            + (len(x) == len(y))
        )
    assert problems.axes["n_candidates"].tolist() == places


def test_axes_are_those_of_the_texts() -> None:
    problems, texts = made(RewriteInfer(p_noop=0.4), 1_000)
    axes = {name: column.tolist() for name, column in problems.axes.items()}
    for i, prompt in enumerate(texts.prompts.to_pylist()):
        pairs = pairs_of(prompt)
        x, y = map(side, texts.answers[i].as_py().split(" > "))
        assert len({before for before, _ in pairs}) == len(pairs) == axes["n_pairs"][i]
        assert sum(before == after for before, after in pairs) == axes["n_noop"][i]
        assert [len(x), len(y)] == [axes["lhs_length"][i], axes["rhs_length"][i]]
        assert max(len(before) for before, _ in pairs) == axes["input_length"][i]
        assert max(len(after) for _, after in pairs) == axes["output_length"][i]
        assert problems.difficulty[i] == len(x) + len(y)
    assert 0.3 < np.mean(problems.axes["n_noop"] / problems.axes["n_pairs"]) < 0.4
    problems, texts = made(RewriteInfer("input"), 500)
    for i, prompt in enumerate(texts.prompts.to_pylist()):
        assert prompt.count("?") == problems.axes["input_length"][i]
        assert len(texts.answers[i].as_py()) == problems.axes["input_length"][i]
        assert len(side(prompt.split(" = ")[1])) == problems.axes["output_length"][i]


@pytest.mark.parametrize(
    "params",
    [
        {"alphabet": "ab", "max_pairs": 10, "min_pairs": 10, "p_noop": 0.6},
        {"min_input": 60, "max_input": 60, "max_lhs": 60, "max_rhs": 60, "max_pairs": 10},
        {"task": "input", "alphabet": "ab", "min_input": 60, "max_input": 60, "max_lhs": 4},
        {"task": "input", "min_rhs": 0, "max_rhs": 0, "alphabet": "abc"},
        {"min_input": 1, "max_lhs": 1, "max_rhs": 0, "alphabet": "ab", "max_input": 3},
    ],
)
def test_the_far_ends_of_the_parameters(params: dict[str, Any]) -> None:
    for style in (STEPS, Render("instruction", "steps")):
        problems, texts = made(RewriteInfer(**params), 300, style)
        assert len(problems) > 60
        assert VERIFIER.check(texts.prompts, texts.answers, texts.solutions).all()
        assert VERIFIER.symbolic(texts.prompts[:50], texts.answers[:50]).all()


def test_a_row_without_a_problem_is_invalid() -> None:
    """Two letters, inputs of two, and ten pairs of different inputs cannot be."""
    with pytest.raises(ParamError, match=r"^max_pairs=.*at most the 4 "):
        RewriteInfer(alphabet="ab", min_input=2, max_input=2, max_lhs=1, max_pairs=5)
    hopeless = RewriteInfer("rule", alphabet="ab", min_input=2, max_input=2, min_lhs=2, max_lhs=2,
                            min_rhs=2, max_rhs=2, min_pairs=4, max_pairs=4)  # fmt: skip
    problems = hopeless.draw(Rows.span(1, 0, 200))
    assert problems.valid.mean() < 1
    assert len(problems.keys) == 200


@pytest.mark.parametrize(
    ("params", "name"),
    [
        ({"task": "output"}, "task"),
        ({"alphabet": "a"}, "alphabet"),
        ({"alphabet": "aB"}, "alphabet"),
        ({"max_pairs": 11}, "max_pairs"),
        ({"min_pairs": 6}, "min_pairs"),
        ({"min_pairs": 0}, "min_pairs"),
        ({"max_input": 61}, "max_input"),
        ({"min_input": 11}, "min_input"),
        ({"max_lhs": 5}, "max_lhs"),
        ({"min_lhs": 0}, "min_lhs"),
        ({"min_lhs": 4}, "min_lhs"),
        ({"max_rhs": 61}, "max_rhs"),
        ({"min_rhs": 4}, "min_rhs"),
        ({"p_noop": 1}, "p_noop"),
        ({"p_noop": True}, "p_noop"),
    ],
)
def test_params_that_make_no_sense_are_refused(params: dict[str, Any], name: str) -> None:
    with pytest.raises(ParamError, match=f"^{name}="):
        RewriteInfer(**params)


@pytest.mark.parametrize("task", ["rule", "input"])
def test_there_are_five_wordings(task: str) -> None:
    _, texts = made(RewriteInfer(task), 300, Render("instruction", "none"))
    told = {prompt.rsplit("\n\n`", 1)[0] for prompt in texts.prompts.to_pylist()}
    assert len(told) == len(set(texts.templates.to_pylist())) == 5
    assert all("`" not in text and "empty string" in text for text in told)
    assert all("left" in text or "earliest" in text for text in told)


def test_the_recipe_holds_out_what_it_says(tmp_path: Path) -> None:
    recipe = Path(__file__).parents[2] / "recipes" / "rewrite-infer.toml"
    plan = plan_of(recipe, rows=2_000)
    with LocalEngine(1) as engine:
        build(plan, tmp_path / "out", engine, Phases())
    rows = {split.name: rows_of(tmp_path / "out", split.name) for split in plan.splits}
    assert {name: len(found) for name, found in rows.items()} == {
        "train": 1_800,
        "test": 80,
        "test_sides": 40,
        "test_long": 80,
    }
    for name, found in rows.items():
        tasks = [row["asked"] for row in found]
        assert tasks.count(tasks[0]) == len(found) // 2
        for row in found:
            hidden = row["prompt"].split(" | ")
            rule = row["answer"] if len(hidden) == 1 else hidden[0]
            assert (len(side(rule)) - 3 > 5) == (name == "test_sides")
            longest = max(map(len, (before for before, _ in pairs_of(hidden[-1]))))
            assert (longest > 10) == (name == "test_long")
