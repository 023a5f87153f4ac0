"""One axis `level` over all families: 0 to 10, rising with the work a solver must do."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import synthgen
from synthgen.authoring import levelled
from synthgen.contract.interfaces import Problems
from synthgen.contract.registry import generator_class, generator_names
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from tests.building import recipe_of, source_of, split_of

PARAMS: dict[str, dict[str, Any]] = {
    "hint_paper": {"concept": "x"},
    "longest_increasing": {"min_length": 3},
    "multihop_comparison": {"entities": 8},
    "path_counting": {"min_length": 8},
    "rewrite": {"min_input": 30, "max_input": 90, "min_lhs": 2},
}
NAMES = [name for name in generator_names() if "level" in generator_class(name)().axes]
OTHERS = sorted({*generator_names()} - {*NAMES})


def drawn(name: str, **params: Any) -> tuple[Any, Problems]:
    family = generator_class(name)(**PARAMS.get(name, {}), **params)
    rows = 60 if family.block <= 1024 else 600
    addresses = np.linspace(0, (family.space or 2**20) - 1, rows).astype(np.uint64)
    return family, family.draw(Rows(5, addresses))


@pytest.mark.parametrize("name", [*NAMES, *OTHERS])
def test_every_family_has_levels_from_0_to_10(name: str) -> None:
    asked = {} if name in NAMES else {"level": True}
    family, problems = drawn(name, **asked)
    found = np.asarray(problems.axes["level"])[problems.valid]
    axis = family.axes["level"]
    assert 0 <= axis.low <= found.min() <= found.max() <= axis.high <= 10
    assert found.min() < found.max() or name == "multihop_tables"  # a structure has one level


@pytest.mark.parametrize("name", OTHERS)
def test_levels_rise_with_the_declared_work(name: str) -> None:
    family, problems = drawn(name, level=True)
    columns = [np.asarray(problems.axes[axis], np.int64) for axis in family.level_rule.names]
    work = np.sum(columns, axis=0)
    order = np.argsort(work[problems.valid], kind="stable")
    assert (np.diff(problems.axes["level"][problems.valid][order]) >= 0).all()
    plain, others = drawn(name)
    assert "level" not in plain.axes
    assert [*family.axes] == [*plain.axes, "level"]
    assert np.array_equal(problems.keys, others.keys)


@pytest.mark.parametrize("name", ["hint", "identities", "pcfg_exceptions"])
def test_families_with_levels_keep_their_contract(name: str) -> None:
    check_family(name, {"level": True}, rows=100)


@pytest.mark.slow
def test_recipes_use_levels_as_any_other_axis(tmp_path: Path) -> None:
    recipe = tmp_path / "graded.toml"
    recipe.write_text(
        recipe_of(
            source_of("hint", "level = true, max_operators = 8"),
            source_of("scan", "level = true"),
            split_of("train", 240, "level BETWEEN 1 AND 4", 'balance = ["level"]'),
            split_of("test", 60, "level > 4"),
        )
    )
    built = synthgen.build(recipe, tmp_path / "graded", workers=2)
    train = synthgen.open(built.folder)["train"]
    assert Counter(train.column("level").to_pylist()) == dict.fromkeys(range(1, 5), 60)
    assert {row["level"] for row in synthgen.open(built.folder)["test"]} <= {5, 6, 7, 8, 9, 10}
    assert synthgen.verify(built.folder).ok
    assert synthgen.audit(built.folder).ok
    (row,) = synthgen.generate("scan", 1, "level = 10", params={"level": True})
    assert row["action_length"] == 48
    described = synthgen.describe("scan")
    assert "1, 2, 4, 6, 8, 12, 16, 24, 32, 48 action_length" in " ".join(described["about"].split())


@pytest.mark.parametrize("bounds", [(), (2, 1), (1, 1), tuple(range(11))])
def test_bounds_of_levels_rise_and_are_at_most_ten(bounds: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="1 to 10 rising numbers"):
        levelled("n_op", *bounds)
