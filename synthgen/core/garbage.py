"""When garbage is collected: seldom, as rows are made by the thousand and are free of cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 100_000
"""Objects made between two collections."""


@contextmanager
def few_collections() -> Iterator[None]:
    """Let garbage be collected seldom, and never look through what is there already."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
