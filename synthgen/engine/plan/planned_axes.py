"""The computed axes of a plan: their structures and cells checked, or chosen by the seed.

Choices are made among the problems of a survey: the first block of every source that proposes
problems, or fewer rows of sources that take long to draw. So they depend only on the sources and
the seed, not on the size of the build.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthgen.contract.interfaces import Problems, valid_ones
from synthgen.core.columns import Ragged, distinct_values, offsets_of
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.coverage.easiness import SeenStructures
from synthgen.dataset.row_schema import RESERVED
from synthgen.draws.randomness import Rows, stream_key
from synthgen.engine.plan.faults import Faults
from synthgen.engine.plan.holdouts import RowItems, choose_holdout, choose_items
from synthgen.engine.plan.quota_cells import value_fault
from synthgen.engine.plan.sources import SMALL_BLOCK, PlannedSource, joint_columns, with_computed
from synthgen.recipe import axis_tables as tables
from synthgen.rules.axes import SOURCE, Axis, CellAxis, ComputedAxis, StructureAxis
from synthgen.rules.computed_axes import declared_axis
from synthgen.rules.language import Rule, read_rule, rows_that_meet
from synthgen.trees.named_structures import (
    NamedStructure,
    check_structure,
    distinct_structures,
    name_structure,
    parse_structure,
)

_UNKNOWN = Axis("faulty axis", low=0, high=1)
Sources = Sequence[tuple[int, PlannedSource]]
Ints = NDArray[np.int64]
_MAX_SYMBOLS = 4_096
"""Most symbols whose contexts are compared with each other."""
_MAX_EXAMINED, _MORE_CHECKS = 4_096, 64
_FEW_ROWS, _MIN = 256, 64
_MAX_IN_SURVEY, _MAX_IN_LOCAL = 1 << 19, 1 << 17
"""Most symbols of one source whose structures are surveyed; longer derivations mean fewer rows."""


def plan_axes(
    faults: Faults, sources: Sources, axes: dict[str, Axis]
) -> list[tuple[int, PlannedSource]]:
    """Add the computed axes of a recipe to those of the sources; return the sources with them.

    The seed's choices are made only if there are no faults so far.
    """
    planner = _Planner(faults, [source for _, source in sources], axes)
    for index, table in faults.draft.axes:
        planner.add(index, table)
    for name in faults.draft.lost_axes:
        axes.setdefault(name, _UNKNOWN)
    computed = tuple(planner.computed)
    return [(index, replace(source, computed=computed)) for index, source in sources]


def check_groups(faults: Faults, axes: Mapping[str, Axis]) -> None:
    """Find unknown axes of [assign]."""
    recipe = faults.draft.recipe
    by = recipe.assign.by if recipe and recipe.assign else ()
    for place, name in enumerate(() if isinstance(by, str) else by):
        if name not in axes:
            error = UnknownNameError("axis", name, sorted(axes))
            faults.add(f"assign.by.{place}", str(error))


class _Planner:
    """Plans axes in sequence; later ones may be computed from earlier ones."""

    def __init__(self, faults: Faults, sources: list[PlannedSource], axes: dict[str, Axis]) -> None:
        self.computed: list[ComputedAxis] = []
        self._faults, self._sources, self._axes = faults, sources, axes
        self._surveyed: list[Surveyed] | None = None

    def add(self, index: int, table: tables.ComputedAxis) -> None:
        """Plan one axis, or record its faults and keep only its name."""
        place = f"axis.{index}"
        if table.name in self._axes or table.name in RESERVED:
            message = f"name={table.name!r}: expected a name that no other axis or column has"
            self._faults.add(f"{place}.name", message)
            return
        before = len(self._faults.entries)
        if table.cells:
            made = self._cells(place, table, table.cells)
        else:
            made = self._structures(place, table)
        if made is None or len(self._faults.entries) > before:
            self._axes[table.name] = _UNKNOWN
            return
        self._axes[table.name] = declared_axis(made, self._axes)
        self.computed.append(made)
        if self._surveyed is not None:
            self._surveyed = [
                replace(s, problems=with_computed(s.problems, s.source.generator, [made]))
                for s in self._surveyed
            ]

    def _structures(self, place: str, table: tables.ComputedAxis) -> ComputedAxis | None:
        kind = str(table.structures)
        if table.pick is not None:
            return self._picked(place, table)
        signatures = [source.generator.signature for source in self._sources]
        texts: dict[str, None] = {}
        for item, text in enumerate(table.of):
            try:
                check_structure(text, kind, signatures)
                name = name_structure(parse_structure(text, kind), kind)
                if name in texts:
                    self._faults.add(f"{place}.of.{item}", f"of[{item}]={name!r}: repeated")
                texts[name] = None
            except (ParamError, UnknownNameError) as error:
                self._faults.add(f"{place}.of.{item}", f"of[{item}]={text!r}: {error}")
        return StructureAxis(table.name, kind, tuple(texts), table.count)

    def _cells(
        self, place: str, table: tables.ComputedAxis, cells: tables.CellTable
    ) -> ComputedAxis | None:
        known = sorted(name for name in self._axes if name != SOURCE)
        wrong = [(i, name) for i, name in enumerate(cells.axes) if name not in known]
        for i, name in wrong:
            self._faults.add(f"{place}.cells.axes.{i}", str(UnknownNameError("axis", name, known)))
        if wrong:
            return None
        if cells.pick is not None:
            return self._picked(place, table)
        for i, cell in enumerate(cells.of):
            for name, value in zip(cells.axes, cell, strict=True):
                fault = value_fault(name, value, self._axes[name])
                if fault:
                    self._faults.add(f"{place}.cells.of.{i}", f"of[{i}]={list(cell)!r}: {fault}")
        return CellAxis(table.name, cells.axes, cells.of)

    def _picked(self, place: str, table: tables.ComputedAxis) -> ComputedAxis | None:
        surveyed = self._survey(place, table)
        if surveyed is None:
            return None
        recipe = self._faults.draft.recipe
        seed = recipe.seed if recipe else 0
        try:
            if table.cells:
                return pick_cells(table, table.cells, surveyed, self._axes, seed)
            return pick_structures(table, surveyed, seed)
        except ParamError as error:
            self._faults.add(f"{place}.cells.pick" if table.cells else f"{place}.pick", str(error))
            return None

    def _survey(self, place: str, table: tables.ComputedAxis) -> list[Surveyed] | None:
        """Return the problems among which an axis is chosen; None while there are faults."""
        if self._faults.entries or self._faults.draft.recipe is None:
            return None
        if self._surveyed is None:
            computed = tuple(self.computed)
            self._surveyed = survey([replace(s, computed=computed) for s in self._sources])
        if table.among is None:
            return self._surveyed
        try:
            rule = read_rule(table.among, self._axes)
        except (ParamError, UnknownNameError) as error:
            self._faults.add(f"{place}.among", f"among={table.among!r}: {error}")
            return None
        return [among(each, rule) for each in self._surveyed]


def pick_structures(
    table: tables.ComputedAxis, surveyed: Sequence[Surveyed], seed: int
) -> StructureAxis:
    """Choose the structures of an axis; every part of them stays in rows without any of them.

    Raises:
        ParamError: if fewer can be chosen, with the largest number that can.
    """
    kind = str(table.structures)
    items = occurring_structures(surveyed, kind)
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
    cells: tables.CellTable,
    surveyed: Sequence[Surveyed],
    axes: Mapping[str, Axis],
    seed: int,
) -> CellAxis:
    """Choose the cells of an axis; other cells keep any all-but-one of their values together.

    Raises:
        ParamError: if fewer can be chosen, with the largest number that can.
    """
    occurring = occurring_cells(surveyed, cells.axes, axes)
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


@dataclass(frozen=True)
class Surveyed:
    """The valid problems of one source, with its computed axes so far."""

    source: PlannedSource
    problems: Problems


def survey(sources: Sequence[PlannedSource]) -> list[Surveyed]:
    """Draw the first problems of every source that proposes its own."""
    surveyed = []
    for source in sources:
        if source.draws_of is not None:
            continue
        generator = source.generator
        rows = max(_MIN, generator.block // source.sharing)
        rows = min(rows, _FEW_ROWS) if generator.block <= SMALL_BLOCK else rows
        stop = rows if generator.space is None else min(rows, generator.space)
        problems = generator.draw(Rows.span(source.stream, 0, stop))
        problems = valid_ones(replace(problems, parts={}))  # only rendering needs the parts
        surveyed.append(Surveyed(source, with_computed(problems, generator, source.computed)))
    return surveyed


def among(surveyed: Surveyed, rule: Rule) -> Surveyed:
    """Return the problems of one source that meet a rule over the axes of all sources."""
    n = len(surveyed.problems)
    columns = joint_columns(surveyed.source, surveyed.problems.axes, rule.ranges, n)
    meets = rows_that_meet([rule], columns, rule.ranges, n)[:, 0]
    return replace(surveyed, problems=valid_ones(replace(surveyed.problems, valid=meets)))


def occurring_structures(surveyed: Sequence[Surveyed], kind: str) -> RowItems:
    """Return the texts of occurring structures of a kind, and which rows have them."""
    numbers: dict[str, int] = {}
    rows, items, n_rows = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], 0
    for each in surveyed:
        derivations, signature = each.problems.derivations, each.source.generator.signature
        names, which = distinct_structures(_first_ones(derivations, kind), signature, kind)
        own = np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int64)
        rows.append(np.repeat(np.arange(len(which)), which.lengths) + n_rows)
        items.append(own[which.values])
        n_rows += len(which)
    texts, n = list(numbers), max(1, len(numbers))
    pairs = distinct_values(np.concatenate(rows) * n + np.concatenate(items))
    by_row = Ragged(pairs % n, offsets_of(np.bincount(pairs // n, minlength=n_rows)))
    return RowItems(texts, by_row, _parts(texts, kind))


def occurring_cells(
    surveyed: Sequence[Surveyed], names: Sequence[str], axes: Mapping[str, Axis]
) -> Ints:
    """Return the different combinations of values of some axes, (m, k); names as joint codes."""
    cells = pl.DataFrame(schema=dict.fromkeys(names, pl.Int64()))
    for each in surveyed:
        columns = joint_columns(each.source, each.problems.axes, axes, len(each.problems))
        if all(name in columns for name in names):
            own = pl.DataFrame({name: columns[name].astype(np.int64) for name in names})
            cells = pl.concat([cells, own.unique()])
    return cells.unique().sort(names).to_numpy()


def _first_ones(derivations: Ragged, kind: str) -> Ragged:
    """Return the first derivations, up to a bounded number of symbols."""
    most = _MAX_IN_LOCAL if kind == "local" else _MAX_IN_SURVEY
    rows = int(np.searchsorted(derivations.offsets, most, side="right")) - 1
    return Ragged(derivations.values[: derivations.offsets[rows]], derivations.offsets[: rows + 1])


def _parts(texts: Sequence[str], kind: str) -> list[Ints]:
    """Return the number of each part of structures: all but one of their pieces."""
    made_of = [_pieces(parse_structure(text, kind), kind) for text in texts]
    most = max(map(len, made_of), default=0)
    parts = []
    for dropped in range(most if most > 1 else 0):
        numbers: dict[tuple[object, ...], int] = {}
        left = (
            (len(one), *(piece for place, piece in enumerate(one) if place != dropped))
            for one in made_of
        )
        parts.append(np.array([numbers.setdefault(part, len(numbers)) for part in left], np.int64))
    return parts


def _pieces(structure: NamedStructure, kind: str) -> tuple[object, ...]:
    """Return the pieces of a structure; for a local one, each symbol with the code."""
    if kind in {"placed", "slots"}:
        return (structure.place, *structure.symbols)
    if kind == "local":
        return tuple((structure.place, symbol) for symbol in structure.symbols)
    return structure.symbols


class _EasinessLimit:
    """Decides which local structures are hard enough given those that remain.

    Attributes:
        most: Largest easiness allowed.
        examined: Numbers of randomly chosen structures to examine, and `near` their easiness,
            estimated without rows.
    """

    def __init__(self, texts: Sequence[str], most: float, key: int, n: int) -> None:
        self.most = most
        self._words = _words(texts)
        lots = {item: stream_key(key, "look", text) for item, text in enumerate(texts)}
        self.examined = sorted(lots, key=lots.__getitem__)[:_MAX_EXAMINED]
        self.near = SeenStructures(self._words).easiness_without(self._words[self.examined])
        self._checks_left = 2 * n + _MORE_CHECKS

    @property
    def allowed(self) -> list[int]:
        """Numbers of the structures to examine more closely."""
        pairs = zip(self.examined, self.near.tolist(), strict=True)
        return [item for item, easiness in pairs if easiness <= self.most]

    def __call__(self, item: int, occurrences: NDArray[np.int64]) -> bool:
        """Return whether a structure is hard enough, given all counts in the remaining rows."""
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
    if len(codes) > _MAX_SYMBOLS:
        raise ParamError("symbols", len(codes), f"at most {_MAX_SYMBOLS} for max_easiness")
    return np.array(words, np.uint64)
