"""Compiled checkers of world and mind: which of their skills texts show.

They find what the plain checkers find, in numbers of words instead of words.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.verifiers.skillmix import _check_world_kernel_fact as fact
from synthgen.verifiers.skillmix import _check_world_kernel_fallacy as fallacy
from synthgen.verifiers.skillmix import _check_world_kernel_mind as mind
from synthgen.verifiers.skillmix import _check_world_kernel_number as number
from synthgen.verifiers.skillmix import _check_world_kernel_order as order
from synthgen.verifiers.skillmix import _check_world_kernel_question as question
from synthgen.verifiers.skillmix._check_world_kernel_fact_known import Facts
from synthgen.verifiers.skillmix._check_world_kernel_fallacy_known import Fallacies
from synthgen.verifiers.skillmix._check_world_kernel_mind_known import Minds
from synthgen.verifiers.skillmix._check_world_kernel_number_read import Numbers
from synthgen.verifiers.skillmix._check_world_kernel_order_read import Orders
from synthgen.verifiers.skillmix._check_world_kernel_question import Questions
from synthgen.verifiers.skillmix._check_world_kernel_told import Cuts, statements
from synthgen.verifiers.skillmix._text_table import Ints


@njit(cache=True, nogil=True)
def find_skills(
    cuts: Cuts,
    wanted: Ints,
    facts: Facts,
    fallacies: Fallacies,
    minds: Minds,
    numbers: Numbers,
    orders: Orders,
    questions: Questions,
) -> Ints:
    """Return, as bits, which of the wanted skills each text shows; wanted are bits, too."""
    found = np.zeros(len(cuts.text_ends), np.int64)
    first = int(np.int64(0))  # no literal, for which all would be compiled once more
    for text in range(len(cuts.text_ends)):
        last, asked = cuts.text_ends[text], wanted[text]
        if asked and first < last:
            told = statements(cuts, first, last)
            found[text] = (
                fact.skills(cuts, told, asked, facts)
                | fallacy.skills(cuts, told, asked, fallacies)
                | mind.skills(cuts, told, asked, minds)
                | number.skills(cuts, first, last, told, asked, numbers)
                | order.skills(cuts, told, asked, orders)
                | question.skills(cuts, first, last, asked, questions)
            )
        first = last
    return found
