"""PROPOSE: draw a block of addresses and keep what selection needs of its valid rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.core.content import Keys, text_keys
from synthgen.core.contract import Generator, Render
from synthgen.core.randomness import Rows
from synthgen.core.rules import SOURCE

BLOCK = 65_536
"""Addresses in a block; part of what a selection means, so never a setting."""


@dataclass(frozen=True, slots=True)
class ProposeTask:
    """One block of one source.

    Attributes:
        source: index of the source in the recipe.
        start, stop: addresses.
        axes: those that selection looks at; ones that the generator lacks are left out.
        ends_round: whether every source has had its turn after this block.
        by_prompt: whether duplicates are found by the prompt's text, so that it must be rendered.
    """

    source: int
    generator: Generator
    stream: int
    style: Render
    start: int
    stop: int
    axes: tuple[str, ...]
    ends_round: bool
    by_prompt: bool


@dataclass(frozen=True, slots=True)
class Candidates:
    """The valid rows of a block, in address order.

    Attributes:
        source, ends_round: of the task.
        proposed: addresses drawn, valid or not.
        addresses: uint64 (n,).
        keys: content keys, uint64 (n, 2).
        duplicate_keys: what must not occur twice; the content keys again, or those of the prompts.
        axes: axis name -> (n,).
    """

    source: int
    ends_round: bool
    proposed: int
    addresses: NDArray[np.uint64]
    keys: Keys
    duplicate_keys: Keys
    axes: Mapping[str, NDArray[Any]]

    def __len__(self) -> int:
        return len(self.addresses)

    def take(self, positions: NDArray[np.int64]) -> Candidates:
        """Return the candidates at these positions."""
        return Candidates(
            self.source,
            self.ends_round,
            self.proposed,
            self.addresses[positions],
            self.keys[positions],
            self.duplicate_keys[positions],
            {name: column[positions] for name, column in self.axes.items()},
        )


def propose(task: ProposeTask) -> Candidates:
    """Draw one block: pure."""
    rows = Rows.span(task.stream, task.start, task.stop)
    problems = task.generator.draw(rows)
    keep = problems.valid
    keys = problems.keys[keep]
    duplicate_keys = keys
    if task.by_prompt:
        prompts = task.generator.render(problems, task.style).prompts
        duplicate_keys = text_keys(prompts, "prompt")[keep]
    axes = {name: problems.axes[name][keep] for name in task.axes if name in problems.axes}
    if SOURCE in task.axes:
        axes[SOURCE] = np.full(len(keys), task.source, np.int16)
    return Candidates(
        source=task.source,
        ends_round=task.ends_round,
        proposed=len(rows),
        addresses=rows.addresses[keep],
        keys=keys,
        duplicate_keys=duplicate_keys,
        axes=axes,
    )
