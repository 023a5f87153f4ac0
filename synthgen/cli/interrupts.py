"""Ctrl-C ends a command at once, even inside a compiled kernel.

Python raises KeyboardInterrupt in the main thread between two steps of its own: not while a kernel
runs, and possibly in Python code that numba calls from C, where it becomes a SystemError or a
crash. Instead, a thread waits for the signal and ends the process. Nothing is lost: a build can be
killed at any moment, and workers end when their owner is gone.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread, current_thread, main_thread

from synthgen.core.errors import EXIT_INTERRUPTED

STOPPED = "stopped"
RESUMED = f"{STOPPED}; run the same command to resume"
_SHOW_CURSOR = b"\x1b[?25h\n"
"""Restores the cursor that a progress bar hides."""


@dataclass
class Ending:
    """Message at an interrupt, which may change meanwhile."""

    message: str = STOPPED


@contextmanager
def ended_by_interrupt(ending: Ending | None = None) -> Iterator[None]:
    """End this process with a message and code 130 at an interrupt, without cleanup.

    It has no effect where interrupts are ignored or handled by a program that called the command.
    """
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or current_thread() is not main_thread():
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    waiting = Thread(target=_end, args=(reader, ending or Ending()), daemon=True)
    waiting.start()
    before = signal.set_wakeup_fd(writer)
    signal.signal(signal.SIGINT, lambda *_: None)  # the number of the signal goes to the thread
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(before)
        os.close(writer)
        waiting.join()
        os.close(reader)


def _end(reader: int, ending: Ending) -> None:
    """End the process at an interrupt, or only this thread when the pipe is closed."""
    while number := os.read(reader, 1):
        if number[0] == signal.SIGINT:
            try:
                if os.isatty(1):
                    os.write(1, _SHOW_CURSOR)
                os.write(2, f"{ending.message}\n".encode())
            finally:
                os._exit(EXIT_INTERRUPTED)
