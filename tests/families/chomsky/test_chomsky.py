"""The Chomsky hierarchy benchmark: every rule by hand, and the laws by which inputs are drawn."""

from collections import Counter
from typing import Any

import pytest

import synthgen
from synthgen.authoring import Problem
from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class
from synthgen.draws.randomness import Rows
from synthgen.families.chomsky.family import GENERATORS
from synthgen.testing import check_family
from synthgen.training.reward import judge
from tests.building import build_bundled
from tests.families.verdicts import Verdicts, valid_problems

VERDICTS = Verdicts("chomsky")
KIND: Any = generator_class("chomsky")
BARE = Render("bare", "none")
BY_HAND = [
    ("even_pairs", "01101", "1", ["01: 1", "11: 1", "10: 0", "01: 1"]),
    ("parity_check", "1011", "1", ["1: 1", "0: 1", "1: 0", "1: 1"]),
    ("cycle_navigation", "22021", "2", ["2: 1", "2: 2", "0: 1", "2: 2", "1: 2"]),
    ("modular_arithmetic", "3*4-2*3", "1", ["3*4: 2", "-2*3: 1"]),
    ("modular_arithmetic_brackets", "((3*2)-(-4))", "0", ["3*2: 1", "-4: 1", "1-1: 0"]),
    ("modular_arithmetic_brackets", "(1--3)", "4", ["1--3: 4"]),
    ("solve_equation", "(x-(-3))=2", "4", ["x=0: 3", "x=1: 4", "x=2: 0", "x=3: 1", "x=4: 2"]),
    ("solve_equation", "x=3", "3", ["x=0: 0", "x=1: 1", "x=2: 2", "x=3: 3"]),
    ("reverse_string", "001", "100", ["3: 1", "2: 0", "1: 0"]),
    (
        "stack_manipulation",
        "1024222",
        "20000000",
        ["10: 01", "2: 1", "4: 11", "2: 1", "2: ", "2: "],
    ),
    ("stack_manipulation", "1034", "10012", ["10: 01", "3: 001", "4: 1001"]),
    ("stack_manipulation", "1", "12", ["1: 1"]),
    ("duplicate_string", "001", "001001", ["first half: 001", "second half: 001"]),
    ("missing_duplicate_string", "1021013", "1", ["first half: 102", "second half: 101"]),
    ("odds_first", "10011", "01101", ["even positions: 01", "odd positions: 101"]),
    ("odds_first_as_described", "10011", "10101", ["odd positions: 101", "even positions: 01"]),
    ("binary_addition", "1102101", "00012000", ["1+1+0: 01", "1+0+1: 01", "0+1+1: 01"]),
    ("binary_multiplication", "1102101", "1111200", ["1: 11", "0: 11", "1: 1111"]),
    ("compute_sqrt", "11010", "101", ["1: 1", "110: 10", "11010: 101"]),
    ("bucket_sort", "30401", "00134", ["0: 2", "1: 1", "2: 0", "3: 1", "4: 1"]),
    *(("solve_equation", text, "0", []) for text in ("0", "00")),
    ("missing_duplicate_string", "1", "1", ["first half: ", "second half: "]),
    ("binary_addition", "01", "012", ["0+0+0: 00", "1+0+0: 10"]),
    ("binary_multiplication", "0", "2", []),
    ("binary_multiplication", "01", "02", []),
]
"""Task, input, output and worked solution, without spaces between symbols."""
WORDED = ("first", "second", "even", "odd")


def spaced(text: str) -> str:
    return " ".join(text) or "(empty)"


def line(text: str) -> str:
    part, found = text.split(": ")
    return f"{part if part.startswith(WORDED) else spaced(part)}: {spaced(found)}"


def drawn(n: int, **params: Any) -> list[tuple[str, str, dict[str, int]]]:
    """Inputs and outputs without spaces, and axes."""
    problems = valid_problems(KIND(**params), Rows.span(3, 0, n))
    texts = KIND(**params).render(problems, BARE)
    axes = {name: values.tolist() for name, values in problems.axes.items()}
    inputs = [text.split(": ")[1].replace(" ", "") for text in texts.prompts.to_pylist()]
    outputs = [text.replace(" ", "") for text in texts.answers.to_pylist()]
    values = [dict(zip(axes, row, strict=True)) for row in zip(*axes.values(), strict=True)]
    return list(zip(inputs, outputs, values, strict=True))


@pytest.mark.parametrize(
    "params",
    [{"tasks": ("odds_first_as_described", "odds_first")}, {"min_length": 41, "max_length": 60}],
    ids=str,
)
def test_contract(params: dict[str, Any]) -> None:
    check_family("chomsky", params)


def test_contract_of_short_and_longest_inputs() -> None:
    check_family("chomsky", {"max_length": 4}, rows=300)
    check_family("chomsky", {"min_length": 480, "max_length": 500}, rows=40)


@pytest.mark.parametrize(("task", "text", "output", "lines"), BY_HAND)
def test_worked_examples(task: str, text: str, output: str, lines: list[str]) -> None:
    prompt, answer = f"{task}: {spaced(text)}", spaced(output)
    assert VERDICTS.verifier.answer(prompt) == answer
    solution = [*map(line, lines), f"answer: {answer}"]
    assert VERDICTS.accepts(prompt, answer, "\n".join(solution))
    assert not VERDICTS.accepts(prompt, answer, "\n".join([*solution[:-2], "1: 9", solution[-1]]))
    problem = Problem(tree=0, answer=answer, kind=task, data=text)
    assert KIND().steps_of(problem) == solution
    if len(text) < 4:
        made = drawn(200, tasks=(task,), min_length=len(text), max_length=len(text))
        assert {found for drawn_text, found, _ in made if drawn_text == text} == {output}


def test_the_fill_does_not_count() -> None:
    (row,) = synthgen.generate("chomsky", 1, params={"tasks": ["stack_manipulation"]}, seed=1)
    prompt, answer, kind = row["prompt"], row["answer"], row["answer_type"]
    scored = answer[: answer.index("2") + 1]
    for text in (answer, scored, f"{scored} 0", f"{scored} 1 1"):
        assert judge(text, answer, kind).score == 1.0
        assert VERDICTS.verifier.accepts(prompt, text)
    for text in (scored[:-2], answer.replace("2", "0"), f"{scored} 0 or 1", f"1 {answer}"):
        assert judge(text, answer, kind).score == 0.0
        assert not VERDICTS.verifier.accepts(prompt, text)


@pytest.mark.parametrize(
    "prompt",
    [
        "modular_arithmetic: 3 4",
        "modular_arithmetic_brackets: ( 1 + 2",
        "modular_arithmetic_brackets: 1 + 2",
        "solve_equation: ( x + x ) = 1 2",
        "missing_duplicate_string: 1 2 0",
        "stack_manipulation: 1 2 0",
        "binary_addition: 1 2 2",
        "parity_check: 1  0",
    ],
)
def test_other_texts_are_no_problems(prompt: str) -> None:
    assert VERDICTS.verifier.answer(prompt) is None


def test_the_mask_ends_at_the_terminator() -> None:
    tasks = ("stack_manipulation", "binary_addition", "binary_multiplication", "bucket_sort")
    for text, output, axes in drawn(400, tasks=tasks, max_length=20):
        terminated = axes["subtype"] != list(KIND().words.kinds).index("bucket_sort")
        assert axes["n_scored"] == (output.index("2") + 1 if terminated else len(text))
        assert axes["n_output"] == len(output)
        assert set(output[axes["n_scored"] :]) <= {"0"}
        assert not terminated or output.count("2") == 1


def test_operands_have_uniform_widths_and_are_not_zero() -> None:
    widths: Counter[int] = Counter()
    for text, _, axes in drawn(3_000, tasks=("binary_addition",), min_length=9, max_length=9):
        p, q = text.split("2")
        assert "1" in p
        assert "1" in q
        assert len(p) + len(q) == 8
        assert axes["degenerate"] == 0
        widths[len(p)] += 1
    assert set(widths) == set(range(1, 8))
    assert max(widths.values()) < 1.3 * min(widths.values())


def test_lengths_are_uniform_and_odd_for_modular_arithmetic() -> None:
    found = Counter(axes["length"] for *_, axes in drawn(3_000, max_length=10))
    odd = drawn(300, tasks=("modular_arithmetic",), min_length=4, max_length=9)
    assert {axes["length"] for *_, axes in odd} == {5, 7, 9}
    found -= Counter(
        axes["length"] for *_, axes in drawn(3_000, max_length=10) if axes["subtype"] == 1
    )
    assert set(found) == set(range(1, 11))
    assert max(found.values()) < 1.3 * min(found.values())


def test_positions_of_x_and_of_the_hidden_bit() -> None:
    equations = drawn(500, tasks=("solve_equation",), min_length=14, max_length=14)
    assert all(text.count("x") == 1 and text[-2] == "=" for text, *_ in equations)
    hidden = drawn(2_000, tasks=("missing_duplicate_string",), min_length=5, max_length=5)
    places = Counter(text.index("2") for text, *_ in hidden)
    assert set(places) == {0, 1, 2, 3}
    assert all(text[-1] == "3" for text, *_ in hidden)


def test_only_too_short_inputs_are_degenerate() -> None:
    for text, _, axes in drawn(2_000, tasks=tuple(KIND().words.kinds), max_length=4):
        task = KIND().words.kinds[axes["subtype"]]
        needed = {"solve_equation": "x", "missing_duplicate_string": "2"}
        needed |= dict.fromkeys(("binary_addition", "binary_multiplication"), "2")
        assert axes["degenerate"] == (task in needed and needed[task] not in text)


def test_the_recipe_separates_lengths(tmp_path: Any) -> None:
    rows = build_bundled("chomsky", tmp_path / "out", rows=1_500)
    assert {row["subtype"] for row in rows["train"]} == {row["subtype"] for row in rows["test"]}
    assert len({row["subtype"] for row in rows["test"]}) == 15
    assert max(row["length"] for row in rows["train"]) <= 40
    assert min(row["length"] for row in rows["test"]) > 40
    assert GENERATORS.keys() == {rows["test"][0]["task"]}
