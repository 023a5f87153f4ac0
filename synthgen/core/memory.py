"""Memory of this process: garbage collection for many objects without cycles, and what is free."""

from __future__ import annotations

import gc
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

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


_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Limits of a container or job, of the two kinds of Linux."""


def available_memory() -> int | None:
    """Return the bytes that this process can have, as far as the system says."""
    known = []
    with suppress(OSError, StopIteration):
        lines = Path("/proc/meminfo").read_text().splitlines()
        line = next(line for line in lines if line.startswith("MemAvailable:"))
        known.append(1024 * int(line.split()[1]))
    for limit in _LIMITS:
        with suppress(OSError, ValueError):  # "max" is none
            known.append(int(Path(limit).read_text()))
    if (allowed := address_space()) is not None:
        known.append(allowed)
    return min(known, default=None)


def address_space() -> int | None:
    """Return the bytes of address space that this process may have (`ulimit -v`), if limited."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if limit == resource.RLIM_INFINITY else limit
