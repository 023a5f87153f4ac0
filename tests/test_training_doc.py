"""The examples of docs/training.md run, one after another, and those of its functions."""

from __future__ import annotations

import doctest
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import synthgen
from synthgen.training.mixture import rising
from synthgen.training.schedulers import Fixed, Window
from tests.building import build_small, recipe_of, source_of, split_of

DOC = Path(__file__).parents[1] / "docs" / "training.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", DOC.read_text(encoding="utf-8"), re.DOTALL)
RECIPE = recipe_of(
    source_of("hint", "max_operators = 6, max_value = 100, level = true"),
    split_of("train", 3000),
    "[output]\nrows_per_shard = 700\nrow_group = 250\n",
)


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("top")
    build_small(folder, "outputs/hint", text=RECIPE)
    return folder


@pytest.mark.parametrize(
    "function", [synthgen.open, synthgen.stream, synthgen.cells, rising, Fixed, Window]
)
def test_examples_of_functions_run(
    top: Path, monkeypatch: pytest.MonkeyPatch, function: Any
) -> None:
    monkeypatch.chdir(top)
    (found,) = doctest.DocTestFinder(recurse=False).find(function, function.__name__)
    assert doctest.DocTestRunner().run(found) == (0, len(found.examples))
    assert found.examples


def test_examples_of_the_page_run(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(top)
    names: dict[str, Any] = {}
    for example in EXAMPLES:
        if "torch" not in example or find_spec("torch"):
            exec(example, names)  # noqa: S102  # the page is ours
    assert len(names["train"]) == 3000
    assert len(EXAMPLES) == 14
    assert len(names["group"]) == 8
    assert names["scheduler"].drawn == 80
    assert sum(map(len, synthgen.stream(names["rising_order"].sources, form="dicts"))) == 3000
