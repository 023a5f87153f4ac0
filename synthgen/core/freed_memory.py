"""Memory that arrays leave behind, kept for those of the next block of rows.

The C library gives large arrays back to the system as soon as they are freed, and every block of
rows has to be given them anew, page by page: about a tenth of the time that selection takes.
"""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Options of `mallopt`, as numbered in malloc.h."""
_KEPT = 1 << 28
"""Free bytes beyond which memory goes back all the same."""
_LARGE = 1 << 25
"""Bytes of an array from which on it goes back by itself: the most that glibc sets on its own."""


def keep_freed_memory() -> None:
    """Let this process and those forked from it keep freed memory, where the C library is glibc."""
    if not sys.platform.startswith("linux"):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _LARGE)
        mallopt(_TRIM_THRESHOLD, _KEPT)
