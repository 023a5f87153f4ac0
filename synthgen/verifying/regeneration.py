"""Make rows again from their addresses, chosen at random, and compare every column.

A forger must not know which rows are chosen, so the system's randomness decides unless a seed is
given. A source that is fast is made again whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from secrets import randbits
from time import thread_time

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.contract.interfaces import valid_ones
from synthgen.core.columns import integer_column, integer_values, table_column
from synthgen.core.errors import ParamError
from synthgen.dataset.manifest import Manifest, SourceRecord, SplitRecord
from synthgen.dataset.records import NoiseRecord
from synthgen.draws.randomness import Rows
from synthgen.engine.make.noise import with_noise
from synthgen.engine.make.recorded import recorded_source
from synthgen.engine.make.rows import render_table
from synthgen.engine.plan.sources import PlannedSource, with_computed

MIN_ROWS = 300
"""Rows of each split that are made again at least: enough to notice 2 % of false ones."""
_CONFIDENCE = 0.99
_FIRST = 16
"""Rows of the first group that is timed; each further one is at most as large as all before it."""
_SEED_BITS = 63


class RecordedSource:
    """A source as it was when the dataset was built, if it is installed in that version."""

    def __init__(self, manifest: Manifest, record: SourceRecord) -> None:
        self.record = record
        self._manifest = manifest

    @cached_property
    def planned(self) -> PlannedSource | str:
        """Source for drawing rows, its kernels loaded; or why it would draw other rows."""
        source = recorded_source(self._manifest, self.record)
        if isinstance(source, PlannedSource):
            problems = source.generator.draw(Rows(source.stream, np.zeros(1, np.uint64)))
            try:
                with_computed(problems, source.generator, source.computed)
            except ParamError as error:
                return f"its computed axes cannot be recreated: {error}"
        return source


@dataclass(frozen=True, slots=True)
class FalseRows:
    """Rows that their addresses do not give, by their positions, and how they differ."""

    positions: NDArray[np.int64]
    why: str


class Regeneration:
    """Chooses rows of a dataset, makes them again, and counts them.

    Args:
        manifest: Manifest of the dataset.
        rows: Rows of each split; None for as many as take as long as their other checks.
        seed: Seed of the choice; None for the system's randomness.

    Attributes:
        seed: Seed of the choice, which makes it again.
        rows: Number of rows made so far.
    """

    def __init__(self, manifest: Manifest, rows: int | None, seed: int | None) -> None:
        self.seed = randbits(_SEED_BITS) if seed is None else seed
        self.rows = 0
        self._wanted = rows
        self._lowest: dict[str, float] = {}  # share of a source's rows in a batch, by split
        self._axes = {name: axis.as_axis() for name, axis in manifest.axes.items()}
        self._random = np.random.default_rng(self.seed)

    def noticed_share(self, split: SplitRecord) -> float:
        """Return the share of false rows of a split that is noticed with 99 % probability."""
        rate = self._lowest.get(split.name, 1.0)
        if rate >= 1:
            return 0.0
        # All false rows may be where the fewest are made again.
        rows = math.log(1 - _CONFIDENCE) / math.log1p(-rate) if rate else math.inf
        return min(1.0, rows / split.rows)

    def false_rows(
        self, source: PlannedSource, table: pa.Table, split: SplitRecord, seconds: float
    ) -> Iterator[FalseRows]:
        """Make some rows of a source again, and yield those that differ.

        Args:
            source: Source of the rows.
            table: Rows of a batch that are of this source.
            split: Their split.
            seconds: CPU time of their other checks.
        """
        total = table.num_rows
        order = self._random.permutation(total)
        wanted = MIN_ROWS if self._wanted is None else self._wanted
        fewest = min(total, math.ceil(total * min(1.0, wanted / split.rows)))
        done, began = 0, thread_time()
        while done < total:
            spent = thread_time() - began
            if done >= fewest and (self._wanted is not None or spent >= seconds):
                break
            size = fewest - done if done < fewest else self._next(done, spent, seconds)
            chosen = np.sort(order[done : done + size])
            stored = table.take(integer_column(chosen))
            yield from self._compare(source, stored, chosen, split.noise)
            done += len(chosen)
        self.rows += done
        if total:
            rate = min(self._lowest.get(split.name, 1.0), done / total)
            self._lowest[split.name] = rate

    @staticmethod
    def _next(done: int, spent: float, seconds: float) -> int:
        """Return how many rows to make next, so that they take at most the time that is left."""
        if not done or not spent:
            return max(_FIRST, done)
        return max(1, min(done, int(done * (seconds - spent) / spent)))

    def _compare(
        self,
        source: PlannedSource,
        stored: pa.Table,
        positions: NDArray[np.int64],
        noise: NoiseRecord | None,
    ) -> Iterator[FalseRows]:
        """Yield the rows that differ from those that their addresses give."""
        addresses = integer_values(table_column(stored, "address"))
        space = source.generator.space
        exists = np.full(len(addresses), True) if space is None else addresses < space
        problems = source.generator.draw(Rows(source.stream, addresses[exists]))
        exists[exists] = problems.valid
        if not exists.all():
            yield FalseRows(positions[~exists], "the address gives no row")
        made = render_table(source, valid_ones(problems), self._axes)
        made = with_noise(made, source, noise) if noise else made
        made = made.select(stored.schema.names).cast(stored.schema)
        stored, positions = stored.take(integer_column(np.flatnonzero(exists))), positions[exists]
        for column in stored.schema.names:
            old, new = table_column(stored, column), table_column(made, column)
            if old.equals(new):
                continue
            pairs = zip(old.to_pylist(), new.to_pylist(), strict=True)
            differs = np.array([one != other for one, other in pairs], bool)
            yield FalseRows(positions[differs], f"the address gives another row: {column} differs")
