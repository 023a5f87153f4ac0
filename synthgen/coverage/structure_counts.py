"""Number of rows with each named structure, such as the edges that a recipe wants covered."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pyarrow as pa

from synthgen.core.columns import Ragged
from synthgen.coverage.structure_reader import StructureReader
from synthgen.trees.distinct import distinct_by_row
from synthgen.trees.named_structures import (
    parse_structure,
    structure_id_in,
    structure_ids,
    structure_names,
)


class StructureCounts:
    """Number of rows with each structure, updated batch by batch."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._reader = StructureReader()
        self._rows: dict[int, int] = {}
        self._examples: dict[int, Ragged] = {}

    def add(self, derivations: pa.StringArray) -> None:
        """Count the rows of a batch.

        Raises:
            ParamError: for a text that is not a derivation.
        """
        codes = self._reader.read(derivations)
        ids, distinct = distinct_by_row(structure_ids(codes, self._reader.signature, self._kind))
        counts = np.bincount(distinct.values, minlength=len(ids))
        firsts = np.unique(distinct.values, return_index=True)[1]
        rows = np.searchsorted(distinct.offsets, firsts, side="right") - 1
        for key, count, row in zip(ids.tolist(), counts.tolist(), rows.tolist(), strict=True):
            if key not in self._rows:
                self._rows[key] = 0
                self._examples[key] = codes.take(np.array([row]))
            self._rows[key] += count

    def rows_with(self, text: str) -> int:
        """Return the number of rows with a structure."""
        key = structure_id_in(text, self._kind, self._reader.signature)
        return self._rows.get(key, 0) if key is not None else 0

    def rare(self, times: int, symbols: Collection[str]) -> dict[str, int]:
        """Return the structures in fewer than `times` rows, with their rows.

        Args:
            times: Number of rows.
            symbols: Symbols that structures may contain; empty for all.
        """
        names = {}
        for key, rows in self._rows.items():
            if rows < times:
                name = self._name(key)
                if not symbols or {*parse_structure(name, self._kind).symbols} <= {*symbols}:
                    names[name] = rows
        return names

    def count_frequent(self, times: int, symbols: Collection[str]) -> int:
        """Return the number of structures in at least `times` rows; arguments as in `rare`."""
        keys = [key for key, rows in self._rows.items() if rows >= times]
        if not symbols:
            return len(keys)
        parsed = (parse_structure(self._name(key), self._kind) for key in keys)
        return sum({*structure.symbols} <= {*symbols} for structure in parsed)

    def _name(self, key: int) -> str:
        example, signature = self._examples[key], self._reader.signature
        ids = structure_ids(example, signature, self._kind).values.tolist()
        names = structure_names(example, signature, self._kind)
        place: int = ids.index(key)
        return names[place]
