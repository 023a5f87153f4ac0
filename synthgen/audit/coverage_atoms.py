"""Block 2: symbols of test that train never shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from synthgen.audit.blocks import FLAG, INFO, OK, Block, BlockTable
from synthgen.audit.coverage_sides import Side
from synthgen.audit.coverage_structures import StructureFacts, Vocabulary
from synthgen.audit.coverage_words import cut, interval, listed, percent, plural, share_text

_MOST_LISTED = 20
_TITLE = "Unseen atoms"


def atoms_block(
    sides: Sequence[Side], facts: Mapping[str, StructureFacts], vocabulary: Vocabulary
) -> Block:
    """Say which symbols other sides have and train lacks, and in how many rows.

    Args:
        sides: train first.
        facts: of each side's structures.
        vocabulary: what the symbols are called.
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
        told = "declared" if hits and side.declared.atoms else ""
        numbers = (side.rows, hits, percent(hits, side.rows), interval(hits, side.rows))
        types = int(np.count_nonzero(found.atoms))
        rows.append((side.name, types, len(found.unseen_atoms), *numbers, told))
        ranked = sorted(found.unseen_atoms.items(), key=lambda item: (-item[1], names[item[0]]))
        unseen_rows += [(side.name, cut(names[c], 60), n) for c, n in ranked[:_MOST_LISTED]]
        if hits and not side.declared.atoms:
            bad.append(f"{side.name}: {share_text(hits, side.rows)} of rows")
    columns = ("split", "atoms", "unseen atoms", "rows", "rows with one")
    more = ("share, %", "95 % interval, %", "")
    tables = [BlockTable(f"Atoms that {train.name} lacks", (*columns, *more), tuple(rows))]
    if unseen_rows:
        title = f"Unseen atoms, the first {_MOST_LISTED} of each split by rows"
        tables.append(BlockTable(title, ("split", "atom", "rows"), tuple(unseen_rows)))
    text = f"{train.name} shows {plural(seen, 'different atom')}{masked_text(vocabulary)}. "
    if not tests:
        return Block("atoms", _TITLE, INFO, text + "There is no other split.", ())
    if bad:
        text += f"Rows of other splits have atoms that it never shows: {listed(bad)}."
    elif unseen_rows:
        text += "Unseen atoms are declared by the splits that have them."
    else:
        text += "Every atom of every other split is among them."
    return Block("atoms", _TITLE, FLAG if bad else OK, text, tuple(tables))


def masked_text(vocabulary: Vocabulary) -> str:
    """Say which leaves are values, and so one atom."""
    if not vocabulary.masked:
        return ""
    kinds = {"numbers": "numbers", "marks": "marks (#...)", "leaves": "all other leaves"}
    named = " and ".join(kinds[kind] for kind in sorted(vocabulary.masked))
    return f" ({named} are too many to tell apart and count as one atom, #)"


def _rows_with_unseen(facts: StructureFacts) -> int:
    return int(np.count_nonzero(facts.flagged.atoms)) if facts.flagged else 0
