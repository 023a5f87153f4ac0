"""What Python programs call: the same build as the command line's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from synthgen.core.checks import check_choice
from synthgen.engine.start import start_engine
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
) -> BuildResult:
    """Build a dataset, or finish one that was interrupted, or find it built.

    Args:
        recipe: path of a recipe, or the name of a bundled one.
        out: output folder, by default `outputs/<name of the recipe>`.
        rows: rows of all splits together, shared out in proportion.
        scale: factor on the rows of every split.
        seed: in the place of the recipe's.
        sets: changes such as "split.train.rows=500".
        workers: processes; 1 runs everything in this one. By default one for each processor.
        engine: where tasks run; "local" is the only one so far.
        fresh: build again from nothing, replacing a dataset that is there.
        phases: told about progress, and holding the seconds of each phase afterwards.

    Raises:
        SynthgenError: whatever is wrong, in words for the user.
    """
    check_choice("engine", engine, ENGINES)
    overrides = Overrides(tuple(sets), rows, scale, seed)
    draft = read_recipe(find_recipe(recipe), overrides)
    with start_engine(draft, workers) as running:
        from synthgen.engine.build import build as build_plan
        from synthgen.engine.plan import make_plan
        from synthgen.engine.progress import Phases

        plan = make_plan(draft)
        folder = Path(out) if out is not None else Path("outputs") / plan.recipe.name
        return build_plan(plan, folder, running, phases or Phases(), fresh=fresh)
