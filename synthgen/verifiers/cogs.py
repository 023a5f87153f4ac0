"""COGS from the text: a parser that reads a sentence from left to right, and a slow second one.

The input (a sentence, or a single word) is what stands between the last two backticks of a prompt,
or the whole prompt if there are none. Both forms of logical forms are known: a prompt with an
example shows which one it wants, otherwise the answer has its own. Nouns and names may be any words
that are not otherwise known; verbs are known by their forms.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import text_bytes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.offsets import longest_row
from synthgen.verifiers._cogs_compare import WRONG, Expected, phrase_table
from synthgen.verifiers._cogs_follow import (
    SINGLE_AGENT,
    SINGLE_BOTH,
    SINGLE_NAME,
    SINGLE_NOUN,
    SINGLE_THEME,
    follow_formula,
    follow_free_formula,
    follow_word_formula,
)
from synthgen.verifiers._cogs_parse import WIDTH, parse_sentence
from synthgen.verifiers._cogs_slow import logical_forms, wanted_form
from synthgen.verifiers._cogs_tokens import (
    CAPITALISED,
    LONGEST_INPUT,
    LOWER,
    UNKNOWN,
    USE,
    Bytes,
    Table,
    Tokens,
    room_for,
    split_words,
    word_table,
)
from synthgen.verifiers._cogs_tree import follow_tree, follow_word_tree
from synthgen.verifiers._problem_text import problem_span, solution_bytes
from synthgen.verifiers.answers import grade

_EQUALS, _X, _UNDERSCORE, _BLANK = (ord(char) for char in "=x_ ")
_EITHER, _ORIGINAL, _FREE = range(3)
_AGENT_WORD, _THEME_WORD, _BOTH_WORD = USE["w"], USE["y"], USE["z"]


class CogsVerifier:
    """Checks COGS rows by reading their text."""

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Compile every input, and compare its answer and, if stated, its derivation."""
        text, offsets = text_bytes(prompts)
        tokens = min(int(longest_row(offsets)), LONGEST_INPUT) // 2 + 2
        expected = Expected(
            phrases=phrase_table(),
            table=word_table(),
            text=text,
            tokens=room_for(tokens),
            meanings=np.zeros((tokens, WIDTH), np.int64),
        )
        trees, tree_offsets, stated = solution_bytes(answers, solutions)
        columns = (offsets, *text_bytes(answers), trees, tree_offsets)
        return _check_rows(expected, *columns, stated)

    def symbolic(self, prompts: pa.StringArray, answers: pa.StringArray) -> NDArray[np.bool_]:
        """Build every logical form again in plain Python, clause by clause."""
        pairs = zip(prompts.to_pylist(), answers.to_pylist(), strict=True)
        return np.array([_is_form(prompt, answer) for prompt, answer in pairs], dtype=bool)

    def grade(self, prediction: str, answer: str) -> float:
        """Return 1.0 if the prediction is the logical form of the answer, else 0.0."""
        return grade(prediction, answer, "string")


VERIFIER = CogsVerifier()


def _is_form(prompt: str, answer: str) -> bool:
    forms = logical_forms(prompt)
    wanted = wanted_form(prompt)
    return answer in (forms if wanted is None else forms[wanted : wanted + 1])


@njit(cache=True, nogil=True)
def _check_rows(
    expected: Expected,
    prompt_offsets: NDArray[np.int64],
    answers: Bytes,
    answer_offsets: NDArray[np.int64],
    solutions: Bytes,
    solution_offsets: NDArray[np.int64],
    stated: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Check all rows; `stated` says which of them have a solution."""
    n = len(prompt_offsets) - 1
    right = np.zeros(n, np.bool_)
    table, text, tokens = expected.table, expected.text, expected.tokens
    for i in range(n):
        start, end = problem_span(text, prompt_offsets[i], prompt_offsets[i + 1])
        count = split_words(table, text, start, end, tokens)
        if count == 0:
            continue
        at, last = answer_offsets[i], answer_offsets[i + 1]
        tree, tree_end = solution_offsets[i], solution_offsets[i + 1]
        if count == 1:
            kind = _single_kind(table, tokens)
            if kind == WRONG:
                continue
            at = follow_word_formula(expected, answers, at, last, kind)
            if stated[i]:
                tree = follow_word_tree(expected, solutions, tree, tree_end, kind)
        else:
            if not parse_sentence(table, tokens, count, expected.meanings):
                continue
            form = _wanted(text, prompt_offsets[i], start)
            if form == _FREE or (form == _EITHER and _has_equals(answers, at, last)):
                at = follow_free_formula(expected, answers, at, last)
            else:
                at = follow_formula(expected, answers, at, last, count)
            if stated[i]:
                tree = follow_tree(expected, solutions, tree, tree_end)
        right[i] = at == last and (not stated[i] or tree == tree_end)
    return right


@lent
def _wanted(text: Bytes, start: Int, end: Int) -> Int:
    """Return which form the wording text[start:end] shows: the one with `x _` or with ` = `."""
    form = _EITHER
    for at in range(start, end - 2):
        if text[at + 1] == _BLANK and text[at] == _X and text[at + 2] == _UNDERSCORE:
            return _ORIGINAL
        if text[at + 1] == _EQUALS and text[at] == _BLANK and text[at + 2] == _BLANK:
            form = _FREE
    return form


@lent
def _has_equals(text: Bytes, start: Int, end: Int) -> bool:
    for at in range(start, end):
        if text[at] == _EQUALS:
            return True
    return False


@lent
def _single_kind(table: Table, tokens: Tokens) -> Int:
    """Return what kind of word the only one is, or WRONG."""
    number, shape = tokens.words[0], tokens.shapes[0]
    if number == UNKNOWN:
        if shape == CAPITALISED:
            return SINGLE_NAME
        return SINGLE_NOUN if shape == LOWER else WRONG
    uses = table.uses[number]
    if uses & _AGENT_WORD:
        return SINGLE_AGENT
    if uses & _THEME_WORD:
        return SINGLE_THEME
    return SINGLE_BOTH if uses & _BOTH_WORD else WRONG
