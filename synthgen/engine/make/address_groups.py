"""Rows of a split that was selected but not written: made and verified when they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.dataset.membership import Membership
from synthgen.dataset.records import SplitRecord
from synthgen.dataset.row_schema import row_schema, stored_schema
from synthgen.engine.make.materialise import make_rows
from synthgen.engine.plan.sources import PlannedSource, picture_of
from synthgen.rules.axes import Axis

GROUP_ROWS = 4096
"""Most rows of a group."""
_ROW_BYTES = 1024
"""Bytes of a row in memory, about."""


class AddressedRows:
    """The rows of one split in groups, as `RowGroups` has those of a finished dataset.

    Every row passes its verifier.

    Args:
        members: Rows in order.
        sources: Sources that their membership refers to.
        axes: Columns after those that every dataset has.
        split: Record of the split.
        memory: Bytes of groups to keep, at least two groups.
    """

    def __init__(
        self,
        members: Membership,
        sources: Sequence[PlannedSource],
        axes: Mapping[str, Axis],
        split: SplitRecord,
        memory: int,
    ) -> None:
        self._members, self._sources, self._axes = members, sources, axes
        self._split, self._noise, self._memory = split.name, split.noise, memory
        self.schema = row_schema(axes, picture_of(sources), noisy=split.noise is not None)
        self._step = min(GROUP_ROWS, *(source.generator.block for source in sources))

    def __getstate__(self) -> dict[str, Any]:
        return {name: kept for name, kept in self.__dict__.items() if name != "_cached"}

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self._members)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Row number at which each group starts, and that after the last, int64 (groups + 1,)."""
        return np.append(np.arange(0, self.rows, self._step), self.rows)

    def __iter__(self) -> Iterator[pa.Table]:
        """Make all rows, group by group, without keeping them."""
        return map(self._whole, range(len(self.starts) - 1))

    def stored(self, columns: Sequence[str]) -> pa.Schema:
        """Return the schema of the tables: texts with few values are dictionaries."""
        return stored_schema(self.schema, columns)

    def read(self, group: int, columns: tuple[str, ...]) -> pa.Table:
        """Return columns of a group, from the cache if possible."""
        return self._cached(group).select(columns)

    def decode(self, group: int, columns: tuple[str, ...]) -> pa.Table:
        """Return columns of a group without keeping them."""
        return self._whole(group).select(columns)

    def take(self, rows: NDArray[np.int64], columns: tuple[str, ...]) -> pa.Table:
        """Return columns of rows by their numbers; only these are made."""
        return self._made(self._members.take(rows)).select(columns)

    @cached_property
    def _cached(self) -> Callable[[int], pa.Table]:
        return lru_cache(max(2, self._memory // (self._step * _ROW_BYTES)))(self._whole)

    def _whole(self, group: int) -> pa.Table:
        start = group * self._step
        return self._made(self._members.take(slice(start, start + self._step)))

    def _made(self, members: Membership) -> pa.Table:
        schema = self.stored(self.schema.names)
        table = make_rows(members, self._sources, self._axes, self._split, noise=self._noise)
        return table.select(schema.names).cast(schema)
