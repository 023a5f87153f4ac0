"""Every bundled recipe can be planned, and shows readable examples of each of its splits."""

from __future__ import annotations

from pathlib import Path

import datasets
import pytest

from synthgen.audit.report import audit
from synthgen.engine.build import build
from synthgen.engine.preview import preview
from synthgen.engine.progress import Phases
from synthgen.engine.workers.local import LocalEngine
from synthgen.recipe.bundled import bundled_names, find_recipe
from synthgen.recipe.loader import load_recipe
from tests.building import plan_of

PUBLISHED = {
    "scan-addprim-jump": {"train": 14_670, "test": 7_706},
    "cogs": {"train": 24_155, "dev": 3_000, "test": 3_000, "gen": 21_000},
}
BUILT = {*PUBLISHED, "hint", "hint-paper", "omega-chain"}
"""Recipes whose rows other tests build."""


@pytest.mark.parametrize("name", bundled_names())
def test_it_is_named_as_its_file(name: str) -> None:
    assert load_recipe(find_recipe(name)).recipe.name == name


@pytest.mark.parametrize("name", sorted({*bundled_names()} - BUILT))
def test_three_examples_of_each_split(name: str) -> None:
    plan = plan_of(find_recipe(name))
    with LocalEngine(1) as engine:
        shown = preview(plan, engine, 3, None)
    assert set(shown) == {split.name for split in plan.splits}
    for split, rows in shown.items():
        assert len(rows) == 3, split
        for row in rows:
            assert row["prompt"].strip()
            assert row["answer"].strip()
            assert row["derivation"]


@pytest.fixture
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)


@pytest.mark.usefixtures("offline")
@pytest.mark.filterwarnings("ignore")  # of the client and its own libraries
@pytest.mark.parametrize(("name", "rows"), PUBLISHED.items())
def test_published_sizes_are_built_audited_and_loaded(
    name: str, rows: dict[str, int], tmp_path: Path
) -> None:
    out = tmp_path / name
    with LocalEngine(1) as engine:
        build(plan_of(find_recipe(name)), out, engine, Phases())
    assert audit(out).ok
    loaded = datasets.load_dataset(str(out))
    assert {split: part.num_rows for split, part in loaded.items()} == rows
    streamed = datasets.load_dataset(str(out), streaming=True)
    for split in rows:
        assert next(iter(streamed[split])) == loaded[split][0]
