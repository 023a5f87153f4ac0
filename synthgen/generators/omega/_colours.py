"""Two colours for a statement, which mean nothing to the problem."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.randomness import Rows

COLOURS = ("red", "blue", "green", "yellow", "black", "white", "purple", "pink")
"""None begins with a vowel, so that "a" stands before each."""


def two_colours(rows: Rows) -> NDArray[np.int64]:
    """Draw two different colours of each row by number, int64 (n, 2)."""
    choice = rows.branch("colours").draws().integers(0, len(COLOURS) * (len(COLOURS) - 1))
    first, second = choice // (len(COLOURS) - 1), choice % (len(COLOURS) - 1)
    return np.stack([first, second + (second >= first)], axis=1)
