"""Axes of the skill chains: what is in a chain, in which order, and how much of it is held out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.contract import Axis
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import mix64
from synthgen.generators.skillmix._chain_catalog import Atom
from synthgen.generators.skillmix._chain_draw import RESULT, SOURCE, Chains, Drawn, Marks
from synthgen.generators.skillmix._chain_family import CATEGORIES, NUMBER, TYPES, WORDS

Truths = NDArray[np.bool_]
Held = tuple[Truths, Truths, Truths, Truths]
"""What is held out: pairs and orders (m, m), atoms (m,), atoms at places (m, places)."""
_PAIR_BASE = 4_096
_TEN = 10
_S2 = np.uint64(2)
_WIDE = {"type_path": "int32", "atom_set": "int64", "chain": "int64"}
_COLUMNS = (
    *("input_type", "output_type", "input_length", "answer_length", "type_path"),
    *("first_atom", "last_atom", "atom_set", "chain", "inversions"),
    *("n_held_pairs", "n_held_orders", "n_held_atoms", "n_held_cells", "n_distinct"),
    *(f"n_{category}" for category in CATEGORIES),
)
_N_PLAIN = len(_COLUMNS) - len(CATEGORIES)
_APART = 8
"""Numbers between columns: those that begin a power of two apart, as the columns of a whole block
would, drive each other out of a processor's cache."""
PAIRS = ("first_pair", "last_pair")
AXIS_NAMES = _COLUMNS
"""All axes but `n_atoms` and the pairs, which selection looks at without the others."""


def chain_axes(
    atoms: Sequence[Atom], counts: tuple[int, int], longest: int, n_words: int
) -> Mapping[str, Axis]:
    """Describe the columns of a source with these atoms, chains and longest values."""
    least, most = counts
    labels = tuple(atom.label for atom in atoms)
    path = int("4" * (most + 1))
    top = _PAIR_BASE**2 - 1
    axes = {
        "n_atoms": Axis("atoms of the chain", low=least, high=most),
        "input_type": Axis("type of the input", values=TYPES),
        "output_type": Axis("type of the answer", values=TYPES),
        "input_length": Axis("letters, numbers, digits or words of the input", low=1, high=longest),
        "answer_length": Axis(
            "letters, numbers, digits or words of the answer", low=1, high=max(longest, n_words)
        ),
        "type_path": Axis(
            "types of all values, a digit each: 1 string, 2 list, 3 number, 4 words",
            *("int32", 11, path),
        ),
        "first_atom": Axis("atom that is applied first", values=labels),
        "last_atom": Axis("atom that is applied last", values=labels),
        "first_pair": Axis("the first two atoms as one number, -1 for one atom", "int32", -1, top),
        "last_pair": Axis("the last two atoms as one number, -1 for one atom", "int32", -1, top),
        "atom_set": Axis("hash of the set of atoms", "int64", 0, 2**62 - 1),
        "chain": Axis("hash of the atoms in their order", "int64", 0, 2**62 - 1),
        "inversions": Axis(
            "pairs of atoms that are not in the order of the catalogue",
            *("int16", 0, most * (most - 1) // 2),
        ),
    }
    axes["n_distinct"] = Axis("different atoms of the chain", low=1, high=most)
    for name, what, high in (
        ("pairs", "neighbours that are held out as a pair", most - 1),
        ("orders", "neighbours that are held out in this order alone", most - 1),
        ("atoms", "atoms that are held out", most),
        ("cells", "atoms that are held out at their place", most),
    ):
        axes[f"n_held_{name}"] = Axis(what, low=0, high=high, canonical=False)
    for category in CATEGORIES:
        axes[f"n_{category}"] = Axis(f"atoms of the category {category}", low=0, high=most)
    return axes


def pairs_of(drawn: Drawn, places: Marks) -> dict[str, NDArray[np.int32]]:
    """Return the columns of `PAIRS`, by the place of each atom in the catalogue."""
    chains, counts = drawn.chains, drawn.counts
    rows, last = np.arange(len(counts)), counts - 1
    found = {}
    for name, second in zip(PAIRS, (np.minimum(last, 1), last), strict=True):
        pairs = places[chains[rows, second - 1]] * _PAIR_BASE + places[chains[rows, second]]
        found[name] = np.where(last > 0, pairs, -1).astype(np.int32)
    return found


def measured(
    drawn: Drawn,
    atoms: Marks,
    facts: tuple[NDArray[np.uint64], Marks],
    held: Held,
) -> dict[str, NDArray[Any]]:
    """Return the columns of `AXIS_NAMES`.

    Args:
        drawn: the batch.
        atoms: table of the source's atoms.
        facts: of each atom its id and its category.
        held: what is held out.
    """
    columns = _measure(drawn.chains, drawn.counts, drawn.values, drawn.marks, atoms, *facts, *held)
    return {name: columns[k].astype(_WIDE.get(name, "int16")) for k, name in enumerate(_COLUMNS)}


@lent
def _size(kind: Int, values: NDArray[np.int32]) -> Int:
    """Return the length of a value: letters, numbers, digits or words."""
    if kind == NUMBER and len(values) > 0:
        rest, digits = abs(np.int64(values[0])), 1
        while rest >= _TEN:
            rest //= _TEN
            digits += 1
        return np.int64(digits)
    if kind != WORDS:
        return np.int64(len(values))
    words = np.int64(0)
    for value in values:
        words += value == 0
    return words


@njit(cache=True, nogil=True)
def _measure(
    chains: Chains,
    counts: Marks,
    values: NDArray[np.int32],
    marks: Marks,
    atoms: Marks,
    ids: NDArray[np.uint64],
    categories: Marks,
    pairs: Truths,
    orders: Truths,
    held: Truths,
    cells: Truths,
) -> NDArray[np.int64]:
    """Return the columns of all chains end to end; the order is that of `_COLUMNS`."""
    n = len(counts)
    out = np.zeros((_N_PLAIN + len(CATEGORIES), n + _APART), np.int64)[:, :n]
    for i in range(n):
        row, chain, count = out[:, i], chains[i], counts[i]
        first, last = np.int64(chain[0]), np.int64(chain[count - 1])
        row[0], row[1] = atoms[first, SOURCE], atoms[last, RESULT]
        row[2] = _size(row[0], values[marks[i, 0] : marks[i, 1]])
        row[3] = _size(row[1], values[marks[i, count] : marks[i, count + 1]])
        row[4] = row[0] + 1
        row[5], row[6] = first, last
        kinds, order = np.uint64(0), np.uint64(count)
        for k in range(count):
            atom = np.int64(chain[k])
            row[4] = row[4] * _TEN + atoms[atom, RESULT] + 1
            order = mix64(order ^ ids[atom])
            repeated = False
            for j in range(k):
                row[9] += chain[j] > atom
                repeated = repeated or chain[j] == atom
            if not repeated:
                kinds += ids[atom]
                row[14] += 1
            if k > 0:
                row[10] += pairs[chain[k - 1], atom]
                row[11] += orders[chain[k - 1], atom]
            row[12] += held[atom]
            row[13] += cells[atom, k]
            row[_N_PLAIN + categories[atom]] += 1
        row[7], row[8] = np.int64(mix64(kinds) >> _S2), np.int64(order >> _S2)
    return out
