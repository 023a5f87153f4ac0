"""Checks of a dataset: promises, and whether its files keep them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MAX_EXAMPLES = 5
"""Number of offending rows shown with a check."""

Example = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Check:
    """A promise, and whether the files keep it.

    Attributes:
        name: Kind of promise and split, such as `where/train`.
        detail: One line with the numbers.
        rows: First offending rows.
    """

    name: str
    ok: bool
    detail: str
    rows: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True)
class Overlap:
    """Number of distinct problems and prompts that two splits share; `declared` if they may."""

    left: str
    right: str
    ids: int
    prompts: int
    declared: bool
