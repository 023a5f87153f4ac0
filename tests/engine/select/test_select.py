"""What selection means, whoever computes it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from synthgen.draws.randomness import Rows
from synthgen.engine.select.select import Selection, select
from synthgen.engine.workers.local import LocalEngine
from tests.building import SMALL, plan_of, recipe_of, source_of, split_of, write_recipe


def selected(path: Path, *sets: str, **overrides: int) -> Selection:
    with LocalEngine(1) as engine:
        return select(plan_of(path, *sets, **overrides), engine, lambda *_: None)


def addresses(selection: Selection, split: str) -> list[int]:
    return selection.members[split].addresses.tolist()


@pytest.mark.parametrize("rows", [100, 999, 2500])
def test_a_smaller_build_is_the_lowest_address_subset(tmp_path: Path, rows: int) -> None:
    path = write_recipe(tmp_path)
    large, small = selected(path), selected(path, rows=rows)
    plan = plan_of(path)
    for split in ("train", "test", "test_long"):
        chosen, all_of_them = addresses(small, split), addresses(large, split)
        assert set(chosen) < set(all_of_them)
        order = {address: place for place, address in enumerate(all_of_them)}
        assert [order[a] for a in chosen] == sorted(order[a] for a in chosen)
        cells = _cells(plan, all_of_them) if split == "train" else dict.fromkeys(all_of_them, 0)
        for cell in set(cells.values()):
            inside = sorted(a for a in all_of_them if cells[a] == cell)
            kept = sorted(a for a in chosen if cells[a] == cell)
            assert kept == inside[: len(kept)]


def _cells(plan, members: list[int]) -> dict[int, int]:
    source = plan.sources[0]
    problems = source.generator.draw(Rows(source.stream, np.array(members, np.uint64)))
    return dict(zip(members, problems.axes["n_op"].tolist(), strict=True))


def test_more_rows_of_one_split_leave_the_others_alone(tmp_path: Path) -> None:
    path = write_recipe(tmp_path)
    one, other = selected(path), selected(path, "split.test_long.rows=900")
    assert addresses(one, "train") == addresses(other, "train")
    assert addresses(one, "test") == addresses(other, "test")


def test_neighbouring_seeds_share_no_more_problems_than_chance(tmp_path: Path) -> None:
    path = write_recipe(tmp_path)
    keys = []
    for seed in (42, 43):
        plan = plan_of(path, seed=seed)
        source = plan.sources[0]
        chosen = selected(path, seed=seed).members["test_long"].addresses
        keys.append({tuple(key) for key in source.generator.draw(Rows(source.stream, chosen)).keys})
    # Trees of six operators are so many that 500 of one seed are hardly among those of another.
    assert len(keys[0] & keys[1]) <= 2


def test_the_shuffle_is_another_one_for_each_split_and_seed(tmp_path: Path) -> None:
    path = write_recipe(tmp_path)
    shuffled = addresses(selected(path), "test")
    assert shuffled != sorted(shuffled)
    in_order = addresses(selected(path, "output.order='address'"), "test")
    assert in_order == sorted(shuffled)


def test_splits_with_one_rule_share_it_by_their_rows(tmp_path: Path) -> None:
    text = recipe_of(
        source_of("hint", "min_operators = 5, max_operators = 8"),
        split_of("train", 9000),
        split_of("validation", 1000),
        seed=0,
    )
    selection = selected(write_recipe(tmp_path, text))
    train, validation = addresses(selection, "train"), addresses(selection, "validation")
    assert len(train) == 9000
    assert len(validation) == 1000
    assert not set(train) & set(validation)
    # Both are filled at about the same time, so neither wastes the other's candidates.
    assert 0.8 < max(validation) / max(train) < 1.25


def test_seen_in_takes_rows_of_the_other_split(tmp_path: Path) -> None:
    selection = selected(write_recipe(tmp_path))
    assert set(addresses(selection, "test_i")) < set(addresses(selection, "train"))


def test_caps_hold_within_every_cell_and_spare_the_exempt(tmp_path: Path) -> None:
    cap = "{ axis = 'result', share = 0.05, where = 'n_op > 1' }"
    text = SMALL.replace('balance = ["n_op"]', f'balance = ["n_op"]\ncap = {cap}')
    plan = plan_of(write_recipe(tmp_path, text))
    chosen = selected(write_recipe(tmp_path, text)).members["train"].addresses
    assert len(chosen) == 3000
    source = plan.sources[0]
    axes = source.generator.draw(Rows(source.stream, chosen)).axes
    for n_op in range(2, 6):
        results = axes["result"][axes["n_op"] == n_op]
        assert np.bincount(results).max() <= int(0.05 * len(results))
    assert np.count_nonzero(axes["n_op"] == 1) == 390


def test_a_cap_that_can_never_be_met_ends(tmp_path: Path) -> None:
    text = SMALL.replace(
        'where = "n_op > 5"', "where = \"n_op > 5\"\ncap = { axis = 'n_op', share = 0.05 }"
    ).replace("[output]", '[limits]\nshortfall = "allow"\n[output]')
    selection = selected(write_recipe(tmp_path, text))
    assert len(addresses(selection, "test_long")) == 1
    assert selection.record.selection.candidates < 10_000_000
