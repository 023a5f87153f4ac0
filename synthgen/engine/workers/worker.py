"""The loop of a worker process: receive a task, run it, send its result."""

from __future__ import annotations

import io
import os
import signal
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeAlias

from synthgen.core import errors
from synthgen.core.errors import EngineError, SynthgenError
from synthgen.core.memory import few_collections

OUT_OF_MEMORY = "a worker ran out of memory; run the same command to resume, with fewer --workers"
_Named: TypeAlias = tuple[Callable[[int], object], tuple[int]]

PROTOCOL = 5
"""The first protocol that writes arrays straight from memory; the default is older."""

_kept: list[object] = []
"""Common objects of the tasks of this process."""


def pack(message: object, common: Sequence[object] = ()) -> bytes:
    """Return a message for a worker, with references in place of common objects.

    These are instances of synthgen classes, recognised by identity; they must not change.
    """
    file = io.BytesIO()
    _Pickler(file, common).dump(message)
    return file.getvalue()


def send(connection: Connection, message: object) -> None:
    """Send a message for `Connection.recv`, whose arrays are written without being copied.

    Raises:
        OSError: if the other side is gone.
    """
    connection.send_bytes(ForkingPickler.dumps(message, PROTOCOL))


def keep(common: bytes) -> None:
    """Keep these packed common objects for the next tasks, in place of others."""
    _kept[:] = ForkingPickler.loads(common)


def _kept_at(place: int) -> object:
    return _kept[place]


class _Pickler(ForkingPickler):
    def __init__(self, file: io.BytesIO, common: Sequence[object]) -> None:
        super().__init__(file)
        self._places = {id(one): place for place, one in enumerate(common)}

    def reducer_override(self, obj: object) -> _Named | Any:
        place = self._places.get(id(obj))
        return NotImplemented if place is None else (_kept_at, (place,))


@dataclass(frozen=True, slots=True)
class Failure:
    """Error of a task: the name of a synthgen error, or "" and a traceback as text."""

    kind: str
    message: str

    def error(self) -> SynthgenError:
        """Return the error to raise on the other side."""
        known = getattr(errors, self.kind, None) if self.kind else None
        if known is None:
            return EngineError(f"a task failed unexpectedly:\n{self.message}")
        error: SynthgenError = known.__new__(known)
        error.args = (self.message,)
        return error


_TASK_MODULES = ("synthgen.engine.select.propose", "synthgen.engine.make.materialise")


def prepare(generators: Sequence[str]) -> None:
    """Import what tasks need, and load or compile every kernel of these generators.

    An interrupt from the keyboard is left to the process that owns the build.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in _TASK_MODULES:
        import_module(name)
    from synthgen.engine.workers.rehearsal import rehearse

    for name in generators:
        # A failure here recurs in the first task, where it can be reported.
        with suppress(Exception):
            rehearse(name)


def serve_as_many(ends: Sequence[int], generators: Sequence[str]) -> None:
    """Prepare this process, and fork it, so that there is one to serve each socket."""
    prepare(generators)
    mine = ends[0]
    for other in ends[1:]:
        if os.fork() == 0:
            mine = other
            break
    for another in ends:
        if another != mine:
            os.close(another)
    serve(Connection(mine))


def serve(connection: Connection) -> None:
    """Run tasks until the other side closes the connection.

    A separate thread receives the tasks, so that the other side can always send one, even while an
    answer waits to be read, and closing the connection stops this process even during a task.
    """
    messages: SimpleQueue[tuple[int | None, bytes]] = SimpleQueue()
    dropped: set[int] = set()
    Thread(target=_take_in, args=(connection, messages, dropped), daemon=True).start()
    with few_collections():
        while True:
            ticket, message = messages.get()
            if ticket is None:
                keep(message)
            elif ticket not in dropped:
                with suppress(OSError):  # nobody waits for the answer; the other thread ends this
                    send(connection, (ticket, attempt(message)))


def _take_in(
    connection: Connection, messages: SimpleQueue[tuple[int | None, bytes]], dropped: set[int]
) -> None:
    while True:
        try:
            message = connection.recv()
        except (EOFError, OSError):
            os._exit(0)
        if isinstance(message, frozenset):  # the tickets of tasks that are no longer wanted
            dropped |= message
        else:
            messages.put(message)


def attempt(message: bytes) -> object:
    """Run a packed task; return its result, or a `Failure` if it raises an error."""
    try:
        task, item = ForkingPickler.loads(message)
        return task(item)
    except SynthgenError as error:
        kind = type(error).__name__
        return Failure(kind if hasattr(errors, kind) else "SynthgenError", str(error))
    except MemoryError:
        return Failure("EngineError", OUT_OF_MEMORY)
    except Exception:  # noqa: BLE001  # any error of a generator must reach the user
        return Failure("", traceback.format_exc())
