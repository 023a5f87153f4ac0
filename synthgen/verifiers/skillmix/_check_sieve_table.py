"""What the sieve of texts knows of a word, and the signs that it looks for."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from synthgen.core.lent import lent

Ints: TypeAlias = NDArray[np.int64]
N_BITS = 2
"""Columns of bits of the sets that a word is in, the first ones of the table."""
STOP, LINK, ALPHA, COORDINATOR, KIND, PARTS, SOUND, STEM, RHYME, VERB, NOUN, USES, OPPOSED = range(
    N_BITS, N_BITS + 13
)
"""Columns: whether a function word, whether it ties clauses, whether it has letters alone, and
numbers, of which 0 stands for none; parts and uses are bits."""
N_COLUMNS = OPPOSED + 1
(
    COPULA,
    ARTICLE,
    DEFINITE,
    LIKE,
    AS,
    ODD,
    CLASHING,
    EXTREME,
    THAN,
    NUMERAL,
    BOUNDED,
    ASKING,
    COUNTED,
    AT_PLACE,
    BEFORE_PLACE,
    LINKING,
    HOLDING,
    JOINING,
) = (1 << at for at in range(18))
"""Uses of words beside others."""
IN_TEXT, IN_SENTENCE, IN_CLAUSE = range(3)
"""Where the words that a checker needs must be together."""
(
    ANAPHORA,
    EPISTROPHE,
    SYMPLOCE,
    ANADIPLOSIS,
    GRADATIO,
    INCLUSIO,
    EPANALEPSIS,
    ANTIMETABOLE,
    POLYSYNDETON,
    ASYNDETON,
    EPIZEUXIS,
    DIACOPE,
    ISOCOLON,
    TRICOLON,
    POLYPTOTON,
    ALLITERATION,
    RHYMES,
    ANTITHESIS,
    CLIMAX,
    SPACE,
    TIME,
    REWORDED,
    METAPHOR,
    SIMILE,
    OXYMORON,
    HYPERBOLE,
    QUESTION,
    ASKED,
    COUNTS,
    ANY,
) = range(30)
"""Signs that a text has; a skill has one of them, or `ANY`."""
OPPOSED_WORDS, SCALED_WORDS, SPLITTING_WORDS, PLACING_WORDS, TIME_WORDS, SAME_WORDS = range(6)
"""Sets of words that the signs depend on."""
LONGEST_OPENING = 3
SHORTEST_REFRAIN, FEWEST_FRAMED = 4, 3
SHORTEST_COLON = 3
N_TRICOLON = 3
N_COORDINATORS = 4
COMMA = ord(",")
LONGEST_CONJUNCT = 4
SHORTEST_CONTRARY = 3
WINDOW = 5
FEWEST_ALIKE = 3
FEWEST_STEPS = 3
FEWEST_FACTS = 3
FEWEST_NUMBERS = 3
QUESTION_MARK = ord("?")


@lent
def start_of(clause_ends: Ints, clause: int) -> int:
    """Return where a clause begins."""
    return clause_ends[clause - 1] if clause else 0


@lent
def same_words(words: Ints, one: int, other: int, n: int) -> bool:
    """Say whether the same n words stand at two places."""
    for at in range(n):
        if words[one + at] != words[other + at]:
            return False
    return True
