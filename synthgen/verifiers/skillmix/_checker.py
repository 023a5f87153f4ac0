"""Checkers of skills: what they need, and what part of a text they look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from operator import attrgetter
from typing import Any

from synthgen.verifiers.skillmix._text import Clause, Sentence, Text
from synthgen.verifiers.skillmix._wanted import Wanted, wanted


@dataclass(frozen=True, slots=True)
class Checker:
    """A test for one skill.

    Attributes:
        needs: bits of the words that a text must have for the skill to be possible.
        part: "text", "sentence" or "clause": what must have all of them.
        shows: says whether a text that has them shows the skill anywhere.
        test: says the same of a sentence or a clause, where that is the part.
    """

    needs: int
    part: str
    shows: Callable[[Text], bool]
    test: Callable[[Any], bool] | None = None


def in_text(shows: Callable[[Text], bool], *needs: Wanted) -> Checker:
    """Return the checker of what any part of a text may show, with a word of each of these sets."""
    return Checker(wanted(*needs), "text", shows)


def in_sentence(test: Callable[[Sentence], bool], *needs: Wanted) -> Checker:
    """Return the checker of what a sentence shows by itself, with a word of each of these sets."""
    return _in_part("sentence", test, needs)


def in_clause(test: Callable[[Clause], bool], *needs: Wanted) -> Checker:
    """Return the checker of what a clause shows by itself, with a word of each of these sets."""
    return _in_part("clause", test, needs)


_TESTS = count()


def _in_part(part: str, test: Callable[[Any], bool], sets: tuple[Wanted, ...]) -> Checker:
    """Ask each part that has the words, and once: texts have parts in common."""
    parts_of, needs, bit = attrgetter(f"{part}s"), wanted(*sets), 1 << next(_TESTS)

    def shows(text: Text) -> bool:
        for one in parts_of(text):
            if one.bits & needs != needs:
                continue
            if not one.tested & bit:
                one.tested |= bit
                if test(one):
                    one.found |= bit
            if one.found & bit:
                return True
        return False

    return Checker(needs, part, shows, test)


def shown(text: Text, checker: Checker) -> bool:
    """Say whether a text shows a skill."""
    return text.bits & checker.needs == checker.needs and checker.shows(text)
