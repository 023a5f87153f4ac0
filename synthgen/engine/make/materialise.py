"""MATERIALISE: one shard is one task; draw its addresses again, render, verify, write.

A shard is made in chunks of whole row groups, so memory does not depend on its size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from secrets import token_hex

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.contract.registry import load_verifier
from synthgen.core.columns import integer_column, table_column
from synthgen.core.errors import VerificationError
from synthgen.core.images import statements
from synthgen.dataset.membership import Membership
from synthgen.dataset.records import NoiseRecord, ShardRecord
from synthgen.dataset.row_schema import row_schema
from synthgen.dataset.shards import write_shard
from synthgen.engine.make.kept import Kept, with_room
from synthgen.engine.make.noise import with_noise
from synthgen.engine.make.rows import joined
from synthgen.engine.plan.sources import PlannedSource, picture_of
from synthgen.formats.read_back import FormattedVerifier
from synthgen.rules.axes import Axis

_CHUNK_ROWS = 50_000
_MAX_SHOWN = 3


@dataclass(frozen=True, slots=True)
class ShardTask:
    """One shard of one split.

    Attributes:
        file: Final path, relative to the dataset folder.
        path: Temporary file to write.
        start: Position of its first row in the split.
        members: Rows of the shard in order.
        beyond: Rows after these that complete its last block of hashed content.
        axes: Columns after those that every dataset has.
        kept: Rows that were kept when they were proposed.
        noise: Rows of the split that are wrong on purpose; None without a column for them.
    """

    split: str
    file: str
    path: Path
    start: int
    members: Membership
    beyond: Membership
    sources: tuple[PlannedSource, ...]
    axes: Mapping[str, Axis]
    row_group: int
    kept: Kept
    noise: NoiseRecord | None = None


def materialise(task: ShardTask) -> tuple[Path, ShardRecord]:
    """Make and write one shard; return where it is, and its record.

    If the disk is full, it is written again without the kept rows. A cluster may run a
    task twice at the same time, so each writes a file of its own.

    Raises:
        VerificationError: with the rows that a verifier rejects.
        OutputError: if the disk is full or cannot be written.
    """
    path = task.path.with_name(f"{token_hex(4)}-{task.path.name}")
    return path, with_room(path.parent, lambda: _write(replace(task, path=path)))


def _write(task: ShardTask) -> ShardRecord:
    def tables() -> Iterator[pa.Table]:
        step = max(1, _CHUNK_ROWS // task.row_group) * task.row_group
        for start in range(0, len(task.members), step):
            yield made(task.members.take(slice(start, start + step)))

    def made(members: Membership) -> pa.Table:
        return make_rows(members, task.sources, task.axes, task.split, task.kept, task.noise)

    file = write_shard(
        task.path,
        row_schema(task.axes, picture_of(task.sources), noisy=task.noise is not None),
        tables(),
        task.row_group,
        task.start,
        lambda: made(task.beyond),
    )
    return ShardRecord(task.file, **asdict(file), verified=file.rows)


def make_rows(
    members: Membership,
    sources: Sequence[PlannedSource],
    axes: Mapping[str, Axis],
    split: str,
    kept: Kept | None = None,
    noise: NoiseRecord | None = None,
) -> pa.Table:
    """Make verified rows in memory; rows that are wrong on purpose are proven wrong.

    Arguments are those of a `ShardTask`; without `kept`, every row is drawn.

    Raises:
        VerificationError: with the rows that a verifier rejects.
    """
    kept = kept or Kept(sources, axes)
    parts, places = [], []
    for index in np.unique(members.sources):
        where = np.flatnonzero(members.sources == index)
        source, addresses = sources[index], members.addresses[where]
        rows = kept.rows(int(index), addresses)
        _check(rows, source.generator.verifier, split)
        if noise:
            rows = with_noise(rows, source, noise)
        parts.append(rows)
        places.append(where)
    if not parts:
        return row_schema(axes, picture_of(sources), noisy=noise is not None).empty_table()
    return parts[0] if len(parts) == 1 else joined(parts, places)


def _check(table: pa.Table, name: str, split: str) -> None:
    """Check rows by a verifier."""
    verifier = load_verifier(name)
    prompts, answers = statements(table), table_column(table, "answer")
    solutions = table_column(table, "solution")
    none = solutions.null_count == len(solutions)
    right = verifier.check(prompts, answers, None if none else solutions)
    _refuse(table, np.flatnonzero(~right), split, "the verifier")
    if isinstance(verifier, FormattedVerifier):
        _refuse(table, np.flatnonzero(~verifier.shows(table)), split, "the reader of formats")


def _refuse(table: pa.Table, wrong: NDArray[np.int64], split: str, checker: str) -> None:
    """Raise an error that shows the first of these rows, if there are any."""
    if not len(wrong):
        return
    shown = table.take(integer_column(wrong[:_MAX_SHOWN])).to_pylist()
    fields = ("source", "address", "template", "prompt", "answer", "solution", "derivation")
    rows = "\n".join(
        "\n".join(f"  {field}: {row[field]!r}" for field in fields) + "\n" for row in shown
    )
    msg = f"split {split!r}: {checker} rejects {len(wrong):,} rows, among them\n{rows}"
    raise VerificationError(msg.rstrip())
