"""Kernels of string rewriting: prompts, answers and worked steps."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, text_column
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.numerals import MOST_DIGITS, write_integer
from synthgen.generators._rewrite_strings import Letters

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int64]
_EMPTY, _OPEN, _CLOSE, _COLON, _SPACE, _NEWLINE = (np.uint8(ord(char)) for char in "_[]: \n")
_GREATER, _BAR = np.uint8(ord(">")), np.uint8(ord("|"))
_NONE = np.frombuffer(b"none", np.uint8)
_SIGNS = len(" > ") + len(" | ")


Rules = tuple[NDArray[np.int64], Letters, Offsets]
"""Rule of each row, letters of both sides of all rules, and their offsets."""


def prompts_and_answers(
    rules: Rules, inputs: Ragged, positions: NDArray[np.int16], alphabet: Bytes
) -> tuple[pa.StringArray, pa.StringArray]:
    """Write `x > y | z` and the answer of every row.

    Args:
        rules: of the rows.
        inputs: their letters.
        positions: of the leftmost occurrence, -1 where there is none.
        alphabet: byte of each letter.
    """
    prompt_offsets, answer_offsets = _offsets(rules[0], rules[2], inputs.offsets, positions)
    prompts, answers = _write_rows(
        *rules,
        *(inputs.values, inputs.offsets),
        positions,
        alphabet,
        prompt_offsets[-1],
        answer_offsets[-1],
    )
    return text_column(prompts, prompt_offsets), text_column(answers, answer_offsets)


def steps(
    rules: Rules, inputs: Ragged, positions: NDArray[np.int16], alphabet: Bytes
) -> pa.StringArray:
    """Write how the answer comes about: where the left side stands, and what takes its place."""
    sides = np.diff(rules[2]).reshape(-1, 2)[rules[0]]
    bound = int(2 * inputs.lengths.sum() + sides.sum()) + (MOST_DIGITS + 7) * len(positions)
    return text_column(
        *_write_steps(*rules, inputs.values, inputs.offsets, positions, alphabet, bound)
    )


@njit(cache=True, nogil=True)
def _offsets(
    rules: NDArray[np.int64], starts: Offsets, offsets: Offsets, positions: NDArray[np.int16]
) -> tuple[Offsets, Offsets]:
    """Return where each prompt and answer begins, and the last one ends."""
    prompts, answers = np.zeros(len(offsets), np.int64), np.zeros(len(offsets), np.int64)
    for i in range(len(positions)):
        lhs, rhs, end = starts[2 * rules[i]], starts[2 * rules[i] + 1], starts[2 * rules[i] + 2]
        length = offsets[i + 1] - offsets[i]
        change = 0 if positions[i] < 0 else (end - rhs) - (rhs - lhs)
        prompts[i + 1] = prompts[i] + rhs - lhs + max(end - rhs, 1) + length + _SIGNS
        answers[i + 1] = answers[i] + length + change
    return prompts, answers


@lent
def _write(out: Bytes, at: Int, letters: Letters, start: Int, end: Int, alphabet: Bytes) -> Int:
    """Write letters[start:end] at `at` and return where they end."""
    to, source = np.uintp(at), np.uintp(start)  # unsigned: no index from the end to look for
    for place in range(np.uintp(end - start)):
        out[to + place] = alphabet[letters[source + place]]
    return at + end - start


@njit(cache=True, nogil=True)
def _write_rows(
    rules: NDArray[np.int64],
    letters: Letters,
    starts: Offsets,
    inputs: Letters,
    offsets: Offsets,
    positions: NDArray[np.int16],
    alphabet: Bytes,
    prompt_bytes: Int,
    answer_bytes: Int,
) -> tuple[Bytes, Bytes]:
    prompts = np.empty(prompt_bytes, np.uint8)
    answers = np.empty(answer_bytes, np.uint8)
    at: Int = 0
    to: Int = 0
    for i in range(len(positions)):
        side = 2 * rules[i]
        lhs, rhs, rhs_end = starts[side], starts[side + 1], starts[side + 2]
        text, end = offsets[i], offsets[i + 1]
        at = _write(prompts, at, letters, lhs, rhs, alphabet)
        prompts[at], prompts[at + 1], prompts[at + 2] = _SPACE, _GREATER, _SPACE
        at += 3
        if rhs == rhs_end:
            prompts[at] = _EMPTY
            at += 1
        at = _write(prompts, at, letters, rhs, rhs_end, alphabet)
        prompts[at], prompts[at + 1], prompts[at + 2] = _SPACE, _BAR, _SPACE
        at += 3
        at = _write(prompts, at, inputs, text, end, alphabet)
        match = text + np.int64(positions[i])
        if match < text:
            to = _write(answers, to, inputs, text, end, alphabet)
        else:
            to = _write(answers, to, inputs, text, match, alphabet)
            to = _write(answers, to, letters, rhs, rhs_end, alphabet)
            to = _write(answers, to, inputs, match + rhs - lhs, end, alphabet)
    return prompts, answers


@njit(cache=True, nogil=True)
def _write_steps(
    rules: NDArray[np.int64],
    letters: Letters,
    starts: Offsets,
    inputs: Letters,
    offsets: Offsets,
    positions: NDArray[np.int16],
    alphabet: Bytes,
    bound: Int,
) -> tuple[Bytes, Offsets]:
    """Write `p: before[x]after` and `before[y]after`, or `none`."""
    out = np.empty(bound, np.uint8)
    out_offsets = np.zeros(len(positions) + 1, np.int64)
    at: Int = 0
    for i in range(len(positions)):
        if positions[i] < 0:
            out[at : at + len(_NONE)] = _NONE
            at += len(_NONE)
        else:
            lhs = 2 * rules[i]
            match = offsets[i] + np.int64(positions[i])
            rest = match + starts[lhs + 1] - starts[lhs]
            at = write_integer(out, at, np.int64(positions[i]))
            out[at], out[at + 1] = _COLON, _SPACE
            at += 2
            for side in range(lhs, lhs + 2):
                at = _write(out, at, inputs, offsets[i], match, alphabet)
                out[at] = _OPEN
                at = _write(out, at + 1, letters, starts[side], starts[side + 1], alphabet)
                out[at] = _CLOSE
                at = _write(out, at + 1, inputs, rest, offsets[i + 1], alphabet)
                if side == lhs:
                    out[at] = _NEWLINE
                    at += 1
        out_offsets[i + 1] = at
    return out, out_offsets
