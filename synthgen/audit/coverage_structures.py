"""Symbols, local structures and templates of a side, read in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from synthgen.audit.coverage_sides import STRUCTURE, Side, Sides, inside, pieces, text_of
from synthgen.core.columns import Ragged
from synthgen.core.content import domain_seed, hash_symbols
from synthgen.core.derivation import Signature, derivation_depths
from synthgen.core.local_structures import PREFIX_CODES, ROOT, code_of, local_structures
from synthgen.core.randomness import U64
from synthgen.coverage.easiness import EasinessTally, SeenStructures
from synthgen.coverage.id_counts import IdCounts
from synthgen.coverage.ranges import Beyond, Range
from synthgen.coverage.structure_reader import UNREADABLE, StructureReader
from synthgen.coverage.templates import MASK, is_numeral

Ints = NDArray[np.int64]

MOST_NUMERALS, MOST_LEAVES = 32, 4_096
NUMERALS, MARKS, LEAVES = "numbers", "marks", "leaves"
_SIZE_2 = np.uint64(2)
_MASK_ID = Signature.of({MASK: 0}).symbol_ids[0]


def kinds_to_mask(signature: Signature) -> frozenset[str]:
    """Return the kinds of leaves to treat as values, by their number of distinct leaves."""
    counts = Counter(
        _kind(name)
        for name, arity in zip(signature.names, signature.arities, strict=True)
        if not arity
    )
    kinds = {
        NUMERALS: counts[NUMERALS] > MOST_NUMERALS,
        MARKS: counts[MARKS] > MOST_NUMERALS,
        LEAVES: counts[LEAVES] > MOST_LEAVES,
    }
    return frozenset(kind for kind, masked in kinds.items() if masked)


def leaf_names(masked: frozenset[str]) -> Callable[[str], str]:
    """Return a function that names leaves, with `#` for each leaf of the masked kinds."""
    return lambda name: MASK if _kind(name) in masked else name


@dataclass(frozen=True)
class Classes:
    """Classes of the symbols of one signature.

    Attributes:
        names: names of the classes.
        of: class of each code, int64 (k,).
        template_ids: id of each code with all values masked, uint64 (k,).
    """

    names: tuple[str, ...]
    of: Ints
    template_ids: U64

    @property
    def merge(self) -> bool:
        """Whether some class has several symbols."""
        return len(self.names) < len(self.of)

    @property
    def signature(self) -> Signature:
        """Names of the classes, for writing structures."""
        return Signature(self.names, (0,) * len(self.names))


def classes_of(signature: Signature) -> Classes:
    """Return the classes of a signature's symbols.

    A signature that has grown has the same classes for its first symbols, and in the same order.
    """
    numbers: dict[str, int] = {}
    of = np.empty(len(signature.names), np.int64)
    template_ids = signature.symbol_ids.copy()
    for code, (name, arity) in enumerate(zip(signature.names, signature.arities, strict=True)):
        if not arity and _kind(name) == NUMERALS:
            template_ids[code] = _MASK_ID
        of[code] = numbers.setdefault(_base(name, arity), len(numbers))
    return Classes(tuple(numbers), of, template_ids)


def merged_words(words: U64, classes: Classes) -> U64:
    """Convert local structures of codes to local structures of classes."""
    table = np.zeros(ROOT + 1, np.uint64)
    table[: len(classes.of)] = classes.of
    table[ROOT] = ROOT
    code = words >> np.uint64(48)
    out: U64 = code << np.uint64(48)
    for shift in (32, 16, 0):
        symbols = table[(words >> np.uint64(shift)) & np.uint64(ROOT)] << np.uint64(shift)
        out |= np.where(code < _SIZE_2, 0, symbols).astype(np.uint64) if shift == 32 else symbols
    return out


def _kind(leaf: str) -> str:
    if is_numeral(leaf):
        return NUMERALS
    return MARKS if leaf.startswith(MASK) else LEAVES


def _base(name: str, arity: int) -> str:
    """Return a name without its argument-count suffix."""
    suffix = str(arity)
    return name[: -len(suffix)] if arity and name.endswith(suffix) and name != suffix else name


Flags = NDArray[np.bool_]

MOST_SAMPLED = 50_000
"""Rows whose codes are kept for metrics that use a sample."""
PEEKED = 65_536
"""Rows of each side that decide which leaves are values."""
MOST_SIMILAR = 16_384
"""Easiness, which compares all pairs of symbols, is computed only up to this many symbols."""
_SIZE_3 = 2  # code number from which structures have three symbols
_N, _NODES, _DEPTH = 3, "nodes", "depth"
_MARKS = tuple(step * 10**power for power in range(12) for step in (1, 2, 5))


@dataclass(frozen=True)
class Flagged:
    """Which test rows have an atom, pair or triple that train lacks, bool (n,)."""

    atoms: Flags
    pairs: Flags
    triples: Flags


@dataclass
class StructureFacts:
    """Structures of one side.

    Attributes:
        rows: number of rows; `unreadable` counts those that are not a tree.
        templates: key of each row with its values masked (L3), uint64 (n,).
        lengths: "nodes" and "depth" of each derivation.
        atoms: number of occurrences of each class of symbols, (k,).
        unseen_atoms: class missing from train -> rows with it.
        seen: local structures of two and three classes, as words.
        growth: (rows, structures of two, of three) after some numbers of rows.
        sample: codes of the sampled rows, with one code for all masked leaves.
        flagged: test rows with something unseen; None for train.
        tally: easiness of test rows; None for train, or if there are too many symbols.
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
    """The symbols of all sides, after all were read.

    Attributes:
        signature: of the codes.
        masked: kinds of leaves treated as values.
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
        """Decide from the first rows of every side which leaves to treat as values."""
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
        """Meaning of codes and classes."""
        return Vocabulary(self._reader.signature, self._masked)

    def read_train(self, side: Side) -> StructureFacts:
        """Read train; memory is 8 bytes a row plus its structures."""
        facts = self._train = self._read(side, None)
        words = facts.seen.items()[0]
        pairs = words[code_of(words) < _SIZE_3]
        if len(self._classes.names) <= MOST_SIMILAR:
            self._known = SeenStructures(pairs)
        return facts

    def read_test(self, side: Side) -> StructureFacts:
        """Read a side and compare it with train; memory is 11 bytes a row."""
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
        """Add a batch, split at the row numbers where growth is recorded."""
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
    """Return the rows with something train lacks, and count its missing symbols."""
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
    """Return the rows with any flag set."""
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
    """Concatenate the rows of all parts."""
    lengths = np.concatenate([part.lengths for part in parts])
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    return Ragged(np.concatenate([part.values for part in parts]), offsets)
