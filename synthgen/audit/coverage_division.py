"""A divided dataset in block 4: the atoms and compounds that it was divided by, over all rows."""

from __future__ import annotations

import math

from synthgen.audit.blocks import BlockTable, Cell
from synthgen.audit.coverage_words import finite
from synthgen.audit.divergence import Diverged, Division

MOST_ATOM_DIVERGENCE = 0.02
FEWEST_DEVIATIONS = 3.0
_COLUMNS = (
    *("of", "types", "exponent", "rows of train", "rows of test", "divergence"),
    *("random splits, mean", "standard deviation", "deviations above"),
)


def division_table(division: Division) -> BlockTable:
    """Return both divergences beside those of random splits of the same rows."""
    record = division.record
    rows = (
        _row(division, division.atoms, record.atom_exponent),
        _row(division, division.compounds, record.compound_exponent),
    )
    return BlockTable(f"As {_sides(division)} were divided, all rows", _COLUMNS, rows)


def division_told(division: Division) -> str:
    """Return both divergences in words."""
    atoms, compounds = division.atoms, division.compounds
    text = f"{_sides(division)}, as divided: D_A {atoms.divergence:.3f} of {atoms.label}, "
    text += f"D_C {compounds.divergence:.3f} of {compounds.label}"
    if compounds.baseline is None:
        return text
    random = f"random {compounds.baseline.mean:.3f}, {_above(compounds):,.0f} deviations below"
    return f"{text} ({random})"


def faults_of_division(division: Division) -> list[str]:
    """Return what is odd: atoms that are not alike, or compounds as in a random split."""
    atoms, compounds = division.atoms, division.compounds
    faults = []
    if atoms.divergence > MOST_ATOM_DIVERGENCE and _above(atoms) > FEWEST_DEVIATIONS:
        text = f"D_A of {_sides(division)} is {atoms.divergence:.3f}, above {MOST_ATOM_DIVERGENCE}"
        faults.append(text)
    if compounds.baseline and _above(compounds) < FEWEST_DEVIATIONS:
        faults.append(f"D_C of {_sides(division)} is that of a random split")
    return faults


def _above(one: Diverged) -> float:
    """Return the standard deviations above random splits, infinite where there are none."""
    return one.baseline.deviations(one.divergence) if one.baseline else math.inf


def _row(division: Division, one: Diverged, exponent: float) -> tuple[Cell, ...]:
    baseline = one.baseline
    random: tuple[Cell, ...] = (None, None, None)
    if baseline:
        random = finite(baseline.mean, 6), finite(baseline.sd, 6), finite(_above(one), 1)
    return (one.label, one.types, exponent, *division.rows, finite(one.divergence, 6), *random)


def _sides(division: Division) -> str:
    train, test = division.record.train, division.record.test
    return f"{' + '.join(train)} | {' + '.join(test)}"
