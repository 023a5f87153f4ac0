"""Kernels that draw chains and inputs, and keep an input on which no atom is idle."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import U64, draw_bits
from synthgen.generators.skillmix._chain_inputs import DRAWS, Sizes, below, draw_input
from synthgen.generators.skillmix._chain_opcodes import FAILED, ROOM, Value
from synthgen.generators.skillmix._chain_ops import apply

Marks = NDArray[np.int64]
Chains = NDArray[np.int16]
"""Atoms of each row by their place in the source's list, (n, most atoms)."""
OP, FIRST, SECOND, SOURCE, RESULT, PARTNER = range(6)
"""Columns of the table of atoms; the partner is another atom of the same types, or -1."""
TRIES = 4
"""Inputs that a chain gets before its row is given up."""
_FIRST_TRY = 16
_S32 = np.uint64(32)
_LAST_MARK = np.uint64(0xFFFFFFFE)


class Drawn(NamedTuple):
    """Chains of a batch with all their values.

    Attributes:
        chains: int16 (n, most atoms), 0 behind the last atom.
        counts: atoms of each, int64 (n,).
        values: of all steps, inputs first, int32.
        marks: where the values of a row begin and the last one ends, int64 (n, most atoms + 2).
        kept: whether the guards hold, bool (n,); the values of other rows are empty.
    """

    chains: Chains
    counts: Marks
    values: NDArray[np.int32]
    marks: Marks
    kept: NDArray[np.bool_]


@lent
def _next_atom(marks: NDArray[np.uint32], bits: np.uint64) -> Int:
    """Return the first atom whose running chance is above the high half of the bits."""
    mark = min(bits >> _S32, _LAST_MARK)
    low, high = 0, len(marks) - 1
    while low < high:
        middle = (low + high) // 2
        if np.uint64(marks[middle]) > mark:
            high = middle
        else:
            low = middle + 1
    return np.int64(low)


@lent
def _equal(one: Value, n: Int, other: Value, m: Int) -> bool:
    if n != m:
        return False
    for k in range(n):
        if one[k] != other[k]:
            return False
    return True


@lent
def _runs_well(
    chain: Chains,
    count: Int,
    atoms: Marks,
    values: NDArray[np.int64],
    lengths: Marks,
    bounds: tuple[int, int],
    guards: tuple[bool, bool],
) -> bool:
    """Fill values[1 : count + 1] from values[0]; false if an atom fails or a guard does not hold.

    The chain is run as it is, and then without each atom in turn, or with its partner instead. A
    changed run that is equal to the first one after any atom is equal at the end, too.
    """
    for turn in range(-1, count if guards[1] else 0):
        gone = turn if turn < 0 else count - 1 - turn  # the last ones need the fewest steps
        step = max(gone, 0)
        value, n = values[step], lengths[step]
        changed = gone
        if gone >= 0 and atoms[chain[gone], SOURCE] == atoms[chain[gone], RESULT]:
            step, changed = gone + 1, -1
            if _equal(value, n, values[step], lengths[step]):
                return False
        elif gone >= 0 and atoms[chain[gone], PARTNER] < 0:
            continue
        while step < count:
            atom = np.int64(chain[step])
            if step == changed:
                atom = atoms[atom, PARTNER]
            # Changed runs write behind the values of the first one, by turns.
            out = values[step + 1 if gone < 0 else count + 1 + step % 2]
            n = apply(
                atoms[atom, OP], atoms[atom, FIRST], atoms[atom, SECOND], value, n, out, bounds
            )
            if n == FAILED:
                if gone < 0:
                    return False
                break
            step += 1
            value = out
            if gone >= 0:
                if _equal(value, n, values[step], lengths[step]):
                    return False
                continue
            lengths[step] = n
            for before in range(step if guards[0] else 0):
                same_type = atoms[chain[before], SOURCE] == atoms[atom, RESULT]
                if same_type and _equal(value, n, values[before], lengths[before]):
                    return False
    return True


@lent
def _draw_row(
    key: np.uint64,
    steps: NDArray[np.uint32],
    atoms: Marks,
    count: Int,
    sizes: Sizes,
    letters: Value,
    guards: tuple[bool, bool],
    chain: Chains,
    values: NDArray[np.int64],
    lengths: Marks,
) -> bool:
    """Fill a row's chain, its values and their lengths; false if no input passes the guards."""
    base = count * (count - 1) // 2
    atom: Int = np.int64(0)
    for place in range(count):
        atom = _next_atom(steps[base + place, atom], draw_bits(key, 1 + place))
        chain[place] = atom
    bounds = (sizes.longest, sizes.largest)
    for attempt in range(TRIES):
        j = _FIRST_TRY + DRAWS * attempt
        lengths[0] = draw_input(atoms[chain[0], SOURCE], key, j, sizes, letters, values[0])
        if _runs_well(chain, count, atoms, values, lengths, bounds, guards):
            return True
    return False


@njit(cache=True, nogil=True)
def draw_chains(
    keys: U64,
    steps: NDArray[np.uint32],
    atoms: Marks,
    counts_from_to: tuple[int, int],
    sizes: Sizes,
    letters: Value,
    guards: tuple[bool, bool],
) -> Drawn:
    """Draw the chain and the input of every row.

    Args:
        keys: of the rows.
        steps: of walks, see `_chain_walks`.
        atoms: table of the source's atoms.
        counts_from_to: fewest and most atoms of a chain.
        sizes: of inputs and values.
        letters: of strings, as often as they shall come.
        guards: whether values must be distinct, and every atom needed.
    """
    least, most = counts_from_to
    n = len(keys)
    chains = np.zeros((n, most), np.int16)
    counts, kept = np.zeros(n, np.int64), np.zeros(n, np.bool_)
    marks = np.zeros((n, most + 2), np.int64)
    found = np.empty(n * 8 * (most + 1) + (most + 1) * ROOM, np.int32)
    values, lengths = np.empty((most + 3, ROOM), np.int64), np.zeros(most + 1, np.int64)
    at = 0
    for i in range(n):
        count = least + below(keys[i], 0, most - least + 1)
        counts[i] = count
        kept[i] = _draw_row(
            keys[i], steps, atoms, count, sizes, letters, guards, chains[i], values, lengths
        )
        if at + (count + 1) * ROOM > len(found):
            larger = np.empty(2 * len(found), np.int32)
            larger[:at] = found[:at]
            found = larger
        for step in range(most + 2):
            marks[i, step] = at
            if kept[i] and step <= count:
                for k in range(lengths[step]):
                    found[at + k] = values[step, k]
                at += lengths[step]
    return Drawn(chains, counts, found[:at], marks, kept)
