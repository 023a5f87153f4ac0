"""Structures and cells that the recipe's seed chooses among those that occur."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from synthgen.core.computed_axes import CellAxis, StructureAxis
from synthgen.core.contract import Axis
from synthgen.core.errors import ParamError
from synthgen.core.named_structures import parse_structure
from synthgen.core.randomness import stream_key
from synthgen.coverage.easiness import SeenStructures
from synthgen.engine.controllers.holdouts import choose_holdout, choose_items
from synthgen.engine.survey import Surveyed, occurring_cells, occurring_structures
from synthgen.recipe.axes import Cells, ComputedAxis

_MOST_SYMBOLS = 4_096
"""Most symbols whose contexts are compared with each other."""
_MOST_EXAMINED, _MORE_CHECKS = 4_096, 64


def pick_structures(table: ComputedAxis, found: Sequence[Surveyed], seed: int) -> StructureAxis:
    """Choose the structures of an axis; every part of them stays in rows without any of them.

    Raises:
        ParamError: if fewer can be chosen, with the largest number that was found.
    """
    kind = str(table.structures)
    items = occurring_structures(found, kind)
    wanted, key = table.pick or 0, stream_key(seed, "axis", table.name)
    limit = None
    if table.max_easiness is not None:
        limit = _EasinessLimit(items.names, table.max_easiness, key, wanted)
        items = replace(items, allowed=limit.allowed)
    try:
        chosen = choose_items(items, wanted, key, limit)
    except ParamError as error:
        if limit is None:
            raise
        expected = f"{error.expected}, and whose easiness is at most {limit.most}; the hardest of "
        expected += f"{len(limit.examined)} has about {limit.near.min(initial=1.0):.3f}"
        raise ParamError("pick", table.pick, expected) from None
    of = tuple(sorted(items.names[item] for item in chosen))
    return StructureAxis(table.name, kind, of, table.count)


def pick_cells(
    table: ComputedAxis,
    cells: Cells,
    found: Sequence[Surveyed],
    axes: Mapping[str, Axis],
    seed: int,
) -> CellAxis:
    """Choose the cells of an axis; other cells keep any all-but-one of their values together.

    Raises:
        ParamError: if fewer can be chosen, with the largest number that was found.
    """
    occurring = occurring_cells(found, cells.axes, axes)
    wanted, key = cells.pick or 0, stream_key(seed, "axis", table.name)
    try:
        held = choose_holdout(occurring, wanted, key, cells.axes)
    except ParamError as error:
        raise ParamError("pick", wanted, error.expected) from None
    named = [axes[name].values for name in cells.axes]
    chosen = tuple(
        tuple(values[code] if values else code for code, values in zip(cell, named, strict=True))
        for cell in occurring[held].tolist()
    )
    return CellAxis(table.name, cells.axes, chosen)


class _EasinessLimit:
    """Decides which local structures are hard enough given those that remain.

    Attributes:
        most: largest easiness allowed.
        examined: numbers of randomly chosen structures to examine, and `near` their easiness,
            estimated without rows.
    """

    def __init__(self, texts: Sequence[str], most: float, key: int, n: int) -> None:
        self.most = most
        self._words = _words(texts)
        lots = {item: stream_key(key, "look", text) for item, text in enumerate(texts)}
        self.examined = sorted(lots, key=lots.__getitem__)[:_MOST_EXAMINED]
        self.near = SeenStructures(self._words).easiness_without(self._words[self.examined])
        self._checks_left = 2 * n + _MORE_CHECKS

    @property
    def allowed(self) -> list[int]:
        """Numbers of the structures to examine more closely."""
        pairs = zip(self.examined, self.near.tolist(), strict=True)
        return [item for item, easiness in pairs if easiness <= self.most]

    def __call__(self, item: int, occurrences: NDArray[np.int64]) -> bool:
        """Return whether one is hard enough, given how often all occur in the remaining rows."""
        self._checks_left -= 1
        if self._checks_left < 0:
            return False
        left = occurrences > 0
        left[item] = False
        seen = SeenStructures(self._words[left])
        return bool(seen.easiness(self._words[item : item + 1])[0] <= self.most)


def _words(texts: Sequence[str]) -> NDArray[np.uint64]:
    """Return local structures as words over the names of their symbols, across sources."""
    codes: dict[str, int] = {}
    words = []
    for text in texts:
        structure = parse_structure(text, "local")
        word = structure.place
        for name in (None, *structure.symbols)[-3:]:
            code = 0 if name is None else codes.setdefault(name, len(codes))
            word = word << 16 | code
        words.append(word)
    if len(codes) > _MOST_SYMBOLS:
        raise ParamError("symbols", len(codes), f"at most {_MOST_SYMBOLS} for max_easiness")
    return np.array(words, np.uint64)
