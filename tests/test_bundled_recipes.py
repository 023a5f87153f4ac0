"""Every bundled recipe can be planned, and shows readable examples of each of its splits."""

from __future__ import annotations

import pytest

from synthgen.engine.preview import preview
from synthgen.engine.workers.local import LocalEngine
from synthgen.recipe.bundled import bundled_names, find_recipe
from synthgen.recipe.loader import load_recipe
from tests.building import plan_of

BUILT = ("cogs", "markov", "omega-chain", "skill-chain", "skill-mix")
"""Beginnings of the names of recipes whose splits the tests of their families build."""
OTHERS = [name for name in bundled_names() if name not in ("hint", "hint-paper")]


@pytest.mark.parametrize("name", bundled_names())
def test_it_is_named_as_its_file(name: str) -> None:
    assert load_recipe(find_recipe(name)).recipe.name == name


@pytest.mark.parametrize("name", [name for name in OTHERS if not name.startswith(BUILT)])
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
