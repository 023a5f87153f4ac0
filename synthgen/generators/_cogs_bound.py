"""A lower bound of the number of different sentences."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.generators._cogs_grammar import CLAUSE, LIST, NAME

_ANIMATE, _INANIMATE, _TRANSITIVE = (LIST[name] for name in ("animate", "inanimate", "transitive"))


def fewest_sentences(starts: NDArray[np.int64], cp_depth: int) -> int:
    """Count the sentences `[name] [verb] that ... Det noun verb Det noun` without a repeated word.

    Args:
        starts: where the list of each kind of word begins, and the end of the last.
        cp_depth: most `that` clauses.
    """
    size = np.diff(starts).tolist()
    clauses, total = 1, 0
    for depth in range(cp_depth + 1):
        # The object's list may hold the subject.
        total += clauses * 4 * size[_ANIMATE] * size[_TRANSITIVE] * (size[_INANIMATE] - 1)
        clauses *= max(0, size[NAME] - depth) * size[CLAUSE]
    return total
