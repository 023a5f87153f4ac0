"""Figures of repetition between clauses: what they begin with, end with, and hand on.

A window of clauses may run over the end of a sentence.
"""

from __future__ import annotations

from itertools import pairwise

from synthgen.verifiers.skillmix._text import STOP, Clause, Text

LONGEST_OPENING = 3
"""Words an opening may have: "in the garden" is one."""


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
    if not first.words[0] == second.words[0] == third.words[0]:
        return False
    n = opening(first)
    return (
        n > 0
        and n == opening(second) == opening(third)
        and first.words[:n] == second.words[:n] == third.words[:n]
    )


def _same_ending(first: Clause, second: Clause, third: Clause) -> bool:
    if not first.words[-1] == second.words[-1] == third.words[-1]:
        return False
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


def anaphora(text: Text) -> bool:
    """Three clauses in a row begin with the same words."""
    clauses = text.clauses
    return any(map(_same_opening, clauses, clauses[1:], clauses[2:]))


def epistrophe(text: Text) -> bool:
    """Three clauses in a row end with the same content word."""
    clauses = text.clauses
    return any(map(_same_ending, clauses, clauses[1:], clauses[2:]))


def symploce(text: Text) -> bool:
    """Three clauses in a row begin alike and end alike, with something else between."""
    clauses = text.clauses
    return any(
        _same_ending(*three) and _same_opening(*three) and _new_middles(*three)
        for three in zip(clauses, clauses[1:], clauses[2:], strict=False)
    )


def _hands_on(clause: Clause, following: Clause) -> bool:
    """Whether a clause ends with the content word that the next begins with.

    Both must say more than that word, so that a bare word called out twice is not meant.
    """
    given, taken = clause.content, following.content
    return len(given) > 1 and len(taken) > 1 and given[-1] == taken[0]


def anadiplosis(text: Text) -> bool:
    """The last content word of a clause is the first of the next."""
    return any(map(_hands_on, text.clauses, text.clauses[1:]))


def gradatio(text: Text) -> bool:
    """Two successive boundaries of clauses are anadiploses."""
    clauses = text.clauses
    return any(
        _hands_on(first, second) and _hands_on(second, third)
        for first, second, third in zip(clauses, clauses[1:], clauses[2:], strict=False)
    )


def _bounds(words: tuple[str, ...], wanted: frozenset[str]) -> dict[str, tuple[int, int]]:
    """Return the first and the last place of each wanted word."""
    places: dict[str, tuple[int, int]] = {}
    for at, word in enumerate(words):
        if word in wanted:
            places[word] = (places[word][0] if word in places else at, at)
    return places


def _crosses(clause: Clause, following: Clause) -> bool:
    """Whether two content words of a clause come in the other order in the next."""
    common = frozenset(clause.content).intersection(following.content)
    if len(common) < 2:
        return False
    before, after = _bounds(clause.content, common), _bounds(following.content, common)
    return any(
        before[one][0] < before[other][1] and after[other][0] < after[one][1]
        for one in common
        for other in common
        if one != other
    )


def antimetabole(text: Text) -> bool:
    """Two content words of a clause are repeated in reverse order in the next."""
    return any(_crosses(clause, following) for clause, following in pairwise(text.clauses))
