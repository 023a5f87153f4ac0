"""Every example of docs/training.md runs, one after another."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import synthgen
from tests.building import build_small, recipe_of, source_of, split_of

DOC = Path(__file__).parents[1] / "docs" / "training.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", DOC.read_text(encoding="utf-8"), re.DOTALL)
RECIPE = recipe_of(
    source_of("hint", "max_operators = 6, max_value = 100"),
    split_of("train", 3000),
    "[output]\nrows_per_shard = 700\nrow_group = 250\n",
)


def test_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_small(tmp_path, "outputs/hint", text=RECIPE)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for example in EXAMPLES:
        if "torch" not in example or find_spec("torch"):
            exec(example, names)  # noqa: S102  # the page is ours
    assert len(names["train"]) == 3000
    assert len(EXAMPLES) == 11
    assert sum(map(len, synthgen.stream(names["rising_order"].sources, form="dicts"))) == 3000
