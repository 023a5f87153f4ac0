"""Texts as sequences of pieces: the table of all pieces, and the kernel that joins them.

A kernel that composes a text notes the numbers of its pieces; one loop then copies all bytes.
Pieces are, in this order: the fixed ones, numbers in decimal, words with a space after them, and
words as logical forms have them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import offsets_of, text_column
from synthgen.generators._cogs_clauses import ROLES

PREPOSITIONS = ("on", "in", "beside")
_FIXED = (
    *("The ", "A ", "was ", "that ", "to ", "by ", "on ", "in ", "beside ", "."),
    *("* ", " ( x _ ", " ) ; ", " ) AND ", " )", " , x _ ", " , ", " ( "),
    *("LAMBDA a . ", "LAMBDA b . ", "LAMBDA e . ", " ( a )", " . agent ( e , a )"),
    *(" . agent ( e , b )", " . theme ( e , a )", " AND "),
    *(f" . {role} ( x _ " for role in ROLES),
    *(f"{role} = " for role in ROLES),
    *(f" . nmod . {preposition} ( x _ " for preposition in PREPOSITIONS),
    *(f" ( nmod . {preposition} = " for preposition in PREPOSITIONS),
)
_PLACE = {text: place for place, text in enumerate(_FIXED)}
CAPITAL_THE, CAPITAL_A, WAS, THAT, TO = (
    _PLACE[text] for text in ("The ", "A ", "was ", "that ", "to ")
)
BY, FIRST_PREPOSITION, STOP = (_PLACE[text] for text in ("by ", "on ", "."))
STAR, OPEN_VARIABLE, NEXT, CLOSE_AND, CLOSE = (
    _PLACE[text] for text in ("* ", " ( x _ ", " ) ; ", " ) AND ", " )")
)
COMMA_VARIABLE, COMMA, OPEN, AND = (_PLACE[text] for text in (" , x _ ", " , ", " ( ", " AND "))
LAMBDA_A, LAMBDA_B, LAMBDA_E = (_PLACE[f"LAMBDA {variable} . "] for variable in "abe")
OF_A, AGENT_OF_A = _PLACE[" ( a )"], _PLACE[" . agent ( e , a )"]
AGENT_OF_B, THEME_OF_A = _PLACE[" . agent ( e , b )"], _PLACE[" . theme ( e , a )"]
FIRST_ROLE, FIRST_FREE_ROLE = _PLACE[" . agent ( x _ "], _PLACE["agent = "]
FIRST_NMOD, FIRST_FREE_NMOD = _PLACE[" . nmod . on ( x _ "], _PLACE[" ( nmod . on = "]
FIRST_NUMBER = len(_FIXED)
_NUMBERS = 1024
FIRST_WORD = FIRST_NUMBER + _NUMBERS


class Pieces(NamedTuple):
    """The table of pieces.

    Attributes:
        data: uint8, all texts end to end.
        offsets: int64 (pieces + 1,).
        formula: number of the first word as logical forms have it.
    """

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    formula: int


def text_pieces(surfaces: Sequence[str], formulas: Sequence[str]) -> Pieces:
    """Return the table for the symbols of a signature."""
    texts = [*_FIXED, *map(str, range(_NUMBERS)), *(f"{word} " for word in surfaces), *formulas]
    encoded = [text.encode() for text in texts]
    return Pieces(
        data=np.frombuffer(b"".join(encoded), np.uint8),
        offsets=offsets_of(np.array([len(text) for text in encoded])),
        formula=FIRST_WORD + len(surfaces),
    )


def joined(parts: NDArray[np.int32], offsets: NDArray[np.int64], pieces: Pieces) -> pa.StringArray:
    """Return the text of each row of piece numbers."""
    return text_column(*_join(parts, offsets, pieces))


@njit(cache=True, nogil=True)
def _join(
    parts: NDArray[np.int32], offsets: NDArray[np.int64], pieces: Pieces
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    text_offsets = np.zeros(len(offsets), np.int64)
    total = 0
    for i in range(len(offsets) - 1):
        for place in range(offsets[i], offsets[i + 1]):
            part = parts[place]
            total += pieces.offsets[part + 1] - pieces.offsets[part]
        text_offsets[i + 1] = total
    out = np.empty(total, np.uint8)
    at = 0
    for place in range(offsets[-1]):
        part = parts[place]
        for byte in range(pieces.offsets[part], pieces.offsets[part + 1]):
            out[at] = pieces.data[byte]
            at += 1
    return out, text_offsets
