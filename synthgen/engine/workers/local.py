"""Local engine: worker processes that run pure tasks and return results in the order of the tasks.

The first worker is forked while the process still has a single thread, which costs nothing, and
started as a fresh interpreter otherwise, because a fork of a threaded process can hang. It forks
the others. Each uses one socket and exits when the other side is gone, for whatever reason.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import count, islice
from multiprocessing.connection import Connection, wait
from pathlib import Path
from socket import SO_SNDBUF, SOL_SOCKET, socket, socketpair
from typing import Any, Generic, TypeAlias, TypeVar

from synthgen.core.errors import EngineError
from synthgen.core.memory import few_collections
from synthgen.engine.workers.worker import Failure, pack, send, serve_as_many

A = TypeVar("A")
B = TypeVar("B")
Process: TypeAlias = subprocess.Popen[bytes] | int
"""A launched interpreter, or the id of a forked process."""

_DEATH = "a worker process died, possibly out of memory; run the same command to resume"
_AHEAD = 2
"""Tasks handed to each worker at a time, so that it never waits for the next one."""


class NotYet:
    """Marks an item that is not known until an earlier result has been processed."""


NOT_YET = NotYet()


class Dispatch(Generic[A, B]):
    """One run of a task over items, as `LocalEngine.map` describes, which begins at once.

    No other run uses its tickets: results of an abandoned run are discarded, and its tasks that
    were not started are dropped.
    """

    def __init__(
        self,
        connections: Sequence[Connection],
        tickets: Iterator[int],
        task: Callable[[A], B],
        items: Iterable[A | NotYet],
        common: Sequence[object],
    ) -> None:
        self._connections, self._tickets = connections, tickets
        self._task, self._items, self._common = task, iter(items), common
        shared = pack(common)
        for connection in connections:
            _send(connection, (None, shared))
        self._idle = deque([*connections] * _AHEAD)
        self._owner: dict[int, Connection] = {}
        self._due: deque[int] = deque()
        self._supply()

    def results(self) -> Generator[B, None, None]:
        """Yield the results in the order of the items, and raise as `LocalEngine.map` does."""
        answers: dict[int, Any] = {}
        try:
            while self._due:
                wanted = self._due.popleft()
                while wanted not in answers:
                    answers |= self._receive()
                answer = answers.pop(wanted)
                if isinstance(answer, Failure):
                    raise answer.error()
                yield answer
                self._supply()
        finally:
            self._drop()

    def _supply(self) -> None:
        """Give each idle worker an item, while items are available."""
        for item in islice(self._items, len(self._idle)):
            if isinstance(item, NotYet):
                break
            connection, ticket = self._idle.popleft(), next(self._tickets)
            _send(connection, (ticket, pack((self._task, item), self._common)))
            self._owner[ticket] = connection
            self._due.append(ticket)

    def _drop(self) -> None:
        """Cancel the outstanding tasks, if any, that workers have not started."""
        unwanted = frozenset(self._owner)
        for connection in set(self._owner.values()):
            with suppress(EngineError):  # a worker that is gone does nothing more
                _send(connection, unwanted)

    def _receive(self) -> dict[int, Any]:
        """Wait for answers; return those of this run, keyed by ticket."""
        answers = {}
        ready = wait(self._connections)
        for connection in self._connections:
            if connection not in ready:
                continue
            try:
                ticket, answer = connection.recv()
            except (EOFError, OSError):
                raise EngineError(_DEATH) from None
            if ticket in self._owner:
                self._idle.append(self._owner.pop(ticket))
                answers[ticket] = answer
        return answers


def _send(connection: Connection, message: object) -> None:
    try:
        send(connection, message)
    except OSError:
        raise EngineError(_DEATH) from None


_LAUNCHED = """
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
from synthgen.engine.workers.worker import serve_as_many
serve_as_many([int(end) for end in sys.argv[1].split(",")], sys.argv[2:])
"""
_ANSWER = 1 << 22
"""Approximate size of the largest answers: a worker need not wait until they are read."""


def usable_cores() -> int:
    """Return how many processors this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class LocalEngine:
    """Runs tasks in `workers` processes, or in this process if `workers` is 1.

    A task is a module-level function of one picklable argument; its result does not depend on
    where it runs.

    Args:
        workers: Number of processes.
        generators: Names of generators that the workers get ready for while they start.
    """

    def __init__(self, workers: int, generators: Sequence[str] = ()) -> None:
        self.workers = workers
        self._connections: list[Connection] = []
        self._process: Process | None = None
        self._tickets = count()
        if workers > 1:
            self._connections, self._process = _start(workers, generators)

    def __enter__(self) -> LocalEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections, which ends the workers; running tasks are dropped."""
        for connection in self._connections:
            connection.close()
        if isinstance(self._process, int):
            os.waitpid(self._process, 0)
        elif self._process:
            self._process.wait()
        self._connections, self._process = [], None

    def check_shared(self, folder: Path) -> None:
        """Check that the workers see a folder, as those of this machine do."""

    def map(
        self, task: Callable[[A], B], items: Iterable[A | NotYet], common: Sequence[object] = ()
    ) -> Generator[B, None, None]:
        """Yield task(item) for each item in order; workers begin before the first is requested.

        An iterator that yields `NOT_YET` is advanced again after the next result is processed.

        Args:
            task: Function to apply to each item.
            items: Items, taken as workers become free.
            common: Objects that many items refer to; each worker gets them once and keeps them.

        Raises:
            SynthgenError: raised by the first task, in order, that failed with one.
            EngineError: if a worker died or a task failed unexpectedly.
        """
        if not self._connections:
            return _map_here(task, items)
        return Dispatch(self._connections, self._tickets, task, items, common).results()


def _map_here(task: Callable[[A], B], items: Iterable[A | NotYet]) -> Generator[B, None, None]:
    with few_collections():
        yield from (task(item) for item in items if not isinstance(item, NotYet))


def has_one_thread() -> bool:
    """Return whether this process can be forked without risk."""
    tasks = Path("/proc/self/task")
    return tasks.is_dir() and len(list(tasks.iterdir())) == 1


def _start(workers: int, generators: Sequence[str]) -> tuple[list[Connection], Process]:
    """Start one worker, which prepares itself and then forks the others, already prepared.

    Meanwhile this process does its own imports.
    """
    pairs = [_channel() for _ in range(workers)]
    ends = [worker_end.fileno() for _, worker_end in pairs]
    process = _fork(pairs, generators) if has_one_thread() else _launch(ends, generators)
    for _, worker_end in pairs:
        worker_end.close()
    return [Connection(own_end.detach()) for own_end, _ in pairs], process


def _fork(pairs: Sequence[tuple[socket, socket]], generators: Sequence[str]) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            for own_end, _ in pairs:
                own_end.close()
            serve_as_many([worker_end.fileno() for _, worker_end in pairs], generators)
        finally:
            os._exit(1)
    return pid


def _launch(ends: Sequence[int], generators: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start an interpreter that imports from where this process does.

    It never imports from the current folder (-P) unless that is among them by its name. Without
    threads for linear algebra, which nothing here uses, it can be forked.
    """
    paths = os.pathsep.join(filter(None, sys.path))
    return subprocess.Popen(  # noqa: S603  # a module of this package, no shell
        [sys.executable, "-P", "-c", _LAUNCHED, ",".join(map(str, ends)), *generators],
        pass_fds=ends,
        env={"OPENBLAS_NUM_THREADS": "1", **os.environ, "PYTHONPATH": paths},
    )


def _channel() -> tuple[socket, socket]:
    """Return a socket pair whose buffers hold a whole message where the system allows it."""
    ends = socketpair()
    for end in ends:
        with suppress(OSError):
            end.setsockopt(SOL_SOCKET, SO_SNDBUF, _ANSWER)
    return ends
