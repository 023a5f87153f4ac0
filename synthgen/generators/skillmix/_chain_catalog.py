"""Atoms: all that families and their arguments give, their words, and choices of some of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from string import ascii_lowercase

from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.generators.skillmix._chain_family import (
    A_LETTER,
    A_NUMBER,
    LETTER_AND_NUMBER,
    NONE,
    TWO_LETTERS,
    TYPES,
    Family,
)
from synthgen.generators.skillmix._chain_lists import LISTS, NUMBERS, ON_WORDS
from synthgen.generators.skillmix._chain_strings import LETTERS, MEASURES

FAMILIES = LETTERS + MEASURES + LISTS + NUMBERS + ON_WORDS
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
MOST_ATOMS = 200
_OFTEN = ("", "once", "twice")


@dataclass(frozen=True, slots=True)
class Atom:
    """A family with its argument.

    Attributes:
        family: which one.
        index: in the catalogue.
        label: bare notation.
        first, second: arguments of the kernel, 0 for none.
    """

    family: Family
    index: int
    label: str
    first: int
    second: int

    @property
    def name(self) -> str:
        """In English."""
        return self.family.name.format_map(self._words())

    @property
    def definition(self) -> str:
        """What it does, as a clause without a subject."""
        return self.family.definition.format_map(self._words())

    @property
    def types(self) -> tuple[int, int]:
        """Of what it takes and gives."""
        return self.family.source, self.family.result

    def _words(self) -> dict[str, object]:
        takes = self.family.takes
        number = self.second if takes == LETTER_AND_NUMBER else self.first
        words: dict[str, object] = {"n": number}
        words |= {f"{noun}s": _counted(number, noun) for noun in ("letter", "number")}
        words["places"] = f"{number} place{'' if number == 1 else 's'}"
        words["times"] = _OFTEN[number] if number < len(_OFTEN) else f"{number} times"
        if takes in (A_LETTER, TWO_LETTERS, LETTER_AND_NUMBER):
            words["x"] = ascii_lowercase[self.first - 1]
        if takes == TWO_LETTERS:
            words["y"] = ascii_lowercase[self.second - 1]
        return words


def _counted(number: int, noun: str) -> str:
    return noun if number == 1 else f"{number} {noun}s"


def _arguments(family: Family) -> Iterator[tuple[str, int, int]]:
    """Yield every argument of a family as text and as numbers."""
    letters = list(enumerate(ascii_lowercase, 1))
    numbers = range(family.least, family.most + 1)
    if family.takes == NONE:
        yield "", 0, 0
    elif family.takes == A_NUMBER:
        yield from ((str(n), n, 0) for n in numbers)
    elif family.takes == A_LETTER:
        yield from ((x, code, 0) for code, x in letters)
    elif family.takes == TWO_LETTERS:
        yield from ((x + y, one, two) for one, x in letters for two, y in letters if x != y)
    else:
        yield from ((f"{x}{n}", code, n) for code, x in letters for n in numbers)


@cache
def catalogue() -> dict[str, Atom]:
    """Return every atom there is by its label, in an order that never changes."""
    found: dict[str, Atom] = {}
    for family in FAMILIES:
        for text, first, second in _arguments(family):
            label = family.label + text
            found[label] = Atom(family, len(found), label, first, second)
    return found


def signature_name(atom: Atom) -> str:
    """Return the types of an atom: `string-number`, for instance."""
    return f"{TYPES[atom.types[0]]}-{TYPES[atom.types[1]]}"


@cache
def chosen_atoms(names: tuple[str, ...]) -> tuple[Atom, ...]:
    """Return the atoms that a parameter names, in the order of the catalogue.

    Args:
        names: labels, or types such as `string-number` for the usual atoms of these types; none
            for all usual ones.

    Raises:
        ParamError: for repeats or more than MOST_ATOMS.
        UnknownNameError: for a name that stands for nothing.
    """
    wanted = f"different names of atoms, at most {MOST_ATOMS}"
    if not isinstance(names, tuple) or not all(isinstance(name, str) for name in names):
        raise ParamError("atoms", names, wanted)
    known, usual = catalogue(), [catalogue()[label] for label in USUAL]
    groups = sorted({signature_name(atom) for atom in usual})
    found: list[Atom] = [] if names else usual
    for name in names:
        if name in known:
            found.append(known[name])
        elif name in groups:
            found += [atom for atom in usual if signature_name(atom) == name]
        else:
            raise UnknownNameError("atom", name, [*groups, *known])
    if len(set(found)) != len(found) or len(found) > MOST_ATOMS:
        raise ParamError("atoms", names, wanted)
    return tuple(sorted(found, key=lambda atom: atom.index))


def in_keyed_order(texts: Sequence[str], key: int) -> list[int]:
    """Return the places of the texts in an order that looks random and hangs on the key alone."""
    digests = [
        hashlib.blake2b(f"{key}\x1f{text}".encode(), digest_size=16, person=b"synthgen-chain")
        for text in texts
    ]
    hexes = [digest.hexdigest() for digest in digests]
    return sorted(range(len(texts)), key=lambda place: (hexes[place], place))
