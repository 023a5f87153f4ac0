"""Structures of candidates, as PROPOSE sends them to selection: distinct ids and indices."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged
from synthgen.core.contract import Generator, Problems
from synthgen.core.named_structures import structure_ids, structure_names
from synthgen.core.randomness import Rows
from synthgen.core.steering import distinct_by_row


@dataclass(frozen=True, slots=True)
class BlockStructures:
    """Structures of one kind that the candidates of a block have.

    Attributes:
        ids: different ids of the block, uint64 (k,).
        rows: indices into `ids` of the different structures of each valid row drawn.
        positions: positions of the candidates among these rows, (n,).
    """

    ids: NDArray[np.uint64]
    rows: Ragged
    positions: NDArray[np.int64]

    def take(self, positions: NDArray[np.int64]) -> BlockStructures:
        """Return the structures of the candidates at these positions."""
        return replace(self, positions=self.positions[positions])


def block_structures(problems: Problems, generator: Generator, kind: str) -> BlockStructures:
    """Return the structures of the valid problems of a block."""
    valid, derivations = problems.valid, problems.derivations
    if not valid.all():
        derivations = derivations.take(np.flatnonzero(valid))
    found = structure_ids(derivations, generator.signature, kind)
    ids, rows = distinct_by_row(found)
    return BlockStructures(ids, rows, np.arange(len(derivations)))


def names_at(
    generator: Generator, stream: int, addresses: NDArray[np.uint64], kind: str
) -> dict[int, str]:
    """Return the text of each structure of some problems, keyed by id."""
    problems = generator.draw(Rows(stream, addresses))
    ids = structure_ids(problems.derivations, generator.signature, kind)
    names = structure_names(problems.derivations, generator.signature, kind)
    return dict(zip(ids.values.tolist(), names, strict=True))
