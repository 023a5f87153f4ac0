"""What training may be kept from: ordered pairs of atoms, orders, atoms, and places of atoms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.generators.skillmix._chain_catalog import Atom, in_keyed_order

PAIR, PLACE = ">", "@"
Choice = int | tuple[str, ...]
Truths = NDArray[np.bool_]


def check_choice_of(name: str, value: object) -> None:
    """Refuse what is neither a number from 0 nor a list of different names."""
    wanted = "how many, from 0 to 10,000, or a list of different names"
    if isinstance(value, tuple):
        if not all(isinstance(item, str) for item in value) or len(set(value)) != len(value):
            raise ParamError(name, value, wanted)
    elif isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 10_000:
        raise ParamError(name, value, wanted)


def held_pairs(
    name: str,
    choice: Choice,
    atoms: Sequence[Atom],
    allowed: Truths,
    key: int,
    kept: Truths,
    *,
    both_ways: bool,
) -> Truths:
    """Mark ordered pairs, bool (m, m).

    Args:
        name: of the parameter.
        choice: how many to choose by the key, or names like `rev>caesar5`.
        atoms: of the source.
        allowed: pairs that may stand side by side.
        key: of the choice.
        kept: pairs that may not be chosen by the key.
        both_ways: whether only pairs may be marked whose other order is allowed and is not marked.

    Raises:
        ParamError: for names that are no such pairs, or more pairs than there are.
    """
    held = np.zeros_like(allowed)
    labels = [atom.label for atom in atoms]
    if not isinstance(choice, int):
        for text in choice:
            one, found, other = text.partition(PAIR)
            if not found or one not in labels or other not in labels:
                raise ParamError(name, text, f"two atoms of the source, one{PAIR}another")
            place = labels.index(one), labels.index(other)
            fits = allowed[place] and (not both_ways or allowed[place[::-1]])
            if not fits or (both_ways and held[place[::-1]]):
                raise ParamError(name, text, "a pair that the source has, in this order")
            held[place] = True
        return held
    pairs = [(int(i), int(j)) for i, j in np.argwhere(allowed)]
    firsts, seconds = Counter(i for i, _ in pairs), Counter(j for _, j in pairs)
    texts = [f"{labels[i]}{PAIR}{labels[j]}" for i, j in pairs]
    left = choice
    for i, j in (pairs[place] for place in in_keyed_order(texts, key)):
        twin = both_ways and (i == j or not allowed[j, i] or held[j, i])
        if left == 0 or kept[i, j] or twin or min(firsts[i], seconds[j]) < 2:
            continue
        held[i, j] = True
        firsts[i] -= 1
        seconds[j] -= 1
        left -= 1
    if left:
        raise ParamError(name, choice, f"at most {choice - left} pairs with these atoms")
    return held


def held_atoms(choice: Choice, atoms: Sequence[Atom], key: int) -> Truths:
    """Mark atoms, bool (m,); by the key only atoms that others of the same types can stand for.

    Raises:
        ParamError: for names that are no atoms of the source, or more atoms than there are.
    """
    held = np.zeros(len(atoms), bool)
    labels = [atom.label for atom in atoms]
    if not isinstance(choice, int):
        for text in choice:
            if text not in labels:
                raise ParamError("held_out_atoms", text, "an atom of the source")
            held[labels.index(text)] = True
        return held
    left, others = choice, Counter(atom.types for atom in atoms)
    for place in in_keyed_order(labels, key):
        if left > 0 and others[atoms[place].types] > 1:
            others[atoms[place].types] -= 1
            held[place] = True
            left -= 1
    if left:
        raise ParamError("held_out_atoms", choice, f"at most {choice - left} with these atoms")
    return held


def held_cells(choice: Choice, atoms: Sequence[Atom], possible: Truths, key: int) -> Truths:
    """Mark atoms at places, bool (m, places).

    Args:
        choice: how many to choose by the key, or names like `rev@2`, with places from 1.
        atoms: of the source.
        possible: whether an atom can stand at a place, bool (m, places).
        key: of the choice.

    Raises:
        ParamError: for names that are no such cells, or more cells than there are.
    """
    held = np.zeros_like(possible)
    labels = [atom.label for atom in atoms]
    if not isinstance(choice, int):
        for text in choice:
            label, _, digits = text.partition(PLACE)
            place = int(digits) - 1 if digits.isdecimal() and digits.isascii() else -1
            fits = label in labels and 0 <= place < possible.shape[1]
            if not fits or not possible[labels.index(label), place]:
                raise ParamError("held_out_cells", text, f"an atom and a place, atom{PLACE}2")
            held[labels.index(label), place] = True
        return held
    cells = [(int(i), int(place)) for i, place in np.argwhere(possible)]
    left, others = choice, Counter(i for i, _ in cells)
    for cell in in_keyed_order([f"{labels[i]}{PLACE}{place + 1}" for i, place in cells], key):
        i, place = cells[cell]
        if left > 0 and others[i] > 1:
            others[i] -= 1
            held[i, place] = True
            left -= 1
    if left:
        raise ParamError("held_out_cells", choice, f"at most {choice - left} with these atoms")
    return held
