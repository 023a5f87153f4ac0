"""Rows that are spilled by PROPOSE and read by MATERIALISE are those that would be drawn again."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from synthgen.contract.interfaces import Problems, valid_ones
from synthgen.core.errors import OutputError
from synthgen.dataset.row_schema import row_schema
from synthgen.dataset.staging import write_durably
from synthgen.draws.randomness import Rows
from synthgen.engine.make import spill as spill_module
from synthgen.engine.make.rows import draw_table
from synthgen.engine.make.spill import (
    Spill,
    gather,
    read_or_draw,
    spill_rows,
    spilled_groups,
    with_room,
)
from synthgen.engine.plan.plan import Plan
from synthgen.families.hint.family import Hint
from synthgen.families.omega.gcd.family import ArithmeticGcd
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
RECIPE = recipe_of(
    source_of("arithmetic_gcd", "levels = [1, 2]"),
    split_of("train", 100),
    seed=0,
)


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return plan_of(write_recipe(tmp_path, RECIPE))


def spill_in(folder: Path, plan: Plan) -> Spill:
    return Spill(folder, 0, BLOCK, plan.sources[0], plan.row_axes)


@pytest.fixture
def addresses(plan: Plan) -> NDArray[np.uint64]:
    """Valid ones, out of order, one of them twice, from three blocks."""
    good = [int(a) for i in range(3) for a in valid_ones(drawn(plan, i)).rows.addresses]
    return np.array([good[i] for i in (130, 3, 64, 3, 70, 60, -1, 5)], np.uint64)


def drawn(plan: Plan, block: int) -> Problems:
    source = plan.sources[0]
    rows = Rows.span(source.stream, block * BLOCK, (block + 1) * BLOCK)
    return source.generator.draw(rows)


@pytest.mark.parametrize("blocks", [(), (0,), (1, 2), (0, 1, 2)])
def test_spilled_rows_are_those_drawn_again(
    tmp_path: Path, plan: Plan, addresses: NDArray[np.uint64], blocks: tuple[int, ...]
) -> None:
    spill = spill_in(tmp_path, plan)
    for block in blocks:
        spill_rows(spill, drawn(plan, block))
    found = read_or_draw(spill, addresses)
    again = draw_table(plan.sources[0], addresses, plan.row_axes)
    schema = row_schema(plan.row_axes)
    assert found.cast(schema).equals(again.cast(schema))


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
    monkeypatch.setattr(spill_module, "_TOGETHER", together * BLOCK)
    spill = spill_in(tmp_path, plan)
    for block in blocks:
        spill_rows(spill, drawn(plan, block))
    groups = list(spilled_groups(tmp_path, {0: spill}))
    assert [group for _, group in groups] == sorted({block // together for block in blocks})
    for one in [*groups, *groups]:  # a cluster may run a task a second time
        gather(one)
    files = sorted(path.name for path in tmp_path.glob("*.arrow"))
    assert files == sorted(f"0-gathered-{group}.arrow" for _, group in groups)
    found = read_or_draw(spill, addresses)
    again = draw_table(plan.sources[0], addresses, plan.row_axes)
    schema = row_schema(plan.row_axes)
    assert found.cast(schema).equals(again.cast(schema))


def test_rows_that_were_not_spilled_are_drawn(
    tmp_path: Path, plan: Plan, addresses: NDArray[np.uint64]
) -> None:
    """A block whose file lacks an address is drawn again whole."""
    spill = spill_in(tmp_path, plan)
    problems = drawn(plan, 0)
    few = problems.valid.copy()
    few[int(addresses[1])] = False
    spill_rows(spill, replace(problems, valid=few))
    found = read_or_draw(spill, addresses)
    assert found["address"].to_pylist() == addresses.tolist()


def test_a_folder_that_cannot_be_written_only_costs_time(
    tmp_path: Path, plan: Plan, addresses: NDArray[np.uint64]
) -> None:
    spill = spill_in(tmp_path / "missing", plan)
    spill_rows(spill, drawn(plan, 0))
    assert not (tmp_path / "missing").exists()
    assert read_or_draw(spill, addresses).num_rows == len(addresses)


def test_spilled_rows_are_given_up_when_the_disk_is_full(
    tmp_path: Path, plan: Plan, addresses: NDArray[np.uint64], monkeypatch: pytest.MonkeyPatch
) -> None:
    spill = spill_in(tmp_path, plan)
    for block in range(3):
        spill_rows(spill, drawn(plan, block))
    flush = os.fsync

    def full(descriptor: int) -> None:
        if any(tmp_path.glob("*.arrow")):
            raise OSError(errno.ENOSPC, "No space left on device")
        flush(descriptor)

    monkeypatch.setattr("os.fsync", full)
    with_room(tmp_path, lambda: write_durably(tmp_path / "paper", "text"))
    assert (tmp_path / "paper").read_text() == "text"
    assert read_or_draw(spill, addresses).num_rows == len(addresses)


def test_other_faults_of_the_disk_are_not_tried_again(tmp_path: Path, plan: Plan) -> None:
    spill = spill_in(tmp_path, plan)
    spill_rows(spill, drawn(plan, 0))
    with pytest.raises(OutputError, match="No such file"):
        with_room(tmp_path, lambda: write_durably(tmp_path / "missing" / "paper", "text"))
    assert spill.path(0).exists()


def test_a_build_on_a_full_disk_needs_no_spilled_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight = build_small(tmp_path, "straight", text=RECIPE).folder
    flush, spilled = os.fsync, []

    def full(descriptor: int) -> None:
        found = [*(tmp_path / "out").rglob("*.arrow")]
        spilled.extend(found)
        if found:
            raise OSError(errno.ENOSPC, "No space left on device")
        flush(descriptor)

    monkeypatch.setattr("os.fsync", full)
    folder = build_small(tmp_path, text=RECIPE).folder
    assert spilled
    assert folder_digests(folder) == folder_digests(straight)


def test_only_valid_problems_are_spilled(plan: Plan) -> None:
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


def test_only_generators_that_say_so_are_spilled() -> None:
    assert ArithmeticGcd().costly
    assert not Hint().costly
