"""Units that a split may need: tuples of values of axes, or structures, numbered from 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.contract import Axis
from synthgen.core.named_structures import parse_structure
from synthgen.core.steering.needed_rows import NOTHING
from synthgen.engine.cells import CellIndex
from synthgen.engine.propose import Candidates
from synthgen.recipe.steering import Cover

UNKNOWN = -2
Namer = Callable[[int, NDArray[np.uint64], str], Mapping[int, str]]
"""Returns the texts of the structures of rows by their ids, from source, addresses and kind."""


class Units(Protocol):
    """Numbers the units of the rows of a block."""

    told: frozenset[int]
    wanted: list[int]

    def of(self, block: Candidates) -> tuple[Ragged, NDArray[np.int64], NDArray[np.int64]]:
        """Return numbers of the block in its rows, the candidates' rows, and each number's unit."""
        ...

    @property
    def size(self) -> int:
        """Number of units known."""
        ...

    def name(self, unit: int) -> str:
        """Return what people call a unit."""
        ...


class TupleUnits:
    """Tuples of values of some axes, each combination of `strength` of them."""

    def __init__(self, cover: Cover, axes: Mapping[str, Axis]) -> None:
        strength = cover.strength or len(cover.axes)
        self._indices = [CellIndex(names, axes) for names in combinations(cover.axes, strength)]
        sizes = [index.size for index in self._indices]
        self._bases = np.concatenate([[0], np.cumsum(sizes)]).tolist()
        whole = np.zeros(self.size, bool)
        for index, base in zip(self._indices, self._bases, strict=False):
            whole[base : base + index.size] = index.without_null()
        cells = [self._cell(values) for values in cover.of if not isinstance(values, str)]
        self.told = frozenset(cell for cell in cells if cell is not None)
        self.wanted = np.flatnonzero(whole).tolist() if not cover.of else sorted(self.told)
        self._meaning = np.where(whole, np.arange(self.size), NOTHING)
        if cover.of:
            self._meaning = np.full(self.size, NOTHING)
            self._meaning[self.wanted] = self.wanted

    def _cell(self, values: tuple[int | str, ...]) -> int | None:
        return self._indices[0].cell_of(values)

    @property
    def size(self) -> int:
        """Number of tuples, of all combinations."""
        return int(self._bases[-1])

    def of(self, block: Candidates) -> tuple[Ragged, NDArray[np.int64], NDArray[np.int64]]:
        """Return the tuples of the candidates."""
        n, width = len(block), len(self._indices)
        numbers = np.empty((n, width), np.int64)
        for place, index in enumerate(self._indices):
            numbers[:, place] = index.number(block.axes, n) + self._bases[place]
        rows = Ragged(numbers.ravel(), offsets_of(np.full(n, width)))
        return rows, np.arange(n), self._meaning

    def name(self, unit: int) -> str:
        """Return the values of a tuple."""
        place = int(np.searchsorted(self._bases, unit, side="right")) - 1
        values = self._indices[place].values(unit - self._bases[place])
        return ", ".join(f"{axis}={value}" for axis, value in values.items())


class StructureUnits:
    """Structures of one kind: those told, or each one as it is found.

    Args:
        cover: of the recipe.
        ids: of the structures told, with their texts.
        namer: of structures found.
    """

    def __init__(self, cover: Cover, ids: Mapping[int, str], namer: Namer) -> None:
        self._kind = cover.structures or ""
        self._open = not cover.of
        self._symbols = frozenset(cover.symbols)
        self._namer = namer
        self._names = [*dict.fromkeys(ids.values())]
        # Symbols of one name with other numbers of arguments have ids of their own.
        self._places = {name: place for place, name in enumerate(self._names)}
        self._numbers = {key: self._places[name] for key, name in ids.items()}
        self.told = frozenset(range(len(self._names)))
        self.wanted = [*range(len(self._names))]

    @property
    def size(self) -> int:
        """Number of structures known."""
        return len(self._names)

    def of(self, block: Candidates) -> tuple[Ragged, NDArray[np.int64], NDArray[np.int64]]:
        """Return the structures of the candidates, and number new ones."""
        own = block.structures[self._kind]
        meaning = np.array([self._numbers.get(i, UNKNOWN) for i in own.ids.tolist()], np.int64)
        if self._open and (meaning == UNKNOWN).any():
            self._find(block, meaning)
        return own.rows, own.positions, meaning

    def _find(self, block: Candidates, meaning: NDArray[np.int64]) -> None:
        """Number the structures that no block had before, by their first row."""
        own = block.structures[self._kind]
        rows = own.rows.take(own.positions)
        new = np.flatnonzero(meaning[rows.values] == UNKNOWN)
        numbers, firsts = np.unique(rows.values[new], return_index=True)
        places = np.searchsorted(rows.offsets, new[firsts], side="right") - 1
        if not len(numbers):
            return
        names = self._namer(block.source, block.addresses[np.unique(places)], self._kind)
        for number, key in zip(numbers.tolist(), own.ids[numbers].tolist(), strict=True):
            meaning[number] = self._numbers[key] = self._number(names[key])

    def _number(self, name: str) -> int:
        """Return the number of a new structure, NOTHING if it has a symbol that does not count."""
        if self._symbols and not self._symbols.issuperset(
            parse_structure(name, self._kind).symbols
        ):
            return NOTHING
        if name not in self._places:
            self._places[name] = len(self._names)
            self._names.append(name)
        return self._places[name]

    def name(self, unit: int) -> str:
        """Return the text of a structure."""
        return self._names[unit]
