"""Read derivations from texts, batch by batch, into the codes of one growing vocabulary.

A symbol is a name with a number of arguments, and its code is the order in which it first occurred.
So a file is read once, in constant memory, without a generator's signature. Texts that are not a
complete tree do not stop an audit: each such row is the single symbol `<unreadable>`. After 65,534
symbols, all further ones share one more, `<other>`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, longest_row, offsets_of, text_bytes
from synthgen.core.errors import ParamError
from synthgen.core.kernels import inline, jit
from synthgen.coverage.id_counts import IdCounts
from synthgen.draws.randomness import GOLDEN, U64
from synthgen.trees.derivations import Signature
from synthgen.trees.ngrams import fold
from synthgen.trees.structures import MAX_ARGUMENTS

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]

UNREADABLE, OTHER = "<unreadable>", "<other>"
MAX_SYMBOLS = (1 << 16) - 2
_SPACE, _OPEN, _CLOSE = 32, 40, 41
_ONE, _EIGHT, _FULL = np.uint64(1), np.uint64(8), np.uint64(56)
_BROKEN = np.uint64(0)
"""Word of a row that is not a complete tree."""


class StructureReader:
    """Reads trees such as `(+ 2 (* 3 4))`, and keeps the meaning of each code.

    Args:
        leaf_name: Function called once for each distinct leaf, which returns the name to use for
            it; leaves with the same name share a code.
    """

    def __init__(self, leaf_name: Callable[[str], str] = str) -> None:
        self._leaf_name = leaf_name
        self._names: list[str] = []
        self._arities: list[int] = []
        self._taken: dict[str, int] = {}
        self._known: dict[tuple[str, int], int] = {}
        self._codes = IdCounts()
        self._signature: Signature | None = None

    @property
    def signature(self) -> Signature:
        """Signature of the codes so far; codes keep their meaning as it grows.

        A name used with several numbers of arguments includes the number, as in `f/2`.
        """
        if self._signature is None or len(self._signature.names) < len(self._names):
            self._signature = Signature(tuple(self._names), tuple(self._arities))
        return self._signature

    def read(self, texts: pa.StringArray) -> Ragged:
        """Return the codes of every text in prefix order, ragged uint16; nulls are unreadable.

        Raises:
            ParamError: for more than 65,534 symbols that take arguments, or a symbol that takes
                more than `MAX_ARGUMENTS`.
        """
        data, offsets = text_bytes(texts)
        kept = offsets_of(_count_tokens(data, offsets))
        words, places, ends, arities = _scan(data, offsets, kept)
        codes = self._codes.counts_of(words) - 1
        unknown = np.flatnonzero(codes < 0)
        if len(unknown):
            _, first = np.unique(words[unknown], return_index=True)
            for at in unknown[
                np.sort(first)
            ].tolist():  # codes rise in the order of first occurrence
                name = data[places[at] : ends[at]].tobytes().decode()
                arity = int(arities[at])
                code = self._code(UNREADABLE if words[at] == _BROKEN else name, arity)
                self._codes.add([words[at]], code + 1)
            codes[unknown] = self._codes.counts_of(words[unknown]) - 1
        return Ragged(codes.astype(np.uint16), kept)

    def _code(self, name: str, arity: int) -> int:
        """Return the code of a symbol: a new one, or the shared one if there are too many."""
        name = name if arity or name == UNREADABLE else self._leaf_name(name)
        if arity > MAX_ARGUMENTS:
            raise ParamError("derivation", f"({name} ...", f"at most {MAX_ARGUMENTS:,} arguments")
        if (name, arity) not in self._known and len(self._names) >= MAX_SYMBOLS:
            if arity:
                expected = f"at most {MAX_SYMBOLS} that take arguments"
                raise ParamError("symbols", len(self._names) + 1, expected)
            name = OTHER
        if (name, arity) not in self._known:
            self._known[name, arity] = len(self._names)
            self._names.append(self._unique(name, arity))
            self._arities.append(arity)
        return self._known[name, arity]

    def _unique(self, name: str, arity: int) -> str:
        """Return a unique name without white space."""
        plain = "".join("_" if char.isspace() else char for char in name)
        if plain in self._taken:
            plain = f"{plain}/{arity}"
        while plain in self._taken:
            plain += "'"
        self._taken[plain] = arity
        return plain


@jit
def _count_tokens(data: Bytes, offsets: Ints) -> Ints:
    """Count the names of each text; 1 if it is not a complete tree."""
    counts = np.zeros(len(offsets) - 1, np.int64)
    for i in range(len(counts)):
        tokens, depth, roots, whole = 0, 0, 0, True
        bare_head = False  # a name after a bracket has no arguments yet
        before = _SPACE  # previous token: a space, a bracket, or 0 for a name
        for at in range(offsets[i], offsets[i + 1]):
            byte = np.int64(data[at])
            if byte == _SPACE or byte == _OPEN or byte == _CLOSE:
                if byte == _OPEN:
                    whole = whole and before != _OPEN
                    roots += depth == 0
                    depth += 1
                    bare_head = False
                    before = _OPEN
                elif byte == _CLOSE:
                    whole = whole and before != _OPEN and not bare_head and depth > 0
                    depth -= 1
                    before = _CLOSE
                elif before == 0:
                    before = _SPACE
                continue
            if before != 0:
                tokens += 1
                roots += depth == 0
                bare_head = before == _OPEN
            before = 0
        if not (whole and depth == 0 and roots == 1):
            tokens = 1
        counts[i] = max(tokens, 1)
    return counts


@jit
def _scan(data: Bytes, offsets: Ints, kept: Ints) -> tuple[U64, Ints, Ints, Ints]:
    """Return for each name a word of its bytes and arguments, its start, end and arguments."""
    words = np.zeros(kept[-1], np.uint64)
    places, ends = np.zeros(kept[-1], np.int64), np.zeros(kept[-1], np.int64)
    arities = np.zeros(kept[-1], np.int64)
    parents = np.empty(longest_row(kept) + 1, np.int64)
    for i in range(len(kept) - 1):
        at, token, stop = offsets[i], kept[i], kept[i + 1]
        depth, is_head, whole = 0, False, True
        while at < offsets[i + 1] and whole:
            byte = np.int64(data[at])
            if byte == _SPACE:
                at += 1
            elif byte == _OPEN:
                is_head = True
                at += 1
            elif byte == _CLOSE:
                depth -= 1
                whole = depth >= 0 and arities[parents[depth]] > 0
                at += 1
            else:
                whole = token < stop
                if not whole:
                    break
                places[token] = at
                words[token], at = _word(data, at, offsets[i + 1])
                ends[token] = at
                if depth > 0:
                    arities[parents[depth - 1]] += 1
                if is_head:
                    parents[depth] = token
                    depth += 1
                    is_head = False
                token += 1
        if not whole or token != stop or depth != 0 or is_head:
            token = kept[i]
        for j in range(kept[i], stop):
            words[j] = words[j] + np.uint64(arities[j]) * GOLDEN if j < token else _BROKEN
    return words, places, ends, arities


@inline
def _word(data: Bytes, at: int, stop: int) -> tuple[np.uint64, int]:
    """Return the bytes of one name as a word, folded from seven bytes on, and its end."""
    state, packed = np.uint64(0), _ONE
    while at < stop:
        byte = np.int64(data[at])
        if byte == _SPACE or byte == _OPEN or byte == _CLOSE:
            break
        packed = (packed << _EIGHT) | np.uint64(byte)
        at += 1
        if packed >> _FULL:
            state = fold(state, packed)
            packed = _ONE
    return (fold(state, packed) if state else packed), at
