"""PCFG SET from the text, with or without exceptions.

The program is the text between the last two backticks of a prompt, or the whole prompt if there are
none, with or without brackets. The compiled check looks every symbol of a result up in the text;
the oracle evaluates lists of symbols while it reads, as a pushdown automaton.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import TextVerifier
from synthgen.authoring.problem_text import problem_of
from synthgen.families.pcfg.verify_kernels import NAMES, Tree, check_rows

_MOST_TEXT = 100_000
_MOST_SYMBOLS = 20_000
_SYMBOL = re.compile(r"[A-Z][1-9][0-9]{0,5}", re.ASCII)
_TWIN = "_twin"
_ARGUMENT = "argument"

String = list[str] | None
"""None for a string that is too long to be written down."""
Exceptions = tuple[tuple[str, str, str, str], ...]
"""Outer and inner function, and what they mean next to each other."""

_UNARY: dict[str, Callable[[list[str]], list[str]]] = {
    "copy": lambda x: x,
    "reverse": lambda x: x[::-1],
    "shift": lambda x: x[1:] + x[:1],
    "echo": lambda x: x + x[-1:],
    "swap_first_last": lambda x: x[-1:] + x[1:-1] + x[:1],
    "repeat": lambda x: x + x,
}
_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "append": lambda x, y: x + y,
    "prepend": lambda x, y: y + x,
    "remove_first": lambda _, y: y,
    "remove_second": lambda x, _: x,
}
_EXCEPTIONS: Exceptions = (
    ("reverse", "echo", "echo", "copy"),
    ("prepend", "remove_first", "remove_second", "append"),
    ("echo", "remove_first", "copy", "append"),
    ("prepend", "reverse", "remove_second", "echo"),
)
"""Of several pairs in a program only the first of this list counts, wherever it occurs."""


def _exact(prompt: str, exceptions: Exceptions) -> str | None:
    """Return the result of a prompt's program, or None if it has none of sensible length."""
    text = problem_of(prompt)
    if len(text) > _MOST_TEXT:
        return None
    tokens = _meant(text.split(" "), exceptions)
    if tokens[0].removesuffix(_TWIN) not in (*_UNARY, *_BINARY):
        return None
    opening, closing = (["("], [")"]) if tokens[1:2] == ["("] else ([], [])
    awaited = [_ARGUMENT]  # what must follow, last first; the name of a function: apply it
    values: list[String] = []
    at = 0
    while awaited:
        expected = awaited.pop()
        token = tokens[at] if at < len(tokens) else ""
        name = token.removesuffix(_TWIN)
        if expected in _UNARY or expected in _BINARY:
            if not _apply(expected, values):
                return None
        elif expected != _ARGUMENT:
            if token != expected:
                return None
            at += 1
        elif name in _UNARY or name in _BINARY:
            second = [_ARGUMENT, ","] if name in _BINARY else []
            awaited += [name, *closing, *second, _ARGUMENT, *opening]
            at += 1
        else:
            start = at
            while at < len(tokens) and _SYMBOL.fullmatch(tokens[at]):
                at += 1
            if at == start:
                return None
            values.append(tokens[start:at])
    return " ".join(values[0]) if at == len(tokens) and values[0] is not None else None


def _meant(tokens: list[str], exceptions: Exceptions) -> list[str]:
    """Replace the first exceptional pair that occurs, brackets aside, wherever it occurs."""
    places = [at for at, token in enumerate(tokens) if token not in ("(", ")")]
    for outer, inner, one, other in exceptions:
        pairs = [(i, k) for i, k in pairwise(places) if (tokens[i], tokens[k]) == (outer, inner)]
        if pairs:
            meant = list(tokens)
            for i, k in pairs:
                meant[i], meant[k] = one, other
            return meant
    return tokens


def _apply(name: str, values: list[String]) -> bool:
    """Replace the last values by a function's result; false if it is not defined."""
    if name in _BINARY:
        y, x = values.pop(), values.pop()
        known = name.startswith("remove") or (x is not None and y is not None)
        result = _BINARY[name](x, y) if known else None
    else:
        x = values.pop()
        if name == "swap_first_last" and x is not None and len(x) < 2:
            return False
        result = _UNARY[name](x) if x is not None else None
    values.append(result if result is not None and len(result) <= _MOST_SYMBOLS else None)
    return True


def _verifier(exceptions: Exceptions) -> TextVerifier:
    rows = [[NAMES.index(name) for name in exception] for exception in exceptions]
    table = np.array(rows, np.int64).reshape(-1, 4)

    def check(*columns: Any) -> NDArray[np.bool_]:
        return check_rows(columns, table, Tree.for_prompts(columns[1]))

    return TextVerifier(check, partial(_exact, exceptions=exceptions), "string")


VERIFIERS = {"pcfg": _verifier(()), "pcfg_exceptions": _verifier(_EXCEPTIONS)}
