"""Builds in a Ray cluster of two nodes on this machine; `-m ray` runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import synthgen
from benchmarks.processes import ROOT
from synthgen.core.errors import DatasetError, EngineError, OutputError
from synthgen.engine.progress import Display, Phases
from tests.building import (
    folder_digests,
    recipe_of,
    source_of,
    split_of,
    synthgen_process,
    write_recipe,
)
from tests.engine.workers.test_local import (
    die,
    expect_common_objects_kept,
    fail_at_five,
    slow_square,
    square,
)

pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("ignore")]

MIXED = recipe_of(
    source_of("hint", "max_operators = 6, max_value = 100"),
    source_of("scan"),
    split_of(
        "train",
        2000,
        "n_op <= 4 OR n_phrases = 2",
        'balance = ["source"]\ncover = [{ structures = "edges", times = 2 }]',
    ),
    split_of("test", 300, "n_op > 4", 'cap = { axis = "length", share = 0.2 }'),
    "[output]\nrows_per_shard = 100\nrow_group = 100\n",
)
OMEGA = recipe_of(
    source_of("arithmetic_gcd", "levels = [1, 2, 3]"),  # slow to draw, so its rows are kept
    source_of("algebra_linear_equation"),
    split_of("train", 60, "level < 3"),
    split_of("test", 20, "level = 3"),
    "[output]\nrows_per_shard = 10\n",
)
DIVERGENT = recipe_of(
    source_of("hint", "max_operators = 6, max_value = 100"),
    split_of("train", 800),
    split_of("test", 100),
    '[divergence]\ntrain = ["train"]\ntest = ["test"]\n',
)


@pytest.fixture(scope="module")
def ray(request: pytest.FixtureRequest) -> Any:
    if "ray" not in request.config.getoption("markexpr"):
        pytest.skip("asked for with -m ray")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    return pytest.importorskip("ray")


_SMALL = {"num_cpus": 1, "object_store_memory": 80 << 20}


@pytest.fixture(scope="module")
def cluster(ray: Any) -> Iterator[Any]:
    """A cluster of two nodes with a processor each, to which this process is connected."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(True, head_node_args={**_SMALL, "include_dashboard": False})
    cluster.add_node(**_SMALL)
    ray.init(cluster.address, log_to_driver=False, logging_level="ERROR")
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture(scope="module")
def engine(cluster: Any) -> Iterator[Any]:
    from synthgen.engine.workers.ray import RayEngine

    with RayEngine() as engine:
        yield engine


def digests_of_local(recipe: str | Path, folder: Path, rows: int | None) -> dict[str, str]:
    return folder_digests(synthgen.build(recipe, folder / "local", rows=rows, workers=1).folder)


@pytest.mark.parametrize(
    ("recipe", "rows"),
    [("hint", 3000), ("scan", None), (OMEGA, None), (MIXED, None), (DIVERGENT, None)],
    ids=["hint", "scan", "omega", "mixed", "divergent"],
)
def test_a_cluster_gives_the_bytes_of_one_machine(
    recipe: str, rows: int | None, tmp_path: Path, cluster: Any
) -> None:
    path = recipe if recipe in ("hint", "scan") else write_recipe(tmp_path, recipe)
    built = synthgen.build(path, tmp_path / "ray", rows=rows, engine="ray")
    assert folder_digests(built.folder) == digests_of_local(path, tmp_path, rows)


class Killing(Display):
    """Kills a node once a phase has made progress."""

    def __init__(self, phase: str, kill: Callable[[], None]) -> None:
        self.phase, self.kill, self.kills, self.now = phase, kill, 0, ""

    def start(self, phase: str, total: int) -> None:
        self.now = phase

    def update(self, done: int, doing: Callable[[], str] | None = None) -> None:
        if self.now == self.phase and done and not self.kills:
            self.kills += 1
            self.kill()


@pytest.mark.parametrize("phase", ["select", "write"])
def test_a_build_survives_the_death_of_a_node(phase: str, tmp_path: Path, cluster: Any) -> None:
    recipe = write_recipe(tmp_path, MIXED)
    third = cluster.add_node(num_cpus=4, object_store_memory=80 << 20)  # gets most of the tasks
    killing = Killing(phase, lambda: cluster.remove_node(third, allow_graceful=False))
    built = synthgen.build(recipe, tmp_path / "ray", engine="ray", phases=Phases(killing))
    assert killing.kills == 1
    assert folder_digests(built.folder) == digests_of_local(recipe, tmp_path, None)


def test_the_command_line_connects_to_a_cluster(tmp_path: Path, cluster: Any) -> None:
    recipe = write_recipe(tmp_path, MIXED)
    options = ("--out", "ray", "--engine", "ray", "--address", cluster.address, "--json")
    ended = synthgen_process("build", str(recipe), *options, cwd=tmp_path)
    assert json.loads(ended.stdout)["manifest"]["totals"]["rows"] == 2300
    assert folder_digests(tmp_path / "ray") == digests_of_local(recipe, tmp_path, None)


def test_results_come_in_order_and_every_worker_keeps_common_objects(engine: Any) -> None:
    assert list(engine.map(slow_square, range(20))) == [n * n for n in range(20)]
    for _ in range(2):
        expect_common_objects_kept(engine)


def test_items_are_taken_only_a_little_ahead(cluster: Any) -> None:
    from synthgen.engine.workers.ray import RayEngine

    taken = []

    def items() -> Iterator[int]:
        for n in range(1000):
            taken.append(n)
            yield n

    with RayEngine(workers=5) as engine:
        results = engine.map(square, items())
        assert [next(results), next(results)] == [0, 1]
        assert len(taken) == 6


def test_our_errors_keep_their_kind_and_disturb_no_other_map(engine: Any) -> None:
    with pytest.raises(DatasetError, match=r"^five$"):
        list(engine.map(fail_at_five, range(100)))
    for result in engine.map(slow_square, range(100)):
        if result == 9:
            break
    assert list(engine.map(square, range(10))) == [n * n for n in range(10)]


def test_a_task_that_always_kills_its_worker_ends_the_build(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from synthgen.engine.workers import ray as module

    monkeypatch.setattr(module, "_RETRIES", 1)
    with (
        module.RayEngine() as engine,
        pytest.raises(EngineError, match="a task failed in the Ray cluster; run the same command"),
    ):
        list(engine.map(die, range(10)))


def hang_at_first(path: Path) -> str:
    """Return soon only if this task has begun before."""
    if path.exists():
        return "done"
    path.touch()
    time.sleep(900)
    return "late"


def test_a_task_that_hangs_is_run_elsewhere(
    tmp_path: Path, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from synthgen.engine.workers import ray as module

    monkeypatch.setattr(module, "_FIRST_TIMEOUT", 0.5)
    began = time.monotonic()
    with module.RayEngine() as engine:
        assert list(engine.map(hang_at_first, [tmp_path / "begun"])) == ["done"]
    assert time.monotonic() - began < 300


def test_a_folder_that_a_node_does_not_see_is_refused(tmp_path: Path, engine: Any) -> None:
    engine.check_shared(tmp_path)
    descriptor = os.open(tmp_path, os.O_RDONLY)
    try:
        with pytest.raises(OutputError, match=r"Ray node \S+ does not see .*; name another one"):
            engine.check_shared(Path(f"/proc/self/fd/{descriptor}"))  # another one in each process
    finally:
        os.close(descriptor)


def test_a_node_with_another_version_is_refused(
    cluster: Any, engine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(synthgen, "__version__", "0.0.0")
    with pytest.raises(EngineError, match=r"the build runs synthgen 0\.0\.0, but a node"):
        list(engine.map(square, [1]))


def test_a_small_campaign_finds_nothing_wrong(ray: Any) -> None:
    command = [sys.executable, "-m", "benchmarks.faults", "ray"]  # apart from the other cluster
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    for kind in ("a node", "a worker", "the build"):
        assert f"  of {kind} (" in ended.stdout


def test_without_a_cluster_the_build_says_so(
    tmp_path: Path, ray: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(EngineError, match="no Ray cluster at 'nowhere'"):
        synthgen.build("scan", tmp_path / "out", engine="ray", address="nowhere")
    assert not (tmp_path / "out").exists()


def test_without_an_address_ray_looks_for_a_cluster_or_starts(
    ray: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from synthgen.engine.workers.ray import RayEngine

    addresses = []
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", lambda address, **_: addresses.append(address))
    RayEngine()
    assert addresses == [None]
