"""Which splits may share problems: those that say so."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol


class Declared(Protocol):
    """A split of a recipe or of a manifest."""

    @property
    def name(self) -> str:
        """Name of the split."""

    @property
    def overlap(self) -> Collection[str]:
        """Splits that it may share problems with."""

    @property
    def base(self) -> str | None:
        """Split whose problems it repeats, as they are or told again."""


def may_overlap(one: Declared, other: Declared) -> bool:
    """Say whether two splits are declared to share problems.

    Either names the other, or one repeats problems of the other, or of a split that may overlap
    with it, or both repeat problems of the same split.
    """
    ones = {one.name, one.base} - {None}
    others = {other.name, other.base} - {None}
    return bool(ones & others or set(one.overlap) & others or set(other.overlap) & ones)
