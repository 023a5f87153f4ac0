"""Common base of questions about random worlds."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import Late, NumberedFamily, Problem, RowDraws

Ints = NDArray[np.int64]
Fact = tuple[Any, ...]

LAST_WORLD, MAX_DECOYS = 999_999, 10
GROUPS = 1000
"""Groups of equal size into which the facts of a world are divided at random."""


def groups_of(words: NDArray[np.uint64]) -> Ints:
    """Divide facts into groups by the rank of their random words, in the same shape."""
    ranks = np.empty(words.size, np.int64)
    ranks[np.argsort(words, axis=None, kind="stable")] = np.arange(words.size)
    return (ranks * GROUPS // words.size).reshape(words.shape)


class WorldFamily(NumberedFamily):
    """Questions about a world; the `data` of a problem are the facts that it needs."""

    decoys: int

    version = 2

    @property
    @abstractmethod
    def world(self) -> str:
        """Name of the world, which defines it."""

    @abstractmethod
    def written(self, fact: Fact) -> str:
        """Write a fact."""

    @abstractmethod
    def stated(self, needed: Sequence[Fact], draws: RowDraws) -> Iterable[Fact]:
        """Return the facts needed and decoys, each once."""

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Name the world, and state facts in random order."""
        return {
            "world": self.world,
            **problem.holes,
            "facts": Late(lambda: self._facts(problem.data, draws)),
        }

    def _facts(self, needed: Sequence[Fact], draws: RowDraws) -> str:
        stated = draws.shuffled([*self.stated(needed, draws)])
        return "\n".join(map(self.written, stated))

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Write the facts that are needed."""
        return [self.written(fact) for fact in problem.data]
