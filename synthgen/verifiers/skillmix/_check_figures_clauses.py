"""Figures of repetition between clauses: what they begin with, end with, and hand on.

A window of clauses may run over the end of a sentence.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from synthgen.verifiers.skillmix._text import STOP, Clause, Text

LONGEST_OPENING = 3
"""Words an opening may have: "in the garden" is one."""
SHORTEST_REFRAIN = 4
"""Words of the clause that a text begins and ends with."""
FEWEST_FRAMED = 3
"""Clauses of a text with something between its first and its last one."""


def opening(clause: Clause) -> int:
    """Return the number of words up to the first content word, 0 if that comes too late.

    An opening is more than a function word ("the", "we") and less than the whole clause.
    """
    words = clause.words
    for at in range(min(LONGEST_OPENING, len(words) - 1)):
        if words[at] not in STOP:
            return at + 1
    return 0


def ending(clause: Clause) -> int:
    """Return the number of words from the last content word on, 0 if that is the whole clause."""
    words = clause.words
    for back in range(1, len(words)):
        if words[-back] not in STOP:
            return back
    return 0


def _same_opening(first: Clause, second: Clause, third: Clause) -> bool:
    n = opening(first)
    return (
        n > 0
        and n == opening(second) == opening(third)
        and first.words[:n] == second.words[:n] == third.words[:n]
    )


def _same_ending(first: Clause, second: Clause, third: Clause) -> bool:
    n = ending(first)
    return (
        n > 0
        and n == ending(second) == ending(third)
        and first.words[-n:] == second.words[-n:] == third.words[-n:]
    )


def _new_middles(first: Clause, second: Clause, third: Clause) -> bool:
    """Whether clauses of one opening and one ending differ between them, and do not overlap."""
    n, back = opening(first), ending(first)
    clauses = (first, second, third)
    if any(len(clause.words) < n + back for clause in clauses):
        return False
    return len({clause.words[n : len(clause.words) - back] for clause in clauses}) == 3


def _in_a_row(text: Text, place: int, test: Callable[[Clause, Clause, Clause], bool]) -> bool:
    """Test any three clauses in a row that have the same word at this place."""
    words = [clause.words[place] for clause in text.clauses]
    return any(
        test(*text.clauses[at : at + 3])
        for at, (one, two, three) in enumerate(zip(words, words[1:], words[2:], strict=False))
        if one == two == three
    )


def anaphora(text: Text) -> bool:
    """Three clauses in a row begin with the same words."""
    return _in_a_row(text, 0, _same_opening)


def epistrophe(text: Text) -> bool:
    """Three clauses in a row end with the same content word."""
    return _in_a_row(text, -1, _same_ending)


def _same_but_middles(first: Clause, second: Clause, third: Clause) -> bool:
    three = (first, second, third)
    return _same_ending(*three) and _same_opening(*three) and _new_middles(*three)


def symploce(text: Text) -> bool:
    """Three clauses in a row begin alike and end alike, with something else between."""
    return _in_a_row(text, -1, _same_but_middles)


def _handed_on(text: Text) -> list[bool]:
    """Say of each clause but the last whether it ends with the content word the next begins with.

    Both must say more than that word, so that a bare word called out twice is not meant.
    """
    contents = [clause.content for clause in text.clauses]
    return [
        len(given) > 1 and len(taken) > 1 and given[-1] == taken[0]
        for given, taken in pairwise(contents)
    ]


def anadiplosis(text: Text) -> bool:
    """The last content word of a clause is the first of the next."""
    return True in _handed_on(text)


def gradatio(text: Text) -> bool:
    """Two successive boundaries of clauses are anadiploses."""
    return (True, True) in pairwise(_handed_on(text))


def _bounds(words: tuple[str, ...], wanted: frozenset[str]) -> dict[str, tuple[int, int]]:
    """Return the first and the last place of each wanted word."""
    places: dict[str, tuple[int, int]] = {}
    for at, word in enumerate(words):
        if word in wanted:
            places[word] = (places[word][0] if word in places else at, at)
    return places


def _crosses(content: tuple[str, ...], following: tuple[str, ...]) -> bool:
    """Whether two content words of a clause come in the other order in the next."""
    common = frozenset(content).intersection(following)
    if len(common) < 2:
        return False
    before, after = _bounds(content, common), _bounds(following, common)
    return any(
        before[one][0] < before[other][1] and after[other][0] < after[one][1]
        for one in common
        for other in common
        if one != other
    )


def antimetabole(text: Text) -> bool:
    """Two content words of a clause are repeated in reverse order in the next."""
    contents = [clause.content for clause in text.clauses]
    return any(map(_crosses, contents, contents[1:]))


def inclusio(text: Text) -> bool:
    """The text ends with the clause that it begins with."""
    clauses = text.clauses
    if len(clauses) < FEWEST_FRAMED or len(clauses[0].words) < SHORTEST_REFRAIN:
        return False
    return clauses[0].words == clauses[-1].words
