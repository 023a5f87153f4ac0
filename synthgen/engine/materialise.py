"""MATERIALISE: one shard is one task; draw its addresses again, render, verify, write.

A shard is made in chunks of whole row groups, so its size does not change how much memory it takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import choice_text, constant_text, integer_column
from synthgen.core.content import id_column
from synthgen.core.contract import Axis, Problems, Texts
from synthgen.core.derivation import derivation_text
from synthgen.core.errors import VerificationError
from synthgen.core.randomness import Rows
from synthgen.core.registry import load_verifier
from synthgen.dataset.membership import Membership
from synthgen.dataset.schema import axis_type, row_schema
from synthgen.dataset.shards import ShardFile, write_shard
from synthgen.engine.plan import PlannedSource
from synthgen.engine.sample import stratified_sample

_CHUNK_ROWS = 50_000
_MOST_SHOWN = 3


@dataclass(frozen=True, slots=True)
class ShardTask:
    """One shard of one split.

    Attributes:
        name: file name it will have.
        path: temporary file to write.
        members: its rows in order.
        axes: columns after those that every dataset has.
        symbolic: share of rows for the symbolic check.
    """

    split: str
    name: str
    path: Path
    members: Membership
    sources: tuple[PlannedSource, ...]
    axes: Mapping[str, Axis]
    row_group: int
    symbolic: float


@dataclass(frozen=True, slots=True)
class ShardResult:
    """A written shard; `verified` and `symbolic` count the rows that passed each check."""

    split: str
    name: str
    path: Path
    file: ShardFile
    verified: int
    symbolic: int


def materialise(task: ShardTask) -> ShardResult:
    """Make and write one shard.

    Raises:
        VerificationError: with the rows that a verifier rejects.
        OutputError: if the disk is full or cannot be written.
    """
    counts = {"verified": 0, "symbolic": 0}

    def tables() -> Iterator[pa.Table]:
        step = max(1, _CHUNK_ROWS // task.row_group) * task.row_group
        for start in range(0, len(task.members), step):
            chunk = slice(start, start + step)
            table, symbolic = make_rows(
                task.members.take(chunk), task.sources, task.axes, task.symbolic, task.split
            )
            counts["verified"] += table.num_rows
            counts["symbolic"] += symbolic
            yield table

    file = write_shard(task.path, row_schema(task.axes), tables(), task.row_group)
    return ShardResult(task.split, task.name, task.path, file, **counts)


def make_rows(
    members: Membership,
    sources: Sequence[PlannedSource],
    axes: Mapping[str, Axis],
    symbolic: float,
    split: str,
) -> tuple[pa.Table, int]:
    """Make verified rows in memory, and count those that were checked symbolically.

    Args:
        members: which rows, in order.
        sources: of the recipe.
        axes: columns after those that every dataset has.
        symbolic: share of rows for the symbolic check.
        split: named in an error.

    Raises:
        VerificationError: with the rows that a verifier rejects.
    """
    parts, places = [], []
    checked = 0
    for index in np.unique(members.sources):
        where = np.flatnonzero(members.sources == index)
        part = _rows_of_source(sources[index], members.addresses[where], axes, symbolic, split)
        parts.append(part[0])
        places.append(where)
        checked += part[1]
    if len(parts) == 1:
        return parts[0], checked
    order = np.argsort(np.concatenate(places), kind="stable")
    return pa.concat_tables(parts).unify_dictionaries().take(integer_column(order)), checked


def _rows_of_source(
    source: PlannedSource,
    addresses: NDArray[np.uint64],
    axes: Mapping[str, Axis],
    symbolic: float,
    split: str,
) -> tuple[pa.Table, int]:
    rows = Rows(source.stream, addresses)
    problems = source.generator.draw(rows)
    texts = source.generator.render(problems, source.style)
    table = pa.table(_columns(source, problems, texts, axes))
    verifier = load_verifier(source.generator.verifier)
    right = verifier.check(texts.prompts, texts.answers, texts.solutions)
    _refuse(table, ~(right & problems.valid), split, "the verifier")
    sample = stratified_sample(texts.templates, problems.difficulty, problems.keys, symbolic)
    chosen = integer_column(sample)
    agrees = verifier.symbolic(texts.prompts.take(chosen), texts.answers.take(chosen))
    _refuse(table.take(chosen), ~agrees, split, "the symbolic check")
    return table, len(sample)


def _columns(
    source: PlannedSource, problems: Problems, texts: Texts, axes: Mapping[str, Axis]
) -> dict[str, pa.Array]:
    n = len(problems)
    solutions = texts.solutions if texts.solutions is not None else pa.nulls(n, pa.string())
    columns = {
        "id": id_column(problems.keys),
        "prompt": texts.prompts,
        "answer": texts.answers,
        "answer_type": texts.answer_types,
        "solution": solutions,
        "task": constant_text(source.task, n),
        "template": texts.templates,
        "derivation": derivation_text(problems.derivations, source.generator.signature),
        "difficulty": integer_column(problems.difficulty),
        "source": constant_text(source.name, n),
        "address": integer_column(problems.rows.addresses),
    }
    for name, axis in axes.items():
        columns[name] = _axis_column(source, problems, name, axis)
    return columns


def _axis_column(source: PlannedSource, problems: Problems, name: str, axis: Axis) -> pa.Array:
    kind = axis_type(axis)
    if name not in problems.axes:
        return pa.nulls(len(problems), kind)
    if axis.values:
        own = source.generator.axes[name].values
        return choice_text(problems.axes[name], own).dictionary_decode()
    return integer_column(problems.axes[name]).cast(kind)


def _refuse(table: pa.Table, wrong: NDArray[np.bool_], split: str, judge: str) -> None:
    """Raise an error that shows the first wrong rows."""
    if not wrong.any():
        return
    shown = table.take(integer_column(np.flatnonzero(wrong)[:_MOST_SHOWN])).to_pylist()
    fields = ("source", "address", "template", "prompt", "answer", "solution", "derivation")
    rows = "\n".join(
        "\n".join(f"  {field}: {row[field]!r}" for field in fields) + "\n" for row in shown
    )
    msg = f"split {split!r}: {judge} rejects {int(wrong.sum()):,} rows, among them\n{rows}"
    raise VerificationError(msg.rstrip())
