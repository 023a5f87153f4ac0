"""Keys of `[[split]]` that steer which problems a split keeps, and in which order they are read."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, PlainSerializer, PlainValidator

from synthgen.recipe.fields import MAX_ROWS, advise, integer
from synthgen.recipe.tables import STRUCTURE_KINDS, Names, StructureKind, Table, choice, names

DIFFICULTY = "difficulty"
"""Column that rows can be ordered by, though it is no axis."""

Value = int | str
Weighted = tuple[tuple[Value, ...], float]

_MOST_WEIGHT = 1e15
_WEIGHTED = "a list of lists, each the values of a cell and its weight, such as [['add', 3]]"
_TOLD = "a list of structures, or of lists of values of the axes, none of them twice"


def _check_weighted(rows: object) -> tuple[Weighted, ...]:
    """Turn lists of values that end in a weight into pairs of both."""
    found: dict[tuple[Value, ...], float] = {}
    for row in _list(rows):
        *values, weight = _list(row) or [None]
        cell = _values(row, values)
        if (
            isinstance(weight, bool)
            or not isinstance(weight, int | float)
            or not _is_weight(weight)
        ):
            msg = f"{row!r} has no weight of 0 or more at its end"
            raise advise(msg)
        _add(found, cell, float(weight))
    return tuple(found.items())


def _is_weight(weight: float) -> bool:
    return 0 <= weight < _MOST_WEIGHT


def _check_told(items: object) -> tuple[str | tuple[Value, ...], ...]:
    """Accept texts, and lists of values."""
    found: dict[str | tuple[Value, ...], None] = {}
    for item in _list(items):
        _add(found, item if isinstance(item, str) and item else _values(item, _list(item)), None)
    return tuple(found)


def _list(value: object) -> list[Any]:
    """Return the items of a list; the serialised form of a recipe has tuples."""
    if not isinstance(value, list | tuple):
        raise advise("")
    return list(value)


def _values(row: object, values: list[object]) -> tuple[Value, ...]:
    if not values or any(isinstance(v, bool) or not isinstance(v, int | str) for v in values):
        msg = f"{row!r} has no value, or one that no axis can have"
        raise advise(msg)
    return tuple(v for v in values if isinstance(v, int | str))


def _add(found: dict[Any, Any], item: object, value: object) -> None:
    if item in found:
        msg = f"{item!r} is there twice"
        raise advise(msg)
    found[item] = value


_Of = Annotated[
    tuple[Weighted, ...],
    PlainValidator(_check_weighted),
    PlainSerializer(lambda rows: [[*values, weight] for values, weight in rows]),
]
_Told = Annotated[
    tuple[str | tuple[Value, ...], ...],
    PlainValidator(_check_told),
    PlainSerializer(lambda items: [i if isinstance(i, str) else list(i) for i in items]),
]


class Law(Table):
    """Weights of cells: told one by one, or by a law over the cells in the order of their values.

    `temperature` T turns weights w into w^(1/T): above 1 they become more equal.
    """

    law: Literal["equal", "zipf", "geometric", "halton", "r2"] = choice(
        "equal", "zipf", "geometric", "halton", "r2"
    )
    of: _Of = Field((), description=_WEIGHTED)
    exponent: float = Field(1.0, ge=0, le=40, description="a number from 0 to 40")
    ratio: float = Field(0.5, gt=0, le=1, description="a number above 0, to 1")
    temperature: float = Field(1.0, ge=0.02, le=1000, description="a number from 0.02 to 1000")


class Margin(Law):
    """Rows by the values of some axes alone, whatever those of other axes are."""

    axes: Names = Field(strict=False, min_length=1, description="a list of names of axes")


class Pace(Law):
    """Keep the running counts of cells near their shares; none is ever `slack` rows ahead."""

    axes: Names = Field(strict=False, min_length=1, description="a list of names of axes")
    slack: float = Field(1.0, ge=1, le=2**30, description="a number of rows from 1 to 2^30")


class Enrich(Table):
    """Keep only candidates of the least filled `share` of the cells seen so far."""

    axes: Names = Field(strict=False, min_length=1, description="a list of names of axes")
    share: float = Field(0.5, gt=0, le=1, description="a number above 0, to 1")


class Cover(Table):
    """What a split shall have `times` times at least: tuples of values, or structures.

    Attributes:
        axes: each combination of values of any `strength` of them (default: all).
        structures: each structure of this kind that derivations have.
        of: these tuples or structures alone, all of which must be there.
        symbols: structures that are made of these symbols alone.
    """

    axes: Names = names("axes")
    strength: int | None = integer(1, 6, default=None)
    structures: StructureKind | None = Field(None, description=STRUCTURE_KINDS)
    of: _Told = Field((), description=_TOLD)
    symbols: Names = names("symbols")
    times: int = integer(1, MAX_ROWS, default=1)


class Diverse(Table):
    """Choose the rows of a split out of `pool` candidates so that they have most structures."""

    structures: StructureKind = Field("edges", description=STRUCTURE_KINDS)
    times: int = integer(1, MAX_ROWS, default=1)
    weigh: Literal["equal", "frequency"] = choice("equal", "frequency")
    pool: int | None = integer(1, 4_000_000, default=None)


class Order(Table):
    """In which order the rows of a split are read.

    Attributes:
        by: "rising" or "falling" in an axis (a curriculum), "blocks" of its values, one after the
            other, "turns" of its values by weight, or "novelty": more and more values visible.
        axis: or "difficulty".
        of: weights of turns.
        first, end: of novelty: share of the values visible at first, and of the rows after which
            all are.
    """

    by: Literal["rising", "falling", "blocks", "turns", "novelty"] = Field(
        description="one of rising, falling, blocks, turns, novelty"
    )
    axis: str = Field(DIFFICULTY, min_length=1, description="the name of an axis")
    of: _Of = Field((), description=_WEIGHTED)
    first: float = Field(0.2, gt=0, le=1, description="a number above 0, to 1")
    end: float = Field(0.8, gt=0, le=1, description="a number above 0, to 1")
