"""Kernels that draw chains with their inputs, and write and measure their derivations.

An input is kept if no atom of the chain is idle on it. A value is a row of integers as in
`operations`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kernels import Int, jit, kernel
from synthgen.draws.randomness import U64, draw_below, draw_bits, mix64
from synthgen.families.skill_chain.operations import ROOM, Value, apply
from synthgen.families.skill_chain.tables import Held
from synthgen.families.skill_chain.words import LIST, NUMBER, STRING, WORD_LIST
from synthgen.trees.derivations import Codes

Marks = NDArray[np.int64]
OPERATION, FIRST, SECOND, SOURCE, RESULT, PARTNER, PLACE, CATEGORY = range(8)
"""Columns of the table of atoms: operation, argument, types, another atom of the same types (or
-1), place in the catalogue, category."""
WORD_LENGTHS = (3, 7)
MOST_DIGITS = 4
"""Of a number that a chain starts from."""
PAIR_BASE = 4_096
"""A pair of atoms as one number: this times the first one's place in the catalogue, plus the
second one's."""
_TRIES = 4
"""Inputs tried for a chain before its row is given up."""
_FIRST_TRY, _DRAWS = 16, 160
"""The first draw of the first input, and the draws of each input."""
_REPEATS = np.int64(5)
"""One in this many words repeats an earlier word."""
_SPOKEN = np.array([ord(letter) - 96 for letter in "bcdfghjklmnpqrstvwxyzaeiou"], np.int64)
_N_CONSONANTS, _N_VOWELS = np.int64(21), np.int64(5)
_SHORTEST_WORD = WORD_LENGTHS[0]
_SHAPES = np.int64(2 * (WORD_LENGTHS[1] - WORD_LENGTHS[0] + 1))
"""A shape is twice the letters beyond the shortest length, plus 1 if it starts with a vowel."""
_PER_WORD = 3 + WORD_LENGTHS[1]
_S32, _S2 = np.uint64(32), np.uint64(2)
_LAST_MARK = np.uint64(0xFFFFFFFE)
_ZERO, _TEN = np.int64(0), np.int64(10)
_FIRST_CATEGORY = 17
"""Column of the first category."""
_APART = 8
"""Numbers between columns: those that start a power of two apart, as the columns of a whole block
would, evict each other from a processor's cache."""


class Source(NamedTuple):
    """What a source draws from.

    Attributes:
        atoms: a row for each atom, int64 (m, 8).
        steps: of walks, see `tables.Walks`.
        letters: of strings, each as often as it should occur.
        min_atoms, max_atoms: of a chain.
        distinct: keep only rows whose values are all different.
        ablation: keep only rows that need every atom.
        min_length, max_length: of strings and lists.
        max_entry: of lists.
        max_number: of numbers.
        min_words, max_words: of lists of words.
        bounds: longest string or list and largest number of the values that follow.
    """

    atoms: Marks
    steps: NDArray[np.uint32]
    letters: Value
    min_atoms: int
    max_atoms: int
    distinct: bool
    ablation: bool
    min_length: int
    max_length: int
    max_entry: int
    max_number: int
    min_words: int
    max_words: int
    bounds: tuple[int, int]


class Drawn(NamedTuple):
    """Chains of a batch with all their values.

    Attributes:
        chains: atoms by their place in the source, 0 after the last one, int16 (n, most atoms).
        counts: number of atoms of each, int64 (n,).
        values: of all steps, inputs first, int32.
        marks: where the values of a row begin and the last one ends, int64 (n, most atoms + 2).
        kept: whether an input passed the guards, bool (n,); other rows have empty values.
        atoms: the table of atoms.
    """

    chains: NDArray[np.int16]
    counts: Marks
    values: NDArray[np.int32]
    marks: Marks
    kept: NDArray[np.bool_]
    atoms: Marks


class _Space(NamedTuple):
    """Space for the row at hand: its chain, its values and those of altered runs, and lengths."""

    chain: NDArray[np.int16]
    values: NDArray[np.int64]
    lengths: Marks


@jit
def draw_chains(keys: U64, source: Source) -> Drawn:
    """Draw the chain and the input of every row."""
    n, most = len(keys), source.max_atoms
    chains = np.zeros((n, most), np.int16)
    counts, kept = np.zeros(n, np.int64), np.zeros(n, np.bool_)
    marks = np.zeros((n, most + 2), np.int64)
    found = np.empty(n * 8 * (most + 1) + (most + 1) * ROOM, np.int32)
    values, lengths = np.empty((most + 3, ROOM), np.int64), np.zeros(most + 1, np.int64)
    at = 0
    for i in range(n):
        key = keys[i]
        count = source.min_atoms + below(key, _ZERO, most - source.min_atoms + 1)
        counts[i] = count
        space = _Space(chains[i], values, lengths)
        base = count * (count - 1) // 2
        atom: Int = np.int64(0)
        for place in range(count):
            atom = _next_atom(source.steps[base + place, atom], draw_bits(key, 1 + place))
            chains[i, place] = atom
        for attempt in range(_TRIES):
            _draw_input(key, np.int64(_FIRST_TRY + _DRAWS * attempt), source, space)
            kept[i] = _runs_well(source, space, count)
            if kept[i]:
                break
        if at + (count + 1) * ROOM > len(found):
            larger = np.empty(2 * len(found), np.int32)
            for k in range(at):
                larger[k] = found[k]
            found = larger
        for step in range(most + 2):
            marks[i, step] = at
            if kept[i] and step <= count:
                for k in range(lengths[step]):
                    found[at + k] = values[step, k]
                at += lengths[step]
    return Drawn(chains, counts, found[:at], marks, kept, source.atoms)


@kernel
def _next_atom(marks: NDArray[np.uint32], bits: np.uint64) -> Int:
    """Return the first atom whose cumulated probability exceeds the high half of the bits."""
    mark = min(bits >> _S32, _LAST_MARK)
    low, high = np.int64(0), np.int64(len(marks) - 1)
    while low < high:
        middle = (low + high) // 2
        if np.uint64(marks[middle]) > mark:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def below(key: np.uint64, j: Int, n: Int) -> Int:
    """Return draw j of a row as an integer from 0 to n - 1, as a call that compiles quickly."""
    return draw_below(key, j, n)


@kernel
def _draw_input(key: np.uint64, j: Int, source: Source, space: _Space) -> None:
    """Draw the first value of a chain, from draw j on."""
    kind, out = source.atoms[space.chain[0], SOURCE], space.values[0]
    if kind == WORD_LIST:
        space.lengths[0] = _draw_words(key, j, source, out)
        return
    n: Int = np.int64(1)
    lowest, many = np.int64(0), np.int64(len(source.letters))
    if kind == NUMBER:
        lowest, many = np.int64(1), np.int64(source.max_number)
    else:
        n = source.min_length + below(key, j, source.max_length - source.min_length + 1)
        if kind == LIST:
            many = np.int64(source.max_entry + 1)
    for k in range(n):
        drawn = lowest + below(key, j + 1 + k, many)
        out[k] = source.letters[drawn] if kind == STRING else drawn
    space.lengths[0] = n


@kernel
def _draw_words(key: np.uint64, j: Int, source: Source, out: Value) -> Int:
    """Draw pronounceable words: consonants and vowels in turn."""
    count = source.min_words + below(key, j, source.max_words - source.min_words + 1)
    at: Int = np.int64(0)
    for word in range(count):
        if below(key, j + 1, _REPEATS) == 0 and word > 0:
            earlier: Int = np.int64(0)
            for _ in range(below(key, j + 2, word)):
                while out[earlier] != 0:
                    earlier += 1
                earlier += 1
            while out[earlier] != 0:
                out[at] = out[earlier]
                earlier += 1
                at += 1
        else:
            shape = below(key, j + 2, _SHAPES)
            for k in range(_SHORTEST_WORD + shape // 2):
                vowel = (k + shape) % 2
                many = _N_VOWELS if vowel else _N_CONSONANTS
                out[at] = _SPOKEN[vowel * _N_CONSONANTS + below(key, j + 3 + k, many)]
                at += 1
        j += _PER_WORD
        out[at] = 0
        at += 1
    return at


@kernel
def _equal(one: Value, n: Int, other: Value, m: Int) -> bool:
    if n != m:
        return False
    for k in range(n):
        if one[k] != other[k]:
            return False
    return True


@kernel
def _runs_well(source: Source, space: _Space, count: Int) -> bool:
    """Fill all values from the first one; false if an atom fails or a guard does not hold.

    The chain is run as it is, and then without each atom in turn, or with its partner instead. An
    altered run that equals the first one after any atom also equals it at the end.
    """
    chain, values, lengths, atoms = space.chain, space.values, space.lengths, source.atoms
    for turn in range(-1, count if source.ablation else 0):
        gone = turn if turn < 0 else count - 1 - turn  # the last ones need the fewest steps
        step = max(gone, 0)
        value, n = values[step], lengths[step]
        altered = gone
        if gone >= 0 and atoms[chain[gone], SOURCE] == atoms[chain[gone], RESULT]:
            step, altered = gone + 1, -1
            if _equal(value, n, values[step], lengths[step]):
                return False
        elif gone >= 0 and atoms[chain[gone], PARTNER] < 0:
            continue
        while step < count:
            atom = np.int64(chain[step])
            if step == altered:
                atom = atoms[atom, PARTNER]
            # Altered runs write after the values of the first one, in two rows by turns.
            out = values[step + 1 if gone < 0 else count + 1 + step % 2]
            n = apply(atoms[atom], value, n, out, source.bounds)
            if n <= 0:
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
            for before in range(step if source.distinct else 0):
                same_type = atoms[chain[before], SOURCE] == atoms[atom, RESULT]
                if same_type and _equal(value, n, values[before], lengths[before]):
                    return False
    return True


@jit
def derive(drawn: Drawn, roots: Marks, leaves: tuple[int, int]) -> tuple[Codes, Marks]:
    """Write derivations: the atoms from the last to the first, then the input.

    Args:
        drawn: the batch; rows without values get empty derivations.
        roots: codes of inputs of each type that have no items; those of n items are n higher.
        leaves: code below that of the letter a, and code of the number 0.
    """
    chains, values, marks = drawn.chains, drawn.values, drawn.marks
    n = len(chains)
    codes = np.empty(n * (chains.shape[1] + MOST_DIGITS + 1) + len(values), np.uint16)
    offsets = np.zeros(n + 1, np.int64)
    at: Int = np.int64(0)
    for i in range(n):
        low, high = marks[i, 0], marks[i, 1]
        offsets[i + 1] = at
        if low == high:
            continue
        for k in range(drawn.counts[i] - 1, -1, -1):
            codes[at] = chains[i, k]
            at += 1
        kind, root = drawn.atoms[chains[i, 0], SOURCE], at
        at += 1
        if kind == NUMBER:
            at += _length(kind, values, low, high)
            number = np.int64(values[low])
            for k in range(at - 1, root, -1):
                codes[k] = leaves[1] + number % _TEN
                number //= _TEN
            codes[root] = roots[kind] + at - root - 1
        elif kind == WORD_LIST:
            codes[root] = roots[kind]
            for k in range(low, high):
                if k == low or values[k - 1] == 0:
                    codes[root] += 1
                    word = at
                    codes[word] = roots[STRING]
                    at += 1
                if values[k] > 0:
                    codes[word] += 1
                    codes[at] = leaves[0] + values[k]
                    at += 1
        else:
            codes[root] = roots[kind] + high - low
            for k in range(low, high):
                codes[at] = leaves[int(kind == LIST)] + values[k]
                at += 1
        offsets[i + 1] = at
    return codes[:at], offsets


@kernel
def _length(kind: Int, values: NDArray[np.int32], low: Int, high: Int) -> Int:
    """Return the length of values[low:high]: letters, numbers, digits or words."""
    if kind == NUMBER and low < high:
        rest, digits = abs(np.int64(values[low])), np.int64(1)
        while rest >= _TEN:
            rest //= _TEN
            digits += 1
        return digits
    if kind != WORD_LIST:
        return high - low
    words = np.int64(0)
    for k in range(low, high):
        words += values[k] == 0
    return words


@jit
def measure(drawn: Drawn, ids: NDArray[np.uint64], held: Held, n_columns: int) -> Marks:
    """Return the columns of all axes but `n_atoms`, int64 (columns, n), in the family's order.

    Args:
        drawn: the batch.
        ids: of atoms.
        held: what is held out.
        n_columns: their number.
    """
    chains, marks, atoms = drawn.chains, drawn.marks, drawn.atoms
    n = len(chains)
    out = np.zeros((n_columns, n + _APART), np.int64)[:, :n]
    for i in range(n):
        row, chain, count = out[:, i], chains[i], drawn.counts[i]
        first, last = np.int64(chain[0]), np.int64(chain[count - 1])
        row[0], row[1] = atoms[first, SOURCE], atoms[last, RESULT]
        row[2] = _length(row[0], drawn.values, marks[i, 0], marks[i, 1])
        row[3] = _length(row[1], drawn.values, marks[i, count], marks[i, count + 1])
        row[4] = row[0] + 1
        row[5], row[6] = first, last
        row[7], row[8] = -1, -1
        kinds, order = np.uint64(0), np.uint64(count)
        for k in range(count):
            atom, before = np.int64(chain[k]), np.int64(chain[k - 1])
            row[4] = row[4] * _TEN + atoms[atom, RESULT] + 1
            order = mix64(order ^ ids[atom])
            repeated = False
            for j in range(k):
                row[11] += chain[j] > atom
                repeated = repeated or chain[j] == atom
            if not repeated:
                kinds += ids[atom]
                row[12] += 1
            if k > 0:
                row[8] = atoms[before, PLACE] * PAIR_BASE + atoms[atom, PLACE]
                row[7] = row[8] if k == 1 else row[7]
                row[13] += held.pairs[before, atom]
                row[14] += held.orders[before, atom]
            row[15] += held.atoms[atom]
            row[16] += held.cells[atom, k]
            row[_FIRST_CATEGORY + atoms[atom, CATEGORY]] += 1
        row[9], row[10] = np.int64(mix64(kinds) >> _S2), np.int64(order >> _S2)
    return out
