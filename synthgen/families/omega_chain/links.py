"""The choice of a numeral that a sum with the previous answer may replace.

A numeral qualifies if its number is not given away by the rest of the text, and if the answer
depends on it: other numbers in its place give problems of the same family with other answers.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from typing import cast

from synthgen.authoring import PlainVerifier, RowDraws, Words, load_verifier

_WORDS = Words.beside(__file__)["giveaways"]
_NUMBER_WORDS: list[list[str]] = _WORDS["number_words"]
_DERIVED_FROM: dict[str, int] = _WORDS["derived_from"]
_FOLLOWED_BY = tuple(_WORDS["followed_by"])
_NEIGHBOURS = frozenset(_WORDS["neighbours"])
_EXPRESSIONS = frozenset(_WORDS["expressions"])

_NUMERAL = re.compile(r"(?<![A-Za-z0-9_.])[0-9]{1,60}(?![0-9A-Za-z_:]|\.[0-9])", re.ASCII)
"""An integer of a prompt that is not a label; its sign, if any, stays in place."""
_DIGITS = re.compile("[0-9]+", re.ASCII)
_BREAK = re.compile(r"[.:;?\n()\[\]]")
_ITEM = re.compile(", | and | or ")
_RUN = re.compile(r"[\[(][^()\[\]]*[\])](?:(?:, | and )[\[(][^()\[\]]*[\])])*")
"""Rows of a matrix, or pairs, one after another."""
_MATRIX = re.compile(r"\[\[[^\[\]]*(?:\], \[[^\[\]]*)*\]\]")

_NEAR = (-2, -1, 1, 2)
_MAX_NUMERALS = 3
"""Numerals of a prompt that are tried with other values, since solving takes time."""
_MAX_RANDOM = 12
_MIN_OTHERS, _MIN_ANSWERS = 3, 2


def linkable(family: str, prompt: str, answer: str, draws: RowDraws) -> tuple[int, int] | None:
    """Choose a numeral that may be replaced.

    Args:
        family: Family of the problem.
        prompt: Statement of the problem.
        answer: Answer to the problem.
        draws: Source of the choice among numerals and of the random other values.

    Returns:
        Start and end of the numeral in the prompt; None if no numeral qualifies.
    """
    solver = cast("PlainVerifier[Hashable]", load_verifier(family))
    hidden = [one for one in _NUMERAL.finditer(prompt) if not _given_away(family, prompt, one)]
    for numeral in draws.shuffled(hidden)[:_MAX_NUMERALS]:
        if _matters(solver, prompt, answer, numeral, draws):
            return numeral.span()
    return None


def _given_away(family: str, prompt: str, numeral: re.Match[str]) -> bool:
    """Return whether the number of a numeral occurs in the rest of the text or follows from it."""
    value, rest = int(numeral.group()), f"{prompt[: numeral.start()]} {prompt[numeral.end() :]}"
    if value < 2 or re.fullmatch("10+", numeral.group()):  # grammar and notation show these
        return True
    if prompt.startswith(_FOLLOWED_BY, numeral.end()):
        return True
    if value >= _DERIVED_FROM.get(family, value + 1) or value in _counts(prompt):
        return True
    words = _NUMBER_WORDS[value] if value < len(_NUMBER_WORDS) else []
    if any(re.search(rf"\b{word}\b", rest, re.ASCII) for word in words):
        return True
    if family in _EXPRESSIONS:
        return _repeated(prompt, numeral) or _mirrored(prompt, numeral)
    numbers = {int(one) for one in _DIGITS.findall(rest)}
    near = {value - 1, value, value + 1} if family in _NEIGHBOURS else {value}
    if near & numbers or 10 ** min(value - 1, 60) in numbers:
        return True
    return _between(prompt, numeral)


def _repeated(prompt: str, numeral: re.Match[str]) -> bool:
    """Return whether the innermost brackets around a numeral have a copy elsewhere in the text."""
    opened: list[int] = []
    for place, character in enumerate(prompt):
        if character in "([":
            opened.append(place)
        elif character in ")]" and opened:
            start = opened.pop()
            if start < numeral.start() < place:
                return prompt.count(prompt[start : place + 1]) > 1
    return False


def _mirrored(prompt: str, numeral: re.Match[str]) -> bool:
    """Return whether the opposite entry of a matrix has the same number, with either sign."""
    for matrix in _MATRIX.finditer(prompt):
        if matrix.start() < numeral.start() < matrix.end():
            rows = [_DIGITS.findall(row) for row in matrix.group().split("], [")]
            *above, row = prompt[matrix.start() : numeral.start()].split("], [")
            i, j = len(above), row.count(",")
            opposite = rows[j][i : i + 1] if j < len(rows) else []
            return i != j and opposite == [numeral.group()]
    return False


def _between(prompt: str, numeral: re.Match[str]) -> bool:
    """Return whether the numerals before and after enclose the number, as in an ordered list."""
    before = _DIGITS.findall(prompt[: numeral.start()])[-1:]
    after = _DIGITS.findall(prompt[numeral.end() :])[:1]
    around = {int(one) - int(numeral.group()) for one in before + after}
    return around == {-1, 1}


def _counts(prompt: str) -> set[int]:
    """Return the numbers of items of the lists, rows, and sequences of rows or pairs of a text."""
    items = {len(_ITEM.split(part)) for part in _BREAK.split(prompt)}
    return items | {len(_BREAK.findall(run)) // 2 for run in _RUN.findall(prompt)}


def _matters(
    solver: PlainVerifier[Hashable],
    prompt: str,
    answer: str,
    numeral: re.Match[str],
    draws: RowDraws,
) -> bool:
    """Return whether enough other numbers give well-formed problems, all with other answers.

    A number for which the family has no such problem shows nothing: it counts neither way.
    """
    value, results = int(numeral.group()), []
    for count, other in enumerate(_others(value, draws)):
        result = solver.answer(f"{prompt[: numeral.start()]}{other}{prompt[numeral.end() :]}")
        if result == answer:
            return False
        if result is not None:
            results.append(result)
            if count >= len(_NEAR) and len(results) >= _MIN_OTHERS:
                break
    else:
        return False
    return len(set(results)) >= _MIN_ANSWERS


def _others(value: int, draws: RowDraws) -> Iterator[int]:
    """Yield the neighbors of a number, then random numbers further off, none negative."""
    yield from (value + step for step in _NEAR)
    for _ in range(_MAX_RANDOM):
        other = draws.integer(0, 2 * value + 5)
        yield other if other < value - 2 else other + 5
