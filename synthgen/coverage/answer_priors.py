"""Answer priors: the distribution of answers on both sides, and the score of guessing by it.

A dataset with few, unevenly distributed answers rewards guessing the most common one; a split whose
sides have different answers also tests for that. Answers are counted by a 64-bit id.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from synthgen.coverage.evenness import hill_number
from synthgen.coverage.id_counts import IdCounts
from synthgen.draws.randomness import U64
from synthgen.trees.content_keys import text_keys


@dataclass(frozen=True, slots=True)
class AnswerPrior:
    """Answers of two sides; shares are nan if a side they need is empty.

    Attributes:
        train_answers, test_answers: Distinct answers of each side.
        train_effective, test_effective: Exponential of the entropy of each side's answers.
        train_top, test_top: Share of each side's most common answer.
        guess: Share of test rows with the most common answer of train (ties: the lowest id), the
            accuracy of a model that always gives it.
        unseen: Share of test rows with an answer not in train.
        distance: Total variation distance of the two sides, from 0 (equal shares) to 1.
    """

    train_answers: int
    test_answers: int
    train_effective: float
    test_effective: float
    train_top: float
    test_top: float
    guess: float
    unseen: float
    distance: float


def answer_ids(answers: pa.StringArray) -> U64:
    """Return an id of each answer text, uint64 (n,)."""
    return text_keys(answers, "answer")[:, 0].copy()


def answer_prior(train: IdCounts, test: IdCounts) -> AnswerPrior:
    """Compare two sides by the counts of the `answer_ids` of their rows."""
    ids, test_counts = test.items()
    train_ids, train_counts = train.items()
    common = train.counts_of(ids)
    n_train, n_test = int(train_counts.sum()), int(test_counts.sum())
    guess = distance = unseen = math.nan
    if n_train and n_test:
        commonest = train_ids[int(np.argmax(train_counts))]
        guess = int(test.counts_of([commonest])[0]) / n_test
        overlap = np.minimum(common / n_train, test_counts / n_test)
        distance = max(0.0, 1.0 - math.fsum(overlap.tolist()))
    if n_test:
        unseen = int(test_counts[common == 0].sum()) / n_test
    return AnswerPrior(
        train_answers=len(train),
        test_answers=len(test),
        train_effective=hill_number(train_counts, 1),
        test_effective=hill_number(test_counts, 1),
        train_top=int(train_counts.max()) / n_train if n_train else math.nan,
        test_top=int(test_counts.max()) / n_test if n_test else math.nan,
        guess=guess,
        unseen=unseen,
        distance=distance,
    )
