"""Axes of string rewriting: of the rule, by its strings alone, and of what happens to the input."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.contract import Axis
from synthgen.core.lazy import Columns
from synthgen.core.randomness import GOLDEN, mix64
from synthgen.generators._rewrite_draw import LENGTH, NEARLY, OVERLAPPING, POSITION, SEPARATE
from synthgen.generators._rewrite_nearly import NOOP_KINDS
from synthgen.generators._rewrite_strings import (
    CLASSES,
    FREE,
    MIRRORED,
    REPEATED,
    Letters,
    is_of_class,
)

BINS = 10
_ONE = np.uint64(1)


def rewrite_axes(
    rules: range, lhs: tuple[int, int], rhs: tuple[int, int], inputs: tuple[int, int]
) -> dict[str, Axis]:
    """Return the axes of rules and inputs with these numbers and ranges of lengths."""
    most = inputs[1]
    times = most // lhs[0]
    largest = max(lhs[1], 1)
    return {
        "rule": Axis("number of the rule in its pool", "int32", rules[0], rules[-1], (), False),
        "rank": Axis(
            "place of the rule by rows, 1 the most", "int32", 1, len(rules), canonical=False
        ),
        "lhs": Axis("63-bit hash of the left side", "int64", 0, 2**63 - 1),
        "rhs": Axis("63-bit hash of the right side", "int64", 0, 2**63 - 1),
        "lhs_length": Axis("letters of the left side", "int16", *lhs),
        "rhs_length": Axis("letters of the right side", "int16", *rhs),
        "rule_class": Axis("class of largest k of both sides", values=CLASSES),
        "class_k": Axis("largest k of any class", "int16", 1, largest),
        "repeated_k": Axis("largest k with both sides repeated(k)", "int16", 1, largest),
        "periodic_k": Axis("largest k with both sides periodic(k)", "int16", 1, largest),
        "mirrored_k": Axis("largest k with both sides mirrored(k)", "int16", 1, largest),
        "op_type": Axis("whether the left side occurs", values=("no_op", "has_op")),
        "noop_kind": Axis("what is like the left side in a no-op's input", values=NOOP_KINDS),
        "occ_overlap": Axis("occurrences, overlaps counted", "int16", 0, most),
        "occ_nonoverlap": Axis("occurrences without overlaps", "int16", 0, times),
        "match_position": Axis("letters before the leftmost one, or -1", "int16", -1, most),
        "match_bin": Axis("tenth of all possible places that it is in, or -1", "int16", -1, 9),
        "input_length": Axis("letters of the input", "int16", *inputs),
    }


_RULE_AXES = (
    *("lhs", "rhs", "lhs_length", "rhs_length", "rule_class", "class_k"),
    *("repeated_k", "periodic_k", "mirrored_k", "rank"),
)


class _Lazily(Mapping[str, NDArray[Any]]):
    """Columns, each of them computed when somebody first looks at it: most are of the rule."""

    def __init__(self, ways: Mapping[str, Callable[[], NDArray[Any]]]) -> None:
        self._ways = ways
        self._found: dict[str, NDArray[Any]] = {}

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._found:
            self._found[name] = self._ways[name]()
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ways)

    def __len__(self) -> int:
        return len(self._ways)


def problem_columns(
    rules: NDArray[np.int64],
    found: NDArray[np.int16],
    first_rule: int,
    of_rules: Callable[[], Columns],
) -> Columns:
    """Return the axes of rows.

    Args:
        rules: of the rows, counted from the first one.
        found: columns of `draw_inputs`.
        first_rule: number of the first one in its pool.
        of_rules: gives the columns of the rules.
    """
    position, length = found[POSITION], found[LENGTH]

    def of_rule(name: str) -> NDArray[Any]:
        column: NDArray[Any] = of_rules()[name][rules]
        return column

    def match_bins() -> NDArray[np.int16]:
        places = length.astype(np.int64) - of_rule("lhs_length") + 1
        bins: NDArray[np.int64] = np.maximum(BINS * position.astype(np.int64) // places, -1)
        return bins.astype(np.int16)

    return _Lazily(
        {
            **{name: partial(of_rule, name) for name in _RULE_AXES},
            "rule": lambda: (rules + first_rule).astype(np.int32),
            "op_type": lambda: (position >= 0).astype(np.int16),
            "noop_kind": lambda: found[NEARLY],
            "occ_overlap": lambda: found[OVERLAPPING],
            "occ_nonoverlap": lambda: found[SEPARATE],
            "match_position": lambda: position,
            "match_bin": match_bins,
            "input_length": lambda: length,
        }
    )


def rule_columns(
    letters: Letters, starts: NDArray[np.int64], alphabet: NDArray[np.uint8]
) -> Mapping[str, NDArray[np.integer]]:
    """Return the axes of each rule that follow from its strings."""
    hashes = _hash_strings(letters, starts, alphabet)
    lengths = np.diff(starts).astype(np.int16)
    largest = _largest_k(letters, starts)
    class_k = largest.max(axis=1)
    first = (largest.argmax(axis=1) + REPEATED).astype(np.int16)
    return {
        "lhs": hashes[0::2],
        "rhs": hashes[1::2],
        "lhs_length": lengths[0::2],
        "rhs_length": lengths[1::2],
        "rule_class": np.where(class_k == 1, np.int16(FREE), first),
        "class_k": class_k,
        "repeated_k": largest[:, 0],
        "periodic_k": largest[:, 1],
        "mirrored_k": largest[:, 2],
    }


@njit(cache=True, nogil=True)
def _hash_strings(
    letters: Letters, starts: NDArray[np.int64], alphabet: NDArray[np.uint8]
) -> NDArray[np.int64]:
    """Hash the text of each string to 63 bits."""
    out = np.empty(len(starts) - 1, np.int64)
    for i in range(len(out)):
        word: np.uint64 = GOLDEN
        for place in range(starts[i], starts[i + 1]):
            word = mix64((word ^ np.uint64(alphabet[letters[place]])) + GOLDEN)
        out[i] = np.int64(word >> _ONE)
    return out


@njit(cache=True, nogil=True)
def _largest_k(letters: Letters, starts: NDArray[np.int64]) -> NDArray[np.int16]:
    """Return the largest k of repeated, periodic and mirrored that both sides have, (n, 3)."""
    n = (len(starts) - 1) // 2
    out = np.ones((n, 3), np.int16)
    for i in range(n):
        lhs, rhs, end = starts[2 * i], starts[2 * i + 1], starts[2 * i + 2]
        for k in range(2, rhs - lhs + 1):
            if (rhs - lhs) % k != 0 or (end - rhs) % k != 0:
                continue
            for kind in range(REPEATED, MIRRORED + 1):
                left = is_of_class(letters, lhs, rhs - lhs, kind, k)
                if left and is_of_class(letters, rhs, end - rhs, kind, k):
                    out[i, kind - REPEATED] = k
    return out
