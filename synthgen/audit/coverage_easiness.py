"""Block 7: easiness of other sides, and their hardest structures with a row that has each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from synthgen.audit.blocks import INFO, Block, BlockTable, Cell
from synthgen.audit.coverage_sides import PROMPT, Side, texts_at
from synthgen.audit.coverage_structures import StructureFacts, Vocabulary
from synthgen.audit.coverage_words import cut
from synthgen.core.coverage.easiness import HardStructure

HARD, EASY = 0.5, 0.99
_MOST_HARD = 20
_TITLE = "Easiness"


def easiness_block(
    sides: Sequence[Side], facts: Mapping[str, StructureFacts], vocabulary: Vocabulary
) -> Block:
    """Say how easy each other side is by its pairs of symbols.

    Args:
        sides: train first.
        facts: of each side's structures.
        vocabulary: what the symbols are called.
    """
    _, *tests = sides
    if not tests:
        return Block("easiness", _TITLE, INFO, "There is no other split to compare with.")
    rows: list[tuple[Cell, ...]] = []
    hardest: list[tuple[Cell, ...]] = []
    parts = []
    for side in tests:
        tally = facts[side.name].tally
        if tally is None:
            rows.append((side.name, side.rows, None, None))
            parts.append(f"{side.name} was not measured, as it has too many symbols")
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
        names = ("split", "structure", "easiness", "rows", "first row", "its prompt")
        tables.append(BlockTable("Hardest structures", names, tuple(hardest)))
    text = (
        "From 0 (pairs of symbols that nothing in train resembles) to 1 (all were seen): "
        f"{'; '.join(parts)}."
    )
    return Block("easiness", _TITLE, INFO, text, tuple(tables))


def _word(mean: float) -> str:
    if mean < HARD:
        return "hard"
    if mean == 1.0:
        return "easy: every pair was seen"
    return "easy: nearly every pair was seen" if mean >= EASY else "between easy and hard"


def _examples(
    side: Side, found: Sequence[HardStructure]
) -> list[tuple[str, str, float, int, int, str]]:
    """Return each structure with the first row that has it."""
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
