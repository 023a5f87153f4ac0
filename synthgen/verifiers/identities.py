"""Rewriting by a stated identity, from the text: found again, rewritten, and compared as a tree.

The problem is what stands between the last two backticks of a prompt, or the whole prompt if there
are none: `LHS = RHS | TERM =`. `check` makes sure that the left side matches TERM in exactly one
place, that the answer is TERM with this place rewritten, and that the rule, any one over a, b, c,
d, is an identity (`_identities_sound`: exact, once for each rule). `symbolic` does so again in
plain Python, and asks SymPy about the rule.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import integer_values, text_column
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._identities_exact import exact_answer
from synthgen.verifiers._identities_read import (
    COUNT,
    META_FIRST,
    NONE,
    Bytes,
    Space,
    fresh,
    new_space,
    read_term,
)
from synthgen.verifiers._identities_rewrite import N_METAS, Work, new_work, rewritten
from synthgen.verifiers._identities_sound import MOST_RULE_BYTES, is_identity
from synthgen.verifiers._problem_text import problem_span
from synthgen.verifiers._text_verifier import TextVerifier

_MOST_BYTES = 32_768
_SPACE, _EQUALS, _BAR, _NEWLINE = (ord(sign) for sign in " =|\n")


def _check_rows(
    prompts: Bytes,
    prompt_offsets: NDArray[np.int64],
    answers: Bytes,
    answer_offsets: NDArray[np.int64],
    solutions: Bytes,
    solution_offsets: NDArray[np.int64],
    stated: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Check all rows, and the rules of those that are right so far."""
    problems = (prompts, prompt_offsets, answers, answer_offsets)
    steps = (solutions, solution_offsets, stated)
    right, rules, offsets = _check_rewritings(*problems, *steps, new_space(), new_work())
    different = text_column(rules, offsets).dictionary_encode()
    hold = np.array([is_identity(rule) for rule in different.dictionary.to_pylist()], dtype=bool)
    return np.asarray(right & hold[integer_values(different.indices)], dtype=bool)


@njit(cache=True, nogil=True)
def _check_rewritings(
    prompts: Bytes,
    prompt_offsets: NDArray[np.int64],
    answers: Bytes,
    answer_offsets: NDArray[np.int64],
    solutions: Bytes,
    solution_offsets: NDArray[np.int64],
    stated: NDArray[np.bool_],
    space: Space,
    work: Work,
) -> tuple[NDArray[np.bool_], Bytes, NDArray[np.int64]]:
    """Say which rows are right if their rules are; return the rules of these, "" for the others.

    `stated` says which rows have a solution.
    """
    n = len(prompt_offsets) - 1
    right = np.zeros(n, np.bool_)
    rules = np.empty(prompt_offsets[n] - prompt_offsets[0], np.uint8)
    offsets = np.zeros(n + 1, np.int64)
    for i in range(n):
        offsets[i + 1] = offsets[i]
        start, end = problem_span(prompts, prompt_offsets[i], prompt_offsets[i + 1])
        low, high = answer_offsets[i], answer_offsets[i + 1]
        if end - start > _MOST_BYTES or high - low > _MOST_BYTES:
            continue
        equals, bar = _signs(prompts, start, end)
        if bar == NONE:
            continue
        fresh(space)
        wanted = _expected(prompts, start, equals, bar, end, space, work)
        if wanted == NONE or read_term(answers, low, high, 0, space) != wanted:
            continue
        low, high = solution_offsets[i], solution_offsets[i + 1]
        right[i] = not stated[i] or _tells_values(solutions, low, high, space, work[1])
        if right[i]:
            offsets[i + 1] += bar - 1 - start
            rules[offsets[i] : offsets[i + 1]] = prompts[start : bar - 1]
    return right, rules[: offsets[n]].copy(), offsets


@lent
def _signs(text: Bytes, start: Int, end: Int) -> tuple[Int, Int]:
    """Return where the problem text[start:end] has the rule's equals sign and its bar, or NONE."""
    equals = _find(text, start, end, _EQUALS)
    bar = _find(text, equals, end, _BAR)
    if bar >= end or bar - 1 - start > MOST_RULE_BYTES or end - bar < 5:
        return NONE, NONE
    if text[end - 1] != _EQUALS or text[end - 2] != _SPACE:
        return NONE, NONE
    return equals, bar


@lent
def _expected(
    text: Bytes, start: Int, equals: Int, bar: Int, end: Int, space: Space, work: Work
) -> Int:
    """Return the node that the problem text[start:end] asks for, or NONE."""
    left = read_term(text, start, equals - 1, 1, space)
    right = read_term(text, equals + 2, bar - 1, 1, space)
    n_rule = space[2][COUNT]
    term = read_term(text, bar + 2, end - 2, 0, space)
    if left == NONE or right == NONE or term == NONE:
        return NONE
    return rewritten(space, work, left, right, n_rule, term)


@lent
def _find(text: Bytes, start: Int, end: Int, sign: Int) -> Int:
    """Return the first place of a sign between single spaces, or `end`."""
    for at in range(start + 1, end - 1):
        if text[at] == sign:
            return at if text[at - 1] == _SPACE and text[at + 1] == _SPACE else end
    return end


@lent
def _tells_values(
    text: Bytes, start: Int, end: Int, space: Space, bound: NDArray[np.int64]
) -> bool:
    """Say whether text[start:end] has a line `a = TERM` with its value for each meta-variable."""
    at = start
    for meta in range(N_METAS):
        if bound[meta] == NONE:
            continue
        if at > start:
            if at >= end or text[at] != _NEWLINE:
                return False
            at += 1
        stop = at
        while stop < end and text[stop] != _NEWLINE:
            stop += 1
        if stop - at < 5 or stop - at > _MOST_BYTES or text[at] != META_FIRST + meta:
            return False
        if text[at + 1] != _SPACE or text[at + 2] != _EQUALS or text[at + 3] != _SPACE:
            return False
        if read_term(text, at + 4, stop, 0, space) != bound[meta]:
            return False
        at = stop
    return bool(at == end)


VERIFIER = TextVerifier(_check_rows, exact_answer, "string")
