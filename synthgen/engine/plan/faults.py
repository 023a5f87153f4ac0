"""Faults of a recipe, collected while it is planned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from synthgen.core.errors import Fault
from synthgen.recipe.draft import Draft


@dataclass(frozen=True, slots=True)
class Faults:
    """A draft, and the faults recorded so far."""

    draft: Draft
    entries: list[Fault] = field(default_factory=list)

    def add(self, path: str | Sequence[str | int], message: str) -> None:
        """Add a fault of the key at a path."""
        self.entries.append(self.draft.fault(path, message))
