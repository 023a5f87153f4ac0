"""Opaque names: `func_` and four letters that stand for an atom under one of 223 tables.

The letters are a number to the base 26. Divided by 2,048 it gives the table's key, and the
remainder is the atom's place in the catalogue, scrambled by the key.
"""

from __future__ import annotations

from string import ascii_lowercase

from synthgen.generators.skillmix._chain_catalog import Atom

PREFIX = "func_"
MOST_KEY = 222
TABLE_SIZE = 2_048
_LETTERS = 4


def opaque_name(atom: Atom, key: int) -> str:
    """Return the name that an atom has under a table, 0 to MOST_KEY."""
    number = key * TABLE_SIZE + _scrambled(atom.index, key)
    letters = ""
    for _ in range(_LETTERS):
        number, letter = divmod(number, len(ascii_lowercase))
        letters = ascii_lowercase[letter] + letters
    return PREFIX + letters


def _scrambled(place: int, key: int) -> int:
    """Permute 0..2047 by odd factors, sums and shifts, all of which can be undone."""
    place = (place * (8 * key + 1_109) + 37 * key + 5) % TABLE_SIZE
    place ^= place >> 6
    place = (place * (4 * key + 1_621) + 91 * key + 3) % TABLE_SIZE
    return place ^ (place >> 5)
