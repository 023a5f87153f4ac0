"""Two datasets held against each other: what one covers that the other lacks, and what they share.

Each side is a dataset of ours or a file of prompts, such as a benchmark. Structures are compared
where both sides have some, and words of prompts elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from synthgen import __version__
from synthgen.audit.blocks import FLAG, INFO, OK, Block, BlockTable, Cell
from synthgen.audit.compare_cells import cells_block
from synthgen.audit.compare_sides import Given, common_reader, open_both
from synthgen.audit.findings import MOST_EXAMPLES, Check, Overlap, Report
from synthgen.audit.foreign import Measuring
from synthgen.audit.foreign_counts import SideCounts, count_side
from synthgen.audit.foreign_identity import MEANINGS, distinct_keys, examples, shared_rows
from synthgen.audit.foreign_kept import kept
from synthgen.audit.foreign_near import Near, near_block, near_duplicates
from synthgen.audit.foreign_novelty import atoms_block, find_novelty, tiers_block
from synthgen.audit.foreign_sides import Side
from synthgen.core.coverage.id_counts import IdCounts
from synthgen.core.coverage.templates import Level
from synthgen.core.errors import DatasetError, UnknownNameError

LEVELS = tuple(MEANINGS)
FAIL_ON = (Level.EXACT, Level.NORMALISED, Level.CANONICAL)
"""Levels at which a shared row is contamination, unless others are asked for."""

_Flags = NDArray[np.bool_]
_Shared = Mapping[Level, _Flags]


def compare(
    one: Given, other: Given, measuring: Measuring, *, fail_on: Sequence[str] | None = None
) -> Report:
    """Hold side B, the other, against side A, the one.

    Args:
        one: side A, such as what a model was trained on.
        other: side B, such as a benchmark, or a later dataset.
        measuring: what counts as structure.
        fail_on: labels of the levels, L0 to L4, at which no row may be shared.

    Returns:
        A report whose checks are one for each of those levels that both sides have.

    Raises:
        UnknownNameError: for a level or split that there is not.
        DatasetError: for a folder that is no whole dataset, or a file that cannot be read.
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
        _provenance((a, b), (of_a, of_b), f"{reader.told}{why}"),
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
    """Check that B shares no row with A at the levels asked for."""
    checks = []
    for level in wanted:
        if level is Level.NEAR:
            numbers, rows = near.numbers, near.rows
        elif level in shared:
            numbers, rows = np.flatnonzero(shared[level]), len(shared[level])
        else:
            continue
        detail = (
            f"{len(numbers):,} of {rows:,} rows of {b.name} are {MEANINGS[level]} as in {a.name}"
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
    """Return the rows of either side that the other has, level by level."""
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
    columns = ("level", "what is shared", f"rows of {a}", "share", f"rows of {b}", "share")
    text = f"No row of {b} is in {a}, at {', '.join(level.label for level in wanted)}."
    if bad:
        text = f"Rows of {b} that {a} has, too: {', '.join(bad)}."
    table = BlockTable("Rows that the other side has, too", columns, tuple(rows))
    return Block("shared", "Shared rows", FLAG if bad else OK, text, (table,))


def _coverage_block(a: SideCounts, b: SideCounts, parts: tuple[str, str]) -> Block:
    """Return how many different things of each kind either side has, and alone."""
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
        "of",
        f"in {a.name}",
        f"in {b.name}",
        f"only {a.name}",
        f"only {b.name}",
        "share of B",
    )
    new = [f"{row[4]:,} {row[0]}" for row in rows if row[4]]
    text = f"{a.name} has every part that {b.name} has."
    if new:
        text = f"{b.name} covers what {a.name} lacks: {', '.join(new)}."
    table = BlockTable("Different parts", columns, tuple(rows))
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
    """Take the verdict from a block whose flags are for splits of one dataset."""
    if block.key not in ("atoms", "near"):
        return block
    return Block(block.key, block.title, INFO, block.text, block.tables, block.bars)


def _fingerprint(counts: Sequence[SideCounts]) -> str:
    """Return a hash of the texts of both sides, in their order."""
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
    told = " and ".join(f"{count.rows:,} rows of {count.name}" for count in counts)
    text = f"{told}, by synthgen {__version__}; structures are the {structures}."
    return Block("provenance", "Where rows are from", INFO, text, (table,))
