"""Rows by cell: orders, groups, held-out problems and states."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import synthgen
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.training.cells import CellStream
from synthgen.training.view import View
from tests.building import recipe_of, source_of, split_of, write_recipe
from tests.training.tiny_views import ROWS, train_of, write_many

BY = ["task", "kind"]


@pytest.fixture(scope="module")
def train(tmp_path_factory: pytest.TempPathFactory) -> View:
    return train_of(write_many(tmp_path_factory.mktemp("cells") / "many"))


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [row["id"] for row in rows]


def test_a_turn_gives_every_row_of_a_cell_once_and_the_next_in_another_order(train: View) -> None:
    cells = synthgen.cells(train, by=BY)
    values = Counter((row["task"], row["kind"]) for row in train if row["kind"] is not None)
    assert [*cells.values.values()] == sorted(values)
    assert sum(cells.count(name) + len(cells.held(name)) for name in cells.names) <= ROWS
    for name in cells.names:
        n = cells.count(name)
        first, second = ids(cells.next(name, n)), ids(cells.next(name, n))
        own = {row["id"] for row in train if (row["task"], row["kind"]) == cells.values[name]}
        held = {*ids(cells.held(name))}
        assert {*first} == {*second} == own - held
        assert first != second
        assert len({*first}) == n
        assert len(held) == max(1, round(0.1 * len(own)))


def test_rows_come_in_one_order_however_many_are_asked_for(train: View) -> None:
    whole, parts = CellStream(train, BY, seed=3), CellStream(train, BY, seed=3)
    name = whole.names[0]
    expected = ids(whole.next(name, 3 * whole.count(name)))
    assert [ids(parts.next(name))[0] for _ in expected] == expected
    assert ids(CellStream(train, BY, seed=4).next(name, 20)) != expected[:20]


def test_groups_repeat_each_row_and_move_the_cursor_once(train: View) -> None:
    cells = CellStream(train, BY)
    name = cells.names[0]
    found = cells.next(name, 2, copies=4)
    assert [found.count(row) for row in found] == [4] * 8
    assert found[0] == found[3] != found[4] == found[7]
    assert cells.cursors[name] == 2
    found[0]["prompt"] = "changed"
    assert found[1]["prompt"] != "changed"


@pytest.mark.parametrize("taken", [0, 1, 7, 90, 250])
def test_a_state_resumes_exactly(train: View, taken: int) -> None:
    cells, again = CellStream(train, BY, seed=2), CellStream(train, BY, seed=2)
    name, other = cells.names
    if taken:
        cells.next(name, taken)
    cells.next(other, 5)
    again.load_state_dict(json.loads(json.dumps(cells.state_dict())))
    for each in (name, other):
        assert ids(again.next(each, 60)) == ids(cells.next(each, 60))


def test_what_is_held_out_depends_on_no_seed_and_no_other_rows_of_it(train: View) -> None:
    first, second = CellStream(train, BY, seed=1), CellStream(train, BY, seed=2)
    for name in first.names:
        assert ids(first.held(name)) == ids(second.held(name))
    few = CellStream(train, BY, held_out=0)
    assert sum(map(few.count, few.names)) == len(train.where("kind <> ''"))
    assert few.held(few.names[0]) == []


def test_a_problem_held_out_in_one_cell_is_in_no_other_cell_either() -> None:
    rows = [{"id": f"{i % 40}", "prompt": str(i), "half": i // 40} for i in range(80)]
    rows += [{"id": f"{i}", "prompt": "x", "half": 2} for i in range(30)]
    cells = CellStream(rows, by="half", held_out=0.2)
    held = {row["id"] for name in cells.names for row in cells.held(name)}
    for name in cells.names:
        assert not held & {*ids(cells.next(name, 2 * cells.count(name)))}


def test_states_of_other_rows_and_options_are_refused(train: View) -> None:
    state = CellStream(train, BY).state_dict()
    others = {
        "seed": CellStream(train, BY, seed=1),
        "held_out": CellStream(train, BY, held_out=0.2),
        "by": CellStream(train, ["kind"]),
        "source": CellStream(train.where("n_op < 9 AND kind = 'plain'"), BY),
    }
    for name, other in others.items():
        with pytest.raises(ParamError, match=f"state: {name}"):
            other.load_state_dict(state)
    with pytest.raises(ParamError, match="state: cursors"):
        CellStream(train, BY).load_state_dict(state | {"cursors": {}})
    with pytest.raises(ParamError, match="the keys fingerprint, seed, cursors"):
        CellStream(train, BY).load_state_dict({})


def test_bad_arguments_are_refused(train: View) -> None:
    with pytest.raises(UnknownNameError, match="'leve'"):
        CellStream(train, ["leve"])
    with pytest.raises(UnknownNameError, match="'x'"):
        CellStream(train, BY).next("x")
    for wrong in ({"by": []}, {"by": ["kind", "kind"]}, {"held_out": 1}, {"seed": -1}):
        with pytest.raises(ParamError):
            CellStream(train, **{"by": BY, **wrong})  # type: ignore[arg-type]
    for source in ([], "outputs/hint", synthgen):
        with pytest.raises((ParamError, TypeError)):
            CellStream(source, BY)  # type: ignore[arg-type]


def test_generated_rows_need_no_files() -> None:
    rows = synthgen.generate("hint", 200, "level <= 3", params={"level": True})
    cells = synthgen.cells(rows)
    assert cells.ladders == {"task=hint": [f"task=hint level={level}" for level in range(4)]}
    (row,) = cells.next("task=hint level=3")
    assert row["n_op"] == 3
    again = synthgen.cells(rows[:-1])
    with pytest.raises(ParamError, match="state: source"):
        again.load_state_dict(cells.state_dict())


ENDLESS = recipe_of(
    source_of("hint", "max_operators = 6, level = true"),
    split_of("train", 300, "n_op > 1"),
    split_of("test", 300, "n_op > 2"),
)


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_recipe(tmp_path_factory.mktemp("endless"), ENDLESS)


def endless_cells(recipe: Path, seed: int = 0, **options: Any) -> CellStream:
    return synthgen.cells(synthgen.endless(recipe, **options), by="level", seed=seed)


def test_cells_of_endless_rows_have_no_row_of_another_split(recipe: Path) -> None:
    cells = endless_cells(recipe)
    assert cells.names == [f"level={level}" for level in range(2, 6)]
    others = {*synthgen.rows(recipe, workers=1)["test"].column("id").to_pylist()}
    for name in cells.names:
        rows = cells.next(name, 500)
        held = cells.held(name, 60)
        assert {row["level"] for row in rows + held} == {*cells.values[name]}
        assert not {*ids(rows)} & {*ids(held)}
        assert not {*ids(rows + held)} & others
    with pytest.raises(ParamError, match="k=None: expected how many"):
        cells.held(cells.names[0])
    with pytest.raises(UnknownNameError, match="did you mean 'level=2'"):
        cells.next("level2")
    with pytest.raises(UnknownNameError, match="did you mean 'level'"):
        synthgen.cells(synthgen.endless(recipe), by="levl")


def test_cursors_of_endless_cells_resume_in_any_order(recipe: Path) -> None:
    whole, parts = endless_cells(recipe), endless_cells(recipe)
    expected = {name: ids(whole.next(name, 700)) for name in whole.names}
    assert len({*expected["level=4"]}) > 600
    found: dict[str, list[str]] = {name: [] for name in whole.names}
    for k in (3, 300, 1, 396):
        for name in reversed(whole.names):
            state = json.loads(json.dumps(parts.state_dict()))
            parts = endless_cells(recipe)
            parts.load_state_dict(state)
            found[name] += ids(parts.next(name, k))
    assert found == expected
    assert parts.cursors == whole.cursors
    assert ids(endless_cells(recipe, seed=1).next("level=4", 9)) != expected["level=4"][:9]
    with pytest.raises(ParamError, match=r"state: source=.* train in blocks"):
        endless_cells(recipe, split="test").load_state_dict(parts.state_dict())


def test_ranks_have_endless_cells_of_their_own_and_hold_out_the_same(recipe: Path) -> None:
    ranks = [endless_cells(recipe, rank=rank, world_size=2) for rank in range(2)]
    places = [{row["address"] for row in each.next("level=4", 2000)} for each in ranks]
    assert not places[0] & places[1]
    assert ranks[0].held("level=4", 30) == ranks[1].held("level=4", 30)
    with pytest.raises(ParamError, match="rank 0 of 2"):
        ranks[1].load_state_dict(ranks[0].state_dict())
