"""Block 4: divergence of atoms and compounds, compared with random splits of the same rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.audit.blocks import FLAG, INFO, OK, Block, BlockTable, Cell
from synthgen.audit.coverage_identity import different_words
from synthgen.audit.coverage_sides import Side
from synthgen.audit.coverage_words import finite, listed, plural
from synthgen.audit.divergence import Diverged, Division
from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.derivation import Signature
from synthgen.core.divergence import chernoff_divergence
from synthgen.core.randomness import stream_key
from synthgen.core.structures import atoms, fragments
from synthgen.coverage.baseline import Baseline, RandomSplits

MOST_ATOM_DIVERGENCE = 0.02
FEWEST_DEVIATIONS = 3.0
_COLUMNS = (
    *("kind", "types", "exponent", "train rows", "test rows", "divergence"),
    *("random splits, mean", "standard deviation", "deviations above"),
)


def division_table(division: Division) -> BlockTable:
    """Return both divergences with those of random splits of the same rows."""
    record = division.record
    rows = (
        _row(division, division.atoms, record.atom_exponent),
        _row(division, division.compounds, record.compound_exponent),
    )
    return BlockTable(f"Division of {_sides(division)}, all rows", _COLUMNS, rows)


def division_text(division: Division) -> str:
    """Return both divergences as text."""
    atoms, compounds = division.atoms, division.compounds
    text = f"{_sides(division)}, as divided: D_A {atoms.divergence:.3f} of {atoms.label}, "
    text += f"D_C {compounds.divergence:.3f} of {compounds.label}"
    if compounds.baseline is None:
        return text
    random = f"random {compounds.baseline.mean:.3f}, {_above(compounds):,.0f} deviations lower"
    return f"{text} ({random})"


def faults_of_division(division: Division) -> list[str]:
    """Return the faults: atoms that differ, or compounds as in a random split."""
    atoms, compounds = division.atoms, division.compounds
    faults = []
    if atoms.divergence > MOST_ATOM_DIVERGENCE and _above(atoms) > FEWEST_DEVIATIONS:
        text = f"D_A of {_sides(division)}: {atoms.divergence:.3f} exceeds {MOST_ATOM_DIVERGENCE}"
        faults.append(text)
    if compounds.baseline and _above(compounds) < FEWEST_DEVIATIONS:
        faults.append(f"D_C of {_sides(division)} matches a random split")
    return faults


def _above(one: Diverged) -> float:
    """Return the standard deviations above random splits, infinite if they do not vary."""
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


Ints = NDArray[np.int64]

ATOM_EXPONENT, COMPOUND_EXPONENT = 0.5, 0.1
ATOMS, EDGES, FRAGMENTS = "atoms", "edges", "fragments of 2 to 3"
_MOST_IDS = 4_000_000
_PROBED = 500
_MOST_FRAGMENTS = 1_024
_TITLE = "Divergence"


@dataclass(frozen=True, slots=True)
class Measured:
    """One divergence between train and another side.

    Attributes:
        kind: ATOMS, EDGES or FRAGMENTS.
        types: number of distinct types on both sides.
        train_rows, test_rows: number of rows measured.
        divergence: Chernoff, from 0 to 1.
        baseline: divergences of random splits of these rows.
    """

    kind: str
    types: int
    train_rows: int
    test_rows: int
    divergence: float
    baseline: Baseline

    @property
    def deviations(self) -> float:
        """Standard deviations above the mean of random splits."""
        return self.baseline.deviations(self.divergence)


def measure(
    train: Ragged, tests: Mapping[str, Ragged], signature: Signature
) -> dict[str, list[Measured]]:
    """Measure every test side against train.

    Args:
        train: codes of train rows.
        tests: side -> codes of its rows.
        signature: of the codes.

    Returns:
        Side -> divergences of atoms, edges and fragments, counted by occurrence.
    """
    most = _rows_for(train, signature)
    sides = {name: _first(rows, most) for name, rows in {"": train, **tests}.items()}
    found: dict[str, list[Measured]] = {name: [] for name in tests}
    for kind, exponent in (
        (ATOMS, ATOM_EXPONENT),
        (EDGES, COMPOUND_EXPONENT),
        (FRAGMENTS, COMPOUND_EXPONENT),
    ):
        bags = {name: _bags(rows, signature, kind) for name, rows in sides.items()}
        known = different_words(np.concatenate([bag.values for bag in bags.values()]))
        ids = {
            name: Ragged(np.searchsorted(known, bag.values), bag.offsets)
            for name, bag in bags.items()
        }
        for name in tests:
            found[name].append(_measured(kind, ids[""], ids[name], len(known), exponent))
    return found


def with_divided(sides: Sequence[Side], samples: Mapping[str, Ragged]) -> dict[str, Ragged]:
    """Add one combined side for all sides divided from train, under their joined names."""
    divided = [side.name for side in sides if side.declared.divided]
    out = dict(samples)
    if len(divided) > 1:
        rows = [samples[name] for name in divided]
        offsets = offsets_of(np.concatenate([each.lengths for each in rows]))
        out[_together(divided)] = Ragged(np.concatenate([r.values for r in rows]), offsets)
    return out


def divergence_block(
    sides: Sequence[Side],
    found: Mapping[str, Sequence[Measured]],
    division: Division | None = None,
) -> Block:
    """Assess divergences of the sides that were divided by them, and of the others.

    Args:
        sides: train first.
        found: side, or joined sides divided from train together -> its divergences.
        division: divergences in the atoms and compounds of a division; by default those of
            `found` are assessed.
    """
    train, *tests = sides
    if not tests:
        return Block("divergence", _TITLE, INFO, "There is no other split to compare with.")
    rows = tuple(
        (
            name,
            each.kind,
            each.types,
            each.train_rows,
            each.test_rows,
            finite(each.divergence, 6),
            finite(each.baseline.mean, 6),
            finite(each.baseline.sd, 6),
            finite(each.deviations, 1),
            finite(each.baseline.formula, 6),
        )
        for name, measured in found.items()
        for each in measured
    )
    divided = [side.name for side in tests if side.declared.divided]
    measured_divided = found.get(_together(divided))
    others = [side for side in tests if not side.declared.divided]
    faults = [fault for side in others for fault in _faults_of_rule(side, found[side.name])]
    if division:
        faults += faults_of_division(division)
    elif measured_divided:
        faults += _faults_of_divided(_together(divided), measured_divided)
    columns = ("split", "kind", "types", f"{train.name} rows", "rows", "divergence")
    more = ("random splits, mean", "standard deviation", "deviations above", "by formula")
    table = BlockTable("Chernoff divergence by occurrence", (*columns, *more), rows)
    tables = (division_table(division), table) if division else (table,)
    parts = [division_text(division)] if division else []
    parts += [f"{name}: {_summary(measured)}" for name, measured in found.items()]
    text = (
        f"D_A (atoms, exponent 0.5) and D_C (compounds, 0.1) between {train.name} and each other "
        f"split, compared with {plural(20, 'random split')} of the same rows. {'; '.join(parts)}."
    )
    if faults:
        text += f" To review: {listed(faults)}."
    return Block("divergence", _TITLE, FLAG if faults else OK if divided else INFO, text, tables)


def _together(names: Sequence[str]) -> str:
    return " + ".join(names)


def _faults_of_rule(side: Side, found: Sequence[Measured]) -> list[str]:
    """Return the faults of a side that was not divided: only its rule may change it."""
    if side.declared.rule or not _atoms_differ(found):
        return []
    return [f"{_atoms_text(side.name, found)} despite the same rule as train"]


def _faults_of_divided(name: str, found: Sequence[Measured]) -> list[str]:
    """Return the faults of divided sides, which should differ in compounds but not in atoms."""
    faults = [_atoms_text(name, found)] if _atoms_differ(found) else []
    if max(each.deviations for each in found if each.kind != ATOMS) < FEWEST_DEVIATIONS:
        faults.append(f"D_C of {name} matches a random split")
    return faults


def _atoms_differ(found: Sequence[Measured]) -> bool:
    of_atoms = next(each for each in found if each.kind == ATOMS)
    return of_atoms.divergence > MOST_ATOM_DIVERGENCE and of_atoms.deviations > FEWEST_DEVIATIONS


def _atoms_text(name: str, found: Sequence[Measured]) -> str:
    of_atoms = next(each for each in found if each.kind == ATOMS)
    return f"D_A of {name}: {of_atoms.divergence:.3f} exceeds {MOST_ATOM_DIVERGENCE}"


def _summary(found: Sequence[Measured]) -> str:
    by_kind = {each.kind: each for each in found}
    return (
        f"D_A {by_kind[ATOMS].divergence:.3f}, D_C {by_kind[EDGES].divergence:.3f} of edges, "
        f"{by_kind[FRAGMENTS].divergence:.3f} of fragments "
        f"(random {by_kind[FRAGMENTS].baseline.mean:.3f})"
    )


def _measured(kind: str, train: Ragged, test: Ragged, n_ids: int, exponent: float) -> Measured:
    counts = [np.bincount(side.values, minlength=n_ids) for side in (train, test)]
    splits = RandomSplits(len(train), len(test), n_ids, stream_key("coverage", "baseline"))
    splits.add(train)
    splits.add(test)
    types = int(np.count_nonzero(counts[0] + counts[1]))
    divergence = chernoff_divergence(counts[0], counts[1], exponent)
    baseline = splits.baseline(exponent)
    return Measured(kind, types, len(train), len(test), divergence, baseline)


def _bags(rows: Ragged, signature: Signature, kind: str) -> Ragged:
    if kind == ATOMS:
        return atoms(rows, signature)
    nodes = 2 if kind == EDGES else 3
    return fragments(rows, signature, max_nodes=nodes, limit=_MOST_FRAGMENTS)


def _rows_for(train: Ragged, signature: Signature) -> int:
    """Return the number of rows of a side whose fragments fit in memory at once."""
    probe = _first(train, _PROBED)
    mean = len(_bags(probe, signature, FRAGMENTS).values) / max(len(probe), 1)
    return max(_PROBED, int(_MOST_IDS / max(mean, 1.0)))


def _first(rows: Ragged, most: int) -> Ragged:
    """Return up to `most` rows, evenly spaced."""
    if len(rows) <= most:
        return rows
    return rows.take(np.arange(most) * len(rows) // most)
