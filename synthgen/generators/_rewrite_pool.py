"""Pools of rules: rule i of a pool is a pure function of the pool's parameters and i.

A pool is a list of cells (class, k, length of left side, length of right side) with weights. Each
rule draws its cell and takes the next strings of it, in an order given by a keyed bijection of all
strings of a class, k and length. So no string occurs twice in a pool; classes of different strings
are told apart by the strings themselves. Where `strict` is off and a cell has at most 2^62 pairs,
the bijection is of pairs, and only the pair is new. The empty right side may always recur.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.permutation import permutation_table, permuted
from synthgen.core.randomness import U64, draw_bits, row_key, stream_key
from synthgen.generators._rewrite_strings import ANY, FREE, Letters, write_numbered

Pools = NDArray[np.int64]
"""A row for each class, k and length: these, the free letters that are digits, whether to look at
the class of a string, and how many strings there are."""
N_FIELDS, _SIZE = 6, 5
_MOST = 2**62
_TRIES = 64
_S11 = np.uint64(11)
_NO_TABLE = np.zeros(0, np.uint64)


@dataclass(frozen=True)
class Cell:
    """Rules of one shape; `weight` is relative to the others'."""

    kind: int
    k: int
    lhs_length: int
    rhs_length: int
    weight: float


@dataclass(frozen=True)
class PoolSpec:
    """All that the rules of a pool depend on."""

    cells: tuple[Cell, ...]
    n_letters: int
    pool: int
    strict: bool


@dataclass(frozen=True)
class RuleStrings:
    """Left and right sides of rules end to end: strings 2i and 2i + 1 are those of rule i.

    Attributes:
        letters: indices into the alphabet, uint8.
        offsets: int64 (2n + 1,).
        made: rules that the pool holds up to the last one asked for; fewer than asked for if it is
            exhausted.
    """

    letters: Letters
    offsets: NDArray[np.int64]
    made: int


def base_length(kind: int, k: int, length: int) -> int:
    """Return how many letters of a string are free."""
    return length if kind in (FREE, ANY) else length // k


def is_roomy(spec: PoolSpec, rules: int) -> bool:
    """Say whether every cell certainly has more than `rules` rules.

    A string of a class is of a larger k, too, only if about half of its free letters follow from
    the others.
    """
    for cell in spec.cells:
        for length in (cell.lhs_length, cell.rhs_length):
            strings = spec.n_letters ** base_length(cell.kind, cell.k, length)
            needed = 2 * rules if cell.kind == ANY else max(2**40, 4 * rules)
            if length and strings < needed:
                return False
    return True


@lru_cache(maxsize=8)
def rule_strings(spec: PoolSpec, first: int, rules: int) -> RuleStrings:
    """Return rules `first` to `first + rules - 1` of a pool."""
    keys: dict[tuple[int, int, int], int] = {}
    for cell in spec.cells:
        for length in (cell.lhs_length, cell.rhs_length):
            keys.setdefault((cell.kind, cell.k, length), len(keys))
    pools = np.array([_pool(spec, *key) for key in keys], np.int64)
    tables = [
        _table(spec, *key, size=int(pool[_SIZE])) for key, pool in zip(keys, pools, strict=True)
    ]
    sides = np.array(
        [(keys[c.kind, c.k, c.lhs_length], keys[c.kind, c.k, c.rhs_length]) for c in spec.cells],
        np.int64,
    )
    pair_tables = [
        _pair_table(spec, cell, pools[side]) for cell, side in zip(spec.cells, sides, strict=True)
    ]
    weights = np.array([cell.weight for cell in spec.cells])
    longest = max(cell.lhs_length + cell.rhs_length for cell in spec.cells)
    alone = len(spec.cells) == 1 and spec.cells[0].kind == ANY and not len(pair_tables[0])
    alone = alone and is_roomy(spec, first + rules)
    letters, offsets, made = _draw_rules(
        np.array([_key(spec, "rules"), _key(spec, "letters"), spec.n_letters], np.uint64),
        (first if alone else 0, first, first + rules),
        np.cumsum(weights / weights.sum()),
        sides,
        pools,
        _stacked(tables),
        _stacked(pair_tables),
        longest * rules + longest,
    )
    return RuleStrings(letters, offsets, int(made))


def _pool(spec: PoolSpec, kind: int, k: int, length: int) -> list[int]:
    free = base_length(kind, k, length)
    head = 0
    while head < free and spec.n_letters ** (head + 1) <= _MOST:
        head += 1
    size = spec.n_letters**head
    return [kind, k, length, head, int(kind != ANY and length > 0), size]


def _key(spec: PoolSpec, *words: str | int) -> int:
    return stream_key("rewrite pool", spec.pool, spec.n_letters, *words)


def _table(spec: PoolSpec, kind: int, k: int, length: int, *, size: int) -> U64:
    return permutation_table(_key(spec, "strings", kind, k, length), size)


def _pair_table(spec: PoolSpec, cell: Cell, sides: Pools) -> U64:
    """Return the permutation of all pairs of a cell, or nothing where strings are new instead."""
    free = [base_length(cell.kind, cell.k, int(side[2])) for side in sides]
    pairs = spec.n_letters ** sum(free)
    if spec.strict or pairs > _MOST:
        return _NO_TABLE
    lengths = (cell.kind, cell.k, cell.lhs_length, cell.rhs_length)
    return permutation_table(_key(spec, "pairs", *lengths), pairs)


def _stacked(tables: Sequence[U64]) -> U64:
    """Return tables as rows of one array; a table of nothing begins with 0."""
    width = permutation_table(0, 1).shape[0]
    rows = np.zeros((len(tables), width), np.uint64)
    for row, table in zip(rows, tables, strict=True):
        row[: len(table)] = table
    return rows


@njit(cache=True, nogil=True)
def _draw_rules(
    keys: U64,
    span: tuple[int, int, int],
    ends: NDArray[np.float64],
    sides: NDArray[np.int64],
    pools: Pools,
    tables: U64,
    pair_tables: U64,
    bound: Int,
) -> tuple[Letters, NDArray[np.int64], Int]:
    """Make the rules from the second to before the third number of `span`.

    The first is where to begin: rules before have no influence on which strings are left. `ends`
    are the cells' weights added up, and `bound` letters are enough.
    """
    begin, first, stop = span
    letters = np.empty(bound, np.uint8)
    offsets = np.zeros(2 * (stop - first) + 1, np.int64)
    used = np.zeros(len(pools), np.int64)
    used_pairs = np.zeros(len(sides), np.int64)
    alive = np.ones(len(sides), np.bool_)
    n_alive = len(sides)
    for side in range(2):
        used[sides[0, side]] += begin
    at: Int = 0
    for rule in range(begin, stop):
        while True:
            cell = _choose_cell(row_key(keys[0], np.uint64(rule)), ends, alive)
            if pair_tables[cell, 0] > 0:
                taken = _take_pair(
                    letters, at, pools[sides[cell]], pair_tables[cell], used_pairs, cell, keys[1:]
                )
            else:
                taken = _take_strings(letters, at, sides[cell], pools, tables, used, keys[1:])
            if taken:
                break
            alive[cell] = False
            n_alive -= 1
            if n_alive == 0:
                return letters, offsets, rule
        if rule >= first:
            place = 2 * (rule - first)
            offsets[place + 1] = offsets[place] + pools[sides[cell, 0], 2]
            offsets[place + 2] = offsets[place + 1] + pools[sides[cell, 1], 2]
            at = offsets[place + 2]
    return letters, offsets, np.int64(stop)


@njit(cache=True, nogil=True)
def _choose_cell(key: np.uint64, ends: NDArray[np.float64], alive: NDArray[np.bool_]) -> Int:
    """Draw one of the cells that are left."""
    cell: Int = 0
    for attempt in range(_TRIES):
        part = np.float64(draw_bits(key, attempt) >> _S11) * 2.0**-53
        cell = np.searchsorted(ends, part, side="right")
        if cell == len(ends):
            cell -= 1
        if alive[cell]:
            return cell
    while not alive[cell]:
        cell = (cell + 1) % len(ends)
    return cell


@lent
def _take_strings(
    out: Letters,
    at: Int,
    sides: NDArray[np.int64],
    pools: Pools,
    tables: U64,
    used: NDArray[np.int64],
    key: U64,
) -> bool:
    """Write the next left and right side, of strings not used yet; say whether there are any."""
    for place in sides:
        pool = pools[place]
        taken = pool[2] == 0
        while not taken and used[place] < pool[_SIZE]:
            index = np.uint64(used[place])
            used[place] += 1
            taken = write_numbered(out, at, pool, index, tables[place], key)
        if not taken:
            return False
        at += pool[2]
    return True


@lent
def _take_pair(
    out: Letters,
    at: Int,
    pools: Pools,
    table: U64,
    used: NDArray[np.int64],
    cell: Int,
    key: U64,
) -> bool:
    """Write the next pair of two different strings; say whether there is any."""
    rights = np.uint64(pools[1, _SIZE])
    middle, length = at + pools[0, 2], pools[1, 2]
    plain = table[:0]
    while used[cell] < np.int64(table[0]):
        pair = permuted(np.uint64(used[cell]), table)
        used[cell] += 1
        taken = write_numbered(out, at, pools[0], pair // rights, plain, key)
        taken &= write_numbered(out, middle, pools[1], pair % rights, plain, key)
        same = middle - at == length
        for place in range(length):
            same = same and out[at + place] == out[middle + place]
        if taken and not same:
            return True
    return False
