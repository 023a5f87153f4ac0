"""Signs that a sentence or a clause has by itself."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.verifiers.skillmix._check_sieve_table import (
    ALLITERATION,
    ASYNDETON,
    CLIMAX,
    COORDINATOR,
    DIACOPE,
    EPANALEPSIS,
    EPIZEUXIS,
    FEWEST_STEPS,
    ISOCOLON,
    KIND,
    LINK,
    NOUN,
    PARTS,
    POLYPTOTON,
    POLYSYNDETON,
    SCALED_WORDS,
    SHORTEST_COLON,
    SOUND,
    STEM,
    STOP,
    TRICOLON,
    VERB,
    WINDOW,
    Ints,
    same_words,
    start_of,
)


@njit(cache=True, nogil=True)
def look_at_sentence(
    words: Ints,
    clause_ends: Ints,
    commas: NDArray[np.bool_],
    first: int,
    last: int,
    table: Ints,
    sets: Ints,
    seen: Ints,
    has: NDArray[np.bool_],
) -> None:
    """Find the signs that a sentence shows by itself."""
    start, stop = start_of(clause_ends, first), clause_ends[last - 1]
    steps, coordinators = 0, np.zeros(5, np.int64)
    for at in range(start, stop):
        row = table[words[at]]
        coordinators[row[COORDINATOR]] += 1
        if row[0] & sets[SCALED_WORDS, 0] or row[1] & sets[SCALED_WORDS, 1]:
            steps += 1
        if at + 2 < stop and words[at] == words[at + 1] == words[at + 2]:
            has[EPIZEUXIS] = True
    has[CLIMAX] |= steps >= FEWEST_STEPS
    has[POLYSYNDETON] |= coordinators[1:].max() > 1
    has[EPANALEPSIS] |= _frames(words, start, stop, table)
    stretch, before = first, False
    for clause in range(first, last):
        _look_at_clause(words, start_of(clause_ends, clause), clause_ends[clause], table, seen, has)
        alike = clause > first and _parallel(words, clause_ends, clause, table)
        has[ISOCOLON] |= alike
        has[TRICOLON] |= alike and before
        before = alike
        if clause + 1 == last or not commas[clause]:
            low, high = start_of(clause_ends, stretch), clause_ends[clause]
            has[EPANALEPSIS] |= _frames(words, low, high, table)
            has[POLYPTOTON] |= _two_forms(words, low, high, VERB, table, seen)
            if clause - stretch > 1:
                has[ASYNDETON] |= _lists(words, clause_ends, clause - 1, table)
            stretch = clause + 1


@njit(cache=True, nogil=True)
def _frames(words: Ints, start: int, stop: int, table: Ints) -> bool:
    same = stop - start > 3 and words[start] == words[stop - 1]
    return same and table[words[start], STOP] == 0


@njit(cache=True, nogil=True)
def _two_forms(words: Ints, start: int, stop: int, part: int, table: Ints, seen: Ints) -> bool:
    """Say whether two different words have a lemma in common.

    The first row of `seen` counts the calls; the others remember in which of them a lemma was seen
    first, and as which word.
    """
    seen[0, 0] += 1
    for at in range(start, stop):
        lemma = table[words[at], part]
        if lemma < 0:
            return True
        if lemma == 0:
            continue
        if seen[lemma, 0] != seen[0, 0]:
            seen[lemma, 0], seen[lemma, 1] = seen[0, 0], words[at]
        elif seen[lemma, 1] != words[at]:
            return True
    return False


@njit(cache=True, nogil=True)
def _lists(words: Ints, clause_ends: Ints, middle: int, table: Ints) -> bool:
    """Say whether this clause and its neighbours can be items of a list without a coordinator."""
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
    for at in range(start, stop):
        if table[words[at], COORDINATOR]:
            return False
    return True


@njit(cache=True, nogil=True)
def _parallel(words: Ints, clause_ends: Ints, clause: int, table: Ints) -> bool:
    """Say whether a clause and the one before it are built alike, part by part."""
    one, other = start_of(clause_ends, clause - 1), clause_ends[clause - 1]
    middle, stop = other, clause_ends[clause]
    one += table[words[one], COORDINATOR] > 0
    other += table[words[other], COORDINATOR] > 0
    n = middle - one
    if n != stop - other or n < SHORTEST_COLON:
        return False
    for at in range(n):
        first, second = words[one + at], words[other + at]
        if first == second:
            continue
        kinds = table[first, KIND] == table[second, KIND] > 0
        if not kinds and table[first, PARTS] & table[second, PARTS] == 0:
            return False
    return not same_words(words, one, other, n)


@njit(cache=True, nogil=True)
def _look_at_clause(
    words: Ints, start: int, stop: int, table: Ints, seen: Ints, has: NDArray[np.bool_]
) -> None:
    """Find the signs that a clause shows by itself."""
    for at in range(start, stop):
        row = table[words[at]]
        if row[STOP]:
            continue
        if at + 2 < stop and words[at + 1] != words[at]:
            for other in range(at + 2, min(at + 5, stop)):
                has[DIACOPE] |= words[other] == words[at]
        if row[SOUND]:
            near = 0
            for other in range(max(start, at - WINDOW + 1), at):
                told = table[words[other]]
                near += told[SOUND] == row[SOUND] and told[STEM] != row[STEM]
            has[ALLITERATION] |= near > 1
    has[POLYPTOTON] |= _two_forms(words, start, stop, NOUN, table, seen)
