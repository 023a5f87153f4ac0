"""Compositional training data with exact splits, recorded coverage and verified answers."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from synthgen.api import build
    from synthgen.audit.report import audit
    from synthgen.core.errors import SynthgenError
    from synthgen.dataset.reader import open_dataset
    from synthgen.recipe.loader import load_recipe
    from synthgen.training.published import check_constraint

__version__ = "0.1.0"

__all__ = ["SynthgenError", "audit", "build", "check_constraint", "load_recipe", "open_dataset"]

_HOMES = {
    "SynthgenError": "synthgen.core.errors",
    "audit": "synthgen.audit.report",
    "build": "synthgen.api",
    "check_constraint": "synthgen.training.published",
    "load_recipe": "synthgen.recipe.loader",
    "open_dataset": "synthgen.dataset.reader",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that the command line starts quickly."""
    if name not in _HOMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(_HOMES[name]), name)
