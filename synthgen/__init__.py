"""Compositional training data with exact splits, recorded coverage and verified answers."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from synthgen.api import (
        audit,
        build,
        check,
        compare,
        describe,
        digest,
        endless,
        generate,
        open,  # noqa: A004
        preview,
        recipes,
        rows,
        validate,
        verify,
    )
    from synthgen.core.errors import SynthgenError
    from synthgen.core.images import statement
    from synthgen.dataset.reader import open_dataset
    from synthgen.recipe.loader import load_recipe
    from synthgen.splitting.split_files import split
    from synthgen.training.cells import cells
    from synthgen.training.export import export
    from synthgen.training.published import check_constraint
    from synthgen.training.reward import judge, reward
    from synthgen.training.scoring import score
    from synthgen.training.stream import stream

__version__ = "0.2.0"

__all__ = [
    "SynthgenError",
    "audit",
    "build",
    "cells",
    "check",
    "check_constraint",
    "compare",
    "describe",
    "digest",
    "endless",
    "export",
    "generate",
    "judge",
    "load_recipe",
    "open",
    "open_dataset",
    "preview",
    "recipes",
    "reward",
    "rows",
    "score",
    "split",
    "statement",
    "stream",
    "validate",
    "verify",
]

_HOMES = {
    "SynthgenError": "synthgen.core.errors",
    "cells": "synthgen.training.cells",
    "check_constraint": "synthgen.training.published",
    "export": "synthgen.training.export",
    "judge": "synthgen.training.reward",
    "load_recipe": "synthgen.recipe.loader",
    "open_dataset": "synthgen.dataset.reader",
    "reward": "synthgen.training.reward",
    "score": "synthgen.training.scoring",
    "split": "synthgen.splitting.split_files",
    "statement": "synthgen.core.images",
    "stream": "synthgen.training.stream",
}
"""Modules of the public names that are not of `synthgen.api`."""


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that the command line starts quickly."""
    if name not in __all__:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(_HOMES.get(name, "synthgen.api")), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
