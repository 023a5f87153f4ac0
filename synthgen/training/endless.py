"""Batches of new rows without end, made from numbered blocks of addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import pyarrow as pa

from synthgen.core.checks import check_choice, check_int
from synthgen.core.errors import ParamError
from synthgen.draws.streams import keyed_order, stream_key
from synthgen.training.forms import FORMS, Batch, converted

_KEYS = ("fingerprint", "batch", "rank", "world_size", "block", "row")
MAX_EMPTY = 1 << 12
"""Number of blocks without a row after which a split counts as empty."""


class Blocks(Protocol):
    """Numbered blocks of rows, each the same whenever it is read."""

    schema: pa.Schema
    fingerprint: str

    def block(self, number: int) -> pa.Table:
        """Return the rows of a block, from 0 on."""


class Endless(Iterator[Batch]):
    """Batches of the rows of numbered blocks; each rank has every world_size-th block.

    Args:
        blocks: Blocks.
        batch: Rows of a batch.
        form: Form of a batch: "arrow" (a table), "dicts" (a list) or "numpy" (a dict of arrays).
        rank, world_size: Number of this process, and how many processes share the blocks.

    Attributes:
        blocks, rank, world_size: Arguments as given.
        block, row: Place of the next row, in the shuffled block.

    Raises:
        ParamError: for an option that is not as expected.
    """

    def __init__(
        self,
        blocks: Blocks,
        batch: int = 256,
        form: str = "arrow",
        rank: int = 0,
        world_size: int = 1,
    ) -> None:
        check_int("batch", batch, 1, 2**31)
        check_choice("form", form, FORMS)
        check_int("world_size", world_size, 1, 2**31)
        check_int("rank", rank, 0, world_size - 1)
        self.blocks, self._batch, self._form = blocks, batch, form
        self.rank, self.world_size = rank, world_size
        self.block, self.row = rank, 0
        self._held: tuple[int, pa.Table] | None = None

    def __next__(self) -> Batch:
        parts, missing, empty = [self.blocks.schema.empty_table()], self._batch, 0
        while missing:
            table = self._shuffled(self.block)
            part = table.slice(self.row, missing)
            parts.append(part)
            missing -= part.num_rows
            self.row += part.num_rows
            empty = 0 if table.num_rows else empty + 1
            if empty == MAX_EMPTY:
                raise ParamError("split", self.blocks.fingerprint, "a row in thousands of blocks")
            if self.row >= table.num_rows:
                self.block, self.row = self.block + self.world_size, 0
        return converted(pa.concat_tables(parts), self._form)

    def _shuffled(self, number: int) -> pa.Table:
        """Return a block in a keyed order, so that sources alternate."""
        if self._held is None or self._held[0] != number:
            table = self.blocks.block(number)
            order = keyed_order(stream_key(0, "block", number), table.num_rows)
            self._held = number, table.take(pa.array(order))
        return self._held[1]

    def state_dict(self) -> dict[str, Any]:
        """Return the place of this rank, as values for JSON."""
        return {
            "fingerprint": self.blocks.fingerprint,
            "batch": self._batch,
            "rank": self.rank,
            "world_size": self.world_size,
            "block": self.block,
            "row": self.row,
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Move to a recorded place.

        Raises:
            ParamError: if it belongs to another recipe, rank or number of ranks. These may change
                by starting every rank `at` a block that none has reached.
        """
        if not isinstance(state, Mapping) or {*state} != {*_KEYS}:
            raise ParamError("state", state, f"the keys {', '.join(_KEYS)}")
        here = self.state_dict()
        for name in ("fingerprint", "rank", "world_size"):
            if state[name] != here[name]:
                what = f"state: {name}"
                raise ParamError(what, state[name], f"{here[name]!r}, as here")
        self.at(state["block"], state["row"])

    def at(self, block: int, row: int = 0) -> None:
        """Move this rank to a row of the first of its blocks that is not before `block`.

        Raises:
            ParamError: for a negative number, or a row of a block that another rank has.
        """
        check_int("block", block, 0, 2**50)
        first = block + (self.rank - block) % self.world_size
        check_int("row", row, 0, 2**31 if first == block else 0)
        self.block, self.row = first, row
