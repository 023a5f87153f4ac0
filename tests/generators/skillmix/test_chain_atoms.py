"""Atoms of the skill chains: the sheet's vectors by hand, the catalogue, and the normal form."""

from __future__ import annotations

from itertools import product
from string import ascii_lowercase

import numpy as np
import pytest

from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.core.randomness import RowDraws
from synthgen.generators.skillmix._chain_catalog import (
    FAMILIES,
    USUAL,
    Atom,
    catalogue,
    chosen_atoms,
)
from synthgen.generators.skillmix._chain_family import LIST, NUMBER, STRING, WORDS
from synthgen.generators.skillmix._chain_names import MOST_KEY, opaque_name
from synthgen.generators.skillmix._chain_opcodes import ROOM
from synthgen.generators.skillmix._chain_ops import apply
from synthgen.generators.skillmix._chain_pairs import commutes, is_redundant

Plain = str | int | list[int] | tuple[str, ...]
BOUNDS = (100, 10**9)
ON_COMPOSE = {
    "rev": "esopmoc",
    "rotl2": "mposeco",
    "rotr3": "osecomp",
    "caesar5": "htrutxj",
    "atbash": "xlnklhv",
    "sort": "cemoops",
    "dedup": "compse",
    "rmvow": "cmps",
    "dbl": "ccoommppoossee",
    "evens": "cmoe",
    "odds": "ops",
    "swap": "ocpmsoe",
    "halves": "osecomp",
    "riffle": "coosmep",
    "mirror": "composeesopmoc",
    "drop2": "mpose",
    "vowrot": "cumpusi",
    "take3": "com",
    "half": "comp",
    "replace_ox": "cxmpxse",
    "remove_o": "cmpse",
    "insert_z2": "cozmpose",
    "toggle_m": "copose",
    "toggle_z": "composez",
    "length": 7,
    "vowels": 3,
    "distinct": 6,
    "alphasum": 3 + 15 + 13 + 16 + 15 + 19 + 5,
    "index_o": 2,
    "index_z": 0,
    "codes": [3, 15, 13, 16, 15, 19, 5],
}
ON_LISTS: list[tuple[str, list[int], Plain]] = [
    ("letters", [1, 26, 27, 0, -1, 53], "azazya"),
    ("lrev", [3, 1, 4], [4, 1, 3]),
    ("lsort", [3, 1, 4, 1], [1, 1, 3, 4]),
    ("lsortdesc", [3, 1, 4, 1], [4, 3, 1, 1]),
    ("ladd3", [3, -1], [6, 2]),
    ("lmul2", [3, -1], [6, -2]),
    ("lmod7", [15, -1, 7], [1, 6, 0]),
    ("prefix", [3, 1, 4], [3, 4, 8]),
    ("diffs", [3, 1, 4], [-2, 3]),
    ("unique", [3, 1, 3, 4, 1], [3, 1, 4]),
    ("keepeven", [3, 0, -2, 5, 4], [0, -2, 4]),
    ("keepgt5", [5, 6, 1, 9], [6, 9]),
    ("lrot2", [3, 1, 4, 1], [4, 1, 3, 1]),
    ("lrot5", [3, 1, 4], [4, 3, 1]),
    ("ltake2", [3, 1, 4], [3, 1]),
    ("ldrop2", [3, 1, 4], [4]),
    ("pairsums", [3, 1, 4, 1, 5], [4, 5, 5]),
    ("sum", [3, 1, 4], 8),
    ("max", [3, 1, 4], 4),
    ("min", [3, 1, 4], 1),
    ("count", [3, 1, 4], 3),
    ("range", [3, 1, 4], 3),
    ("median", [3, 1, 4, 9], 3),
    ("median", [3, 1, 4], 3),
    ("argmax", [3, 9, 4, 9], 2),
]
ON_NUMBERS: list[tuple[str, int, Plain]] = [
    ("add7", 5, 12),
    ("mul3", 5, 15),
    ("mod5", 13, 3),
    ("mod5", -1, 4),
    ("digitsum", 908, 17),
    ("revdigits", 120, 21),
    ("collatz", 7, 22),
    ("collatz", 22, 11),
    ("sqmod97", 10, 3),
    ("gcd12", 18, 6),
    ("gcd12", 0, 12),
    ("digits", 907, [9, 0, 7]),
    ("digits", 0, [0]),
    ("divisors", 36, [1, 2, 3, 4, 6, 9, 12, 18, 36]),
    ("primes", 360, [2, 2, 2, 3, 3, 5]),
    ("primes", 9973, [9973]),
]
ON_WORDS: list[tuple[str, tuple[str, ...], Plain]] = [
    ("acronym", ("pear", "fig", "plum"), "pfp"),
    ("lasts", ("pear", "fig", "plum"), "rgm"),
    ("wrev", ("pear", "fig", "plum"), ("plum", "fig", "pear")),
    ("wsort", ("pear", "fig", "plum", "figs"), ("fig", "figs", "pear", "plum")),
    ("wdedup", ("fig", "figs", "fig", "pear"), ("fig", "figs", "pear")),
    ("wlonger3", ("pear", "fig", "plum"), ("pear", "plum")),
]
REFUSED: list[tuple[str, Plain]] = [
    ("rmvow", "aei"),
    ("odds", "a"),
    ("drop9", "compose"),
    ("diffs", [3]),
    ("keepgt5", [1]),
    ("digits", -1),
    ("collatz", 0),
    ("divisors", 0),
    ("divisors", 10_001),
    ("primes", 1),
    ("mul12", 10**8),
    ("wlonger9", ("pear",)),
]


def packed(value: Plain) -> list[int]:
    if isinstance(value, str):
        return [ord(letter) - 96 for letter in value]
    if isinstance(value, int):
        return [value]
    if isinstance(value, tuple):
        return [code for word in value for code in (*packed(word), 0)]
    return value


def unpacked(codes: list[int], kind: int) -> Plain:
    if kind == LIST:
        return codes
    if kind == NUMBER:
        return codes[0]
    text = "".join(" " if code == 0 else chr(96 + code) for code in codes)
    return text if kind == STRING else tuple(text.split())


def result(atom: Atom, value: Plain) -> Plain | None:
    codes = packed(value)
    source, out = np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int64)
    source[: len(codes)] = codes
    n = apply(atom.family.op, atom.first, atom.second, source, len(codes), out, BOUNDS)
    return None if n < 0 else unpacked(out[:n].tolist(), atom.types[1])


@pytest.mark.parametrize(
    ("label", "value", "expected"),
    [
        *((label, "compose", made) for label, made in ON_COMPOSE.items()),
        *(*ON_LISTS, *ON_NUMBERS, *ON_WORDS),
    ],
)
def test_worked_examples(label: str, value: Plain, expected: Plain) -> None:
    assert result(catalogue()[label], value) == expected


@pytest.mark.parametrize(("label", "value"), REFUSED)
def test_what_has_no_result_is_refused(label: str, value: Plain) -> None:
    assert result(catalogue()[label], value) is None


def test_every_family_is_worked_by_hand() -> None:
    worked = {*ON_COMPOSE, *(label for label, *_ in ON_LISTS + ON_NUMBERS + ON_WORDS)}  # type: ignore[operator]
    assert {catalogue()[label].family for label in worked} == set(FAMILIES)


def test_the_catalogue_is_fixed() -> None:
    atoms = list(catalogue().values())
    assert len(atoms) == 1_670
    assert [atom.index for atom in atoms] == list(range(len(atoms)))
    places = {"rev": 0, "rotl1": 1, "caesar25": 43, "wlonger9": 1_669}
    assert {label: catalogue()[label].index for label in places} == places
    for texts in ([atom.name for atom in atoms], [atom.definition for atom in atoms]):
        assert len(set(texts)) == len(texts)
        assert not any(char in text for text in texts for char in "{}:|()`")


def test_usual_atoms_have_every_family() -> None:
    assert {atom.family for atom in chosen_atoms(())} == set(FAMILIES)
    assert [atom.label for atom in chosen_atoms(("rev", "string-list"))] == ["rev", "codes"]


@pytest.mark.parametrize("names", [("rev", "rev"), ("rev", 3), "rev", ("string-list", "codes")])
def test_choices_that_are_none(names: object) -> None:
    with pytest.raises(ParamError):
        chosen_atoms(names)  # type: ignore[arg-type]


def test_unknown_atoms_are_named() -> None:
    with pytest.raises(UnknownNameError, match="rotl10"):
        chosen_atoms(("rotl10",))


def test_opaque_names_are_different_for_all_atoms_and_keys() -> None:
    atoms = list(catalogue().values())
    names = [opaque_name(atom, key) for key in (0, 1, 2, MOST_KEY) for atom in atoms]
    assert len(set(names)) == len(names)
    assert all(len(name) == 9 and set(name[5:]) <= set(ascii_lowercase) for name in names)
    assert opaque_name(catalogue()["rev"], 0) == "func_acwn"


def some_values(kind: int, n: int) -> list[Plain]:
    draws = RowDraws(kind)
    found: list[Plain] = []
    for _ in range(n):
        length = draws.integer(5, 9)
        word = "".join(draws.choice("aeioutsbcz") for _ in range(length))
        if kind == STRING:
            found.append(word)
        elif kind == LIST:
            found.append([draws.integer(0, 30) for _ in range(length)])
        elif kind == NUMBER:
            found.append(draws.integer(1, 1000))
        else:
            found.append((word[:3], word[3:], word[1:], word[:3], word[:5]))
    return found


@pytest.mark.parametrize("kind", [STRING, LIST, NUMBER, WORDS])
def test_pairs_that_commute_do(kind: int) -> None:
    atoms = [a for a in chosen_atoms(()) if a.types == (kind, kind)]
    pairs = [(f, g) for f, g in product(atoms, atoms) if f != g and commutes(f, g)]
    assert pairs or kind == NUMBER
    for f, g in pairs:
        assert is_redundant(f, g) or is_redundant(g, f), (f.label, g.label)
        for value in some_values(kind, 12):
            one, other = result(f, value), result(g, value)
            if one is not None and other is not None:
                assert result(g, one) == result(f, other), (f.label, g.label)


def explained(f: Atom, g: Atom, value: Plain) -> bool:
    """Say whether f, then g is the same as something shorter, or as another order, or nothing."""
    inner = result(f, value)
    made = None if inner is None else result(g, inner)
    if made is None or made in (value, inner):
        return True
    simple = [a for a in catalogue().values() if a.family.takes <= 1]
    if any(a.types == (f.types[0], g.types[1]) and result(a, value) == made for a in simple):
        return True
    turned = result(g, value) if f.types == g.types else None
    if turned is not None and result(f, turned) == made:
        return True
    if made in (0, 1):  # nothing is left to count, or 1 divides everything
        return True
    others = [a for a in chosen_atoms(()) if a.types == f.types and a != f]
    swapped = [result(a, value) for a in others if f.types[0] != f.types[1]]
    if any(middle is not None and result(g, middle) == made for middle in swapped):
        return True
    twins = [a for a in chosen_atoms(()) if a.types == (f.types[0],) * 2]
    conversions = [a for a in chosen_atoms(()) if a.types == (f.types[0], g.types[1])]
    backwards = [a for a in chosen_atoms(()) if a.types == (g.types[1],) * 2]
    ways = [*product(twins, conversions), *product(conversions, backwards)]
    for first, then in ways:
        middle = result(first, value)
        if middle is not None and result(then, middle) == made:
            return True
    return False


def test_pairs_that_are_left_out_are_redundant() -> None:
    atoms = chosen_atoms(())
    pairs = [(f, g) for f, g in product(atoms, atoms) if f.types[1] == g.types[0]]
    left_out = [(f, g) for f, g in pairs if is_redundant(f, g)]
    assert 250 < len(left_out) < len(pairs) / 3
    for f, g in left_out:
        values = some_values(f.types[0], 4)
        assert sum(explained(f, g, value) for value in values) >= 3, (f.label, g.label)


def test_the_sheets_normal_form() -> None:
    known = catalogue()
    for one, other in (
        *(("rotl2", "rotr2"), ("rotr3", "rotl2"), ("caesar5", "caesar21"), ("caesar3", "caesar4")),
        *((label, label) for label in ("rev", "atbash", "swap", "sort", "dedup", "rmvow", "mod5")),
        *(("rev", "sort"), ("rotl2", "sort"), ("riffle", "sort"), ("halves", "sort")),
    ):
        assert is_redundant(known[one], known[other]), (one, other)
    for place, letter in product(
        ("rev", "rotl2", "swap", "halves", "riffle"), ("caesar5", "atbash")
    ):
        orders = [(known[place], known[letter]), (known[letter], known[place])]
        assert sum(is_redundant(*order) for order in orders) == 1
    assert not is_redundant(known["rev"], known["rotl2"])
    assert not is_redundant(known["dedup"], known["rmvow"]) or not is_redundant(
        known["rmvow"], known["dedup"]
    )
    assert len(USUAL) == 69
