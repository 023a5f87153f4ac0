"""The slow oracle's proof that the order of rules does not matter, on strings of Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_lowercase, ascii_uppercase, digits

_LETTERS = ascii_lowercase + ascii_uppercase + digits
_MOST_RULES, _MOST_SIDE = 64, 64
_MOST_WORDS = 500
_MOST_STEPS = 50_000

Pairs = Sequence[tuple[str, str]]
"""Left and right sides of rules."""


def order_is_free(rules: Pairs) -> bool:
    """Say whether every word has one result, whichever rule is used wherever it matches.

    Rules must make words smaller. Wherever two of them overlap, everything that the word can become
    is looked at, or, if that is much, the first result of either rule.
    """
    if len(rules) > _MOST_RULES or not all(0 < len(lhs) <= _MOST_SIDE for lhs, _ in rules):
        return False
    if not all(_rank(rhs) < _rank(lhs) for lhs, rhs in rules) and not all(
        sorted(lhs) == sorted(rhs) and _disorder(rhs) < _disorder(lhs) for lhs, rhs in rules
    ):
        return False
    return all(_meet(rules, *peak) for peak in _peaks(rules))


def _rank(word: str) -> tuple[int, list[int]]:
    return len(word), [_LETTERS.index(char) for char in word]


def _disorder(word: str) -> int:
    _, order = _rank(word)
    return sum(a > b for i, a in enumerate(order) for b in order[i + 1 :])


def _peaks(rules: Pairs) -> Iterator[tuple[str, str, str]]:
    """Yield the shortest words in which two rules overlap, and what either makes of them."""
    for i, (lhs, rhs) in enumerate(rules):
        for j, (other, new) in enumerate(rules):
            for at in range(int(i == j), len(lhs)):
                tail = lhs[at:]
                if tail.startswith(other):
                    yield lhs, rhs, lhs[:at] + new + tail[len(other) :]
                elif other.startswith(tail):
                    more = other[len(tail) :]
                    yield lhs + more, rhs + more, lhs[:at] + new


def _meet(rules: Pairs, peak: str, one: str, two: str) -> bool:
    words, ends = [peak], set()
    for word in words:
        after = {
            word[:at] + rhs + word[at + len(lhs) :]
            for lhs, rhs in rules
            for at in range(len(word))
            if word.startswith(lhs, at)
        }
        words += sorted(after - set(words))
        if not after:
            ends.add(word)
        if len(words) > _MOST_WORDS:
            last = _first_result(rules, one)
            return last is not None and last == _first_result(rules, two)
    return len(ends) == 1


def _first_result(rules: Pairs, word: str) -> str | None:
    for _ in range(_MOST_STEPS):
        fires = next((rule for rule in rules if rule[0] in word), None)
        if fires is None:
            return word
        word = word.replace(*fires, 1)
    return None
