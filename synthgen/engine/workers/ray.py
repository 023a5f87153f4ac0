"""Ray engine: the tasks of the local engine, run by the nodes of a Ray cluster.

Only the place of the work differs: tasks and their common objects are packed as for local workers,
and results are taken in the order of the items, so a build has the same bytes. Ray runs the tasks
of lost workers and nodes again. A task may therefore run twice, even at the same time, which is
harmless: tasks are pure, and every file that they write has a name of its own until it is finished.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from functools import partial
from itertools import islice
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Any, TypeVar

import ray
from ray.exceptions import RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

import synthgen
from synthgen.core.errors import EngineError, OutputError
from synthgen.core.memory import few_collections
from synthgen.dataset.staging import write_durably
from synthgen.engine.workers.local import LocalEngine, NotYet
from synthgen.engine.workers.worker import PROTOCOL, Failure, attempt, keep, pack

A = TypeVar("A")
B = TypeVar("B")

_RETRIES = 5
"""Workers or nodes that one task may lose; one that needs too much memory loses each."""
_AHEAD = 4
"""Tasks for each processor of the cluster that are begun, waiting or finished and not yet taken."""
_FIRST_TIMEOUT = 300.0
"""Seconds, doubled with every attempt, after which a task is also run elsewhere."""
_ENDING = 20.0
"""Seconds to wait at the end for tasks whose results are not wanted, before they are killed."""

_kept_for = ""
"""Id of the common objects that this process keeps."""


def _run(version: str, shared: list[Any], message: bytes) -> bytes:
    """Run one task on a node, and return its packed result or failure.

    Args:
        version: Version of synthgen where the build runs.
        shared: Reference to the packed common objects of the task.
        message: Packed task and item.
    """
    global _kept_for
    answer: object
    if version != synthgen.__version__:
        msg = f"the build runs synthgen {version}, but a node of the cluster has "
        answer = Failure("EngineError", f"{msg}{synthgen.__version__}")
    else:
        if _kept_for != shared[0].hex():
            keep(ray.get(shared[0]))
            _kept_for = shared[0].hex()
        with few_collections():
            answer = attempt(message)
    return bytes(ForkingPickler.dumps(answer, PROTOCOL))


def _sees(path: Path, text: str) -> bool:
    """Return whether this node reads a file with this text."""
    try:
        return path.read_text(encoding="utf-8") == text
    except OSError:
        return False


class _Job:
    """A task in the cluster, and the attempts to run it, of which the first to end counts."""

    def __init__(self, submit: Callable[[], Any]) -> None:
        self._submit, self._began = submit, monotonic()
        self.attempts = [submit()]

    def answer(self) -> Any:
        """Wait for the result or failure; begin another attempt at each timeout.

        Raises:
            EngineError: if the cluster cannot run the task.
        """
        while True:
            until = self._began + _FIRST_TIMEOUT * 2 ** len(self.attempts)
            ended, _ = ray.wait(self.attempts, timeout=max(0.0, until - monotonic()))
            if ended:
                break
            self.attempts.append(self._submit())
        try:
            return ForkingPickler.loads(ray.get(ended[0]))
        except RayError as error:
            msg = f"a task failed in the Ray cluster; run the same command to resume\n{error}"
            raise EngineError(msg) from None

    def runs(self) -> bool:
        """Return whether any attempt may still run."""
        return bool(ray.wait(self.attempts, num_returns=len(self.attempts), timeout=0)[1])

    def kill(self) -> None:
        """Kill the attempts that still run.

        Use this only for tasks that hang. Ray aborts the whole build if a task ends in the moment
        in which it is canceled (a failed check of `submissible_tasks_`, up to Ray 2.60).
        """
        for each in self.attempts:
            ray.cancel(each, force=True)


class RayEngine(LocalEngine):
    """Runs tasks on the nodes of a Ray cluster, which must have the same version of synthgen.

    Args:
        address: Address of the cluster for `ray.init`. By default it is the cluster of this
            machine; without one, Ray starts here. A cluster that this process is connected to is
            used instead.
        workers: Tasks in the cluster at a time; by default four for each of its processors.

    Raises:
        EngineError: if there is no cluster at the address.
    """

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        super().__init__(1)
        self._wanted, self._jobs = workers, set[_Job]()
        self._connected = not ray.is_initialized()
        if self._connected:
            try:
                ray.init(address, log_to_driver=False, logging_level="ERROR")
            except (ConnectionError, RuntimeError, ValueError) as error:
                msg = f"no Ray cluster at {address!r}: {error}"
                raise EngineError(msg) from None
        self._run = ray.remote(max_retries=_RETRIES)(_run)

    def close(self) -> None:
        """End what still runs, and disconnect."""
        left = [one for job in self._jobs for one in job.attempts]
        if left:
            ray.wait(left, num_returns=len(left), timeout=_ENDING)
        for job in self._jobs:
            if not self._connected and job.runs():
                job.kill()
        self._jobs.clear()
        if self._connected:
            ray.shutdown()  # which kills what still runs

    def check_shared(self, folder: Path) -> None:
        """Check that every node runs synthgen and sees a folder that all of them write to.

        Raises:
            EngineError, OutputError: for the first node that does not.
        """
        path, text = folder / "nodes.tmp", token_hex()
        write_durably(path, text)
        nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
        answers = []
        for node in nodes:
            on_node = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            sees = ray.remote(num_cpus=0, scheduling_strategy=on_node)(_sees)
            answers.append(sees.remote(path, text))
        for node, answer in zip(nodes, answers, strict=True):
            name = node["NodeManagerHostname"]
            try:
                if ray.get(answer):
                    continue
            except RayTaskError as error:
                reason = str(error).strip().rpartition("\n")[2]
                msg = f"Ray node {name} cannot run synthgen {synthgen.__version__}: {reason}"
                raise EngineError(msg) from None
            except RayError:  # it is gone by now
                continue
            msg = f"Ray node {name} does not see {folder}: the output folder (of a URL, TMPDIR) "
            msg += "must be on a file system that all nodes share; name another one with --out"
            raise OutputError(msg)

    def map(
        self, task: Callable[[A], B], items: Iterable[A | NotYet], common: Sequence[object] = ()
    ) -> Generator[B, None, None]:
        """Yield task(item) for each item in order, as `LocalEngine.map` does."""
        self._jobs = {job for job in self._jobs if job.runs()}
        most = self._wanted or _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        shared = [ray.put(pack(common))]
        coming, due = iter(items), deque[_Job]()

        def supply() -> None:
            for item in islice(coming, most - len(due)):
                if isinstance(item, NotYet):
                    break
                message = pack((task, item), common)
                job = _Job(partial(self._run.remote, synthgen.__version__, shared, message))
                self._jobs.add(job)
                due.append(job)

        supply()
        return self._results(due, supply)

    def _results(self, due: deque[_Job], supply: Callable[[], None]) -> Generator[Any, None, None]:
        """Yield the results of jobs in order, and supply others."""
        while due:
            answer = due[0].answer()
            job = due.popleft()
            if len(job.attempts) > 1:
                job.kill()
            self._jobs.discard(job)
            if isinstance(answer, Failure):
                raise answer.error()
            yield answer
            supply()
