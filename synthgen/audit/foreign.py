"""The audit of third-party files: the same metrics, for rows without a manifest.

Files are read several times in batches. Memory holds 64 to 80 bytes per row, the distinct symbols
and compounds, and the words of at most 200,000 rows of each test.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthgen import __version__
from synthgen.audit.blocks import FLAG, INFO, OK, Bars, Block, BlockTable, Cell
from synthgen.audit.findings import MOST_EXAMPLES, Overlap, Report, SplitReport
from synthgen.audit.foreign_counts import SideCounts, count_side
from synthgen.audit.foreign_divergence import divergence_block, divergences
from synthgen.audit.foreign_identity import (
    distinct_keys,
    examples,
    identity_block,
    overlap_checks,
    shared_rows,
)
from synthgen.audit.foreign_kept import kept
from synthgen.audit.foreign_near import near_block, near_duplicates
from synthgen.audit.foreign_novelty import Novelty, atoms_block, find_novelty, tiers_block
from synthgen.audit.foreign_readers import WORDS, Reader, reader_of
from synthgen.audit.foreign_sides import (
    TRAIN,
    Part,
    Reading,
    Side,
    side_of_files,
    sides_by_column,
    split_off_train,
)
from synthgen.audit.foreign_structures import Vocabulary
from synthgen.audit.shortcuts import (
    MOST_SHARE,
    MOST_TEST,
    MOST_TRAIN,
    NO_ANSWERS,
    Sampled,
    Shortcuts,
    find_shortcuts,
    shortcuts_block,
)
from synthgen.core.columns import Ragged, integer_column
from synthgen.core.errors import DatasetError, ParamError
from synthgen.core.local_structures import local_structures
from synthgen.core.randomness import stream_key
from synthgen.coverage.answer_priors import answer_prior
from synthgen.coverage.bags import sample_rows
from synthgen.coverage.easiness import EasinessTally, HardStructure, SeenStructures
from synthgen.coverage.ranges import Range
from synthgen.coverage.shortcuts import ANSWER, PROMPT
from synthgen.coverage.structure_texts import symbol_text
from synthgen.coverage.templates import Level
from synthgen.dataset.seal import file_sha256

MOST_HARD = 20
MOST_SYMBOLS = 8_192
"""Easiness, which compares all pairs of symbols, is computed only up to this many symbols."""
_PAIRS = 2


class _Local:
    """Local structures of two symbols, with one vocabulary for all sides."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.vocabulary = Vocabulary()

    def of(self, part: Part) -> Ragged | None:
        """Return the structures, or None if rows are not trees or have too many symbols."""
        trees = self._reader.read(part).trees
        if trees is None:
            return None
        codes = self.vocabulary.renumbered(trees)
        if len(self.vocabulary.names) > MOST_SYMBOLS:
            return None
        return local_structures(codes, self.vocabulary.signature, _PAIRS)

    def no_block(self) -> Block | None:
        """Return what a report states instead of easiness: nothing if rows are not trees."""
        if len(self.vocabulary.names) <= MOST_SYMBOLS:
            return None
        text = f"Not computed, as there are more than {MOST_SYMBOLS:,} symbols."
        return Block("easiness", "Easiness", INFO, text)


def easiness_block(train: Side, tests: Sequence[Side], reader: Reader) -> Block | None:
    """Return the easiness of tests and their hardest structures; None if rows are not trees."""
    local = _Local(reader)
    words = np.zeros(0, np.uint64)
    for part in train.parts():
        found = local.of(part)
        if found is None:
            return local.no_block()
        words = np.union1d(words, found.values)
    seen = SeenStructures(words)
    rows: list[tuple[Cell, ...]] = []
    hardest: list[tuple[Cell, ...]] = []
    for test in tests:
        tally = EasinessTally(seen)
        hard = easy = 0
        for part in test.parts():
            found = local.of(part)
            if found is None:
                return local.no_block()
            values = tally.add(found)
            hard += int((values == 0.0).sum())
            easy += int((values == 1.0).sum())
        rows.append((test.name, round(tally.mean, 6), tally.n, easy, hard))
        hardest += _hardest_rows(test, tally.hardest(local.vocabulary.signature, MOST_HARD))
    means = ", ".join(f"{row[0]} {row[1]:.2f}" for row in rows)
    text = f"Mean easiness from 0 (hard) to 1 (no unseen pair of symbols): {means}."
    columns = ("split", "easiness", "rows", "fully seen", "unlike train")
    tables = [BlockTable("Easiness", columns, tuple(rows))]
    if hardest:
        shown = ("split", "structure", "easiness", "rows", "first row", "prompt")
        tables.append(BlockTable("Hardest structures", shown, tuple(hardest)))
    return Block("easiness", "Easiness", INFO, text, tuple(tables))


def _hardest_rows(test: Side, hardest: Sequence[HardStructure]) -> list[tuple[Cell, ...]]:
    """Return the hardest structures as table rows, the first few with an example row."""
    numbers = np.unique(np.array([one.first for one in hardest[:MOST_EXAMPLES]], np.int64))
    shown = dict(zip(numbers.tolist(), examples(test, numbers), strict=True))
    rows: list[tuple[Cell, ...]] = []
    for one in hardest:
        row = shown.get(one.first, {"row": "", "prompt": ""})
        text = symbol_text(one.text)
        easiness = round(one.easiness, 6)
        rows.append((test.name, text, easiness, one.items, str(row["row"]), str(row["prompt"])))
    return rows


MOST_SHIFT = 0.1
"""A larger shift of a mean length is flagged: models learn lengths before composition."""
_CHARTS = ("words", "tokens", "symbols", "characters", "depth", "answer tokens")
_MOST_BARS = 40

_Number = int | float | None


def ranges_block(train: SideCounts, tests: Sequence[SideCounts], found: Sequence[Novelty]) -> Block:
    """Return the ranges of all lengths and values, shifts of their means, and answer priors."""
    rows: list[tuple[Cell, ...]] = []
    flagged = []
    for name, own in train.ranges.items():
        if not own.n:
            continue
        rows.append((name, train.name, *_of_range(own), None, None))
        for each in found:
            beyond = each.beyond[name]
            shift = beyond.shift
            outside = _rounded(shift.beyond)
            rows.append(
                (name, each.name, *_of_range(beyond.test), _rounded(shift.relative), outside)
            )
            is_length = name != "answer value"
            if is_length and not math.isnan(shift.relative) and abs(shift.relative) > MOST_SHIFT:
                flagged.append(f"{name} of {each.name} by {shift.relative:+.0%}")
    columns = (
        *("quantity", "split", "smallest", "mean", "median", "largest"),
        *("shift of mean", "outside train"),
    )
    tables = [BlockTable("Lengths and values", columns, tuple(rows))]
    if len(train.answers) and any(len(test.answers) for test in tests):
        tables.append(_priors(train, tests))
    text = f"No mean length differs from {train.name} by more than {MOST_SHIFT:.0%}."
    if flagged:
        text = f"Means that differ from {train.name}: {', '.join(flagged)}."
    bars = tuple(_bars(name, train, tests) for name in train.ranges if name in _CHARTS)
    verdict = FLAG if flagged else OK
    return Block("ranges", "Lengths, values and answers", verdict, text, tuple(tables), bars)


def _of_range(of: Range) -> tuple[_Number, _Number, _Number, _Number]:
    return of.low, _rounded(of.mean), of.quantile(0.5), of.high


def _priors(train: SideCounts, tests: Sequence[SideCounts]) -> BlockTable:
    rows = []
    for test in tests:
        prior = answer_prior(train.answers, test.answers)
        shares = (prior.train_top, prior.test_top, prior.guess, prior.unseen, prior.distance)
        counts = (prior.train_answers, prior.test_answers)
        rows.append((test.name, *counts, *(_rounded(share) for share in shares)))
    columns = (
        *("split", "answers of train", "answers of test", "most common in train"),
        *("most common in test", "majority-answer accuracy", "unseen answers", "distance"),
    )
    return BlockTable("Answers", columns, tuple(rows))


def _bars(name: str, train: SideCounts, tests: Sequence[SideCounts]) -> Bars:
    """Return the share of rows by length, in bins of equal width."""
    sides = [side for side in (train, *tests) if name in side.ranges and side.ranges[name].n]
    bounds = [(side.ranges[name].low or 0, side.ranges[name].high or 0) for side in sides]
    low, high = min((b[0] for b in bounds), default=0), max((b[1] for b in bounds), default=0)
    width = max(1, -(-(high - low + 1) // _MOST_BARS))
    n_bins = (high - low) // width + 1
    values = []
    for side in sides:
        counts = [0] * n_bins
        starts, of_bins = side.ranges[name].histogram()
        for start, count in zip(starts.tolist(), of_bins.tolist(), strict=True):
            counts[min(max(start - low, 0) // width, n_bins - 1)] += count
        values.append(tuple(count / side.ranges[name].n for count in counts))
    labels = tuple(
        str(low + i * width) if width == 1 else f"{low + i * width}-{low + (i + 1) * width - 1}"
        for i in range(n_bins)
    )
    names = tuple(side.name for side in sides)
    return Bars(name.capitalize(), name, "share of rows", labels, names, tuple(values))


def _rounded(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 6)


_READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Measuring:
    """The definition of a row's structure.

    Attributes:
        form: form of a structure column, "tree" or "tokens"; by default by its first row.
        tokens: units of prompts if there is no such column: "words" or "chars".
        fold_case: whether prompts that differ only in case are equal at L1.
        max_shortcut: largest share of a test that a shortcut may get right without a flag.
    """

    form: str | None = None
    tokens: str = WORDS
    fold_case: bool = True
    max_shortcut: float = MOST_SHARE


def train_and_tests(
    train: Sequence[Path], tests: Sequence[Path], reading: Reading
) -> tuple[Side, list[Side]]:
    """Return the side of the training files, and one side for each test file.

    Raises:
        ParamError: if either is missing.
        DatasetError: if a file cannot be read.
    """
    for option, given in (("--train", train), ("--test", tests)):
        if not given:
            raise ParamError(option, None, "a file; or one FILE and --split-col")
    names = [path.name for path in tests]
    labels = [path.name if names.count(path.name) == 1 else str(path) for path in tests]
    sides = [side_of_files(name, [path], reading) for name, path in zip(labels, tests, strict=True)]
    return side_of_files(TRAIN, train, reading), sides


def splits_of_file(path: Path, reading: Reading, train: str = TRAIN) -> tuple[Side, list[Side]]:
    """Return the splits of one file by its split column, one of them named `train`.

    Raises:
        DatasetError: if the file cannot be read, or has only one split.
        UnknownNameError: if no row belongs to train.
    """
    return split_off_train(sides_by_column(path, reading), train)


def audit_sides(train: Side, tests: Sequence[Side], measuring: Measuring) -> Report:
    """Audit tests against train.

    Raises:
        DatasetError: for unreadable files or invalid structures; the message names file, row and
            column.
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
    blocks.append(
        _shortcuts(train, tests, [own.rows, *(count.rows for count in counts)], measuring)
    )
    hashes = {path: file_sha256(path) for side in (train, *tests) for path in side.files}
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
    """Return the ranked blocks except provenance."""
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


def _shortcuts(
    train: Side, tests: Sequence[Side], counts: Sequence[int], measuring: Measuring
) -> Block:
    """Return the block of shortcuts, measured as for datasets, but without families and levels."""
    if not all(side.has_answers for side in (train, *tests)):
        return shortcuts_block(Shortcuts(missing=NO_ANSWERS))
    most = [MOST_TRAIN, *(MOST_TEST for _ in tests)]
    fit, *others = map(_sampled, (train, *tests), counts, most)
    return shortcuts_block(find_shortcuts(fit, others, limit=measuring.max_shortcut))


def _sampled(side: Side, rows: int, most: int) -> Sampled:
    chosen = sample_rows(rows, most, stream_key("coverage", "sample", side.name))
    found, start = [], 0
    for part in side.parts():
        inside = integer_column(chosen[(chosen >= start) & (chosen < start + len(part))] - start)
        columns = {PROMPT: part.prompts, ANSWER: part.answers}
        found.append(pl.DataFrame({name: pl.Series(c.take(inside)) for name, c in columns.items()}))
        start += len(part)
    return Sampled(side.name, pl.concat(found))


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
    text = f"{total:,} rows read by synthgen {__version__}. Structures: {reader.description}."
    return Block("provenance", "Provenance", INFO, text, (table,))


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
    """Count the distinct problems and prompts in both."""
    level = Level.CANONICAL if Level.CANONICAL in shared else Level.NORMALISED
    ids, prompts = (distinct_keys(test.keys[at][shared[at]]) for at in (level, Level.EXACT))
    return Overlap(train.name, test.name, ids, prompts, declared=False)
