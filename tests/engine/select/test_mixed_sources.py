"""Sources of several kinds in one recipe: joint axes, blocks of their own size, ended spaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from synthgen.contract.interfaces import BLOCK, Generator, Problems
from synthgen.core.errors import RecipeError
from synthgen.draws.randomness import Rows
from synthgen.engine.build import build
from synthgen.engine.plan import sources as planned_sources
from synthgen.engine.plan.plan import Plan
from synthgen.engine.progress import Phases
from synthgen.engine.select.fold import Fold
from synthgen.engine.select.propose import Candidates, ProposeTask
from synthgen.engine.select.select import Selection, propose_tasks, proposers_of, select
from synthgen.engine.workers.local import NOT_YET, LocalEngine, NotYet
from synthgen.families.cogs.family import Cogs
from synthgen.families.hint.family import Hint
from synthgen.families.omega.gcd.family import ArithmeticGcd
from synthgen.families.scan.family import Scan
from synthgen.rules.axes import Axis
from tests.building import (
    failed_checks,
    plan_of,
    recipe_of,
    rows_of,
    source_of,
    split_of,
    write_recipe,
)

WINDS = recipe_of(
    source_of("eastern"),
    source_of("western"),
    split_of("train", 300, "wind <> 'calm'", 'balance = ["wind"]'),
    seed=0,
)
SPACES = recipe_of(
    source_of("scan"),
    source_of("arithmetic_gcd"),
    split_of("train", 50_000, more='balance = ["source"]'),
    seed=0,
)


@dataclass(frozen=True)
class Windy(Hint):
    """A generator with an axis of names."""

    winds: ClassVar[tuple[str, ...]]

    @property
    def axes(self) -> Mapping[str, Axis]:  # type: ignore[override]
        return {**super().axes, "wind": Axis("direction", values=self.winds)}

    def draw(self, rows: Rows) -> Problems:
        problems = super().draw(rows)
        winds = (problems.keys[:, 0] % np.uint64(len(self.winds))).astype(np.int16)
        return replace(problems, axes={**problems.axes, "wind": winds})


class Eastern(Windy):
    winds = ("east", "north", "calm")


class Western(Windy):
    winds = ("calm", "west", "east")


@pytest.fixture
def winds(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds: dict[str, type[Generator]] = {"eastern": Eastern, "western": Western}
    monkeypatch.setattr(planned_sources, "generator_class", kinds.__getitem__)


@pytest.mark.usefixtures("winds")
def test_names_of_an_axis_are_joined_whatever_their_codes(tmp_path: Path) -> None:
    plan = plan_of(write_recipe(tmp_path, WINDS))
    assert plan.axes["wind"].values == ("east", "north", "calm", "west")
    with LocalEngine(1) as engine:
        build(plan, tmp_path / "out", engine, Phases())
    rows = rows_of(tmp_path / "out", "train")
    assert Counter(row["wind"] for row in rows) == {"east": 100, "north": 100, "west": 100}
    assert {row["source"] for row in rows if row["wind"] == "north"} == {"eastern"}
    assert {row["source"] for row in rows if row["wind"] == "west"} == {"western"}
    assert {row["source"] for row in rows if row["wind"] == "east"} == {"eastern"}
    for row in rows:
        kind = Eastern if row["source"] == "eastern" else Western
        assert kind.winds[int(row["id"][:16], 16) % 3] == row["wind"]
    assert failed_checks(tmp_path / "out") == {}


def told(task: ProposeTask | NotYet) -> ProposeTask:
    """The task, which is known by now."""
    assert isinstance(task, ProposeTask)
    return task


def test_a_source_has_blocks_of_its_generators_size(tmp_path: Path) -> None:
    assert Scan().block == BLOCK
    small = ArithmeticGcd().block
    assert small < BLOCK
    plan = plan_of(write_recipe(tmp_path, SPACES))
    wanted = Fold(plan).wanted
    tasks = map(told, propose_tasks(proposers_of(plan), wanted))
    first = [next(tasks) for _ in range(3)]
    wanted.end_round()
    first.append(next(tasks))
    assert [task.proposer.index for task in first] == [0, 1, 1, 1]
    assert [task.start for task in first] == [0, 0, small, 2 * small]
    assert [task.stop for task in first] == [20_910, small, 2 * small, 3 * small]
    assert [task.ends_source for task in first] == [True, False, False, False]
    assert [task.ends_round for task in first] == [False, True, True, True]


def test_what_an_ended_source_cannot_give_comes_from_the_others_at_once(tmp_path: Path) -> None:
    plan = plan_of(write_recipe(tmp_path, SPACES))
    with LocalEngine(1) as engine:
        selection = select(plan, engine, lambda *_: None)
    rows = {cell.cell["source"]: cell.rows for cell in selection.record.splits[0].cells}
    assert rows == {"scan": 20_910, "arithmetic_gcd": 29_090}
    assert selection.record.selection.candidates < 20_910 + 29_090 + 4 * ArithmeticGcd().block


SHARES = recipe_of(
    source_of("hint"),
    source_of("arithmetic_gcd"),
    split_of("train", 60_000, "source = 'hint' AND n_op = 9"),
    split_of("test", 200, "source = 'arithmetic_gcd'"),
    seed=0,
)


def blocks_of_each(plan: Plan, workers: int) -> tuple[list[int], Selection]:
    """How many blocks of each source were folded, and the selection."""
    blocks = [0, 0]
    add = Fold.add

    def counted(fold: Fold, block: Candidates) -> None:
        blocks[block.source] += 1
        add(fold, block)

    with pytest.MonkeyPatch.context() as patch, LocalEngine(workers) as engine:
        patch.setattr(Fold, "add", counted)
        return blocks, select(plan, engine, lambda *_: None)


@pytest.mark.slow
def test_a_source_that_no_open_split_needs_is_left_out(tmp_path: Path) -> None:
    plan = plan_of(write_recipe(tmp_path, SHARES))
    blocks, selection = blocks_of_each(plan, 1)
    assert blocks[0] > 10
    assert blocks[1] == 2  # the first is enough, and the next is under way by then
    both, parallel = blocks_of_each(plan, 2)
    assert both == blocks
    assert parallel.record.selection.candidates == selection.record.selection.candidates
    for name, members in selection.members.items():
        assert np.array_equal(members.addresses, parallel.members[name].addresses)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 3])
def test_a_later_item_waits_for_the_results_before_it(workers: int) -> None:
    seen: list[int] = []

    def items() -> Iterator[int | NotYet]:
        for number in range(12):
            while number > len(seen) + 2:
                yield NOT_YET
            yield number

    with LocalEngine(workers) as engine:
        for result in engine.map(doubled, items()):
            seen.append(result)
    assert seen == [2 * number for number in range(12)]


def doubled(number: int) -> int:
    return 2 * number


def test_solutions_are_written_where_the_family_has_them(tmp_path: Path) -> None:
    path = write_recipe(tmp_path, SPACES.replace('"scan"', '"cogs"'))
    assert "steps" not in Cogs.solutions
    plan = plan_of(path, "render.solution=steps")
    assert {source.name: source.style.solution for source in plan.sources} == {
        "cogs": "none",
        "arithmetic_gcd": "steps",
    }
    with pytest.raises(RecipeError, match=r"solution='stepz': expected one of none, .*steps"):
        plan_of(path, "render.solution=stepz")


FLOOR = recipe_of(
    source_of("hint"),
    source_of("arithmetic_gcd"),
    split_of(
        "train",
        8_000,
        "source = 'hint' AND n_op = 9 OR source = 'arithmetic_gcd' AND level = 7",
        'balance = ["source"]',
    ),
    "[limits]\nacceptance_floor = 0.02\n",
    seed=0,
)


def test_a_cell_is_judged_by_the_addresses_of_its_own_source(tmp_path: Path) -> None:
    plan = plan_of(write_recipe(tmp_path, FLOOR))
    with LocalEngine(1) as engine:
        selection = select(plan, engine, lambda *_: None)
    rows = {cell.cell["source"]: cell.rows for cell in selection.record.splits[0].cells}
    assert rows == {"hint": 4_000, "arithmetic_gcd": 4_000}  # a seventh of small blocks


ENDED = recipe_of(
    source_of("scan"),
    source_of("arithmetic_gcd"),
    split_of("commands", 30_000, "source = 'scan'", 'balance = ["n_words"]'),
    split_of("divisors", 300, "source = 'arithmetic_gcd'"),
    '[limits]\nacceptance_floor = 0.000001\nshortfall = "allow"\n',
    seed=0,
)


def test_a_split_whose_sources_have_ended_waits_for_nothing(tmp_path: Path) -> None:
    plan = plan_of(write_recipe(tmp_path, ENDED))
    with LocalEngine(1) as engine:
        selection = select(plan, engine, lambda *_: None)
    assert len(selection.members["commands"]) == 20_910
    assert len(selection.members["divisors"]) == 300
    assert selection.record.selection.candidates < 20_910 + 4 * ArithmeticGcd().block
