"""Mixes of skills as the columns of a dataset show them."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from synthgen.auditing.skill_mixes import Mixes


def mixes_of(columns: Mapping[str, ArrayLike]) -> Mixes:
    """Read mixes from the columns `k`, `topic`, `skill_1`, `skill_2` ... of a dataset."""
    sizes = np.asarray(columns["k"], np.int64)
    names = [f"skill_{j}" for j in range(1, int(sizes.max(initial=0)) + 1)]
    skills = [np.asarray(columns[name], np.int64) for name in names]
    table = np.stack(skills, axis=1) if skills else np.zeros((0, 0), np.int64)
    return Mixes(sizes, table, np.asarray(columns["topic"], np.int64))


def largest_seen(train: Mixes, test: Mixes) -> list[int]:
    """Return how many skills each mix of `test` has in common with the most similar of `train`."""
    known, asked = (
        [frozenset(row[:k]) for row, k in zip(mixes.skills.tolist(), mixes.sizes, strict=True)]
        for mixes in (train, test)
    )
    distinct = {*known}
    return [max(len(mix & other) for other in distinct) for mix in asked]
