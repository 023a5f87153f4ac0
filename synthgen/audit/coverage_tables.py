"""Block 8: k-coverage of tasks whose rows are table entries, such as f(a, b, c)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.audit.blocks import FLAG, INFO, OK, Bars, Block, BlockTable, Cell
from synthgen.audit.coverage_identity import Matches
from synthgen.audit.coverage_sides import ANSWER, PROMPT, STRUCTURE, Side, text_of, texts_at
from synthgen.audit.coverage_structures import StructureFacts, Vocabulary
from synthgen.audit.coverage_words import cut, finite, interval, listed, percent, plural, share_text
from synthgen.core.columns import integer_values
from synthgen.core.errors import ParamError
from synthgen.coverage.easiness import HardStructure
from synthgen.coverage.k_coverage import cutoff_counts, k_cutoffs, monolithic_bits
from synthgen.coverage.structure_reader import StructureReader
from synthgen.coverage.templates import Level
from synthgen.coverage.tiers import Tier, tier_counts, tiers

Ints = NDArray[np.int64]

MOST_ROWS, MOST_PLACES, MOST_K = 20_000, 4, 10
_MOST_LISTED = 20
_TITLE = "k-coverage"


def table_block(sides: Sequence[Side]) -> Block:
    """Report which rows of other sides follow from train by exchanging equivalent fragments.

    Args:
        sides: train first, with structures and answers.
    """
    train, *tests = sides
    total = sum(side.rows for side in sides)
    if not tests or total > MOST_ROWS:
        reason = "there is no other split" if not tests else f"there are {total:,} rows"
        return _skipped(f"{reason}; only measured up to {MOST_ROWS:,} rows")
    inputs, labels, whose = _read(sides)
    if inputs is None:
        return _skipped("rows are not entries of one table over two to four values")
    try:
        cutoffs = k_cutoffs(inputs, labels, whose == 0, most_k=MOST_K)
    except ParamError as error:
        return _skipped(f"{error}")
    rows, shares, uncovered = [], [], []
    answers = int(labels.max()) + 1
    known = {tuple(row) for row in inputs[whose == 0].tolist()}
    for number, side in enumerate(tests, start=1):
        of_side = cutoffs[whose == number]
        counts = cutoff_counts(of_side, MOST_K)
        new = {tuple(row) for row in inputs[whose == number].tolist()} - known
        bits = finite(monolithic_bits(len(new), answers), 1)
        rows.append((side.name, side.rows, len(new), int(counts[0]), bits))
        shares.append(tuple((100.0 * counts / max(side.rows, 1)).round(3).tolist()))
        uncovered += _uncovered(side, np.flatnonzero(of_side == 0)[:_MOST_LISTED])
    columns = ("split", "rows", "unseen inputs", "rows not covered", "bits of an arbitrary table")
    tables = [BlockTable("k-coverage of rows", columns, tuple(rows))]
    if uncovered:
        names = ("split", "row", "prompt")
        tables.append(BlockTable("First rows not covered", names, tuple(uncovered)))
    labels_of = tuple(str(k) for k in range(MOST_K + 1))
    bars = Bars(
        "Largest covering k",
        "k (0: not covered)",
        "share of rows, %",
        labels_of,
        tuple(side.name for side in tests),
        tuple(shares),
    )
    free = sum(row[3] for row in rows)
    text = (
        f"{plural(free, 'row')} of other splits cannot be derived from {train.name} by exchanging "
        "values that are equivalent there."
    )
    return Block("k-coverage", _TITLE, INFO, text, tuple(tables), (bars,))


def _skipped(reason: str) -> Block:
    return Block("k-coverage", _TITLE, INFO, f"Not measured: {reason}.")


def _read(sides: Sequence[Side]) -> tuple[Ints | None, Ints, Ints]:
    """Return the values, answer and side of every row; None if they form no table."""
    reader = StructureReader()
    values: list[Ints] = []
    whose: list[Ints] = []
    answers: list[pa.StringArray] = []
    for number, side in enumerate(sides):
        for batch in side.batches([STRUCTURE, ANSWER]):
            found = reader.read(text_of(batch, STRUCTURE))
            lengths = np.unique(found.lengths)
            places = int(lengths[0]) - 1 if len(lengths) == 1 else 0
            if not 2 <= places <= MOST_PLACES or (values and values[0].shape[1] != places + 1):
                return None, np.zeros(0, np.int64), np.zeros(0, np.int64)
            values.append(found.values.reshape(-1, places + 1).astype(np.int64))
            whose.append(np.full(len(found), number))
            answers.append(text_of(batch, ANSWER))
    codes = np.concatenate(values) if values else np.zeros((0, 1), np.int64)
    arities = reader.signature.arity_array
    if not len(codes) or len(np.unique(codes[:, 0])) > 1 or arities[codes[:, 1:]].any():
        return None, np.zeros(0, np.int64), np.zeros(0, np.int64)
    labels = integer_values(pa.concat_arrays(answers).dictionary_encode().indices)
    return codes[:, 1:], labels.astype(np.int64), np.concatenate(whose)


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
_TIERS_TITLE = "Tiers of novelty"


def tier_numbers(
    facts: StructureFacts, duplicate: NDArray[np.bool_], template: NDArray[np.bool_]
) -> dict[Tier, int]:
    """Count the rows of a test side by tier.

    Args:
        facts: of the side's structures.
        duplicate: which rows are in train, bool (n,).
        template: which rows have a template of train, bool (n,).
    """
    if facts.flagged is None:
        return tier_counts(np.zeros(0, np.int8))
    found = tiers(
        duplicate=duplicate,
        same_template=template,
        unseen_atom=facts.flagged.atoms,
        unseen_2=facts.flagged.pairs,
        unseen_3=facts.flagged.triples,
    )
    return tier_counts(found)


def tiers_block(
    sides: Sequence[Side], facts: Mapping[str, StructureFacts], matches: Matches
) -> Block:
    """Report the rows of each tier.

    Args:
        sides: train first.
        facts: of each side's structures.
        matches: of rows with those of train.
    """
    _, *tests = sides
    if not tests:
        return Block("tiers", _TIERS_TITLE, INFO, "There is no other split to compare with.")
    counts = {}
    for side in tests:
        template = matches.shared[side.name, Level.TEMPLATE]
        none = np.zeros(len(template), np.bool_)
        duplicate = matches.shared.get((side.name, Level.CANONICAL), none)
        counts[side.name] = tier_numbers(facts[side.name], duplicate, template)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (side.name, side.rows, *counts[side.name].values()) for side in tests
    )
    shares = tuple(
        tuple(percent(n, side.rows) or 0.0 for n in counts[side.name].values()) for side in tests
    )
    names = tuple(TIER_NAMES[tier] for tier in Tier)
    shown = "; ".join(f"{side.name}: {_mostly(counts[side.name], side.rows)}" for side in tests)
    text = (
        "Tiers name the smallest new unit of a row: an atom, a pair of adjacent or nested symbols, "
        f"a triple, the template or the problem. {shown}."
    )
    table = BlockTable("Rows by tier", ("split", "rows", *names), rows)
    names_of = tuple(side.name for side in tests)
    bars = Bars("Share of rows by tier", "tier", "share of rows, %", names, names_of, shares)
    return Block("tiers", _TIERS_TITLE, INFO, text, (table,), (bars,))


def _mostly(counts: Mapping[Tier, int], rows: int) -> str:
    """Name the tier with the most rows."""
    tier = max(counts, key=lambda each: (counts[each], -each))
    return f"{percent(counts[tier], rows) or 0:.3g} % {TIER_NAMES[tier]}" if rows else "no rows"


HARD, EASY = 0.5, 0.99
_MOST_HARD = 20
_EASINESS_TITLE = "Easiness"


def easiness_block(
    sides: Sequence[Side], facts: Mapping[str, StructureFacts], vocabulary: Vocabulary
) -> Block:
    """Report the easiness of each other side by its symbol pairs.

    Args:
        sides: train first.
        facts: of each side's structures.
        vocabulary: names of the symbols.
    """
    _, *tests = sides
    if not tests:
        return Block("easiness", _EASINESS_TITLE, INFO, "There is no other split to compare with.")
    rows: list[tuple[Cell, ...]] = []
    hardest: list[tuple[Cell, ...]] = []
    parts = []
    for side in tests:
        tally = facts[side.name].tally
        if tally is None:
            rows.append((side.name, side.rows, None, None))
            parts.append(f"{side.name} not measured (too many symbols)")
            continue
        found = tally.hardest(vocabulary.classes.signature, _MOST_HARD)
        unseen = facts[side.name].flagged
        hard_rows = int(np.count_nonzero(unseen.pairs)) if unseen else 0
        rows.append((side.name, side.rows, round(tally.mean, 4), hard_rows))
        parts.append(f"{side.name} {tally.mean:.3g} ({_word(tally.mean)})")
        hardest += _examples(side, found)
    columns = ("split", "rows", "easiness", "rows with an unseen pair")
    tables = [BlockTable("Mean easiness of rows", columns, tuple(rows))]
    if hardest:
        names = ("split", "structure", "easiness", "rows", "first row", "prompt")
        tables.append(BlockTable("Hardest structures", names, tuple(hardest)))
    text = (
        "Mean easiness from 0 (symbol pairs unlike any in train) to 1 (all pairs seen): "
        f"{'; '.join(parts)}."
    )
    return Block("easiness", _EASINESS_TITLE, INFO, text, tuple(tables))


def _word(mean: float) -> str:
    if mean < HARD:
        return "hard"
    if mean == 1.0:
        return "easy: all pairs seen"
    return "easy: nearly all pairs seen" if mean >= EASY else "between easy and hard"


def _examples(
    side: Side, found: Sequence[HardStructure]
) -> list[tuple[str, str, float, int, int, str]]:
    """Return each structure with its first row."""
    positions = np.unique(np.array([each.first for each in found], np.int64))
    prompts: pa.StringArray = texts_at(side, PROMPT, positions)
    by_row = dict(zip(positions.tolist(), prompts.to_pylist(), strict=True))
    return [
        (
            side.name,
            each.text,
            round(each.easiness, 4),
            each.items,
            each.first,
            cut(by_row[each.first] or ""),
        )
        for each in found
    ]


_ATOMS_TITLE = "Unseen atoms"


def atoms_block(
    sides: Sequence[Side], facts: Mapping[str, StructureFacts], vocabulary: Vocabulary
) -> Block:
    """Report the symbols of other sides that train lacks, and their rows.

    Args:
        sides: train first.
        facts: of each side's structures.
        vocabulary: names of the symbols.
    """
    train, *tests = sides
    names = vocabulary.classes.names
    seen = int(np.count_nonzero(facts[train.name].atoms))
    rows = []
    unseen_rows = []
    bad = []
    for side in tests:
        found = facts[side.name]
        hits = _rows_with_unseen(found)
        note = "declared" if hits and side.declared.atoms else ""
        numbers = (side.rows, hits, percent(hits, side.rows), interval(hits, side.rows))
        types = int(np.count_nonzero(found.atoms))
        rows.append((side.name, types, len(found.unseen_atoms), *numbers, note))
        ranked = sorted(found.unseen_atoms.items(), key=lambda item: (-item[1], names[item[0]]))
        unseen_rows += [(side.name, cut(names[c], 60), n) for c, n in ranked[:_MOST_LISTED]]
        if hits and not side.declared.atoms:
            bad.append(f"{side.name}: {share_text(hits, side.rows)} of rows")
    columns = ("split", "atoms", "unseen atoms", "rows", "rows with one")
    more = ("share, %", "95 % interval, %", "")
    tables = [BlockTable(f"Atoms missing from {train.name}", (*columns, *more), tuple(rows))]
    if unseen_rows:
        title = f"Most frequent unseen atoms (up to {_MOST_LISTED} per split)"
        tables.append(BlockTable(title, ("split", "atom", "rows"), tuple(unseen_rows)))
    text = f"{train.name} has {plural(seen, 'distinct atom')}{masked_text(vocabulary)}. "
    if not tests:
        return Block("atoms", _ATOMS_TITLE, INFO, text + "There is no other split.", ())
    if bad:
        text += f"Rows of other splits have atoms missing from it: {listed(bad)}."
    elif unseen_rows:
        text += "All unseen atoms are declared."
    else:
        text += "Every atom of the other splits is among them."
    return Block("atoms", _ATOMS_TITLE, FLAG if bad else OK, text, tuple(tables))


def masked_text(vocabulary: Vocabulary) -> str:
    """State which leaves count as one atom."""
    if not vocabulary.masked:
        return ""
    kinds = {"numbers": "numbers", "marks": "marks (#...)", "leaves": "all other leaves"}
    named = " and ".join(kinds[kind] for kind in sorted(vocabulary.masked))
    return f" ({named} are too many to list and count as one atom, #)"


def _rows_with_unseen(facts: StructureFacts) -> int:
    return int(np.count_nonzero(facts.flagged.atoms)) if facts.flagged else 0
