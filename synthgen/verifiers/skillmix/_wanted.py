"""Words that checkers look for: a bit for each set of them, so that one look at a word tells all.

A clause, a sentence and a text have the bits of all their words. A checker that needs certain
words is not asked where one of its bits is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from functools import cache, reduce
from operator import or_
from typing import TypeAlias, TypeVar

K = TypeVar("K")
T = TypeVar("T")

Wanted: TypeAlias = Container[str] | Callable[[], Container[str]]
"""Words, or what returns them where they are data that is read when it is first needed."""
_SETS: list[Wanted] = []
_REMEMBERED = 65_536


def wanted(*sets: Wanted) -> int:
    """Return the bits of a text that has a word of each of these sets; for use at import."""
    bits = 0
    for one in sets:
        if one not in _SETS:
            _SETS.append(one)
            _BITS.clear()  # what is remembered of words lacks the new bit
            _listed.cache_clear()
        bits |= 1 << _SETS.index(one)
    return bits


def n_sets() -> int:
    """Return the number of sets, which grows while modules are imported."""
    return len(_SETS)


class Remembered(dict[K, T]):
    """A function as a table that is filled when it is looked at.

    It is looked at for each word or each clause, which is quicker here than in an `lru_cache`.
    """

    def __init__(self, function: Callable[[K], T], most: int = 0) -> None:
        super().__init__()
        self._function = function
        self._most = most

    def __missing__(self, key: K) -> T:
        if len(self) >= (self._most or _REMEMBERED):
            self.clear()
        value = self[key] = self._function(key)
        return value


class ByWord(Remembered[str, T]):
    """A function of a word."""


@cache
def _listed() -> tuple[dict[str, int], tuple[tuple[int, Container[str]], ...]]:
    """Return the bits of all words of the sets that list theirs, and the other sets by bit."""
    bits: dict[str, int] = {}
    others = []
    for at, one in enumerate(_SETS):
        words = one() if callable(one) else one
        if isinstance(words, Iterable):
            for word in words:
                bits[word] = bits.get(word, 0) | 1 << at
        else:
            others.append((1 << at, words))
    return bits, tuple(others)


def _bits_of(word: str) -> int:
    listed, others = _listed()
    return reduce(or_, [bit for bit, words in others if word in words], listed.get(word, 0))


_BITS = ByWord(_bits_of)


def bits_of(words: Iterable[str]) -> int:
    """Return the bits of all sets of which these words have one."""
    return reduce(or_, map(_BITS.__getitem__, words), 0)
