"""The check of PCFG SET rows, with and without exceptions."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import text_bytes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.offsets import longest_row
from synthgen.verifiers._pcfg_exact import exact_result
from synthgen.verifiers._pcfg_lines import tells_lines
from synthgen.verifiers._pcfg_text import (
    COLUMNS,
    NAMES,
    OP,
    SYNONYM,
    Bytes,
    Nodes,
    find_lengths,
    parse_program,
    tells_result,
)
from synthgen.verifiers._problem_text import problem_span, solution_bytes
from synthgen.verifiers.answers import grade

Exceptional = tuple[str, str, str, str]
"""Outer and inner function, and what they mean right after each other."""

_MOST_WORK = 1 << 27
"""Nodes of a program times bytes to compare with it: more are refused."""


class PcfgVerifier:
    """Checks PCFG SET rows by reading their text.

    Args:
        exceptions: pairs of functions with exceptional meanings, the first of which that occurs in
            a program is applied wherever it occurs.
    """

    def __init__(self, exceptions: tuple[Exceptional, ...] = ()) -> None:
        self._exceptions = exceptions
        rows = [[NAMES.index(name) for name in exception] for exception in exceptions]
        self._table = np.array(rows, np.int64).reshape(-1, 4)

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Compare answers with the programs' results, and solutions, if any, with their steps."""
        lines, offsets, stated = solution_bytes(answers, solutions)
        columns = (*text_bytes(prompts), *text_bytes(answers))
        return _check_rows(*columns, lines, offsets, stated, self._table)

    def symbolic(self, prompts: pa.StringArray, answers: pa.StringArray) -> NDArray[np.bool_]:
        """Evaluate every prompt again, in plain Python with lists."""
        pairs = zip(prompts.to_pylist(), answers.to_pylist(), strict=True)
        right = [exact_result(prompt, self._exceptions) == answer for prompt, answer in pairs]
        return np.array(right, dtype=bool)

    def grade(self, prediction: str, answer: str) -> float:
        """Return 1.0 if the prediction is the answer but for white space around it, else 0.0."""
        return grade(prediction, answer, "string")


@njit(cache=True, nogil=True)
def _check_rows(
    prompts: Bytes,
    prompt_offsets: NDArray[np.int64],
    answers: Bytes,
    answer_offsets: NDArray[np.int64],
    solutions: Bytes,
    solution_offsets: NDArray[np.int64],
    stated: NDArray[np.bool_],
    exceptions: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Check all rows; `stated` says which of them have a solution."""
    n = len(prompt_offsets) - 1
    right = np.zeros(n, np.bool_)
    # Every token of a program takes two bytes with its space.
    room = longest_row(prompt_offsets) // 2 + 2
    nodes = np.empty((room, COLUMNS), np.int64)
    symbols = np.empty(room, np.int64)
    stack = np.empty((room, 2), np.int64)
    for i in range(n):
        start, end = problem_span(prompts, prompt_offsets[i], prompt_offsets[i + 1])
        n_nodes = parse_program(prompts, start, end, nodes, symbols, stack)
        if n_nodes == 0:
            continue
        _apply_exceptions(nodes, n_nodes, exceptions)
        if not find_lengths(nodes, n_nodes):
            continue
        start, end = answer_offsets[i], answer_offsets[i + 1]
        if n_nodes * (end - start) > _MOST_WORK:
            continue
        right[i] = tells_result(answers, start, end, nodes, 0, symbols)
        if right[i] and stated[i]:
            start, end = solution_offsets[i], solution_offsets[i + 1]
            right[i] = n_nodes * (end - start) <= _MOST_WORK
            if right[i]:
                right[i] = tells_lines(solutions, start, end, nodes, symbols, stack)
    return right


@lent
def _apply_exceptions(nodes: Nodes, n_nodes: Int, exceptions: NDArray[np.int64]) -> None:
    """Replace the first exceptional pair that occurs by its meaning, wherever it occurs."""
    for number in range(len(exceptions)):
        found = False
        for node in range(n_nodes - 1):
            if nodes[node, SYNONYM] + nodes[node + 1, SYNONYM] > 0:
                continue
            pair = nodes[node, OP] == exceptions[number, 0]
            if pair and nodes[node + 1, OP] == exceptions[number, 1]:
                nodes[node, OP] = exceptions[number, 2]
                nodes[node + 1, OP] = exceptions[number, 3]
                found = True
        if found:
            return
