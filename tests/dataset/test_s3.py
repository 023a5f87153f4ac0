"""Datasets in an S3-compatible store: builds that are killed, and requests that fail."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.building import SMALL, environment, synthgen_process, write_recipe
from tests.dataset.s3_store import BUCKET, Store, running_store

pytestmark = pytest.mark.s3

SHARD = "/data/train-00001-of-00005.parquet"


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[Store]:
    if "s3" not in request.config.getoption("markexpr"):
        pytest.skip("asked for with -m s3")
    pytest.importorskip("s3fs")
    pytest.importorskip("moto")
    with running_store() as store:
        yield store


@pytest.fixture
def store(
    server: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Store]:
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "scratch").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    yield server
    server.fault = lambda method, path, before: ""
    assert not [*(tmp_path / "scratch").iterdir()]


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_recipe(tmp_path_factory.mktemp("recipe"), SMALL)


@pytest.fixture(scope="module")
def whole(recipe: Path) -> dict[str, bytes]:
    """The files of a build that nothing interrupted, in a folder."""
    folder = recipe.with_name("local")
    assert synthgen_process("build", str(recipe), "--out", str(folder)).returncode == 0
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def command(recipe: Path, name: str, *more: str) -> list[str]:
    return ["build", str(recipe), "--out", f"s3://{BUCKET}/{name}", "--workers", "2", *more]


def ended(*arguments: str) -> str:
    done = synthgen_process(*arguments, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def killed(store: Store, arguments: list[str], path: str, *, carried_out: bool) -> None:
    """Start a command, and kill its processes when it writes an object, or has written it."""
    build = subprocess.Popen(
        [sys.executable, "-m", "synthgen", *arguments],
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )

    def kill(method: str, asked: str, before: int) -> str:
        wanted = "HEAD" if carried_out else "PUT"  # its size is asked for afterwards
        if method == wanted and path in asked:
            os.killpg(build.pid, signal.SIGKILL)
            return "cut"
        return ""

    store.fault = kill
    assert build.wait(timeout=120) == -signal.SIGKILL
    store.fault = lambda method, path, before: ""


@pytest.mark.parametrize("carried_out", [False, True])
@pytest.mark.parametrize("place", ["/.synthgen/lock", "/selection/test.", SHARD, "/manifest.json"])
def test_a_build_that_is_killed_is_resumed(
    store: Store, recipe: Path, whole: dict[str, bytes], place: str, *, carried_out: bool
) -> None:
    name = f"killed{carried_out}-{place.replace('/', '')}"
    killed(store, command(recipe, name), f"/{BUCKET}/{name}{place}", carried_out=carried_out)
    assert ("manifest.json" in store.contents(name)) == (carried_out and "manifest" in place)
    store.asked.clear()
    told = json.loads(ended(*command(recipe, name, "--json")))
    assert store.contents(name) == whole
    assert told["folder"] == f"s3://{BUCKET}/{name}"
    made = {path for method, path in store.asked if method == "PUT" and "parquet" in path}
    assert len(made) < 16 or place != SHARD
