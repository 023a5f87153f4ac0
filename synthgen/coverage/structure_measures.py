"""Symbols, parts and templates of a side, read in one pass, and those that train lacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, offsets_of
from synthgen.coverage.easiness import EasinessTally, SeenStructures, rows_of
from synthgen.coverage.id_counts import IdCounts
from synthgen.coverage.inputs import Side, Sides, inside, pieces
from synthgen.coverage.structure_kinds import Kind, Parsed, TreeKind
from synthgen.coverage.tiers import has_unseen
from synthgen.coverage.value_ranges import Beyond, Range
from synthgen.draws.randomness import U64

Flags = NDArray[np.bool_]

MAX_SAMPLED = 50_000
"""Rows whose codes are kept for metrics that use a sample."""
MAX_SIMILAR = 16_384
"""Easiness, which compares all pairs of symbols, is computed only up to this many symbols."""
_MAX_TRACKED = 10_000
_MARKS = tuple(step * 10**power for power in range(12) for step in (1, 2, 5))


@dataclass
class Unseen:
    """A symbol or part that train lacks: the number of rows with it, and the first of them."""

    rows: int
    first: int


@dataclass(frozen=True)
class Flagged:
    """Which test rows have a symbol, pair or triple that train lacks, bool (n,)."""

    symbols: Flags
    pairs: Flags
    triples: Flags


@dataclass
class StructureMeasures:
    """Structures of one side.

    Attributes:
        rows: Number of rows.
        templates: Key of each row with its values masked (L3), uint64 (n,); empty if not needed.
        sizes: Sizes of the structures, by name.
        symbols, pairs, triples: Occurrences of each.
        unseen: Symbols that train lacks, at most 10,000.
        unseen_pairs, unseen_triples: Pairs and triples that train lacks, at most 10,000 each, of
            the batches that begin in the first 50,000 rows.
        growth: Triples (rows, distinct pairs, distinct triples) after some numbers of rows.
        sample: Codes of the sampled rows.
        flagged: Test rows with something unseen; None for train.
        tally: Easiness of test rows; None for train, sequences, or too many symbols.
    """

    rows: int = 0
    templates: U64 = field(default_factory=lambda: np.zeros(0, np.uint64))
    sizes: dict[str, Beyond] = field(default_factory=dict)
    symbols: IdCounts = field(default_factory=IdCounts)
    pairs: IdCounts = field(default_factory=IdCounts)
    triples: IdCounts = field(default_factory=IdCounts)
    unseen: dict[int, Unseen] = field(default_factory=dict)
    unseen_pairs: dict[int, Unseen] = field(default_factory=dict)
    unseen_triples: dict[int, Unseen] = field(default_factory=dict)
    growth: list[tuple[int, int, int]] = field(default_factory=list)
    sample: Ragged = field(default_factory=lambda: Ragged(np.zeros(0, np.uint16), np.zeros(1, int)))
    flagged: Flagged | None = None
    tally: EasinessTally | None = None


@dataclass(frozen=True)
class Structures:
    """Structures of one kind of every side."""

    kind: Kind
    measures: dict[str, StructureMeasures]


def read_structures(sides: Sides, kind: Kind) -> Structures:
    """Read the structures of every side, train first; memory is 11 bytes a row plus its parts."""
    measures = {sides.train.name: _read(sides.train, kind, None, None)}
    train = measures[sides.train.name]
    seen = None
    if isinstance(kind, TreeKind) and len(kind.classes.names) <= MAX_SIMILAR:
        seen = SeenStructures(train.pairs.items()[0])
    for side in sides.tests:
        measures[side.name] = _read(side, kind, train, seen)
    return Structures(kind, measures)


def _read(
    side: Side, kind: Kind, train: StructureMeasures | None, seen: SeenStructures | None
) -> StructureMeasures:
    measures = StructureMeasures(tally=EasinessTally(seen) if seen else None)
    templates, samples = [measures.templates], []
    flags: list[tuple[Flags, Flags, Flags]] = []
    positions = side.sampled(MAX_SAMPLED)
    for batch in side.batches([kind.column]):
        parsed = kind.parse(batch)
        if train:
            flags.append(_flagged(measures, parsed, train))
        if measures.tally:
            measures.tally.add(parsed.pairs)
        _count(measures, parsed, train)
        samples.append(parsed.codes.take(inside(positions, measures.rows, len(parsed.codes))))
        templates.append(parsed.templates)
        measures.rows += len(parsed.codes)
    _add_growth(measures, measures.rows)
    measures.templates = np.concatenate(templates)
    measures.sample = stacked(samples) if samples else measures.sample
    if train:
        columns = [np.concatenate(column) for column in zip(*flags, strict=True)]
        measures.flagged = Flagged(*(columns or [np.zeros(0, np.bool_)] * 3))
    return measures


def _count(measures: StructureMeasures, parsed: Parsed, train: StructureMeasures | None) -> None:
    """Add a batch, split at the row numbers where growth is recorded."""
    for name, values in parsed.sizes.items():
        if name not in measures.sizes:
            known = train.sizes.get(name) if train else None
            measures.sizes[name] = Beyond(known.test if known else Range())
        measures.sizes[name].add(values)
    measures.symbols.add(parsed.symbols.values)
    pairs, triples = parsed.pairs, parsed.triples
    for first, last in pieces(measures.rows, len(parsed.codes), _MARKS):
        if measures.rows + first in _MARKS:
            _add_growth(measures, measures.rows + first)
        measures.pairs.add(pairs.values[pairs.offsets[first] : pairs.offsets[last]])
        measures.triples.add(triples.values[triples.offsets[first] : triples.offsets[last]])


def _add_growth(measures: StructureMeasures, rows: int) -> None:
    if not measures.growth or measures.growth[-1][0] < rows:
        measures.growth.append((rows, len(measures.pairs), len(measures.triples)))


def _flagged(
    measures: StructureMeasures, parsed: Parsed, train: StructureMeasures
) -> tuple[Flags, Flags, Flags]:
    """Return the rows with something that train lacks, and count what is missing."""
    flags = []
    for items, known, unseen in (
        (parsed.symbols, train.symbols, measures.unseen),
        (parsed.pairs, train.pairs, measures.unseen_pairs),
        (parsed.triples, train.triples, measures.unseen_triples),
    ):
        flags.append(has_unseen(items, known))
        is_counted = unseen is measures.unseen or measures.rows < MAX_SAMPLED
        if is_counted and flags[-1].any():
            _add_unseen(unseen, measures.rows, items, known)
    return flags[0], flags[1], flags[2]


def _add_unseen(counts: dict[int, Unseen], start: int, items: Ragged, known: IdCounts) -> None:
    """Count the rows of each unseen item of a batch that begins at row `start`."""
    values: U64 = items.values.astype(np.uint64)
    unseen = np.flatnonzero(~known.has(values))
    rows = np.repeat(np.arange(len(items)), items.lengths)[unseen]
    words, which = np.unique(values[unseen], return_inverse=True)
    columns = (words, *rows_of(which, rows, len(words)))
    for word, often, first in zip(*(column.tolist() for column in columns), strict=True):
        if word in counts:
            counts[word].rows += often
        elif len(counts) < _MAX_TRACKED:
            counts[word] = Unseen(often, start + first)


def stacked(parts: Sequence[Ragged]) -> Ragged:
    """Concatenate the rows of all parts."""
    offsets = offsets_of(np.concatenate([part.lengths for part in parts]))
    return Ragged(np.concatenate([part.values for part in parts]), offsets)
