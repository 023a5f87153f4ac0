"""Local engine: worker processes that run pure tasks and give results in the order of the tasks.

Workers are forked while the process still has a single thread, which costs nothing, and started as
fresh interpreters otherwise, because a fork of a threaded process can hang. Either way they talk
over one socket each and end by themselves when the other side is gone, however it went.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from socket import SO_SNDBUF, SOL_SOCKET, socket, socketpair
from typing import TypeVar

from synthgen.core.garbage import few_collections
from synthgen.engine.dispatch import Dispatch, Later
from synthgen.engine.worker import prepare, serve

A = TypeVar("A")
B = TypeVar("B")

_LAUNCHED = """
import sys
from synthgen.engine.worker import serve_descriptor
serve_descriptor(int(sys.argv[1]), sys.argv[2:])
"""
_ANSWER = 1 << 22
"""Bytes of the largest answers, about: a worker need not wait until they are read."""


def usable_cores() -> int:
    """Return how many processors this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class LocalEngine:
    """Runs tasks in `workers` processes, or in this one if it is a single worker.

    A task is a module-level function of one picklable argument; its result does not depend on
    where it runs.

    Args:
        workers: number of processes.
        generators: names of generators that the workers get ready for while they start.
    """

    def __init__(self, workers: int, generators: Sequence[str] = ()) -> None:
        self.workers = workers
        self._connections: list[Connection] = []
        self._processes: list[subprocess.Popen[bytes] | int] = []
        self._tickets = count()
        if workers > 1:
            start = _fork if has_one_thread() else _launch
            self._connections, self._processes = start(workers, generators)

    def __enter__(self) -> LocalEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the workers, which see their connections close; tasks that still run are dropped."""
        for connection in self._connections:
            connection.close()
        for process in self._processes:
            if isinstance(process, int):
                os.waitpid(process, 0)
            else:
                process.wait()
        self._connections, self._processes = [], []

    def map(
        self, task: Callable[[A], B], items: Iterable[A | Later], common: Sequence[object] = ()
    ) -> Generator[B, None, None]:
        """Yield task(item) for each item in order; workers begin before the first is asked for.

        An iterator that gives `LATER` is asked again when the next result has been looked at.

        Args:
            task: what is done with each item.
            items: of which it is done, taken as workers get free.
            common: objects that many items hold, so that each worker gets and keeps one of each.

        Raises:
            SynthgenError: of the first task, in order, that raised one.
            EngineError: if a worker died or a task failed in a way that was not foreseen.
        """
        if not self._connections:
            return _map_here(task, items)
        return Dispatch(self._connections, self._tickets, task, items, common).results()


def _map_here(task: Callable[[A], B], items: Iterable[A | Later]) -> Generator[B, None, None]:
    with few_collections():
        yield from (task(item) for item in items if not isinstance(item, Later))


def has_one_thread() -> bool:
    """Say whether this process can be forked without risk."""
    tasks = Path("/proc/self/task")
    return tasks.is_dir() and len(list(tasks.iterdir())) == 1


def _fork(
    workers: int, generators: Sequence[str]
) -> tuple[list[Connection], list[subprocess.Popen[bytes] | int]]:
    """Fork one worker, which gets ready and then forks the others, ready as they are.

    Meanwhile this process imports what it needs itself.
    """
    pairs = [_channel() for _ in range(workers)]
    pid = os.fork()
    if pid == 0:
        try:
            for ours, _ in pairs:
                ours.close()
            _serve_as_many([theirs for _, theirs in pairs], generators)
        finally:
            os._exit(1)
    for _, theirs in pairs:
        theirs.close()
    return [Connection(ours.detach()) for ours, _ in pairs], [pid]


def _serve_as_many(sockets: list[socket], generators: Sequence[str]) -> None:
    """Serve the first socket, and fork a process for each other one."""
    prepare(generators)
    mine = sockets[0]
    for other in sockets[1:]:
        if os.fork() == 0:
            mine = other
            break
    for another in sockets:
        if another is not mine:
            another.close()
    serve(Connection(mine.detach()))


def _launch(
    workers: int, generators: Sequence[str]
) -> tuple[list[Connection], list[subprocess.Popen[bytes] | int]]:
    """Start every worker as an interpreter of its own."""
    connections: list[Connection] = []
    processes: list[subprocess.Popen[bytes] | int] = []
    for _ in range(workers):
        ours, theirs = _channel()
        with theirs:
            process = subprocess.Popen(  # noqa: S603  # our own module, no shell
                [sys.executable, "-c", _LAUNCHED, str(theirs.fileno()), *generators],
                pass_fds=[theirs.fileno()],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        connections.append(Connection(ours.detach()))
        processes.append(process)
    return connections, processes


def _channel() -> tuple[socket, socket]:
    """Return two ends, which take in a whole message at once as far as the system lets them."""
    ends = socketpair()
    for end in ends:
        with suppress(OSError):
            end.setsockopt(SOL_SOCKET, SO_SNDBUF, _ANSWER)
    return ends
