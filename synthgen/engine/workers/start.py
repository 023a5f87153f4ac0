"""Start the engine that a build asks for, with as many workers as its rows are worth."""

from __future__ import annotations

from synthgen.core.errors import ParamError
from synthgen.engine.workers.local import LocalEngine, has_one_thread, usable_cores
from synthgen.recipe.draft import Draft

_ROWS_WORTH_A_FORK, _ROWS_WORTH_AN_INTERPRETER = 200, 20_000
"""Cost of starting a worker, in rows. Forks import while this process does, at no cost in time,
and rows may be costly; a fresh interpreter takes as long as many cheap rows."""


def start_engine(draft: Draft, workers: int | None) -> LocalEngine:
    """Start the workers for the build of a recipe: those requested, or as many as it says.

    Without a number there is one for each processor, or one for a small recipe, as starting more
    takes longer.
    """
    if draft.recipe is None:
        return LocalEngine(1)
    wanted = workers or draft.recipe.run.workers
    rows = sum(split.rows for split in draft.recipe.split)
    worth = _ROWS_WORTH_A_FORK if has_one_thread() else _ROWS_WORTH_AN_INTERPRETER
    chosen = wanted or min(usable_cores(), max(1, rows // worth))
    return LocalEngine(chosen, sorted({source.generator for source in draft.recipe.source}))


def start_build_engine(
    name: str, address: str | None, draft: Draft, workers: int | None
) -> LocalEngine:
    """Start the engine with this name, "local" or "ray", for the build of a recipe.

    Raises:
        ParamError: if Ray is not installed, or an address is given without it.
        EngineError: if there is no Ray cluster at the address.
    """
    if name == "local":
        if address is not None:
            raise ParamError("address", address, 'none without engine="ray"')
        return start_engine(draft, workers)
    try:
        from synthgen.engine.workers.ray import RayEngine
    except ImportError:
        raise ParamError("engine", name, "Ray: pip install 'synthgen[ray]'") from None
    return RayEngine(address, workers)
