"""Rows that two sides share by level: the block, the checks, and the places of the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthgen.audit.blocks import FLAG, OK, Block, BlockTable
from synthgen.audit.findings import MOST_EXAMPLES, Check, Example
from synthgen.audit.foreign_counts import SideCounts
from synthgen.audit.foreign_sides import Side
from synthgen.audit.metrics import key_frame
from synthgen.core.content import Keys
from synthgen.coverage.effective import hill_number
from synthgen.coverage.templates import Level

MEANINGS: Mapping[Level, str] = {
    Level.EXACT: "the same text",
    Level.NORMALISED: "the same text except for case and spaces",
    Level.CANONICAL: "the same structure",
    Level.TEMPLATE: "the same template, numbers masked",
    Level.NEAR: "nearly the same text",
}
_WORDS = ["high", "low"]
_MOST_TEXT = 200


def rows_with_keys_of(keys: Keys, others: Keys) -> NDArray[np.bool_]:
    """Return which rows have a key that also occurs in the others, bool (n,)."""
    frame, known = key_frame(keys).with_row_index(), key_frame(others)
    shared = frame.join(known, on=_WORDS, how="semi")["index"]
    out = np.zeros(len(keys), np.bool_)
    out[shared.to_numpy()] = True
    return out


def distinct_keys(keys: Keys) -> int:
    """Return the number of distinct keys."""
    return key_frame(keys).unique().height


def effective_keys(keys: Keys) -> float:
    """Return the effective number of keys, the exponential of their entropy."""
    counts = key_frame(keys).group_by(_WORDS).agg(pl.len().alias("n"))["n"]
    return hill_number(counts.to_numpy(), 1)


def shared_rows(side: SideCounts, other: SideCounts) -> dict[Level, NDArray[np.bool_]]:
    """Return for each common level which rows of a side also occur in the other, bool (n,).

    Rows that are the same problem have the same template, whatever their case.
    """
    found = {
        level: rows_with_keys_of(keys, other.keys[level])
        for level, keys in side.keys.items()
        if level in other.keys
    }
    for level, flags in found.items():
        if is_identity(level):
            found[Level.TEMPLATE] |= flags
    return found


def identity_block(
    train: SideCounts,
    tests: Sequence[SideCounts],
    shared: Mapping[str, Mapping[Level, NDArray[np.bool_]]],
) -> Block:
    """Report rows, distinct keys and overlap of all sides.

    Args:
        train: the side with which tests are compared.
        tests: other sides.
        shared: for each test the rows also in train, by level.
    """
    rows: list[tuple[str | int | float | None, ...]] = []
    levels = list(train.keys)
    for side in (train, *tests):
        distinct = [distinct_keys(side.keys[level]) for level in levels if level in side.keys]
        templates = round(effective_keys(side.keys[Level.TEMPLATE]), 1)
        rows.append((side.name, side.rows, *distinct, templates))
    names = tuple(f"distinct {level.label}" for level in levels)
    counts = BlockTable("Rows", ("split", "rows", *names, "effective templates"), tuple(rows))
    shared_rows_of = tuple(
        (name, level.label, MEANINGS[level], int(flags.sum()), round(float(flags.mean()), 6))
        for name, by_level in shared.items()
        for level, flags in by_level.items()
    )
    columns = ("split", "level", "match", "rows", "share")
    overlap = BlockTable(f"Rows also in {train.name}", columns, shared_rows_of)
    bad = {
        name: {level.label: int(by_level[level].sum()) for level in by_level if is_identity(level)}
        for name, by_level in shared.items()
    }
    found = [
        f"{name} {', '.join(f'{count:,} at {level}' for level, count in each.items() if count)}"
        for name, each in bad.items()
        if any(each.values())
    ]
    text = f"No row of a test split occurs in {train.name} at any level of identity."
    if found:
        text = f"Rows also in {train.name}: {'; '.join(found)}."
    return Block("identity", "Rows and overlap", FLAG if found else OK, text, (counts, overlap))


def is_identity(level: Level) -> bool:
    """Return whether two problems that agree at a level are the same problem."""
    return level <= Level.CANONICAL


def overlap_checks(
    train: SideCounts, test: Side, shared: Mapping[Level, NDArray[np.bool_]]
) -> list[Check]:
    """Check that a test shares no row with train, at each level of identity."""
    checks = []
    for level, flags in shared.items():
        if not is_identity(level):
            continue
        count = int(flags.sum())
        detail = f"{count:,} of {len(flags):,} rows also occur in {train.name} ({MEANINGS[level]})"
        rows = examples(test, np.flatnonzero(flags)[:MOST_EXAMPLES])
        checks.append(Check(f"overlap-{level.label}/{test.name}", not count, detail, rows))
    return checks


def examples(side: Side, numbers: NDArray[np.int64]) -> tuple[Example, ...]:
    """Return place and prompt of rows of a side, given rising row numbers from 0."""
    found: list[Example] = []
    start = 0
    for part in side.parts() if len(numbers) else ():
        stop = start + len(part)
        for number in numbers[(numbers >= start) & (numbers < stop)].tolist():
            prompt = part.prompts[number - start].as_py()
            found.append({"row": part.place(number - start), "prompt": prompt[:_MOST_TEXT]})
        start = stop
        if len(found) == len(numbers):
            break
    return tuple(found)
