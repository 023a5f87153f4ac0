"""The steps of a build one by one, in this process and on one core."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import pyarrow as pa

from benchmarks.measure import Measurement, timed
from synthgen.contract.interfaces import Problems, Texts
from synthgen.contract.registry import load_verifier
from synthgen.dataset.membership import Membership
from synthgen.dataset.row_schema import row_schema
from synthgen.dataset.shards import write_shard
from synthgen.draws.randomness import Rows
from synthgen.engine.make.materialise import make_rows
from synthgen.engine.plan.plan import Plan, make_plan
from synthgen.engine.select.select import Selection, select
from synthgen.engine.workers.local import LocalEngine, NotYet
from synthgen.recipe.loader import read_recipe
from synthgen.recipe.overrides import Overrides

A = TypeVar("A")
B = TypeVar("B")


class _Tape(LocalEngine):
    """Runs the tasks of its first map here and keeps the results; gives the same ones later."""

    def __init__(self) -> None:
        super().__init__(workers=1)
        self._results: list[Any] = []

    def map(
        self, task: Callable[[A], B], items: Iterable[A | NotYet], common: Sequence[object] = ()
    ) -> Generator[B, None, None]:
        if self._results:
            yield from self._results
            return
        for result in super().map(task, items, common):
            self._results.append(result)
            yield result


def measure_steps(recipe: Path, rows: int, repeats: int) -> list[Measurement]:
    """Time each step on all rows of a recipe with one source and one split.

    Args:
        recipe: path of the recipe.
        rows: of its split.
        repeats: runs that are counted.
    """
    plan = make_plan(read_recipe(recipe, Overrides(rows=rows)))
    tape = _Tape()
    selection = _select(plan, tape)
    folding = Measurement(
        "select (the fold alone)",
        rows,
        timed(lambda: _select(plan, tape), repeats),
        facts={"candidates": selection.record.selection.candidates},
    )
    members = selection.members[plan.splits[0].name]
    size = plan.recipe.output.rows_per_shard
    shards = [members.take(slice(at, at + size)) for at in range(0, rows, size)]
    return [
        *_text_steps(plan, shards, rows, repeats),
        folding,
        *_table_steps(plan, shards, rows, repeats),
    ]


def _select(plan: Plan, engine: LocalEngine) -> Selection:
    return select(plan, engine, lambda *_: None)


def _text_steps(plan: Plan, shards: list[Membership], rows: int, repeats: int) -> list[Measurement]:
    """Time what is done with the problems and texts of each shard."""
    source = plan.sources[0]
    generator, verifier = source.generator, load_verifier(source.generator.verifier)

    def draw(shard: Membership) -> Problems:
        return generator.draw(Rows(source.stream, shard.addresses))

    def render(problems: Problems) -> Texts:
        return generator.render(problems, source.style)

    def check(texts: Texts) -> object:
        return verifier.check(texts.prompts, texts.answers, texts.solutions)

    problems = [draw(shard) for shard in shards]
    texts = [render(part) for part in problems]
    return [
        Measurement("draw", rows, timed(_over(shards, draw), repeats)),
        Measurement("render", rows, timed(_over(problems, render), repeats)),
        Measurement("verify", rows, timed(_over(texts, check), repeats)),
    ]


def _over(parts: Iterable[A], step: Callable[[A], object]) -> Callable[[], None]:
    """Return the work of doing one step to every part, keeping no result."""

    def work() -> None:
        for part in parts:
            step(part)

    return work


def _table_steps(
    plan: Plan, shards: list[Membership], rows: int, repeats: int
) -> list[Measurement]:
    """Time the making of verified tables, and writing them as shards."""
    axes, group = plan.row_axes, plan.recipe.output.row_group
    split = plan.splits[0].name

    def make(shard: Membership) -> pa.Table:
        return make_rows(shard, plan.sources, axes, split)

    tables = [make(shard) for shard in shards]
    schema = row_schema(axes)
    with TemporaryDirectory() as scratch:

        def write() -> None:
            for number, table in enumerate(tables):
                write_shard(Path(scratch) / f"{number}.parquet", schema, [table], group)

        writing = timed(write, repeats)
    return [
        Measurement("make tables (draw to checks)", rows, timed(_over(shards, make), repeats)),
        Measurement("write", rows, writing),
    ]
