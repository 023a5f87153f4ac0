"""Compare two datasets: what one covers that the other lacks, and which rows they share.

Each side is a synthgen dataset or a file of prompts, such as a benchmark. Structures are compared
if both sides have them, otherwise the words of prompts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthgen import __version__
from synthgen.audit.blocks import FLAG, INFO, OK, Block, BlockTable, Cell
from synthgen.audit.findings import MOST_EXAMPLES, Check, Overlap, Report
from synthgen.audit.foreign import Measuring
from synthgen.audit.foreign_counts import SideCounts, count_side
from synthgen.audit.foreign_identity import MEANINGS, distinct_keys, examples, shared_rows
from synthgen.audit.foreign_kept import kept
from synthgen.audit.foreign_near import Near, near_block, near_duplicates
from synthgen.audit.foreign_novelty import atoms_block, find_novelty, tiers_block
from synthgen.audit.foreign_readers import Reader, SequenceReader, reader_of, words_reader
from synthgen.audit.foreign_sides import Reading, Side, side_of_dataset, side_of_files
from synthgen.audit.metrics import CellValues, cell_counts, cell_order
from synthgen.core.errors import DatasetError, ParamError, UnknownNameError
from synthgen.coverage.id_counts import IdCounts
from synthgen.coverage.templates import Level
from synthgen.dataset.reader import Dataset, open_dataset


@dataclass(frozen=True, slots=True)
class Given:
    """One side as the user specifies it.

    Attributes:
        path: folder of a dataset, or file.
        splits: splits of a dataset; empty for all.
        reading: options for reading a file.
    """

    path: Path
    splits: tuple[str, ...] = ()
    reading: Reading = field(default_factory=lambda: Reading(answers="none"))


@dataclass(frozen=True, slots=True)
class Opened:
    """A side, and its dataset if it is a synthgen dataset."""

    side: Side
    dataset: Dataset | None
    splits: tuple[str, ...]


def open_both(one: Given, other: Given) -> tuple[Opened, Opened]:
    """Open two sides under different names; ids are used only if both are synthgen datasets.

    Raises:
        ParamError: for splits of a file.
        UnknownNameError: for a split that a dataset does not have.
        DatasetError: for a folder that is not a finished dataset, or an unreadable file.
    """
    names = _names(one, other)
    both_datasets = one.path.is_dir() and other.path.is_dir()
    opened = [
        _open(name, given, with_ids=both_datasets)
        for name, given in zip(names, (one, other), strict=True)
    ]
    return opened[0], opened[1]


def common_reader(a: Side, b: Side, measuring: Measuring) -> tuple[Reader, str]:
    """Return a reader for both sides, and the reason if it does not read structures."""
    if not (a.has_structures and b.has_structures):
        with_trees = [side.name for side in (a, b) if side.has_structures]
        why = f"; only {with_trees[0]} has a structure column" if with_trees else ""
        bare = [replace(side, has_structures=False) for side in (a, b)]
        return reader_of(bare[0], None, measuring.tokens), why
    readers = [reader_of(side, measuring.form, measuring.tokens) for side in (a, b)]
    sequences = [isinstance(reader, SequenceReader) for reader in readers]
    if sequences[0] != sequences[1]:
        return words_reader(), "; one side has trees, the other tokens"
    return readers[0], ""


def _open(name: str, given: Given, *, with_ids: bool) -> Opened:
    if given.path.is_dir():
        dataset = open_dataset(given.path)
        splits = given.splits or dataset.splits
        side = side_of_dataset(name, dataset, given.splits, with_ids=with_ids)
        return Opened(side, dataset, splits)
    if given.splits:
        raise ParamError(
            "splits", ", ".join(given.splits), f"none of {given.path}, which is a file"
        )
    return Opened(side_of_files(name, [given.path], given.reading), None, ())


def _names(one: Given, other: Given) -> Sequence[str]:
    """Return short names that distinguish the sides."""
    for short in (True, False):
        names = [_name(given, short=short) for given in (one, other)]
        if names[0] != names[1]:
            return names
    return [f"{label}: {name}" for label, name in zip("AB", names, strict=True)]


def _name(given: Given, *, short: bool) -> str:
    name = given.path.resolve().name if short else str(given.path)
    return f"{name}:{','.join(given.splits)}" if given.splits else name


MOST_AXES = 12
MOST_VALUES = 64
"""Axes with more values in total are skipped: all their pairs would be new."""
MOST_SHOWN = 20

_SIZES = ("values", "pairs of values")
_Frames = tuple[pl.LazyFrame, pl.LazyFrame]


@dataclass(frozen=True, slots=True)
class CellDifference:
    """Cells over some axes: of A, of B, and those of B that A lacks with their rows."""

    axes: tuple[str, ...]
    of_a: int
    of_b: int
    only_b: Mapping[CellValues, int]


def cells_block(a: Opened, b: Opened) -> Block | None:
    """Return the values and value pairs that B covers and A lacks; None without common axes."""
    if a.dataset is None or b.dataset is None:
        return None
    frames = _frame(a), _frame(b)
    axes = _common_axes(a, b, frames)
    if not axes:
        return None
    found = list(_differences(frames, axes))
    counts: list[tuple[Cell, ...]] = []
    for t in (1, 2):
        of_t = [each for each in found if len(each.axes) == t]
        if of_t:
            missing, cells = sum(len(d.only_b) for d in of_t), sum(d.of_b for d in of_t)
            share = round(missing / cells, 6) if cells else 0.0
            counts.append((t, len(of_t), sum(d.of_a for d in of_t), cells, missing, share))
    ranked = sorted(
        ((rows, each.axes, cell) for each in found for cell, rows in each.only_b.items()),
        key=lambda item: (len(item[1]), -item[0], item[1], cell_order(item[2])),
    )
    shown = tuple(
        (", ".join(f"{axis}={value}" for axis, value in zip(names, cell, strict=True)), rows)
        for rows, names, cell in ranked[:MOST_SHOWN]
    )
    columns = (
        "axes per cell",
        "axis combinations",
        "cells in A",
        "cells in B",
        "only in B",
        "share of B",
    )
    tables = [BlockTable(f"Cells of {', '.join(axes)}", columns, tuple(counts))]
    if shown:
        title = f"First {MOST_SHOWN} cells of {b.side.name} missing from {a.side.name}"
        tables.append(BlockTable(title, ("cell", "rows"), shown))
    missing_of = [f"{row[4]:,} of the {row[3]:,} {_SIZES[t]}" for t, row in enumerate(counts)]
    text = f"{a.side.name} lacks {' and '.join(missing_of)} in {b.side.name}."
    return Block("cells", "Cells of axes", INFO, text, tuple(tables))


def _frame(opened: Opened) -> pl.LazyFrame:
    """Return the rows of a dataset's splits."""
    paths = list(opened.side.files)
    if not paths and opened.dataset is not None:
        return pl.DataFrame(pl.from_arrow(opened.dataset.schema.empty_table())).lazy()
    return pl.scan_parquet(paths, glob=False, hive_partitioning=False)


def _common_axes(a: Opened, b: Opened, frames: _Frames) -> list[str]:
    """Return the first common axes of the same type with few values, in the order of A."""
    if a.dataset is None or b.dataset is None:
        return []
    axes = [name for name in a.dataset.manifest.axes if name in b.dataset.manifest.axes]
    types = [frame.collect_schema() for frame in frames]
    alike = [name for name in axes if _is_text(types[0][name]) == _is_text(types[1][name])]
    few = [name for name in alike if 0 < _values(frames, name) <= MOST_VALUES]
    return few[:MOST_AXES]


def _is_text(kind: Any) -> bool:
    return bool(kind == pl.String)


def _values(frames: _Frames, axis: str) -> int:
    """Return the number of values of an axis in both, counted to just above MOST_VALUES."""
    found: set[Any] = set()
    for frame in frames:
        values = frame.select(pl.col(axis).drop_nulls().unique()).head(MOST_VALUES + 1)
        found |= set(values.collect(engine="streaming")[axis].to_list())
    return len(found)


def _differences(frames: _Frames, axes: Sequence[str]) -> Iterator[CellDifference]:
    for t in (1, 2):
        for names in combinations(axes, t):
            of_a, of_b = (cell_counts(frame.drop_nulls(list(names)), names) for frame in frames)
            only = {cell: rows for cell, rows in of_b.items() if cell not in of_a}
            yield CellDifference(names, len(of_a), len(of_b), only)


LEVELS = tuple(MEANINGS)
FAIL_ON = (Level.EXACT, Level.NORMALISED, Level.CANONICAL)
"""Levels at which a shared row counts as contamination by default."""

_Flags = NDArray[np.bool_]
_Shared = Mapping[Level, _Flags]


def compare(
    one: Given, other: Given, measuring: Measuring, *, fail_on: Sequence[str] | None = None
) -> Report:
    """Compare side B, `other`, with side A, `one`.

    Args:
        one: side A, such as a model's training data.
        other: side B, such as a benchmark, or a later dataset.
        measuring: definition of structures.
        fail_on: labels of the levels, L0 to L4, at which no row may be shared.

    Returns:
        A report with one check for each of these levels that both sides have.

    Raises:
        UnknownNameError: for an unknown level or split.
        DatasetError: for a folder that is not a finished dataset, or an unreadable file.
    """
    wanted = _levels(fail_on)
    opened_a, opened_b = open_both(one, other)
    a, b = (replace(each.side, parts=kept(each.side.parts)) for each in (opened_a, opened_b))
    reader, why = common_reader(a, b, measuring)
    of_a, of_b = (count_side(side, reader, fold_case=measuring.fold_case) for side in (a, b))
    for side, count in ((a, of_a), (b, of_b)):
        if not count.rows:
            msg = f"{side.name}: no rows: expected at least one"
            raise DatasetError(msg)
    shared = shared_rows(of_a, of_b), shared_rows(of_b, of_a)
    near = near_duplicates(a, of_a.rows, b), near_duplicates(b, of_b.rows, a)
    novelty = find_novelty(b, reader, of_a, shared[1])
    blocks = [
        _shared_block((of_a, of_b), shared, near, wanted),
        near_block(near, (a, b)),
        _coverage_block(of_a, of_b, reader.parts),
        atoms_block(of_a, [novelty], reader.symbol),
        tiers_block(of_a, [novelty]),
        cells_block(opened_a, opened_b),
        _provenance((a, b), (of_a, of_b), f"{reader.description}{why}"),
    ]
    return Report(
        name=f"{a.name} and {b.name}",
        fingerprint=_fingerprint((of_a, of_b)),
        checks=tuple(_checks(a, b, shared[1], near[1], wanted)),
        splits=(),
        overlaps=(_overlap(of_a, of_b, shared[1]),),
        blocks=tuple(_informed(block) for block in blocks if block is not None),
    )


def _levels(names: Sequence[str] | None) -> tuple[Level, ...]:
    if not names:
        return FAIL_ON
    known = {level.label: level for level in LEVELS}
    for name in names:
        if name not in known:
            raise UnknownNameError("level", name, list(known))
    return tuple(sorted({known[name] for name in names}))


def _checks(a: Side, b: Side, shared: _Shared, near: Near, wanted: Sequence[Level]) -> list[Check]:
    """Check that B shares no row with A at the wanted levels."""
    checks = []
    for level in wanted:
        if level is Level.NEAR:
            numbers, rows = near.numbers, near.rows
        elif level in shared:
            numbers, rows = np.flatnonzero(shared[level]), len(shared[level])
        else:
            continue
        detail = (
            f"{len(numbers):,} of {rows:,} rows of {b.name} also occur in {a.name} "
            f"({MEANINGS[level]})"
        )
        first = examples(b, numbers[:MOST_EXAMPLES])
        checks.append(Check(f"shared-{level.label}", not len(numbers), detail, first))
    return checks


def _shared_block(
    counts: tuple[SideCounts, SideCounts],
    shared: tuple[_Shared, _Shared],
    near: tuple[Near, Near],
    wanted: Sequence[Level],
) -> Block:
    """Return the rows that each side shares with the other, by level."""
    rows: list[tuple[Cell, ...]] = []
    bad = []
    for level in LEVELS:
        if level is Level.NEAR:
            found = [(each.near, each.share) for each in near]
        elif level in shared[0]:
            found = [(int(of[level].sum()), float(of[level].mean())) for of in shared]
        else:
            continue
        (in_a, share_a), (in_b, share_b) = found
        meaning = MEANINGS[level]
        rows.append((level.label, meaning, in_a, round(share_a, 6), in_b, round(share_b, 6)))
        if in_b and level in wanted:
            bad.append(f"{in_b:,} at {level.label} ({meaning})")
    a, b = (count.name for count in counts)
    columns = ("level", "match", f"rows of {a}", "share", f"rows of {b}", "share")
    text = f"No row of {b} occurs in {a} at {', '.join(level.label for level in wanted)}."
    if bad:
        text = f"Rows of {b} that also occur in {a}: {', '.join(bad)}."
    table = BlockTable("Rows that also occur on the other side", columns, tuple(rows))
    return Block("shared", "Shared rows", FLAG if bad else OK, text, (table,))


def _coverage_block(a: SideCounts, b: SideCounts, parts: tuple[str, str]) -> Block:
    """Return the number of distinct parts of each kind on both sides and on one side only."""
    kinds = [(name, a.ids[name], b.ids[name]) for name in a.ids if name in b.ids]
    taken = {name for name, _, _ in kinds}
    pairs = ((f"{parts[0]}s", a.pairs, b.pairs), (f"{parts[1]}s", a.triples, b.triples))
    kinds += [each for each in pairs if each[0] not in taken]
    kinds = [each for each in kinds if len(each[1]) or len(each[2])]
    rows: list[tuple[Cell, ...]] = [_only(*kind) for kind in kinds]
    for level, name in ((Level.CANONICAL, "structures"), (Level.TEMPLATE, "templates")):
        if level in a.keys and level in b.keys:
            tables = (IdCounts(side.keys[level][:, 0]) for side in (a, b))
            rows.append(_only(name, *tables))
    columns = (
        "kind",
        f"in {a.name}",
        f"in {b.name}",
        f"only in {a.name}",
        f"only in {b.name}",
        "share of B",
    )
    new = [f"{row[4]:,} {row[0]}" for row in rows if row[4]]
    text = f"{a.name} covers every part of {b.name}."
    if new:
        text = f"{b.name} covers parts that {a.name} lacks: {', '.join(new)}."
    table = BlockTable("Distinct parts", columns, tuple(rows))
    return Block("coverage", "What B covers and A lacks", INFO, text, (table,))


def _only(name: str, a: IdCounts, b: IdCounts) -> tuple[Cell, ...]:
    ids_a, ids_b = a.items()[0], b.items()[0]
    only_a, only_b = int((~b.has(ids_a)).sum()), int((~a.has(ids_b)).sum())
    share = round(only_b / len(ids_b), 6) if len(ids_b) else 0.0
    return name, len(ids_a), len(ids_b), only_a, only_b, share


def _overlap(a: SideCounts, b: SideCounts, shared: _Shared) -> Overlap:
    level = Level.CANONICAL if Level.CANONICAL in shared else Level.NORMALISED
    ids, prompts = (distinct_keys(b.keys[at][shared[at]]) for at in (level, Level.EXACT))
    return Overlap(a.name, b.name, ids, prompts, declared=False)


def _informed(block: Block) -> Block:
    """Clear the verdict of a block whose flags apply only to splits of one dataset."""
    if block.key not in ("atoms", "near"):
        return block
    return Block(block.key, block.title, INFO, block.text, block.tables, block.bars)


def _fingerprint(counts: Sequence[SideCounts]) -> str:
    """Return a hash of the texts of both sides in row order."""
    digest = hashlib.sha256()
    for count in counts:
        digest.update(count.rows.to_bytes(8, "little"))
        digest.update(np.ascontiguousarray(count.keys[Level.EXACT], "<u8").tobytes())
    return digest.hexdigest()


def _provenance(sides: Sequence[Side], counts: Sequence[SideCounts], structures: str) -> Block:
    rows = tuple(
        (side.name, str(path), path.stat().st_size, side.columns)
        for side in sides
        for path in side.files
    )
    table = BlockTable("Files", ("side", "file", "bytes", "read as"), rows)
    rows_of = " and ".join(f"{count.rows:,} rows of {count.name}" for count in counts)
    text = f"Compared {rows_of} with synthgen {__version__}. Structures: {structures}."
    return Block("provenance", "Provenance", INFO, text, (table,))
