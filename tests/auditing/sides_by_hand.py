"""Sides of a few rows written by hand, for blocks whose numbers are worked out on paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from synthgen.auditing.blocks import Block, BlockTable
from synthgen.coverage.inputs import Declarations, Side, Sides


def side(
    name: str, rows: Sequence[dict[str, Any]], declared: Declarations | None = None, batch: int = 3
) -> Side:
    """Return a side of these rows, given in batches of a few."""
    table = pa.Table.from_pylist(list(rows))

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        yield from table.select(columns).to_batches(max_chunksize=batch)

    return Side(name, len(rows), frozenset(table.schema.names), batches, declared or Declarations())


def sides(train: Sequence[dict[str, Any]], *tests: Sequence[dict[str, Any]]) -> Sides:
    """Return train and the splits test_0, test_1 ..."""
    others = tuple(side(f"test_{i}", rows) for i, rows in enumerate(tests))
    return Sides(side("train", train), others)


def trees(*texts: str) -> list[dict[str, Any]]:
    """Return rows whose prompts are their structures."""
    return [{"prompt": text, "answer": "0", "derivation": text} for text in texts]


def table(block: Block, title: str) -> BlockTable:
    """Return the table of a block whose title begins so."""
    return next(each for each in block.tables if each.title.startswith(title))


def by_key(blocks: Sequence[Block]) -> dict[str, Block]:
    """Return blocks by their keys."""
    return {block.key: block for block in blocks}
