"""Rows that are drawn again, and those that get the slow check."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from synthgen.contract.interfaces import Problems
from synthgen.core.errors import VerificationError
from synthgen.draws.randomness import Rows, mix_words
from synthgen.engine.make.rows import draw_table, stratified_sample
from synthgen.families.hint.family import Hint
from tests.building import plan_of, write_recipe

STRATA = st.lists(st.tuples(st.sampled_from(["bare", "one", "two"]), st.integers(-2, 6)))


def keys_of(n: int) -> NDArray[np.uint64]:
    return mix_words(np.arange(2 * n, dtype=np.uint64)).reshape(n, 2)


def sample(strata: list[tuple[str, int]], share: float) -> list[int]:
    templates = pa.array([name for name, _ in strata], pa.string())
    levels = np.array([level for _, level in strata], np.int16)
    return stratified_sample(templates, levels, keys_of(len(strata)), share).tolist()


@given(STRATA, st.sampled_from([1e-9, 0.01, 0.3, 1.0]))
@settings(deadline=None)
def test_every_stratum_has_a_row_and_the_others_go_by_their_key(
    strata: list[tuple[str, int]], share: float
) -> None:
    chosen = sample(strata, share)
    assert chosen == sorted(set(chosen))
    assert {strata[i] for i in chosen} == set(strata)
    words = keys_of(len(strata))[:, 0].tolist()
    below = {i for i, word in enumerate(words) if word < share * 2**64}
    extra = set(chosen) - below
    assert below <= set(chosen)
    for i in extra:  # the lowest key of a stratum that the share alone leaves out
        own = [j for j, stratum in enumerate(strata) if stratum == strata[i]]
        assert not below & set(own)
        assert words[i] == min(words[j] for j in own)
    assert len({strata[i] for i in extra}) == len(extra)


@given(STRATA, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_choice_depends_on_what_a_row_is_not_on_where_it_stands(
    strata: list[tuple[str, int]], random: object
) -> None:
    order = list(range(len(strata)))
    random.shuffle(order)  # type: ignore[attr-defined]
    keys = keys_of(len(strata))
    templates = pa.array([strata[i][0] for i in order], pa.string())
    levels = np.array([strata[i][1] for i in order], np.int16)
    mixed = stratified_sample(templates, levels, keys[order], 0.2)
    assert sorted(order[i] for i in mixed) == sample(strata, 0.2)


def test_dictionary_columns_are_read_as_well() -> None:
    strata = [("bare", i % 3) for i in range(50)]
    templates = pa.array(["bare"] * 50).dictionary_encode()
    levels = np.array([level for _, level in strata], np.int16)
    chosen = stratified_sample(templates, levels, keys_of(50), 0.1)
    assert chosen.tolist() == sample(strata, 0.1)


def test_the_share_is_met() -> None:
    strata = [("bare", 1)] * 20_000
    assert abs(len(sample(strata, 0.05)) / 20_000 - 0.05) < 0.01
    assert len(sample(strata, 1.0)) == 20_000


@pytest.mark.parametrize("strata", [[], [("bare", 3)] * 5])
def test_no_share_is_no_row(strata: list[tuple[str, int]]) -> None:
    assert sample(strata, 0.0) == []


def test_a_share_of_one_is_every_row_whatever_its_key() -> None:
    keys = np.array([[0, 0], [2**64 - 1, 1], [2**64 - 2, 2]], np.uint64)
    templates = pa.array(["bare"] * 3)
    chosen = stratified_sample(templates, np.zeros(3, np.int16), keys, 1.0)
    assert chosen.tolist() == [0, 1, 2]


def test_an_address_that_no_longer_gives_a_problem_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_of(write_recipe(tmp_path))
    source, draw = plan.sources[0], Hint.draw

    def fickle(self: Hint, rows: Rows) -> Problems:
        problems = draw(self, rows)
        return replace(problems, valid=problems.valid & (problems.rows.addresses != 5))

    addresses = np.array([3, 5, 4], np.uint64)
    monkeypatch.setattr(Hint, "draw", fickle)
    with pytest.raises(VerificationError, match=r"'hint': address 5 .* gives none now"):
        draw_table(source, addresses, plan.row_axes)
