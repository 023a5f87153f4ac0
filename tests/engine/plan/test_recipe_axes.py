"""Axes that recipes compute, from the plan to the audit of the files."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from synthgen import verify
from synthgen.auditing.report import audit
from synthgen.core.errors import RecipeError
from synthgen.dataset.manifest import read_manifest
from synthgen.engine.preview import preview
from synthgen.engine.workers.local import LocalEngine
from synthgen.rules.computed_axes import StructureAxis
from tests.building import (
    build_small,
    failed_checks,
    folder_digests,
    plan_of,
    recipe_of,
    rows_of,
    source_of,
    split_of,
    write_recipe,
)

SPLITS = (
    split_of("train", 400, "held = 0 AND cell = 0", 'balance = ["source"]')
    + split_of("test", 60, "held > 0", 'measure = ["held"]')
    + split_of("test_cell", 60, "held = 0 AND cell = 1")
)
GIVEN = """
name = "small"
seed = 5
[[source]]
generator = "hint"
params = { max_operators = 5 }
[[source]]
generator = "scan"
[[axis]]
name = "held"
structures = "edges"
of = ["*>+", "and > jump"]
[[axis]]
name = "names"
structures = "symbols"
of = ["*", "+", "jump"]
count = "kinds"
[[axis]]
name = "cell"
cells = { axes = ["n_op", "depth"], of = [[3, 3], [4, 4]] }
[[axis]]
name = "verb"
cells = { axes = ["verb_1", "names"], of = [["jump", 1]] }
"""
PICKED = """
name = "small"
seed = 5
[[source]]
generator = "hint"
params = { max_operators = 5 }
[[axis]]
name = "held"
structures = "placed"
pick = 4
[[axis]]
name = "cell"
cells = { axes = ["n_op", "depth"], pick = 2 }
"""


def test_columns_over_sources_are_what_the_audit_finds(tmp_path: Path) -> None:
    folder = build_small(tmp_path, text=GIVEN + SPLITS).folder
    assert failed_checks(folder) == {}
    rows = rows_of(folder, "train") + rows_of(folder, "test") + rows_of(folder, "test_cell")
    assert {row["source"] for row in rows} == {"hint", "scan"}
    for row in rows:
        assert row["cell"] == int((row["n_op"], row["depth"]) in {(3, 3), (4, 4)})
        own = {name for name in "*+" if f"({name} " in row["derivation"]}
        own |= {"jump"} & set(row["derivation"].replace(")", "").split())
        assert row["names"] == len(own)
        assert row["verb"] == int(row["verb_1"] == "jump" and row["names"] == 1)
    assert {row["held"] > 0 for row in rows_of(folder, "test")} == {True}
    assert verify(folder, rebuild=20).ok
    shown = preview(plan_of(write_recipe(tmp_path, GIVEN + SPLITS)), LocalEngine(1), 2, "test")
    assert [row["held"] > 0 for row in shown["test"]] == [True, True]


def test_a_changed_value_fails_the_audit_and_is_shown(tmp_path: Path) -> None:
    folder = build_small(tmp_path, text=GIVEN + SPLITS).folder
    (path,) = (folder / "data").glob("train-*.parquet")
    table = pq.read_table(path)
    names = table["names"].to_pylist()
    place = table.schema.get_field_index("names")
    column = pa.array([*names[:7], 9, *names[8:]], table.schema.field(place).type)
    pq.write_table(table.set_column(place, table.schema.field(place), column), path)
    (check,) = [c for c in audit(folder, measured=False).checks if c.name == "axis/train/names"]
    assert not check.ok
    (row,) = check.rows
    assert row["id"] == table["id"][7].as_py()
    assert (row["names"], row["computed"]) == (9, names[7])


@pytest.mark.slow
def test_picks_are_recorded_and_do_not_depend_on_the_size(tmp_path: Path) -> None:
    build = build_small(tmp_path, text=PICKED + SPLITS)
    assert failed_checks(build.folder) == {}
    held, cell = read_manifest(build.folder).computed
    assert held.picked
    assert cell.picked
    assert (held.structures, len(held.of), len(cell.cells)) == ("placed", 4, 2)
    small = build_small(tmp_path, "small", text=PICKED + SPLITS, rows=50, workers=2)
    assert read_manifest(small.folder).computed == (held, cell)
    ids = {row["id"] for row in rows_of(build.folder, "test")}
    assert {row["id"] for row in rows_of(small.folder, "test")} <= ids
    other = build_small(tmp_path, "other", text=PICKED + SPLITS, rows=50, seed=6)
    assert read_manifest(other.folder).computed != (held, cell)
    train = rows_of(build.folder, "train")
    symbols = {text.split("@")[0] for text in held.of}
    there = {
        word
        for row in train
        for word in row["derivation"].replace("(", "").replace(")", "").split()
    }
    assert symbols <= there
    for dropped in (0, 1):
        parts = {(row["n_op"], row["depth"])[dropped] for row in train}
        assert {cell.cells[i][dropped] for i in range(2)} <= parts


HARD = recipe_of(
    source_of("cogs"),
    '[[axis]]\nname = "held"\nstructures = "local"\npick = 2\nmax_easiness = 0.7\n',
    split_of("train", 400, "held = 0"),
    split_of("test", 20, "held > 0"),
    seed=0,
)


def test_local_structures_are_picked_by_easiness(tmp_path: Path) -> None:
    folder = build_small(tmp_path, text=HARD).folder
    assert failed_checks(folder) == {}
    (held,) = read_manifest(folder).computed
    assert len(held.of) == 2
    hard = HARD.replace("max_easiness = 0.7", "max_easiness = 0.0")
    with pytest.raises(RecipeError, match=r"axis\.held\.pick: pick=2: .* at most 0.*easiness"):
        plan_of(write_recipe(tmp_path, hard))


def test_picks_look_at_rows_that_meet_a_rule(tmp_path: Path) -> None:
    narrow = PICKED.replace("pick = 4", "pick = 4\namong = \"n_op <= 2 AND source = 'hint'\"")
    plan = plan_of(write_recipe(tmp_path, narrow + SPLITS))
    held, _ = plan.sources[0].computed
    assert isinstance(held, StructureAxis)
    assert {int(text.split("@")[1]) for text in held.of} <= {0, 1, 2}
    with pytest.raises(RecipeError, match=r"axis\.held\.among: among=.*did you mean 'n_op'"):
        plan_of(write_recipe(tmp_path, narrow.replace("n_op <= 2", "n_opp <= 2") + SPLITS))
    many = PICKED.replace("pick = 2", "pick = 40") + SPLITS
    with pytest.raises(
        RecipeError, match=r"axis\.cell\.cells\.pick: pick=40: expected at most \d+ of"
    ):
        plan_of(write_recipe(tmp_path, many))


def test_fingerprints_know_axes_only_where_there_are_some(tmp_path: Path) -> None:
    plain = plan_of(write_recipe(tmp_path))
    assert not {"axis", "assign"} & plain.content["recipe"].keys()
    said = plan_of(write_recipe(tmp_path, PICKED + SPLITS + '[assign]\nby = "problem"\n'))
    assert said.fingerprint == plan_of(write_recipe(tmp_path, PICKED + SPLITS)).fingerprint
    changed = plan_of(write_recipe(tmp_path, PICKED + SPLITS), "axis.held.pick=3")
    assert changed.fingerprint != said.fingerprint
    assert json.dumps(changed.content["recipe"]["axis"][0]).count(":") == 3


GROUPS = recipe_of(
    source_of("hint", "max_operators = 3"),
    "[assign]\nby = BY\n",
    split_of("train", 600, "n_op > 1"),
    split_of("dev", 150, "n_op > 1"),
    split_of("other", 50),
    seed=0,
)


@pytest.mark.parametrize("by", ['"template"', '["n_op", "max_value"]'])
def test_groups_stay_in_one_split(tmp_path: Path, by: str) -> None:
    folder = build_small(tmp_path, text=GROUPS.replace("BY", by)).folder
    report = audit(folder, measured=False)
    groups = [check for check in report.checks if check.name.startswith("groups/")]
    assert [(check.name, check.ok) for check in groups] == [("groups/train+dev", True)]
    assert report.ok
    (dev,) = (folder / "data").glob("dev-*.parquet")
    (train,) = (folder / "data").glob("train-*.parquet")
    moved = pa.concat_tables([pq.read_table(train).slice(0, 1), pq.read_table(dev).slice(1)])
    pq.write_table(moved, dev)
    report = audit(folder, measured=False)
    (check,) = [check for check in report.checks if check.name == "groups/train+dev"]
    assert not check.ok
    assert check.detail.startswith("1 ")
    assert len(check.rows) > 0


def test_groups_do_not_depend_on_workers_and_leave_nothing_to_spare(tmp_path: Path) -> None:
    text = GROUPS.replace("BY", '"template"')
    one = build_small(tmp_path, "one", text=text)
    two = build_small(tmp_path, "two", text=text, workers=2)
    assert folder_digests(one.folder) == folder_digests(two.folder)
    few = text.replace('"hint"', '"scan"').replace("params = { max_operators = 3 }", "")
    few = few.replace('where = "n_op > 1"', "").replace("rows = 600", "rows = 20_700")
    with pytest.raises(RecipeError, match="has only"):
        build_small(tmp_path, "few", text=few)
