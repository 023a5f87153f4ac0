"""Block of easiness: how near the new parts of test trees are to parts that train has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from synthgen.audit.blocks import INFO, Block, BlockTable, Cell
from synthgen.audit.findings import MOST_EXAMPLES
from synthgen.audit.foreign_identity import examples
from synthgen.audit.foreign_readers import Reader
from synthgen.audit.foreign_sides import Part, Side
from synthgen.audit.foreign_structures import Vocabulary
from synthgen.core.columns import Ragged
from synthgen.core.coverage.easiness import EasinessTally, HardStructure, SeenStructures
from synthgen.core.coverage.local_structures import local_structures
from synthgen.core.coverage.structure_texts import symbol_text

MOST_HARD = 20
MOST_SYMBOLS = 8_192
"""Of more symbols easiness is not worked out: any two of them are compared."""
_PAIRS = 2


class _Local:
    """Local structures of two symbols, by one vocabulary for all sides."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.vocabulary = Vocabulary()

    def of(self, part: Part) -> Ragged | None:
        """Return the structures, or None where rows are no trees or have too many symbols."""
        trees = self._reader.read(part).trees
        if trees is None or len(self.vocabulary.names) > MOST_SYMBOLS:
            return None
        codes = self.vocabulary.renumbered(trees)
        return local_structures(codes, self.vocabulary.signature, _PAIRS)


def easiness_block(train: Side, tests: Sequence[Side], reader: Reader) -> Block | None:
    """Return the easiness of tests and their hardest structures; None where it is not known."""
    local = _Local(reader)
    words = np.zeros(0, np.uint64)
    for part in train.parts():
        found = local.of(part)
        if found is None:
            return None
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
                return None
            values = tally.add(found)
            hard += int((values == 0.0).sum())
            easy += int((values == 1.0).sum())
        rows.append((test.name, round(tally.mean, 6), tally.n, easy, hard))
        hardest += _told(test, tally.hardest(local.vocabulary.signature, MOST_HARD))
    means = ", ".join(f"{row[0]} {row[1]:.2f}" for row in rows)
    text = f"Mean easiness, from 0 (hard) to 1 (no new part of two symbols): {means}."
    columns = ("split", "easiness", "rows", "nothing new", "nothing alike")
    tables = [BlockTable("Easiness", columns, tuple(rows))]
    if hardest:
        shown = ("split", "structure", "easiness", "rows", "first", "prompt")
        tables.append(BlockTable("Hardest structures", shown, tuple(hardest)))
    return Block("easiness", "Easiness", INFO, text, tuple(tables))


def _told(test: Side, hardest: Sequence[HardStructure]) -> list[tuple[Cell, ...]]:
    """Return the hardest structures, the first few with the row that has them."""
    numbers = np.unique(np.array([one.first for one in hardest[:MOST_EXAMPLES]], np.int64))
    shown = dict(zip(numbers.tolist(), examples(test, numbers), strict=True))
    rows: list[tuple[Cell, ...]] = []
    for one in hardest:
        row = shown.get(one.first, {"row": "", "prompt": ""})
        text = symbol_text(one.text)
        easiness = round(one.easiness, 6)
        rows.append((test.name, text, easiness, one.items, str(row["row"]), str(row["prompt"])))
    return rows
