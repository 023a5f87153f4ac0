"""Words that checkers look for: a bit for each set of them, so that one look at a word tells all.

A clause, a sentence and a text have the bits of all their words. A checker that needs certain
words is not asked where one of its bits is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from functools import reduce
from operator import or_
from typing import TypeAlias, TypeVar

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
        bits |= 1 << _SETS.index(one)
    return bits


class ByWord(dict[str, T]):
    """A function of a word, as a table that is filled when it is looked at.

    It is looked at for each word of each text, which is quicker here than in an `lru_cache`.
    """

    def __init__(self, function: Callable[[str], T]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, word: str) -> T:
        if len(self) >= _REMEMBERED:
            self.clear()
        value = self[word] = self._function(word)
        return value


def _bits_of(word: str) -> int:
    return sum(
        1 << at for at, words in enumerate(_SETS) if word in (words() if callable(words) else words)
    )


_BITS = ByWord(_bits_of)


def bits_of(words: Iterable[str]) -> int:
    """Return the bits of all sets of which these words have one."""
    return reduce(or_, map(_BITS.__getitem__, words), 0)
