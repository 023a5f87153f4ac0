"""What starts quickly loads nothing heavy, and the public names are there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import synthgen
from tests.building import environment
from tests.dataset.tiny import write_dataset

HEAVY = ("numba", "sympy", "polars", "pyarrow", "numpy", "jinja2")


@pytest.mark.parametrize("arguments", [["--help"], ["list"], ["--version"], ["build", "--help"]])
def test_light_commands_load_no_heavy_library(arguments: list[str]) -> None:
    code = (
        "import sys\n"
        f"sys.argv = ['synthgen', *{arguments!r}]\n"
        "from synthgen.__main__ import main\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as end:\n"
        "    assert not end.code, end.code\n"
        f"print('loaded:', [name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.endswith("loaded: []\n"), ended.stdout


@pytest.mark.parametrize("module", ["synthgen", "synthgen.api", "synthgen.cli.terminal"])
def test_importing_loads_no_heavy_library(module: str) -> None:
    """Workers are forked while the process has one thread, and these libraries start more."""
    code = f"import sys, {module}; print([name for name in {HEAVY!r} if name in sys.modules])"
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True
    )
    assert ended.stdout == "[]\n"


def test_opening_and_streaming_load_neither_kernels_nor_polars(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "tiny")
    code = (
        "import sys, synthgen\n"
        f"train = synthgen.open({str(folder)!r})['train']\n"
        "assert len(list(synthgen.stream(train, batch=7))) == 6 and train[3]\n"
        "cells = synthgen.cells(train, by=['task'])\n"
        "from synthgen.training.schedulers import Thompson\n"
        "assert cells.next(*Thompson(cells.names).choose())\n"
        "unwanted = ('numba', 'sympy', 'polars', 'torch')\n"
        "print([name for name in unwanted if name in sys.modules])\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True
    )
    assert ended.stdout == "[]\n"


def test_exports_are_sorted_and_real() -> None:
    assert synthgen.__all__ == sorted(synthgen.__all__)
    for name in synthgen.__all__:
        assert getattr(synthgen, name).__doc__


def test_the_version_has_the_usual_form() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", synthgen.__version__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'biuld'"):
        synthgen.biuld  # noqa: B018  # the access is the test
