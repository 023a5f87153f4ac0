"""Starting the workers of a build before much else is imported, so that they can be forked."""

from __future__ import annotations

from synthgen.engine.local import LocalEngine, usable_cores
from synthgen.recipe.draft import Draft

_ROWS_WORTH_A_WORKER = 20_000


def start_engine(draft: Draft, workers: int | None) -> LocalEngine:
    """Start the workers that a recipe's build should have.

    Args:
        draft: of the recipe; a small one gets one worker, as starting more would take longer.
        workers: asked for, or None for what the recipe says, or else one for each processor.
    """
    if draft.recipe is None:
        return LocalEngine(1)
    wanted = workers or draft.recipe.run.workers
    rows = sum(split.rows for split in draft.recipe.split)
    chosen = wanted or min(usable_cores(), max(1, rows // _ROWS_WORTH_A_WORKER))
    return LocalEngine(chosen, sorted({source.generator for source in draft.recipe.source}))
