"""Block 12: targets of the build's controllers, and the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from synthgen.auditing.blocks import FLAG, INFO, OK, Block, BlockTable, Cell, titled
from synthgen.auditing.wording import finite, percent, plural
from synthgen.core.printing import listed
from synthgen.dataset.manifest import CellRecord, Manifest, SplitRecord
from synthgen.dataset.records import CoverRecord

_MAX_CELLS = 200


def controllers_block(manifest: Manifest) -> Block:
    """Compare the recorded targets with the results."""
    asked = _asked(manifest)
    short = [fault for split in manifest.splits for fault in _short(split, asked.get(split.name))]
    exhausted = [cell for split in manifest.splits for cell in _cells_below(split, dry=True)]
    steered = sum(
        any((split.balance, split.parts, split.cap, split.covers, split.order))
        for split in manifest.splits
    )
    text = f"Below target: {listed(short)}. " if short else "Every possible target was reached. "
    if exhausted:
        text += f"Cells with all the problems that could be found: {listed(exhausted)}. "
    text += f"{steered} of {plural(len(manifest.splits), 'split')} had targets."
    verdict = FLAG if short else OK if steered else INFO
    return titled("controllers", verdict, text, _tables(manifest.splits, asked))


def _tables(splits: Sequence[SplitRecord], asked: Mapping[str, int]) -> list[BlockTable]:
    """Return the tables of all splits, some of them empty."""
    counts = [_split_row(split, asked.get(split.name)) for split in splits]
    cells = [
        (
            *(split.name, _cell_text(cell), cell.quota, cell.rows, cell.candidates),
            "exhausted" if cell.dry and cell.rows < cell.quota else "",
        )
        for split in splits
        for cell in split.cells
    ]
    parts = [
        (split.name, part.where, part.rows, part.problems, part.candidates)
        for split in splits
        for part in split.parts
    ]
    covers = [_cover_row(split.name, cover) for split in splits for cover in split.covers]
    unmet = [row for split in splits for row in _unmet_rows(split)]
    limits = [row for split in splits for row in _limit_rows(split)]
    columns = ("split", "requested", "rows", "candidates", "kept of candidates, %")
    more = ("duplicates dropped", "cells", "cells exhausted")
    of_cells = ("split", "cell", "quota", "rows", "candidates", "")
    of_covers = ("split", "units", "times", "wanted", "reached", "too rare", "never found")
    cells.sort(key=lambda row: row[5] == "")
    title = f"Cells, exhausted ones first (up to {_MAX_CELLS})"
    title_of_unmet = f"Units too rare or never found (up to {_MAX_CELLS})"
    return [
        BlockTable("Rows of splits", (*columns, *more), tuple(counts)),
        BlockTable(title, of_cells, tuple(cells[:_MAX_CELLS])),
        BlockTable("Parts", ("split", "part", "rows", "problems", "candidates"), tuple(parts)),
        BlockTable("Cover targets", of_covers, tuple(covers)),
        BlockTable(title_of_unmet, ("split", "unit", "candidates"), tuple(unmet[:_MAX_CELLS])),
        BlockTable("Caps and measures", ("split", "kind", "axis", "value"), tuple(limits)),
    ]


def _asked(manifest: Manifest) -> dict[str, int]:
    """Return the rows that the recipe requests, where it gives plain numbers."""
    splits = manifest.recipe.get("split", ())
    asked: dict[str, int] = {}
    for split in splits if isinstance(splits, Sequence) else ():
        if isinstance(split, Mapping) and isinstance(split.get("rows"), int):
            asked[str(split.get("name"))] = int(split["rows"])
    return asked


def _split_row(split: SplitRecord, asked: int | None) -> tuple[Cell, ...]:
    dry = sum(cell.dry for cell in split.cells)
    kept = percent(split.rows, split.candidates) if split.rows <= split.candidates else None
    numbers = (split.rows, split.candidates, kept, split.duplicates, len(split.cells), dry)
    return (split.name, asked, *numbers)


def _cover_row(split: str, cover: CoverRecord) -> tuple[Cell, ...]:
    what = cover.structures or f"{cover.strength} of {', '.join(cover.axes)}"
    absent = sum(not unmet.candidates for unmet in cover.unmet)
    counts = (cover.units - len(cover.unmet), len(cover.unmet) - absent, absent)
    return (split, what, cover.times, cover.units, *counts)


def _unmet_rows(split: SplitRecord) -> list[tuple[Cell, ...]]:
    """Return the unmet targets of a split, rare ones before those never found."""
    unmet = [each for cover in split.covers for each in cover.unmet]
    unmet.sort(key=lambda each: -each.candidates)
    return [(split.name, each.name, each.candidates) for each in unmet]


def _limit_rows(split: SplitRecord) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    if split.cap:
        rows.append((split.name, "largest share of one value", split.cap.axis, split.cap.share))
    for each in split.measured:
        rows.append((split.name, "effective values", each.axis, finite(each.effective, 2)))
    return rows


def _short(split: SplitRecord, asked: int | None) -> list[str]:
    faults = []
    if asked is not None and split.rows < asked:
        faults.append(f"{split.name} has {split.rows:,} of {asked:,} rows")
    faults += _cells_below(split, dry=False)
    faults += [
        f"{split.name} {unmet.name} ({unmet.candidates:,} candidates)"
        for cover in split.covers
        for unmet in cover.unmet
        if unmet.candidates
    ]
    return faults


def _cells_below(split: SplitRecord, *, dry: bool) -> list[str]:
    """Return the cells below quota; dry ones got every problem that the build could find."""
    return [
        f"{split.name} {_cell_text(cell)} ({cell.rows:,} of {cell.quota:,})"
        for cell in split.cells
        if cell.rows < cell.quota and cell.dry == dry
    ]


def _cell_text(cell: CellRecord) -> str:
    return ", ".join(f"{key}={value}" for key, value in cell.cell.items()) or "all rows"
