"""Packages of third parties that cannot be imported: named, and left out of every command."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.building import recipe_of, source_of, split_of, synthgen_process, write_recipe

BROKEN = {
    "removed": ("gone.fam", "", "gone.fam cannot be imported: ModuleNotFoundError: No module"),
    "syntax": ("syntax", "def (", "SyntaxError: invalid syntax (syntax/__init__.py:1)"),
    "missing": ("missing", "import no_such", "No module named 'no_such' (missing/__init__.py:1)"),
    "exits": ("exits", "raise SystemExit('no license')", "exits cannot be imported: SystemExit"),
    "panics": ("panics", "class Panic(BaseException): ...\nraise Panic", "imported: Panic"),
    "listed": ("listed", "FAMILIES = ['mine']", "listed.FAMILIES=['mine']: expected names"),
    "odd": ("!! no module", "", "No module named '!! no module"),
    "blank": ("", "", "Empty module name"),
}
"""Package -> (value of its entry point, content of its `__init__.py`, what is said)."""


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the broken packages, as an installer would leave them, and a good one."""
    root = tmp_path_factory.mktemp("packages")
    good = {"good": ("good", "FAMILIES = {'good_family': 'A good one'}", "")}
    for name, (value, text, _) in {**BROKEN, **good}.items():
        info = root / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-pack\nVersion: 1.0\n")
        points = f"{name}_family = {value}\n{name}_other = {value}\n"
        (info / "entry_points.txt").write_text(f"[synthgen.families]\n{points}")
        if text:
            (root / name).mkdir()
            (root / name / "__init__.py").write_text(text)
    return root


@pytest.fixture(scope="module")
def listing(packages: Path) -> subprocess.CompletedProcess[str]:
    return synthgen_process("list", "--json", path=packages)


def test_lists_leave_them_out(listing: subprocess.CompletedProcess[str]) -> None:
    assert listing.returncode == 0
    listed = json.loads(listing.stdout)["generators"]
    assert listed["good_family"] == "A good one"
    assert "hint" in listed
    assert not [name for name in listed if name.rpartition("_")[0] in BROKEN]


@pytest.mark.parametrize("name", BROKEN)
def test_lists_name_them_once(name: str, listing: subprocess.CompletedProcess[str]) -> None:
    line, *others = [row for row in listing.stderr.splitlines() if f"'{name}-pack'" in row]
    assert BROKEN[name][2] in line
    assert not others


@pytest.mark.parametrize("name", ["removed", "exits"])
def test_only_a_recipe_that_asks_for_one_fails(name: str, packages: Path, tmp_path: Path) -> None:
    asking = write_recipe(tmp_path, recipe_of(source_of(f"{name}_family"), split_of("train", 20)))
    ended = synthgen_process("validate", str(asking), path=packages)
    assert ended.returncode == 2
    assert f"family '{name}_family': {BROKEN[name][0]}.family cannot be imported" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_other_recipes_are_built(packages: Path, tmp_path: Path) -> None:
    ended = synthgen_process(
        *("build", "scan", "--rows", "100", "--workers", "1", "--out", str(tmp_path / "scan")),
        path=packages,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
