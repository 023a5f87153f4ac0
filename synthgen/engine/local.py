"""Local engine: worker processes that run pure tasks and give results in the order of the tasks.

Workers are forked while the process still has a single thread, which costs nothing, and started as
fresh interpreters otherwise, because a fork of a threaded process can hang. Either way they talk
over one socket each and end by themselves when the other side is gone, however it went.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from multiprocessing.connection import Connection, wait
from pathlib import Path
from socket import socketpair
from typing import Any, TypeVar

from synthgen.core.errors import EngineError
from synthgen.engine.worker import Failure, serve

A = TypeVar("A")
B = TypeVar("B")

_LAUNCHED = """
import sys
from synthgen.engine.worker import serve_descriptor
serve_descriptor(int(sys.argv[1]))
"""
_AHEAD = 2
"""Tasks handed to each worker at a time, so that it never waits for the next one."""


def usable_cores() -> int:
    """Return how many processors this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class LocalEngine:
    """Runs tasks in `workers` processes, or in this one if it is a single worker.

    A task is a module-level function of one picklable argument; its result does not depend on
    where it runs.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._connections: list[Connection] = []
        self._children: list[_Child] = []
        self._next_ticket = 0
        if workers > 1:
            start = _fork if _has_one_thread() else _launch
            for _ in range(workers):
                connection, child = start(self._connections)
                self._connections.append(connection)
                self._children.append(child)

    def __enter__(self) -> LocalEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the workers; tasks that still run are dropped."""
        for connection in self._connections:
            connection.close()
        for child in self._children:
            child.stop()
        self._connections, self._children = [], []

    def map(self, task: Callable[[A], B], items: Iterable[A]) -> Generator[B, None, None]:
        """Yield task(item) for each item in order; items are taken as workers get free.

        Raises:
            SynthgenError: of the first task, in order, that raised one.
            EngineError: if a worker died or a task failed in a way that was not foreseen.
        """
        if not self._connections:
            yield from map(task, items)
            return
        yield from self._map_remotely(task, iter(items))

    def _map_remotely(self, task: Callable[[A], B], items: Iterator[A]) -> Generator[B, None, None]:
        """Keep every worker supplied; answers to tickets of an abandoned call are thrown away."""
        idle = deque(self._connections * _AHEAD)
        owner: dict[int, Connection] = {}
        answers: dict[int, Any] = {}
        first = wanted = self._next_ticket
        while True:
            for item in islice(items, len(idle)):
                connection = idle.popleft()
                self._send(connection, (self._next_ticket, task, item))
                owner[self._next_ticket] = connection
                self._next_ticket += 1
            if wanted == self._next_ticket:
                return
            while wanted not in answers:
                for ticket, answer in self._receive():
                    if ticket >= first:
                        answers[ticket] = answer
                        idle.append(owner.pop(ticket))
            answer = answers.pop(wanted)
            wanted += 1
            if isinstance(answer, Failure):
                raise answer.error()
            yield answer

    def _send(self, connection: Connection, message: object) -> None:
        try:
            connection.send(message)
        except OSError:
            raise self._death(connection) from None

    def _receive(self) -> list[tuple[int, Any]]:
        answers = []
        ready = wait(self._connections)
        for connection in self._connections:
            if connection not in ready:
                continue
            try:
                answers.append(connection.recv())
            except (EOFError, OSError):
                raise self._death(connection) from None
        return answers

    def _death(self, connection: Connection) -> EngineError:
        status = self._children[self._connections.index(connection)].status()
        msg = f"a worker process died ({status}); the same command goes on from what is finished"
        return EngineError(msg)


class _Child:
    """A worker process, forked (then known by its id) or launched."""

    def __init__(self, process: subprocess.Popen[bytes] | int) -> None:
        self._process = process
        self._code: int | None = None

    def stop(self) -> None:
        """End it at once and collect it."""
        if self._code is None and isinstance(self._process, int):
            os.kill(self._process, signal.SIGKILL)
        elif isinstance(self._process, subprocess.Popen):
            self._process.kill()
        self.status()

    def status(self) -> str:
        """Wait for its end and say how it ended."""
        if isinstance(self._process, subprocess.Popen):
            self._code = self._process.wait()
        elif self._code is None:
            self._code = os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])
        return signal.Signals(-self._code).name if self._code < 0 else f"exit code {self._code}"


def _has_one_thread() -> bool:
    tasks = Path("/proc/self/task")
    return tasks.is_dir() and len(list(tasks.iterdir())) == 1


def _fork(siblings: list[Connection]) -> tuple[Connection, _Child]:
    ours, theirs = socketpair()
    pid = os.fork()
    if pid == 0:
        ours.close()
        for sibling in siblings:  # or their end would never be noticed
            sibling.close()
        try:
            serve(Connection(theirs.detach()))
        finally:
            os._exit(0)
    theirs.close()
    return Connection(ours.detach()), _Child(pid)


def _launch(_: list[Connection]) -> tuple[Connection, _Child]:
    ours, theirs = socketpair()
    with theirs:
        process = subprocess.Popen(  # noqa: S603  # our own module, no shell
            [sys.executable, "-c", _LAUNCHED, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
    return Connection(ours.detach()), _Child(process)
