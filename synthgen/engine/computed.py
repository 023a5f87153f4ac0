"""Computed axes in a build: filled in where problems are drawn, and planned from `[[axis]]`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from synthgen.core.computed_axes import ComputedAxis, computed_columns
from synthgen.core.contract import Generator, Problems


def with_computed(
    problems: Problems, generator: Generator, computed: Sequence[ComputedAxis]
) -> Problems:
    """Return the problems with the columns of computed axes, zero where they are not valid."""
    if not computed:
        return problems
    valid = np.flatnonzero(problems.valid)
    whole = len(valid) == len(problems)
    columns = computed_columns(
        computed,
        problems.derivations if whole else problems.derivations.take(valid),
        generator.signature,
        {name: column[valid] for name, column in problems.axes.items()},
        {name: axis.values for name, axis in generator.axes.items() if axis.values},
    )
    if not whole:
        for name, column in columns.items():
            columns[name] = np.zeros(len(problems), np.int16)
            columns[name][valid] = column
    return replace(problems, axes={**problems.axes, **columns})


def needed(computed: tuple[ComputedAxis, ...], used: Collection[str]) -> tuple[ComputedAxis, ...]:
    """Return the axes if any of them is used; some may be computed from others."""
    return computed if any(axis.name in used for axis in computed) else ()
