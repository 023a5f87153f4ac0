"""Pools of rules: rule i of a pool is a pure function of the pool's parameters and i.

repeated(k) writes every letter k times in a row, periodic(k) a block k times, and mirrored(k) k
blocks, alternately a block and its reverse. A string may be several of these at once (aaaa is all
three with k = 4), so each string counts as only one class: that of its largest k, and among equal k
the first of repeated, periodic, mirrored. A string with no k above 1 is free.

A pool is a list of cells (class, k, length of left side, length of right side) with weights. Each
rule draws its cell and takes its next strings, in an order given by a keyed bijection of all
strings of a class, k and length. So no string occurs twice in a pool. Where `strict` is off and a
cell has at most 2^62 pairs, the bijection is of pairs, and only the pair is new. The empty right
side may always recur.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import ParamError, stream_key
from synthgen.authoring.compiled import (
    GOLDEN,
    U64,
    Int,
    draw_below,
    draw_bits,
    jit,
    kernel,
    mix64,
    permutation_table,
    permuted,
    row_key,
)
from synthgen.families.rewrite.kernels import Letters, Offsets, Rules

CLASSES = ("free", "repeated", "periodic", "mirrored")
FREE, REPEATED, PERIODIC, MIRRORED, ANY = range(5)
_NAMES = {name: kind for kind, name in enumerate((*CLASSES, "any"))}
_ENTRY = re.compile(r"(repeated|periodic|mirrored) ([1-9][0-9]{0,4})(?:-([1-9][0-9]{0,4}))?")
_WANTED = "any, free, or a class with one k or a range: 'repeated 3', 'mirrored 3-12'"
_MAX_ENTRIES, _MAX_CELLS = 64, 50_000
_MAX = 2**62
_TRIES = 64
_ONE, _S11 = np.uint64(1), np.uint64(11)
_KIND, _K, _LENGTH, _HEAD, _CHECKED, _SIZE = range(6)
"""Columns of a shape: class, k, length, free letters that are digits of the string's number,
whether a string may be of another class, and number of strings."""


@dataclass(frozen=True)
class Cell:
    """Rules of one shape; `weight` is relative to the other cells'."""

    kind: int
    k: int
    lhs_length: int
    rhs_length: int
    weight: float


@dataclass(frozen=True)
class PoolSpec:
    """Everything on which the rules of a pool depend."""

    cells: tuple[Cell, ...]
    n_letters: int
    pool: int
    strict: bool


def rule_cells(
    classes: object, weights: object, lhs: tuple[int, int], rhs: tuple[int, int]
) -> tuple[Cell, ...]:
    """Return the cells of rules of these classes and ranges of lengths.

    The weight of a class is divided equally among its k that divide any lengths, and that of a k
    among the pairs of lengths that it divides.

    Raises:
        ParamError: For invalid classes or weights, or a class that no length allows.
    """
    if not isinstance(classes, tuple) or not 1 <= len(classes) <= _MAX_ENTRIES:
        raise ParamError("classes", classes, f"a list of 1 to {_MAX_ENTRIES} of: {_WANTED}")
    if "any" in classes and len(classes) > 1:
        raise ParamError("classes", classes, "any as the only class; free is the class of no k")
    cells: list[Cell] = []
    for entry, share in zip(classes, _class_weights(weights, len(classes)), strict=True):
        kind, ks = _read_entry(entry)
        shapes = [(k, _multiples(k, lhs), _multiples(k, rhs)) for k in ks if k <= lhs[1]]
        shapes = [(k, lefts, rights) for k, lefts, rights in shapes if lefts and rights]
        if not shapes:
            raise ParamError("classes", entry, f"a k that divides lengths from {lhs} and {rhs}")
        for k, lefts, rights in shapes:
            n = len(lefts) * len(rights)
            if len(cells) + n > _MAX_CELLS:
                wanted = f"at most {_MAX_CELLS} combinations of a class, k and lengths"
                raise ParamError("classes", classes, wanted)
            actual = FREE if k == 1 and kind != ANY else kind
            weight = share / len(shapes) / n
            cells += [Cell(actual, k, *pair, weight) for pair in product(lefts, rights)]
    return tuple(cells)


def _class_weights(weights: object, n: int) -> list[float]:
    if weights == ():
        return [1.0] * n
    wanted = f"a list of {n} numbers above 0, one for each of the classes, or none"
    if not isinstance(weights, tuple) or len(weights) != n:
        raise ParamError("class_weights", weights, wanted)
    for weight in weights:
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < inf:
            raise ParamError("class_weights", weights, wanted)
    return [float(weight) for weight in weights]


def _read_entry(entry: object) -> tuple[int, range]:
    """Return the class and the k that an entry names."""
    if entry in ("any", "free"):
        return _NAMES[str(entry)], range(1, 2)
    match = _ENTRY.fullmatch(entry) if isinstance(entry, str) else None
    if match is None or int(match[3] or match[2]) < int(match[2]):
        raise ParamError("classes", entry, _WANTED)
    return _NAMES[match[1]], range(int(match[2]), int(match[3] or match[2]) + 1)


def _multiples(k: int, lengths: tuple[int, int]) -> range:
    """Return the lengths of a range that k divides."""
    return range(-(-lengths[0] // k) * k, lengths[1] + 1, k)


def _free_letters(kind: int, k: int, length: int) -> int:
    """Return the number of free letters of a string."""
    return length if kind in (FREE, ANY) else length // k


def is_roomy(spec: PoolSpec, rules: int) -> bool:
    """Return whether every cell certainly has more than `rules` rules.

    A string of a class is also of a larger k only if about half of its free letters follow from the
    others.
    """
    for cell in spec.cells:
        for length in (cell.lhs_length, cell.rhs_length):
            strings = spec.n_letters ** _free_letters(cell.kind, cell.k, length)
            needed = 2 * rules if cell.kind == ANY else max(2**40, 4 * rules)
            if length and strings < needed:
                return False
    return True


class Pool(NamedTuple):
    """Tables of a pool with m shapes of strings and c cells.

    Attributes:
        keys: Keys of the draws of cells and of letters, and the number of letters, uint64 (3,).
        ends: Running sums of the cells' weights, up to 1, float64 (c,).
        sides: Shapes of the left and right side of each cell, int64 (c, 2).
        shapes: Columns _KIND to _SIZE, int64 (m, 6).
        tables: Permutation of the strings of each shape, uint64 (m, w).
        pair_tables: Permutation of the pairs of each cell, uint64 (c, w); the first entry is 0 if
            strings are new instead.
    """

    keys: U64
    ends: NDArray[np.float64]
    sides: NDArray[np.int64]
    shapes: NDArray[np.int64]
    tables: U64
    pair_tables: U64


@lru_cache(maxsize=8)
def rules_of(spec: PoolSpec, first: int, count: int) -> Rules:
    """Return rules `first` to `first + count - 1` of a pool."""
    pool = _pool(spec)
    longest = max(cell.lhs_length + cell.rhs_length for cell in spec.cells)
    # With one cell and plenty of strings, earlier rules take a known number of them.
    is_direct = len(spec.cells) == 1 and spec.cells[0].kind == ANY and not pool.pair_tables[0, 0]
    begin = first if is_direct and is_roomy(spec, first + count) else 0
    return _draw_rules(pool, (begin, first, first + count), longest * (count + 1))


def _pool(spec: PoolSpec) -> Pool:
    places: dict[tuple[int, int, int], int] = {}
    for cell in spec.cells:
        for length in (cell.lhs_length, cell.rhs_length):
            places.setdefault((cell.kind, cell.k, length), len(places))
    shapes = [_shape(spec, *shape) for shape in places]
    weights = np.array([cell.weight for cell in spec.cells])
    return Pool(
        keys=np.array([_key(spec, "rules"), _key(spec, "letters"), spec.n_letters], np.uint64),
        ends=np.cumsum(weights / weights.sum()),
        sides=np.array([_sides(cell, places) for cell in spec.cells], np.int64),
        shapes=np.array(shapes, np.int64),
        tables=np.array(
            [
                permutation_table(_key(spec, "strings", *shape[:_HEAD]), shape[_SIZE])
                for shape in shapes
            ]
        ),
        pair_tables=np.array([_pair_table(spec, cell) for cell in spec.cells]),
    )


def _shape(spec: PoolSpec, kind: int, k: int, length: int) -> list[int]:
    free = _free_letters(kind, k, length)
    head = 0
    while head < free and spec.n_letters ** (head + 1) <= _MAX:
        head += 1
    return [kind, k, length, head, int(kind != ANY and length > 0), spec.n_letters**head]


def _sides(cell: Cell, places: Mapping[tuple[int, int, int], int]) -> list[int]:
    return [places[cell.kind, cell.k, length] for length in (cell.lhs_length, cell.rhs_length)]


def _pair_table(spec: PoolSpec, cell: Cell) -> U64:
    lengths = (cell.lhs_length, cell.rhs_length)
    pairs = spec.n_letters ** sum(_free_letters(cell.kind, cell.k, length) for length in lengths)
    if spec.strict or pairs > _MAX:
        return np.zeros_like(permutation_table(0, 1))
    return permutation_table(_key(spec, "pairs", cell.kind, cell.k, *lengths), pairs)


def _key(spec: PoolSpec, *words: str | int) -> int:
    return stream_key("rewrite pool", spec.pool, spec.n_letters, *words)


@jit
def _draw_rules(pool: Pool, span: tuple[int, int, int], bound: Int) -> Rules:
    """Draw the rules from the second to before the third number of `span`.

    Drawing begins with the first number. `bound` is an upper bound of the letters.
    """
    begin, first, stop = span
    letters = np.empty(bound, np.uint8)
    offsets = np.zeros(2 * (stop - first) + 1, np.int64)
    used = np.zeros(len(pool.shapes), np.int64)
    used_pairs = np.zeros(len(pool.sides), np.int64)
    alive = np.ones(len(pool.sides), np.bool_)
    left = len(alive)
    for side in range(2):
        used[pool.sides[0, side]] += begin
    at: Int = 0
    for rule in range(begin, stop):
        while True:
            cell = _choose_cell(row_key(pool.keys[0], np.uint64(rule)), pool.ends, alive)
            if pool.pair_tables[cell, 0] > 0:
                taken = _take_pair(letters, at, pool, cell, used_pairs)
            else:
                taken = _take_strings(letters, at, pool, cell, used)
            if taken:
                break
            alive[cell] = False
            left -= 1
            if left == 0:
                return Rules(letters, offsets, rule)
        if rule >= first:
            place = 2 * (rule - first)
            for side in range(2):
                length = pool.shapes[pool.sides[cell, side], _LENGTH]
                offsets[place + side + 1] = offsets[place + side] + length
            at = offsets[place + 2]
    return Rules(letters, offsets, np.int64(stop))


@kernel
def _choose_cell(key: np.uint64, ends: NDArray[np.float64], alive: NDArray[np.bool_]) -> Int:
    """Draw one of the remaining cells."""
    cell: Int = 0
    for attempt in range(_TRIES):
        part = np.float64(draw_bits(key, attempt) >> _S11) * 2.0**-53
        cell = np.searchsorted(ends[:-1], part, side="right")
        if alive[cell]:
            return cell
    while not alive[cell]:
        cell = (cell + 1) % len(ends)
    return cell


@kernel
def _take_strings(out: Letters, at: Int, pool: Pool, cell: Int, used: NDArray[np.int64]) -> bool:
    """Write the next left and right side, of unused strings; return whether there are any."""
    for side in range(2):
        place = pool.sides[cell, side]
        shape = pool.shapes[place]
        taken = shape[_LENGTH] == 0
        while not taken and used[place] < shape[_SIZE]:
            number = permuted(np.uint64(used[place]), pool.tables[place])
            used[place] += 1
            taken = _write_string(out, at, shape, number, pool.keys)
        if not taken:
            return False
        at += shape[_LENGTH]
    return True


@kernel
def _take_pair(out: Letters, at: Int, pool: Pool, cell: Int, used: NDArray[np.int64]) -> bool:
    """Write the next pair of two different strings; return whether there is one."""
    table = pool.pair_tables[cell]
    left, right = pool.shapes[pool.sides[cell, 0]], pool.shapes[pool.sides[cell, 1]]
    middle, length = at + left[_LENGTH], right[_LENGTH]
    while used[cell] < np.int64(table[0]):
        pair = permuted(np.uint64(used[cell]), table)
        used[cell] += 1
        taken = _write_string(out, at, left, pair // np.uint64(right[_SIZE]), pool.keys)
        taken &= _write_string(out, middle, right, pair % np.uint64(right[_SIZE]), pool.keys)
        same = middle - at == length
        for place in range(length):
            same = same and out[at + place] == out[middle + place]
        if taken and not same:
            return True
    return False


@kernel
def _write_string(
    out: Letters, at: Int, shape: NDArray[np.int64], number: np.uint64, keys: U64
) -> bool:
    """Write string `number` of a shape; return whether it counts as its class and k.

    The first free letters are the digits of the number, so that no two strings are equal. The
    others are drawn with the number as key.
    """
    kind, k, length = shape[_KIND], shape[_K], shape[_LENGTH]
    n_letters = keys[2]
    rest_key = row_key(keys[1], number)
    free = 0
    for place in range(length):
        source = place if kind == FREE or kind == ANY else _source_place(kind, k, length, place)
        if source < place:
            out[at + place] = out[at + source]
            continue
        if free < shape[_HEAD]:
            out[at + place] = np.uint8(number % n_letters)
            number //= n_letters
        else:
            out[at + place] = np.uint8(draw_below(rest_key, free, np.int64(n_letters)))
        free += 1
    return bool(shape[_CHECKED] == 0 or _counts_as(out, at, length, kind, k))


@kernel
def _source_place(kind: Int, k: Int, length: Int, place: Int) -> Int:
    """Return the first place whose letter recurs at `place` in a string of this class."""
    if kind == REPEATED:
        return place - place % k
    block = length // k
    inside = place % block
    if kind == MIRRORED and (place // block) % 2 == 1:
        return block - 1 - inside
    return inside


@kernel
def _is_of_class(text: Letters, start: Int, length: Int, kind: Int, k: Int) -> bool:
    """Return whether a string is repeated(k), periodic(k) or mirrored(k); k divides its length."""
    for place in range(length):
        if text[start + place] != text[start + _source_place(kind, k, length, place)]:
            return False
    return True


@kernel
def _counts_as(text: Letters, start: Int, length: Int, kind: Int, k: Int) -> bool:
    """Return whether no larger k, and no class before this one with the same k, fits a string."""
    for larger in range(length, max(k, 2) - 1, -1):
        if length % larger == 0:
            for other in range(REPEATED, MIRRORED + 1):
                if larger == k and other == kind:
                    return True
                if _is_of_class(text, start, length, other, larger):
                    return False
    return True


@jit
def hash_sides(letters: Letters, offsets: Offsets) -> NDArray[np.int64]:
    """Hash the characters of each side to 63 bits."""
    out = np.empty(len(offsets) - 1, np.int64)
    for i in range(len(out)):
        word: np.uint64 = GOLDEN
        for place in range(offsets[i], offsets[i + 1]):
            word = mix64((word ^ np.uint64(letters[place])) + GOLDEN)
        out[i] = np.int64(word >> _ONE)
    return out


@jit
def largest_k(letters: Letters, offsets: Offsets) -> NDArray[np.int16]:
    """Return the largest k of repeated, periodic and mirrored that both sides have, (n, 3)."""
    n = len(offsets) // 2
    out = np.ones((n, 3), np.int16)
    for i in range(n):
        lhs, rhs, end = offsets[2 * i], offsets[2 * i + 1], offsets[2 * i + 2]
        for k in range(2, rhs - lhs + 1):
            if (rhs - lhs) % k != 0 or (end - rhs) % k != 0:
                continue
            for kind in range(REPEATED, MIRRORED + 1):
                left = _is_of_class(letters, lhs, rhs - lhs, kind, k)
                if left and _is_of_class(letters, rhs, end - rhs, kind, k):
                    out[i, kind - REPEATED] = k
    return out
