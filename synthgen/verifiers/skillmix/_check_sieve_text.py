"""Signs that the clauses of a text have together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_sieve_table import (
    ANADIPLOSIS,
    ANAPHORA,
    ANTIMETABOLE,
    ANTITHESIS,
    EPISTROPHE,
    FEWEST_FACTS,
    FEWEST_FRAMED,
    GRADATIO,
    INCLUSIO,
    JOINING,
    LONGEST_OPENING,
    OPPOSED,
    OPPOSED_WORDS,
    REWORDED,
    RHYME,
    RHYMES,
    SAME_WORDS,
    SHORTEST_CONTRARY,
    SHORTEST_REFRAIN,
    SPLITTING_WORDS,
    STOP,
    SYMPLOCE,
    TIME,
    TIME_WORDS,
    USES,
    Ints,
    same_words,
    start_of,
)


@lent
def look_at_text(
    words: Ints,
    clause_ends: Ints,
    first: int,
    last: int,
    table: Ints,
    bits: Ints,
    sets: Ints,
    opposites: NDArray[np.bool_],
    has: NDArray[np.bool_],
) -> None:
    """Find the signs that the clauses of a text show together."""
    opposed = sets[OPPOSED_WORDS]
    handed, alike_first, alike_last = False, 0, 0
    for clause in range(first, last):
        start, stop = start_of(clause_ends, clause), clause_ends[clause]
        if clause == first:
            continue
        before = start_of(clause_ends, clause - 1)
        n = _opening(words, start, stop, table)
        same = n > 0 and n == _opening(words, before, start, table)
        alike_first = alike_first + 1 if same and same_words(words, before, start, n) else 0
        back = _ending(words, start, stop, table)
        same = back > 0 and back == _ending(words, before, start, table)
        same = same and same_words(words, start - back, stop - back, back)
        alike_last = alike_last + 1 if same else 0
        has[ANAPHORA] |= alike_first > 1
        has[EPISTROPHE] |= alike_last > 1
        if alike_first > 1 and alike_last > 1:
            has[SYMPLOCE] |= _new_middles(words, clause_ends, clause, n, back)
        now = _hands_on(words, before, start, stop, table)
        has[ANADIPLOSIS] |= now
        has[GRADATIO] |= now and handed
        handed = now
        has[ANTIMETABOLE] |= _crosses(words, before, start, stop, table)
        for other in range(max(first, clause - 2), clause):
            end = words[clause_ends[other] - 1]
            if end != words[stop - 1] and table[end, RHYME] > 0:
                has[RHYMES] |= table[end, RHYME] == table[words[stop - 1], RHYME]
            if _has_any(bits, clause, opposed) and _has_any(bits, other, opposed):
                has[ANTITHESIS] |= _contrast(words, clause_ends, other, clause, table, opposites)
    has[INCLUSIO] = last - first >= FEWEST_FRAMED and _is_framed(words, clause_ends, first, last)
    spans = (start_of(clause_ends, first), clause_ends[last - 1])
    has[REWORDED] = _has_two(words, spans[0], spans[1], sets[SAME_WORDS], table)
    has[TIME] = _states(
        words, clause_ends, first, last, table, bits, sets[TIME_WORDS], sets[SPLITTING_WORDS]
    )


@lent
def _is_framed(words: Ints, clause_ends: Ints, first: int, last: int) -> bool:
    """Say whether the first and the last of these clauses are the same."""
    start, end = start_of(clause_ends, first), start_of(clause_ends, last - 1)
    n = clause_ends[first] - start
    alike = n >= SHORTEST_REFRAIN and n == clause_ends[last - 1] - end
    return alike and same_words(words, start, end, n)


@lent
def _opening(words: Ints, start: int, stop: int, table: Ints) -> int:
    for at in range(start, min(start + LONGEST_OPENING, stop - 1)):
        if table[words[at], STOP] == 0:
            return at - start + 1
    return 0


@lent
def _ending(words: Ints, start: int, stop: int, table: Ints) -> int:
    for at in range(stop - 1, start, -1):
        if table[words[at], STOP] == 0:
            return stop - at
    return 0


@lent
def _new_middles(words: Ints, clause_ends: Ints, third: int, n: int, back: int) -> bool:
    """Say whether three clauses of one opening and one ending differ between them."""
    for clause in range(third - 2, third + 1):
        start, stop = start_of(clause_ends, clause) + n, clause_ends[clause] - back
        if stop < start:
            return False
        for other in range(third - 2, clause):
            begin, end = start_of(clause_ends, other) + n, clause_ends[other] - back
            if stop - start == end - begin and same_words(words, start, begin, stop - start):
                return False
    return True


@lent
def _hands_on(words: Ints, start: int, middle: int, stop: int, table: Ints) -> bool:
    """Say whether the last content word of a clause is the first of the next."""
    given = taken = -1
    n_given = n_taken = 0
    for at in range(start, middle):
        if table[words[at], STOP] == 0:
            given = words[at]
            n_given += 1
    for at in range(stop - 1, middle - 1, -1):
        if table[words[at], STOP] == 0:
            taken = words[at]
            n_taken += 1
    return given == taken and n_given > 1 and n_taken > 1


@lent
def _crosses(words: Ints, start: int, middle: int, stop: int, table: Ints) -> bool:
    """Say whether two content words of a clause come in the other order in the next."""
    for at in range(start + 1, middle):
        if table[words[at], STOP]:
            continue
        place = middle
        while place < stop and words[place] != words[at]:
            place += 1
        for behind in range(place + 1, stop):
            if table[words[behind], STOP] or words[behind] == words[at]:
                continue
            for before in range(start, at):
                if words[before] == words[behind]:
                    return True
    return False


@lent
def _contrast(
    words: Ints, clause_ends: Ints, one: int, other: int, table: Ints, opposites: NDArray[np.bool_]
) -> bool:
    """Say whether clauses have opposites in one place, and are built alike elsewhere."""
    start, begin = start_of(clause_ends, one), start_of(clause_ends, other)
    stop, end = clause_ends[one], clause_ends[other]
    if abs((stop - start) - (end - begin)) > 1:
        return False
    start += table[words[start], USES] & JOINING > 0
    begin += table[words[begin], USES] & JOINING > 0
    n = stop - start
    if n != end - begin or n < SHORTEST_CONTRARY:
        return False
    contrary = same = False
    for at in range(n):
        first, second = table[words[start + at]], table[words[begin + at]]
        if opposites[first[OPPOSED], second[OPPOSED]]:
            contrary = True
        elif words[start + at] == words[begin + at]:
            same = True
        elif first[STOP] != second[STOP]:
            return False
    return contrary and same


@lent
def _has_any(bits: Ints, clause: int, wanted: Ints) -> bool:
    return bool(bits[clause, 0] & wanted[0] or bits[clause, 1] & wanted[1])


@lent
def _states(
    words: Ints,
    clause_ends: Ints,
    first: int,
    last: int,
    table: Ints,
    bits: Ints,
    needs: Ints,
    splits: Ints,
) -> bool:
    """Say whether enough facts can be stated: one in each part of a clause that can be split."""
    found = 0
    for clause in range(first, last):
        if bits[clause, 0] & needs[0] != needs[0] or bits[clause, 1] & needs[1] != needs[1]:
            continue
        found += 1
        if not (bits[clause, 0] & splits[0] or bits[clause, 1] & splits[1]):
            continue
        for at in range(start_of(clause_ends, clause), clause_ends[clause]):
            found += table[words[at], 0] & splits[0] != 0 or table[words[at], 1] & splits[1] != 0
    return found >= FEWEST_FACTS


@lent
def _has_two(words: Ints, start: int, stop: int, wanted: Ints, table: Ints) -> bool:
    """Say whether there are two different words of a set."""
    one = -1
    for at in range(start, stop):
        if table[words[at], 0] & wanted[0] or table[words[at], 1] & wanted[1]:
            if one >= 0 and one != words[at]:
                return True
            one = words[at]
    return False
