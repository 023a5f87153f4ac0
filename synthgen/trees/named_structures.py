"""Structures of a derivation that have readable names, as ids and as texts.

| kind | text | the structure |
|---|---|---|
| symbols | `mul` | a symbol |
| placed | `mul@2` | a symbol at a depth, 0 for the root; depths above 255 count as 255 |
| edges | `add>mul` | a symbol and one of its arguments, in any slot |
| slots | `add.1>mul` | the same in a given slot, from 1 |
| siblings | `mul,sub` | two arguments of one node, side by side |
| local | `ppc add mul sub` | a local structure of 2 or 3, see `trees/local_structures.py` |

Where a symbol's own name contains the separator, the text has spaces around the separator:
`add > =>`. Ids fold the ids of symbols, which depend on name and arity, so they are the same in
every signature that has the symbols.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_choice
from synthgen.core.columns import Ragged
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.draws.randomness import U64
from synthgen.trees.derivations import Signature
from synthgen.trees.local_structures import (
    PREFIX_CODES,
    ROOT,
    ROOT_NAME,
    code_of,
    local_structures,
    symbols_of,
)
from synthgen.trees.ngrams import BEGIN
from synthgen.trees.structures import (
    EDGES,
    LOCAL,
    MAX_DEPTH,
    PLACED,
    SIBLINGS,
    SLOTS,
    SYMBOLS,
    fold_local,
    fold_structures,
    walk_structures,
)

KINDS = ("symbols", "placed", "edges", "slots", "siblings", "local")
_LOCAL_SIZE = 3
_MARKS = {"edges": ">", "slots": ">", "siblings": ","}
_EXAMPLES = {
    "symbols": "a symbol, such as mul",
    "placed": f"a symbol and its depth from 0 to {MAX_DEPTH}, such as mul@2",
    "edges": "a symbol and an argument of it, such as add>mul (add > mul where a name has a >)",
    "slots": "a symbol, a slot from 1 and the symbol in it, such as add.1>mul",
    "siblings": "two symbols, such as mul,sub (mul , sub where a name has a comma)",
    "local": f"a code out of {', '.join(PREFIX_CODES)} and its symbols, such as pc add mul",
}
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class NamedStructure:
    """A parsed structure.

    Attributes:
        symbols: Names, the outer and left ones first; one, two, or three of them.
        place: Depth of `placed`, slot of `slots`, number of the code of `local`, else 0.
    """

    symbols: tuple[str, ...]
    place: int = 0


def structure_ids(derivations: Ragged, signature: Signature, kind: str) -> Ragged:
    """Return the structures of each derivation, each as often as it occurs, ragged uint64.

    Args:
        derivations: Symbol codes in prefix order.
        signature: Names and arities of the codes.
        kind: Kind out of KINDS.

    Raises:
        ParamError: for another kind, or codes that are not whole derivations.
    """
    number = _number_of(kind)
    if number == LOCAL:
        words = local_structures(derivations, signature, _LOCAL_SIZE)
        ids = np.append(signature.symbol_ids, BEGIN)
        return Ragged(fold_local(words.values, ids), words.offsets)
    outer, places, inner, offsets = _parts_of(derivations, signature, number)
    return Ragged(fold_structures(outer, places, inner, signature.symbol_ids, number), offsets)


def structure_names(derivations: Ragged, signature: Signature, kind: str) -> list[str]:
    """Return the text of each structure that `structure_ids` gives, in its order."""
    number = _number_of(kind)
    if number == LOCAL:
        words = local_structures(derivations, signature, _LOCAL_SIZE)
        return _local_names(words.values, signature)
    return _names_of(_parts_of(derivations, signature, number)[:3], signature, kind)


def _local_names(words: U64, signature: Signature) -> list[str]:
    """Format local structures as `structure_text` does, many at once."""
    names = dict(enumerate(signature.names)) | {ROOT: ROOT_NAME}
    codes = [PREFIX_CODES[code] for code in code_of(words).tolist()]
    return [
        f"{code} {names[two]} {names[three]}"
        if one < 0
        else f"{code} {names[one]} {names[two]} {names[three]}"
        for code, (one, two, three) in zip(codes, symbols_of(words).tolist(), strict=True)
    ]


def _names_of(columns: Sequence[Ints], signature: Signature, kind: str) -> list[str]:
    names = signature.names
    return [
        name_structure(
            NamedStructure((names[outer], *([names[inner]] if inner >= 0 else [])), place), kind
        )
        for outer, place, inner in zip(*(column.tolist() for column in columns), strict=True)
    ]


def distinct_structures(
    derivations: Ragged, signature: Signature, kind: str
) -> tuple[list[str], Ragged]:
    """Return the texts of the different structures, and which of them each row has, in order."""
    number = _number_of(kind)
    ids = structure_ids(derivations, signature, kind)
    _, first, which = np.unique(ids.values, return_index=True, return_inverse=True)
    if number == LOCAL:
        words = local_structures(derivations, signature, _LOCAL_SIZE).values[first]
        names = _local_names(words, signature)
    else:
        columns = [column[first] for column in _parts_of(derivations, signature, number)[:3]]
        names = _names_of(columns, signature, kind)
    return names, Ragged(which.reshape(-1).astype(np.int64), ids.offsets)


def name_structure(structure: NamedStructure, kind: str) -> str:
    """Format a structure such that `parse_structure` reads it back."""
    number, symbols = _number_of(kind), structure.symbols
    if number == LOCAL:
        return " ".join([PREFIX_CODES[structure.place], *symbols])
    if number == PLACED:
        return f"{symbols[0]}@{structure.place}"
    if number == SYMBOLS:
        return symbols[0]
    mark = _MARKS[kind]
    if any(mark in name for name in symbols):
        mark = f" {mark} "
    slot = f".{structure.place}" if number == SLOTS else ""
    return f"{symbols[0]}{slot}{mark}{symbols[1]}"


def parse_structure(text: str, kind: str) -> NamedStructure:
    """Parse a structure, whether or not any signature has its symbols.

    Raises:
        ParamError: for a text that is not a structure of this kind, or another kind.
    """
    number = _number_of(kind)
    words = text.split()
    structure: NamedStructure | None = None
    if number == SYMBOLS and len(words) == 1:
        structure = NamedStructure((words[0],))
    elif number == PLACED and len(words) == 1:
        name, place = _with_number(words[0], "@", 0, MAX_DEPTH)
        structure = NamedStructure((name,), place) if name else None
    elif number == LOCAL and words and words[0] in PREFIX_CODES:
        if len(words) == 1 + len(words[0]):
            structure = NamedStructure(tuple(words[1:]), PREFIX_CODES.index(words[0]))
    elif number in {EDGES, SLOTS, SIBLINGS}:
        structure = _parse_pair(words, _MARKS[kind], slotted=number == SLOTS)
    if structure is None or any("(" in name or ")" in name for name in structure.symbols):
        raise ParamError("structure", text, _EXAMPLES[kind])
    return structure


def structure_id_in(text: str, kind: str, signature: Signature) -> int | None:
    """Return the id of a structure, or None if derivations of this signature cannot have it.

    Raises:
        ParamError: for a text that is not a structure of this kind, or another kind.
    """
    number, structure = _number_of(kind), parse_structure(text, kind)
    codes = _codes_in(structure, number, signature)
    if codes is None:
        return None
    if number == LOCAL:
        ids = np.append(signature.symbol_ids, BEGIN)
        word = structure.place
        for code in (0, *codes)[-_LOCAL_SIZE:]:
            word = word << 16 | code % 0x10000
        return int(fold_local(np.array([word], np.uint64), ids)[0])
    outer, inner = (np.array([code], np.int64) for code in (codes[0], codes[-1]))
    places = np.array([structure.place], np.int64)
    return int(fold_structures(outer, places, inner, signature.symbol_ids, number)[0])


def check_structure(text: str, kind: str, signatures: Iterable[Signature]) -> None:
    """Check that derivations of some of these signatures can have a structure.

    Raises:
        ParamError: for a text that is not a structure of this kind, or that none can have.
        UnknownNameError: for a symbol that no signature has.
    """
    several = list(signatures)
    if any(structure_id_in(text, kind, signature) is not None for signature in several):
        return
    known = {name: None for signature in several for name in signature.names}
    for name in parse_structure(text, kind).symbols:
        if name not in known and not (kind == "local" and name == ROOT_NAME):
            raise UnknownNameError("symbol", name, tuple(known))
    raise ParamError("structure", text, "symbols of one source, with matching arities")


def _number_of(kind: str) -> int:
    return KINDS.index(check_choice("kind", kind, KINDS))


def _with_number(text: str, mark: str, low: int, high: int) -> tuple[str, int]:
    """Split `mul@2`; the name is empty where the text is not of this form."""
    name, _, digits = text.rpartition(mark)
    if not (digits.isascii() and digits.isdigit() and len(digits) <= len(str(high))):
        return "", 0
    return (name, int(digits)) if low <= int(digits) <= high else ("", 0)


def _parse_pair(words: list[str], mark: str, *, slotted: bool) -> NamedStructure | None:
    if len(words) == 1 and words[0].count(mark) == 1:
        outer, inner = words[0].split(mark)
    elif len(words) == 3 and words[1] == mark:
        outer, _, inner = words
    else:
        return None
    slot = 0
    if slotted:
        outer, slot = _with_number(outer, ".", 1, 0xFFFF)
    return NamedStructure((outer, inner), slot) if outer and inner else None


def _codes_in(structure: NamedStructure, number: int, signature: Signature) -> list[int] | None:
    """Return the codes of the symbols, or None if the signature does not allow the structure."""
    codes = [signature.code.get(name, -1) for name in structure.symbols]
    root = len(signature.names)
    if number == LOCAL:
        may_be_root = PREFIX_CODES[structure.place] in {"pc", "ppc"}
        if may_be_root and structure.symbols[0] == ROOT_NAME:
            codes[0] = root
    if min(codes) < 0:
        return None
    arities = (*signature.arities, 1)
    needed = {EDGES: 1, SLOTS: structure.place}.get(number, 0)
    return codes if arities[codes[0]] >= needed else None


def _parts_of(derivations: Ragged, signature: Signature, number: int) -> tuple[Ints, ...]:
    outer, places, inner, offsets, bad = walk_structures(
        derivations.values, derivations.offsets, signature.arity_array, number
    )
    if bad >= 0:
        raise ParamError("derivation", derivations.row(bad).tolist(), "one whole tree in each row")
    return outer[: offsets[-1]], places[: offsets[-1]], inner[: offsets[-1]], offsets
