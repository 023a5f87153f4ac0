"""What all tables of a recipe have in common: their base, and fields of frequent kinds."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from synthgen.recipe.fields import check_distinct


class Table(BaseModel):
    """Base of all tables: no unknown keys, no conversions, no changes after construction."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


def table(name: str, model: type[Table]) -> Any:
    """Return the field of a table that may be left out."""
    return Field(default_factory=model, description=f"a table [{name}]")


def tables(name: str) -> Any:
    """Return the field of an array of tables, one at least."""
    return Field(strict=False, min_length=1, description=f"one or more [[{name}]] tables")


def names(of: str) -> Any:
    """Return the field of a list of names, empty by default."""
    return Field((), strict=False, description=f"a list of names of {of}, none of them twice")


def choice(default: str, *others: str) -> Any:
    """Return the field of a name out of a few."""
    return Field(default, description="one of " + ", ".join((default, *others)))


Text = Annotated[str, Field(min_length=1)]
Names = Annotated[tuple[Text, ...], AfterValidator(check_distinct)]
StructureKind = Literal["symbols", "placed", "edges", "slots", "siblings", "local"]
"""Those of `core.named_structures`, which reading a recipe need not load."""
STRUCTURE_KINDS = "one of " + ", ".join(get_args(StructureKind))
