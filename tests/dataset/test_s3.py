"""Datasets in an S3-compatible store: builds that are killed, and requests that fail."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from threading import Barrier, BrokenBarrierError

import fsspec
import pytest

from benchmarks.faults import store as campaign
from benchmarks.faults.server import BUCKET, CLIENT, Store, no_fault, running_store
from synthgen.api import open as open_place
from synthgen.training.stream import Stream
from tests.building import SMALL, environment, succeeded, synthgen, write_recipe

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
def store(server: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setitem(fsspec.config.conf, "s3", json.loads(CLIENT))
    (tmp_path / "scratch").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    server.asked.clear()
    yield server
    server.fault = no_fault
    assert not [*(tmp_path / "scratch").iterdir()]


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_recipe(tmp_path_factory.mktemp("recipe"), SMALL)


@pytest.fixture(scope="module")
def whole(recipe: Path) -> dict[str, bytes]:
    """The files of a build that nothing interrupted, in a folder."""
    folder = recipe.with_name("local")
    succeeded("build", str(recipe), "--out", str(folder))
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def command(recipe: Path, name: str, *more: str) -> list[str]:
    return ["build", str(recipe), "--out", f"s3://{BUCKET}/{name}", "--workers", "1", *more]


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
    store.fault = no_fault


PLACES = [
    ("/.synthgen/lock", False),
    ("/selection/test.members", True),
    (SHARD, False),
    (SHARD, True),
    ("/manifest.json", True),
]


@pytest.mark.parametrize(("place", "carried_out"), PLACES)
def test_a_build_that_is_killed_is_resumed(
    store: Store, recipe: Path, whole: dict[str, bytes], place: str, *, carried_out: bool
) -> None:
    name = f"killed{carried_out}-{Path(place).stem}"
    killed(store, command(recipe, name), f"/{BUCKET}/{name}{place}", carried_out=carried_out)
    assert ("manifest.json" in store.contents(name)) == ("manifest" in place)
    store.asked.clear()
    told = json.loads(succeeded(*command(recipe, name, "--json")).stdout)
    assert told["folder"] == f"s3://{BUCKET}/{name}"
    assert store.contents(name) == whole
    if "manifest" in place:
        assert not any(method == "PUT" and "/data/" in path for method, path in store.asked)


FAULTS = ("503", "500", "429", "cut", "lost", "503", "slow")


def test_failures_that_pass_change_nothing(
    store: Store, recipe: Path, whole: dict[str, bytes]
) -> None:
    done: set[str] = set()

    def fault(method: str, path: str, before: int) -> str:
        if before or len(store.asked) % 6:
            return ""
        chosen = FAULTS[len(store.asked) // 6 % len(FAULTS)]
        done.add(chosen)
        return chosen

    store.fault = fault
    succeeded(*command(recipe, "passing"))
    store.fault = no_fault
    assert store.contents("passing") == whole
    assert done == {*FAULTS}


def test_replies_that_are_cut_short_are_read_again(
    store: Store, recipe: Path, whole: dict[str, bytes]
) -> None:
    succeeded(*command(recipe, "short"))
    cut: list[str] = []

    def fault(method: str, path: str, before: int) -> str:
        if method == "GET" and "/data/" in path and path not in cut:
            cut.append(path)
            return "short"
        return ""

    store.fault = fault
    succeeded("verify", f"s3://{BUCKET}/short")
    assert len(cut) == sum(name.startswith("data/") for name in whole)


@pytest.mark.parametrize("failure", ["503", "cut", "slow"])
def test_what_fails_for_good_is_named_and_resumed(
    store: Store, recipe: Path, whole: dict[str, bytes], failure: str
) -> None:
    name = f"given-up-{failure}"
    path = f"/{BUCKET}/{name}{SHARD}"
    store.fault = lambda method, asked, before: failure if asked == path else ""
    refused = synthgen(*command(recipe, name))
    assert refused.returncode == 2
    said = " ".join(refused.stderr.split())
    assert f"error: s3:/{path}: cannot be written: " in said
    assert said.endswith("; run the same command to resume")
    assert "Traceback" not in refused.stderr
    assert "manifest.json" not in store.contents(name)
    store.fault = lambda method, asked, before: ""
    assert "finished shards" in succeeded(*command(recipe, name)).stdout
    assert store.contents(name) == whole


def test_what_cannot_be_read_is_named(store: Store, recipe: Path) -> None:
    succeeded(*command(recipe, "unread"))
    path = f"/{BUCKET}/unread{SHARD}"
    store.fault = lambda method, asked, before: "503" if asked == path else ""
    refused = synthgen("audit", f"s3://{BUCKET}/unread")
    assert refused.returncode == 2
    assert f"error: s3:/{path}: cannot be read: Please wait." in refused.stderr


def test_a_dataset_in_a_store_is_checked_streamed_and_exported(
    store: Store, recipe: Path, whole: dict[str, bytes], tmp_path: Path
) -> None:
    url = f"s3://{BUCKET}/read"
    succeeded(*command(recipe, "read"))
    assert f"report: {url}/audit/report.html" in succeeded("audit", url).stdout
    assert json.loads(store.contents("read")["audit/report.json"])["ok"]
    assert "4,200 rows checked" in succeeded("verify", url).stdout
    succeeded("export", url, "--format", "verl", "--out", str(tmp_path / "verl"))
    succeeded(
        "export", str(recipe.with_name("local")), "--format", "verl", "--out", str(tmp_path / "l")
    )
    for split in ("train", "test_i"):
        one, other = (tmp_path / out / f"{split}.parquet" for out in ("verl", "l"))
        assert one.read_bytes() == other.read_bytes()
    here, there = (batches_of(place) for place in (recipe.with_name("local"), url))
    assert [*islice(here, 3)] == [*islice(there, 3)]
    resumed = batches_of(url)
    resumed.load_state_dict(there.state_dict())
    assert [*islice(here, 3)] == [*islice(resumed, 3)]
    assert "already built" in succeeded(*command(recipe, "read")).stdout
    changed = bytearray(whole[SHARD[1:]])
    changed[200] ^= 1
    store.request("PUT", f"/{BUCKET}/read{SHARD}", bytes(changed))
    for checked in ("audit", "verify"):
        told = synthgen(checked, url)
        assert told.returncode == 1
        assert SHARD[1:] in told.stdout


def batches_of(place: str | Path) -> Stream:
    return Stream(open_place(place)["train"], batch=64, form="dicts", seed=1)


def test_of_two_builds_that_begin_at_once_one_is_refused(
    store: Store, recipe: Path, whole: dict[str, bytes], tmp_path: Path
) -> None:
    lock = f"/{BUCKET}/twice/.synthgen/lock"
    both = Barrier(2)

    def fault(method: str, path: str, before: int) -> str:
        if (method, path) == ("PUT", lock) and before < 2:
            with suppress(BrokenBarrierError):
                both.wait(60)  # neither has found a lock
        return ""

    store.fault = fault
    builds = []
    for name in ("one", "other"):  # as on two machines
        (tmp_path / name).mkdir()
        builds.append(
            subprocess.Popen(
                [sys.executable, "-m", "synthgen", *command(recipe, "twice")],
                env={**environment(), "TMPDIR": str(tmp_path / name)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
    told = [build.communicate(timeout=120)[1] for build in builds]
    assert sorted(build.returncode for build in builds) == [0, 2]
    assert sum("s3://bucket/twice is being built by another process" in each for each in told) == 1
    assert store.contents("twice") == whole


def test_a_small_campaign_finds_nothing_wrong(server: Store, tmp_path: Path) -> None:
    tally = campaign.store("small", 1, tmp_path)
    assert tally.examples == []
    assert not tally.wrong.total()
    assert tally.did["builds"] == 2
    assert tally.did["verify while requests fail"] == 1
    assert tally.did["in the store: deleted files"] == 1
