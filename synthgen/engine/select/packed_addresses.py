"""The rows of a split while it is selected: which addresses of which blocks, in the order proposed.

Where most candidates of a block are rows, it needs one bit for each address, elsewhere two bytes
for each row: a fraction of the ten bytes of a source and an address.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.dataset.membership import Membership
from synthgen.draws.randomness import U64

_BITS_OF_AN_OFFSET = 16


@dataclass(frozen=True, slots=True)
class _Block:
    """Rows of one block: the offsets of their addresses from the first, or a bit for each."""

    source: int
    first: np.uint64
    rows: int
    packed: NDArray[np.unsignedinteger]
    by_bit: bool

    def addresses(self) -> U64:
        offsets = np.flatnonzero(np.unpackbits(self.packed)) if self.by_bit else self.packed
        return offsets.astype(np.uint64) + self.first


class Addressed:
    """Rows with a source and an address each, block by block."""

    def __init__(self) -> None:
        self._blocks: list[_Block] = []

    def __len__(self) -> int:
        return sum(block.rows for block in self._blocks)

    def __iter__(self) -> Iterator[tuple[int, U64]]:
        """Yield the source and the addresses, (n,), of each block."""
        for block in self._blocks:
            yield block.source, block.addresses()

    def add(self, source: int, addresses: U64) -> None:
        """Add the rows of one block, at ascending addresses, (n,)."""
        if not len(addresses):
            return
        offsets = (addresses - addresses[0]).astype(np.int64)
        span = int(offsets[-1]) + 1
        by_bit = span <= _BITS_OF_AN_OFFSET * len(offsets)
        if by_bit:
            there = np.zeros(span, np.bool_)
            there[offsets] = True
            packed: NDArray[np.unsignedinteger] = np.packbits(there)
        else:
            packed = offsets.astype(np.min_scalar_type(span))
        self._blocks.append(_Block(source, addresses[0], len(offsets), packed, by_bit))

    def take(self, rows: NDArray[np.bool_]) -> Addressed:
        """Return the rows of a mask, bool (n,)."""
        taken, start = Addressed(), 0
        for block in self._blocks:
            mine = rows[start : start + block.rows]
            start += block.rows
            if mine.all():
                taken._blocks.append(block)
            elif mine.any():
                taken.add(block.source, block.addresses()[mine])
        return taken

    def members(self) -> Membership:
        """Return source and address of every row."""
        sources, addresses = [np.zeros(0, np.uint16)], [np.zeros(0, np.uint64)]
        for source, part in self:
            sources.append(np.full(len(part), source, np.uint16))
            addresses.append(part)
        return Membership(np.concatenate(sources), np.concatenate(addresses))

    @property
    def nbytes(self) -> int:
        """Memory of the rows in bytes."""
        return sum(block.packed.nbytes for block in self._blocks)
