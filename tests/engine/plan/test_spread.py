"""Sources that are spread over values: what the plan makes of them, and how selection uses them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from synthgen import verify
from synthgen.contract.interfaces import Generator
from synthgen.core.errors import RecipeError, SynthgenError
from synthgen.engine.build import build
from synthgen.engine.plan import sources as planned_sources
from synthgen.engine.plan.feasibility import notes
from synthgen.engine.plan.plan import Plan
from synthgen.engine.preview import describe
from synthgen.engine.progress import Phases
from synthgen.engine.select.select import Selection, select
from synthgen.engine.workers.local import LocalEngine
from synthgen.families.hint.family import Hint
from synthgen.rules.conditions import Condition
from tests.building import (
    failed_checks,
    plan_of,
    recipe_of,
    rows_of,
    source_of,
    split_of,
    write_recipe,
)

SOURCE = '[[source]]\ngenerator = "hint"\nparams = { max_operators = 6, max_value = 100 }\n'
TRAIN = '[[split]]\nname = "train"\nrows = 700\nbalance = ["n_op"]\n'


def plan_for(folder: Path, spread: str, splits: str = TRAIN, more: str = "") -> Plan:
    text = f'name = "s"\n{SOURCE}spread = {spread}\n{more}{splits}'
    return plan_of(write_recipe(folder, text))


def selected(plan: Plan) -> Selection:
    with LocalEngine(1) as engine:
        return select(plan, engine, lambda *_: None)


def faults_of(folder: Path, spread: str, splits: str = TRAIN, more: str = "") -> dict[str, str]:
    with pytest.raises(RecipeError) as refused:
        plan_for(folder, spread, splits, more)
    return {fault.path: fault.message for fault in refused.value.faults}


def test_each_value_has_a_source_of_its_own(tmp_path: Path) -> None:
    plan = plan_for(tmp_path, "{ n_op = [5, 2] }")
    assert [source.name for source in plan.sources] == ["hint_n_op_5", "hint_n_op_2"]
    assert [vars(s.generator)["max_operators"] for s in plan.sources] == [5, 2]
    assert [vars(s.generator)["max_value"] for s in plan.sources] == [100, 100]
    assert len({source.stream for source in plan.sources}) == 2
    assert (plan.axes["n_op"].low, plan.axes["n_op"].high) == (2, 5)
    assert plan.axes["source"].values == ("hint_n_op_5", "hint_n_op_2")


def test_all_values_are_those_of_the_source_without(tmp_path: Path) -> None:
    plan = plan_for(tmp_path, '["n_op"]')
    assert [source.fixed for source in plan.sources] == [{"n_op": n} for n in range(7)]


def test_a_generator_tells_which_axes_can_be_spread() -> None:
    assert describe("hint")["spread"]["n_op"] == ["min_operators", "max_operators"]
    assert describe("hint_paper")["spread"] == {}


def test_joint_values_that_cannot_be_are_left_out_and_noted(tmp_path: Path) -> None:
    text = recipe_of(
        source_of("pcfg", more="spread = { depth = [1, 2, 3], n_functions = [1, 2, 3, 4] }"),
        split_of("train", 70, more='balance = ["depth", "n_functions"]'),
        seed=0,
    )
    plan = plan_of(write_recipe(tmp_path, text))
    there = [tuple(source.fixed.values()) for source in plan.sources]
    assert there == [(1, 1), (2, 2), (2, 3), (3, 3), (3, 4)]
    (note,) = notes(plan.proposing, plan.splits, plan.axes)
    assert "7 cells of its balance that no source can fill: depth=1, n_functions=2" in note


def test_a_dataset_records_the_sources_and_is_proven_from_its_files(tmp_path: Path) -> None:
    plan = plan_for(tmp_path, "{ n_op = [1, 3, 6] }")
    with LocalEngine(1) as engine:
        build(plan, tmp_path / "out", engine, Phases())
    rows = rows_of(tmp_path / "out", "train")
    assert all(row["source"] == f"hint_n_op_{row['n_op']}" for row in rows)
    assert Counter(row["n_op"] for row in rows) == {1: 234, 3: 233, 6: 233}
    found = verify(tmp_path / "out", rebuild=40)
    assert (found.ok, found.rebuilt) == (True, 42)  # of each source and split, rounded up
    assert failed_checks(tmp_path / "out") == {}


def test_a_rare_value_costs_few_draws(tmp_path: Path) -> None:
    split = '[[split]]\nname = "train"\nrows = 100\nwhere = "max_value = 97"\n'
    rare = selected(plan_for(tmp_path, "{ max_value = [97] }", split))
    assert rare.record.selection.candidates <= 8_192
    assert len(rare.members["train"]) == 100


def test_a_smaller_build_has_the_lowest_addresses_of_each_cell(tmp_path: Path) -> None:
    large = selected(plan_for(tmp_path, '["n_op"]', TRAIN.replace("700", "7_000")))
    small = selected(plan_for(tmp_path, '["n_op"]'))
    for source in range(7):
        few, many = (
            sorted(members.addresses[members.sources == source].tolist())
            for members in (small.members["train"], large.members["train"])
        )
        assert few == many[: len(few)]


def test_a_shortfall_names_cells_that_no_source_can_fill(tmp_path: Path) -> None:
    split = TRAIN.replace("700", "2_000") + 'where = "n_op < 4"\n'
    with pytest.raises(RecipeError, match=r"cells outside the ranges of all sources: n_op=1"):
        selected(
            plan_for(tmp_path, "{ n_op = [0, 6] }", split + "[limits]\nacceptance_floor = 0.01\n")
        )


@pytest.mark.parametrize(
    ("spread", "path", "told"),
    [
        ('["nop"]', "nop", "unknown axis to spread over 'nop'; did you mean 'n_op'?"),
        ("{ n_op = [1, 7] }", "n_op", "n_op=7: expected an integer from 0 to 6"),
        ("{ n_op = ['a'] }", "n_op", "n_op='a': expected an integer from 0 to 6"),
        ("['n_op', 'max_value']", "", "expected at most 256 sources, not 707"),
    ],
)
def test_faults_of_a_spread(tmp_path: Path, spread: str, path: str, told: str) -> None:
    found = faults_of(tmp_path, spread)
    assert told in found[f"source.hint.spread.{path}".rstrip(".")]


def test_the_name_of_a_source_that_is_spread_leads_to_the_others(tmp_path: Path) -> None:
    twins = '[[source]]\nname = "twins"\ngenerator = "hint"\ndraws_of = "hint"\n'
    found = faults_of(tmp_path, "{ n_op = [1, 2] }", TRAIN + "where = \"source = 'hint'\"\n", twins)
    named = "one of the 2 sources that 'hint' is spread over: hint_n_op_1, hint_n_op_2"
    assert named in found["source.twins.draws_of"]
    assert named in found["split.train.where"]
    assert "source LIKE 'hint_%'" in found["split.train.where"]


def test_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    more = '[[source]]\nname = "hint_n_op_2"\ngenerator = "hint"\n'
    found = faults_of(tmp_path, '["n_op"]', TRAIN, more)
    assert "creates the name 'hint_n_op_2', which another" in found["source.hint.spread"]


def test_a_rule_that_no_source_alone_can_meet_is_refused(tmp_path: Path) -> None:
    found = faults_of(tmp_path, "{ n_op = [1, 3] }", TRAIN + 'where = "n_op = 2"\n')
    assert "cannot be true in any source, whose axes have n_op = 1, 3" in found["split.train.where"]


@dataclass(frozen=True)
class Wrong(Hint):
    """A generator that says what is not so."""

    conditions: ClassVar[dict[str, Condition]] = {"depth": Condition(("max_operators",))}


def test_a_condition_that_does_not_hold_stops_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds: dict[str, type[Generator]] = {"hint": Wrong}
    monkeypatch.setattr(planned_sources, "generator_class", kinds.__getitem__)
    plan = plan_for(tmp_path, "{ depth = [3] }", TRAIN.replace("n_op", "depth"))
    with pytest.raises(SynthgenError, match="declares that params fix 'depth'"):
        selected(plan)
