"""Remove nodes of a Ray cluster, kill its workers and the builds that use it, and resume them."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import synthgen
from benchmarks.faults.builds import await_end, await_moment, end, start
from benchmarks.faults.common import (
    Tally,
    build_command,
    digests,
    environment,
    expect_same,
    skipped_without,
)
from benchmarks.processes import descendants

_SIZES: dict[str, tuple[list[tuple[str, int]], int, int]] = {
    "small": ([("hint", 2_000)], 3, 3),
    "full": ([("hint", 10_000), ("omega", 200), ("rewrite", 2_000)], 40, 5),
}
"""Recipes with rows, fewest kills in all, and most kills of each build; a task may lose five
workers, so a build must survive that."""
_MAX_SECONDS = 460
"""After which no more builds begin."""
_HOW = ("a node", "a worker", "the build")
_PHASES = {"select": ".synthgen", "write": ".synthgen/selection.json"}
"""Phases of a build, and what is there once they have begun."""
_NODE = {"num_cpus": 1, "object_store_memory": 80 << 20}
_SETTINGS = {"RAY_USAGE_STATS_ENABLED": "0", "PYTHONWARNINGS": "ignore"}
_OF_RAY, _BUSY, _IDLE = b"ray::", b"ray::_", b"ray::IDLE"
"""What the titles of Ray's processes begin with: of all, and of workers with and without a task."""
_MAX_OTHERS = 2
_PATIENCE = 120.0
_LEFT_SECONDS = 20.0
_REAP_ORPHANS = 36
"""`PR_SET_CHILD_SUBREAPER` of prctl."""


class _Cluster:
    """A Ray cluster of two or three nodes on this machine, of which all but the first may die."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        self._cluster = Cluster(True, head_node_args={**_NODE, "include_dashboard": False})
        self._others: list[Any] = []

    @property
    def address(self) -> str:
        """Where builds find it."""
        return str(self._cluster.address)

    def fill(self, chance: Random) -> None:
        """Start nodes, so that there are two or three."""
        while len(self._others) < chance.randint(1, _MAX_OTHERS):
            self._others.append(self._cluster.add_node(**_NODE))

    def lose_node(self, build: int, chance: Random) -> bool:
        """Kill a node; return whether it is the one by which a build is connected."""
        node = self._others.pop(chance.randrange(len(self._others)))
        logs = Path(self._cluster.head_node.get_logs_dir_path())
        said = "".join(
            log.read_text("utf-8") for log in logs.glob(f"python-core-driver-*_{build}.log")
        )
        self._cluster.remove_node(node, allow_graceful=False)
        return f"node_id={node.node_id}" in said

    def settle(self) -> None:
        """Wait until the cluster has noticed which nodes are gone; a busy machine loses others."""
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            table = self._cluster.global_state.node_table()
            living = {node["NodeID"] for node in table if node["Alive"]}
            if living <= {node.node_id for node in self._cluster.list_all_nodes()}:
                return
            time.sleep(0.1)

    def workers(self, *, busy: bool = False) -> list[int]:
        """Return the processes that run tasks, or wait for them; a node ends with its others."""
        return _titled(_BUSY) if busy else _titled(_BUSY, _IDLE)

    def left(self) -> list[int]:
        """Wait until no worker runs a task or has lost its node; return those that do not end."""
        until = time.monotonic() + _LEFT_SECONDS
        while (found := self._running()) and time.monotonic() < until:
            time.sleep(0.1)
        return found

    def _running(self) -> list[int]:
        """Return the workers that run a task, and those whose node is gone."""
        lost = [pid for pid in self.workers() if _parent(pid) == os.getpid()]
        return sorted({*lost, *self.workers(busy=True)})

    def end(self) -> list[int]:
        """End all nodes; return the processes of the cluster that live on."""
        self._cluster.shutdown()
        until = time.monotonic() + _LEFT_SECONDS
        while (found := _titled(_OF_RAY)) and time.monotonic() < until:
            time.sleep(0.1)
        return found


@dataclass(frozen=True)
class _Case:
    """A build in the cluster that loses nodes and workers, and is killed.

    Attributes:
        place: folder of its outputs.
        arguments: of the command.
        seconds: that it usually takes for each phase, in the cluster.
        wanted: files of the same build without a cluster.
    """

    place: Path
    arguments: tuple[str, ...]
    seconds: dict[str, float]
    wanted: dict[str, str]


def ray(size: str, seed: int, folder: Path) -> Tally:
    """Run the campaign in an empty folder; it needs Ray."""
    chance, tally = Random(seed), Tally()  # noqa: S311  # moments, not secrets
    tally.skipped = skipped_without(ray="ray")
    if tally.skipped:
        return tally
    recipes, fewest, most = _SIZES[size]
    with mock.patch.dict(os.environ, environment() | _SETTINGS), _own_orphans():
        cluster = _Cluster()
        try:
            cluster.fill(chance)
            cases = [_prepared(folder, cluster, *each) for each in recipes]
            until = time.monotonic() + _MAX_SECONDS
            while tally.did["kills"] < fewest and time.monotonic() < until:
                case = cases[tally.did["builds"] % len(cases)]
                _kill_and_resume(case, cluster, chance.randint(1, most), chance, tally)
        finally:
            left = cluster.end()
        tally.expect(not left, "processes left by the cluster", left)
    return tally


def _prepared(folder: Path, cluster: _Cluster, recipe: str, rows: int) -> _Case:
    """Build without a cluster, and in it without a kill."""
    shards = f"output.rows_per_shard={rows // 20}"
    arguments = (recipe, "--rows", str(rows), "--set", shards)
    place = folder / recipe
    synthgen.build(recipe, place / "local", rows=rows, sets=(shards,))
    out, tally = place / "ray", Tally()
    build, moments = _start(arguments, out, cluster), []
    for mark in _PHASES.values():
        await_moment(build, (out / mark).exists)
        moments.append(time.monotonic())
    code, said = end(build, tally)
    if code:
        raise RuntimeError(said)
    ends = [*moments[1:], time.monotonic()]
    seconds = [after - before for before, after in zip(moments, ends, strict=True)]
    wanted = digests(place / "local")
    return _Case(place, arguments, dict(zip(_PHASES, seconds, strict=True)), wanted)


def _start(
    arguments: tuple[str, ...], out: Path, cluster: _Cluster | None
) -> subprocess.Popen[bytes]:
    """Start a build, in a cluster or without one."""
    command = build_command(*arguments, "--out", str(out))
    if cluster:
        cluster.settle()
        command = [*command[:-2], "--engine", "ray", "--address", cluster.address]
    return start(command)


def _kill_and_resume(
    case: _Case, cluster: _Cluster, kills: int, chance: Random, tally: Tally
) -> None:
    """Build, and kill some times what it needs, or itself, all kinds in turn."""
    out = case.place / str(tally.did["builds"])
    tally.did["builds"] += 1
    build = _start(case.arguments, out, cluster)
    sessions = [build.pid]
    for _ in range(kills):
        cluster.fill(chance)
        phase = chance.choice([*_PHASES])
        await_moment(build, (out / _PHASES[phase]).exists)
        time.sleep(chance.uniform(0, case.seconds[phase]))
        if build.poll() is not None:
            break
        during = "write" if (out / _PHASES["write"]).exists() else "select"
        how = _HOW[tally.did["kills"] % len(_HOW)]
        tally.did["kills"] += 1
        tally.did[f"of {how} ({during})"] += 1
        if how == "a node":
            if cluster.lose_node(build.pid, chance):  # it ends, as if its machine were lost
                tally.did["builds that lost their own node"] += 1
                build = _resume(case, out, build, cluster, chance, tally)
                sessions.append(build.pid)
        elif how == "a worker":
            _kill_one(cluster.workers(busy=True) or cluster.workers(), chance)
        else:
            os.killpg(build.pid, signal.SIGKILL)
            build = _resume(case, out, build, cluster, chance, tally)
            sessions.append(build.pid)
    code, said = end(build, tally)
    tally.expect(code == 0, "builds that do not survive", f"{out}: exit code {code}: {said}")
    expect_same(tally, digests(out), case.wanted, out)
    left = [*await_end(sessions), *cluster.left()]
    tally.expect(not left, "builds with processes left", f"{out}: {_titles(left)}")
    shutil.rmtree(out, ignore_errors=True)


def _resume(
    case: _Case,
    out: Path,
    build: subprocess.Popen[bytes],
    cluster: _Cluster,
    chance: Random,
    tally: Tally,
) -> subprocess.Popen[bytes]:
    """Resume a build that ends, also while its tasks may still run, with or without the cluster."""
    end(build, tally)
    if chance.random() < 1 / 2:
        cluster.left()
    is_local = chance.random() < 1 / 3
    tally.did["builds resumed without the cluster"] += is_local
    return _start(case.arguments, out, None if is_local else cluster)


def _kill_one(workers: list[int], chance: Random) -> None:
    with suppress(ProcessLookupError, IndexError):  # it has just ended, or none has begun
        os.kill(chance.choice(workers), signal.SIGKILL)


@contextmanager
def _own_orphans() -> Iterator[None]:
    """Become the parent of all descendants whose parents end, so that they can be found."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl(_REAP_ORPHANS, 1, 0, 0, 0)
    try:
        yield
    finally:
        prctl(_REAP_ORPHANS, 0, 0, 0, 0)


def _titled(*titles: bytes) -> list[int]:
    """Return the descendants whose command lines begin with one of some titles."""
    return [pid for pid in descendants(os.getpid()) if _read(pid, "cmdline").startswith(titles)]


def _read(pid: int, name: str) -> bytes:
    """Return what /proc says about a process; nothing if it has ended."""
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def _parent(pid: int) -> int:
    """Return the parent of a process, 0 if it has ended."""
    return int((_read(pid, "stat").rpartition(b")")[2].split() or [b"", b"0"])[1])


def _titles(pids: list[int]) -> list[str]:
    return [f"{pid} {_read(pid, 'cmdline').replace(bytes(1), b' ').decode()}" for pid in pids]
