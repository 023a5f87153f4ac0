"""Structures that are read from prompts, or from a column, in a form that a user names.

| form | read |
|---|---|
| arithmetic | the formulas of a text: `What is 3 + 4 * x?` |
| tree | the longest complete tree in brackets of a text: `Simplify (and a (not b)).` |
| tokens | the words between spaces |
| code | fenced blocks, or the whole text, in the manner of Python |

A text without such a structure is a tree of one mark for its text, so that it equals no other one.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.coverage.code_texts import code_in, tree_of
from synthgen.coverage.infix_texts import formulas_in, prefix_of
from synthgen.coverage.loose_texts import loose_keys
from synthgen.coverage.structure_texts import BadTree, prefix_texts
from synthgen.trees.structures import MAX_ARGUMENTS

ARITHMETIC, TREES, SEQUENCES, CODE = "arithmetic", "tree", "tokens", "code"
FORMS = (ARITHMETIC, TREES, SEQUENCES, CODE)
NOUNS = {ARITHMETIC: "formula", TREES: "tree in brackets", CODE: "code"}
"""Names of what is read, for messages."""
_MAX_CHARACTERS = 100_000
_BRACKETS = re.compile(r"[()]|[^\x00-\x20()]+")


def structures_in(texts: pa.StringArray, form: str) -> tuple[pa.StringArray, NDArray[np.bool_]]:
    """Return the tree of each text, and which texts have one; `form` is a key of `NOUNS`."""
    read = _READERS[form]
    trees = [read(text) for text in texts.to_pylist()]
    has_tree = np.fromiter((tree is not None for tree in trees), np.bool_, len(trees))
    if not has_tree.all():
        keys = loose_keys(texts)[:, 0].tolist()
        trees = [tree or f"(text #{key:016x})" for tree, key in zip(trees, keys, strict=True)]
    plain = prefix_texts(pa.array(trees, pa.string()))
    if isinstance(plain, BadTree):
        raise ParamError("structure", trees[plain.row], plain.expected)
    return plain, has_tree


def _formulas(text: str) -> str | None:
    whole = prefix_of(text)
    if whole:
        return whole
    formulas = formulas_in(text)
    if len(formulas) < 2:
        return formulas[0] if formulas else None
    return f"(formulas {' '.join(formulas)})"


def _tree(text: str) -> str | None:
    """Return the longest complete tree in brackets that has at least two symbols."""
    if len(text) > _MAX_CHARACTERS:
        return None
    longest = (0, 0)
    starts: list[int] = []
    sizes: list[int] = []
    is_open = False  # the token before was an opening bracket
    for match in _BRACKETS.finditer(text):
        token = match.group()
        if is_open and token in "()":  # a bracket without a symbol is no part of a tree
            starts.clear()
            sizes.clear()
        is_open = token == "("
        if token == ")":
            size = sizes.pop() if sizes else 0
            start = starts.pop() if starts else match.end()
            if size > MAX_ARGUMENTS + 1:
                return None
            if size > 1 and match.end() - start > longest[1] - longest[0]:
                longest = start, match.end()
            continue
        if sizes:
            sizes[-1] += 1
        if is_open:
            starts.append(match.start())
            sizes.append(0)
    return text[slice(*longest)] or None


def _code(text: str) -> str | None:
    return tree_of(code_in(text))


_READERS: dict[str, Callable[[str], str | None]] = {
    ARITHMETIC: _formulas,
    TREES: _tree,
    CODE: _code,
}
