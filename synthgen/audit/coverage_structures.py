"""What the structures of a side say: symbols, local structures and templates, in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from synthgen.audit.coverage_sides import STRUCTURE, Side, Sides, inside, pieces, text_of
from synthgen.audit.coverage_symbols import (
    Classes,
    classes_of,
    kinds_to_mask,
    leaf_names,
    merged_words,
)
from synthgen.core.columns import Ragged
from synthgen.core.content import domain_seed, hash_symbols
from synthgen.core.coverage.easiness import EasinessTally, SeenStructures
from synthgen.core.coverage.id_counts import IdCounts
from synthgen.core.coverage.local_structures import PREFIX_CODES, code_of, local_structures
from synthgen.core.coverage.ranges import Beyond, Range
from synthgen.core.coverage.structure_reader import UNREADABLE, StructureReader
from synthgen.core.derivation import Signature, derivation_depths
from synthgen.core.randomness import U64

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

MOST_SAMPLED = 50_000
"""Rows whose codes are kept, for metrics that look at a sample."""
PEEKED = 65_536
"""Rows of each side that decide which leaves are values."""
MOST_SIMILAR = 16_384
"""Symbols up to which the similarity of any two is worked out for easiness."""
_SIZE_3 = 2  # code number from which structures have three symbols
_N, _NODES, _DEPTH = 3, "nodes", "depth"
_MARKS = tuple(step * 10**power for power in range(12) for step in (1, 2, 5))


@dataclass(frozen=True)
class Flagged:
    """What of each test row train lacks, bool (n,)."""

    atoms: Flags
    pairs: Flags
    triples: Flags


@dataclass
class StructureFacts:
    """What was read of one side.

    Attributes:
        rows: number of rows, and `unreadable` of those that are no tree.
        templates: key of each row with its values masked (L3), uint64 (n,).
        lengths: "nodes" and "depth" of each derivation.
        atoms: how often each class of symbols occurs, (k,).
        unseen_atoms: class that train lacks -> rows that have it.
        seen: local structures of two and three classes, as words.
        growth: (rows, structures of two, of three) after some numbers of rows.
        sample: codes of the sampled rows, masked leaves being one.
        flagged: which test rows have something unseen; None for train.
        tally: easiness of test rows; None for train, or where there are too many symbols.
    """

    rows: int = 0
    unreadable: int = 0
    templates: U64 = field(default_factory=lambda: np.zeros(0, np.uint64))
    lengths: dict[str, Beyond] = field(default_factory=dict)
    atoms: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    unseen_atoms: Counter[int] = field(default_factory=Counter)
    seen: IdCounts = field(default_factory=IdCounts)
    growth: list[tuple[int, int, int]] = field(default_factory=list)
    sample: Ragged = field(default_factory=lambda: Ragged(np.zeros(0, np.uint16), np.zeros(1, int)))
    flagged: Flagged | None = None
    tally: EasinessTally | None = None

    def range(self, name: str) -> Range:
        """Return the range of "nodes" or "depth"."""
        return self.lengths[name].test


@dataclass(frozen=True)
class Vocabulary:
    """The symbols of all sides, once all were read.

    Attributes:
        signature: of the codes.
        masked: kinds of leaves that are values.
    """

    signature: Signature
    masked: frozenset[str]

    @property
    def classes(self) -> Classes:
        """Classes of the symbols."""
        return classes_of(self.signature)


@dataclass(frozen=True)
class _Batch:
    """Some rows: codes, classes in prefix order, local structures of classes."""

    codes: Ragged
    classes: Ints
    local: Ragged
    templates: U64
    depths: Ints


class StructurePass:
    """Reads the structures of sides, train first; all share one vocabulary."""

    def __init__(self, sides: Sides) -> None:
        """Decide from the first rows of every side which leaves are values."""
        peek = StructureReader()
        for side in sides.all:
            left = PEEKED
            for batch in side.batches([STRUCTURE]):
                peek.read(text_of(batch, STRUCTURE)[:left])
                left -= batch.num_rows
                if left <= 0:
                    break
        self._masked = kinds_to_mask(peek.signature)
        self._reader = StructureReader(leaf_names(self._masked))
        self._classes = classes_of(self._reader.signature)
        self._train: StructureFacts | None = None
        self._known: SeenStructures | None = None

    @property
    def vocabulary(self) -> Vocabulary:
        """What codes and classes stand for."""
        return Vocabulary(self._reader.signature, self._masked)

    def read_train(self, side: Side) -> StructureFacts:
        """Read train; 8 bytes a row stay in memory, and what its structures take."""
        facts = self._train = self._read(side, None)
        words = facts.seen.items()[0]
        pairs = words[code_of(words) < _SIZE_3]
        if len(self._classes.names) <= MOST_SIMILAR:
            self._known = SeenStructures(pairs)
        return facts

    def read_test(self, side: Side) -> StructureFacts:
        """Read a side and hold it against train; 11 bytes a row stay in memory."""
        return self._read(side, self._train)

    def _read(self, side: Side, train: StructureFacts | None) -> StructureFacts:
        facts = StructureFacts(tally=EasinessTally(self._known) if train and self._known else None)
        for name in (_NODES, _DEPTH):
            facts.lengths[name] = Beyond(train.range(name) if train else Range())
        templates, samples = [facts.templates], [facts.sample]
        flags: list[Flagged] = []
        positions = side.sampled(MOST_SAMPLED)
        for batch in self._batches(side):
            self._count(facts, batch)
            if train:
                flags.append(_flagged(facts, batch, train))
                if facts.tally:
                    facts.tally.add(_only_pairs(batch.local))
            samples.append(batch.codes.take(inside(positions, facts.rows, len(batch.codes))))
            templates.append(batch.templates)
            facts.rows += len(batch.codes)
        _note_growth(facts)
        facts.templates = np.concatenate(templates)
        facts.sample = _stacked(samples)
        if train:
            columns = [np.concatenate(column) for column in zip(*map(_columns, flags), strict=True)]
            facts.flagged = Flagged(*(columns or [np.zeros(0, np.bool_)] * 3))
        return facts

    def _batches(self, side: Side) -> Iterator[_Batch]:
        seed = domain_seed("template")
        for batch in side.batches([STRUCTURE]):
            codes = self._reader.read(text_of(batch, STRUCTURE))
            signature = self._reader.signature
            if len(signature.names) > len(self._classes.of):
                self._classes = classes_of(signature)
            classes = self._classes
            local = local_structures(codes, signature, _N)
            if classes.merge:
                local = Ragged(merged_words(local.values, classes), local.offsets)
            keys = hash_symbols(codes.values, codes.offsets, classes.template_ids, seed)
            depths = derivation_depths(codes.values, codes.offsets, signature.arity_array)
            yield _Batch(codes, classes.of[codes.values], local, keys[:, 0].copy(), depths)

    def _count(self, facts: StructureFacts, batch: _Batch) -> None:
        """Add a batch, piece by piece where growth is noted."""
        names = self._classes.names
        facts.lengths[_NODES].add(batch.codes.lengths)
        facts.lengths[_DEPTH].add(batch.depths)
        counts = np.bincount(batch.classes, minlength=len(names))
        counts[: len(facts.atoms)] += facts.atoms
        facts.atoms = counts
        if UNREADABLE in names:
            facts.unreadable = int(counts[names.index(UNREADABLE)])
        start = facts.rows
        for first, last in pieces(start, len(batch.codes), _MARKS):
            if start + first in _MARKS:
                _note_growth(facts, start + first)
            values = batch.local.values
            facts.seen.add(values[batch.local.offsets[first] : batch.local.offsets[last]])


def _note_growth(facts: StructureFacts, rows: int | None = None) -> None:
    counts = np.bincount(code_of(facts.seen.items()[0]), minlength=len(PREFIX_CODES))
    point = (rows or facts.rows, int(counts[:_SIZE_3].sum()), int(counts[_SIZE_3:].sum()))
    if not facts.growth or facts.growth[-1][0] < point[0]:
        facts.growth.append(point)


def _flagged(facts: StructureFacts, batch: _Batch, train: StructureFacts) -> Flagged:
    """Say which rows have something that train lacks, and count the symbols it lacks."""
    known = np.zeros(len(facts.atoms), np.bool_)
    known[: len(train.atoms)] = train.atoms > 0
    offsets = batch.codes.offsets
    new = ~known[batch.classes]
    if new.any():
        row_of = np.repeat(np.arange(len(batch.codes)), batch.codes.lengths)[new]
        pairs = np.unique(np.stack([batch.classes[new], row_of]), axis=1)
        facts.unseen_atoms.update(pairs[0].tolist())
    missing = ~train.seen.has(batch.local.values)
    larger = code_of(batch.local.values) >= _SIZE_3
    local = batch.local.offsets
    return Flagged(
        _any(new, offsets), _any(missing & ~larger, local), _any(missing & larger, local)
    )


def _any(flags: Flags, offsets: Ints) -> Flags:
    """Say which rows have a flag."""
    before = np.zeros(len(flags) + 1, np.int64)
    np.cumsum(flags, out=before[1:])
    return np.asarray(before[offsets[1:]] > before[offsets[:-1]], np.bool_)


def _columns(flags: Flagged) -> tuple[Flags, Flags, Flags]:
    return flags.atoms, flags.pairs, flags.triples


def _only_pairs(local: Ragged) -> Ragged:
    """Return the structures of two symbols of each row."""
    kept = code_of(local.values) < _SIZE_3
    before = np.zeros(len(kept) + 1, np.int64)
    np.cumsum(kept, out=before[1:])
    return Ragged(local.values[kept], before[local.offsets])


def _stacked(parts: list[Ragged]) -> Ragged:
    """Return the rows of all parts, one below the other."""
    lengths = np.concatenate([part.lengths for part in parts])
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    return Ragged(np.concatenate([part.values for part in parts]), offsets)
