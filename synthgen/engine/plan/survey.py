"""A survey of the problems of a plan: which structures and cells occur at all.

It covers the first block of every source that proposes problems, or fewer rows of costly sources;
so it depends only on the sources and the seed, not on the size of the build.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, distinct_values, offsets_of
from synthgen.core.computed_axes import with_computed
from synthgen.core.contract import Axis, Generator, Problems, valid_ones
from synthgen.core.named_structures import (
    NamedStructure,
    distinct_structures,
    parse_structure,
)
from synthgen.core.randomness import Rows
from synthgen.core.rules import Rule, rows_that_meet
from synthgen.engine.plan.holdouts import RowItems, joint_cells
from synthgen.engine.plan.sources import PlannedSource, joint_columns

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
        problems = valid_ones(replace(problems, parts={}))  # only rendering needs the parts
        found.append(Surveyed(source, with_computed(problems, generator, source.computed)))
    return found


def among(found: Surveyed, rule: Rule) -> Surveyed:
    """Return the problems of one source that meet a rule over the axes of all sources."""
    n = len(found.problems)
    columns = joint_columns(found.source, found.problems.axes, rule.ranges, n)
    meets = rows_that_meet([rule], columns, rule.ranges, n)[:, 0]
    return replace(found, problems=valid_ones(replace(found.problems, valid=meets)))


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
        columns = joint_columns(each.source, each.problems.axes, axes, len(each.problems))
        if len(each.problems) and all(name in columns for name in names):
            cells = np.stack([columns[name].astype(np.int64) for name in names], axis=1)
            parts.append(joint_cells(cells)[0])
    return joint_cells(np.concatenate(parts))[0]


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
