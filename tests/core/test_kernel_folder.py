"""Compiled kernels are kept apart by all that they are made from, where nobody else can write."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "synthgen"
WHERE = """
from synthgen.core.kernel_folder import kernel_folder
print(kernel_folder())
"""
PERMUTED = """
import numpy as np
from synthgen.draws.permutation import permutation_table, permute
print(permute(np.arange(8, dtype=np.uint64), permutation_table(5, 1000)))
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the package, beside a home."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "checkout/synthgen", ignore=ignored)
    (tmp_path / "home").mkdir(mode=0o700)
    return tmp_path / "checkout"


def printed(checkout: Path, program: str, **settings: str) -> str:
    """Run a program with the package of a checkout, and return what it prints."""
    ended = run(checkout, program, **settings)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


def run(checkout: Path, program: str, **settings: str) -> subprocess.CompletedProcess[str]:
    unset = {"NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "XDG_CACHE_HOME"}
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    environment |= {"HOME": str(checkout.parent / "home"), "PYTHONPATH": str(checkout)}
    return subprocess.run(
        [sys.executable, "-P", "-B", "-W", "ignore", "-c", program],
        capture_output=True,
        text=True,
        env=environment | settings,
        check=False,
    )


def base_of(checkout: Path, **settings: str) -> Path:
    return Path(printed(checkout, WHERE, **settings)).parent


def close_package(checkout: Path) -> None:
    """Leave no place for kernels in the package, even for an administrator."""
    package = checkout / "synthgen"
    shutil.rmtree(package / "__pycache__", ignore_errors=True)
    for folder in {path.parent for path in package.rglob("*.py")}:
        (folder / "__pycache__").touch()


@pytest.mark.slow
@pytest.mark.parametrize("place", ["package", "home"])
def test_kernels_of_unchanged_files_get_new_constants_of_others(checkout: Path, place: str) -> None:
    if place == "home":
        close_package(checkout)
    before = printed(checkout, PERMUTED)
    source = checkout / "synthgen/draws/streams.py"
    text = source.read_text("utf-8")
    assert "0xBF58476D1CE4E5B9" in text
    source.write_text(text.replace("0xBF58476D1CE4E5B9", "0xBF58476D1CE4E5BB"), "utf-8")
    after = printed(checkout, PERMUTED)
    assert after != before
    assert after == printed(checkout, PERMUTED, NUMBA_DISABLE_JIT="1")


def test_the_first_place_that_can_be_written_is_used(checkout: Path) -> None:
    home, temporary = checkout.parent / "home", checkout.parent / "temporary"
    temporary.mkdir(mode=0o700)
    assert base_of(checkout, NUMBA_CACHE_DIR=str(home / "given")) == home / "given"
    assert base_of(checkout) == checkout / "synthgen/__pycache__"
    close_package(checkout)
    assert base_of(checkout, XDG_CACHE_HOME=str(home / "xdg")) == home / "xdg/synthgen"
    assert base_of(checkout) == home / ".cache/synthgen"
    closed = {"HOME": "/dev/null", "TMPDIR": str(temporary)}
    assert base_of(checkout, **closed) == temporary
    assert base_of(checkout, **closed, NUMBA_CACHE_DIR="/dev/null/given") == temporary


@pytest.mark.slow
@pytest.mark.parametrize("temporary", ["", "/dev/null"])
def test_commands_work_if_package_and_home_cannot_be_written(
    checkout: Path, temporary: str
) -> None:
    close_package(checkout)
    program = "import sys; from synthgen.__main__ import main\n"
    program += "sys.argv = ['', 'describe', 'arithmetic_gcd']; main()"
    ended = run(checkout, program, HOME="/dev/null", TMPDIR=temporary or str(checkout.parent))
    if temporary:
        assert ended.returncode == 2
        assert ended.stderr.count("\n") == 1
        assert "set NUMBA_CACHE_DIR" in ended.stderr
    else:
        assert ended.returncode == 0, ended.stderr
        assert ended.stdout.startswith("arithmetic_gcd")


@pytest.mark.parametrize("fault", ["writable", "link", "file", "exchangeable"])
def test_a_folder_that_others_can_write_is_not_used(checkout: Path, fault: str) -> None:
    given = checkout.parent / "given"
    settings = {"NUMBA_CACHE_DIR": str(given)}
    folder = Path(printed(checkout, WHERE, **settings))
    assert folder.parent == given
    if fault == "exchangeable":
        given.chmod(0o777)
    elif fault == "writable":
        folder.chmod(0o777)
    else:
        folder.rmdir()
        (given / "target").mkdir()
        folder.symlink_to(given / "target") if fault == "link" else folder.touch()
    assert base_of(checkout, **settings) == checkout / "synthgen/__pycache__"
    if fault == "exchangeable":
        given.chmod(0o1777)  # nobody can rename what others have in such a folder
        assert base_of(checkout, **settings) == given


def test_folders_of_other_sources_go_when_nobody_has_used_them_for_a_day(checkout: Path) -> None:
    folder = Path(printed(checkout, WHERE))
    (folder / "kernel.nbi").touch()
    text = checkout / "synthgen/families/rewrite/words.toml"
    text.write_text(text.read_text("utf-8") + "# changed\n", "utf-8")
    second = Path(printed(checkout, WHERE))
    assert second != folder
    assert folder.exists()
    foreign = folder.with_name("foreign")
    foreign.mkdir()
    for old in (folder, second, foreign):
        os.utime(old, times=(time.time() - 90_000,) * 2)
    assert Path(printed(checkout, WHERE)) == second
    text.write_text(text.read_text("utf-8") + "# again\n", "utf-8")
    third = Path(printed(checkout, WHERE))
    assert {path.name for path in folder.parent.iterdir()} == {
        second.name,
        third.name,
        foreign.name,
    }


def test_kernels_of_others_are_stored_where_numba_would_store_them(checkout: Path) -> None:
    program = "import numba, synthgen.core.kernels; print(repr(numba.config.CACHE_DIR))"
    assert printed(checkout, program) == "''"


def test_kernels_are_made_again_only_for_what_they_can_read(checkout: Path) -> None:
    def folder_after_editing(file: str) -> str:
        with (checkout / "synthgen" / file).open("a", encoding="utf-8") as source:
            source.write("# edited\n")
        return printed(checkout, WHERE)

    first = printed(checkout, WHERE)
    for file in ("auditing/report.py", "engine/build.py", "families/word_letters/family.py"):
        assert folder_after_editing(file) == first
    for file in (
        "core/errors.py",
        "engine/steer/greedy.py",
        "coverage/text_words.py",
        "families/hint/verify.py",
        "__main__.py",
    ):
        first, before = folder_after_editing(file), first
        assert first != before


def test_kernels_are_made_again_when_a_package_with_kernels_of_its_own_changes(
    checkout: Path,
) -> None:
    info = checkout / "third-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: third\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[synthgen.families]\nthird = third.family\n")
    (checkout / "third").mkdir()
    (checkout / "third/__init__.py").write_text("raise RuntimeError('not to be imported')\n")
    (checkout / "third/table.py").write_text("SIZE = 1\n")
    plain = printed(checkout, WHERE)
    (checkout / "third/table.py").write_text("SIZE = 2\n")
    assert printed(checkout, WHERE) == plain
    (checkout / "third/kernels.py").write_text("from numba import njit\n")
    before = printed(checkout, WHERE)
    assert before != plain
    (checkout / "third/table.py").write_text("SIZE = 3\n")
    assert printed(checkout, WHERE) != before
