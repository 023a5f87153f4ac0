"""Kernels of the controllers as plain Python: the same choices as compiled."""

from __future__ import annotations

from tests.fresh_process import printed

PROGRAM = r"""
import numba, numpy as np
from synthgen.engine.controllers.adaptive import keep_on_pace, pace_of
from synthgen.engine.controllers.arrangement import by_novelty, in_turns, lots_of
from synthgen.engine.steer import greedy_coverage
from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.randomness import Rows

draws = Rows.span(11, 0, 300).draws()
cells, lengths = draws.integers(0, 5), draws.integers(0, 6)
words = np.repeat(draws.integers(0, 90), lengths).astype(np.uint64) * np.uint64(2**57 + 3)
words[::2] = np.arange(len(words[::2]), dtype=np.uint64) % np.uint64(40)
pool = Ragged(words, offsets_of(lengths))
lots = lots_of(np.arange(300, dtype=np.uint64), 3)
kept, pace = keep_on_pace(pace_of([5, 3, 2, 1, 1], 1.5), cells)
found = [kept, pace.counts]
found += [in_turns(cells, [5, 3, 2, 1, 1], np.arange(300)), by_novelty(cells, lots[:5], lots)]
for options in ({}, {"again": True}, {"times": 3, "by_frequency": True}):
    chosen = greedy_coverage(pool, 120, **options)
    found += [chosen.rows, chosen.gains, np.array([chosen.covered, chosen.total])]
assert all(len(one) for one in found)
print([one.tolist() for one in found])
"""


def test_plain_python_chooses_what_the_compiled_kernels_choose() -> None:
    compiled = printed(PROGRAM, plain=False)
    assert len(compiled) > 5_000
    assert printed(PROGRAM, plain=True) == compiled
