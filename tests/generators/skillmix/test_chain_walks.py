"""Walks of the skill chains: allowed pairs alone, all lengths and types, pairs evenly often."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.skillmix._chain_draw import Drawn
from synthgen.generators.skillmix._chain_walks import walk_tables
from synthgen.generators.skillmix.skill_chain import SkillChain

N_ROWS = 60_000


def drawn_by(**params: object) -> tuple[SkillChain, Drawn]:
    generator = SkillChain(**params)  # type: ignore[arg-type]
    return generator, generator.draw(Rows.span(3, 0, N_ROWS)).parts["drawn"]


def pair_counts(drawn: Drawn, m: int, only: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
    counts = np.zeros((m, m), np.int64)
    for place in range(1, drawn.chains.shape[1]):
        rows = drawn.counts > place
        rows = rows if only is None else rows & only
        np.add.at(counts, (drawn.chains[rows, place - 1], drawn.chains[rows, place]), 1)
    return counts


def gini(values: NDArray[np.int64]) -> float:
    ranks = 2 * np.arange(1, len(values) + 1) - len(values) - 1
    return float((np.sort(values) * ranks).sum() / len(values) / values.sum())


def test_pairs_of_two_are_uniform() -> None:
    generator, drawn = drawn_by(min_atoms=2, max_atoms=2)
    allowed = generator._tables.allowed
    counts = pair_counts(drawn, len(allowed))
    assert counts[~allowed].sum() == 0
    mean = N_ROWS / allowed.sum()
    # Poisson counts: their variance is their mean.
    assert 0.8 < counts[allowed].var() / mean < 1.25


def test_longer_walks_have_pairs_more_evenly_than_independent_steps() -> None:
    found = {}
    for balance in ("pairs", "none"):
        generator, drawn = drawn_by(balance=balance)
        allowed = generator._tables.allowed
        counts = pair_counts(drawn, len(allowed))
        assert counts[~allowed].sum() == 0
        assert counts[allowed].min() > 0
        found[balance] = gini(counts[allowed])
    assert found["pairs"] < 0.1
    assert found["none"] > 0.2


def test_kept_rows_have_nearly_all_pairs() -> None:
    """Pairs that hardly any input suits belong into the normal form, or are these few."""
    generator, drawn = drawn_by(min_atoms=2, max_atoms=2)
    allowed, labels = generator._tables.allowed, [atom.label for atom in generator._chosen]
    share = pair_counts(drawn, len(allowed), drawn.kept) / np.maximum(
        pair_counts(drawn, len(allowed)), 1
    )
    idle = {(labels[i], labels[j]) for i, j in np.argwhere(allowed & (share < 0.03))}
    assert idle <= {
        *(("mirror", "take5"), ("digits", "ltake4")),
        *(("index_e", "digitsum"), ("index_e", "revdigits")),
    }
    assert drawn.kept.mean() > 0.94


def test_lengths_are_uniform_and_types_are_chosen() -> None:
    generator, drawn = drawn_by(
        max_atoms=3, input_types=("number", "words"), output_types=("string",)
    )
    assert np.all(np.abs(np.bincount(drawn.counts)[1:] / N_ROWS - 1 / 3) < 0.01)
    types = [atom.types for atom in generator._chosen]
    for i in range(500):
        chain = drawn.chains[i, : drawn.counts[i]]
        assert types[chain[0]][0] in (2, 3)
        assert types[chain[-1]][1] == 0
        assert all(types[a][1] == types[b][0] for a, b in pairwise(chain))


def test_every_walk_of_a_small_graph_is_found() -> None:
    allowed = np.array([[False, True, False], [False, False, True], [True, False, False]])
    ones = np.ones(3, bool)
    for balanced in (True, False):
        walks = walk_tables(
            allowed, ones, np.array([False, True, False]), (1, 3), balanced=balanced
        )
        # One atom: 1. Two: 0 1. Three: 2 0 1.
        assert walks.reached.tolist() == [
            [True, True, False],
            [True, True, True],
            [True, False, False],
        ]
        assert walks.steps[0, 0].tolist() == [0, 2**32 - 1, 2**32 - 1]
        assert walks.steps[1, 0].tolist() == [2**32 - 1] * 3
        assert walks.steps[3, 0].tolist() == [0, 0, 2**32 - 1]


def test_chains_that_do_not_exist() -> None:
    with pytest.raises(ParamError, match="chains of 2"):
        SkillChain(atoms=("string-number",), max_atoms=2)
    with pytest.raises(ParamError, match="chains of 1"):
        SkillChain(input_types=("words",), output_types=("number",))
