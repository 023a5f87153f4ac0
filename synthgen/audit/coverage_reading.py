"""The passes over sides from which blocks are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from synthgen.audit.coverage_axes import AxisFacts, count_axes
from synthgen.audit.coverage_factors import Factor, Survey, choose_axes, factor_of, survey
from synthgen.audit.coverage_near import NearFacts, find_near
from synthgen.audit.coverage_sides import STRUCTURE, Sides
from synthgen.audit.coverage_structures import StructureFacts, StructurePass, Vocabulary
from synthgen.audit.coverage_texts import TextFacts, read_texts
from synthgen.core.errors import ParamError
from synthgen.coverage.ranges import Range


@dataclass(frozen=True)
class AxisNames:
    """The columns that are axes.

    Attributes:
        names: columns of integers or names.
        first: axes to prefer, as at most ten are counted together.
        declared: axis -> its names in display order.
    """

    names: Sequence[str] = ()
    first: Sequence[str] = ()
    declared: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Structures:
    """Structures of every side, and their symbols."""

    facts: Mapping[str, StructureFacts]
    vocabulary: Vocabulary


@dataclass(frozen=True)
class Texts:
    """Texts of every side, and near duplicates between them."""

    facts: Mapping[str, TextFacts]
    near: NearFacts


@dataclass(frozen=True)
class Axes:
    """Axes of every side: all are surveyed, some counted together."""

    surveys: Mapping[str, Survey]
    factors: Sequence[Factor]
    facts: Mapping[str, AxisFacts]

    @property
    def left_out(self) -> list[str]:
        """Axes that were not counted together."""
        counted = {factor.axis for factor in self.factors}
        return [axis for axis in self.surveys if axis not in counted]


@dataclass(frozen=True)
class Reading:
    """Everything read from all sides.

    Attributes:
        sides: the sides read.
        structures: None without structures; `no_structures` then states the reason.
        no_axes: reason why axes could not be counted, or empty.
    """

    sides: Sides
    texts: Texts
    axes: Axes
    structures: Structures | None
    no_structures: str = ""
    no_axes: str = ""


def read_sides(sides: Sides, axes: AxisNames) -> Reading:
    """Read all columns of all sides, one row group at a time."""
    with ThreadPoolExecutor(2) as pool:
        structures = pool.submit(_read_structures, sides)
        texts = pool.submit(read_texts_of, sides)
        counted = pool.submit(_read_axes, sides, axes)
        found, reason = structures.result()
        of_axes, no_axes = counted.result()
        return Reading(sides, texts.result(), of_axes, found, reason, no_axes)


def _read_axes(sides: Sides, axes: AxisNames) -> tuple[Axes, str]:
    try:
        return read_axes(sides, axes), ""
    except ParamError as error:
        return Axes({}, (), {}), str(error)


def _read_structures(sides: Sides) -> tuple[Structures | None, str]:
    if not sides.have(STRUCTURE):
        return None, "the rows have no structures"
    try:
        return read_structures(sides), ""
    except ParamError as error:
        return None, str(error)


def read_structures(sides: Sides) -> Structures:
    """Read the structures of every side, train first."""
    reader = StructurePass(sides)
    facts = {sides.train.name: reader.read_train(sides.train)}
    for side in sides.tests:
        facts[side.name] = reader.read_test(side)
    return Structures(facts, reader.vocabulary)


def read_texts_of(sides: Sides) -> Texts:
    """Read the texts of every side, train first, and train's prompts once more."""
    train = sides.train
    facts = {train.name: read_texts(train, None, fold_case=sides.fold_case)}
    for side in sides.tests:
        facts[side.name] = read_texts(side, facts[train.name], fold_case=sides.fold_case)
    samples = {side.name: facts[side.name].sample for side in sides.tests}
    return Texts(facts, find_near(train, samples, facts[train.name].sample))


def read_axes(sides: Sides, axes: AxisNames) -> Axes:
    """Survey axes, choose those to count together, and count them on every side."""
    surveys = survey(sides, axes.names)
    chosen = choose_axes(surveys, axes.first)
    factors = [
        factor_of(axis, surveys[axis], sides.train, axes.declared.get(axis, ())) for axis in chosen
    ]
    train = sides.train.name
    ranges = {axis: each.integers.get(train, Range()) for axis, each in surveys.items()}
    facts = {train: count_axes(sides.train, factors, None)}
    for side in sides.tests:
        facts[side.name] = count_axes(side, factors, ranges)
    return Axes(surveys, factors, facts)
