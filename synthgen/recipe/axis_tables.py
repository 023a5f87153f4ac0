"""The tables `[[axis]]` and `[assign]` of a recipe."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, PlainSerializer, PlainValidator
from pydantic_core import PydanticCustomError

from synthgen.core.errors import nearest
from synthgen.recipe.fields import (
    EXPECTED,
    STRUCTURE_KINDS,
    Names,
    StructureKind,
    Table,
    check_distinct,
    choice,
    integer,
    named_by,
    names,
)
from synthgen.recipe.references import Faults
from synthgen.recipe.tables import RawTable, RecipeTables, has

_AxisName = Annotated[str, AfterValidator(named_by("[a-z][a-z0-9_]{0,63}"))]
_MAX_PICKED = 100_000

_GROUPS = ("problem", "template")
Groups = Literal["template"] | tuple[str, ...] | None
"""Grouping that keeps problems together in one split: by template, by axes, or none."""


def check_value(value: object) -> int | str:
    """Accept an integer or a non-empty text."""
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise _expected("an integer or a name")
    return value


def check_groups(value: object) -> str | tuple[str, ...]:
    """Accept "problem", "template", or a list of different names (which becomes a tuple)."""
    if isinstance(value, list | tuple) and value and all(isinstance(v, str) and v for v in value):
        return check_distinct(tuple(value))
    if not isinstance(value, str) or value not in _GROUPS:
        hint = nearest(value, _GROUPS) if isinstance(value, str) else None
        meant = f"; did you mean {hint!r}?" if hint else ""
        msg = f"one of {', '.join(_GROUPS)}, or a list of names of axes{meant}"
        raise _expected(msg)
    return value


def _expected(what: str) -> PydanticCustomError:
    return PydanticCustomError(EXPECTED, "{expected}", {"expected": what})


_Value = Annotated[int | str, PlainValidator(check_value), PlainSerializer(lambda value: value)]
_Cell = Annotated[tuple[_Value, ...], Field(strict=False)]
_Groups = Annotated[
    Literal["problem", "template"] | tuple[str, ...],
    PlainValidator(check_groups),
    PlainSerializer(lambda value: value),
]


class CellTable(Table):
    """Combinations of values of some axes: listed, or a number chosen by the recipe's seed."""

    axes: Names = Field(strict=False, min_length=1, description="a list of names of other axes")
    of: tuple[_Cell, ...] = Field(
        (), strict=False, description="a list of lists, each with one value of every axis"
    )
    pick: int | None = integer(1, _MAX_PICKED, default=None)


class ComputedAxis(Table):
    """An integer axis made from the structures of derivations, or from other axes.

    It counts the structures listed in `of`, or `pick` structures that the recipe's seed chooses
    among those in rows that meet `among`.
    """

    name: _AxisName = Field(
        description="1 to 64 lower-case letters, digits or underscores, beginning with a letter"
    )
    structures: StructureKind | None = Field(None, description=STRUCTURE_KINDS)
    of: Names = names("structures")
    pick: int | None = integer(1, _MAX_PICKED, default=None)
    count: Literal["occurrences", "kinds"] = choice("occurrences", "kinds")
    max_easiness: float | None = Field(None, ge=0, le=1, description="a number from 0 to 1")
    cells: CellTable | None = Field(None, description="a table { axes = [NAME], of = [[VALUE]] }")
    among: str | None = Field(
        None, min_length=1, description="an SQL expression over the axes, such as 'n_op <= 10'"
    )

    @property
    def picked(self) -> int | None:
        """Number of structures or cells to choose; None where they are listed."""
        return self.cells.pick if self.cells else self.pick


class Assign(Table):
    """Grouping by which problems are assigned to splits: a group stays together."""

    by: _Groups = Field("problem", description="problem, template or a list of names of axes")


def unless_default(assign: Assign | None) -> Assign | None:
    """Return None for the defaults, so that an absent table and a default one are equal."""
    return None if assign is None or assign.by == "problem" else assign


def axis_faults(tables: RecipeTables) -> Faults:
    """Yield path and message of keys of [[axis]] that exclude or need each other."""
    for place, axis in tables.axes:
        for key, message in _axis_faults(axis):
            yield ("axis", str(place), *key), message
    by = (tables.document.get("assign") or {}).get("by")
    if by not in (None, "problem") and tables.document.get("divergence") is not None:
        yield (
            ("assign", "by"),
            f"by={by!r}: cannot be combined with [divergence], which assigns by itself",
        )


def _axis_faults(axis: RawTable) -> Faults:
    cells = axis.get("cells")
    if ("structures" in axis) == ("cells" in axis):
        yield (), "expected either structures or cells"
        return
    own = axis if cells is None else cells
    if has(own, "of") == has(own, "pick") and ("cells" not in axis or cells is not None):
        yield (() if cells is None else ("cells",)), "expected either of or pick"
    if cells is not None:
        for key in ("of", "pick", "count"):
            if axis.get(key):
                yield (key,), f"{key}: only for structures, not for cells"
        yield from _cell_faults(cells)
    if axis.get("max_easiness") is not None and not (
        axis.get("structures") == "local" and has(axis, "pick")
    ):
        yield ("max_easiness",), "max_easiness: requires structures = 'local' and pick"
    if axis.get("among") and not has(own, "pick"):
        yield ("among",), "among: requires pick, whose choice it narrows"


def _cell_faults(cells: RawTable) -> Faults:
    axes, given = cells.get("axes"), cells.get("of") or []
    if axes is None:
        return
    if has(cells, "pick") and len(axes) < 2:
        yield ("cells", "axes"), f"axes={axes!r}: expected two or more axes for pick"
    for place, cell in enumerate(given):
        if cell is not None and len(cell) != len(axes):
            message = f"of[{place}]={cell!r}: expected {len(axes)} values, one for each axis"
            yield ("cells", "of", str(place)), message
        elif cell is not None and cell in given[:place]:
            yield ("cells", "of", str(place)), f"of[{place}]={cell!r}: repeated"
