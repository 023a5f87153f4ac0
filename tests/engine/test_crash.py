"""Builds that are killed, or that run out of disk, and go on."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from synthgen.dataset.layout import WORK_FOLDER
from tests.building import SMALL, environment, folder_digests, synthgen_process, write_recipe

_KILLS = 5
_LONGER = (
    SMALL.replace("rows = 3000", "rows = 20_000")
    .replace("max_operators = 6", "max_operators = 8")
    .replace("n_op <= 5", "n_op <= 7")
    .replace("n_op > 5", "n_op > 7")
    .replace("rows_per_shard = 700", "rows_per_shard = 1500")
)
Straight = tuple[Path, dict[str, str], float]
"""A recipe, the files of its build that nothing interrupted, and how long that took."""


def _command(recipe: Path, out: Path, *more: str) -> list[str]:
    arguments = [sys.executable, "-m", "synthgen", "build", str(recipe), "--out", str(out)]
    return [*arguments, "--workers", "2", *more]


def _wait_for_work(build: subprocess.Popen[Any], out: Path) -> None:
    """Wait until a build has begun to leave something behind, or has ended."""
    while build.poll() is None and not (out / WORK_FOLDER).exists():
        time.sleep(0.005)


@pytest.fixture(scope="module")
def straight(tmp_path_factory: pytest.TempPathFactory) -> Straight:
    folder = tmp_path_factory.mktemp("straight")
    recipe, out = write_recipe(folder, _LONGER), folder / "out"
    process = subprocess.Popen(_command(recipe, out), env=environment())
    _wait_for_work(process, out)
    began = time.monotonic()
    assert process.wait() == 0
    return recipe, folder_digests(out), time.monotonic() - began


@pytest.mark.slow
def test_a_build_killed_at_any_moment_gives_the_same_bytes(
    tmp_path: Path, straight: Straight
) -> None:
    recipe, wanted, usual = straight
    moments = random.Random(20)  # noqa: S311  # moments of a test, not secrets
    kills, attempt = 0, 0
    while kills < _KILLS:
        attempt += 1
        out = tmp_path / f"killed-{attempt}"
        while kills < _KILLS and not (out / "manifest.json").exists():
            process = subprocess.Popen(
                _command(recipe, out), env=environment(), stdout=subprocess.DEVNULL
            )
            _wait_for_work(process, out)
            time.sleep(moments.uniform(0, 1.1) * usual)
            killed = process.poll() is None
            process.kill()
            process.wait()
            kills += killed
            if not (out / "manifest.json").exists():
                assert not (out / "data").exists() or (out / WORK_FOLDER).exists()
        finished = subprocess.run(
            _command(recipe, out), env=environment(), capture_output=True, text=True, check=False
        )
        assert finished.returncode == 0, finished.stderr
        assert folder_digests(out) == wanted
        assert not (out / WORK_FOLDER).exists()


def test_an_interrupt_keeps_the_work_and_says_so(tmp_path: Path, straight: Straight) -> None:
    recipe, wanted, _ = straight
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
    recipe, wanted, _ = straight
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


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own with 1 MiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("a file system can only be mounted by an administrator")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_is_told_and_the_build_goes_on_later(tmp_path: Path, small_disk: Path) -> None:
    recipe = write_recipe(tmp_path, _LONGER.replace("20_000", "10_000"))
    straight = synthgen_process("build", str(recipe), "--out", str(tmp_path / "straight"))
    assert straight.returncode == 0, straight.stderr
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(700_000))
    full = synthgen_process(
        "build", str(recipe), "--out", str(small_disk / "out"), "--workers", "1"
    )
    assert full.returncode == 2
    assert "no space left" in full.stderr
    assert "Traceback" not in full.stderr
    assert not (small_disk / "out" / "manifest.json").exists()
    ballast.unlink()
    again = synthgen_process("build", str(recipe), "--out", str(small_disk / "out"))
    assert again.returncode == 0, again.stderr
    assert "resumed from" in again.stdout
    assert folder_digests(small_disk / "out") == folder_digests(tmp_path / "straight")
