"""The slow oracle of PCFG SET: lists of symbols, reduced from the right end of the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from synthgen.verifiers._problem_text import problem_of

_MOST_TEXT = 100_000
_MOST_SYMBOLS = 20_000
_SYMBOL = re.compile(r"[A-Z][1-9][0-9]{0,5}", re.ASCII)
_TWIN = "_twin"

String = list[str] | None
"""None stands for a string that is too long to be written down."""

_UNARY: dict[str, Callable[[list[str]], list[str]]] = {
    "copy": lambda x: x,
    "reverse": lambda x: x[::-1],
    "shift": lambda x: x[1:] + x[:1],
    "echo": lambda x: x + x[-1:],
    "swap_first_last": lambda x: x[-1:] + x[1:-1] + x[:1],
    "repeat": lambda x: x + x,
}
_BINARY = ("append", "prepend", "remove_first", "remove_second")


def exact_result(prompt: str, exceptions: Sequence[tuple[str, str, str, str]]) -> str | None:
    """Return the result of the prompt's program, or None if it has none of sensible length."""
    text = problem_of(prompt)
    if len(text) > _MOST_TEXT:
        return None
    tokens = _without_brackets(text.split(" "))
    if tokens is None or tokens[0].removesuffix(_TWIN) not in (*_UNARY, *_BINARY):
        return None
    try:
        result = _reduce(_meant(tokens, exceptions))
    except ValueError:
        return None
    return None if result is None else " ".join(result)


def _meant(tokens: list[str], exceptions: Sequence[tuple[str, str, str, str]]) -> list[str]:
    """Replace the first exceptional pair that stands somewhere, wherever it stands."""
    pairs = set(pairwise(tokens))
    for outer, inner, one, other in exceptions:
        if (outer, inner) in pairs:
            meant = list(tokens)
            for at in range(len(tokens) - 1):
                if tokens[at : at + 2] == [outer, inner]:
                    meant[at : at + 2] = [one, other]
            return meant
    return tokens


def _without_brackets(tokens: list[str]) -> list[str] | None:
    """Take the brackets off, if every function has its own; None if they are wrong."""
    if "(" not in tokens and ")" not in tokens:
        return tokens
    plain: list[str] = []
    expected: list[int] = []
    for at, token in enumerate(tokens):
        name = token.removesuffix(_TWIN)
        if (name in _UNARY or name in _BINARY) and tokens[at + 1 : at + 2] != ["("]:
            return None
        if token == "(":
            before = plain[-1].removesuffix(_TWIN) if plain else ""
            if at == 0 or tokens[at - 1] != (plain[-1] if plain else ""):
                return None
            if before not in _UNARY and before not in _BINARY:
                return None
            expected.append(0 if before in _UNARY else 1)
        elif token == ")":
            if not expected or expected.pop() != 0 or tokens[at - 1] in (",", "("):
                return None
            if at + 1 < len(tokens) and tokens[at + 1] not in (")", ","):
                return None
        else:
            if token == ",":
                if not expected or expected[-1] == 0:
                    return None
                expected[-1] -= 1
            plain.append(token)
    return None if expected else plain


def _reduce(tokens: list[str]) -> String:
    """Read tokens from the right: strings and commas wait until a function takes them.

    A comma must stand between the two arguments of every function that takes two, and nowhere else.
    """
    waiting: list[String] = []
    commas: list[int] = []
    run: list[str] = []
    for token in reversed(tokens):
        if _SYMBOL.fullmatch(token):
            run.append(token)
            continue
        if run:
            waiting.append(run[::-1])
            run = []
        if token == ",":
            if not waiting or (commas and commas[-1] == len(waiting)):
                return None
            commas.append(len(waiting))
            continue
        name = token.removesuffix(_TWIN)
        if name in _UNARY and _own_strings(waiting, commas) == 1:
            waiting.append(_unary(name, waiting.pop()))
        elif name in _BINARY and _own_strings(waiting, commas) == 1 and commas:
            commas.pop()
            first = waiting.pop()
            if not waiting:
                return None
            waiting.append(_binary(name, first, waiting.pop()))
        else:
            return None
    return waiting[0] if len(waiting) == 1 and not commas and not run else None


def _own_strings(waiting: Sequence[String], commas: Sequence[int]) -> int:
    """Return how many strings wait to the left of the last comma."""
    return len(waiting) - (commas[-1] if commas else 0)


def _unary(name: str, x: String) -> String:
    if x is None:
        return None
    if name == "swap_first_last" and len(x) < 2:
        msg = f"{name} of a single symbol has no meaning"
        raise ValueError(msg)
    return _bounded(_UNARY[name](x))


def _binary(name: str, x: String, y: String) -> String:
    if name == "remove_first":
        return y
    if name == "remove_second":
        return x
    if x is None or y is None:
        return None
    return _bounded(x + y if name == "append" else y + x)


def _bounded(result: list[str]) -> String:
    return result if len(result) <= _MOST_SYMBOLS else None
