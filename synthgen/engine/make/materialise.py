"""MATERIALISE: one shard is one task; draw its addresses again, render, verify, write.

A shard is made in chunks of whole row groups, so memory does not depend on its size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import integer_column, integer_values, table_column
from synthgen.core.content import keys_of_ids
from synthgen.core.contract import Axis
from synthgen.core.errors import VerificationError
from synthgen.core.registry import load_verifier
from synthgen.dataset.membership import Membership
from synthgen.dataset.records import ShardRecord
from synthgen.dataset.schema import row_schema
from synthgen.dataset.shards import write_shard
from synthgen.engine.make.row_tables import RowTable, draw_table
from synthgen.engine.make.sample import stratified_sample
from synthgen.engine.make.spill import read_or_draw, spills_of, with_room
from synthgen.engine.plan.sources import PlannedSource

_CHUNK_ROWS = 50_000
_MOST_SHOWN = 3


@dataclass(frozen=True, slots=True)
class ShardTask:
    """One shard of one split.

    Attributes:
        file: final path, relative to the dataset folder.
        path: temporary file to write.
        members: its rows in order.
        axes: columns after those that every dataset has.
        symbolic: share of rows for the symbolic check.
        spilled_in: folder of rows that were spilled when they were proposed.
    """

    split: str
    file: str
    path: Path
    members: Membership
    sources: tuple[PlannedSource, ...]
    axes: Mapping[str, Axis]
    row_group: int
    symbolic: float
    spilled_in: Path


def materialise(task: ShardTask) -> tuple[Path, ShardRecord]:
    """Make and write one shard; return where it is, and its record.

    If the disk is full, it is written again without the rows that were spilled.

    Raises:
        VerificationError: with the rows that a verifier rejects.
        OutputError: if the disk is full or cannot be written.
    """
    return task.path, with_room(task.spilled_in, lambda: _write(task))


def _write(task: ShardTask) -> ShardRecord:
    rows = symbolic = 0

    def tables() -> Iterator[pa.Table]:
        nonlocal rows, symbolic
        step = max(1, _CHUNK_ROWS // task.row_group) * task.row_group
        for start in range(0, len(task.members), step):
            chunk = slice(start, start + step)
            table, checked = make_rows(
                task.members.take(chunk),
                task.sources,
                task.axes,
                task.symbolic,
                task.split,
                task.spilled_in,
            )
            rows += table.num_rows
            symbolic += checked
            yield table

    file = write_shard(task.path, row_schema(task.axes), tables(), task.row_group)
    return ShardRecord(task.file, **asdict(file), verified=rows, symbolic=symbolic)


def make_rows(
    members: Membership,
    sources: Sequence[PlannedSource],
    axes: Mapping[str, Axis],
    symbolic: float,
    split: str,
    spilled_in: Path | None = None,
) -> tuple[pa.Table, int]:
    """Make verified rows in memory, and count those that were checked symbolically.

    Args:
        members: rows to make, in order.
        sources: sources of the recipe.
        axes: columns after those that every dataset has.
        symbolic: share of rows for the symbolic check.
        split: name for error messages.
        spilled_in: folder of rows that were spilled when they were proposed, if any.

    Raises:
        VerificationError: with the rows that a verifier rejects.
    """
    spills = spills_of(spilled_in, sources, axes) if spilled_in else {}
    parts, places = [], []
    checked = 0
    for index in np.unique(members.sources):
        where = np.flatnonzero(members.sources == index)
        source, addresses = sources[index], members.addresses[where]
        spill = spills.get(int(index))
        rows = read_or_draw(spill, addresses) if spill else draw_table(source, addresses, axes)
        part = _checked(source, rows, symbolic, split)
        parts.append(part[0])
        places.append(where)
        checked += part[1]
    if len(parts) == 1:
        return parts[0], checked
    order = np.argsort(np.concatenate(places), kind="stable")
    return pa.concat_tables(parts).unify_dictionaries().take(integer_column(order)), checked


def _checked(
    source: PlannedSource, rows: RowTable, symbolic: float, split: str
) -> tuple[pa.Table, int]:
    table = rows.table
    prompts, answers = table_column(table, "prompt"), table_column(table, "answer")
    solutions = table_column(table, "solution")
    verifier = load_verifier(source.generator.verifier)
    none = solutions.null_count == len(solutions)
    right = rows.valid & verifier.check(prompts, answers, None if none else solutions)
    _refuse(table, np.flatnonzero(~right), split, "the verifier")
    if not verifier.has_oracle:
        return table, 0
    sample = stratified_sample(
        table_column(table, "template"),
        integer_values(table_column(table, "difficulty")),
        keys_of_ids(table_column(table, "id")),
        symbolic,
    )
    chosen = integer_column(sample)
    agrees = verifier.symbolic(prompts.take(chosen), answers.take(chosen))
    _refuse(table, sample[~agrees], split, "the oracle")
    return table, len(sample)


def _refuse(table: pa.Table, wrong: NDArray[np.int64], split: str, checker: str) -> None:
    """Raise an error that shows the first of these rows, if there are any."""
    if not len(wrong):
        return
    shown = table.take(integer_column(wrong[:_MOST_SHOWN])).to_pylist()
    fields = ("source", "address", "template", "prompt", "answer", "solution", "derivation")
    rows = "\n".join(
        "\n".join(f"  {field}: {row[field]!r}" for field in fields) + "\n" for row in shown
    )
    msg = f"split {split!r}: {checker} rejects {len(wrong):,} rows, among them\n{rows}"
    raise VerificationError(msg.rstrip())
