"""Starting the workers of a build before much else is imported, so that they can be forked."""

from __future__ import annotations

from synthgen.engine.local import LocalEngine, has_one_thread, usable_cores
from synthgen.recipe.draft import Draft

_ROWS_WORTH_A_FORK, _ROWS_WORTH_AN_INTERPRETER = 200, 20_000
"""What a worker costs to start, in rows. Forks import while this process does, at no cost in time,
and rows may be costly; a fresh interpreter takes as long as many cheap rows."""


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
    worth = _ROWS_WORTH_A_FORK if has_one_thread() else _ROWS_WORTH_AN_INTERPRETER
    chosen = wanted or min(usable_cores(), max(1, rows // worth))
    return LocalEngine(chosen, sorted({source.generator for source in draft.recipe.source}))
