"""The models of a recipe: every key, its type, its range and its default.

The description of a field says what was expected, in the words that a fault shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    PrivateAttr,
)

from synthgen.recipe.fields import (
    MAX_ROWS,
    MAX_SEED,
    Param,
    check_date,
    check_distinct,
    check_param,
    date_text,
    integer,
    named_by,
)


class Table(BaseModel):
    """Base of all tables: no unknown keys, no conversions, no changes after construction."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


def _table(name: str, table: type[Table]) -> Any:
    return Field(default_factory=table, description=f"a table [{name}]")


def _tables(name: str) -> Any:
    return Field(strict=False, min_length=1, description=f"one or more [[{name}]] tables")


def _names(of: str) -> Any:
    return Field((), strict=False, description=f"a list of names of {of}, none of them twice")


def _choice(default: str, *others: str) -> Any:
    return Field(default, description="one of " + ", ".join((default, *others)))


_RecipeName = Annotated[str, AfterValidator(named_by("[a-z0-9][a-z0-9_-]{0,63}"))]
_SourceName = Annotated[str, AfterValidator(named_by("[a-z0-9][a-z0-9_]{0,63}"))]
# The loaders of Hugging Face datasets refuse other names, and read `all` as every split at once.
_SplitName = Annotated[str, AfterValidator(named_by("[a-z][a-z0-9_]{0,63}", reserved=("all",)))]
_Text = Annotated[str, Field(min_length=1)]
_Names = Annotated[tuple[_Text, ...], AfterValidator(check_distinct)]
# The serializer of the union would try each type in turn, and warn about lists.
_Param = Annotated[Param, PlainValidator(check_param), PlainSerializer(lambda value: value)]
_Date = Annotated[str, BeforeValidator(date_text), AfterValidator(check_date)]


class Source(Table):
    """One generator with its params; `name` is the generator's name where the file has none.

    A source with `draws_of` has the draws of that source, proposes no problems of its own and
    tells those of splits with `variant`.
    """

    generator: str = Field(min_length=1, description="the name of a generator")
    name: _SourceName = Field(
        default_factory=lambda valid: valid.get("generator", ""),
        description="1 to 64 lower-case letters, digits or underscores, not beginning with _",
    )
    draws_of: str | None = Field(None, min_length=1, description="the name of another source")
    params: dict[str, _Param] = Field({}, description="a table of the generator's params")
    files: dict[str, _Text] = Field(
        {}, description="a table of params and the files beside the recipe whose texts they are"
    )

    _texts: dict[str, str] = PrivateAttr(default_factory=dict)

    @property
    def texts(self) -> Mapping[str, str]:
        """Param -> text of its file, once the loader has read it."""
        return self._texts

    def with_texts(self, texts: Mapping[str, str]) -> Source:
        """Return this source with the texts of its files."""
        other = self.model_copy()
        other._texts = dict(texts)
        return other


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
    axes: _Names = Field(strict=False, min_length=1, description="a list of names of integer axes")


class Split(Table):
    """One named part of the dataset: how many rows, and which problems may be in it."""

    name: _SplitName = Field(
        description="1 to 64 lower-case letters, digits or underscores, beginning with a letter"
    )
    rows: int = integer(1, MAX_ROWS)
    where: str | None = Field(
        None, min_length=1, description="an SQL expression over the axes, such as 'n_op <= 10'"
    )
    balance: _Names = _names("axes")
    seen_in: str | None = Field(None, min_length=1, description="the name of another split")
    overlap: _Names = _names("other splits")
    cap: Cap | None = Field(None, description="a table { axis = NAME, share = NUMBER }")
    parts: tuple[Part, ...] = Field(
        (), strict=False, description="a list of tables { where = RULE, rows = NUMBER }"
    )
    members: str | None = Field(
        None, min_length=1, description="a file of prompts beside the recipe, one a line"
    )
    variant: Variant | None = Field(None, description="a table { of = SPLIT, source = SOURCE }")

    unseen: Unseen | None = Field(None, description="a table { of = SPLIT, axes = [NAME] }")
    measure: _Names = _names("axes")

    _unscaled_rows: int | None = PrivateAttr(None)

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


class Divergence(Table):
    """Train and test splits alike in atoms and as different as can be in compounds.

    `pool` problems are divided; by default all of a finite space, or four times the rows.
    """

    train: _Names = Field(strict=False, min_length=1, description="a list of names of splits")
    test: _Names = Field(strict=False, min_length=1, description="a list of names of splits")
    compounds: Literal["fragments", "edges", "subtrees"] = _choice("fragments", "edges", "subtrees")
    nodes: int = integer(2, 5, default=3)
    axes: _Names = _names("integer axes")
    atom_bound: float = Field(0.02, ge=0, le=1, description="a number from 0 to 1")
    axis_bound: float = Field(0.02, ge=0, le=1, description="a number from 0 to 1")
    target: float = Field(1.0, ge=0, le=1, description="a number from 0 to 1")
    starts: int = integer(1, 1000, default=12)
    effort: int = integer(0, 100_000, default=50)
    pool: int | None = integer(2, 1_000_000, default=None)

    @property
    def splits(self) -> tuple[str, ...]:
        """All splits that it divides problems among."""
        return (*self.train, *self.test)


class Dedup(Table):
    """What must not be there twice."""

    on: Literal["canonical", "prompt", "none"] = _choice("canonical", "prompt", "none")


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
    order: Literal["shuffled", "address"] = _choice("shuffled", "address")


class Limits(Table):
    """When to give up on a split, and what a split that stays short means."""

    acceptance_floor: float = Field(1e-4, gt=0, lt=1, description="a number above 0 and below 1")
    shortfall: Literal["error", "allow"] = _choice("error", "allow")


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
    engine: Literal["local"] = _choice("local")


class Recipe(Table):
    """A whole recipe; references between its tables are checked by `references`."""

    name: _RecipeName = Field(
        description="1 to 64 lower-case letters, digits, hyphens or underscores, "
        "beginning with a letter or digit"
    )
    seed: int = integer(0, MAX_SEED, default=0)
    description: str = Field("", description="a text")
    source: tuple[Source, ...] = _tables("source")
    split: tuple[Split, ...] = _tables("split")
    divergence: Divergence | None = Field(None, description="a table [divergence]")
    dedup: Dedup = _table("dedup", Dedup)
    render: Render = _table("render", Render)
    verify: Verify = _table("verify", Verify)
    output: Output = _table("output", Output)
    limits: Limits = _table("limits", Limits)
    card: Card = _table("card", Card)
    run: Run = _table("run", Run)
