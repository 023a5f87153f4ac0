"""Block synthesis from the text: any rules, each used many times at once where the order allows.

The problem is the text between the last two backticks of a prompt, or the whole prompt if there are
none. Rules that run forever have no answer.

problem = rule { " " rule } " | " counts
rule    = block { block } ">" block { block }
block   = "[A]" ... "[C]" | "{A}" ... "{C}" | "(A)" ... "(C)"
counts  = nine numbers with one space between them
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from operator import ge

from synthgen.authoring import PlainVerifier
from synthgen.authoring.verifier import problem_of

_Counts = tuple[int, ...]
_Rules = tuple[tuple[_Counts, _Counts], ...]
"""Blocks that each rule needs, and its changes to the counts."""
_Problem = tuple[_Rules, _Counts]

_BLOCK = re.compile(r"\[[ABC]\]|\{[ABC]\}|\([ABC]\)")
_RULE = rf"(?:{_BLOCK.pattern})+>(?:{_BLOCK.pattern})+"
_NUMBER = r"(?:0|[1-9][0-9]{0,3})"
_PROBLEM = re.compile(rf"({_RULE}(?: {_RULE}){{0,31}}) \| ({_NUMBER}(?: {_NUMBER}){{8}})")
_KINDS = [left + letter + right for left, right in ("[]", "{}", "()") for letter in "ABC"]
_MAX_COUNT = 9_999
_MAX_ON_THE_WAY = 1_000_000
_MAX_ROUNDS = 10_000


def _read(prompt: str) -> _Problem | None:
    match = _PROBLEM.fullmatch(problem_of(prompt))
    if match is None:
        return None
    return tuple(map(_rule, match[1].split(" "))), tuple(map(int, match[2].split(" ")))


@lru_cache(1 << 10)
def _rule(text: str) -> tuple[_Counts, _Counts]:
    needs, gives = (tuple(map(_BLOCK.findall(side).count, _KINDS)) for side in text.split(">"))
    return needs, tuple(b - a for a, b in zip(needs, gives, strict=True))


def _first_usable(rules: _Rules, counts: _Counts) -> int | None:
    for place, (needs, _) in enumerate(rules):
        if all(map(ge, counts, needs)):
            return place
    return None


def _after(rules: _Rules, place: int, counts: _Counts, times: int = 1) -> _Counts:
    changes = rules[place][1]
    return tuple(count + times * change for count, change in zip(counts, changes, strict=True))


def _solve(problem: _Problem) -> str | None:
    """Use rules in rounds: each as often as it comes first, by division."""
    rules, counts = problem
    for _ in range(_MAX_ROUNDS):
        place = _first_usable(rules, counts)
        if place is None:
            return " ".join(map(str, counts)) if max(counts) <= _MAX_COUNT else None
        times = _uses(rules, place, counts)
        if times is None:
            return None
        counts = _after(rules, place, counts, times)
        if max(counts) > _MAX_ON_THE_WAY:
            return None
    return None


def _uses(rules: _Rules, place: int, counts: _Counts) -> int | None:
    """Return how often in a row a rule is the first usable one; None for infinitely often."""
    needs, changes = rules[place]
    span = _usable_after(needs, changes, counts)
    until = [] if span is None or span[1] is None else [span[1] + 1]
    for earlier, _ in rules[:place]:  # the run also ends when an earlier rule becomes usable
        span = _usable_after(earlier, changes, counts)
        if span is not None:
            until.append(span[0])
    return min(until, default=None)


def _usable_after(
    needs: _Counts, changes: _Counts, counts: _Counts
) -> tuple[int, int | None] | None:
    """Return the first and last number of these changes after which there are enough blocks."""
    first, last = 0, None
    for need, change, count in zip(needs, changes, counts, strict=True):
        if change > 0:
            first = max(first, -((count - need) // change))  # rounded up
        elif count < need:
            return None
        elif change < 0:
            times = (count - need) // -change
            last = times if last is None else min(last, times)
    return None if last is not None and last < first else (first, last)


def _follows(problem: _Problem, answer: str, lines: Sequence[str]) -> bool:
    """Follow the counts step by step, by the first usable rule."""
    rules, counts = problem
    if lines[0] != f"start: {' '.join(map(str, counts))}":
        return False
    for line in lines[1:-1]:
        place = _first_usable(rules, counts)
        if place is None:
            return False
        counts = _after(rules, place, counts)
        if line != f"{place + 1}: {' '.join(map(str, counts))}":
            return False
    return lines[-1] == "end" and answer == " ".join(map(str, counts))


VERIFIERS = {"block_synthesis": PlainVerifier(_read, _solve, "string", _follows)}
