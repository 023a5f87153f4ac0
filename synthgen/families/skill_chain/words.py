"""The catalogue of atoms and the words for them, as both sides read them from TOML.

An atom is a family with its argument: `rotl2` belongs to the family `rotl`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from string import ascii_lowercase
from typing import Any

from synthgen.authoring import Words, filled, parts_of

WORDS = Words.beside(__file__)
TYPES = ("string", "list", "number", "words")
STRING, LIST, NUMBER, WORD_LIST = range(4)
ANSWER_TYPES = ("string", "list:integer", "integer", "string")
"""Answer types of the types."""
_FILE = Words.beside(__file__, "atoms.toml")


@dataclass(frozen=True, slots=True)
class Family:
    """Atoms that differ only in their argument.

    Attributes:
        label: Start of the labels of its atoms, such as `rotl`; different for every family.
        types: Types of the argument and of the result of its atoms, as indices into TYPES.
        category: Name of a group of similar families.
        traits, absorbs: Words that the normal form compares, see `atoms.toml`.
    """

    label: str
    types: tuple[int, int]
    category: str
    traits: frozenset[str]
    absorbs: frozenset[str]


@dataclass(frozen=True, slots=True)
class Atom:
    """A family with its argument.

    Attributes:
        index: Place in the catalogue.
        family: Family of the atom.
        label: Bare notation.
        argument: None, one or two numbers in the order of the label; letters count from 1.
        name: Instruction in English.
        definition: Clause without a subject that describes it.
    """

    index: int
    family: Family = field(compare=False, repr=False)
    label: str
    argument: tuple[int, ...]
    name: str
    definition: str


def _family(pattern: str, table: dict[str, Any]) -> Family:
    source, _, result = table["types"].partition("-")
    return Family(
        label=pattern.partition("{")[0],
        types=(TYPES.index(source), TYPES.index(result)),
        category=table["category"],
        traits=frozenset(table.get("traits", "").split()),
        absorbs=frozenset(table.get("absorbs", "").split()),
    )


def _arguments(pattern: str, numbers: list[int]) -> Iterator[dict[str, int]]:
    """Yield every argument of a family; the last part varies fastest, and letters differ."""
    holes = parts_of(pattern)[1::2]
    ranges = [range(numbers[0], numbers[1] + 1) if x == "n" else range(1, 27) for x in holes]
    for values in product(*ranges):
        if "y" not in holes or values[0] != values[1]:
            yield dict(zip(holes, values, strict=True))


def _fillings(argument: dict[str, int]) -> dict[str, str]:
    """Return the texts for the holes of labels, names and definitions."""
    texts = {hole: ascii_lowercase[argument[hole] - 1] for hole in "xy" if hole in argument}
    if "n" in argument:
        n = argument["n"]
        texts |= {f"{noun}s": noun if n == 1 else f"{n} {noun}s" for noun in ("letter", "number")}
        texts |= {"n": str(n), "places": f"{n} place" if n == 1 else f"{n} places"}
        texts["count"] = f"{n} letter" if n == 1 else f"{n} letters"
    return texts


def _atoms() -> Iterator[Atom]:
    index = 0
    for pattern, table in _FILE["families"].items():
        family = _family(pattern, table)
        for argument in _arguments(pattern, table.get("numbers", [])):
            texts = _fillings(argument)
            label, name, definition = (
                filled(text, texts) for text in (pattern, table["name"], table["definition"])
            )
            yield Atom(index, family, label, tuple(argument.values()), name, definition)
            index += 1


ATOMS = tuple(_atoms())
"""The catalogue, in an order that never changes."""
FAMILIES = tuple(dict.fromkeys(atom.family for atom in ATOMS))
BY_LABEL = {atom.label: atom for atom in ATOMS}
