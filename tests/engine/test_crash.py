"""Builds that are interrupted, and two builds at once; `benchmarks/faults` kills builds."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from synthgen.dataset.layout import WORK_FOLDER
from tests.building import SMALL, environment, folder_digests, write_recipe

_LONGER = (
    SMALL.replace("rows = 3000", "rows = 8_000")
    .replace("max_operators = 6", "max_operators = 8")
    .replace("n_op <= 5", "n_op <= 7")
    .replace("n_op > 5", "n_op > 7")
    .replace("rows_per_shard = 700", "rows_per_shard = 600")
)
Straight = tuple[Path, dict[str, str]]
"""A recipe, and the files of its build that nothing interrupted."""


def _command(recipe: Path, out: Path) -> list[str]:
    arguments = [sys.executable, "-m", "synthgen", "build", str(recipe), "--out", str(out)]
    return [*arguments, "--workers", "2"]


@pytest.fixture(scope="module")
def straight(tmp_path_factory: pytest.TempPathFactory) -> Straight:
    folder = tmp_path_factory.mktemp("straight")
    recipe = write_recipe(folder, _LONGER)
    subprocess.run(_command(recipe, folder / "out"), check=True, env=environment())
    return recipe, folder_digests(folder / "out")


def test_an_interrupt_keeps_the_work_and_says_so(tmp_path: Path, straight: Straight) -> None:
    recipe, wanted = straight
    for _ in range(10):
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        build = subprocess.Popen(
            _command(recipe, tmp_path / "out"),
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        # Not after a time that a busy machine may stretch: once there is work to keep.
        while build.poll() is None and not (tmp_path / "out" / WORK_FOLDER / "tree").exists():
            time.sleep(0.005)
        if build.poll() is None:
            os.killpg(build.pid, signal.SIGINT)
        _, told = build.communicate(timeout=60)
        if build.returncode != 0:
            break
    assert build.returncode == 130
    assert "run the same command to resume" in told
    again = subprocess.run(_command(recipe, tmp_path / "out"), env=environment(), check=False)
    assert again.returncode == 0
    assert folder_digests(tmp_path / "out") == wanted


@pytest.mark.slow
def test_of_two_builds_at_once_one_is_refused_and_the_other_is_whole(
    tmp_path: Path, straight: Straight
) -> None:
    recipe, wanted = straight
    builds = [
        subprocess.Popen(
            _command(recipe, tmp_path / "out"),
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    ends = [(*build.communicate(timeout=120), build.returncode) for build in builds]
    refused = [error for _, error, code in ends if code == 2]
    assert len(refused) == 1
    assert "is being built by another process" in refused[0]
    assert sorted(code for *_, code in ends) == [0, 2]
    assert folder_digests(tmp_path / "out") == wanted
