"""Derivations: the canonical structure of a problem as symbol codes in prefix order.

A signature fixes the symbols and their arity, so a prefix sequence is a tree without brackets. The
text form writes them again: `(+ 2 (* 3 4))`. A leaf has no brackets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, longest_row, offsets_of, ragged, text_column
from synthgen.core.errors import ParamError
from synthgen.core.kernels import Int, jit, kernel

Codes = NDArray[np.uint16]
_SPACE, _OPEN, _CLOSE = np.uint8(32), np.uint8(40), np.uint8(41)
_SHORT = 7
"""Bytes of a leaf's name that fit into one word, with their number in the eighth byte."""
_COUNT_AT, _EIGHT, _BYTE = np.uint64(8 * _SHORT), np.uint64(8), np.uint64(255)
_ONE = np.uintp(1)
_WORD = 8


@dataclass(frozen=True)
class Signature:
    """Vocabulary of derivations: symbol i has names[i] and arities[i] arguments.

    Raises:
        ParamError: for a repeated name, or one that is empty or contains space or brackets.
    """

    names: tuple[str, ...]
    arities: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.names) != len(self.arities) or len(set(self.names)) != len(self.names):
            raise ParamError("signature", self.names, "different names, one arity for each")
        for name in self.names:
            if not name or any(char.isspace() or char in "()" for char in name):
                raise ParamError("symbol", name, "text without space or brackets")

    @classmethod
    def from_arities(cls, symbols: Mapping[str, int]) -> Signature:
        """Build a signature from name -> arity."""
        return cls(tuple(symbols), tuple(symbols.values()))

    @cached_property
    def code(self) -> dict[str, int]:
        """Code of each name."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def arity_array(self) -> NDArray[np.int64]:
        """Arity of each code, int64 (k,)."""
        return np.array(self.arities, dtype=np.int64)

    @cached_property
    def symbol_ids(self) -> NDArray[np.uint64]:
        """Id of each symbol, by name and arity and independent of its code, uint64 (k,)."""
        digests = (
            hashlib.blake2b(f"{name}/{arity}".encode(), digest_size=8, person=b"synthgen-symbol")
            for name, arity in zip(self.names, self.arities, strict=True)
        )
        return np.array([int.from_bytes(d.digest(), "little") for d in digests], dtype=np.uint64)

    @cached_property
    def name_table(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """UTF-8 bytes of all names end to end, and their offsets (k + 1,)."""
        encoded = [name.encode() for name in self.names]
        lengths = np.array([len(name) for name in encoded], dtype=np.int64)
        return np.frombuffer(b"".join(encoded), np.uint8), offsets_of(lengths)

    @cached_property
    def short_leaves(self) -> NDArray[np.uint64]:
        """Each short leaf in one word, uint64 (k,): its bytes, lowest first, below their number.

        Zero marks a symbol that takes arguments or more than seven bytes.
        """
        words = np.zeros(len(self.names), np.uint64)
        for code, (name, arity) in enumerate(zip(self.names, self.arities, strict=True)):
            encoded = name.encode()
            if arity == 0 and len(encoded) <= _SHORT:
                words[code] = int.from_bytes(encoded, "little") | len(encoded) << 8 * _SHORT
        return words

    @cached_property
    def widths(self) -> NDArray[np.uint32]:
        """Most bytes that each symbol takes in a text, uint32 (k,).

        They are its name and a space, and both brackets if it takes arguments.
        """
        brackets = 2 * (self.arity_array > 0)
        widths: NDArray[np.int64] = np.diff(self.name_table[1]) + 1 + brackets
        return widths.astype(np.uint32)


def parse_derivation(text: str, signature: Signature) -> list[int]:
    """Read one derivation from its prefix text.

    Raises:
        ParamError: for an unknown symbol, a wrong number of arguments or misplaced brackets.
    """
    codes: list[int] = []
    open_arguments: list[int] = []
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()
    expect_operator = False
    for token in tokens:
        if token == "(":
            if expect_operator:
                raise ParamError("derivation", text, "a symbol after each bracket")
            _take_place(text, codes, open_arguments)
            expect_operator = True
        elif token == ")":
            if expect_operator or not open_arguments or open_arguments.pop() != 0:
                raise ParamError("derivation", text, "the arguments that each symbol takes")
        else:
            if token not in signature.code:
                raise ParamError("derivation", text, f"symbols of the signature, not {token!r}")
            arity = signature.arities[signature.code[token]]
            if (arity > 0) != expect_operator:
                expected = f"brackets around {token!r} iff it has arguments"
                raise ParamError("derivation", text, expected)
            if arity:
                open_arguments.append(arity)
            else:
                _take_place(text, codes, open_arguments)
            codes.append(signature.code[token])
            expect_operator = False
    if open_arguments or expect_operator or not codes:
        raise ParamError("derivation", text, "one complete derivation")
    return codes


def _take_place(text: str, codes: list[int], open_arguments: list[int]) -> None:
    """Count one argument of the innermost open symbol, or the root."""
    if open_arguments:
        open_arguments[-1] -= 1
        if open_arguments[-1] < 0:
            raise ParamError("derivation", text, "no more arguments than each symbol takes")
    elif codes:
        raise ParamError("derivation", text, "one root")


def derivation_text(derivations: Ragged, signature: Signature) -> pa.StringArray:
    """Write every derivation in prefix notation with brackets, as an Arrow string column."""
    codes, offsets = derivations.values, derivations.offsets
    leaves, names = (signature.short_leaves, signature.widths), signature.name_table
    return text_column(*_write_prefix(codes, offsets, leaves, signature.arity_array, names))


@jit
def _write_prefix(
    codes: Codes,
    offsets: NDArray[np.int64],
    leaves: tuple[NDArray[np.uint64], NDArray[np.uint32]],
    arities: NDArray[np.int64],
    name_table: tuple[NDArray[np.uint8], NDArray[np.int64]],
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Fill the text buffer; `awaited` is a stack of arguments that outer symbols still await.

    Indices into the buffer are unsigned, so that negative indices need not be handled.
    """
    (short_leaves, widths), (names, name_offsets) = leaves, name_table
    n = len(offsets) - 1
    out = np.empty(_bytes_needed(codes, widths) + _WORD, np.uint8)
    out_offsets = np.zeros(n + 1, np.int64)
    awaited = np.empty(longest_row(offsets), np.int64)
    at = np.uintp(0)
    for i in range(n):
        top, missing = 0, np.int64(1)
        for position in range(offsets[i], offsets[i + 1]):
            code = codes[position]
            if position > offsets[i]:
                out[at] = _SPACE
                at += _ONE
            word = short_leaves[code]
            if word:
                for byte in range(_WORD):  # bytes beyond the name are overwritten later
                    out[at + np.uintp(byte)] = np.uint8(word >> _EIGHT * np.uint64(byte) & _BYTE)
                at += np.uintp(word >> _COUNT_AT)
            else:
                arity = arities[code]
                if arity > 0:
                    out[at] = _OPEN
                    at += _ONE
                for byte in range(np.uintp(name_offsets[code]), np.uintp(name_offsets[code + 1])):
                    out[at] = names[byte]
                    at += _ONE
                if arity > 0:
                    awaited[top] = missing - 1
                    top += 1
                    missing = arity
                    continue
            missing -= 1
            while missing == 0 and top > 0:
                out[at] = _CLOSE
                at += _ONE
                top -= 1
                missing = awaited[top]
        out_offsets[i + 1] = at
    return out, out_offsets


@kernel
def _bytes_needed(codes: Codes, widths: NDArray[np.uint32]) -> Int:
    """Return an upper bound of the bytes of the texts."""
    total: Int = np.int64(0)
    for code in codes:
        total += np.int64(widths[code])
    return total


@jit
def derivation_depths(
    codes: Codes, offsets: NDArray[np.int64], arities: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the depth of every derivation, int64 (n,); a single leaf has depth 1."""
    n = len(offsets) - 1
    depths = np.zeros(n, np.int64)
    open_arguments = np.empty(longest_row(offsets), np.int64)
    for i in range(n):
        top = -1
        for position in range(offsets[i], offsets[i + 1]):
            depths[i] = max(depths[i], top + 2)
            arity = arities[codes[position]]
            if arity > 0:
                top += 1
                open_arguments[top] = arity
                continue
            while top >= 0:
                open_arguments[top] -= 1
                if open_arguments[top] > 0:
                    break
                top -= 1
    return depths


_MAX_SYMBOLS = 1 << 16


def read_derivations(texts: Sequence[str]) -> tuple[Ragged, Signature]:
    """Return derivations in prefix order, and the signature that their symbols make up.

    Raises:
        ParamError: for a text that is not a whole tree, a symbol with two arities, or
            more than 65,536 symbols.
    """
    arities: dict[str, int] = {}
    for text in texts:
        for name, arity in _symbols(text):
            if arities.setdefault(name, arity) != arity:
                raise ParamError("derivation", text, f"{name!r} with {arities[name]} arguments")
    if len(arities) > _MAX_SYMBOLS:
        raise ParamError("symbols", len(arities), f"at most {_MAX_SYMBOLS} different ones")
    signature = Signature.from_arities(dict(sorted(arities.items())))
    return ragged(parse_derivation(text, signature) for text in texts), signature


def _symbols(text: str) -> list[tuple[str, int]]:
    """Return each symbol of a tree with the number of its arguments."""
    counts: list[int] = []
    open_places: list[int] = []
    names: list[str] = []
    expect_operator = False
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            expect_operator = True
            continue
        if token == ")":
            if not open_places:
                raise ParamError("derivation", text, "an opening bracket for each closing one")
            open_places.pop()
            continue
        if open_places:
            counts[open_places[-1]] += 1
        names.append(token)
        counts.append(0)
        if expect_operator:
            open_places.append(len(names) - 1)
        expect_operator = False
    return list(zip(names, counts, strict=True))
