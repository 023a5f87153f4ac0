"""Check of a divided dataset: the divergence of its sides, measured again from the derivations."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from synthgen.audit.findings import Check
from synthgen.core.columns import Ragged
from synthgen.core.compounds import compounds_of
from synthgen.core.derivation_texts import read_derivations
from synthgen.core.divergence import chernoff_divergence
from synthgen.core.errors import ParamError
from synthgen.core.structures import atoms
from synthgen.dataset.manifest import DivergenceRecord
from synthgen.dataset.reader import Dataset, stream_shard

_ATOM_EXPONENT, _COMPOUND_EXPONENT = 0.5, 0.1
_CLOSE = 1e-9


def check_divergence(dataset: Dataset) -> list[Check]:
    """Measure the divergence of train and test again, and the atoms that only test has."""
    record = dataset.manifest.divergence
    if record is None:
        return []
    try:
        return [_check(dataset, record)]
    except ParamError as error:
        return [Check("divergence", ok=False, detail=str(error))]


def _check(dataset: Dataset, record: DivergenceRecord) -> Check:
    train, test = (_texts(dataset, names) for names in (record.train, record.test))
    derivations, signature = read_derivations([*train, *test])
    sides = np.arange(len(train)), np.arange(len(train), len(train) + len(test))
    symbols = atoms(derivations, signature)
    counts = _counts(symbols, sides)
    found_atoms = chernoff_divergence(*counts, _ATOM_EXPONENT)
    unseen = int(np.count_nonzero((counts[0] == 0) & (counts[1] > 0)))
    compounds = compounds_of(derivations, signature, record.kind, record.nodes)
    found = chernoff_divergence(*_counts(compounds, sides), _COMPOUND_EXPONENT)
    ok = (
        math.isclose(found, record.compounds, abs_tol=_CLOSE)
        and math.isclose(found_atoms, record.atoms, abs_tol=_CLOSE)
        and unseen == record.unseen_atoms
    )
    detail = (
        f"compounds {found:.6f}, atoms {found_atoms:.6f}, {unseen} unseen atoms; "
        f"promised {record.compounds:.6f}, {record.atoms:.6f} and {record.unseen_atoms}"
    )
    return Check("divergence", ok, detail)


def _counts(
    ids: Ragged, sides: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count every id on both sides."""
    known, numbers = np.unique(ids.values, return_inverse=True)
    numbered = Ragged(numbers, ids.offsets)
    train, test = (np.bincount(numbered.take(s).values, minlength=len(known)) for s in sides)
    return train, test


def _texts(dataset: Dataset, splits: Sequence[str]) -> list[str]:
    return [
        text
        for split in splits
        for path in dataset.shard_paths(split)
        for batch in stream_shard(path, ("derivation",))
        for text in batch.column("derivation").to_pylist()
    ]
