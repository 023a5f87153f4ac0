"""OMEGA's recipes: every family at every level, and splits that are cut where they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from synthgen.audit.report import audit
from synthgen.core.registry import generator_class, generator_names
from synthgen.engine.build import build
from synthgen.engine.local import LocalEngine
from synthgen.engine.progress import Phases
from synthgen.recipe.bundled import find_recipe
from tests.building import plan_of, rows_of

DOMAINS = ("algebra_", "arithmetic_", "combinatory_", "numbertheory_", "geometry_", "logic_")
FAMILIES = {name for name in generator_names() if name.startswith(DOMAINS)}
PUBLISHED_LEVELS = 5


def test_there_are_forty_families_with_more_levels_than_were_published() -> None:
    assert len(FAMILIES) == 40
    levels = {name: generator_class(name).n_levels for name in FAMILIES}  # type: ignore[attr-defined]
    assert min(levels.values()) > PUBLISHED_LEVELS
    steps = [name for name in FAMILIES if "steps" in generator_class(name).solutions]
    assert len(steps) >= 25


@pytest.mark.parametrize("recipe", ["omega", "omega-exploratory"])
def test_a_recipe_of_all_families_has_all_of_them(recipe: str) -> None:
    plan = plan_of(find_recipe(recipe))
    assert {source.name for source in plan.sources} == FAMILIES
    for source in plan.sources:
        levels = source.generator.axes["level"]
        most = 3 if recipe == "omega-exploratory" else generator_class(source.task).n_levels  # type: ignore[attr-defined]
        assert (levels.low, levels.high) == (1, most)


def test_chains_lack_in_training_the_pairs_that_they_are_tested_on(tmp_path: Path) -> None:
    quick = [f"split.{name}.balance=[]" for name in ("train", "test_in", "test_pairs")]
    plan = plan_of(find_recipe("omega-chain"), *quick, rows=200)
    with LocalEngine(1) as engine:
        build(plan, tmp_path / "out", engine, Phases())
    assert audit(tmp_path / "out").ok
    pairs = {
        split: {(row["link_1"], row["link_2"]) for row in rows_of(tmp_path / "out", split)}
        for split in ("train", "test_in", "test_pairs")
    }
    held = {tuple(pair.split(" > ")) for pair in plan.sources[0].generator.held_pairs}  # type: ignore[attr-defined]
    assert len(held) == 33
    assert pairs["test_pairs"] <= held
    assert len(pairs["test_pairs"]) > 2
    assert not (pairs["train"] | pairs["test_in"]) & held
    longer = rows_of(tmp_path / "out", "test_longer")
    assert longer
    for row in longer:
        assert not {(row["link_1"], row["link_2"]), (row["link_2"], row["link_3"])} & held
