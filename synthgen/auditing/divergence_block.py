"""Block 4: divergence of atoms and compounds, compared with random splits of the same rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from synthgen.auditing.blocks import FLAG, INFO, NO_TESTS, OK, Block, BlockTable, Cell, titled
from synthgen.auditing.novelty_blocks import of_kind
from synthgen.auditing.wording import finite, plural
from synthgen.core.columns import Ragged
from synthgen.core.printing import listed
from synthgen.coverage.divergences import MeasuredDivergence
from synthgen.coverage.inputs import Side
from synthgen.coverage.structure_kinds import Kind
from synthgen.coverage.structure_measures import stacked
from synthgen.verifying.divergence_checks import DivisionDivergences, TypeDivergence

MAX_ATOM_DIVERGENCE = 0.02
MIN_DEVIATIONS = 3.0
_AS_RANDOM = f"within {MIN_DEVIATIONS:.0f} deviations of random splits"
_DIVISION_COLUMNS = (
    *("kind", "types", "exponent", "train rows", "test rows", "divergence"),
    *("random splits, mean", "standard deviation", "deviations above"),
)


def with_divided(sides: Sequence[Side], samples: Mapping[str, Ragged]) -> dict[str, Ragged]:
    """Add one combined side for all sides divided from train, under their joined names."""
    divided = [side.name for side in sides if side.declared.divided]
    out = dict(samples)
    if len(divided) > 1:
        out[" + ".join(divided)] = stacked([samples[name] for name in divided])
    return out


def divergence_block(
    sides: Sequence[Side],
    kind: Kind,
    divergences: Mapping[str, Sequence[MeasuredDivergence]],
    division: DivisionDivergences | None = None,
) -> Block:
    """Assess divergences of the sides that were divided by them, and of the others.

    Args:
        sides: Sides, train first.
        kind: Kind of structure that was measured.
        divergences: Divergences by side, or by the joined sides divided from train together.
        division: Divergences in the atoms and compounds of a division; by default those of
            `divergences` are assessed.
    """
    train, *tests = sides
    if not tests:
        return titled("divergence", INFO, NO_TESTS)
    divided = " + ".join(side.name for side in tests if side.declared.divided)
    faults = [
        f"{fault} despite the same rule as train"
        for side in tests
        if not (side.declared.divided or side.declared.rule)
        for fault in _faults_of_atoms(side.name, divergences[side.name])
    ]
    if division:
        faults += faults_of_division(division)
    elif divided in divergences:
        faults += _faults_of_divided(divided, divergences[divided])
    table = divergence_table(train.name, divergences)
    tables = (division_table(division), table) if division else (table,)
    parts = [division_text(division)] if division else []
    parts.append(farthest_text(divergences))
    text = f"{'; '.join(parts)}. Compared with {plural(20, 'random split')} of the same rows."
    if faults:
        text = f"{listed(faults)}. {text}"
    figures = {
        side.name: of_kind(kind, divergence_figures(divergences[side.name])) for side in tests
    }
    verdict = FLAG if faults else OK if divided else INFO
    return titled("divergence", verdict, text, tables, figures=figures)


def divergence_figures(measured: Sequence[MeasuredDivergence]) -> dict[str, Any]:
    """Return divergences by name."""
    atoms, *compounds = measured
    of_compounds = {each.kind: each.figures for each in compounds}
    return {"divergence": {"atom": atoms.figures, "compound": of_compounds}}


def divergence_table(
    train: str, divergences: Mapping[str, Sequence[MeasuredDivergence]], title: str = ""
) -> BlockTable:
    """Return all divergences of all sides."""
    rows = tuple(
        (name, *_cells(each)) for name, measured in divergences.items() for each in measured
    )
    columns = ("split", "kind", "types", f"{train} rows", "rows", "divergence")
    more = ("random splits, mean", "standard deviation", "deviations above", "by formula")
    return BlockTable(title or "Chernoff divergence by occurrence", (*columns, *more), rows)


def division_table(division: DivisionDivergences) -> BlockTable:
    """Return both divergences of a division with those of random splits of the same rows."""
    record = division.record
    rows = (
        _division_row(division, division.atoms, record.atom_exponent),
        _division_row(division, division.compounds, record.compound_exponent),
    )
    return BlockTable(f"Division of {_names(division)}, all rows", _DIVISION_COLUMNS, rows)


def division_text(division: DivisionDivergences) -> str:
    """Return both divergences of a division as text."""
    atoms, compounds = division.atoms, division.compounds
    text = f"{_names(division)}, as divided: D_A {atoms.divergence:.3f} of {atoms.label}, "
    text += f"D_C {compounds.divergence:.3f} of {compounds.label}"
    if compounds.baseline is None:
        return text
    random = f"random {compounds.baseline.mean:.3f}, {_above(compounds):,.0f} deviations lower"
    return f"{text} ({random})"


def faults_of_division(division: DivisionDivergences) -> list[str]:
    """Return the faults of a division: atoms that differ, or compounds as in a random split."""
    atoms, compounds = division.atoms, division.compounds
    faults = []
    if atoms.divergence > MAX_ATOM_DIVERGENCE and _above(atoms) > MIN_DEVIATIONS:
        text = f"D_A of {_names(division)}: {atoms.divergence:.3f} exceeds {MAX_ATOM_DIVERGENCE}"
        faults.append(text)
    if compounds.baseline and _above(compounds) < MIN_DEVIATIONS:
        faults.append(f"D_C of {_names(division)} is {_AS_RANDOM}")
    return faults


def _above(measured: TypeDivergence) -> float:
    """Return the standard deviations above random splits, infinite if they do not vary."""
    baseline = measured.baseline
    return baseline.deviations(measured.divergence) if baseline else math.inf


def _division_row(
    division: DivisionDivergences, measured: TypeDivergence, exponent: float
) -> tuple[Cell, ...]:
    baseline = measured.baseline
    random: tuple[Cell, ...] = (None, None, None)
    if baseline:
        random = finite(baseline.mean, 6), finite(baseline.sd, 6), finite(_above(measured), 1)
    rest = (exponent, *division.rows, finite(measured.divergence, 6))
    return (measured.label, measured.types, *rest, *random)


def _names(division: DivisionDivergences) -> str:
    train, test = division.record.train, division.record.test
    return f"{' + '.join(train)} | {' + '.join(test)}"


def _faults_of_atoms(name: str, measured: Sequence[MeasuredDivergence]) -> list[str]:
    atoms = measured[0]
    differ = atoms.divergence > MAX_ATOM_DIVERGENCE and atoms.deviations > MIN_DEVIATIONS
    return [f"D_A of {name}: {atoms.divergence:.3f} exceeds {MAX_ATOM_DIVERGENCE}"] * differ


def _faults_of_divided(name: str, measured: Sequence[MeasuredDivergence]) -> list[str]:
    """Return the faults of divided sides, which should differ in compounds but not in atoms."""
    faults = _faults_of_atoms(name, measured)
    if max(each.deviations for each in measured if not each.is_of_atoms) < MIN_DEVIATIONS:
        faults.append(f"D_C of {name} is {_AS_RANDOM}")
    return faults


def divergence_text(measured: Sequence[MeasuredDivergence]) -> str:
    """Return the divergences of one side as text."""
    atoms, *compounds = measured
    parts = [f"{each.divergence:.3f} of {each.kind}" for each in compounds]
    text = f"D_A {atoms.divergence:.3f}, D_C {', '.join(parts)}"
    last = compounds[-1].baseline
    return f"{text} (random {last.mean:.3f})" if last else text


def farthest_text(divergences: Mapping[str, Sequence[MeasuredDivergence]]) -> str:
    """Return the divergences of the side whose compounds are farthest from random splits."""
    name = max(divergences, key=lambda each: divergences[each][-1].deviations)
    more = "" if len(divergences) == 1 else ", the farthest from random splits"
    return f"{name}: {divergence_text(divergences[name])}{more}"


def _cells(each: MeasuredDivergence) -> tuple[Cell, ...]:
    random: tuple[Cell, ...] = (None, None, None, None)
    if each.baseline:
        mean, sd = finite(each.baseline.mean, 6), finite(each.baseline.sd, 6)
        random = mean, sd, finite(each.deviations, 1), finite(each.baseline.formula, 6)
    rows = (each.types, each.train_rows, each.test_rows)
    return (each.kind, *rows, finite(each.divergence, 6), *random)
