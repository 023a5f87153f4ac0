"""The slow oracle of block synthesis: counters of Python, and regular expressions."""

from __future__ import annotations

import re
from collections import Counter

from synthgen.verifiers._problem_text import problem_of

_BLOCKS = ("[A]", "[B]", "[C]", "{A}", "{B}", "{C}", "(A)", "(B)", "(C)")
_BLOCK = r"(?:\[[ABC]\]|\{[ABC]\}|\([ABC]\))"
_RULE = rf"{_BLOCK}+>{_BLOCK}+"
_NUMBER = r"(?:0|[1-9][0-9]{0,3})"
_PROBLEM = re.compile(rf"({_RULE}(?: {_RULE}){{0,31}}) \| ({_NUMBER}(?: {_NUMBER}){{8}})")
_MOST_STEPS = 10_000
_MOST_TEXT = 200_000
_MOST_COUNT = 9_999


def exact_counts(prompt: str) -> str | None:
    """Return the answer of a prompt, or None if it has none within the limits."""
    text = problem_of(prompt)
    found = _PROBLEM.fullmatch(text) if len(text) <= _MOST_TEXT else None
    if found is None:
        return None
    rules = []
    for rule in found[1].split(" "):
        taken, given = (Counter(re.findall(_BLOCK, side)) for side in rule.split(">"))
        rules.append((taken, given))
    bag = Counter(dict(zip(_BLOCKS, map(int, found[2].split(" ")), strict=True)))
    for _ in range(_MOST_STEPS + 1):
        usable = next((rule for rule in rules if rule[0] <= bag), None)
        if usable is None:
            told = [bag[block] for block in _BLOCKS]
            return " ".join(map(str, told)) if max(told) <= _MOST_COUNT else None
        bag -= usable[0]
        bag += usable[1]
    return None
