"""Signs of lists: with a coordinator between all items, or with none."""

from __future__ import annotations

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_sieve_table import (
    COMMA,
    COORDINATOR,
    KIND,
    LINK,
    LONGEST_CONJUNCT,
    N_COORDINATORS,
    Ints,
    same_words,
    start_of,
)

_NO_COORDINATOR, _WITHOUT_COMMA, _BEHIND_COMMA = range(3)


@lent
def joins_many(
    words: Ints, clause_ends: Ints, marks: Ints, first: int, last: int, table: Ints
) -> bool:
    """Say whether a coordinator stands twice in a sentence with a short conjunct behind each."""
    start, stop = start_of(clause_ends, first), clause_ends[last - 1]
    for coordinator in range(1, N_COORDINATORS + 1):
        n = 0
        for at in range(start, stop):
            n += table[words[at], COORDINATOR] == coordinator
        if n > 1 and _joins(words, clause_ends, marks, first, last, table, coordinator):
            return True
    return False


@lent
def _joins(
    words: Ints,
    clause_ends: Ints,
    marks: Ints,
    first: int,
    last: int,
    table: Ints,
    coordinator: int,
) -> bool:
    """Look for two of one coordinator; a comma goes before both or before neither."""
    opened = _NO_COORDINATOR
    for clause in range(first, last):
        start, stop = start_of(clause_ends, clause), clause_ends[clause]
        after_comma = clause > first and marks[clause - 1] == COMMA
        place = _next(words, start, stop, table, coordinator)
        if place > start or not after_comma:
            opened = _NO_COORDINATOR
        while place < stop:
            following = _next(words, place + 1, stop, table, coordinator)
            if place > start or after_comma:
                own = _BEHIND_COMMA if place == start else _WITHOUT_COMMA
                short = 0 < following - place - 1 <= LONGEST_CONJUNCT
                if short and opened == own:
                    return True
                opened = own if short else _NO_COORDINATOR
            place = following
        # Behind the last conjunct of this clause only ", and" can go on.
        if opened != _BEHIND_COMMA or marks[clause] != COMMA:
            opened = _NO_COORDINATOR
    return False


@lent
def _next(words: Ints, at: int, stop: int, table: Ints, coordinator: int) -> int:
    while at < stop and table[words[at], COORDINATOR] != coordinator:
        at += 1
    return at


@lent
def lists(words: Ints, clause_ends: Ints, middle: int, table: Ints) -> bool:
    """Say whether this clause and its neighbours are items of a list without a coordinator."""
    start, one, two = (
        start_of(clause_ends, middle - 1),
        clause_ends[middle - 1],
        clause_ends[middle],
    )
    stop = clause_ends[middle + 1]
    if table[words[one], KIND] != table[words[two], KIND] or abs(two - one - (stop - two)) > 2:
        return False
    if table[words[start], LINK] or table[words[one], LINK] or table[words[two], LINK]:
        return False
    if two - one <= stop - two and same_words(words, one, two, two - one):
        return False
    if one - start <= two - one and same_words(words, start, one, one - start):
        return False
    for at in range(start, stop):
        if table[words[at], COORDINATOR]:
            return False
    return True
