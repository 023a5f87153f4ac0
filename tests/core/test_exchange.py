"""The local search: what it may change, and when it stops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.divergence import (
    EXCHANGED,
    LAST_GAIN,
    PROPOSED,
    Aim,
    Feature,
    Ints,
    climb,
    divergence_after,
    feature_of,
    fill,
    no_change,
    unseen_after,
)

AIM = Aim(0.05, 1.0, 5.0, 1.0, 1.0, 10**9, 7)
IDS = 8
ROWS = st.lists(st.lists(st.integers(0, IDS - 1), max_size=5), min_size=4, max_size=16)


class Search:
    """Rows whose compounds and atoms are numbers, and a search among them."""

    def __init__(self, rows: list[list[int]], n_train: int, n_test: int) -> None:
        compounds = ragged(rows, np.int64)
        atoms = ragged([[number // 3 for number in row] for row in rows], np.int64)
        nothing = ragged([[] for _ in rows], np.int64)
        self.compounds = feature_of(compounds, IDS, 0.1)
        self.atoms = feature_of(atoms, IDS, 0.5)
        self.axes = feature_of(nothing, 0, 0.5)
        self.sizes = n_train, n_test
        self.places: Ints = np.arange(len(rows), dtype=np.int64)
        self.counts: Ints = np.zeros(3, np.int64)
        for feature in (self.compounds, self.atoms, self.axes):
            fill(feature, self.places, n_train, n_test)

    def run(self, steps: int, aim: Aim = AIM, key: int = 5) -> tuple[float, float]:
        features = self.compounds, self.atoms, self.axes
        return climb(features, self.places, self.sizes, aim, (np.uint64(key), steps), self.counts)

    def score(self, aim: Aim = AIM) -> tuple[float, float]:
        nothing = no_change()
        beyond = max(0.0, divergence_after(self.atoms, nothing) - aim.atom_bound)
        charge = aim.penalty * beyond + aim.unseen_penalty * unseen_after(self.atoms, nothing)
        return divergence_after(self.compounds, nothing) - charge, charge


def state(one: Feature) -> list[list[int]]:
    return [one.train.tolist(), one.test.tolist(), one.sums.tolist()]


@given(ROWS, st.data())
def test_it_never_loses_and_keeps_sizes_and_tallies(
    rows: list[list[int]], data: st.DataObject
) -> None:
    n_train = data.draw(st.integers(1, len(rows) - 1))
    n_test = data.draw(st.integers(1, len(rows) - n_train))
    search = Search(rows, n_train, n_test)
    before, _ = search.score()
    found = search.run(60)
    assert found == pytest.approx(search.score(), abs=1e-12)
    assert found[0] >= before
    assert sorted(search.places.tolist()) == list(range(len(rows)))
    fresh = Search(rows, n_train, n_test)
    for feature, same in zip(
        (search.compounds, search.atoms), (fresh.compounds, fresh.atoms), strict=True
    ):
        fill(same, search.places, n_train, n_test)
        assert state(feature) == state(same)
    assert search.counts[PROPOSED] == 60 or found == (1.0, 0.0)
    assert search.counts[LAST_GAIN] <= search.counts[PROPOSED]
    assert found[0] == before or 0 < search.counts[LAST_GAIN] <= 60
    moved = search.places.tolist() != list(range(len(rows)))
    assert search.counts[EXCHANGED] >= moved


ALIKE = [[0, 1], [0, 1], [2, 3], [2, 3], [0, 2], [1, 3], [0, 3], [1, 2]] * 4


def test_it_finds_a_split_without_common_compounds() -> None:
    search = Search([[number] for number in (0, 1, 2, 1, 0, 2, 3, 4, 5, 4, 3, 5)] * 2, 12, 6)
    score, charge = search.run(5_000)
    assert score == 1.0
    assert charge == 0.0
    assert not ((search.compounds.train > 0) & (search.compounds.test > 0)).any()


def test_it_stops_at_the_target_and_without_gains() -> None:
    search = Search(ALIKE, 16, 8)
    score, charge = search.run(10_000, AIM._replace(target=0.2))
    assert charge == 0.0
    assert score >= 0.2
    assert search.counts[PROPOSED] < 10_000
    search.run(10_000)
    assert search.counts[PROPOSED] > 10_000
    stopped = search.counts[PROPOSED]
    search.run(10_000, AIM._replace(patience=0))
    assert search.counts[PROPOSED] == stopped


def test_it_does_not_leave_atoms_to_test_alone() -> None:
    rows = [[0], [0], [1], [1], [3], [4], [6], [0], [1], [2]]
    search = Search(rows, 5, 3)
    assert unseen_after(search.atoms, no_change()) == 1
    _, charge = search.run(2_000, AIM._replace(atom_bound=1.0))
    assert charge == 0.0
    assert not ((search.atoms.test > 0) & (search.atoms.train == 0)).any()


def test_it_goes_by_its_key() -> None:
    runs = []
    for key in (1, 1, 2):
        search = Search(ALIKE, 16, 8)
        search.run(300, key=key)
        runs.append(search.places.tolist())
    assert runs[0] == runs[1] != runs[2]
