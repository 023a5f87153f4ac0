"""Check of a divided dataset: recompute the divergence of its sides from the files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, text_list
from synthgen.core.errors import ParamError
from synthgen.coverage.divergences import Baseline, random_split_baseline
from synthgen.dataset.manifest import MANIFEST_FILE, DivergenceRecord
from synthgen.dataset.reader import Dataset, stream_shard
from synthgen.draws.randomness import stream_key
from synthgen.trees.compounds import Taken, take_apart, take_prompts_apart
from synthgen.trees.derivations import read_derivations
from synthgen.trees.divergence import chernoff_divergence
from synthgen.verifying.promises import Check

Ints = NDArray[np.int64]
_CLOSE = 1e-9
_MAX_TYPES = 2_000_000
"""Largest number of types for which random splits are drawn; they take 160 bytes a type."""


@dataclass(frozen=True, slots=True)
class TypeDivergence:
    """One divergence between all train rows and all test rows.

    Attributes:
        label: Kind of types, such as "words".
        counts: Number of occurrences of each type on either side.
        baseline: Divergences of random splits of the same rows; None if there are too many types.
    """

    label: str
    counts: tuple[Ints, Ints]
    divergence: float
    baseline: Baseline | None

    @property
    def types(self) -> int:
        """Number of distinct types on both sides."""
        return len(self.counts[0])

    @property
    def unseen(self) -> int:
        """Number of types in test that train lacks."""
        train, test = self.counts
        return int(np.count_nonzero((train == 0) & (test > 0)))


@dataclass(frozen=True, slots=True)
class DivisionDivergences:
    """Divergences of a divided dataset, measured from its files.

    Attributes:
        record: Record in the manifest.
        rows: Number of train and of test rows.
        atoms, compounds: Measured divergences.
    """

    record: DivergenceRecord
    rows: tuple[int, int]
    atoms: TypeDivergence
    compounds: TypeDivergence


def measure_division(dataset: Dataset) -> DivisionDivergences | None:
    """Recompute the divergence of train and test; None for a dataset that was not divided.

    Raises:
        ParamError: for unreadable derivations.
    """
    record = dataset.manifest.divergence
    if record is None:
        return None
    kind = record.compound_kind
    column = "prompt" if kind.of_prompts else "derivation"
    train, test = (_texts(dataset, names, column) for names in (record.train, record.test))
    taken = _take_apart(record, [*train, *test])
    rows = len(train), len(test)
    return DivisionDivergences(
        record,
        rows,
        _diverged(kind.atoms_label, taken.atoms, rows, record.atom_exponent),
        _diverged(kind.compounds_label, taken.compounds, rows, record.compound_exponent),
    )


def check_divergence(division: DivisionDivergences) -> Check:
    """Compare the measured divergences with the manifest."""
    record, atoms, compounds = division.record, division.atoms, division.compounds
    ok = (
        math.isclose(compounds.divergence, record.compounds, abs_tol=_CLOSE)
        and math.isclose(atoms.divergence, record.atoms, abs_tol=_CLOSE)
        and atoms.unseen == record.unseen_atoms
    )
    sides = " and ".join(", ".join(names) for names in (record.train, record.test))
    detail = (
        f"{sides}: compounds {compounds.divergence:.6f}, atoms {atoms.divergence:.6f}, "
        f"{atoms.unseen} unseen atoms; "
        f"promised {record.compounds:.6f}, {record.atoms:.6f} and {record.unseen_atoms}"
    )
    return Check("divergence", ok, detail if ok else f"{MANIFEST_FILE}: {detail}")


def divergence_checks(dataset: Dataset) -> tuple[DivisionDivergences | None, list[Check]]:
    """Measure a divided dataset and check it against its manifest."""
    try:
        division = measure_division(dataset)
    except ParamError as error:
        return None, [Check("divergence", ok=False, detail=str(error))]
    return division, [check_divergence(division)] if division else []


def _take_apart(record: DivergenceRecord, texts: Sequence[str]) -> Taken:
    kind = record.compound_kind
    if kind.of_prompts:
        return take_prompts_apart(kind, text_list(texts))
    return take_apart(kind, *read_derivations(texts))


def _diverged(label: str, ids: Ragged, rows: tuple[int, int], exponent: float) -> TypeDivergence:
    known, numbers = np.unique(ids.values, return_inverse=True)
    bags = Ragged(numbers.astype(np.int64), ids.offsets)
    cut = bags.offsets[rows[0]]
    train, test = (
        np.bincount(side, minlength=len(known)) for side in (bags.values[:cut], bags.values[cut:])
    )
    baseline = None
    if len(known) <= _MAX_TYPES:
        key = stream_key("coverage", "baseline")
        baseline = random_split_baseline(bags, rows[0], exponent, key)
    divergence = chernoff_divergence(train, test, exponent)
    return TypeDivergence(label, (train, test), divergence, baseline)


def _texts(dataset: Dataset, splits: Sequence[str], column: str) -> list[str]:
    return [
        text
        for split in splits
        for path in dataset.shard_paths(split)
        for batch in stream_shard(path, (column,))
        for text in batch.column(column).to_pylist()
    ]
