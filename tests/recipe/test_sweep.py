"""Sweeps: one ordinary dataset for each combination of values, with the same test in all."""

import json
import shutil
from pathlib import Path

import pytest

from synthgen.api import build
from synthgen.core.errors import RecipeError
from synthgen.recipe.loader import read_points, read_recipe
from synthgen.recipe.overrides import Overrides
from tests.building import folder_digests, ids_of, synthgen, write_recipe

RECIPE = """
name = "sizes"
[[source]]
generator = "arithmetic_gcd"
name = "gcd"
params = { levels = [2] }
[[split]]
name = "train"
rows = 60
[[split]]
name = "test"
rows = 30
[sweep]
over.split.train.rows = [20, 60]
same = ["test"]
"""


def points(folder: Path, text: str, *sets: str) -> dict[str, tuple[str, ...]]:
    found = read_points(read_recipe(write_recipe(folder, text), Overrides(sets)))
    return {name: point.overrides.sets for name, point in found.items()}


def test_points_are_all_combinations_but_those_fixed_by_an_override(tmp_path: Path) -> None:
    text = RECIPE.replace("same", "over.render.prompt = ['boxed', 'instruction']\nsame")
    assert points(tmp_path, text) == {
        f"rows-{n}_prompt-{style}": (f"split.train.rows={n}", f'render.prompt="{style}"')
        for n in (20, 60)
        for style in ("boxed", "instruction")
    }
    fixed = points(tmp_path, text, "split.train.rows=7")
    assert [*fixed] == ["prompt-boxed", "prompt-instruction"]
    assert points(tmp_path, text, "split.train.rows=7", "render.prompt=boxed").keys() == {""}
    both = RECIPE.replace("same", "over.split.test.rows = [1.5, true]\nsame")
    assert "split.train.rows-20_split.test.rows-True" in points(tmp_path, both)


@pytest.mark.parametrize(
    ("over", "message"),
    [
        ("{}", "none is given"),
        ("[1]", "it does not have a list"),
        ("{ seed = [] }", "seed does not have a list"),
        ("{ seed = [1, [2]] }", "seed does not have a list"),
        ("{ name = ['a/b'] }", "name does not have a list"),
        ("{ 'a.b' = [1] }", "'a.b' is not a name"),
        (f"{{ seed = {[*range(257)]} }}", "at most 256 combinations"),
    ],
)
def test_what_cannot_be_swept_is_a_fault(tmp_path: Path, over: str, message: str) -> None:
    text = RECIPE.replace("over.split.train.rows = [20, 60]", f"over = {over}")
    draft = read_recipe(write_recipe(tmp_path, text))
    assert [fault.path for fault in draft.faults] == ["sweep.over"]
    assert message in draft.faults[0].message


@pytest.mark.slow
def test_every_point_is_built_with_the_same_test_and_resumed(tmp_path: Path) -> None:
    path, out = str(write_recipe(tmp_path, RECIPE)), tmp_path / "out"
    first = synthgen("build", path, "--out", str(out), "--json")
    assert json.loads(first.stdout)["points"].keys() == {"rows-20", "rows-60"}
    files = {name: folder_digests(out / name) for name in ("rows-20", "rows-60")}
    data = "data/test-00000-of-00001.parquet"
    assert files["rows-20"][data] == files["rows-60"][data]
    few, many = (set(ids_of(out / name, "train")) for name in files)
    assert len(few) == 20
    assert few < many
    shutil.rmtree(out / "rows-60")  # as if interrupted before it
    again = synthgen("build", path, "--out", str(out))
    assert again.stdout.count("already built") == 1
    assert folder_digests(out / "rows-60") == files["rows-60"]
    for name in files:
        assert synthgen("audit", str(out / name)).returncode == 0
        assert synthgen("verify", str(out / name)).returncode == 0
    alone = synthgen("build", path, "--out", str(tmp_path / "b"), "--set", "split.train.rows=20")
    assert alone.returncode == 0
    assert folder_digests(tmp_path / "b")["manifest.json"] == files["rows-20"]["manifest.json"]
    assert "--set split.train.rows=20" in (out / "rows-20" / "README.md").read_text()
    mixed = synthgen("build", path, "--out", str(tmp_path / "b"))
    assert (mixed.returncode, "is a dataset" in mixed.stderr) == (2, True)


def test_a_test_that_a_swept_value_changes_is_an_error(tmp_path: Path) -> None:
    text = RECIPE.replace("over.split.train.rows = [20, 60]", "over.seed = [1, 2]")
    found = synthgen("build", str(write_recipe(tmp_path, text)), "--out", str(tmp_path / "out"))
    assert found.returncode == 2
    assert "sweep.same.0: same='test': expected the same rows in 'seed-1' and" in found.stderr


def test_commands_show_the_points(tmp_path: Path) -> None:
    path = str(write_recipe(tmp_path, RECIPE))
    assert "rows-60\nsizes: valid; 90 rows" in synthgen("validate", path).stdout
    valid = json.loads(synthgen("validate", path, "--json").stdout)["points"]
    assert valid["rows-20"]["splits"] == {"train": 20, "test": 30}
    assert "rows-20, the first point" in synthgen("preview", path, "-n", "1").stdout
    assert "one test. 7 datasets." in synthgen("list", "all").stdout
    unknown = write_recipe(tmp_path, RECIPE.replace("split.train.rows", "split.trian.rows"))
    refused = synthgen("validate", str(unknown))
    assert refused.returncode == 2
    assert "sweep split.trian.rows=20: no such split 'trian'; did you mean" in refused.stderr


def test_python_builds_one_dataset_or_refuses(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="sweep: expected a recipe of one dataset"):
        build(write_recipe(tmp_path, RECIPE), tmp_path / "out")
