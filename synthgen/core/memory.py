"""Garbage collection and freed memory, tuned for many objects without reference cycles."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 100_000
"""Objects created between two collections."""


@contextmanager
def few_collections() -> Iterator[None]:
    """Freeze current objects and raise the threshold of garbage collection."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Options of `mallopt`, as numbered in malloc.h."""
_KEPT = 1 << 28
"""Free bytes beyond which memory is still returned to the system."""
_LARGE = 1 << 25
"""Size from which an array gets its own mapping, returned when freed: glibc's own maximum."""


def keep_freed_memory() -> None:
    """Make this process and its forks keep freed memory, if the C library is glibc."""
    if not sys.platform.startswith("linux"):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _LARGE)
        mallopt(_TRIM_THRESHOLD, _KEPT)
