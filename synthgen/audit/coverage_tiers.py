"""Block 3: how new the rows of each other side are, from known problems to unknown symbols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from synthgen.audit.blocks import INFO, Bars, Block, BlockTable, Cell
from synthgen.audit.coverage_identity import Matches
from synthgen.audit.coverage_sides import Side
from synthgen.audit.coverage_structures import StructureFacts
from synthgen.audit.coverage_words import percent
from synthgen.core.coverage.templates import Level
from synthgen.core.coverage.tiers import Tier, tier_counts, tiers

TIER_NAMES = {
    Tier.DUPLICATE: "in train",
    Tier.SAME_TEMPLATE: "known template",
    Tier.ALL_SEEN: "all parts seen",
    Tier.UNSEEN_3: "unseen triple",
    Tier.UNSEEN_2: "unseen pair",
    Tier.UNSEEN_ATOM: "unseen atom",
}
_TITLE = "Tiers of novelty"


def tier_numbers(
    facts: StructureFacts, duplicate: NDArray[np.bool_], template: NDArray[np.bool_]
) -> dict[Tier, int]:
    """Return how many rows of a test side each tier has.

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
    """Count the rows of each tier.

    Args:
        sides: train first.
        facts: of each side's structures.
        matches: of rows with those of train.
    """
    _, *tests = sides
    if not tests:
        return Block("tiers", _TITLE, INFO, "There is no other split to compare with.")
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
    told = "; ".join(f"{side.name}: {_mostly(counts[side.name], side.rows)}" for side in tests)
    text = (
        "The smallest unit in which a row is new: an atom, a pair of symbols side by side or one "
        f"below the other, a triple, the template, the problem. {told}."
    )
    table = BlockTable("Rows by tier", ("split", "rows", *names), rows)
    names_of = tuple(side.name for side in tests)
    bars = Bars("Share of rows by tier", "tier", "share of rows, %", names, names_of, shares)
    return Block("tiers", _TITLE, INFO, text, (table,), (bars,))


def _mostly(counts: Mapping[Tier, int], rows: int) -> str:
    """Name the tier with the most rows."""
    tier = max(counts, key=lambda each: (counts[each], -each))
    return f"{percent(counts[tier], rows) or 0:.3g} % {TIER_NAMES[tier]}" if rows else "no rows"
