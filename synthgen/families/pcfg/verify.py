"""PCFG SET from the text, with or without exceptions.

The program is the text between the last two backticks of a prompt, or the whole prompt if there are
none, with or without brackets. A pushdown automaton moves every function behind its arguments, the
order in which solutions list them; then the functions are applied to a stack of strings.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from synthgen.authoring import PlainVerifier, exactly
from synthgen.authoring.verifier import problem_of

String = list[str]
Program = tuple[str, ...]
"""Functions, each behind its arguments, and strings of symbols as written in the text."""
Exceptions = tuple[tuple[str, str, str, str], ...]
"""Outer and inner function, and the functions that they mean next to each other."""


def _swapped(x: String) -> String:
    """Return a string with its ends swapped; ValueError if it has only one symbol."""
    first, *middle, last = x
    return [last, *middle, first]


_UNARY: dict[str, Callable[[String], String]] = {
    "copy": lambda x: x,
    "reverse": lambda x: x[::-1],
    "shift": lambda x: x[1:] + x[:1],
    "echo": lambda x: x + x[-1:],
    "swap_first_last": _swapped,
    "repeat": lambda x: x + x,
}
_BINARY: dict[str, Callable[[String, String], String]] = {
    "append": lambda x, y: x + y,
    "prepend": lambda x, y: y + x,
    "remove_first": lambda _, y: y,
    "remove_second": lambda x, _: x,
}
_UNARY |= {f"{name}_twin": function for name, function in _UNARY.items()}
_BINARY |= {f"{name}_twin": function for name, function in _BINARY.items()}
_EXCEPTIONS: Exceptions = (
    ("reverse", "echo", "echo", "copy"),
    ("prepend", "remove_first", "remove_second", "append"),
    ("echo", "remove_first", "copy", "append"),
    ("prepend", "reverse", "remove_second", "echo"),
)
"""Of several pairs in a program only the first of this list counts, wherever it occurs."""

_SYMBOL = "[A-Z][1-9][0-9]{0,5}"
_TOKEN = re.compile(rf"{_SYMBOL}(?: {_SYMBOL})*|(?:{'|'.join((*_UNARY, *_BINARY))})\b|[(),]")
_ARGUMENT, _END = "argument", "end"
_MAX_SYMBOLS = 20_000
_MAX_SOLUTION = 1 << 24


def _after(function: str, *, bracketed: bool) -> list[str]:
    """Return the function and what must follow it in a text, all in reverse order."""
    arguments = [_ARGUMENT, ",", _ARGUMENT] if function in _BINARY else [_ARGUMENT]
    return [function, ")", *arguments, "("] if bracketed else [function, *arguments]


_BARE, _BRACKETED = (
    {function: _after(function, bracketed=bracketed) for function in (*_UNARY, *_BINARY)}
    for bracketed in (False, True)
)


def _read(prompt: str, exceptions: Exceptions) -> Program | None:
    """Return the prompt's program, or None if it is malformed."""
    text = problem_of(prompt)
    tokens = _TOKEN.findall(text)
    if " ".join(tokens) != text or not tokens or tokens[0] not in _BARE:
        return None
    if exceptions:
        tokens = _meant(tokens, exceptions)
    after = _BRACKETED if tokens[1:2] == ["("] else _BARE
    program: list[str] = []
    awaited = [_END, _ARGUMENT]  # what must follow, last first; a function has its arguments
    for token in (*tokens, _END):
        while awaited[-1] in after:
            program.append(awaited.pop())
        expected = awaited.pop()
        if expected == token:
            continue
        if expected != _ARGUMENT:
            return None
        if token in after:
            awaited += after[token]
        elif "A" <= token[0] <= "Z":
            program.append(token)
        else:
            return None
    return tuple(program)


def _meant(tokens: list[str], exceptions: Exceptions) -> list[str]:
    """Replace the first exceptional pair that occurs, brackets aside, wherever it occurs."""
    places = [at for at, token in enumerate(tokens) if token != "(" and token != ")"]
    for outer, inner, first, second in exceptions:
        pairs = [(i, k) for i, k in pairwise(places) if tokens[i] == outer and tokens[k] == inner]
        if pairs:
            meant = list(tokens)
            for i, k in pairs:
                meant[i], meant[k] = first, second
            return meant
    return tokens


def _results(program: Program) -> Iterator[String]:
    """Yield each string and the result of each function.

    Strings of more than _MAX_SYMBOLS are cut one symbol after that. No function makes a string
    shorter, so all later results with them are too long as well, unless they are removed.

    Raises:
        ValueError: If the ends of a single symbol are to be swapped.
    """
    values: list[String] = []
    for part in program:
        if part in _UNARY:
            result = _UNARY[part](values.pop())
        elif part in _BINARY:
            y, x = values.pop(), values.pop()
            result = _BINARY[part](x, y)
        else:
            result = part.split(" ")
        values.append(result if len(result) <= _MAX_SYMBOLS else result[: _MAX_SYMBOLS + 1])
        yield values[-1]


def _text(string: String) -> str | None:
    return " ".join(string) if len(string) <= _MAX_SYMBOLS else None


def _solve(program: Program) -> str | None:
    """Return the last result, or None if it is too long or a step is undefined."""
    try:
        (last,) = deque(_results(program), maxlen=1)
    except ValueError:
        return None
    return _text(last)


def _steps(program: Program) -> Iterator[str | None]:
    """Yield the result of each function, None if it is too long to be checked."""
    for part, result in zip(program, _results(program), strict=True):
        if part in _BARE:
            yield _text(result)


def _unrolled(program: Program) -> Iterator[str]:
    """Yield each function with its arguments, where *k is the result of line k, and its number.

    The last line ends with the result itself.
    """
    shown: list[str] = []
    line = 0
    for place, part in enumerate(program, 1):
        if part not in _BARE:
            shown.append(part)
            continue
        line += 1
        second = [shown.pop()] if part in _BINARY else []
        arguments = " , ".join([shown.pop(), *second])
        shown.append(f"*{line}" if place < len(program) else str(_solve(program)))
        yield f"{part} {arguments} = {shown[-1]}"


def _follows(program: Program, answer: str, lines: Sequence[str]) -> bool:
    """Compare with one of the two forms of solutions, line by line."""
    return exactly(_unrolled if "=" in lines[0] else _steps)(program, answer, lines)


class _Verifier(PlainVerifier[Program]):
    max_prompt = 100_000

    def __init__(self, exceptions: Exceptions = ()) -> None:
        read = partial(_read, exceptions=exceptions)
        super().__init__(read, _solve, "string", _follows, remembered=0, longest=_MAX_SOLUTION)


VERIFIERS = {"pcfg": _Verifier(), "pcfg_exceptions": _Verifier(_EXCEPTIONS)}
