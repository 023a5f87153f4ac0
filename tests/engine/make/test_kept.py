"""Rows that PROPOSE kept for MATERIALISE are those that would be drawn again."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from synthgen import api
from synthgen.contract.interfaces import Problems, valid_ones
from synthgen.core.errors import OutputError
from synthgen.dataset.row_schema import row_schema
from synthgen.dataset.staging import write_durably
from synthgen.draws.randomness import Rows
from synthgen.engine.make import kept as kept_module
from synthgen.engine.make.kept import Kept, gather, with_room
from synthgen.engine.make.rows import draw_table
from synthgen.engine.plan.plan import Plan
from synthgen.families.countdown.family import Countdown
from tests.building import (
    build_small,
    folder_digests,
    plan_of,
    recipe_of,
    source_of,
    split_of,
    write_recipe,
)

BLOCK = 64
SLOW = 1e9
RECIPE = recipe_of(
    source_of("arithmetic_gcd", "levels = [1, 2]"),
    split_of("train", 200),
    seed=0,
)


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return plan_of(write_recipe(tmp_path, RECIPE))


def kept_in(folder: Path | None, plan: Plan) -> Kept:
    return Kept(plan.sources, plan.row_axes, folder)


def offer_blocks(kept: Kept, plan: Plan, *blocks: int) -> None:
    for block in blocks:
        kept.offer(0, drawn(plan, block), SLOW)


def assert_as_drawn(kept: Kept, plan: Plan, addresses: NDArray[np.uint64]) -> None:
    again = draw_table(plan.sources[0], addresses, plan.row_axes)
    schema = row_schema(plan.row_axes)
    assert kept.rows(0, addresses).cast(schema).equals(again.cast(schema))


@pytest.fixture
def addresses(plan: Plan) -> NDArray[np.uint64]:
    """Valid ones, out of order, one of them twice, from three blocks."""
    good = [int(a) for i in range(3) for a in valid_ones(drawn(plan, i)).rows.addresses]
    return np.array([good[i] for i in (130, 3, 64, 3, 70, 60, -1, 5)], np.uint64)


def drawn(plan: Plan, block: int) -> Problems:
    source = plan.sources[0]
    rows = Rows.span(source.stream, block * BLOCK, (block + 1) * BLOCK)
    return source.generator.draw(rows)


@pytest.mark.parametrize("in_memory", [False, True])
@pytest.mark.parametrize("blocks", [(), (0,), (1, 2), (0, 1, 2)])
def test_kept_rows_are_those_drawn_again(
    tmp_path: Path,
    plan: Plan,
    addresses: NDArray[np.uint64],
    blocks: tuple[int, ...],
    in_memory: bool,
) -> None:
    kept = kept_in(None if in_memory else tmp_path, plan)
    offer_blocks(kept, plan, *blocks)
    assert len([*tmp_path.glob("*.arrow")]) == (0 if in_memory else len(blocks))
    assert_as_drawn(kept, plan, addresses)


@pytest.mark.parametrize("together", [1, 2, 3, 8])
@pytest.mark.parametrize("blocks", [(0,), (0, 2), (0, 1, 2)])
def test_rows_whose_blocks_were_gathered_are_those_drawn_again(
    tmp_path: Path,
    plan: Plan,
    addresses: NDArray[np.uint64],
    blocks: tuple[int, ...],
    together: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kept_module, "_TOGETHER", together * BLOCK)
    kept = kept_in(tmp_path, plan)
    offer_blocks(kept, plan, *blocks)
    groups = list(kept.groups())
    for one in [*groups, *groups]:  # a cluster may run a task a second time
        gather(one)
    assert len([*tmp_path.glob("*.arrow")]) == len({block // together for block in blocks})
    assert_as_drawn(kept, plan, addresses)


def test_rows_that_were_not_kept_are_drawn(
    tmp_path: Path, plan: Plan, addresses: NDArray[np.uint64]
) -> None:
    problems = drawn(plan, 0)
    few = problems.valid.copy()
    few[int(addresses[1])] = False
    kept = kept_in(tmp_path, plan)
    kept.offer(0, replace(problems, valid=few), SLOW)
    assert_as_drawn(kept, plan, addresses)


def test_a_folder_that_cannot_be_written_only_costs_time(
    tmp_path: Path, plan: Plan, addresses: NDArray[np.uint64]
) -> None:
    kept = kept_in(tmp_path / "missing", plan)
    offer_blocks(kept, plan, 0)
    assert not (tmp_path / "missing").exists()
    assert_as_drawn(kept, plan, addresses)


@pytest.mark.parametrize(("seconds", "files"), [(0.0, 2), (SLOW, 5)])
def test_the_first_blocks_tell_whether_keeping_pays(
    tmp_path: Path, plan: Plan, seconds: float, files: int
) -> None:
    kept = kept_in(tmp_path, plan)
    for block in range(5):
        kept.offer(0, drawn(plan, block), seconds)
    assert len([*tmp_path.glob("*.arrow")]) == files


def test_only_a_sample_of_a_large_block_is_measured(
    tmp_path: Path, plan: Plan, addresses: NDArray[np.uint64], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_module, "_SAMPLE", 16)
    ticks = count()
    monkeypatch.setattr(kept_module, "thread_time", lambda: next(ticks) ** 2)  # keeping is slower
    kept = kept_in(tmp_path, plan)
    offer_blocks(kept, plan, 0, 1, 2)
    assert len([*tmp_path.glob("*.arrow")]) == 2
    assert_as_drawn(kept, plan, addresses)


@pytest.mark.parametrize(("wanted", "files"), [(BLOCK // 8, 1), (BLOCK // 8 - 1, 0)])
def test_blocks_of_which_few_rows_are_wanted_are_not_kept(
    tmp_path: Path, plan: Plan, wanted: int, files: int
) -> None:
    offer_blocks(Kept(plan.sources, plan.row_axes, tmp_path, wanted), plan, 0)
    assert len([*tmp_path.glob("*.arrow")]) == files


def test_memory_is_bounded(
    plan: Plan, addresses: NDArray[np.uint64], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_module, "MAX_MEMORY", 0)
    kept = kept_in(None, plan)
    offer_blocks(kept, plan, 0, 1)
    assert_as_drawn(kept, plan, addresses)


def test_generate_draws_each_row_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    make = Countdown.make
    monkeypatch.setattr(Countdown, "make", lambda *args: made.append(1) or make(*args))
    assert len(api.generate("countdown", 4_000)) == 4_000
    assert len(made) == 5 * 1024  # some draws give no problem


def test_kept_rows_are_given_up_when_the_disk_is_full(
    tmp_path: Path, plan: Plan, addresses: NDArray[np.uint64], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = kept_in(tmp_path, plan)
    offer_blocks(kept, plan, 0, 1, 2)
    flush = os.fsync

    def full(descriptor: int) -> None:
        if any(tmp_path.glob("*.arrow")):
            raise OSError(errno.ENOSPC, "No space left on device")
        flush(descriptor)

    monkeypatch.setattr("os.fsync", full)
    with_room(tmp_path, lambda: write_durably(tmp_path / "paper", "text"))
    assert (tmp_path / "paper").read_text() == "text"
    assert_as_drawn(kept, plan, addresses)


def test_other_faults_of_the_disk_are_not_tried_again(tmp_path: Path, plan: Plan) -> None:
    offer_blocks(kept_in(tmp_path, plan), plan, 0)
    with pytest.raises(OutputError, match="No such file"):
        with_room(tmp_path, lambda: write_durably(tmp_path / "missing" / "paper", "text"))
    assert [*tmp_path.glob("*.arrow")]


def test_a_build_on_a_full_disk_needs_no_kept_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight = build_small(tmp_path, "straight", text=RECIPE).folder
    flush, kept = os.fsync, []

    def full(descriptor: int) -> None:
        found = [*(tmp_path / "out").rglob("*.arrow")]
        kept.extend(found)
        if found:
            raise OSError(errno.ENOSPC, "No space left on device")
        flush(descriptor)

    monkeypatch.setattr("os.fsync", full)
    folder = build_small(tmp_path, text=RECIPE).folder
    assert kept
    assert folder_digests(folder) == folder_digests(straight)


def test_only_valid_problems_are_kept(plan: Plan) -> None:
    problems = drawn(plan, 0)
    valid = np.arange(BLOCK) % 3 == 0
    good = valid_ones(replace(problems, valid=valid))
    assert good.rows.addresses.tolist() == list(range(0, BLOCK, 3))
    assert len(good.parts["made"]) == len(good.derivations) == len(good)
    assert good.parts["made"][1].answer == problems.parts["made"][3].answer


def test_a_part_that_is_no_column_is_refused(plan: Plan) -> None:
    problems = drawn(plan, 0)
    odd = replace(problems, valid=np.arange(BLOCK) > 0, parts={"made": "text"})
    with pytest.raises(TypeError, match="expected an array, list or Ragged of 64 values"):
        valid_ones(odd)
