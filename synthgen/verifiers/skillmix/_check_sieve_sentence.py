"""Signs that a sentence or a clause has by itself."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_sieve_lists import joins_many, lists
from synthgen.verifiers.skillmix._check_sieve_table import (
    ALLITERATION,
    ALPHA,
    ASYNDETON,
    CLIMAX,
    COMMA,
    COORDINATOR,
    DIACOPE,
    EPANALEPSIS,
    EPIZEUXIS,
    FEWEST_ALIKE,
    FEWEST_STEPS,
    ISOCOLON,
    KIND,
    N_TRICOLON,
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
    marks: Ints,
    first: int,
    last: int,
    table: Ints,
    sets: Ints,
    seen: Ints,
    has: NDArray[np.bool_],
) -> None:
    """Find the signs that a sentence shows by itself."""
    start, stop = start_of(clause_ends, first), clause_ends[last - 1]
    steps = 0
    for at in range(start, stop):
        row = table[words[at]]
        if row[0] & sets[SCALED_WORDS, 0] or row[1] & sets[SCALED_WORDS, 1]:
            steps += 1
        if at + 2 < stop and words[at] == words[at + 1] == words[at + 2]:
            has[EPIZEUXIS] |= row[ALPHA] > 0
    has[CLIMAX] |= steps >= FEWEST_STEPS
    has[POLYSYNDETON] |= joins_many(words, clause_ends, marks, first, last, table)
    has[EPANALEPSIS] |= _frames(words, start, stop, table)
    stretch = first
    for clause in range(first, last):
        _look_at_clause(words, start_of(clause_ends, clause), clause_ends[clause], table, seen, has)
        if clause + 1 == last or marks[clause] != COMMA:
            low, high = start_of(clause_ends, stretch), clause_ends[clause]
            has[EPANALEPSIS] |= _frames(words, low, high, table)
            has[POLYPTOTON] |= _two_forms(words, low, high, VERB, table, seen)
            if clause - stretch > 1:
                has[ASYNDETON] |= lists(words, clause_ends, clause - 1, table)
            stretch = clause + 1
    _count_parallel(words, clause_ends, marks, first, last, table, has)


@lent
def _frames(words: Ints, start: int, stop: int, table: Ints) -> bool:
    same = stop - start > 3 and words[start] == words[stop - 1]
    return same and table[words[start], STOP] == 0


@lent
def _two_forms(words: Ints, start: int, stop: int, part: int, table: Ints, seen: Ints) -> bool:
    """Say whether two different words have a lemma in common.

    The first row of `seen` counts the calls; the others remember in which of them a lemma was seen
    first, and as which word.
    """
    seen[0, 0] += 1
    for at in range(start, stop):
        lemma = table[words[at], part]
        if lemma == 0:
            continue
        if seen[lemma, 0] != seen[0, 0]:
            seen[lemma, 0], seen[lemma, 1] = seen[0, 0], words[at]
        elif seen[lemma, 1] != words[at]:
            return True
    return False


@lent
def _count_parallel(
    words: Ints,
    clause_ends: Ints,
    marks: Ints,
    first: int,
    last: int,
    table: Ints,
    has: NDArray[np.bool_],
) -> None:
    """Count the clauses of each run of parallel ones, which keeps one mark between them."""
    run, mark = 1, 0
    for clause in range(first + 1, last):
        link = marks[clause - 1]
        alike = _parallel(words, clause_ends, clause, table)
        has[ISOCOLON] |= alike
        if alike and (run == 1 or link == mark):
            run, mark = run + 1, link
            continue
        has[TRICOLON] |= run == N_TRICOLON
        run = 1
        if alike:
            run, mark = 2, link
    has[TRICOLON] |= run == N_TRICOLON


@lent
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
        if at + 2 < stop and words[at + 1] != words[at] and row[ALPHA]:
            for other in range(at + 2, min(at + 5, stop)):
                has[DIACOPE] |= words[other] == words[at]
        if row[SOUND] and not has[ALLITERATION] and _near(words, start, at, table) > 1:
            has[ALLITERATION] = _alliterates(words, start, stop, table)
    has[POLYPTOTON] |= _two_forms(words, start, stop, NOUN, table, seen)


@lent
def _near(words: Ints, start: int, at: int, table: Ints) -> int:
    """Count the words shortly before this one that begin with its sound and another stem."""
    near = 0
    for other in range(max(start, at - WINDOW + 1), at):
        one, told = table[words[at]], table[words[other]]
        near += told[SOUND] == one[SOUND] and told[STEM] != one[STEM]
    return near


@njit(cache=True, nogil=True)
def _alliterates(words: Ints, start: int, stop: int, table: Ints) -> bool:
    """Say whether enough words with one sound are near each other, each with a stem of its own.

    A word is near those before it that are close by and were near the last word of its sound.
    """
    near = np.zeros((stop - start, FEWEST_ALIKE), np.int64)
    for at in range(start, stop):
        sound = table[words[at], SOUND]
        if sound == 0:
            continue
        before = at - 1
        while before >= start and table[words[before], SOUND] != sound:
            before -= 1
        n = 0
        if before >= start:
            for place in near[before - start]:
                other = place - 1
                if (
                    place
                    and at - other < WINDOW
                    and table[words[other], STEM] != table[words[at], STEM]
                ):
                    near[at - start, n] = place
                    n += 1
        near[at - start, n] = at + 1
        if n + 1 == FEWEST_ALIKE:
            return True
    return False
