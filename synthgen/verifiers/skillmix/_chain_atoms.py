"""The atoms that a reader knows, one by one, and a hash table of all ways to write them."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.skillmix._chain_words import ROWS

TYPES = "SLNW"
STRING, LIST, NUMBER, WORDS = range(4)
LABEL, NAME, CALL, DEFINITION = range(4)
"""Ways to write an atom; form f of atom i is entry 4 i + f."""
N_FORMS = 4
N_SLOTS = 1 << 14
AT_ONCE = 4
"""Letters that the hash takes in at once; with the rest, or none, it takes in the length."""
FACTOR = 0x5F3779B1
"""Multiplier of the hash; states are 32 bits wide, and the highest ones choose the slot."""
STATE_MASK, SLOT_SHIFT = 0xFFFFFFFF, 18


class Known(NamedTuple):
    """An atom: number of its row, arguments, types, and texts in all forms."""

    row: int
    first: int
    second: int
    source: int
    result: int
    forms: tuple[str, str, str, str]


def _fills(label: str, least: int, most: int) -> Iterator[dict[str, int]]:
    letters, numbers = range(1, 27), range(least, most + 1)
    if "{y}" in label:
        yield from ({"x": x, "y": y} for x in letters for y in letters if x != y)
    elif "{x}" in label and "{n}" in label:
        yield from ({"x": x, "n": n} for x in letters for n in numbers)
    elif "{x}" in label:
        yield from ({"x": x} for x in letters)
    elif "{n}" in label:
        yield from ({"n": n} for n in numbers)
    else:
        yield {}


def _texts(fill: dict[str, int]) -> dict[str, str]:
    """Return what stands for each placeholder."""
    found = {name: ascii_lowercase[fill[name] - 1] for name in "xy" if name in fill}
    if "n" in fill:
        n = fill["n"]
        found["n"] = str(n)
        found["letters"] = "letter" if n == 1 else f"{n} letters"
        found["numbers"] = "number" if n == 1 else f"{n} numbers"
        found["places"] = "1 place" if n == 1 else f"{n} places"
        found["times"] = {1: "once", 2: "twice"}.get(n, f"{n} times")
    return found


def _all_atoms() -> Iterator[Known]:
    for row, (label, types, name, definition, *numbers) in enumerate(ROWS):
        least, most = numbers or (0, 0)
        for fill in _fills(label, int(least), int(most)):
            arguments = [*fill.values(), 0, 0]
            told = [text.format_map(_texts(fill)) for text in (label, name, definition)]
            forms = (told[0], told[1], told[1].replace(" ", "_"), told[2])
            source, result = (TYPES.index(letter) for letter in types)
            yield Known(row, arguments[0], arguments[1], source, result, forms)


ATOMS = tuple(_all_atoms())
FACTS = np.array([atom[:5] for atom in ATOMS], np.int64)
"""Row, arguments and types of each atom."""
_FORMS = [form.encode() for atom in ATOMS for form in atom.forms]
LETTERS = np.frombuffer(b"".join(_FORMS), np.uint8)
STARTS = np.concatenate([np.zeros(1, np.int64), np.cumsum([len(form) for form in _FORMS])])
LONGEST_FORM = max(map(len, _FORMS))


def _slots() -> NDArray[np.int64]:
    """Place every form at its hash or behind it; two forms that are one text keep the first."""
    lengths = np.diff(STARTS)
    turns = LONGEST_FORM // AT_ONCE + 1
    padded = b"".join(form.ljust(turns * AT_ONCE, b"\0") for form in _FORMS)
    letters = np.frombuffer(padded, "<u4").reshape(-1, turns).astype(np.uint64)
    states = lengths.astype(np.uint64)
    for turn in range(turns):
        mixed = (states ^ letters[:, turn]) * np.uint64(FACTOR) & np.uint64(STATE_MASK)
        states = np.where(lengths // AT_ONCE >= turn, mixed, states)
    slots = [-1] * N_SLOTS
    for entry, state in enumerate(states.tolist()):
        slot = state >> SLOT_SHIFT
        while slots[slot] >= 0:
            slot = (slot + 1) % N_SLOTS
        slots[slot] = entry
    return np.array(slots, np.int64)


SLOTS = _slots()
ROW = {label.partition("{")[0]: number for number, (label, *_) in enumerate(ROWS)}
"""Number of each row by the beginning of its notation."""
