"""Tables of a source: its atoms, allowed pairs of neighbors, walks, and held-out options."""

from __future__ import annotations

import hashlib
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import RowDraws
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.families.skill_chain.words import BY_LABEL, TYPES, Atom

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
"""Default atoms of a source."""
_MAX_ATOMS = 200
_COMMUTE = (
    *(("map", "place"), ("inj", "unique"), ("mono", "sorting"), ("filter", "reversal")),
    *(("filter", "sorting"), ("filter", "unique"), ("filter", "filter"), ("sorting", "unique")),
    *(("reversal", "twice"), ("doubling", "doubling")),
)
"""Pairs of traits whose atoms commute."""
_VOWELS = {1, 5, 9, 15, 21}
_TEN = 10


@lru_cache
def chosen_atoms(names: tuple[str, ...]) -> tuple[Atom, ...]:
    """Return the atoms that a param names, in the order of the catalogue.

    Args:
        names: Labels, or types such as `string-number` for the usual atoms of these types; none
            for all usual ones.

    Raises:
        ParamError: For repeated or too many atoms.
        UnknownNameError: For any other name.
    """
    groups: dict[str, list[Atom]] = {}
    for label in USUAL:
        atom = BY_LABEL[label]
        groups.setdefault("-".join(TYPES[kind] for kind in atom.family.types), []).append(atom)
    chosen = [] if names else [BY_LABEL[label] for label in USUAL]
    for name in names:
        if name not in BY_LABEL and name not in groups:
            raise UnknownNameError("atom", name, [*sorted(groups), *BY_LABEL])
        chosen += [BY_LABEL[name]] if name in BY_LABEL else groups[name]
    if len(set(chosen)) != len(chosen) or len(chosen) > _MAX_ATOMS:
        raise ParamError("atoms", names, f"different atoms, at most {_MAX_ATOMS}")
    return tuple(sorted(chosen, key=lambda atom: atom.index))


def is_redundant(first: Atom, then: Atom) -> bool:
    """Return whether the normal form lacks `then` right after `first`.

    It lacks a pair if one atom undoes, repeats or absorbs the other, if both together equal one
    atom, or if they commute and the catalogue has them in the other order.
    """
    a, b = first.family, then.family
    if b.absorbs & {a.label, *a.traits}:
        return True
    if any(trait.startswith("merge:") for trait in a.traits & b.traits):
        return True
    if first == then:
        return bool(a.traits & {"undo", "again"})
    return _is_idle(first, then) or (first.index > then.index and _commute(first, then))


def _is_idle(first: Atom, then: Atom) -> bool:
    """Return whether one of two atoms has no effect because of their arguments."""
    a, b = first.family.label, then.family.label
    letter, letters = set(first.argument[:1]), set(first.argument)
    if b == "vowels" and a in ("replace_", "remove_", "insert_", "toggle_"):
        return not (letters if a == "replace_" else letter) & _VOWELS
    if b == "rmvow" and a in ("insert_", "toggle_"):
        return letter <= _VOWELS
    if a in ("insert_", "toggle_") and b == "remove_":
        return letter == set(then.argument)
    if a in ("mod", "sqmod") and b in ("digitsum", "revdigits"):
        return first.argument[0] <= _TEN
    if a == "lmul" and b == "keepeven":
        return first.argument[0] % 2 == 0
    gone = {"rmvow": _VOWELS, "remove_": letter, "replace_": letter}
    return b in ("replace_", "remove_", "index_") and then.argument[0] in gone.get(a, set())


def _commute(first: Atom, then: Atom) -> bool:
    traits, others = first.family.traits, then.family.traits
    return first.family.types == then.family.types and any(
        (a in traits and b in others) or (b in traits and a in others) for a, b in _COMMUTE
    )


class Walks(NamedTuple):
    """Tables for drawing chains as walks over m atoms.

    Attributes:
        allowed: Whether an atom may follow another, bool (m, m).
        reached: Whether an atom can be at a place of a walk, bool (m, places).
        steps: Cumulative probabilities of the atom at each place of a walk, by the walk's length
            and the atom before it, float (places, m, m); every row of the first place is the same.
    """

    allowed: Truths
    reached: Truths
    steps: Mapping[int, Floats]

    def draw(self, length: int, draws: RowDraws) -> list[int]:
        """Draw a walk of some length."""
        chain = []
        atom = 0
        for step in self.steps[length]:
            atom = bisect(step[atom], draws.uniform())
            chain.append(atom)
        return chain


_ROUNDS = 150
_MAX_STEP = 4.0
_TINY = 1e-300


@lru_cache(maxsize=64)
def walks_of(
    atoms: tuple[Atom, ...],
    lengths: tuple[int, int],
    types: tuple[tuple[str, ...], tuple[str, ...]],
    *,
    balanced: bool,
    normal_form: bool,
) -> Walks:
    """Return the tables for walks of all lengths.

    A walk has a probability in proportion to the product of its pairs' weights, so it can be drawn
    atom by atom. The weights are scaled repeatedly by the root of (fair share / share) of each
    pair, towards walks of maximal entropy whose pairs are equally frequent. That is exact for two
    atoms; longer walks only come near it, since some atoms have many pairs before and few after
    them. All sums run along the first axis, row by row, so that the tables are the same on every
    machine.

    Args:
        atoms: Atoms of the source.
        lengths: Fewest and most atoms.
        types: Types of inputs and of answers; none means all.
        balanced: Whether all pairs are about equally frequent; otherwise all next atoms are.
        normal_form: Whether redundant pairs are left out.

    Raises:
        ParamError: If there are no walks of some length.
    """
    m, (shortest, longest) = len(atoms), lengths
    follows = [
        a.family.types[1] == b.family.types[0] and not (normal_form and is_redundant(a, b))
        for a in atoms
        for b in atoms
    ]
    allowed = np.array(follows, bool).reshape(m, m)
    starts, ends = (
        np.array([not names or TYPES[atom.family.types[end]] in names for atom in atoms], bool)
        for end, names in enumerate(types)
    )
    reached, steps = np.zeros((m, longest), bool), {}
    for length in range(shortest, longest + 1):
        weights = allowed.astype(np.float64)
        futures = _futures(weights, ends, length)
        if not (starts * futures[0]).any():
            raise ParamError("max_atoms", longest, f"chains of {length} of these atoms and types")
        if balanced and length > 1:
            weights = _scaled(weights, starts, ends, length)
            futures = _futures(weights, ends, length)
        elif not balanced:
            futures = [(future > 0).astype(np.float64) for future in futures]
        chances = np.stack([weights * future for future in futures])
        chances[0] = starts * futures[0]
        present: Truths = chances[0, 0] > 0
        reached[:, 0] |= present
        for place in range(1, length):
            present = (chances[place][present] > 0).any(axis=0)
            reached[:, place] |= present
        sums = np.cumsum(chances, axis=2)
        steps[length] = sums / np.maximum(sums[:, :, -1:], _TINY)
    return Walks(allowed, reached, steps)


def _futures(weights: Floats, ends: Truths, length: int) -> list[Floats]:
    """Return for each place the weight of all walks from each atom there to the end."""
    turned = np.ascontiguousarray(weights.T)
    futures = [ends.astype(np.float64)]
    for _ in range(length - 1):
        future: Floats = (turned * futures[-1][:, None]).sum(axis=0)
        futures.append(future / max(float(future.max()), _TINY))
    return futures[::-1]


def _scaled(weights: Floats, starts: Truths, ends: Truths, length: int) -> Floats:
    """Scale weights towards equal shares of all pairs that some walk has."""
    for _ in range(_ROUNDS):
        futures = _futures(weights, ends, length)
        past = starts.astype(np.float64)
        shares = np.zeros_like(weights)
        for t in range(1, length):
            flow = past[:, None] * weights * futures[t]
            total = float(np.cumsum(flow.sum(axis=0))[-1])  # cumsum adds in a fixed order
            shares += flow / total
            past = (past[:, None] * weights).sum(axis=0)
            past /= float(past.max())
        used = shares > 0
        fair = (length - 1) / int(used.sum())
        factor = np.sqrt(fair / np.where(used, shares, fair))
        weights = weights * np.clip(factor, 1 / _MAX_STEP, _MAX_STEP)
        weights /= float(weights.max())
    return weights


_Option = tuple[int, ...]
"""Indices into the atoms of a source, or an atom and its place."""


class Held(NamedTuple):
    """Held-out pairs of neighbors, ordered pairs, atoms, and atoms at a place."""

    pairs: set[_Option]
    orders: set[_Option]
    atoms: set[_Option]
    cells: set[_Option]


def held_out(
    atoms: Sequence[Atom], walks: Walks, counts: tuple[int, int, int, int], key: int
) -> Held:
    """Choose held-out options by the key, with the numbers `counts` in the order of `Held`.

    Training keeps, for each atom, a pair with a next and one with a previous atom and one place in
    the chain, and for each two types an atom.

    Raises:
        ParamError: If a number is more than can be held out.
    """
    labels = [atom.label for atom in atoms]
    pairs = {f"{labels[i]}>{labels[j]}": (i, j) for i, j in np.argwhere(walks.allowed).tolist()}
    cells = {f"{labels[i]}@{k + 1}": (i, k) for i, k in np.argwhere(walks.reached).tolist()}

    def ends(pair: _Option) -> tuple[Hashable, ...]:
        return ("first", pair[0]), ("second", pair[1])

    held = _chosen("held_out_pairs", counts[0], pairs, key, ends)
    pairs = {name: pair for name, pair in pairs.items() if pair not in held}
    left = set(pairs.values())

    def is_order(pair: _Option, chosen: set[_Option]) -> bool:
        turned = pair[::-1]
        return turned != pair and turned in left and turned not in chosen

    def types(atom: _Option) -> tuple[Hashable, ...]:
        return (atoms[atom[0]].family.types,)

    singles = {label: (place,) for place, label in enumerate(labels)}
    return Held(
        held,
        _chosen("held_out_orders", counts[1], pairs, key, ends, is_order),
        _chosen("held_out_atoms", counts[2], singles, key, types),
        _chosen("held_out_cells", counts[3], cells, key, lambda cell: cell[:1]),
    )


def _chosen(
    param: str,
    count: int,
    options: Mapping[str, _Option],
    key: int,
    groups: Callable[[_Option], tuple[Hashable, ...]],
    fits: Callable[[_Option, set[_Option]], bool] = lambda *_: True,
) -> set[_Option]:
    """Return `count` options, the first in an order that depends on the key.

    Args:
        param: Name of the param that states the count.
        count: Number of options to choose.
        options: Options by name.
        key: Key of the choice.
        groups: Function that returns the groups of an option; one option of each is never chosen.
        fits: Function that returns whether an option can be held out together with others.
    """
    chosen: set[_Option] = set()
    left = Counter(group for option in options.values() for group in groups(option))
    for name in sorted(options, key=lambda name: _digest(name, key)) if count else ():
        option = options[name]
        spare = min(left[group] for group in groups(option)) > 1
        if len(chosen) < count and spare and fits(option, chosen):
            chosen.add(option)
            left.subtract(groups(option))
    if len(chosen) < count:
        raise ParamError(param, count, f"at most {len(chosen)} with these atoms")
    return chosen


def _digest(text: str, key: int) -> str:
    """Return a hash that orders texts as if at random, by the key."""
    encoded = f"{key}\x1f{text}".encode()
    return hashlib.blake2b(encoded, digest_size=16, person=b"synthgen-chain").hexdigest()
