"""Tables of a source: its atoms, the pairs that may follow each other, walks, what is held out."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.families.skill_chain.words import BY_LABEL, TYPES, Atom

Choice = int | tuple[str, ...]
"""What is held out: how many to choose by a key, or names."""
Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
USUAL = (
    *("rev", "rotl2", "rotr3", "caesar5", "atbash", "sort", "dedup", "rmvow", "dbl", "evens"),
    *("odds", "swap", "halves", "riffle", "mirror", "drop2", "vowrot", "take5", "half"),
    *("replace_es", "remove_t", "insert_o3", "toggle_n"),
    *("length", "vowels", "distinct", "alphasum", "index_e", "codes", "letters"),
    *("lrev", "lsort", "lsortdesc", "ladd3", "lmul2", "lmod7", "prefix", "diffs", "unique"),
    *("keepeven", "keepgt5", "lrot2", "ltake4", "ldrop1", "pairsums"),
    *("sum", "max", "min", "count", "range", "median", "argmax"),
    *("add7", "mul3", "mod5", "digitsum", "revdigits", "collatz", "sqmod97", "gcd12"),
    *("digits", "divisors", "primes"),
    *("acronym", "lasts", "wrev", "wsort", "wdedup", "wlonger3"),
)
"""The atoms of a source that names none."""
_MOST_ATOMS = 200
_COMMUTE = (
    *(("map", "place"), ("inj", "unique"), ("mono", "sorting"), ("filter", "reversal")),
    *(("filter", "sorting"), ("filter", "unique"), ("filter", "filter"), ("sorting", "unique")),
    *(("reversal", "twice"), ("doubling", "doubling")),
)
"""Traits of two atoms that give the same in either order."""
_VOWELS = {1, 5, 9, 15, 21}
_TEN = 10


@lru_cache
def chosen_atoms(names: tuple[str, ...]) -> tuple[Atom, ...]:
    """Return the atoms that a param names, in the order of the catalogue.

    Args:
        names: labels, or types such as `string-number` for the usual atoms of these types; none
            for all usual ones.

    Raises:
        ParamError: for repeated or too many atoms.
        UnknownNameError: for a name that is neither.
    """
    groups: dict[str, list[Atom]] = {}
    for label in USUAL:
        atom = BY_LABEL[label]
        groups.setdefault("-".join(TYPES[kind] for kind in atom.family.types), []).append(atom)
    found = [] if names else [BY_LABEL[label] for label in USUAL]
    for name in names:
        if name not in BY_LABEL and name not in groups:
            raise UnknownNameError("atom", name, [*sorted(groups), *BY_LABEL])
        found += [BY_LABEL[name]] if name in BY_LABEL else groups[name]
    if len(set(found)) != len(found) or len(found) > _MOST_ATOMS:
        raise ParamError("atoms", names, f"different atoms, at most {_MOST_ATOMS}")
    return tuple(sorted(found, key=lambda atom: atom.index))


def is_redundant(first: Atom, then: Atom) -> bool:
    """Say whether the normal form lacks `then` right after `first`.

    It lacks a pair if one atom undoes, repeats or absorbs the other, if both are the same as one
    atom, or if they commute and the other order is that of the catalogue.
    """
    one, other = first.family, then.family
    if other.absorbs & {one.label, *one.traits}:
        return True
    if any(trait.startswith("merge:") for trait in one.traits & other.traits):
        return True
    if first == then:
        return bool(one.traits & {"undo", "again"})
    return _is_idle(first, then) or (first.index > then.index and _commute(first, then))


def _is_idle(first: Atom, then: Atom) -> bool:
    """Say whether the arguments of two atoms are such that one of them does nothing."""
    one, other = first.family.label, then.family.label
    letter, letters = set(first.argument[:1]), set(first.argument)
    if other == "vowels" and one in ("replace_", "remove_", "insert_", "toggle_"):
        return not (letters if one == "replace_" else letter) & _VOWELS
    if other == "rmvow" and one in ("insert_", "toggle_"):
        return letter <= _VOWELS
    if one in ("insert_", "toggle_") and other == "remove_":
        return letter == set(then.argument)
    if one in ("mod", "sqmod") and other in ("digitsum", "revdigits"):
        return first.argument[0] <= _TEN
    if one == "lmul" and other == "keepeven":
        return first.argument[0] % 2 == 0
    gone = {"rmvow": _VOWELS, "remove_": letter, "replace_": letter}
    return other in ("replace_", "remove_", "index_") and then.argument[0] in gone.get(one, set())


def _commute(first: Atom, then: Atom) -> bool:
    one, other = first.family.traits, then.family.traits
    return first.family.types == then.family.types and any(
        (a in one and b in other) or (b in one and a in other) for a, b in _COMMUTE
    )


class Walks(NamedTuple):
    """How to draw chains as walks over m atoms.

    Attributes:
        allowed: which atom may follow which, bool (m, m).
        steps: uint32 (s, m, m): the row of the last atom holds the cumulated probabilities of the
            next one, in units of 2^-32; row 0 of a first step holds those of the first atom. Step
            t of a walk of k atoms is at k (k - 1) / 2 + t.
        reached: whether an atom can be at a place of a walk, bool (m, places).
    """

    allowed: Truths
    steps: NDArray[np.uint32]
    reached: Truths


class Shape(NamedTuple):
    """Which walks a source has.

    Attributes:
        lengths: fewest and most atoms.
        input_types, output_types: names of types, none for all.
        balanced: make all pairs about equally frequent; otherwise all next atoms.
        normal_form: leave out redundant pairs.
    """

    lengths: tuple[int, int]
    input_types: tuple[str, ...]
    output_types: tuple[str, ...]
    balanced: bool
    normal_form: bool


_ROUNDS = 150
_LARGEST_STEP = 4.0
_FULL = 2.0**32


@lru_cache(maxsize=64)
def walks_of(atoms: tuple[Atom, ...], shape: Shape) -> Walks:
    """Return the tables for walks of all lengths.

    A walk has a probability in proportion to the product of its pairs' weights, so it can be drawn
    atom by atom. The weights are scaled repeatedly by the root of what a pair lacks, towards walks
    of maximal entropy whose pairs are equally frequent. That is exact for two atoms; longer walks
    pass through atoms of many pairs into few, and come near it. All sums run along the first axis,
    row by row, so that the tables are the same on every machine.

    Raises:
        ParamError: if there are no walks of some length.
    """
    m, (shortest, longest) = len(atoms), shape.lengths
    follows = [[_may_follow(a, b, normal_form=shape.normal_form) for b in atoms] for a in atoms]
    allowed = np.array(follows, bool).reshape(m, m)
    starts, ends = (
        np.array([not names or TYPES[atom.family.types[end]] in names for atom in atoms], bool)
        for end, names in enumerate((shape.input_types, shape.output_types))
    )
    steps = np.zeros((longest * (longest + 1) // 2, m, m), np.uint32)
    reached = np.zeros((m, longest), bool)
    for length in range(shortest, longest + 1):
        weights = allowed.astype(np.float64)
        futures = _futures(weights, ends, length)
        if not (starts * futures[0]).any():
            raise ParamError("max_atoms", longest, f"chains of {length} of these atoms and types")
        if shape.balanced and length > 1:
            weights = _scaled(weights, starts, ends, length)
            futures = _futures(weights, ends, length)
        elif not shape.balanced:
            futures = [(future > 0).astype(np.float64) for future in futures]
        base = length * (length - 1) // 2
        steps[base, 0] = _cumulated(starts * futures[0])
        present: Truths = starts & np.greater(futures[0], 0)
        reached[:, 0] |= present
        for t in range(1, length):
            chances = weights * futures[t]
            present = np.asarray((chances[present] > 0).any(axis=0))
            reached[:, t] |= present
            for row in range(m):
                steps[base + t, row] = _cumulated(chances[row])
    return Walks(allowed, steps, reached)


def _may_follow(first: Atom, then: Atom, *, normal_form: bool) -> bool:
    if first.family.types[1] != then.family.types[0]:
        return False
    return not (normal_form and is_redundant(first, then))


def _futures(weights: Floats, ends: Truths, length: int) -> list[Floats]:
    """Return for each place the weight of all walks from each atom there to the end."""
    turned = np.ascontiguousarray(weights.T)
    futures = [ends.astype(np.float64)]
    for _ in range(length - 1):
        future: Floats = (turned * futures[-1][:, None]).sum(axis=0)
        futures.append(future / max(float(future.max()), 1e-300))
    return futures[::-1]


def _scaled(weights: Floats, starts: Truths, ends: Truths, length: int) -> Floats:
    """Scale weights towards equal shares of all pairs that some walk has."""
    for _ in range(_ROUNDS):
        futures = _futures(weights, ends, length)
        past = starts.astype(np.float64)
        shares = np.zeros_like(weights)
        for t in range(1, length):
            flow = past[:, None] * weights * futures[t]
            total = float(np.cumsum(flow.sum(axis=0))[-1])
            shares += flow / total
            past = (past[:, None] * weights).sum(axis=0)
            past /= float(past.max())
        used = shares > 0
        fair = (length - 1) / int(used.sum())
        factor = np.sqrt(fair / np.where(used, shares, fair))
        weights = weights * np.clip(factor, 1 / _LARGEST_STEP, _LARGEST_STEP)
        weights /= float(weights.max())
    return weights


def _cumulated(chances: Floats) -> NDArray[np.uint32]:
    """Return cumulated chances in units of 2^-32; the last possible one is the largest number."""
    sums = np.cumsum(chances)
    if sums[-1] <= 0:
        return np.zeros(len(chances), np.uint32)
    marks = np.minimum(np.rint(sums / sums[-1] * _FULL), _FULL - 1)
    marks[int(np.flatnonzero(chances)[-1]) :] = _FULL - 1
    whole: NDArray[np.uint32] = marks.astype(np.uint32)
    return whole


class Held(NamedTuple):
    """What is held out: pairs and orders (m, m), atoms (m,), atoms at places (m, places)."""

    pairs: Truths
    orders: Truths
    atoms: Truths
    cells: Truths


_Place = tuple[int, ...]
"""Index into the marks of what is held out."""


class _Options(NamedTuple):
    """What can be held out.

    Attributes:
        places: of each by its name.
        groups: returns groups that a place is in; a choice by the key leaves one of each.
        fits: says whether a place can be held out besides others.
        taken: places that the key never chooses.
        expected: what a name must be.
    """

    places: Mapping[str, _Place]
    groups: Callable[[_Place], tuple[Hashable, ...]]
    fits: Callable[[_Place, set[_Place]], bool]
    taken: set[_Place]
    expected: str


def held_out(atoms: Sequence[Atom], walks: Walks, choices: Sequence[Choice], key: int) -> Held:
    """Choose what is held out; the choices are in the order of `Held`.

    By the key, each atom keeps a pair with a next and one with a previous atom, and one place in
    the chain, and each two types keep an atom.

    Raises:
        ParamError: for a name that the source lacks, or more than can be held out.
    """
    labels, allowed = [atom.label for atom in atoms], walks.allowed
    pairs = {f"{labels[i]}>{labels[j]}": (i, j) for i, j in np.argwhere(allowed).tolist()}
    cells = {f"{labels[i]}@{k + 1}": (i, k) for i, k in np.argwhere(walks.reached).tolist()}
    singles = {label: (i,) for i, label in enumerate(labels)}

    def is_order(place: _Place, held: set[_Place]) -> bool:
        turned = place[::-1]
        return place != turned and bool(allowed[turned]) and turned not in held

    def both(place: _Place) -> tuple[Hashable, ...]:
        return ("first", place[0]), ("second", place[1])

    def free(place: _Place, held: set[_Place]) -> bool:
        return place not in held

    options = _Options(pairs, both, free, set(), "two atoms that may follow each other: one>other")
    held = _chosen("held_out_pairs", choices[0], options, key)
    expected = "two atoms that may follow each other in both orders: one>other"
    options = _Options(pairs, both, is_order, held, expected)
    orders = _chosen("held_out_orders", choices[1], options, key)
    options = _Options(singles, lambda i: (atoms[i[0]].family.types,), free, set(), "an atom")
    lone = _chosen("held_out_atoms", choices[2], options, key)
    options = _Options(cells, lambda cell: cell[:1], free, set(), "an atom and a place: atom@2")
    placed = _chosen("held_out_cells", choices[3], options, key)
    return Held(
        *(_marks(allowed.shape, held), _marks(allowed.shape, orders)),
        *(_marks((len(atoms),), lone), _marks(walks.reached.shape, placed)),
    )


def _chosen(param: str, choice: Choice, options: _Options, key: int) -> set[_Place]:
    """Return the places that are named, or the number asked for, chosen by the key."""
    held: set[_Place] = set()
    if isinstance(choice, tuple):
        for text in choice:
            named = options.places.get(text)
            if named is None or not options.fits(named, held):
                raise ParamError(param, text, f"{options.expected}, of this source")
            held.add(named)
        return held
    left = Counter(group for place in options.places.values() for group in options.groups(place))
    for text in sorted(options.places, key=lambda text: _digest(text, key)):
        place = options.places[text]
        groups = options.groups(place)
        spare = place not in options.taken and min(left[group] for group in groups) > 1
        if len(held) < choice and spare and options.fits(place, held):
            held.add(place)
            left.subtract(groups)
    if len(held) < choice:
        raise ParamError(param, choice, f"at most {len(held)} with these atoms")
    return held


def _digest(text: str, key: int) -> str:
    """Return a hash that orders texts as if at random, by the key."""
    encoded = f"{key}\x1f{text}".encode()
    return hashlib.blake2b(encoded, digest_size=16, person=b"synthgen-chain").hexdigest()


def _marks(shape: tuple[int, ...], places: set[_Place]) -> Truths:
    marks = np.zeros(shape, bool)
    for place in places:
        marks[place] = True
    return marks
