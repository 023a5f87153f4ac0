"""Signs that words have by what stands beside them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_sieve_table import (
    ARTICLE,
    AS,
    ASKED,
    ASKING,
    AT_PLACE,
    BEFORE_PLACE,
    BOUNDED,
    CLASHING,
    COPULA,
    COUNTED,
    COUNTS,
    DEFINITE,
    EXTREME,
    FEWEST_FACTS,
    FEWEST_NUMBERS,
    HOLDING,
    HYPERBOLE,
    LIKE,
    LINKING,
    METAPHOR,
    NUMERAL,
    ODD,
    OXYMORON,
    PLACING_WORDS,
    QUESTION,
    QUESTION_MARK,
    SIMILE,
    SPACE,
    THAN,
    USES,
    Ints,
    start_of,
)


@lent
def look_at_uses(
    words: Ints,
    clause_ends: Ints,
    marks: Ints,
    first: int,
    last: int,
    table: Ints,
    bits: Ints,
    sets: Ints,
    has: NDArray[np.bool_],
) -> None:
    """Find the signs of words beside others in the clauses of a text."""
    n_numbers = n_places = 0
    needs = sets[PLACING_WORDS]
    for clause in range(first, last):
        start, stop = start_of(clause_ends, clause), clause_ends[clause]
        has[QUESTION] |= marks[clause] == QUESTION_MARK
        places = bits[clause, 0] & needs[0] == needs[0] and bits[clause, 1] & needs[1] == needs[1]
        before = LINKING
        for at in range(start, stop):
            own = table[words[at], USES]
            if own:
                _look_at_word(words, at, stop, table, own, has)
                n_numbers += own & COUNTED > 0
                n_places += places and _is_place(before, own)
            before = own
    has[COUNTS] = n_numbers >= FEWEST_NUMBERS
    has[SPACE] = n_places >= FEWEST_FACTS
    has[ASKED] |= has[QUESTION]


@lent
def _is_place(before: int, own: int) -> bool:
    """Say whether a word can tell that a thing is somewhere."""
    return own & HOLDING > 0 or (own & AT_PLACE > 0 and before & (BEFORE_PLACE | LINKING) > 0)


@lent
def _look_at_word(
    words: Ints, at: int, stop: int, table: Ints, own: int, has: NDArray[np.bool_]
) -> None:
    one = table[words[at + 1], USES] if at + 1 < stop else 0
    two = table[words[at + 2], USES] if at + 2 < stop else 0
    has[METAPHOR] |= own & COPULA > 0 and one & ARTICLE > 0
    has[OXYMORON] |= own & ODD > 0 and one & CLASHING > 0
    has[HYPERBOLE] |= own & EXTREME > 0 and one & THAN > 0
    has[HYPERBOLE] |= own & NUMERAL > 0 and (one | two) & BOUNDED > 0
    has[ASKED] |= own & ASKING > 0
    has[SIMILE] |= own & LIKE > 0 and one & ARTICLE > 0
    if own & AS and two & AS and at + 3 < stop:
        has[SIMILE] |= table[words[at + 3], USES] & (ARTICLE | DEFINITE) > 0
