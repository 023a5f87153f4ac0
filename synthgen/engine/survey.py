"""A survey of the problems of a plan: which structures and cells occur at all.

It covers the first block of every source that proposes problems, or fewer rows of costly sources;
so it depends only on the sources and the seed, not on the size of the build.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, distinct_values, offsets_of
from synthgen.core.contract import SOURCE, Axis, Generator, Problems
from synthgen.core.named_structures import (
    NamedStructure,
    distinct_structures,
    parse_structure,
)
from synthgen.core.randomness import Rows
from synthgen.engine.computed import with_computed
from synthgen.engine.controllers.holdouts import RowItems
from synthgen.engine.controllers.quotas import joint_cells
from synthgen.engine.planned_sources import PlannedSource, joint_codes

_COSTLY_ROWS, _FEWEST = 256, 64
_MOST_SYMBOLS, _MOST_IN_LOCAL = 1 << 19, 1 << 17
"""Most symbols of one source whose structures are surveyed; longer derivations mean fewer rows."""
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Surveyed:
    """The valid problems of one source, with its computed axes so far."""

    source: PlannedSource
    problems: Problems

    @property
    def generator(self) -> Generator:
        """Generator of the source."""
        return self.source.generator


def survey(sources: Sequence[PlannedSource]) -> list[Surveyed]:
    """Draw the first problems of every source that proposes its own."""
    found = []
    for source in sources:
        if source.draws_of is not None:
            continue
        generator = source.generator
        rows = max(_FEWEST, generator.block // source.sharing)
        rows = min(rows, _COSTLY_ROWS) if generator.costly else rows
        stop = rows if generator.space is None else min(rows, generator.space)
        problems = generator.draw(Rows.span(source.stream, 0, stop))
        problems = _without_texts(problems, problems.valid)
        found.append(Surveyed(source, with_computed(problems, generator, source.computed)))
    return found


def among(found: Surveyed, rule: pl.Expr, axes: Mapping[str, Axis]) -> Surveyed:
    """Return the problems of one source that meet a rule over the axes of all sources."""
    n = len(found.problems)
    frame = pl.DataFrame(
        [_series(name, found, axes) for name in dict.fromkeys(rule.meta.root_names())]
    )
    if not n or not frame.width:
        return found
    meets = frame.select(rule.fill_null(value=False)).to_series().to_numpy()
    return Surveyed(found.source, _without_texts(found.problems, np.asarray(meets, np.bool_)))


def occurring_structures(found: Sequence[Surveyed], kind: str) -> RowItems:
    """Return the texts of occurring structures of a kind, and which rows have them."""
    numbers: dict[str, int] = {}
    values, rows, n_rows = [], [], 0
    for each in found:
        derivations, signature = _some(each.problems.derivations, kind), each.generator.signature
        names, which = distinct_structures(derivations, signature, kind)
        own = np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int64)
        values.append(own[which.values])
        rows.append(np.repeat(np.arange(len(which)), which.lengths) + n_rows)
        n_rows += len(which)
    texts = list(numbers)
    return RowItems(texts, _distinct(values, rows, n_rows), _parts(texts, kind))


def occurring_cells(
    found: Sequence[Surveyed], names: Sequence[str], axes: Mapping[str, Axis]
) -> Ints:
    """Return the different combinations of values of some axes, (m, k); names as joint codes."""
    parts = [np.zeros((0, len(names)), np.int64)]
    for each in found:
        columns = each.problems.axes
        if any(name not in columns for name in names) or not len(each.problems):
            continue
        codes = joint_codes(each.source, axes)
        joint = [
            codes[name][columns[name]] if name in codes else columns[name].astype(np.int64)
            for name in names
        ]
        parts.append(joint_cells(np.stack(joint, axis=1))[0])
    return joint_cells(np.concatenate(parts))[0]


def _without_texts(problems: Problems, keep: NDArray[np.bool_]) -> Problems:
    """Return some problems, without the parts that only rendering needs."""
    rows = np.flatnonzero(keep)
    return Problems(
        Rows(problems.rows.stream, problems.rows.addresses[rows]),
        problems.derivations.take(rows),
        problems.keys[rows],
        {name: column[rows] for name, column in problems.axes.items()},
        problems.difficulty[rows],
        problems.valid[rows],
        {},
    )


def _series(name: str, found: Surveyed, axes: Mapping[str, Axis]) -> pl.Series:
    """Return one axis of a source's problems as a series for rules; null if it lacks the axis."""
    axis, columns, n = axes[name], found.problems.axes, len(found.problems)
    if name == SOURCE:
        return pl.Series(name, [found.source.name] * n, pl.String())
    if name not in columns:
        return pl.Series(name, [None] * n, pl.String() if axis.values else pl.Int64())
    if not axis.values:
        return pl.Series(name, columns[name])
    codes = joint_codes(found.source, axes)
    joint = codes[name][columns[name]] if name in codes else columns[name].astype(np.int64)
    return pl.Series(name, list(axis.values))[joint]


def _some(derivations: Ragged, kind: str) -> Ragged:
    """Return the first derivations, up to a bounded number of symbols."""
    most = _MOST_IN_LOCAL if kind == "local" else _MOST_SYMBOLS
    rows = int(np.searchsorted(derivations.offsets, most, side="right")) - 1
    return Ragged(derivations.values[: derivations.offsets[rows]], derivations.offsets[: rows + 1])


def _distinct(values: Sequence[Ints], rows: Sequence[Ints], n_rows: int) -> Ragged:
    """Return the different items of each row."""
    items = np.concatenate([np.zeros(0, np.int64), *values])
    row_of = np.concatenate([np.zeros(0, np.int64), *rows])
    most = int(items.max(initial=0)) + 1
    pairs = distinct_values(row_of * most + items)
    return Ragged(pairs % most, offsets_of(np.bincount(pairs // most, minlength=n_rows)))


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
