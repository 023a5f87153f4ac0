"""The verifier of families with few problems: rows that differ in the names of letters are one.

Every statement of these families has its letters between apostrophes, as in 'a' or 'ab*', and
stays the same problem when they are renamed. A kernel hashes each row (prompt, answer, solution)
with the letters between apostrophes replaced by the order in which they first occur; of rows that
then agree, one is read and worked out. A family without letters is grouped by its whole texts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import TypeVar

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import integer_column, text_bytes
from synthgen.core.randomness import mix64
from synthgen.verifiers._problem_text import solution_bytes
from synthgen.verifiers.omega._plain import PlainVerifier

P = TypeVar("P", bound=Hashable)
Words = NDArray[np.uint64]

_APOSTROPHE, _A, _Z = np.uint8(ord("'")), np.uint8(ord("a")), np.uint8(ord("z"))
_FIRST = np.uint64(0xCBF29CE484222325)
_STEP_1, _STEP_2 = np.uint64(0x9E6C63D0876A9A47), np.uint64(0x9FB21C651E98DF25)
_RENAMED, _END = 256, np.uint64(512)
_REMEMBERED = 1 << 14


class GroupedVerifier(PlainVerifier[P]):
    """A verifier in plain Python that looks at each different row once.

    Args:
        read, solve, exact, answer_type, follows: as of the verifier it is built on.
    """

    def __init__(
        self,
        read: Callable[[str], P | None],
        solve: Callable[[P], str | None],
        exact: Callable[[P], str | None],
        answer_type: str,
        follows: Callable[[P, str, str], bool] | None = None,
    ) -> None:
        super().__init__(read, solve, lru_cache(_REMEMBERED)(exact), answer_type, follows)

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Work out one row of each group."""
        columns = (*text_bytes(prompts), *text_bytes(answers), *solution_bytes(answers, solutions))
        hashes = _hash_rows(*columns)
        _, firsts, group = np.unique(hashes[:, 0], return_index=True, return_inverse=True)
        chosen = integer_column(firsts)
        ways = None if solutions is None else solutions.take(chosen)
        verdicts = super().check(prompts.take(chosen), answers.take(chosen), ways)
        right: NDArray[np.bool_] = verdicts[group]
        strange = np.flatnonzero(hashes[:, 1] != hashes[firsts[group], 1])
        if len(strange):  # one lane agrees by chance
            alone = integer_column(strange)
            ways = None if solutions is None else solutions.take(alone)
            right[strange] = super().check(prompts.take(alone), answers.take(alone), ways)
        return right


@njit(cache=True, nogil=True)
def _hash_rows(
    prompts: NDArray[np.uint8],
    prompt_ends: NDArray[np.int64],
    answers: NDArray[np.uint8],
    answer_ends: NDArray[np.int64],
    ways: NDArray[np.uint8],
    way_ends: NDArray[np.int64],
    stated: NDArray[np.bool_],
) -> Words:
    """Hash every row up to the names of its letters, uint64 (n, 2)."""
    n = len(prompt_ends) - 1
    out = np.empty((n, 2), np.uint64)
    names = np.zeros(27, np.int64)  # order of each letter, from 1; last, how many there are
    for i in range(n):
        names[:] = 0
        lanes = _hash_text(_FIRST, _FIRST, names, prompts[prompt_ends[i] : prompt_ends[i + 1]])
        lanes = _hash_text(lanes[0], lanes[1], names, answers[answer_ends[i] : answer_ends[i + 1]])
        if stated[i]:
            lanes = _hash_text(lanes[0], lanes[1], names, ways[way_ends[i] : way_ends[i + 1]])
        out[i, 0], out[i, 1] = mix64(lanes[0]), mix64(lanes[1])
    return out


@njit(cache=True, nogil=True)
def _hash_text(
    first: np.uint64, second: np.uint64, names: NDArray[np.int64], text: NDArray[np.uint8]
) -> tuple[np.uint64, np.uint64]:
    """Fold one text and its end into both lanes, the letters between apostrophes by their order."""
    quoted = False
    for byte in text:
        word = np.uint64(byte)
        if byte == _APOSTROPHE:
            quoted = not quoted
        elif quoted and _A <= byte <= _Z:
            place = np.int64(byte - _A)
            if names[place] == 0:
                names[26] += 1
                names[place] = names[26]
            word = np.uint64(_RENAMED + names[place])
        first = (first ^ word) * _STEP_1
        second = (second + word) * _STEP_2
    return (first ^ _END) * _STEP_1, (second + _END) * _STEP_2
