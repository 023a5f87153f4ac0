"""The models of a recipe: every key, its type, its range and its default.

The description of a field says what was expected, in the words that a fault shows.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from synthgen.recipe.axes import Assign, ComputedAxis, unless_default
from synthgen.recipe.division import Divergence
from synthgen.recipe.fields import MAX_SEED, check_date, date_text, integer, named_by
from synthgen.recipe.sources import Source
from synthgen.recipe.splits import Split
from synthgen.recipe.tables import Table, choice, table, tables

_RecipeName = Annotated[str, AfterValidator(named_by("[a-z0-9][a-z0-9_-]{0,63}"))]
_Date = Annotated[str, BeforeValidator(date_text), AfterValidator(check_date)]


class Dedup(Table):
    """What must not be there twice."""

    on: Literal["canonical", "prompt", "none"] = choice("canonical", "prompt", "none")


class Render(Table):
    """Styles of the texts; an empty prompt style is the generator's default."""

    prompt: str = Field("", description="the name of a prompt style")
    solution: str = Field("none", min_length=1, description="the name of a solution style")


class Verify(Table):
    """`symbolic` is the fraction of rows that the slow oracle checks, too."""

    symbolic: float = Field(0.01, ge=0, le=1, description="a number from 0 to 1")


class Output(Table):
    """Form of the files."""

    rows_per_shard: int = integer(1, 10**9, default=50_000)
    row_group: int = integer(100, 10**6, default=10_000)
    order: Literal["shuffled", "address"] = choice("shuffled", "address")


class Limits(Table):
    """When to give up on a split, and what a split that stays short means."""

    acceptance_floor: float = Field(1e-4, gt=0, lt=1, description="a number above 0 and below 1")
    shortfall: Literal["error", "allow"] = choice("error", "allow")


class Card(Table):
    """What the dataset card says; no title means the recipe's name."""

    title: str | None = Field(None, min_length=1, description="a text that is not empty")
    license: str = Field(
        "mit", pattern=r"^[A-Za-z0-9][A-Za-z0-9.+-]*$", description="an SPDX id such as 'mit'"
    )
    creator: str = Field("synthgen", min_length=1, description="a text that is not empty")
    date: _Date | None = Field(None, description="a date such as '2026-01-31'")
    url: str | None = Field(
        None, pattern=r"^https?://\S+$", description="an address that begins with https://"
    )
    language: str = Field(
        "en", pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$", description="a code such as 'en'"
    )
    citation: str | None = Field(None, min_length=1, description="a text that is not empty")


class Run(Table):
    """How to execute; has no influence on any row and is no part of the fingerprint."""

    workers: int | None = integer(1, 1024, default=None)
    engine: Literal["local"] = choice("local")


class Recipe(Table):
    """A whole recipe; references between its tables are checked by `references`."""

    name: _RecipeName = Field(
        description="1 to 64 lower-case letters, digits, hyphens or underscores, "
        "beginning with a letter or digit"
    )
    seed: int = integer(0, MAX_SEED, default=0)
    description: str = Field("", description="a text")
    source: tuple[Source, ...] = tables("source")
    split: tuple[Split, ...] = tables("split")
    axis: tuple[ComputedAxis, ...] = Field(
        (), strict=False, description="one or more [[axis]] tables"
    )
    assign: Annotated[Assign | None, AfterValidator(unless_default)] = Field(
        None, description="a table [assign]"
    )
    divergence: Divergence | None = Field(None, description="a table [divergence]")
    dedup: Dedup = table("dedup", Dedup)
    render: Render = table("render", Render)
    verify: Verify = table("verify", Verify)
    output: Output = table("output", Output)
    limits: Limits = table("limits", Limits)
    card: Card = table("card", Card)
    run: Run = table("run", Run)
