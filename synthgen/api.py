"""The Python API: the same build as on the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from synthgen.core.checks import check_choice
from synthgen.core.errors import OutputError
from synthgen.engine.local import start_engine
from synthgen.recipe.draft import Draft
from synthgen.recipe.loader import find_recipe, read_points, read_recipe
from synthgen.recipe.overrides import NO_OVERRIDES, Overrides

if TYPE_CHECKING:
    from synthgen.engine.build import BuildResult
    from synthgen.engine.progress import Phases

ENGINES = ("local",)


def build(
    recipe: str | Path,
    out: str | Path | None = None,
    *,
    rows: int | None = None,
    scale: float | None = None,
    seed: int | None = None,
    sets: Sequence[str] = (),
    workers: int | None = None,
    engine: str = "local",
    fresh: bool = False,
    phases: Phases | None = None,
    guard: AbstractContextManager[object] | None = None,
) -> BuildResult:
    """Build a dataset, resume an interrupted build, or return one that is already built.

    Args:
        recipe: path of a recipe, or the name of a bundled one.
        out: output folder, by default `outputs/<name of the recipe>`.
        rows: total number of rows, divided among the splits in proportion.
        scale: factor by which to multiply the rows of every split.
        seed: overrides the recipe's seed.
        sets: overrides such as "split.train.rows=500".
        workers: processes; 1 runs everything in this one. By default one per processor.
        engine: engine that runs the tasks; "local" is the only one so far.
        fresh: whether to rebuild from scratch, replacing an existing dataset.
        phases: receives progress updates, and afterwards holds the seconds of each phase.
        guard: entered once the workers have started: from then on this process may have threads.

    Raises:
        SynthgenError: for any failure, with a message for the user.
        OSError: if the output that shows progress cannot be written.
    """
    check_choice("engine", engine, ENGINES)
    draft = read_recipe(find_recipe(recipe), Overrides(tuple(sets), rows, scale, seed))
    points = read_points(draft)
    if [*points] != [""]:
        message = "expected a recipe of one dataset; build_sweep builds every point of a sweep"
        draft.fail([draft.fault("sweep", message)])
    found = _build_points(draft, points, out, workers, fresh=fresh, phases=phases, guard=guard)
    return dict(found)[""]


def build_sweep(
    recipe: str | Path,
    out: str | Path | None = None,
    overrides: Overrides = NO_OVERRIDES,
    workers: int | None = None,
    *,
    engine: str = "local",
    fresh: bool = False,
    phases: Phases | None = None,
    guard: AbstractContextManager[object] | None = None,
) -> Iterator[tuple[str, BuildResult]]:
    """Build each point of a recipe's sweep into a folder of its own, and yield its name and result.

    The folders are in `out`. A recipe of one dataset has one point "", whose folder is `out`. The
    same call finishes an interrupted sweep. The other arguments are those of `build`.

    Raises:
        RecipeError: also if a split that should be the same in all points differs between two.
        SynthgenError, OSError: as `build`.
    """
    check_choice("engine", engine, ENGINES)
    draft = read_recipe(find_recipe(recipe), overrides)
    points = read_points(draft)
    yield from _build_points(draft, points, out, workers, fresh=fresh, phases=phases, guard=guard)


def _build_points(
    draft: Draft,
    points: Mapping[str, Draft],
    out: str | Path | None,
    workers: int | None,
    *,
    fresh: bool,
    phases: Phases | None,
    guard: AbstractContextManager[object] | None,
) -> Iterator[tuple[str, BuildResult]]:
    """Build each point of a recipe, and yield its name and result."""
    with start_engine(next(iter(points.values())), workers) as running, guard or nullcontext():
        from synthgen.dataset.manifest import MANIFEST_FILE
        from synthgen.dataset.shards import disk_error
        from synthgen.engine.build import build as build_plan
        from synthgen.engine.plan import make_plan
        from synthgen.engine.progress import Phases

        plans = {name: make_plan(point) for name, point in points.items()}
        top = (
            Path(out) if out is not None else Path("outputs") / plans[next(iter(plans))].recipe.name
        )
        if "" not in plans and (top / MANIFEST_FILE).exists():
            msg = f"{top} is a dataset: expected a folder for those of a sweep, as --out"
            raise OutputError(msg)
        watched = phases or Phases()
        built: dict[str, BuildResult] = {}
        for name, plan in plans.items():
            watched.seconds.clear()
            try:
                built[name] = build_plan(plan, top / name, running, watched, fresh=fresh)
            except OSError as error:
                if error.filename is None:  # not of the folder, but of an output showing progress
                    raise
                raise disk_error(error, top / name) from error
            _check_same(draft, built)
            yield name, built[name]


def _check_same(draft: Draft, built: Mapping[str, BuildResult]) -> None:
    """Raise RecipeError if a split that should be the same differs in the last point."""
    sweep = draft.recipe.sweep if draft.recipe else None
    one, *_, other = [*built, *built]
    faults = []
    for place, split in enumerate(sweep.same if sweep else ()):
        files, others = (
            [
                shard.sha256
                for s in built[name].manifest.splits
                if s.name == split
                for shard in s.shards
            ]
            for name in (one, other)
        )
        if files != others:
            message = f"same={split!r}: expected the same rows in {one!r} and {other!r}"
            faults.append(draft.fault(f"sweep.same.{place}", message))
    if faults:
        draft.fail(faults)
