"""The loop of a worker process: receive a task, run it, send what came of it."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread

from synthgen.core import errors
from synthgen.core.errors import EngineError, SynthgenError
from synthgen.core.freed_memory import keep_freed_memory
from synthgen.core.garbage import few_collections
from synthgen.engine.messages import keep, send, unpack


@dataclass(frozen=True, slots=True)
class Failure:
    """What a task raised: the name of one of our errors, or "" and a traceback as text."""

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


@dataclass(frozen=True, slots=True)
class Drop:
    """Tasks that are no longer wanted, by their tickets."""

    tickets: frozenset[int]


_TASK_MODULES = ("synthgen.engine.propose", "synthgen.engine.materialise")


def serve_descriptor(descriptor: int, generators: Sequence[str]) -> None:
    """Get ready, and serve the socket that a launched interpreter was given."""
    keep_freed_memory()
    prepare(generators)
    serve(Connection(descriptor))


def prepare(generators: Sequence[str]) -> None:
    """Import what tasks need, and let every kernel of these generators be loaded or compiled.

    An interrupt from the keyboard is left to the process that owns the build.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in _TASK_MODULES:
        import_module(name)
    from synthgen.engine.rehearsal import rehearse

    for name in generators:
        # What fails here fails again in the first task, where it can be told.
        with suppress(Exception):
            rehearse(name)


def serve(connection: Connection) -> None:
    """Run tasks until the other side closes the connection.

    A thread of its own takes the tasks in: so the other side can always hand one over, even while
    an answer waits to be read, and its end stops this process at once, in the middle of a task.
    """
    messages: SimpleQueue[tuple[int | None, bytes]] = SimpleQueue()
    dropped: set[int] = set()
    Thread(target=_take_in, args=(connection, messages, dropped), daemon=True).start()
    with few_collections():
        while True:
            ticket, message = messages.get()
            if ticket is None:
                keep(unpack(message))
            elif ticket not in dropped:
                send(connection, (ticket, _attempt(message)))


def _take_in(
    connection: Connection,
    messages: SimpleQueue[tuple[int | None, bytes]],
    dropped: set[int],
) -> None:
    while True:
        try:
            message = connection.recv()
        except (EOFError, OSError):
            os._exit(0)
        if isinstance(message, Drop):
            dropped |= message.tickets
        else:
            messages.put(message)


def _attempt(message: bytes) -> object:
    try:
        task, item = unpack(message)
        return task(item)
    except SynthgenError as error:
        kind = type(error).__name__
        return Failure(kind if hasattr(errors, kind) else "SynthgenError", str(error))
    except Exception:  # noqa: BLE001  # whatever a generator raises must reach the user
        return Failure("", traceback.format_exc())
