"""Kernels of the controllers as plain Python: the same choices as compiled."""

from __future__ import annotations

from tests.fresh_process import printed

PROGRAM = r"""
import numba, numpy as np
from synthgen.controllers.adaptive import keep_on_pace, pace_of
from synthgen.controllers.arrangement import by_novelty, in_turns, lots_of
from synthgen.controllers.chosen_seed import choose_seed
from synthgen.controllers.covering_seed import covering_rows
from synthgen.controllers.greedy_coverage import greedy_coverage
from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.randomness import Rows

draws = Rows.span(11, 0, 300).draws()
cells, lengths = draws.integers(0, 5), draws.integers(0, 6)
words = np.repeat(draws.integers(0, 90), lengths).astype(np.uint64) * np.uint64(2**57 + 3)
words[::2] = np.arange(len(words[::2]), dtype=np.uint64) % np.uint64(40)
pool = Ragged(words, offsets_of(lengths))
lots = lots_of(np.arange(300, dtype=np.uint64), 3)
seed = covering_rows((3, 2, 4, 3), 2, 5, [{0: 1, 2: 3}, {1: 0, 2: 0}])
kept, pace = keep_on_pace(pace_of([5, 3, 2, 1, 1], 1.5), cells)
found = [seed.rows, seed.infeasible, seed.undecided, kept, pace.counts]
found += [choose_seed(draws.integers(0, 4, size=3), 2, 2, 100)]
found += [in_turns(cells, [5, 3, 2, 1, 1], np.arange(300)), by_novelty(cells, lots[:5], lots)]
for options in ({}, {"again": True}, {"times": 3, "by_frequency": True}):
    chosen = greedy_coverage(pool, 120, **options)
    found += [chosen.rows, chosen.gains, np.array([chosen.covered, chosen.total])]
assert all(len(one) for one in found if one is not seed.undecided)
print([one.tolist() for one in found])
"""


def test_plain_python_chooses_what_the_compiled_kernels_choose() -> None:
    compiled = printed(PROGRAM, plain=False)
    assert len(compiled) > 5_000
    assert printed(PROGRAM, plain=True) == compiled
