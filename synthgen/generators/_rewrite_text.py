"""Kernels of string rewriting: derivations as prompts, answers and worked steps."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import offsets_of, text_column
from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.numerals import MOST_DIGITS, write_integer
from synthgen.generators._rewrite_draw import STRING

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int64]
_EMPTY, _OPEN, _CLOSE, _COLON, _SPACE, _NEWLINE = (np.uint8(ord(char)) for char in "_[]: \n")
_GREATER, _BAR = np.uint8(ord(">")), np.uint8(ord("|"))
_NONE = np.frombuffer(b"none", np.uint8)


def prompts_and_answers(
    codes: Codes, offsets: Offsets, positions: NDArray[np.int16], names: Bytes, lengths: Offsets
) -> tuple[pa.StringArray, pa.StringArray]:
    """Write `x > y | z` and the answer of every row.

    Args:
        codes: derivations.
        offsets: of the derivations.
        positions: of the leftmost occurrence, -1 where there is none.
        names: byte of each code of a letter.
        lengths: of left side, right side and input, int64 (n, 3).
    """
    sides = np.maximum(lengths[:, :2], 1).sum(axis=1)
    prompt_offsets = offsets_of(sides + lengths[:, 2] + 6)
    change = np.where(positions < 0, 0, lengths[:, 1] - lengths[:, 0])
    answer_offsets = offsets_of(lengths[:, 2] + change)
    prompts, answers = _write_rows(
        codes, offsets, positions, names, prompt_offsets[-1], answer_offsets[-1]
    )
    return text_column(prompts, prompt_offsets), text_column(answers, answer_offsets)


def steps(
    codes: Codes, offsets: Offsets, positions: NDArray[np.int16], names: Bytes
) -> pa.StringArray:
    """Write how the answer comes about: where the left side stands, and what takes its place."""
    bound = 2 * len(codes) + (MOST_DIGITS + 7) * len(positions)
    return text_column(*_write_steps(codes, offsets, positions, names, bound))


@njit(cache=True, nogil=True)
def _write(out: Bytes, at: Int, codes: Codes, start: Int, end: Int, names: Bytes) -> Int:
    """Write the letters of codes[start:end] at `at` and return where they end."""
    for place in range(end - start):
        out[at + place] = names[codes[start + place]]
    return at + end - start


@njit(cache=True, nogil=True)
def _spans(codes: Codes, start: Int) -> tuple[Int, Int, Int, Int, Int]:
    """Return where left and right side begin and end, and where the input begins."""
    lhs = start + 3
    lhs_end = lhs + np.int64(codes[lhs - 1]) - STRING
    rhs = lhs_end + 1
    rhs_end = rhs + np.int64(codes[rhs - 1]) - STRING
    return lhs, lhs_end, rhs, rhs_end, rhs_end + 1


@njit(cache=True, nogil=True)
def _write_rows(
    codes: Codes,
    offsets: Offsets,
    positions: NDArray[np.int16],
    names: Bytes,
    prompt_bytes: Int,
    answer_bytes: Int,
) -> tuple[Bytes, Bytes]:
    prompts = np.empty(prompt_bytes, np.uint8)
    answers = np.empty(answer_bytes, np.uint8)
    at: Int = 0
    to: Int = 0
    for i in range(len(positions)):
        lhs, lhs_end, rhs, rhs_end, text = _spans(codes, offsets[i])
        end = offsets[i + 1]
        at = _write(prompts, at, codes, lhs, lhs_end, names)
        prompts[at], prompts[at + 1], prompts[at + 2] = _SPACE, _GREATER, _SPACE
        at += 3
        if rhs == rhs_end:
            prompts[at] = _EMPTY
            at += 1
        at = _write(prompts, at, codes, rhs, rhs_end, names)
        prompts[at], prompts[at + 1], prompts[at + 2] = _SPACE, _BAR, _SPACE
        at = _write(prompts, at + 3, codes, text, end, names)
        match = text + np.int64(positions[i])
        if positions[i] < 0:
            to = _write(answers, to, codes, text, end, names)
            continue
        to = _write(answers, to, codes, text, match, names)
        to = _write(answers, to, codes, rhs, rhs_end, names)
        to = _write(answers, to, codes, match + lhs_end - lhs, end, names)
    return prompts, answers


@njit(cache=True, nogil=True)
def _write_steps(
    codes: Codes, offsets: Offsets, positions: NDArray[np.int16], names: Bytes, bound: Int
) -> tuple[Bytes, Offsets]:
    """Write `p: before[x]after` and `before[y]after`, or `none`."""
    out = np.empty(bound, np.uint8)
    out_offsets = np.zeros(len(positions) + 1, np.int64)
    at: Int = 0
    for i in range(len(positions)):
        lhs, lhs_end, rhs, rhs_end, text = _spans(codes, offsets[i])
        end = offsets[i + 1]
        match = text + np.int64(positions[i])
        if positions[i] < 0:
            out[at : at + len(_NONE)] = _NONE
            at += len(_NONE)
        else:
            at = write_integer(out, at, np.int64(positions[i]))
            out[at], out[at + 1] = _COLON, _SPACE
            at += 2
            for line in range(2):
                at = _write(out, at, codes, text, match, names)
                out[at] = _OPEN
                start, stop = (lhs, lhs_end) if line == 0 else (rhs, rhs_end)
                at = _write(out, at + 1, codes, start, stop, names)
                out[at] = _CLOSE
                at = _write(out, at + 1, codes, match + lhs_end - lhs, end, names)
                if line == 0:
                    out[at] = _NEWLINE
                    at += 1
        out_offsets[i + 1] = at
    return out, out_offsets
