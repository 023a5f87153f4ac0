"""Second pass over a test: novelty of each row relative to the counts of train."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from synthgen.audit.blocks import FLAG, INFO, OK, Bars, Block, BlockTable, Cell
from synthgen.audit.foreign_counts import SYMBOLS, SideCounts, part_answers, part_lengths
from synthgen.audit.foreign_readers import Reader
from synthgen.audit.foreign_sides import Part, Side
from synthgen.audit.foreign_structures import Structures
from synthgen.core.columns import Ragged
from synthgen.core.randomness import U64
from synthgen.coverage.id_counts import IdCounts
from synthgen.coverage.intervals import wilson_interval
from synthgen.coverage.ranges import Beyond
from synthgen.coverage.templates import Level
from synthgen.coverage.tiers import Tier, has_unseen, tier_counts, tiers

MOST_NAMED = 20
_MOST_TRACKED = 10_000
_MOST_TEXT = 200
TIERS: Mapping[Tier, str] = {
    Tier.DUPLICATE: "already in train",
    Tier.SAME_TEMPLATE: "known template, other numbers",
    Tier.ALL_SEEN: "all parts seen",
    Tier.UNSEEN_3: "new part of three symbols",
    Tier.UNSEEN_2: "new part of two symbols",
    Tier.UNSEEN_ATOM: "new symbol",
}


@dataclass
class NewSymbol:
    """A symbol of a test that train lacks, with its text and rows."""

    text: str
    rows: int
    place: str
    prompt: str


@dataclass
class Novelty:
    """Novelty of a test.

    Attributes:
        unseen_rows: rows with a symbol, a part of two or a part of three that train lacks.
        tiers: rows of each tier.
        symbols: unseen symbols by id, at most 10,000.
        beyond: lengths and values compared with the ranges of train.
        answers: rows with an answer that train lacks.
    """

    name: str
    rows: int = 0
    unseen_rows: dict[str, int] = field(default_factory=dict)
    tiers: dict[Tier, int] = field(default_factory=lambda: dict.fromkeys(Tier, 0))
    symbols: dict[int, NewSymbol] = field(default_factory=dict)
    beyond: dict[str, Beyond] = field(default_factory=dict)
    new_answers: int = 0


def find_novelty(
    test: Side,
    reader: Reader,
    train: SideCounts,
    shared: Mapping[Level, NDArray[np.bool_]],
) -> Novelty:
    """Read a test again and compare each row with train.

    Args:
        test: rows.
        reader: of their structures.
        train: counts of train.
        shared: rows also in train, by level.
    """
    found = Novelty(test.name, beyond={n: Beyond(r) for n, r in train.ranges.items()})
    found.unseen_rows = dict.fromkeys((SYMBOLS, *reader.parts), 0)
    names = tuple(found.unseen_rows)
    known = train.ids.get(SYMBOLS, IdCounts())
    for part in test.parts():
        structures = reader.read(part)
        rows = slice(found.rows, found.rows + len(part))
        flags = (
            has_unseen(structures.symbols, known),
            has_unseen(structures.pairs, train.pairs),
            has_unseen(structures.triples, train.triples),
        )
        for name, column in zip(names, flags, strict=True):
            found.unseen_rows[name] += int(column.sum())
        identical = [column[rows] for level, column in shared.items() if level <= Level.CANONICAL]
        of_part = tiers(
            duplicate=np.any(identical, axis=0),
            same_template=shared[Level.TEMPLATE][rows],
            unseen_atom=flags[0],
            unseen_2=flags[1],
            unseen_3=flags[2],
        )
        for tier, count in tier_counts(of_part).items():
            found.tiers[tier] += count
        for name, values in part_lengths(part, structures, reader.symbol).items():
            if name in found.beyond:
                found.beyond[name].add(values)
        if part.answers is not None and len(train.answers):
            found.new_answers += int((train.answers.of(part_answers(part.answers)) == 0).sum())
        _note_symbols(found, part, structures, reader, known)
        found.rows += len(part)
    return found


def _note_symbols(
    found: Novelty, part: Part, structures: Structures, reader: Reader, known: IdCounts
) -> None:
    """Count the rows of each unseen symbol, and record its name from the first one."""
    for word, rows, first in unseen_ids(structures.symbols, known):
        if word in found.symbols:
            found.symbols[word].rows += rows
        elif len(found.symbols) < _MOST_TRACKED:
            text = reader.names(part, first).get(word, f"{word:016x}")
            prompt = part.prompts[first].as_py()[:_MOST_TEXT]
            found.symbols[word] = NewSymbol(text, rows, part.place(first), prompt)


def unseen_ids(bag: Ragged, known: IdCounts) -> Iterator[tuple[int, int, int]]:
    """Yield each unknown id, its number of rows, and the first of them."""
    values: U64 = bag.values.astype(np.uint64)
    unseen = np.flatnonzero(known.of(values) == 0)
    rows = np.repeat(np.arange(len(bag)), bag.lengths)[unseen]
    words, which = np.unique(values[unseen], return_inverse=True)
    pairs = np.unique(np.stack([which, rows], axis=1), axis=0)
    starts = np.searchsorted(pairs[:, 0], np.arange(len(words)))
    counts = np.bincount(pairs[:, 0], minlength=len(words))
    yield from zip(words.tolist(), counts.tolist(), pairs[starts, 1].tolist(), strict=True)


def atoms_block(train: SideCounts, found: Sequence[Novelty], symbol: str) -> Block:
    """Report the symbols of tests that train lacks."""
    rows = []
    named: list[tuple[str, str, int, str, str]] = []
    for each in found:
        count = each.unseen_rows[SYMBOLS]
        interval = wilson_interval(count, each.rows)
        share = count / each.rows if each.rows else 0.0
        rows.append((each.name, len(each.symbols), count, round(share, 6), _interval(interval)))
        ranked = sorted(each.symbols.values(), key=lambda one: (-one.rows, one.text))
        named += [(each.name, s.text, s.rows, s.place, s.prompt) for s in ranked[:MOST_NAMED]]
    bad = [f"{each.name} has {len(each.symbols):,}" for each in found if each.symbols]
    text = f"Every {symbol} of the tests occurs in {train.name}."
    if bad:
        text = f"{symbol.capitalize()}s missing from {train.name}: {', '.join(bad)}."
    columns = ("split", f"unseen {symbol}s", "rows with one", "share", "95 % interval")
    tables = [BlockTable(f"Unseen {symbol}s", columns, tuple(rows))]
    if named:
        shown = ("split", symbol, "rows", "first row", "prompt")
        tables.append(BlockTable(f"Most frequent unseen {symbol}s", shown, tuple(named)))
    return Block("atoms", "Unseen symbols", FLAG if bad else OK, text, tuple(tables))


def tiers_block(train: SideCounts, found: Sequence[Novelty]) -> Block:
    """Report the novelty of the rows of each test by their smallest new part."""
    names = tuple(TIERS[tier] for tier in Tier)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (each.name, *(each.tiers[tier] for tier in Tier)) for each in found
    )
    shares = tuple(
        tuple(each.tiers[tier] / each.rows if each.rows else 0.0 for tier in Tier) for each in found
    )
    unseen = tuple(
        (each.name, name, count, round(count / each.rows, 6) if each.rows else 0.0)
        for each in found
        for name, count in each.unseen_rows.items()
    )
    largest = [max(each.tiers, key=lambda tier: each.tiers[tier]) for each in found if each.rows]
    mostly = [
        f"{each.name}: {each.tiers[tier] / each.rows:.1%} {TIERS[tier]}"
        for each, tier in zip((e for e in found if e.rows), largest, strict=True)
    ]
    text = f"Smallest new part of each row relative to {train.name}. Mostly {'; '.join(mostly)}."
    tables = (
        BlockTable("Rows by tier", ("split", *names), rows),
        BlockTable("Rows with an unseen part", ("split", "part", "rows", "share"), unseen),
    )
    labels = tuple(each.name for each in found)
    bars = Bars("Tiers", "tier", "share of rows", names, labels, shares)
    return Block("tiers", "Novelty of test rows", INFO, text, tables, (bars,))


def _interval(bounds: tuple[float, float]) -> str:
    return f"{bounds[0]:.4f} to {bounds[1]:.4f}"
