"""Garbage collection, tuned for many objects without reference cycles."""

from __future__ import annotations

import gc
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
