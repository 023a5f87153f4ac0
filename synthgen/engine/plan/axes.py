"""The computed axes of a plan: their structures and cells checked, or chosen by the seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from synthgen.core.computed_axes import (
    CellAxis,
    ComputedAxis,
    StructureAxis,
    declared_axis,
    with_computed,
)
from synthgen.core.contract import SOURCE, Axis
from synthgen.core.errors import Fault, ParamError, UnknownNameError
from synthgen.core.named_structures import check_structure, name_structure, parse_structure
from synthgen.core.randomness import stream_key
from synthgen.core.rules import read_rule
from synthgen.coverage.easiness import SeenStructures
from synthgen.dataset.schema import BASE_COLUMNS
from synthgen.engine.plan.cells import value_fault
from synthgen.engine.plan.holdouts import choose_holdout, choose_items
from synthgen.engine.plan.sources import PlannedSource
from synthgen.engine.plan.survey import (
    Surveyed,
    among,
    occurring_cells,
    occurring_structures,
    survey,
)
from synthgen.recipe import axes as tables
from synthgen.recipe.draft import Draft

_UNKNOWN = Axis("faulty axis", low=0, high=1)
Sources = Sequence[tuple[int, PlannedSource]]
_MOST_SYMBOLS = 4_096
"""Most symbols whose contexts are compared with each other."""
_MOST_EXAMINED, _MORE_CHECKS = 4_096, 64


def plan_axes(
    draft: Draft, sources: Sources, axes: dict[str, Axis], faults: list[Fault]
) -> list[tuple[int, PlannedSource]]:
    """Add the computed axes of a recipe to those of the sources; return the sources with them.

    The seed's choices are made only if there are no faults so far.
    """
    planner = _Planner(draft, [source for _, source in sources], axes, faults)
    for index, table in draft.axes:
        planner.add(index, table)
    for name in draft.lost_axes:
        axes.setdefault(name, _UNKNOWN)
    computed = tuple(planner.computed)
    return [(index, replace(source, computed=computed)) for index, source in sources]


def group_faults(draft: Draft, axes: Mapping[str, Axis]) -> list[Fault]:
    """Find unknown axes of [assign]."""
    assign = draft.recipe.assign if draft.recipe else None
    if assign is None or isinstance(assign.by, str):
        return []
    return [
        draft.fault(f"assign.by.{place}", str(UnknownNameError("axis", name, sorted(axes))))
        for place, name in enumerate(assign.by)
        if name not in axes
    ]


class _Planner:
    """Plans axes in sequence; later ones may be computed from earlier ones."""

    def __init__(
        self,
        draft: Draft,
        sources: list[PlannedSource],
        axes: dict[str, Axis],
        faults: list[Fault],
    ) -> None:
        self.computed: list[ComputedAxis] = []
        self._draft, self._sources, self._axes, self._faults = draft, sources, axes, faults
        self._surveyed: list[Surveyed] | None = None

    def add(self, index: int, table: tables.ComputedAxis) -> None:
        """Plan one axis, or record its faults and keep only its name."""
        place = f"axis.{index}"
        if table.name in self._axes or table.name in BASE_COLUMNS:
            message = f"name={table.name!r}: expected a name that no other axis or column has"
            self._faults.append(self._draft.fault(f"{place}.name", message))
            return
        before = len(self._faults)
        if table.cells:
            made = self._cells(place, table, table.cells)
        else:
            made = self._structures(place, table)
        if made is None or len(self._faults) > before:
            self._axes[table.name] = _UNKNOWN
            return
        self._axes[table.name] = declared_axis(made, self._axes)
        self.computed.append(made)
        if self._surveyed is not None:
            self._surveyed = [
                Surveyed(each.source, with_computed(each.problems, each.generator, [made]))
                for each in self._surveyed
            ]

    def _structures(self, place: str, table: tables.ComputedAxis) -> ComputedAxis | None:
        kind = str(table.structures)
        if table.pick is not None:
            found = self._survey(place, table)
            return None if found is None else self._picked(place, table, found)
        signatures = [source.generator.signature for source in self._sources]
        texts: dict[str, None] = {}
        for item, text in enumerate(table.of):
            try:
                check_structure(text, kind, signatures)
                name = name_structure(parse_structure(text, kind), kind)
                if name in texts:
                    self._fault(f"{place}.of.{item}", f"of[{item}]={name!r}: repeated")
                texts[name] = None
            except (ParamError, UnknownNameError) as error:
                self._fault(f"{place}.of.{item}", f"of[{item}]={text!r}: {error}")
        return StructureAxis(table.name, kind, tuple(texts), table.count)

    def _cells(
        self, place: str, table: tables.ComputedAxis, cells: tables.Cells
    ) -> ComputedAxis | None:
        known = sorted(name for name in self._axes if name != SOURCE)
        wrong = [(i, name) for i, name in enumerate(cells.axes) if name not in known]
        for i, name in wrong:
            self._fault(f"{place}.cells.axes.{i}", str(UnknownNameError("axis", name, known)))
        if wrong:
            return None
        if cells.pick is not None:
            found = self._survey(place, table)
            return None if found is None else self._picked(place, table, found)
        for i, cell in enumerate(cells.of):
            for name, value in zip(cells.axes, cell, strict=True):
                fault = value_fault(name, value, self._axes[name])
                if fault:
                    self._fault(f"{place}.cells.of.{i}", f"of[{i}]={list(cell)!r}: {fault}")
        return CellAxis(table.name, cells.axes, cells.of)

    def _picked(
        self, place: str, table: tables.ComputedAxis, found: list[Surveyed]
    ) -> ComputedAxis | None:
        seed = self._draft.recipe.seed if self._draft.recipe else 0
        try:
            if table.cells:
                return pick_cells(table, table.cells, found, self._axes, seed)
            return pick_structures(table, found, seed)
        except ParamError as error:
            self._fault(f"{place}.cells.pick" if table.cells else f"{place}.pick", str(error))
            return None

    def _survey(self, place: str, table: tables.ComputedAxis) -> list[Surveyed] | None:
        """Return the problems among which an axis is chosen; None while there are faults."""
        if self._faults or self._draft.recipe is None:
            return None
        if self._surveyed is None:
            computed = tuple(self.computed)
            self._surveyed = survey([replace(s, computed=computed) for s in self._sources])
        if table.among is None:
            return self._surveyed
        try:
            rule = read_rule(table.among, self._axes)
        except (ParamError, UnknownNameError) as error:
            self._fault(f"{place}.among", f"among={table.among!r}: {error}")
            return None
        return [among(each, rule) for each in self._surveyed]

    def _fault(self, path: str, message: str) -> None:
        self._faults.append(self._draft.fault(path, message))


def pick_structures(
    table: tables.ComputedAxis, found: Sequence[Surveyed], seed: int
) -> StructureAxis:
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
    table: tables.ComputedAxis,
    cells: tables.Cells,
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
