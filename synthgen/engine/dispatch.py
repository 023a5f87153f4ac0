"""Tasks handed out to worker processes, and their results in the order of the tasks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from synthgen.core.errors import EngineError
from synthgen.engine.messages import Packer, send
from synthgen.engine.worker import Drop, Failure

A = TypeVar("A")
B = TypeVar("B")

_DEATH = (
    "a worker process died, perhaps for want of memory; "
    "the same command goes on from what is finished"
)
_AHEAD = 2
"""Tasks handed to each worker at a time, so that it never waits for the next one."""


class Later:
    """Stands for an item that cannot be known before an earlier one's result was looked at."""


LATER = Later()


class Dispatch(Generic[A, B]):
    """One run of a task over items, which begins at once.

    Args:
        connections: to the workers.
        tickets: numbers that no other run uses; answers to those of a run that was abandoned are
            thrown away, and what no worker has begun is dropped.
        task: what is done with each item.
        items: of which it is done, taken as workers get free.
        common: objects that many items hold, so that each worker gets and keeps one of each.

    Raises:
        EngineError: if a worker died.
    """

    def __init__(
        self,
        connections: Sequence[Connection],
        tickets: Iterator[int],
        task: Callable[[A], B],
        items: Iterable[A | Later],
        common: Sequence[object],
    ) -> None:
        self._connections, self._tickets = connections, tickets
        self._task, self._items = task, iter(items)
        self._packer = Packer(common)
        told = Packer(()).pack(common)
        for connection in connections:
            _send(connection, (None, told))
        self._idle = deque([*connections] * _AHEAD)
        self._owner: dict[int, Connection] = {}
        self._due: deque[int] = deque()
        self._supply()

    def results(self) -> Generator[B, None, None]:
        """Yield the results in the order of the items.

        Raises:
            SynthgenError: of the first task, in order, that raised one.
            EngineError: if a worker died or a task failed in a way that was not foreseen.
        """
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
        """Give every worker that is idle an item, as far as there are any yet."""
        for item in islice(self._items, len(self._idle)):
            if isinstance(item, Later):
                break
            connection, ticket = self._idle.popleft(), next(self._tickets)
            _send(connection, (ticket, self._packer.pack((self._task, item))))
            self._owner[ticket] = connection
            self._due.append(ticket)

    def _drop(self) -> None:
        """Tell the workers not to begin what nobody waits for any more, if there is such."""
        unwanted = Drop(frozenset(self._owner))
        for connection in set(self._owner.values()):
            with suppress(EngineError):  # a worker that is gone does nothing more
                _send(connection, unwanted)

    def _receive(self) -> dict[int, Any]:
        """Wait for answers; return those to this run, by their tickets."""
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
