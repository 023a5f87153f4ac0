"""Block of divergences of symbols, compounds and answers, compared with random splits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from synthgen.audit.blocks import INFO, Block, BlockTable
from synthgen.audit.foreign_counts import ANSWER_TOKENS, SYMBOLS, SideCounts, part_bags
from synthgen.audit.foreign_readers import Reader
from synthgen.audit.foreign_sides import Side
from synthgen.core.columns import Ragged
from synthgen.core.divergence import chernoff_divergence
from synthgen.core.randomness import stream_key
from synthgen.coverage.baseline import FEWEST_SPLITS, RandomSplits

ATOM_EXPONENT, COMPOUND_EXPONENT = 0.5, 0.1
MOST_TYPES = 2_000_000
"""With more distinct ids no random splits are drawn, which takes 160 bytes for each id."""
_COMPOSITIONAL = 3.0


@dataclass(frozen=True, slots=True)
class Divergence:
    """Divergence of one test from train for one kind of ids.

    Attributes:
        kind: kind of ids.
        n_types: distinct ids of both sides.
        value: from 0 to 1.
        mean, sd: of random splits of the same rows, None if none were drawn.
        deviations: standard deviations by which the value exceeds their mean.
    """

    kind: str
    exponent: float
    n_types: int
    value: float
    mean: float | None = None
    sd: float | None = None
    deviations: float | None = None


def divergences(
    train: Side, test: Side, reader: Reader, counts: Sequence[SideCounts]
) -> list[Divergence]:
    """Return the divergences of a test from train; random splits take another pass over the rows.

    Args:
        train: rows of train.
        test: rows of the test.
        reader: reader of their structures.
        counts: counts of train and of the test.
    """
    one, other = counts
    kinds = [kind for kind in one.ids if kind in other.ids]
    known = {
        kind: np.union1d(one.ids[kind].items()[0], other.ids[kind].items()[0]) for kind in kinds
    }
    key = stream_key("coverage", "random splits")
    splits = {
        kind: RandomSplits(one.rows, other.rows, len(ids), key)
        for kind, ids in known.items()
        if len(ids) <= MOST_TYPES
    }
    for side in (train, test) if splits else ():
        for part in side.parts():
            bags = part_bags(part, reader.read(part))
            for kind, of_kind in splits.items():
                places = np.searchsorted(known[kind], bags[kind].values.astype(np.uint64))
                of_kind.add(Ragged(places, bags[kind].offsets))
    found = []
    for kind, ids in known.items():
        exponent = ATOM_EXPONENT if kind in (SYMBOLS, ANSWER_TOKENS) else COMPOUND_EXPONENT
        value = chernoff_divergence(one.ids[kind].of(ids), other.ids[kind].of(ids), exponent)
        if kind not in splits:
            found.append(Divergence(kind, exponent, len(ids), value))
            continue
        baseline = splits[kind].baseline(exponent)
        deviations = baseline.deviations(value)
        row = (kind, exponent, len(ids), value, baseline.mean, baseline.sd, deviations)
        found.append(Divergence(*row))
    return found


def divergence_block(train: str, found: Sequence[tuple[str, Sequence[Divergence]]]) -> Block:
    """Return the divergences of every test from train."""
    rows = tuple(
        (
            *(name, each.kind, each.exponent, each.n_types, round(each.value, 6)),
            None if each.mean is None else round(each.mean, 6),
            None if each.sd is None else round(each.sd, 6),
            _finite(each.deviations),
        )
        for name, of_test in found
        for each in of_test
    )
    parts = []
    for name, of_test in found:
        compounds = [each for each in of_test if each.exponent == COMPOUND_EXPONENT]
        above = [
            f"{each.kind} {each.value:.4f} (random {each.mean or 0.0:.4f})"
            for each in compounds
            if each.deviations is not None and each.deviations > _COMPOSITIONAL
        ]
        if above:
            parts.append(f"{name} differs from {train} beyond chance in {', '.join(above)}")
        else:
            parts.append(f"{name} matches a random split of the rows in every compound")
    columns = (
        *("split", "kind", "exponent", "types", "divergence"),
        *("random splits, mean", "sd", "deviations above"),
    )
    title = f"Divergence from {train}, and of {FEWEST_SPLITS} random splits of the same rows"
    tables = (BlockTable(title, columns, rows),)
    return Block("divergence", "Divergence", INFO, f"{'; '.join(parts)}.", tables)


def _finite(value: float | None) -> float | None:
    return None if value is None or not np.isfinite(value) else round(value, 1)
