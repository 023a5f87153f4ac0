"""What compiled checkers of arguments are given: rows of words and stems, and their codes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.skillmix._text_table import Ints

KEY, STEM, WEIGHT, DENIES, NUMBER, IS_ARTICLE, IS_INDIVIDUAL, SPOKEN = range(8)
"""Columns of words.

The code of the word if it matters for how a clause is read; of its stem; of its stem if that has
weight in a statement; whether it denies; the number that it is, -1 for none; two classes; and its
own code if a phrase has it.
"""
N_WORD_COLUMNS = 8
GROUPS, PRONOUN, EACH, WITHIN, AS_ONE, WHOLE, PART, SMALL, LARGE, END = range(10)
"""Columns of stems: bits of the groups of one meaning, and what else the word is."""
N_STEM_COLUMNS = 10
BE, NO_STEM, ONE_STEM, OF, AMONG, BELONG, TO, IN, OUT, PERCENT = range(1, 11)
"""Codes."""
ALL, NO, SOME, MOST, FEW, ONE, NOT_ALL = range(7)
"""Shares of a set."""
NONE, CONCLUSION, REASON, REASON_AFTER = range(4)
"""Roles of statements."""
IS, NOT, AND, OR, IF = range(5)
"""Operations of formulas."""
LETTERS = "AEIO"


class Known(NamedTuple):
    """What is known beforehand.

    Attributes:
        words: rows of words by number.
        stems: rows of stems by code.
        phrases: of shares: which share, how many words, and their codes.
        closings: phrases that leave no more than two ways, in the same form without a share.
        opposed: codes of stems that have something in between.
        models: where a form of a statement about sets holds, (letter, subject, predicate, 4).
    """

    words: Ints
    stems: Ints
    phrases: Ints
    closings: Ints
    opposed: Ints
    models: NDArray[np.uint64]
