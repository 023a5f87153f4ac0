"""Everything that a report needs of its sides, read in a few passes over their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from synthgen.core.errors import ParamError
from synthgen.coverage.axis_counts import (
    AxisCounts,
    AxisValues,
    Factor,
    choose_axes,
    count_axes,
    factor_of,
    survey,
)
from synthgen.coverage.inputs import Sides
from synthgen.coverage.matches import Matches, match
from synthgen.coverage.near_duplicates import NearMatches, find_near
from synthgen.coverage.structure_kinds import WORDS, kinds_of
from synthgen.coverage.structure_measures import Structures, read_structures
from synthgen.coverage.templates import Level
from synthgen.coverage.text_measures import MAX_SAMPLED, TextMeasures, read_texts
from synthgen.coverage.value_ranges import Range


@dataclass(frozen=True)
class AxisNames:
    """The columns that are axes.

    Attributes:
        names: Columns of integers or names.
        first: Axes to prefer, as at most ten are counted together.
        declared: Names of each axis in display order.
    """

    names: Sequence[str] = ()
    first: Sequence[str] = ()
    declared: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Axes:
    """Axes of every side: all are surveyed, some counted together.

    Attributes:
        missing: Reason why axes could not be counted, or empty.
    """

    surveys: Mapping[str, AxisValues] = field(default_factory=dict)
    factors: Sequence[Factor] = ()
    counts: Mapping[str, AxisCounts] = field(default_factory=dict)
    missing: str = ""

    @property
    def left_out(self) -> list[str]:
        """Axes that were not counted together."""
        counted = {factor.axis for factor in self.factors}
        return [axis for axis in self.surveys if axis not in counted]


@dataclass(frozen=True)
class Measures:
    """Everything read from all sides.

    Attributes:
        structures: Structures of every kind, the main one first; without any, `missing` states why.
        texts: Texts of each side.
        matches: Rows of others that train has, too.
    """

    sides: Sides
    structures: Sequence[Structures]
    texts: Mapping[str, TextMeasures]
    near: NearMatches
    axes: Axes
    matches: Matches
    missing: str = ""

    @property
    def main(self) -> Structures | None:
        """The main structures."""
        return self.structures[0] if self.structures else None


def measure_sides(
    sides: Sides, axes: AxisNames, alphabet: str = WORDS, near: int = MAX_SAMPLED
) -> Measures:
    """Read all columns of all sides, one batch at a time.

    Args:
        sides: Sides to read.
        axes: Columns of integers or names.
        alphabet: Units of prompts, as in `kinds_of`.
        near: Rows of each test that are searched for near duplicates.
    """
    missing = ""
    try:
        kinds = kinds_of(sides, alphabet)
    except ParamError as error:
        kinds, missing = [], str(error)
    with ThreadPoolExecutor(2) as pool:
        main = [pool.submit(read_structures, sides, kind) for kind in kinds[:1]]
        texts = pool.submit(_read_texts, sides, near)
        counted = pool.submit(_read_axes, sides, axes)
        others = [pool.submit(read_structures, sides, kind) for kind in kinds[1:]]
        try:
            structures = [job.result() for job in (*main, *others)]
        except ParamError as error:
            structures, missing = [], str(error)
        of_texts, near_matches = texts.result()
    keys = {name: dict(measures.keys) for name, measures in of_texts.items()}
    for name, measures in structures[0].measures.items() if structures else ():
        keys[name][Level.TEMPLATE] = measures.templates
    axes_counted = counted.result()
    return Measures(sides, structures, of_texts, near_matches, axes_counted, match(keys), missing)


def _read_texts(sides: Sides, near: int) -> tuple[dict[str, TextMeasures], NearMatches]:
    """Read the texts of every side, train first, and train's prompts once more."""
    train = sides.train
    first = read_texts(train, None, fold_case=sides.fold_case)
    measures = {train.name: first}
    for side in sides.tests:
        measures[side.name] = read_texts(side, first, fold_case=sides.fold_case, sampled=near)
    samples = {side: measures[side.name].sample for side in sides.tests}
    return measures, find_near(train, samples, first.sample)


def _read_axes(sides: Sides, axes: AxisNames) -> Axes:
    """Survey axes, choose those to count together, and count them on every side."""
    try:
        surveys = survey(sides, axes.names)
    except ParamError as error:
        return Axes(missing=str(error))
    chosen = choose_axes(surveys, axes.first)
    factors = [
        factor_of(axis, surveys[axis], sides.train, axes.declared.get(axis, ())) for axis in chosen
    ]
    train = sides.train.name
    ranges = {axis: each.integers.get(train, Range()) for axis, each in surveys.items()}
    measures = {train: count_axes(sides.train, factors, None)}
    for side in sides.tests:
        measures[side.name] = count_axes(side, factors, ranges)
    return Axes(surveys, factors, measures)
