"""Blocks about novelty in other sides: atoms, tiers, easiness, and k-coverage of tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.auditing.blocks import (
    FLAG,
    INFO,
    NO_TESTS,
    OK,
    BarChart,
    Block,
    BlockTable,
    Cell,
    not_measured,
    titled,
)
from synthgen.auditing.wording import (
    cut,
    finite,
    grouped,
    interval,
    percent,
    plural,
    share,
    share_text,
)
from synthgen.core.printing import listed
from synthgen.coverage.easiness import HardStructure
from synthgen.coverage.inputs import ANSWER, PROMPT, STRUCTURE, Side, examples, texts_at
from synthgen.coverage.k_coverage import cutoff_counts, k_cutoffs, monolithic_bits, table_entries
from synthgen.coverage.matches import Matches
from synthgen.coverage.structure_kinds import Kind, TreeKind
from synthgen.coverage.structure_measures import StructureMeasures, Structures, Unseen
from synthgen.coverage.templates import Level
from synthgen.coverage.tiers import Tier, tier_counts, tiers

Ints = NDArray[np.int64]

MAX_ROWS, MAX_PLACES, MAX_K = 20_000, 4, 10
_MAX_LISTED = 20
_MAX_PARTS = 3
UNSEEN_PARTS = "Most frequent unseen pairs and triples"
"""Title of the table of parts that train lacks, each with a prompt."""


def table_block(sides: Sequence[Side]) -> Block:
    """Report the rows of other sides that follow from train by exchanging equivalent fragments.

    Args:
        sides: Sides, train first.

    Raises:
        ParamError: if k-coverage cannot be measured.
    """
    train, *tests = sides
    total = sum(side.rows for side in sides)
    if not all({STRUCTURE, ANSWER} <= side.columns for side in sides):
        return not_measured("k-coverage", "there are no trees with answers")
    if not tests or total > MAX_ROWS:
        reason = "there is no other split" if not tests else f"there are {total:,} rows"
        return not_measured("k-coverage", f"{reason}; only measured up to {MAX_ROWS:,} rows")
    inputs, labels, whose = table_entries(sides, MAX_PLACES)
    if inputs is None:
        reason = "rows are not entries of one table over two to four values"
        return not_measured("k-coverage", reason)
    cutoffs = k_cutoffs(inputs, labels, whose == 0, most_k=MAX_K)
    rows, shares, uncovered = [], [], []
    answers = int(labels.max()) + 1
    known = {tuple(row) for row in inputs[whose == 0].tolist()}
    for number, side in enumerate(tests, start=1):
        of_side = cutoffs[whose == number]
        counts = cutoff_counts(of_side, MAX_K)
        new = {tuple(row) for row in inputs[whose == number].tolist()} - known
        bits = finite(monolithic_bits(len(new), answers), 1)
        rows.append((side.name, side.rows, len(new), int(counts[0]), bits))
        shares.append(tuple((100.0 * counts / max(side.rows, 1)).round(3).tolist()))
        uncovered += _uncovered(side, np.flatnonzero(of_side == 0)[:_MAX_LISTED])
    columns = ("split", "rows", "unseen inputs", "rows not covered", "bits of an arbitrary table")
    tables = (
        BlockTable("k-coverage of rows", columns, tuple(rows)),
        BlockTable("First rows not covered", ("split", "row", "prompt"), tuple(uncovered)),
    )
    axes = ("k (0: not covered)", "share of rows, %", tuple(map(str, range(MAX_K + 1))))
    names = tuple(side.name for side in tests)
    bars = BarChart("Largest covering k", *axes, names, tuple(shares))
    free = sum(row[3] for row in rows)
    text = (
        f"{plural(free, 'row')} of other splits cannot be derived from {train.name} by exchanging "
        "values that are equivalent there."
    )
    figures = {
        name: {"k_coverage": {"unseen_inputs": new, "uncovered": uncovered}}
        for name, _, new, uncovered, _ in rows
    }
    return titled("k-coverage", INFO, text, tables, (bars,), figures)


def _uncovered(side: Side, positions: Ints) -> list[tuple[str, int, str]]:
    prompts = texts_at(side, PROMPT, positions).to_pylist()
    pairs = zip(positions.tolist(), prompts, strict=True)
    return [(side.name, row, cut(prompt or "")) for row, prompt in pairs]


TIER_NAMES = {
    Tier.DUPLICATE: "in train",
    Tier.SAME_TEMPLATE: "known template",
    Tier.ALL_SEEN: "all parts seen",
    Tier.UNSEEN_3: "unseen triple",
    Tier.UNSEEN_2: "unseen pair",
    Tier.UNSEEN_ATOM: "unseen atom",
}


def of_kind(kind: Kind, figures: dict[str, Any]) -> dict[str, Any]:
    """Return figures, under the name of their kind of structure unless it is trees."""
    return {kind.key: figures} if kind.key else figures


def _tier_counts(side: Side, structures: Structures, matches: Matches) -> dict[Tier, int]:
    """Count the rows of a test side by tier."""
    flagged = structures.measures[side.name].flagged
    if flagged is None:
        return tier_counts(np.zeros(0, np.int8))
    row_tiers = tiers(
        duplicate=matches.identical(side.name),
        same_template=matches.shared[side.name, Level.TEMPLATE],
        unseen_atom=flagged.symbols,
        unseen_2=flagged.pairs,
        unseen_3=flagged.triples,
    )
    return tier_counts(row_tiers)


def tiers_block(sides: Sequence[Side], structures: Structures, matches: Matches) -> Block:
    """Report the rows of each tier.

    Args:
        sides: Sides, train first.
        structures: Structures of each side.
        matches: Matches of rows with those of train.
    """
    _, *tests = sides
    if not tests:
        return titled("tiers", INFO, NO_TESTS)
    counts = {side.name: _tier_counts(side, structures, matches) for side in tests}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (side.name, side.rows, *counts[side.name].values()) for side in tests
    )
    shares = tuple(
        tuple(percent(n, side.rows) or 0.0 for n in counts[side.name].values()) for side in tests
    )
    figures = {
        side.name: of_kind(
            structures.kind,
            {"tiers": {t.name.lower(): share(n, side.rows) for t, n in counts[side.name].items()}},
        )
        for side in tests
    }
    names = tuple(TIER_NAMES[tier] for tier in Tier)
    text = grouped({side.name: _mostly(counts[side.name], side.rows) for side in tests})
    tables = (
        BlockTable("Rows by tier", ("split", "rows", *names), rows),
        unseen_table(sides, structures),
        _unseen_parts(tests, structures),
    )
    names_of = tuple(side.name for side in tests)
    bars = BarChart("Share of rows by tier", "tier", "share of rows, %", names, names_of, shares)
    return titled("tiers", INFO, f"Largest tier: {text}.", tables, (bars,), figures)


def unseen_table(sides: Sequence[Side], structures: Structures) -> BlockTable:
    """Return the rows with a symbol or part that train lacks."""
    rows = []
    for side in sides[1:]:
        shares = unseen_figures(side, structures.measures[side.name])["unseen"]
        parts = (structures.kind.symbol, *structures.kind.parts)
        for name, value in zip(parts, shares.values(), strict=True):
            rows.append((side.name, name, round(value * side.rows), round(100 * value, 2)))
    columns = ("split", "part", "rows with an unseen one", "share, %")
    return BlockTable("Rows with an unseen part", columns, tuple(rows))


def _unseen_parts(tests: Sequence[Side], structures: Structures) -> BlockTable:
    """Return the pairs and triples of each split that most rows have and train lacks."""
    kind = structures.kind
    rows: list[tuple[Cell, ...]] = []
    for side in tests:
        measures = structures.measures[side.name]
        for name, unseen in zip(
            kind.parts, (measures.unseen_pairs, measures.unseen_triples), strict=True
        ):
            listed_parts = _most_frequent(side, kind, unseen, kind.part_text, _MAX_PARTS)
            rows += [(side.name, name, *cells) for cells in listed_parts]
    columns = ("split", "part", "not in train", "rows", "first row", "prompt")
    return BlockTable(UNSEEN_PARTS, columns, tuple(rows))


def unseen_figures(side: Side, measures: StructureMeasures) -> dict[str, dict[str, float]]:
    """Return the shares of rows with a symbol, a pair or a triple that train lacks."""
    flagged = measures.flagged
    flags = (flagged.symbols, flagged.pairs, flagged.triples) if flagged else ()
    shares = [int(np.count_nonzero(each)) / side.rows if side.rows else 0.0 for each in flags]
    return {"unseen": dict(zip(("symbols", "pairs", "triples"), shares, strict=False))}


def _mostly(counts: Mapping[Tier, int], rows: int) -> str:
    """Name the tier with the most rows."""
    tier = max(counts, key=lambda each: (counts[each], -each))
    return f"{percent(counts[tier], rows) or 0:.3g}% {TIER_NAMES[tier]}" if rows else "no rows"


_MAX_HARD = 20


def easiness_block(sides: Sequence[Side], structures: Structures) -> Block:
    """Report the easiness of each other side by its symbol pairs.

    Args:
        sides: Sides, train first.
        structures: Trees of each side.
    """
    _, *tests = sides
    kind = structures.kind
    if not isinstance(kind, TreeKind):
        reason = f"easiness needs trees, and the structures are {kind.key}"
        return not_measured("easiness", reason)
    if not tests:
        return titled("easiness", INFO, NO_TESTS)
    rows: list[tuple[Cell, ...]] = []
    hardest: list[tuple[Cell, ...]] = []
    parts: dict[str, str] = {}
    figures = {}
    for side in tests:
        tally, unseen = structures.measures[side.name].tally, structures.measures[side.name].flagged
        if tally is None or unseen is None:
            rows.append((side.name, side.rows, None, None, None))
            parts[side.name] = "not measured (too many symbols)"
            continue
        pairs, triples = (int(np.count_nonzero(f)) for f in (unseen.pairs, unseen.triples))
        rows.append((side.name, side.rows, round(tally.mean, 4), pairs, triples))
        parts[side.name] = f"{tally.mean:.3g} ({_seen_text(side.rows, pairs, triples)})"
        shares = (tally.mean, share(pairs, side.rows), share(triples, side.rows))
        names = ("mean", "unseen_pair", "unseen_triple")
        figures[side.name] = {"easiness": dict(zip(names, shares, strict=True))}
        hardest += _examples(side, tally.hardest(kind.classes.signature, _MAX_HARD))
    unseen_of = ("rows with an unseen pair", "rows with an unseen triple")
    columns = ("split", "structure", "easiness", "rows", "first row", "prompt")
    tables = (
        BlockTable("Mean easiness of rows", ("split", "rows", "easiness", *unseen_of), tuple(rows)),
        BlockTable("Hardest structures", columns, tuple(hardest)),
    )
    return titled("easiness", INFO, f"{grouped(parts)}.", tables, figures=figures)


def _seen_text(rows: int, pairs: int, triples: int) -> str:
    """State which pairs and triples train lacks."""
    if pairs:
        return f"{percent(pairs, rows):.3g}% of rows have an unseen pair"
    if triples:
        unseen = f"{percent(triples, rows):.3g}% of rows have an unseen triple"
        return f"every pair was seen, but {unseen}"
    return "every pair and triple was seen"


def _examples(
    side: Side, hardest: Sequence[HardStructure]
) -> list[tuple[str, str, float, int, str, str]]:
    """Return each structure with its first row."""
    shown = examples(side, [each.first for each in hardest])
    return [
        (side.name, each.text, round(each.easiness, 4), each.items, *shown[each.first])
        for each in hardest
    ]


def atoms_block(sides: Sequence[Side], structures: Structures) -> Block:
    """Report the symbols of other sides that train lacks, and their rows.

    Args:
        sides: Sides, train first.
        structures: Structures of each side.
    """
    train, *tests = sides
    kind, symbol = structures.kind, structures.kind.symbol
    rows, unseen_rows = [], []
    bad: list[str] = []
    by_chance: list[str] = []
    figures = {}
    for side in sides:
        measures = structures.measures[side.name]
        hits = int(np.count_nonzero(measures.flagged.symbols)) if measures.flagged else 0
        types, unseen = len(measures.symbols), len(measures.unseen)
        of_side: dict[str, Any] = {"distinct": types}
        if side is not train:
            of_side["unseen"] = unseen
            note = "declared" if hits and side.declared.atoms else ""
            numbers = (side.rows, hits, percent(hits, side.rows), interval(hits, side.rows))
            rows.append((side.name, types, unseen, *numbers, note))
            listed_ones = _most_frequent(side, kind, measures.unseen, kind.text, _MAX_LISTED)
            unseen_rows += [(side.name, *cells) for cells in listed_ones]
        shares = unseen_figures(side, measures) if side is not train else {}
        figures[side.name] = of_kind(structures.kind, {"atoms": of_side, **shares})
        if hits and not side.declared.atoms:
            is_usual = hits <= _expected(side, structures, train)
            text = f"{side.name}: {share_text(hits, side.rows)} of rows"
            (by_chance if is_usual else bad).append(text)
    columns = ("split", f"{symbol}s", f"unseen {symbol}s", "rows", "rows with one")
    more = ("share, %", "95% interval, %", "")
    title = f"{symbol.capitalize()}s missing from {train.name}"
    title_of_rows = f"Most frequent unseen {symbol}s (up to {_MAX_LISTED} per split)"
    shown = ("split", symbol, "rows", "first row", "prompt")
    tables = (
        BlockTable(title, (*columns, *more), tuple(rows)),
        BlockTable(title_of_rows, shown, tuple(unseen_rows)),
    )
    seen = plural(len(structures.measures[train.name].symbols), f"distinct {symbol}")
    has = f"{train.name} has {seen}{masked_text(structures)}."
    if not tests:
        return titled("atoms", INFO, f"{has} There is no other split.", figures=figures)
    if bad:
        text = f"Rows of other splits have {symbol}s missing from {train.name}: {listed(bad)}."
    elif by_chance:
        text = f"No more rows have unseen {symbol}s than in a random split: {listed(by_chance)}."
    elif unseen_rows:
        text = f"All unseen {symbol}s are declared."
    else:
        text = f"0 rows of other splits have {symbol}s missing from {train.name}."
    verdict = FLAG if bad else OK
    return titled("atoms", verdict, f"{text} {has}", tables, figures=figures)


def _expected(side: Side, structures: Structures, train: Side) -> float:
    """Return how many rows may have a word that train lacks, as in a random split of its texts.

    The next row has about as many new words as words occur once in train, per row (Good and
    Turing). Structures are made of few symbols, all of which train should have.
    """
    if structures.kind.column != PROMPT:
        return 0.0
    _, counts = structures.measures[train.name].symbols.items()
    expected = side.rows * int(np.count_nonzero(counts == 1)) / max(train.rows, 1)
    return float(expected + 3.0 * expected**0.5)


def _most_frequent(
    side: Side,
    kind: Kind,
    unseen: Mapping[int, Unseen],
    text_of: Callable[[int, str], str],
    most: int,
) -> list[tuple[Cell, ...]]:
    """Return the items that most rows have: text, rows, and the first row with its prompt."""
    ranked = sorted(unseen, key=lambda each: (-unseen[each].rows, unseen[each].first, each))[:most]
    firsts = sorted({unseen[each].first for each in ranked})
    texts = texts_at(side, kind.column, np.array(firsts, np.int64)).to_pylist()
    by_row = dict(zip(firsts, texts, strict=True))
    shown = examples(side, firsts)
    return [
        (cut(text_of(name, by_row[at] or ""), 60), unseen[name].rows, *shown[at])
        for name in ranked
        for at in (unseen[name].first,)
    ]


def masked_text(structures: Structures) -> str:
    """State which leaves count as one atom."""
    kind = structures.kind
    if not isinstance(kind, TreeKind) or not kind.masked:
        return ""
    kinds = {"numbers": "numbers", "marks": "marks (#...)", "leaves": "all other leaves"}
    named = " and ".join(kinds[each] for each in sorted(kind.masked))
    return f" ({named} are too many to list and count as one atom, #)"
