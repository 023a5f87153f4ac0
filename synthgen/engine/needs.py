"""Memory, disk and time that a large build needs, estimated from a few rows before it starts."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from synthgen.core.errors import OutputError
from synthgen.core.memory import available_memory
from synthgen.dataset.membership import Membership
from synthgen.dataset.row_schema import row_schema
from synthgen.dataset.shards import write_shard
from synthgen.draws.randomness import Rows
from synthgen.engine.make.materialise import make_rows
from synthgen.engine.plan.plan import Plan

LARGE = 10_000_000
"""Rows from which a build is estimated."""
_MAX_SOURCES = 8
_FEW, _MANY = 32, 10_000
"""Addresses of a small sample of each source, which has the bytes of a file that do not grow with
its rows, and of a large one, unless that takes over a second."""
_SELECTED, _CAPPED, _RECORDED = 12, 12, 2
"""Fewest bytes of a selected row: in memory, in memory for a cap, and in its record."""
_DAY, _HOUR = 86_400, 3_600


@dataclass(frozen=True, slots=True)
class Needs:
    """What a build needs, about.

    Attributes:
        memory: Bytes of the process that selects.
        disk: Bytes of the dataset.
        seconds: Seconds of one process.
    """

    memory: int
    disk: int
    seconds: float


def check_needs(plan: Plan, folder: Path | str, workers: int, *, with_data: bool) -> None:
    """Refuse a large build whose memory or disk cannot suffice.

    Raises:
        OutputError: with memory, disk and time.
    """
    rows = sum(split.spec.rows for split in plan.splits)
    if rows < LARGE:
        return
    needs = _needs(plan, rows, with_data=with_data)
    memory, disk = available_memory(), _free_disk(folder)
    if needs.memory <= (memory or needs.memory) and needs.disk <= (disk or needs.disk):
        return
    msg = (
        f"{plan.draft.path}: {rows:,} rows need about {_size(needs.memory, 'memory', memory)}, "
        f"{_size(needs.disk, f'disk for {folder}', disk)} and {_time(needs.seconds / workers)} "
        f"of {workers} processes; ask for fewer rows, or start anyway with --yes"
    )
    raise OutputError(msg)


def _needs(plan: Plan, rows: int, *, with_data: bool) -> Needs:
    each = _SELECTED + _CAPPED * any(split.spec.cap for split in plan.splits)
    samples = np.array([*_samples(plan)])
    size, seconds = samples.mean(axis=0) if len(samples) else (0.0, 0.0)
    disk = rows * (_RECORDED + size * with_data)
    return Needs(rows * each, int(disk), float(rows * seconds))


def _samples(plan: Plan) -> Iterator[tuple[float, float]]:
    """Yield the bytes and seconds of a row of some sources that have any."""
    sources = [*plan.proposing][:: -(-len(plan.proposing) // _MAX_SOURCES)]
    for index in sources:
        with TemporaryDirectory(prefix="synthgen-") as made:
            path = Path(made, "sample.parquet")
            _sample(plan, index, _FEW, path)  # compiles kernels
            rows, size, seconds = _sample(plan, index, _FEW, path)
            count = min(_MANY, max(2 * _FEW, int(_FEW / seconds)))
            more, larger, seconds = _sample(plan, index, count, path)
        if more > rows:
            yield (larger - size) / (more - rows), seconds / more


def _sample(plan: Plan, index: int, count: int, path: Path) -> tuple[int, int, float]:
    """Make the rows at a source's first addresses: their number, bytes and seconds."""
    source = plan.sources[index]
    began = perf_counter()
    stop = min(count, source.generator.space or count)
    drawn = source.generator.draw(Rows.span(source.stream, 0, stop))
    addresses = drawn.rows.addresses[drawn.valid]
    members = Membership(np.full(len(addresses), index, np.uint16), addresses)
    table = make_rows(members, plan.sources, plan.row_axes, "sample")
    file = write_shard(
        path, row_schema(plan.row_axes, plan.picture), [table], plan.recipe.output.row_group
    )
    return file.rows, file.bytes, perf_counter() - began


def _free_disk(folder: Path | str) -> int | None:
    """Return the free bytes where a folder is or will be, None at a URL."""
    if isinstance(folder, str):
        return None
    above = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    return shutil.disk_usage(above).free


def _size(needed: int, what: str, there: int | None) -> str:
    free = "" if there is None else f" ({there / 1e9:,.1f} GB are free)"
    return f"{needed / 1e9:,.1f} GB of {what}{free}"


def _time(seconds: float) -> str:
    return f"{seconds / _DAY:,.0f} days" if seconds > 2 * _DAY else f"{seconds / _HOUR:,.1f} hours"
