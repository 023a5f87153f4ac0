"""Compiled kernels go when a source that they were made from changes, and only then."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from synthgen.core.stale_kernels import remove_stale_kernels

SOURCES = {
    "__init__.py": "",
    "alone.py": "WEIGHT = 1\n",
    "table.py": "SIZE = 1\n",
    "shared/__init__.py": "",
    "shared/step.py": "from pack.table import (\n    SIZE,\n)\n",
    "shared/walk.py": "from pack.shared import step\n",
    "run.py": "    import pack.shared.walk\n",
    "words.toml": "words = []\n",
}
KERNELS = ["alone", "table", "shared/step", "shared/walk", "run"]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package whose modules all have compiled kernels, recorded with their sources."""
    folder = tmp_path / "pack"
    for name, text in SOURCES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    remove_stale_kernels(folder)
    for name in KERNELS:
        for ending in (".nbi", ".1.nbc"):
            compiled(folder, name, ending).parent.mkdir(exist_ok=True)
            compiled(folder, name, ending).touch()
    return folder


def compiled(package: Path, name: str, ending: str = ".nbi") -> Path:
    source = package / name
    return source.parent / "__pycache__" / f"{source.name}.kernel-7.py311{ending}"


def left(package: Path) -> list[str]:
    both = [(compiled(package, name), compiled(package, name, ".1.nbc")) for name in KERNELS]
    assert all(index.exists() == data.exists() for index, data in both)
    return [name for name, (index, _) in zip(KERNELS, both, strict=True) if index.exists()]


def test_nothing_goes_while_nothing_changes(package: Path) -> None:
    assert remove_stale_kernels(package) == []
    assert left(package) == KERNELS


@pytest.mark.parametrize(
    ("changed", "kept"),
    [
        ("alone.py", ["table", "shared/step", "shared/walk", "run"]),
        ("run.py", ["alone", "table", "shared/step", "shared/walk"]),
        ("shared/walk.py", ["alone", "table", "shared/step"]),
        ("shared/step.py", ["alone", "table"]),
        ("table.py", ["alone"]),
        ("words.toml", []),
    ],
)
def test_kernels_of_all_that_imports_a_changed_source_go(
    package: Path, changed: str, kept: list[str]
) -> None:
    (package / changed).write_text(SOURCES[changed] + "# changed\n")
    assert len(remove_stale_kernels(package)) == 2 * (len(KERNELS) - len(kept))
    assert left(package) == kept
    assert remove_stale_kernels(package) == []


def test_a_source_of_the_same_size_with_another_time_has_changed(package: Path) -> None:
    os.utime(package / "table.py", ns=(1, 1))
    remove_stale_kernels(package)
    assert left(package) == ["alone"]


def test_importers_of_a_source_that_is_gone_lose_their_kernels(package: Path) -> None:
    (package / "shared/step.py").unlink()
    remove_stale_kernels(package)
    assert left(package) == ["alone", "table"]


@pytest.mark.parametrize("record", [None, "", "[]", "{", '{"table.py": 3}', "\x00"])
def test_all_go_if_it_is_not_known_what_they_were_made_from(
    package: Path, record: str | None
) -> None:
    path = package / "__pycache__/sources.json"
    path.unlink()
    if record is not None:
        path.write_text(record)
    remove_stale_kernels(package)
    assert left(package) == []
    assert [file.name for file in path.parent.iterdir()] == ["sources.json"]


def test_a_kernel_gets_the_new_value_of_a_constant_from_another_file(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    package.mkdir()
    (package / "table.py").write_text("SIZE = 1\n")
    (package / "run.py").write_text(
        "from numba import njit\nfrom pack.table import SIZE\n\n\n"
        "@njit(cache=True)\ndef size():\n    return SIZE\n"
    )
    (package / "__init__.py").write_text(
        "from pathlib import Path\n"
        "from synthgen.core.stale_kernels import remove_stale_kernels\n"
        "remove_stale_kernels(Path(__file__).parent)\n"
    )
    assert _printed(tmp_path) == "1"
    (package / "table.py").write_text("SIZE = 2\n")
    os.utime(package / "table.py", ns=(1, 1))
    assert _printed(tmp_path) == "2"


def _printed(folder: Path) -> str:
    code = "from pack.run import size; print(size())"
    paths = [str(folder), str(Path(__file__).parents[2])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    environment.pop("NUMBA_DISABLE_JIT", None)
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    return ended.stdout.strip()
