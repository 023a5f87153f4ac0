"""Answer priors against counters."""

import math
from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.coverage.answer_priors import AnswerPrior, answer_ids, answer_prior
from synthgen.coverage.id_counts import IdCounts

ANSWERS = st.lists(st.sampled_from(["yes", "no", "12", "-12", "7/2"]), max_size=15)


def prior(train: list[str], test: list[str]) -> AnswerPrior:
    return answer_prior(
        *(IdCounts(answer_ids(pa.array(side, pa.string()))) for side in (train, test))
    )


def test_a_worked_prior() -> None:
    found = prior(["yes"] * 3 + ["no"], ["yes", "no", "no", "maybe"])
    assert (found.train_answers, found.test_answers) == (2, 3)
    assert (found.train_top, found.test_top) == (0.75, 0.5)
    assert (found.guess, found.unseen, found.distance) == (0.25, 0.25, 0.5)
    assert found.test_effective == pytest.approx(2.8284, abs=5e-5)


@given(ANSWERS, ANSWERS)
def test_it_is_what_counters_say(train: list[str], test: list[str]) -> None:
    found = prior(train, test)
    counts = Counter(train), Counter(test)
    assert (found.train_answers, found.test_answers) == tuple(len(count) for count in counts)
    if test:
        assert found.unseen == sum(answer not in counts[0] for answer in test) / len(test)
        assert found.test_top == max(counts[1].values()) / len(test)
    else:
        assert math.isnan(found.unseen)
    if train and test:
        away = (counts[0][a] / len(train) - counts[1][a] / len(test) for a in {*train, *test})
        assert found.distance == pytest.approx(sum(map(abs, away)) / 2, abs=1e-12)
        top = max(counts[0].values())
        guesses = [counts[1][answer] for answer, n in counts[0].items() if n == top]
        assert found.guess * len(test) == pytest.approx(
            min(guesses, key=lambda n: abs(n - found.guess * len(test)))
        )
    else:
        assert math.isnan(found.guess)
        assert math.isnan(found.distance)
