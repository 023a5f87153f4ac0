"""The computed axes of a plan: their structures and cells checked, or chosen by the seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from synthgen.core.computed_axes import CellAxis, ComputedAxis, StructureAxis, Value, declared_axis
from synthgen.core.contract import Axis
from synthgen.core.errors import Fault, ParamError, UnknownNameError
from synthgen.core.named_structures import check_structure, name_structure, parse_structure
from synthgen.core.rules import compile_where
from synthgen.dataset.schema import BASE_COLUMNS
from synthgen.engine.computed import with_computed
from synthgen.engine.pick import pick_cells, pick_structures
from synthgen.engine.planned_sources import PlannedSource
from synthgen.engine.survey import Surveyed, among, survey
from synthgen.recipe import axes as tables
from synthgen.recipe.loader import Draft

_UNKNOWN = Axis("faulty axis", low=0, high=1)
Sources = Sequence[tuple[int, PlannedSource]]


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
        known = sorted(name for name in self._axes if name != "source")
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
                fault = _value_fault(name, value, self._axes[name])
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
            rule = compile_where(table.among, self._axes)
        except (ParamError, UnknownNameError) as error:
            self._fault(f"{place}.among", f"among={table.among!r}: {error}")
            return None
        return [among(each, rule, self._axes) for each in self._surveyed]

    def _fault(self, path: str, message: str) -> None:
        self._faults.append(self._draft.fault(path, message))


def _value_fault(name: str, value: Value, axis: Axis) -> str | None:
    """Return the fault of a value of an axis, if any."""
    if axis.values:
        if value in axis.values:
            return None
        return str(UnknownNameError(f"value of {name}", str(value), axis.values))
    low, high = axis.low, axis.high
    if isinstance(value, int) and (low is None or value >= low) and (high is None or value <= high):
        return None
    span = f"from {low} to {high}" if low is not None and high is not None else "in its range"
    return f"{name}={value!r}: expected an integer {span}"
