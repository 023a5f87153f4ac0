"""The normal form of chains: which atoms may stand behind each other.

A pair is left out if one atom undoes, repeats or swallows the other, if both are one atom, or if
both orders are the same and the other one is the canonical order, that of the catalogue. Only
neighbours are looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from synthgen.generators.skillmix._chain_catalog import Atom

_SWALLOWS: dict[str, tuple[str, ...]] = {
    "sort": ("arrange",),
    "lsortdesc": ("arrange",),
    "wsort": ("arrange",),
    "dedup": ("doubling",),
    "rmvow": ("vowrot",),
    "vowrot": ("rmvow",),
    "length": ("even", "acronym", "lasts"),
    "index_": ("mirror",),
    "vowels": ("arrange", "vowrot", "rmvow"),
    "distinct": ("arrange", "inj", "dedup", "doubling"),
    "alphasum": ("arrange",),
    "sum": ("arrange", "pairsums", "digits", "codes"),
    "max": ("arrange", "unique", "keepgt", "divisors"),
    "min": ("arrange", "unique", "divisors"),
    "count": ("even", "codes"),
    "range": ("arrange", "unique", "ladd"),
    "median": ("arrange",),
    "argmax": ("ladd", "lmul"),
    "digitsum": ("revdigits", "vowels"),
    "revdigits": ("vowels",),
    "evens": ("dbl",),
    "odds": ("dbl",),
    "swap": ("dbl",),
    "half": ("mirror", "take"),
    "take": ("half",),
    "rev": ("mirror", "acronym", "lasts"),
    "lrev": ("lsort", "lsortdesc", "codes"),
    "lsort": ("arrange", "divisors", "primes", "prefix"),
    "letters": ("codes", "lrev", "lrot", "ltake", "ldrop"),
    "lrot": ("codes",),
    "ltake": ("codes",),
    "ldrop": ("codes",),
    "unique": ("codes", "divisors"),
    "diffs": ("prefix", "ladd"),
}
"""For each family, families and traits before it that make no difference or have a shorter name."""
_TEN = 10
_VOWELS = {1, 5, 9, 15, 21}
_COMMUTE = (
    ("map", "place"),
    ("inj", "unique"),
    ("mono", "sorting"),
    ("filter", "reversal"),
    ("filter", "sorting"),
    ("filter", "unique"),
    ("filter", "filter"),
    ("sorting", "unique"),
    ("reversal", "twice"),
    ("doubling", "doubling"),
)


def is_redundant(first: Atom, then: Atom) -> bool:
    """Say whether the normal form has no `then` right behind `first`."""
    one, other = first.family, then.family
    marks = {one.label, *one.traits}
    if marks.intersection(_SWALLOWS.get(other.label, ())):
        return True
    if {mark for mark in one.traits if mark.startswith("merge:")} & set(other.traits):
        return True
    if first == then:
        return "undo" in one.traits or "again" in one.traits
    if _is_idle(first, then):
        return True
    return first.index > then.index and commutes(first, then)


def _is_idle(first: Atom, then: Atom) -> bool:
    """Say whether the arguments of two atoms are such that one of them does nothing."""
    one, other = first.family.label, then.family.label
    touched = {first.first, first.second} if one == "replace_" else {first.first}
    if other == "vowels" and one in ("replace_", "remove_", "insert_", "toggle_"):
        return not touched & _VOWELS
    if other == "rmvow" and one in ("insert_", "toggle_"):
        return first.first in _VOWELS
    if one in ("insert_", "toggle_") and other == "remove_":
        return first.first == then.first
    if one in ("mod", "sqmod") and other in ("digitsum", "revdigits"):
        return first.first <= _TEN
    if one == "lmul" and other == "keepeven":
        return first.first % 2 == 0
    gone = {"rmvow": _VOWELS, "remove_": touched, "replace_": {first.first}}
    return other in ("replace_", "remove_", "index_") and then.first in gone.get(one, set())


def commutes(first: Atom, then: Atom) -> bool:
    """Say whether two atoms of the same type are known to give the same in either order."""
    if first.types != then.types:
        return False
    one, other = first.family.traits, then.family.traits
    return any((a in one and b in other) or (b in one and a in other) for a, b in _COMMUTE)


def allowed_pairs(atoms: Sequence[Atom], *, normal_form: bool) -> NDArray[np.bool_]:
    """Say for any two atoms whether the second may stand right behind the first, bool (m, m)."""
    return np.array(
        [
            [
                first.types[1] == then.types[0] and not (normal_form and is_redundant(first, then))
                for then in atoms
            ]
            for first in atoms
        ],
        bool,
    ).reshape(len(atoms), len(atoms))
