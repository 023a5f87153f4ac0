"""Inference about string rewriting from the text, by applying every candidate.

For a rule, all parts of the shortest changed input are tried as x, the shorter ones first; for an
input, x is inserted at every place of the output. A candidate fits if str.replace gives the stated
outputs, and only one may fit.

The problem is between the last two backticks of a prompt, or the whole prompt if there are none:
pairs `input = output ; ...`, or `x > y | ???? = output`. Letters are a to z, and `_` is the empty
string.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from synthgen.authoring import PlainVerifier
from synthgen.authoring.verifier import problem_of

_MAX_TEXT = 3_000
"""Longer problems are rejected unread."""
_WORD, _STRING = "([a-z]{1,120})", "([a-z]{1,120}|_)"
_PAIR = re.compile(f"{_WORD} = {_STRING}", re.ASCII)
_HIDDEN = re.compile(rf"{_WORD} > {_STRING} \| (\?{{1,120}}) = {_STRING}", re.ASCII)

Pairs = tuple[tuple[str, str], ...]


class _Hidden(NamedTuple):
    """A rule x > y, and the length of the input that it turns into an output."""

    x: str
    y: str
    length: int
    output: str


def _read(prompt: str) -> Pairs | _Hidden | None:
    text = problem_of(prompt)
    if len(text) > _MAX_TEXT:
        return None
    hidden = _HIDDEN.fullmatch(text)
    if hidden:
        x, y, unknown, output = (part.replace("_", "") for part in hidden.groups())
        return _Hidden(x, y, len(unknown), output) if x != y else None
    matches = [_PAIR.fullmatch(pair) for pair in text.split(" ; ")]
    pairs = [(match[1], match[2].replace("_", "")) for match in matches if match]
    return tuple(pairs) if len(pairs) == len(matches) else None


def _solve(problem: Pairs | _Hidden) -> str | None:
    """Return the only input that fits, or the only shortest rule that fits."""
    if isinstance(problem, _Hidden):
        x, y, _, output = problem
        fitting = {text for _, text in _tried(problem) if text.replace(x, y, 1) == output}
        return fitting.pop() if len(fitting) == 1 else None
    changed = [pair for pair in problem if pair[0] != pair[1]]
    if not changed:
        return None
    before, after = min(changed, key=lambda pair: len(pair[0]))
    growth = len(after) - len(before)
    for size in range(max(1, -growth), len(before) + 1):
        rules = {
            (before[start : start + size], after[start : start + size + growth])
            for start in range(len(before) - size + 1)
        }
        fitting_rules = [
            (x, y)
            for x, y in rules
            if all(text.replace(x, y, 1) == result for text, result in problem)
        ]
        if fitting_rules:
            (x, y), *others = fitting_rules
            return None if others else f"{x} > {y or '_'}"
    return None


def _tried(problem: _Hidden) -> Iterator[tuple[str, str]]:
    """Yield inputs, each with x in brackets, as in a line of a solution, and without brackets."""
    x, y, length, output = problem
    if length == len(output):
        yield output, output
    if length == len(output) - len(y) + len(x):
        for place in range(len(output) - len(y) + 1):
            before, after = output[:place], output[place + len(y) :]
            yield f"{before}[{x}]{after}", before + x + after


def _follows(problem: Pairs | _Hidden, answer: str, steps: Sequence[str]) -> bool:
    if isinstance(problem, _Hidden):
        return list(steps) == list(_lines_of_input(problem))
    x, _, y = answer.replace("_", "").partition(" > ")
    uses = [_line_of_pair(x, y, text) for text, _ in problem]
    return list(steps) == [*_lines_of_others(x, y, problem), *uses]


def _lines_of_others(x: str, y: str, problem: Pairs) -> Iterator[str]:
    """Yield a wrong result of each other, not longer rule that fits the shortest changed pair."""
    before, after = min((p for p in problem if p[0] != p[1]), key=lambda pair: len(pair[0]))
    growth, seen = len(y) - len(x), {(x, y)}
    for size in range(max(1, -growth), len(x) + 1):
        for start in range(len(before) - size + 1):
            rule = before[start : start + size], after[start : start + size + growth]
            if rule in seen or before.replace(*rule, 1) != after:
                continue
            seen.add(rule)
            made = [(text, text.replace(*rule, 1)) for text, _ in problem]
            text, wrong = next(pair for pair in made if pair not in problem)
            yield f"{rule[0]} > {rule[1] or '_'}: {text} gives {wrong or '_'}"


def _line_of_pair(x: str, y: str, text: str) -> str:
    place = text.find(x)
    if place < 0:
        return f"{text} does not contain {x}"
    before, after = text[:place], text[place + len(x) :]
    return f"{before}[{x}]{after} > {before}[{y}]{after}"


def _lines_of_input(problem: _Hidden) -> Iterator[str]:
    """Yield a line for the output itself if its length fits, and for each y that it contains."""
    x, y, _, output = problem
    for line, text in _tried(problem):
        if line.replace(f"[{x}]", y) == output:
            result = text.replace(x, y, 1)
            yield f"{line} fits" if result == output else f"{line} gives {result or '_'}"


VERIFIERS = {"rewrite_infer": PlainVerifier[Pairs | _Hidden](_read, _solve, "string", _follows)}
