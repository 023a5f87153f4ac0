"""The tables `[[split]]` of a recipe."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, PrivateAttr

from synthgen.recipe.fields import MAX_ROWS, integer, named_by
from synthgen.recipe.steering import DIFFICULTY, Cover, Diverse, Enrich, Law, Margin, Order, Pace
from synthgen.recipe.tables import Names, Table, names

# The loaders of Hugging Face datasets refuse other names, and read `all` as every split at once.
_SplitName = Annotated[str, AfterValidator(named_by("[a-z][a-z0-9_]{0,63}", reserved=("all",)))]


class Cap(Table):
    """At most `share` of each cell's rows may have the same value of `axis`.

    Rows that do not meet `where` are exempt.
    """

    axis: str = Field(min_length=1, description="the name of an axis")
    share: float = Field(gt=0, lt=1, description="a number above 0 and below 1")
    where: str | None = Field(
        None, min_length=1, description="an SQL expression over the axes, such as 'n_op > 2'"
    )


class Part(Table):
    """A fixed number of a split's rows: the problems of the split that meet `where`.

    `distinct` different problems are repeated evenly to give `rows`; by default none is repeated.
    """

    where: str = Field(
        min_length=1, description="an SQL expression over the axes, such as 'n_op <= 10'"
    )
    rows: int = integer(1, MAX_ROWS)
    distinct: int | None = integer(1, MAX_ROWS, default=None)

    @property
    def problems(self) -> int:
        """Number of different problems."""
        return self.rows if self.distinct is None else self.distinct


class Variant(Table):
    """The rows of split `of`, one by one, made by a source that has the same draws."""

    of: str = Field(min_length=1, description="the name of another split")
    source: str = Field(min_length=1, description="the name of a source that has draws_of")


class Unseen(Table):
    """No value of these axes in the split occurs in one of them in split `of`."""

    of: str = Field(min_length=1, description="the name of another split")
    axes: Names = Field(strict=False, min_length=1, description="a list of names of integer axes")


class Split(Table):
    """One named part of the dataset: how many rows, and which problems may be in it."""

    name: _SplitName = Field(
        description="1 to 64 lower-case letters, digits or underscores, beginning with a letter"
    )
    rows: int = integer(1, MAX_ROWS)
    where: str | None = Field(
        None, min_length=1, description="an SQL expression over the axes, such as 'n_op <= 10'"
    )
    balance: Names = names("axes")
    seen_in: str | None = Field(None, min_length=1, description="the name of another split")
    overlap: Names = names("other splits")
    cap: Cap | None = Field(None, description="a table { axis = NAME, share = NUMBER }")
    parts: tuple[Part, ...] = Field(
        (), strict=False, description="a list of tables { where = RULE, rows = NUMBER }"
    )
    members: str | None = Field(
        None, min_length=1, description="a file of prompts beside the recipe, one a line"
    )
    variant: Variant | None = Field(None, description="a table { of = SPLIT, source = SOURCE }")

    unseen: Unseen | None = Field(None, description="a table { of = SPLIT, axes = [NAME] }")
    measure: Names = names("axes")
    shares: Law | None = Field(None, description="a table such as { law = 'zipf' }")
    margins: tuple[Margin, ...] = Field(
        (), strict=False, description="a list of tables { axes = [NAME], law = LAW }"
    )
    pace: Pace | None = Field(None, description="a table { axes = [NAME], of = [[VALUE, WEIGHT]] }")
    enrich: Enrich | None = Field(None, description="a table { axes = [NAME], share = NUMBER }")
    cover: tuple[Cover, ...] = Field(
        (), strict=False, description="a list of tables { axes = [NAME], times = NUMBER }"
    )
    diverse: Diverse | None = Field(None, description="a table { structures = KIND }")
    order: Order | None = Field(None, description="a table { by = ORDER, axis = NAME }")

    _unscaled_rows: int | None = PrivateAttr(None)

    @property
    def steered_axes(self) -> tuple[str, ...]:
        """Axes that its controllers look at."""
        tables = (*self.margins, self.pace, self.enrich, *self.cover)
        names = [name for table in tables if table for name in table.axes]
        order = [self.order.axis] if self.order and self.order.axis != DIFFICULTY else []
        return tuple(dict.fromkeys([*names, *order]))

    @property
    def structures(self) -> tuple[str, ...]:
        """Kinds of structures that its controllers look at."""
        kinds = [cover.structures for cover in self.cover]
        kinds += [self.diverse.structures] if self.diverse else []
        return tuple(dict.fromkeys(kind for kind in kinds if kind))

    @property
    def base(self) -> str | None:
        """Split whose problems it has, as they are or told again."""
        return self.variant.of if self.variant else self.seen_in

    @property
    def problems(self) -> int:
        """Number of different problems, where `members` does not say otherwise."""
        return sum(part.problems for part in self.parts) if self.parts else self.rows

    @property
    def weight(self) -> int:
        """Rows before `--rows` and `--scale`, so that shares do not depend on the scale."""
        return self.rows if self._unscaled_rows is None else self._unscaled_rows

    def resized(self, rows: int) -> Split:
        """Return this split with other rows and the same weight."""
        other = self.model_copy(update={"rows": rows})
        other._unscaled_rows = self.weight
        return other
