"""Compare two datasets: the coverage that one has and the other lacks, and shared rows.

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

from synthgen import __version__
from synthgen.auditing.blocks import FLAG, INFO, OK, Block, BlockTable, Cell, titled
from synthgen.auditing.findings import Report
from synthgen.auditing.identity_block import MEANINGS, shared_check
from synthgen.auditing.near_block import near_block
from synthgen.auditing.novelty_blocks import atoms_block, tiers_block
from synthgen.auditing.read_sides import (
    ReadingOptions,
    ReadSide,
    side_of_dataset,
    side_of_files,
    together,
)
from synthgen.auditing.third_party import UNDECLARED, MeasuringOptions, overlap_of
from synthgen.auditing.wording import percent
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.coverage.id_counts import IdCounts
from synthgen.coverage.inputs import ID, STRUCTURE, TOKENS, Sides
from synthgen.coverage.matches import IDENTICAL, match
from synthgen.coverage.measurements import AxisNames, Measures, measure_sides
from synthgen.coverage.near_duplicates import NearMatches, find_near
from synthgen.coverage.structure_kinds import all_named
from synthgen.coverage.templates import Level
from synthgen.dataset.reader import Dataset, open_dataset
from synthgen.verifying.counts import CellValues, cell_counts, cell_order
from synthgen.verifying.row_checks import scan_rows

MAX_COMPARED = 200_000
"""Rows of either side that are searched for near duplicates."""


@dataclass(frozen=True, slots=True)
class WantedSide:
    """One side as the user specifies it.

    Attributes:
        path: Folder of a dataset, or file.
        splits: Splits of a dataset; empty for all.
        reading: Options for reading a file.
    """

    path: Path
    splits: tuple[str, ...] = ()
    reading: ReadingOptions = field(default_factory=lambda: ReadingOptions(answers="none"))


@dataclass(frozen=True)
class OpenedSide:
    """A side, and its dataset if it is a synthgen dataset."""

    given: ReadSide
    dataset: Dataset | None = None


def open_both(first: WantedSide, second: WantedSide) -> tuple[OpenedSide, OpenedSide, str]:
    """Open two sides under different names, with the structures that both have.

    Ids are used only if both are synthgen datasets.

    Returns:
        Both sides, and the reason if their structures are left out.

    Raises:
        ParamError: for splits of a file.
        UnknownNameError: for a split that a dataset does not have.
        DatasetError: for a folder that is not a finished dataset, or an unreadable file.
    """
    names = _names(first, second)
    both_datasets = first.path.is_dir() and second.path.is_dir()
    opened = [
        _open(name, wanted, with_ids=both_datasets)
        for name, wanted in zip(names, (first, second), strict=True)
    ]
    forms = [{STRUCTURE, TOKENS} & each.given.side.columns for each in opened]
    if forms[0] == forms[1]:
        return opened[0], opened[1], ""
    why = "; one side has trees, the other tokens"
    if not all(forms):
        why = f"; only {names[bool(forms[1])]} has a structure column"
    return _bare(opened[0]), _bare(opened[1]), why


def _bare(opened: OpenedSide) -> OpenedSide:
    """Return a side without structures."""
    side = opened.given.side
    bare = replace(side, columns=side.columns - {STRUCTURE, TOKENS, ID})
    return replace(opened, given=replace(opened.given, side=bare))


def _open(name: str, wanted: WantedSide, *, with_ids: bool) -> OpenedSide:
    if wanted.path.is_dir():
        dataset = open_dataset(wanted.path)
        return OpenedSide(side_of_dataset(name, dataset, wanted.splits, with_ids=with_ids), dataset)
    if wanted.splits:
        expected = f"none of {wanted.path}, which is a file"
        raise ParamError("splits", ", ".join(wanted.splits), expected)
    return OpenedSide(side_of_files(name, [wanted.path], wanted.reading))


def _names(first: WantedSide, second: WantedSide) -> Sequence[str]:
    """Return short names that distinguish the sides."""
    for short in (True, False):
        names = [_name(wanted, short=short) for wanted in (first, second)]
        if names[0] != names[1]:
            return names
    return [f"{label}: {name}" for label, name in zip("AB", names, strict=True)]


def _name(wanted: WantedSide, *, short: bool) -> str:
    name = wanted.path.resolve().name if short else str(wanted.path)
    return f"{name}:{','.join(wanted.splits)}" if wanted.splits else name


MAX_AXES = 12
MAX_VALUES = 64
"""Axes with more values in total are skipped: all their pairs would be new."""
MAX_SHOWN = 20

_SIZES = ("values", "pairs of values")
_Frames = tuple[pl.LazyFrame, pl.LazyFrame]


@dataclass(frozen=True, slots=True)
class CellDifference:
    """Cells over some axes: of A, of B, and those of B that A lacks with their rows."""

    axes: tuple[str, ...]
    of_a: int
    of_b: int
    only_b: Mapping[CellValues, int]


def cells_block(a: OpenedSide, b: OpenedSide) -> Block | None:
    """Return the values and value pairs that B covers and A lacks; None without common axes."""
    if a.dataset is None or b.dataset is None:
        return None
    frames = scan_rows(a.dataset, a.given.files), scan_rows(b.dataset, b.given.files)
    axes = _common_axes(a.dataset, b.dataset, frames)
    if not axes:
        return None
    differences = list(_differences(frames, axes))
    names = [opened.given.side.name for opened in (a, b)]
    counts: list[tuple[Cell, ...]] = []
    for t in (1, 2):
        of_t = [each for each in differences if len(each.axes) == t]
        if of_t:
            missing, cells = sum(len(d.only_b) for d in of_t), sum(d.of_b for d in of_t)
            in_a, share = sum(d.of_a for d in of_t), percent(missing, cells)
            counts.append((t, len(of_t), in_a, cells, missing, share))
    ranked = sorted(
        ((rows, each.axes, cell) for each in differences for cell, rows in each.only_b.items()),
        key=lambda item: (len(item[1]), -item[0], item[1], cell_order(item[2])),
    )
    shown = tuple(
        (", ".join(f"{axis}={value}" for axis, value in zip(of_cell, cell, strict=True)), rows)
        for rows, of_cell, cell in ranked[:MAX_SHOWN]
    )
    columns = ("axes per cell", "axis combinations", "cells in A", "cells in B", "only in B")
    title = f"Cells of {', '.join(axes)}"
    tables = [BlockTable(title, (*columns, "share of B, %"), tuple(counts))]
    if shown:
        title = f"First {MAX_SHOWN} cells of {names[1]} missing from {names[0]}"
        tables.append(BlockTable(title, ("cell", "rows"), shown))
    missing_of = [f"{row[4]:,} of the {row[3]:,} {_SIZES[t]}" for t, row in enumerate(counts)]
    text = f"{names[0]} lacks {' and '.join(missing_of)} in {names[1]}."
    return Block("cells", "Cells of axes", INFO, text, tuple(tables))


def _common_axes(a: Dataset, b: Dataset, frames: _Frames) -> list[str]:
    """Return the first common axes of the same type with few values, in the order of A."""
    axes = [name for name in a.manifest.axes if name in b.manifest.axes]
    types = [frame.collect_schema() for frame in frames]
    texts = [{name for name in axes if each[name] == pl.String} for each in types]
    alike = [name for name in axes if (name in texts[0]) == (name in texts[1])]
    few = [name for name in alike if 0 < _values(frames, name) <= MAX_VALUES]
    return few[:MAX_AXES]


def _values(frames: _Frames, axis: str) -> int:
    """Return the number of values of an axis in both, counted to just above MAX_VALUES."""
    distinct: set[Any] = set()
    for frame in frames:
        values = frame.select(pl.col(axis).drop_nulls().unique()).head(MAX_VALUES + 1)
        distinct |= set(values.collect(engine="streaming")[axis].to_list())
    return len(distinct)


def _differences(frames: _Frames, axes: Sequence[str]) -> Iterator[CellDifference]:
    for t in (1, 2):
        for names in combinations(axes, t):
            of_a, of_b = (cell_counts(frame.drop_nulls(list(names)), names) for frame in frames)
            only = {cell: rows for cell, rows in of_b.items() if cell not in of_a}
            yield CellDifference(names, len(of_a), len(of_b), only)


LEVELS = tuple(MEANINGS)


@dataclass(frozen=True)
class _Comparison:
    """Both sides as read: `measures` has B as the test of A, `back` the opposite."""

    measures: Measures
    back: Mapping[Level, tuple[int, float]]
    near: tuple[NearMatches, NearMatches]

    def rows(self, level: Level) -> np.ndarray[tuple[int], np.dtype[np.int64]] | None:
        """Return the rows of B that A has at a level, None if the level is unknown."""
        name = self.measures.sides.tests[0].name
        if level is Level.NEAR:
            return self.near[1].sides[name].content
        flags = self.measures.matches.shared.get((name, level))
        return None if flags is None else np.flatnonzero(flags)

    def searched(self, level: Level) -> int:
        """Return the number of rows of B that were compared at a level."""
        b = self.measures.sides.tests[0]
        return self.near[1].sides[b.name].rows if level is Level.NEAR else b.rows


def compare(
    first: WantedSide,
    second: WantedSide,
    measuring: MeasuringOptions,
    *,
    fail_on: Sequence[str] | None = None,
) -> Report:
    """Compare side B, `second`, with side A, `first`.

    Args:
        first: Side A, such as a model's training data.
        second: Side B, such as a benchmark, or a later dataset.
        measuring: Choices on how to measure.
        fail_on: Labels of the levels, L0 to L4, at which no row may be shared.

    Returns:
        A report with one check for each of these levels that both sides have.

    Raises:
        UnknownNameError: for an unknown level or split.
        DatasetError: for a folder that is not a finished dataset, or an unreadable file.
    """
    levels = _levels(fail_on)
    a, b, why = open_both(first, second)
    declared = replace(b.given, side=replace(b.given.side, declared=UNDECLARED))
    sides = together(a.given, [declared], fold_case=measuring.fold_case)
    compared = _read(sides, measuring)
    measures, (test,) = compared.measures, sides.tests
    checks = [
        shared_check(
            f"shared-{level.label}", level, sides.train.name, test, rows, compared.searched(level)
        )
        for level in levels
        if (rows := compared.rows(level)) is not None
    ]
    main = measures.structures[0]
    blocks = [
        _shared_block(compared, levels),
        near_block(sides.all, compared.near[1]),
        _coverage_block(measures),
        atoms_block(sides.all, main),
        tiers_block(sides.all, main, measures.matches),
        cells_block(a, b),
        _provenance((a, b), f"{all_named([main.kind])}{why}"),
    ]
    return Report(
        name=f"{sides.train.name} and {test.name}",
        fingerprint=_fingerprint(measures),
        checks=tuple(checks),
        splits=(),
        overlaps=(overlap_of(sides.train.name, test, measures),),
        blocks=tuple(_informed(block) for block in blocks if block is not None),
    )


def _levels(names: Sequence[str] | None) -> tuple[Level, ...]:
    if not names:
        return IDENTICAL
    known = {level.label: level for level in LEVELS}
    for name in names:
        if name not in known:
            raise UnknownNameError("level", name, list(known))
    return tuple(sorted({known[name] for name in names}))


def _read(sides: Sides, measuring: MeasuringOptions) -> _Comparison:
    """Read both sides, and compare them in both directions."""
    measures = measure_sides(sides, AxisNames(), measuring.tokens, MAX_COMPARED)
    a, b = sides.all
    keys = {
        side.name: {
            **measures.texts[side.name].keys,
            Level.TEMPLATE: measures.structures[0].measures[side.name].templates,
        }
        for side in (b, a)
    }
    matches = match(keys)
    back = {
        level: (int(flags.sum()), float(flags.mean()))
        for (_, level), flags in matches.shared.items()
    }
    texts = measures.texts[a.name].sample, measures.texts[b.name].sample
    near = find_near(b, {a: texts[0]}, texts[1])
    return _Comparison(measures, back, (near, measures.near))


def _shared_block(compared: _Comparison, wanted: Sequence[Level]) -> Block:
    """Return the rows that each side shares with the other, by level."""
    a, b = compared.measures.sides.all
    rows: list[tuple[Cell, ...]] = []
    bad = []
    near = compared.near[0].sides[a.name]
    back = {**compared.back, Level.NEAR: (len(near.content), near.share)}
    for level, meaning in MEANINGS.items():
        of_b = compared.rows(level)
        if of_b is None:
            continue
        (in_a, share_a), share_b = back[level], percent(len(of_b), compared.searched(level))
        rows.append((level.label, meaning, in_a, round(100 * share_a, 2), len(of_b), share_b))
        if len(of_b) and level in wanted:
            bad.append(f"{len(of_b):,} at {level.label} ({meaning})")
    columns = ("level", "match", f"rows of {a.name}", "share, %", f"rows of {b.name}", "share, %")
    labels = ", ".join(level.label for level in wanted)
    text = f"0 rows of {b.name} occur in {a.name} at {labels}."
    if bad:
        text = f"Rows of {b.name} that also occur in {a.name}: {', '.join(bad)}."
    table = BlockTable("Rows that also occur on the other side", columns, tuple(rows))
    return Block("shared", "Shared rows", FLAG if bad else OK, text, (table,))


def _coverage_block(measures: Measures) -> Block:
    """Return the number of distinct parts of each kind on both sides and on one side only."""
    main, (a, b) = measures.structures[0], measures.sides.all
    of_a, of_b = main.measures[a.name], main.measures[b.name]
    pairs, triples = main.kind.parts
    kinds = [
        (f"{main.kind.symbol}s", of_a.symbols, of_b.symbols),
        (f"{pairs}s", of_a.pairs, of_b.pairs),
        (f"{triples}s", of_a.triples, of_b.triples),
    ]
    if (b.name, Level.CANONICAL) in measures.matches.shared:
        keys = [measures.texts[side.name].keys[Level.CANONICAL] for side in (a, b)]
        kinds.append(("structures", IdCounts(keys[0]), IdCounts(keys[1])))
    kinds.append(("templates", IdCounts(of_a.templates), IdCounts(of_b.templates)))
    rows: list[tuple[Cell, ...]] = [_only(*kind) for kind in kinds]
    columns = ("kind", f"in {a.name}", f"in {b.name}", f"only in {a.name}", f"only in {b.name}")
    new = [f"{row[4]:,} {row[0]}" for row in rows if row[4]]
    text = f"{a.name} covers every part of {b.name}."
    if new:
        text = f"{b.name} covers parts that {a.name} lacks: {', '.join(new)}."
    table = BlockTable("Distinct parts", (*columns, "share of B, %"), tuple(rows))
    return Block("coverage", "What B covers and A lacks", INFO, text, (table,))


def _only(name: str, a: IdCounts, b: IdCounts) -> tuple[Cell, ...]:
    ids_a, ids_b = a.items()[0], b.items()[0]
    only_a, only_b = int((~b.has(ids_a)).sum()), int((~a.has(ids_b)).sum())
    return name, len(ids_a), len(ids_b), only_a, only_b, percent(only_b, len(ids_b))


def _informed(block: Block) -> Block:
    """Clear the verdict of a block whose flags apply only to splits of one dataset."""
    return replace(block, verdict=INFO) if block.key in ("atoms", "near-duplicates") else block


def _fingerprint(measures: Measures) -> str:
    """Return a hash of the texts of both sides in row order."""
    digest = hashlib.sha256()
    for side in measures.sides.all:
        digest.update(side.rows.to_bytes(8, "little"))
        digest.update(measures.texts[side.name].keys[Level.EXACT].astype("<u8").tobytes())
    return digest.hexdigest()


def _provenance(both: tuple[OpenedSide, OpenedSide], structures: str) -> Block:
    rows = tuple(
        (each.given.side.name, str(path), path.stat().st_size, each.given.columns)
        for each in both
        for path in each.given.files
    )
    table = BlockTable("Files", ("side", "file", "bytes", "read as"), rows)
    sides = [each.given.side for each in both]
    rows_of = " and ".join(f"{side.rows:,} rows of {side.name}" for side in sides)
    text = f"Compared {rows_of} with synthgen {__version__}. Structures: {structures}."
    return titled("provenance", INFO, text, (table,))
