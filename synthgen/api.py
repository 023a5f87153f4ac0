"""The Python API: the same build as on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from synthgen.core.checks import check_choice
from synthgen.engine.local import start_engine
from synthgen.recipe.loader import find_recipe, read_recipe
from synthgen.recipe.overrides import Overrides

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
    overrides = Overrides(tuple(sets), rows, scale, seed)
    draft = read_recipe(find_recipe(recipe), overrides)
    with start_engine(draft, workers) as running, guard or nullcontext():
        from synthgen.dataset.shards import disk_error
        from synthgen.engine.build import build as build_plan
        from synthgen.engine.plan import make_plan
        from synthgen.engine.progress import Phases

        plan = make_plan(draft)
        folder = Path(out) if out is not None else Path("outputs") / plan.recipe.name
        try:
            return build_plan(plan, folder, running, phases or Phases(), fresh=fresh)
        except OSError as error:
            if error.filename is None:  # not of the folder, but of an output that shows progress
                raise
            raise disk_error(error, folder) from error
