"""Cache of rows after their first reading, if they are few enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from synthgen.audit.foreign_sides import Part

MOST_BYTES = 256 * 2**20
"""Arrow memory of each side; larger sides are read again each time."""


def kept(
    parts: Callable[[], Iterator[Part]], most: int = MOST_BYTES
) -> Callable[[], Iterator[Part]]:
    """Return a function that yields the same parts as another, calling it as rarely as possible.

    Reading text files takes most of an audit's time, and it reads them five times.
    """
    held: list[Part] = []
    is_whole = False

    def again() -> Iterator[Part]:
        nonlocal is_whole
        if is_whole:
            yield from held
            return
        found: list[Part] = []
        size = 0
        for part in parts():
            size += part.nbytes
            if size <= most:
                found.append(part)
            else:
                found.clear()
            yield part
        if size <= most:
            held[:] = found
            is_whole = True

    return again
