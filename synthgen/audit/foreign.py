"""The audit of files that others made: the same metrics, of rows about which nothing is promised.

Files are read several times, a batch at a time; what stays in memory is 64 to 80 bytes a row, what
the different symbols and compounds need, and the words of at most 200,000 rows of each test.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from synthgen import __version__
from synthgen.audit.blocks import INFO, Block, BlockTable
from synthgen.audit.findings import Overlap, Report, SplitReport
from synthgen.audit.foreign_counts import SideCounts, count_side
from synthgen.audit.foreign_divergence import divergence_block, divergences
from synthgen.audit.foreign_easiness import easiness_block
from synthgen.audit.foreign_identity import (
    distinct_keys,
    identity_block,
    overlap_checks,
    shared_rows,
)
from synthgen.audit.foreign_kept import kept
from synthgen.audit.foreign_near import near_block, near_duplicates
from synthgen.audit.foreign_novelty import atoms_block, find_novelty, tiers_block
from synthgen.audit.foreign_ranges import ranges_block
from synthgen.audit.foreign_readers import WORDS, Reader, reader_of
from synthgen.audit.foreign_sides import (
    TRAIN,
    Reading,
    Side,
    side_of_files,
    sides_by_column,
    split_off_train,
)
from synthgen.core.coverage.templates import Level
from synthgen.core.errors import DatasetError, ParamError

_READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Measuring:
    """What counts as the structure of a row.

    Attributes:
        form: of a column of structures, "tree" or "tokens"; by default its first row tells.
        tokens: of prompts, where there is no such column: "words" or "chars".
        fold_case: whether prompts that differ by case alone are the same at L1.
    """

    form: str | None = None
    tokens: str = WORDS
    fold_case: bool = True


def train_and_tests(
    train: Sequence[Path], tests: Sequence[Path], reading: Reading
) -> tuple[Side, list[Side]]:
    """Return the sides of files of train and files of tests, each of which is a split.

    Raises:
        ParamError: if either is missing.
        DatasetError: if a file cannot be read.
    """
    for option, given in (("--train", train), ("--test", tests)):
        if not given:
            raise ParamError(option, None, "a file; or one FILE and --split-col")
    names = [path.name for path in tests]
    told = [path.name if names.count(path.name) == 1 else str(path) for path in tests]
    sides = [side_of_files(name, [path], reading) for name, path in zip(told, tests, strict=True)]
    return side_of_files(TRAIN, train, reading), sides


def splits_of_file(path: Path, reading: Reading, train: str = TRAIN) -> tuple[Side, list[Side]]:
    """Return the splits of one file, whose split column names one `train`.

    Raises:
        DatasetError: if the file cannot be read, or has one split alone.
        UnknownNameError: if no row is of train.
    """
    return split_off_train(sides_by_column(path, reading), train)


def audit_sides(train: Side, tests: Sequence[Side], measuring: Measuring) -> Report:
    """Audit tests against train.

    Raises:
        DatasetError: for files that cannot be read, or structures that are none; the message names
            file, row and column.
    """
    train = replace(train, parts=kept(train.parts))
    tests = [replace(test, parts=kept(test.parts)) for test in tests]
    reader = reader_of(train, measuring.form, measuring.tokens)
    own = count_side(train, reader, fold_case=measuring.fold_case)
    counts = [count_side(test, reader, fold_case=measuring.fold_case) for test in tests]
    for side, count in zip((train, *tests), (own, *counts), strict=True):
        if not count.rows:
            msg = f"{side.files[0]}: no rows of {side.name}: expected at least one"
            raise DatasetError(msg)
    shared = {count.name: shared_rows(count, own) for count in counts}
    checks = [c for test in tests for c in overlap_checks(own, test, shared[test.name])]
    blocks = _blocks(train, tests, reader, own, counts, shared)
    hashes = {path: _sha256(path) for side in (train, *tests) for path in side.files}
    blocks.append(_provenance((train, *tests), (own, *counts), reader, hashes))
    joined = "".join(hashes[path] for path in sorted(hashes))
    return Report(
        name=", ".join(dict.fromkeys(path.name for path in hashes)),
        fingerprint=hashlib.sha256(joined.encode()).hexdigest(),
        checks=tuple(checks),
        splits=tuple(
            _split_report(*pair) for pair in zip((train, *tests), (own, *counts), strict=True)
        ),
        overlaps=tuple(_overlap(own, count, shared[count.name]) for count in counts),
        blocks=tuple(blocks),
    )


def _blocks(
    train: Side,
    tests: Sequence[Side],
    reader: Reader,
    own: SideCounts,
    counts: Sequence[SideCounts],
    shared: dict[str, dict[Level, NDArray[np.bool_]]],
) -> list[Block]:
    """Return the ranked blocks, but for where rows are from."""
    found = [find_novelty(test, reader, own, shared[test.name]) for test in tests]
    pairs = list(zip(tests, counts, strict=True))
    measured = [(t.name, divergences(train, t, reader, (own, c))) for t, c in pairs]
    near = [near_duplicates(test, count.rows, train) for test, count in pairs]
    easiness = easiness_block(train, tests, reader)
    blocks = [
        identity_block(own, counts, shared),
        atoms_block(own, found, reader.symbol),
        tiers_block(own, found),
        divergence_block(train.name, measured),
        ranges_block(own, counts, found),
        easiness,
        near_block(near, tests),
    ]
    return [block for block in blocks if block is not None]


def _provenance(
    sides: Sequence[Side], counts: Sequence[SideCounts], reader: Reader, hashes: dict[Path, str]
) -> Block:
    rows = tuple(
        (side.name, str(path), path.stat().st_size, hashes[path], side.columns)
        for side in sides
        for path in side.files
    )
    table = BlockTable("Files", ("split", "file", "bytes", "SHA-256", "read as"), rows)
    total = sum(count.rows for count in counts)
    text = f"{total:,} rows read by synthgen {__version__}; structures are the {reader.told}."
    return Block("provenance", "Where rows are from", INFO, text, (table,))


def _split_report(side: Side, count: SideCounts) -> SplitReport:
    own = count.keys.get(Level.CANONICAL, count.keys[Level.NORMALISED])
    return SplitReport(
        name=side.name,
        promised=count.rows,
        rows=count.rows,
        verified=0,
        symbolic=0,
        shards=len(side.files),
        bytes=sum(path.stat().st_size for path in side.files),
        repeated_ids=count.rows - distinct_keys(own),
        repeated_prompts=count.rows - distinct_keys(count.keys[Level.EXACT]),
        axes=(),
    )


def _overlap(
    train: SideCounts, test: SideCounts, shared: dict[Level, NDArray[np.bool_]]
) -> Overlap:
    """Return the different problems and prompts in both."""
    level = Level.CANONICAL if Level.CANONICAL in shared else Level.NORMALISED
    ids, prompts = (distinct_keys(test.keys[at][shared[at]]) for at in (level, Level.EXACT))
    return Overlap(train.name, test.name, ids, prompts, declared=False)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
