"""Inference about rewriting: answers are unique by brute force, axes and steps, bad input."""

from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from synthgen.contract.interfaces import Problems, Render, Texts
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.engine.build import build
from synthgen.engine.progress import Phases
from synthgen.engine.workers.local import LocalEngine
from synthgen.testing import check_family
from tests.building import plan_of, rows_of
from tests.families.verdicts import valid_problems

VERIFIER = load_verifier("rewrite_infer")
TINY = {"alphabet": "ab", "max_input": 6, "max_lhs": 3, "max_rhs": 2}


def made(n: int, style: str = "bare", **params: Any) -> tuple[Problems, Texts]:
    """The valid problems at some addresses, and their texts."""
    generator = generator_class("rewrite_infer")(**params)
    problems = valid_problems(generator, Rows.span(11, 0, n))
    return problems, generator.render(problems, Render(style, "steps"))


@lru_cache
def strings(letters: str, low: int, high: int) -> list[str]:
    return ["".join(s) for length in range(low, high + 1) for s in product(letters, repeat=length)]


def pairs_of(prompt: str) -> list[tuple[str, str]]:
    pairs = (pair.split(" = ") for pair in prompt.split(" ; "))
    return [(before, after.replace("_", "")) for before, after in pairs]


def side(text: str) -> str:
    return text.replace("_", "")


@pytest.mark.parametrize(
    "params",
    [
        *({}, {"task": "input"}),
        {"alphabet": "ab", "max_pairs": 10, "min_pairs": 10, "p_noop": 0.6},
        {"min_input": 60, "max_input": 60, "max_lhs": 60, "max_rhs": 60, "max_pairs": 10},
        {"task": "input", "alphabet": "ab", "min_input": 60, "max_input": 60, "max_lhs": 4},
        {"task": "input", "min_rhs": 0, "max_rhs": 0, "alphabet": "abc"},
        {"min_input": 1, "max_lhs": 1, "max_rhs": 0, "alphabet": "ab", "max_input": 3},
    ],
    ids=str,
)
def test_contract(params: dict[str, Any]) -> None:
    check_family("rewrite_infer", params, rows=80)


def test_the_rule_is_the_only_shortest_of_all_rules() -> None:
    problems, texts = made(200, **TINY, max_pairs=4)
    assert len(problems) > 150
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
        all_tried = max(len(z) + len(after) for z, after in pairs) <= 8
        assert not all_tried or problems.axes["n_candidates"][i] == len(fitting)


def test_the_input_is_the_only_one_of_all_inputs() -> None:
    problems, texts = made(500, task="input", **TINY)
    places = []
    for i, prompt in enumerate(texts.prompts.to_pylist()):
        rule, rest = prompt.split(" | ")
        x, y = map(side, rule.split(" > "))
        unknown, output = map(side, rest.split(" = "))
        inputs = strings("ab", len(unknown), len(unknown))
        fitting = [z for z in inputs if z.replace(x, y, 1) == output]
        assert fitting == [texts.answers[i].as_py()], prompt
        starts = sum(output.startswith(y, at) for at in range(len(output) + 1))
        places.append(starts + (len(x) == len(y)))
    assert problems.axes["n_candidates"].tolist() == places


def test_axes_are_those_of_the_texts() -> None:
    problems, texts = made(500, p_noop=0.4)
    axes = {name: column.tolist() for name, column in problems.axes.items()}
    for i, prompt in enumerate(texts.prompts.to_pylist()):
        pairs = pairs_of(prompt)
        x, y = map(side, texts.answers[i].as_py().split(" > "))
        assert len({before for before, _ in pairs}) == len(pairs) == axes["n_pairs"][i]
        assert pairs == sorted(pairs)
        assert sum(before == after for before, after in pairs) == axes["n_noop"][i]
        assert [len(x), len(y)] == [axes["lhs_length"][i], axes["rhs_length"][i]]
        assert max(len(before) for before, _ in pairs) == axes["input_length"][i]
        assert max(len(after) for _, after in pairs) == axes["output_length"][i]
        assert problems.difficulty[i] == len(x) + len(y)
    assert 0.3 < np.mean(problems.axes["n_noop"] / problems.axes["n_pairs"]) < 0.4
    problems, texts = made(300, task="input")
    for i, prompt in enumerate(texts.prompts.to_pylist()):
        assert prompt.count("?") == problems.axes["input_length"][i]
        assert len(texts.answers[i].as_py()) == problems.axes["input_length"][i]
        assert len(side(prompt.split(" = ")[1])) == problems.axes["output_length"][i]


def test_some_addresses_have_no_problem() -> None:
    hopeless = dict.fromkeys(("min_input", "max_input", "min_lhs", "max_lhs", "min_rhs"), 2)
    hopeless |= {"max_rhs": 2, "min_pairs": 4, "max_pairs": 4}
    problems = generator_class("rewrite_infer")(alphabet="ab", **hopeless).draw(
        Rows.span(1, 0, 200)
    )
    assert 0 < problems.valid.mean() < 1
    assert len(problems.keys) == 200


@pytest.mark.parametrize(
    ("params", "name"),
    [
        *(({"task": "output"}, "task"), ({"alphabet": "a"}, "alphabet")),
        *(({"alphabet": "aB"}, "alphabet"), ({"max_pairs": 11}, "max_pairs")),
        *(({"min_pairs": 6}, "min_pairs"), ({"min_pairs": 0}, "min_pairs")),
        *(({"max_input": 61}, "max_input"), ({"min_input": 11}, "min_input")),
        *(({"max_lhs": 5}, "max_lhs"), ({"min_lhs": 0}, "min_lhs"), ({"min_lhs": 4}, "min_lhs")),
        *(({"max_rhs": 61}, "max_rhs"), ({"min_rhs": 4}, "min_rhs")),
        *(({"p_noop": 1}, "p_noop"), ({"p_noop": True}, "p_noop")),
        ({"alphabet": "ab", "min_input": 2, "max_input": 2, "max_lhs": 1}, "max_pairs"),
    ],
)
def test_impossible_params_are_refused(params: dict[str, Any], name: str) -> None:
    with pytest.raises(ParamError, match=f"^{name}="):
        generator_class("rewrite_infer")(**params)


@pytest.mark.parametrize("task", ["rule", "input"])
def test_instructions_end_with_the_problem_in_backticks(task: str) -> None:
    for min_rhs in (0, 1):
        _, texts = made(200, "instruction", task=task, min_rhs=min_rhs)
        _, bare = made(200, task=task, min_rhs=min_rhs)
        prompts = texts.prompts.to_pylist()
        wordings = {prompt.rsplit("\n\n`", 1)[0] for prompt in prompts}
        assert len(wordings) == len(set(texts.templates.to_pylist())) == 5
        assert all((" as _" in wording) == (min_rhs == 0) for wording in wordings)
        for prompt, problem in zip(prompts, bare.prompts.to_pylist(), strict=True):
            assert prompt.endswith(f"\n\n`{problem}`")
            assert prompt.count("`") == 2


WORKED = {
    "ab = ba": "ab > ba",
    "ab = abb ; b = b": "a > ab",
    "caaba = cbacba ; baab = bbacb": "aa > bac",
    "ab = cb ; ba = bc": "a > c",
    "ab = b ; cab = cb": "a > _",
    "abab = cab ; ab = c ; ba = ba": "ab > c",
    "a = _": "a > _",
    "ab = cb ; ba = ba": "ab > cb",
    "abcd = azcd ; abce = azce": "b > z",
    "aa > bac | ????? = cbacba": "caaba",
    "ab > ba | ??? = bab": "abb",
    "a > _ | ? = _": "a",
    "b > ab | ??? = abab": "bab",
    "ab > ba | ?? = bb": "bb",
    "aa > a | ???? = aaa": "aaaa",
}
WITHOUT_ANSWER = [
    *("a > b | ?? = bb", "a > _ | ??? = bb", "ab = abb", "abc = abc", "ab = ac ; ab = ad"),
    *("a > b | ??? = ab", "a > b | ??? = aba", "ab > c | ?????? = ab"),
    *("", " ", "`", "a", "a = b;", "a = b ;", " a = b", "a = b ", "a  = b", "a=b", "_ = a"),
    *("A = B", "a = b ; ", "a = b ;a = b", "a = _a", "a = b__", "a = é", "a > b", "a > b | = a"),
    *("a > b | ?", "a > b | ? = ", "a > b | ?a = b", "a > a | ? = b", "_ > b | ? = b"),
    *("a > b |? = b", "a > b | ? = b ; a = b", "a > b | ? ? = b", "? = b", "a = ?"),
    *("a > b > c | ? = c", "a" * 121 + " = b"),
]


def accepted(prompt: str, answer: str, solution: str | None = None) -> bool:
    columns = (pa.array([text], pa.string()) for text in (prompt, answer, solution))
    return bool(VERIFIER.check(*columns)[0])


@pytest.mark.parametrize(("prompt", "answer"), WORKED.items())
def test_worked_examples(prompt: str, answer: str) -> None:
    assert VERIFIER.answer(prompt) == answer
    assert VERIFIER.answer(f"Say `it`.\n\n`{prompt}`") == answer
    for other in (answer + "a", "a" + answer, answer[:-1], answer + " ", "", "_", answer.upper()):
        assert not accepted(prompt, other), other


@pytest.mark.parametrize("prompt", WITHOUT_ANSWER, ids=lambda text: text[:20])
def test_ambiguous_and_malformed_problems_have_no_answer(prompt: str) -> None:
    assert VERIFIER.answer(prompt) is None
    assert VERIFIER.answer(f"`{prompt}`") is None


STEPS = {
    ("caaba = cbacba ; baab = bbacb ; aba = aba", "aa > bac"): (
        "c[aa]ba > c[bac]ba",
        "b[aa]b > b[bac]b",
        "aba does not contain aa",
    ),
    ("a = _ ; ba = b ; bb = bb", "a > _"): ("[a] > []", "b[a] > b[]", "bb does not contain a"),
    ("ab = aab ; bb = bb", "a > aa"): (
        "b > ab: bb gives abb",
        "[a]b > [aa]b",
        "bb does not contain a",
    ),
    ("ab > ba | ??? = bab", "abb"): ("bab gives bba", "[ab]b fits"),
    ("bb > a | ????? = abba", "bbbba"): ("[bb]bba fits", "abb[bb] gives aabb"),
    ("a > _ | ? = _", "a"): ("[a] fits",),
    ("aa > a | ???? = aaa", "aaaa"): ("[aa]aa fits", "a[aa]a fits", "aa[aa] fits"),
}


@pytest.mark.parametrize(("row", "lines"), STEPS.items())
def test_steps_are_followed_line_by_line(row: tuple[str, str], lines: tuple[str, ...]) -> None:
    right = "\n".join(lines)
    assert accepted(*row, right)
    assert accepted(*row)
    for i, line in enumerate(lines):
        assert not accepted(*row, "\n".join(lines[:i] + lines[i + 1 :]))
        assert not accepted(*row, "\n".join(lines[: i + 1] + lines[i:]))
        for other in (line + " ", " " + line, line + "x", line[:-1], "x"):
            assert not accepted(*row, "\n".join([*lines[:i], other, *lines[i + 1 :]]))
    for text in ("", "\n", right + "\n", "\n" + right, right.replace("[", "")):
        assert not accepted(*row, text)


def test_the_recipe_holds_out_what_it_says(tmp_path: Path) -> None:
    recipe = Path(__file__).parents[3] / "recipes" / "rewrite-infer.toml"
    plan = plan_of(recipe, rows=2_000)
    with LocalEngine(1) as engine:
        build(plan, tmp_path / "out", engine, Phases())
    rows = {split.name: rows_of(tmp_path / "out", split.name) for split in plan.splits}
    sizes = {"train": 1_800, "test": 80, "test_sides": 40, "test_long": 80}
    assert {name: len(found) for name, found in rows.items()} == sizes
    for name, found in rows.items():
        tasks = [row["asked"] for row in found]
        assert tasks.count(tasks[0]) == len(found) // 2
        for row in found:
            hidden = row["prompt"].split(" | ")
            rule = row["answer"] if len(hidden) == 1 else hidden[0]
            assert (len(side(rule)) - 3 > 5) == (name == "test_sides")
            longest = max(map(len, (before for before, _ in pairs_of(hidden[-1]))))
            assert (longest > 10) == (name == "test_long")
