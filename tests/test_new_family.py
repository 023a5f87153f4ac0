"""`synthgen new-family` writes a family that passes as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.building import environment, synthgen, synthgen_process


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A new package, registered as an installer would do it."""
    ended = synthgen("new-family", "my_sums", "--into", str(tmp_path))
    assert ended.returncode == 0, ended.stderr
    root = tmp_path / "my_sums"
    info = root / "my_sums-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-sums\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[synthgen.families]\nmy_sums = my_sums\n")
    return root


def test_its_test_and_its_recipe_pass(package: Path, tmp_path: Path) -> None:
    test = (package / "tests" / "test_my_sums.py").read_text()
    ended = subprocess.run(
        [sys.executable, "-c", f"{test}\ntest_contract()\ntest_by_hand()"],
        env=environment(package),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    recipe, out = str(package / "recipes" / "my-sums.toml"), str(tmp_path / "out")
    for arguments in (("build", recipe, "--out", out, "--scale", "0.1"), ("audit", out)):
        ended = synthgen_process(*arguments, path=package)
        assert ended.returncode == 0, ended.stderr


def test_in_a_checkout_the_files_go_where_families_are(tmp_path: Path) -> None:
    (tmp_path / "synthgen" / "families").mkdir(parents=True)
    ended = synthgen("new-family", "my_sums", "--into", str(tmp_path))
    written = {str(Path(line).relative_to(tmp_path)) for line in ended.stdout.splitlines()}
    room = {f"synthgen/families/my_sums/{name}.py" for name in ("__init__", "family", "verify")}
    assert written == room | {
        "synthgen/families/my_sums/words.toml",
        "tests/families/my_sums/test_my_sums.py",
        "recipes/my-sums.toml",
        "docs/families/my_sums.md",
    }


@pytest.mark.parametrize("name", ["My", "1st", "a-b", "", "../up", "hint"])
def test_a_bad_name_is_refused(name: str, tmp_path: Path) -> None:
    ended = synthgen("new-family", name, "--into", str(tmp_path))
    assert ended.returncode == 2
    assert f"name={name!r}" in ended.stderr
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_over(package: Path, tmp_path: Path) -> None:
    before = (package / "my_sums" / "family.py").read_bytes()
    ended = synthgen("new-family", "my_sums", "--into", str(tmp_path))
    assert ended.returncode == 2
    assert "already exists" in ended.stderr
    assert (package / "my_sums" / "family.py").read_bytes() == before
