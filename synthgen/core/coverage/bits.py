"""Inductive bias that a test set asks for, in bits: -log2 of the chance of a random right guess.

After Boopathy et al. 2023, "Model-agnostic measure of generalization difficulty": the information
that a learner must bring along is -log P(test error <= e | train fitted) over a hypothesis space.
Generators have finite spaces, so it is exact here. Monolithic: all tables over the domain are
equally likely, and u distinct unseen test inputs with Y possible answers each take u log2(Y) bits.
Factorised: the tables of the generator's primitives are equally likely, and only the entries that
test needs and train does not show take bits; above 0, test is not determined by train. The gap of
the two is what knowing the composition buys.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from synthgen.core.checks import check_int
from synthgen.core.coverage.id_counts import IdCounts
from synthgen.core.errors import ParamError

_MOST_UNSEEN = 2**40
_CHUNK = 1 << 20
_NEARLY = 1e-9
_NEGLIGIBLE = 60.0


def monolithic_bits(unseen: int, answers: int, error: float = 0.0) -> float:
    """Return -log2( sum over j <= error * unseen of C(unseen, j) (answers - 1)^j / answers^unseen).

    Args:
        unseen: different test inputs that train does not have, u.
        answers: possible answers to each, Y.
        error: share of them that may be answered wrongly, from 0 to 1.

    Returns:
        Bits, at least 0.

    Raises:
        ParamError: for arguments out of range.
    """
    check_int("unseen", unseen, 0, _MOST_UNSEEN)
    check_int("answers", answers, 1, 2**63)
    if not 0.0 <= error <= 1.0:
        raise ParamError("error", error, "a share from 0 to 1")
    wrong = math.floor(error * unseen + _NEARLY)
    return max(0.0, unseen * math.log2(answers) - _log2_sum(unseen, answers, wrong))


def _log2_sum(unseen: int, answers: int, wrong: int) -> float:
    """Return log2 of the sum over j from 0 to `wrong` of C(unseen, j) (answers - 1)^j."""
    if answers == 1 or wrong == 0:
        return 0.0
    if wrong == unseen:
        return unseen * math.log2(answers)
    largest, total = 0.0, 1.0  # the sum so far is total * 2^largest
    log_term = 0.0
    for start in range(0, wrong, _CHUNK):
        j = np.arange(start, min(start + _CHUNK, wrong), dtype=np.float64)
        steps = np.log2((unseen - j) / (j + 1)) + math.log2(answers - 1)
        terms = log_term + np.cumsum(steps)
        log_term = float(terms[-1])
        top = max(largest, float(terms.max()))
        total = total * 2.0 ** (largest - top) + math.fsum(np.exp2(terms - top).tolist())
        largest = top
        if float(steps[-1]) < 0 and log_term < largest - _NEGLIGIBLE - math.log2(unseen):
            break
    return largest + math.log2(total)


def factorised_bits(unseen: Sequence[int], answers: Sequence[int]) -> float:
    """Return the sum over primitives of unseen entries * log2(codomain).

    Args:
        unseen: for each primitive, the entries of its table that test needs and train does not show
            (see `unseen_entries`).
        answers: for each primitive, the values that an entry may have.

    Returns:
        Bits; 0 means that train determines test, given how the primitives are composed and what
        lies between them. Where values between them are hidden it is a lower bound.

    Raises:
        ParamError: for arguments out of range or of unequal length.
    """
    if len(unseen) != len(answers):
        raise ParamError("primitives", (len(unseen), len(answers)), "as many codomains as tables")
    for entries, values in zip(unseen, answers, strict=True):
        check_int("unseen", entries, 0, _MOST_UNSEEN)
        check_int("answers", values, 1, 2**63)
    return math.fsum(n * math.log2(of) for n, of in zip(unseen, answers, strict=True))


def unseen_entries(needed: IdCounts, shown: IdCounts) -> int:
    """Return how many different entries of a table test needs and train does not show.

    Args:
        needed: ids of the entries that test rows use.
        shown: ids of the entries that train rows use.
    """
    ids, _ = needed.items()
    return int(np.count_nonzero(~shown.has(ids)))
