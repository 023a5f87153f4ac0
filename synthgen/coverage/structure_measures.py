"""Symbols, parts and templates of a side, read in one pass, and what of them train lacks."""

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
    """A symbol that train lacks: the number of rows with it, and the first of them."""

    rows: int
    first: int


@dataclass(frozen=True)
class Flagged:
    """Which test rows have a symbol, pair or triple that train lacks, bool (n,)."""

    symbols: Flags
    pairs: Flags
    triples: Flags


@dataclass
class StructureFacts:
    """Structures of one side.

    Attributes:
        rows: number of rows.
        templates: key of each row with its values masked (L3), uint64 (n,); empty if not needed.
        sizes: name -> sizes of the structures.
        symbols, pairs, triples: occurrences of each.
        unseen: symbols that train lacks, at most 10,000.
        growth: (rows, distinct pairs, distinct triples) after some numbers of rows.
        sample: codes of the sampled rows.
        flagged: test rows with something unseen; None for train.
        tally: easiness of test rows; None for train, sequences, or too many symbols.
    """

    rows: int = 0
    templates: U64 = field(default_factory=lambda: np.zeros(0, np.uint64))
    sizes: dict[str, Beyond] = field(default_factory=dict)
    symbols: IdCounts = field(default_factory=IdCounts)
    pairs: IdCounts = field(default_factory=IdCounts)
    triples: IdCounts = field(default_factory=IdCounts)
    unseen: dict[int, Unseen] = field(default_factory=dict)
    growth: list[tuple[int, int, int]] = field(default_factory=list)
    sample: Ragged = field(default_factory=lambda: Ragged(np.zeros(0, np.uint16), np.zeros(1, int)))
    flagged: Flagged | None = None
    tally: EasinessTally | None = None


@dataclass(frozen=True)
class Structures:
    """Structures of one kind of every side."""

    kind: Kind
    facts: dict[str, StructureFacts]


def read_structures(sides: Sides, kind: Kind) -> Structures:
    """Read the structures of every side, train first; memory is 11 bytes a row plus its parts."""
    facts = {sides.train.name: _read(sides.train, kind, None, None)}
    train = facts[sides.train.name]
    seen = None
    if isinstance(kind, TreeKind) and len(kind.classes.names) <= MAX_SIMILAR:
        seen = SeenStructures(train.pairs.items()[0])
    for side in sides.tests:
        facts[side.name] = _read(side, kind, train, seen)
    return Structures(kind, facts)


def _read(
    side: Side, kind: Kind, train: StructureFacts | None, seen: SeenStructures | None
) -> StructureFacts:
    facts = StructureFacts(tally=EasinessTally(seen) if seen else None)
    templates, samples = [facts.templates], []
    flags: list[tuple[Flags, Flags, Flags]] = []
    positions = side.sampled(MAX_SAMPLED)
    for batch in side.batches([kind.column]):
        parsed = kind.parse(batch)
        if train:
            flags.append(_flagged(facts, parsed, train))
        if facts.tally:
            facts.tally.add(parsed.pairs)
        _count(facts, parsed, train)
        samples.append(parsed.codes.take(inside(positions, facts.rows, len(parsed.codes))))
        templates.append(parsed.templates)
        facts.rows += len(parsed.codes)
    _note_growth(facts, facts.rows)
    facts.templates = np.concatenate(templates)
    facts.sample = stacked(samples) if samples else facts.sample
    if train:
        columns = [np.concatenate(column) for column in zip(*flags, strict=True)]
        facts.flagged = Flagged(*(columns or [np.zeros(0, np.bool_)] * 3))
    return facts


def _count(facts: StructureFacts, parsed: Parsed, train: StructureFacts | None) -> None:
    """Add a batch, split at the row numbers where growth is recorded."""
    for name, values in parsed.sizes.items():
        if name not in facts.sizes:
            known = train.sizes.get(name) if train else None
            facts.sizes[name] = Beyond(known.test if known else Range())
        facts.sizes[name].add(values)
    facts.symbols.add(parsed.symbols.values)
    pairs, triples = parsed.pairs, parsed.triples
    for first, last in pieces(facts.rows, len(parsed.codes), _MARKS):
        if facts.rows + first in _MARKS:
            _note_growth(facts, facts.rows + first)
        facts.pairs.add(pairs.values[pairs.offsets[first] : pairs.offsets[last]])
        facts.triples.add(triples.values[triples.offsets[first] : triples.offsets[last]])


def _note_growth(facts: StructureFacts, rows: int) -> None:
    if not facts.growth or facts.growth[-1][0] < rows:
        facts.growth.append((rows, len(facts.pairs), len(facts.triples)))


def _flagged(
    facts: StructureFacts, parsed: Parsed, train: StructureFacts
) -> tuple[Flags, Flags, Flags]:
    """Return the rows with something train lacks, and count its missing symbols."""
    new = has_unseen(parsed.symbols, train.symbols)
    if new.any():
        _note_unseen(facts, parsed.symbols, train.symbols)
    return new, has_unseen(parsed.pairs, train.pairs), has_unseen(parsed.triples, train.triples)


def _note_unseen(facts: StructureFacts, symbols: Ragged, known: IdCounts) -> None:
    """Count the rows of each unseen symbol of a batch."""
    values: U64 = symbols.values.astype(np.uint64)
    unseen = np.flatnonzero(~known.has(values))
    rows = np.repeat(np.arange(len(symbols)), symbols.lengths)[unseen]
    words, which = np.unique(values[unseen], return_inverse=True)
    columns = (words, *rows_of(which, rows, len(words)))
    for word, often, first in zip(*(column.tolist() for column in columns), strict=True):
        if word in facts.unseen:
            facts.unseen[word].rows += often
        elif len(facts.unseen) < _MAX_TRACKED:
            facts.unseen[word] = Unseen(often, facts.rows + first)


def stacked(parts: Sequence[Ragged]) -> Ragged:
    """Concatenate the rows of all parts."""
    offsets = offsets_of(np.concatenate([part.lengths for part in parts]))
    return Ragged(np.concatenate([part.values for part in parts]), offsets)
