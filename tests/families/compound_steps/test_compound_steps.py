"""Compound tasks: contracts, the published lines, kept lines, and the recipe's tests."""

from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from tests.building import build_bundled

SHORT = {"min_length": 4, "max_length": 9, "step_ratio": 0.4, "level": True}


@pytest.mark.parametrize("params", [{}, SHORT])
@pytest.mark.parametrize("name", ["longest_increasing", "path_counting"])
def test_contract(name: str, params: dict[str, Any]) -> None:
    more = {"min_obstacles": 0, "max_obstacles": 3} if params and name == "path_counting" else {}
    check_family(name, params | more, rows=120)


NUMBERS = ["5 , 0 : 1 -> 1", "5 3 , 0 0 : 1 1 -> 1", "5 3 4 , 0 1 0 : 1 1 2 -> 2"]
CELLS = ["1 , 1 , 1 -> 1", "2 , 0 , 1 1 -> 0", "3 , 1 , 1 1 0 -> 2", "4 , 1 , 1 0 2 -> 3"]


@pytest.mark.parametrize(
    ("name", "prompt", "answer", "lines"),
    [
        ("longest_increasing", "5 3 4", "2", NUMBERS),
        ("path_counting", "1 0 1 1 , 4", "3", CELLS),
    ],
)
def test_published_lines_in_order(name: str, prompt: str, answer: str, lines: list[str]) -> None:
    verifier = load_verifier(name)
    solutions = [lines, lines[-1:], lines[1:], lines[:-1], lines[::-1], [*lines, lines[-1]]]
    n = len(solutions)
    texts = pa.array(["\n".join(one) for one in solutions])
    found = verifier.check(pa.array([prompt] * n), pa.array([answer] * n), texts)
    assert found.tolist() == [True, True, True, False, False, False]


def drawn(name: str, **params: Any) -> list[tuple[str, str, str]]:
    family = generator_class(name)(**params)
    texts = family.render(family.draw(Rows.span(5, 0, 60)), Render("bare", "steps"))
    columns = (texts.prompts, texts.answers, texts.solutions)
    return list(zip(*(column.to_pylist() for column in columns), strict=True))


def test_answers_are_those_of_trying_all() -> None:
    for prompt, answer, _ in drawn("longest_increasing", min_length=3, max_length=8):
        numbers = [int(word) for word in prompt.split()]
        rising = [
            size
            for size in range(1, len(numbers) + 1)
            if any(all(a < b for a, b in pairwise(c)) for c in combinations(numbers, size))
        ]
        assert rising[-1] == int(answer)
    for prompt, answer, _ in drawn("path_counting", min_length=5, max_length=9):
        *cells, _, length = prompt.split()
        free = [i for i, cell in enumerate(cells, 1) if cell == "1"]
        ways = sum(
            all(b - a <= 3 for a, b in pairwise([0, *chosen]))
            for size in range(1, len(free) + 1)
            for chosen in combinations(free, size)
            if chosen[-1] == int(length)
        )
        assert ways % 47 == int(answer)


def test_a_higher_ratio_keeps_more_of_the_same_lines() -> None:
    none, some, most = (drawn("path_counting", step_ratio=ratio) for ratio in (0.0, 0.3, 0.6))
    lines = [0, 0, 0]
    for rows in zip(none, some, most, strict=True):
        kept = [set(solution.split("\n")) for _, _, solution in rows]
        assert kept[0] <= kept[1] <= kept[2]
        lines = [n + len(more) for n, more in zip(lines, kept, strict=True)]
    assert lines[0] == 60
    assert 0.25 < lines[1] / 60 / 40 < 0.4 < 0.55 < lines[2] / 60 / 40 < 0.7


def test_wrong_params_are_refused() -> None:
    with pytest.raises(ParamError, match="number_range=30: expected an integer from 31 to 999"):
        generator_class("longest_increasing")(number_range=30)
    with pytest.raises(ParamError, match="max_obstacles=40"):
        generator_class("path_counting")(max_obstacles=40)


def test_longer_and_more_obstructed_problems_are_only_in_their_test(tmp_path: Path) -> None:
    rows = build_bundled("compound-steps", tmp_path / "out", scale=0.01)
    for split, found in rows.items():
        sizes = {(row["length"], row["obstacles"]) for row in found}
        hard = split == "test_out"
        assert sizes == ({(20, None), (40, 8)} if hard else {(15, None), (40, 4)})
