"""The models of a recipe: every key, its type, its range and its default.

The description of a field is the text that a fault shows after "expected".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainSerializer,
    PlainValidator,
    PrivateAttr,
)

from synthgen.recipe.axis_tables import Assign, ComputedAxis, unless_default
from synthgen.recipe.fields import (
    MAX_ROWS,
    MAX_SEED,
    STRUCTURE_KINDS,
    Names,
    Param,
    StructureKind,
    Table,
    Text,
    advise,
    check_date,
    check_param,
    choice,
    date_text,
    integer,
    named_by,
    names,
    table,
    tables,
)
from synthgen.recipe.spread import Spread
from synthgen.recipe.sweep import Sweep
from synthgen.trees.compound_kinds import NGRAMS, CompoundKind

DIFFICULTY = "difficulty"
"""Column that rows can be ordered by, though it is not an axis."""

Value = int | str
Weighted = tuple[tuple[Value, ...], float]

_MAX_WEIGHT = 1e15
_WEIGHTED = "a list of lists, each the values of a cell and its weight, such as [['add', 3]]"
_LISTED = "a list of different structures, or of different lists of values of the axes"


def _check_weighted(rows: object) -> tuple[Weighted, ...]:
    """Turn lists of values that end in a weight into pairs of values and weight."""
    weights: dict[tuple[Value, ...], float] = {}
    for row in _list(rows):
        *values, weight = _list(row) or [None]
        cell = _values(row, values)
        if (
            isinstance(weight, bool)
            or not isinstance(weight, int | float)
            or not _is_weight(weight)
        ):
            msg = f"{row!r} does not end in a weight of 0 or more"
            raise advise(msg)
        _add(weights, cell, float(weight))
    return tuple(weights.items())


def _is_weight(weight: float) -> bool:
    return 0 <= weight < _MAX_WEIGHT


def _check_listed(items: object) -> tuple[str | tuple[Value, ...], ...]:
    """Accept texts, and lists of values."""
    listed: dict[str | tuple[Value, ...], None] = {}
    for item in _list(items):
        _add(listed, item if isinstance(item, str) and item else _values(item, _list(item)), None)
    return tuple(listed)


def _list(value: object) -> list[Any]:
    """Return the items of a list; the serialised form of a recipe has tuples."""
    if not isinstance(value, list | tuple):
        raise advise("")
    return list(value)


def _values(row: object, values: list[object]) -> tuple[Value, ...]:
    if not values or any(isinstance(v, bool) or not isinstance(v, int | str) for v in values):
        msg = f"{row!r} has no values, or one that an axis cannot have"
        raise advise(msg)
    return tuple(v for v in values if isinstance(v, int | str))


def _add(items: dict[Any, Any], item: object, value: object) -> None:
    if item in items:
        msg = f"{item!r} is repeated"
        raise advise(msg)
    items[item] = value


_Of = Annotated[
    tuple[Weighted, ...],
    PlainValidator(_check_weighted),
    PlainSerializer(lambda rows: [[*values, weight] for values, weight in rows]),
]
_Listed = Annotated[
    tuple[str | tuple[Value, ...], ...],
    PlainValidator(_check_listed),
    PlainSerializer(lambda items: [i if isinstance(i, str) else list(i) for i in items]),
]


class Law(Table):
    """Weights of cells: listed, or given by a law over the cells in the order of their values.

    `temperature` T turns weights w into w^(1/T): above 1 they become more equal.
    """

    law: Literal["equal", "zipf", "geometric", "halton", "r2"] = choice(
        "equal", "zipf", "geometric", "halton", "r2"
    )
    of: _Of = Field((), description=_WEIGHTED)
    exponent: float = Field(1.0, ge=0, le=40, description="a number from 0 to 40")
    ratio: float = Field(0.5, gt=0, le=1, description="a number above 0, to 1")
    temperature: float = Field(1.0, ge=0.02, le=1000, description="a number from 0.02 to 1000")


class Cover(Table):
    """Tuples of values, or structures, that a split must have at least `times` times.

    Attributes:
        axes: Cover each combination of values of any `strength` of these axes (default: all).
        structures: Cover each structure of this kind that derivations have.
        of: Cover only these tuples or structures, all of which must occur.
        symbols: Cover only structures made of these symbols.
    """

    axes: Names = names("axes")
    strength: int | None = integer(1, 6, default=None)
    structures: StructureKind | None = Field(None, description=STRUCTURE_KINDS)
    of: _Listed = Field((), description=_LISTED)
    symbols: Names = names("symbols")
    times: int = integer(1, MAX_ROWS, default=1)


class Diverse(Table):
    """Choose the rows of a split from `pool` candidates to cover as many structures as possible."""

    structures: StructureKind = Field("edges", description=STRUCTURE_KINDS)
    times: int = integer(1, MAX_ROWS, default=1)
    weigh: Literal["equal", "frequency"] = choice("equal", "frequency")
    pool: int | None = integer(1, 4_000_000, default=None)


class Order(Table):
    """Order in which the rows of a split are read.

    Attributes:
        by: "rising" or "falling" in an axis (a curriculum), "blocks" of its values in sequence,
            "turns" of its values by weight, or "novelty": more and more values visible.
        axis: Name of an axis, or "difficulty".
        of: Weights for "turns".
        first, end: For "novelty": share of the values visible at first, and share of the rows after
            which all values are visible.
    """

    by: Literal["rising", "falling", "blocks", "turns", "novelty"] = Field(
        description="one of rising, falling, blocks, turns, novelty"
    )
    axis: str = Field(DIFFICULTY, min_length=1, description="the name of an axis")
    of: _Of = Field((), description=_WEIGHTED)
    first: float = Field(0.2, gt=0, le=1, description="a number above 0, to 1")
    end: float = Field(0.8, gt=0, le=1, description="a number above 0, to 1")


# The loaders of Hugging Face datasets reject other names, and read `all` as every split at once.
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
    """Each row of split `of`, restated by a source with the same draws."""

    of: str = Field(min_length=1, description="the name of another split")
    source: str = Field(min_length=1, description="the name of a source that has draws_of")


class UnseenTable(Table):
    """Keep the values of these axes disjoint from those in split `of`."""

    of: str = Field(min_length=1, description="the name of another split")
    axes: Names = Field(strict=False, min_length=1, description="a list of names of integer axes")


class Noise(Table):
    """Share of the rows of a training split whose answer, or a step of whose solution, is wrong."""

    labels: float | None = Field(None, gt=0, le=1, description="a number above 0, to 1")
    steps: float | None = Field(None, gt=0, le=1, description="a number above 0, to 1")


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
        None, min_length=1, description="a file of prompts in the recipe's folder, one per line"
    )
    variant: Variant | None = Field(None, description="a table { of = SPLIT, source = SOURCE }")

    unseen: UnseenTable | None = Field(None, description="a table { of = SPLIT, axes = [NAME] }")
    measure: Names = names("axes")
    shares: Law | None = Field(None, description="a table such as { law = 'zipf' }")
    cover: tuple[Cover, ...] = Field(
        (), strict=False, description="a list of tables { axes = [NAME], times = NUMBER }"
    )
    diverse: Diverse | None = Field(None, description="a table { structures = KIND }")
    order: Order | None = Field(None, description="a table { by = ORDER, axis = NAME }")
    noise: Noise | None = Field(None, description="a table { labels = SHARE } or { steps = SHARE }")

    _unscaled_rows: int | None = PrivateAttr(None)

    @property
    def steered_axes(self) -> tuple[str, ...]:
        """Axes that its controllers use."""
        names = [name for cover in self.cover for name in cover.axes]
        order = [self.order.axis] if self.order and self.order.axis != DIFFICULTY else []
        return tuple(dict.fromkeys([*names, *order]))

    @property
    def structures(self) -> tuple[str, ...]:
        """Kinds of structures that its controllers use."""
        kinds = [cover.structures for cover in self.cover]
        kinds += [self.diverse.structures] if self.diverse else []
        return tuple(dict.fromkeys(kind for kind in kinds if kind))

    @property
    def base(self) -> str | None:
        """Split whose problems it has, unchanged or restated."""
        return self.variant.of if self.variant else self.seen_in

    @property
    def problems(self) -> int:
        """Number of different problems, unless `members` changes it."""
        return sum(part.problems for part in self.parts) if self.parts else self.rows

    @property
    def weight(self) -> int:
        """Rows before `--rows`, `--scale` and sweeps, so that shares do not depend on the scale."""
        return self.rows if self._unscaled_rows is None else self._unscaled_rows

    def resized(self, rows: int) -> Split:
        """Return this split with a new number of rows and the same weight."""
        return self.model_copy(update={"rows": rows}).weighted(self.weight)

    def weighted(self, weight: int) -> Split:
        """Return this split with another weight."""
        other = self.model_copy()
        other._unscaled_rows = weight
        return other


_SourceName = Annotated[str, AfterValidator(named_by("[a-z0-9][a-z0-9_]{0,63}"))]
# The serializer of the union would try each type in turn, and warn about lists.
_Param = Annotated[Param, PlainValidator(check_param), PlainSerializer(lambda value: value)]


class Style(Table):
    """Styles of the texts of one source; empty for those of `[render]`."""

    prompt: str = Field("", description="the name of a prompt style")
    solution: str = Field("", description="the name of a solution style")
    format: dict[str, _Param] | None = Field(None, description="a table of what formats have")


class Source(Table):
    """One generator with its params; `name` is the generator's name where the file has none.

    A source with `draws_of` reuses the draws of that source: it does not propose problems, but
    restates them for splits with `variant`. A source with `spread` is expanded into several, one
    for each value of some axes or combination of values.
    """

    generator: str = Field(min_length=1, description="the name of a generator")
    name: _SourceName = Field(
        default_factory=lambda valid: valid.get("generator", ""),
        description="1 to 64 lower-case letters, digits or underscores, not beginning with _",
    )
    draws_of: str | None = Field(None, min_length=1, description="the name of another source")
    params: dict[str, _Param] = Field({}, description="a table of the generator's params")
    files: dict[str, Text] = Field(
        {}, description="a table of params and the files in the recipe's folder to read them from"
    )
    spread: Spread = Field(
        (), description="a list of axes, or a table of axes and lists of their values"
    )
    weight: float | None = Field(None, gt=0, le=1e9, description="a positive number")
    render: Style | None = Field(None, description="a table with prompt, solution or format")

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


_MAX_WORDS = 10


def _check_lengths(value: tuple[int, ...]) -> tuple[int, ...]:
    """Sort numbers of words; reject repeated ones."""
    known = range(2, _MAX_WORDS + 1)
    if not value or len(set(value)) < len(value) or any(n not in known for n in value):
        raise advise("")
    return tuple(sorted(value))


def _exponent(default: float) -> float:
    field: float = Field(default, gt=0, lt=1, description="a number above 0 and below 1")
    return field


class Divergence(Table):
    """Train and test splits alike in atoms and as different as possible in compounds.

    `pool` problems are divided; by default all of a finite space, or four times the rows. Compounds
    are `compounds` of derivations, or n-grams of `ngram` words.
    """

    train: Names = Field(strict=False, min_length=1, description="a list of names of splits")
    test: Names = Field(strict=False, min_length=1, description="a list of names of splits")
    compounds: Literal["fragments", "edges", "subtrees", "ngrams"] = choice(
        "fragments", "edges", "subtrees", "ngrams"
    )
    nodes: int = integer(2, 5, default=3)
    ngram: Annotated[tuple[int, ...], AfterValidator(_check_lengths)] = Field(
        (3, 4),
        strict=False,
        description=f"a list of different integers from 2 to {_MAX_WORDS}",
    )
    words: Literal["prompt", "derivation"] = choice("prompt", "derivation")
    axes: Names = names("integer axes")
    atom_bound: float = Field(0.02, ge=0, le=1, description="a number from 0 to 1")
    axis_bound: float = Field(0.02, ge=0, le=1, description="a number from 0 to 1")
    atom_exponent: float = _exponent(0.5)
    compound_exponent: float = _exponent(0.1)
    penalty: float = Field(5.0, ge=0, le=1000, description="a number from 0 to 1000")
    target: float = Field(1.0, ge=0, le=1, description="a number from 0 to 1")
    starts: int = integer(1, 1000, default=12)
    effort: int = integer(0, 100_000, default=50)
    pool: int | None = integer(2, 1_000_000, default=None)

    @property
    def splits(self) -> tuple[str, ...]:
        """All splits among which it divides problems."""
        return (*self.train, *self.test)

    @property
    def kind(self) -> CompoundKind:
        """Decomposition of problems into compounds."""
        if self.compounds != NGRAMS:
            return CompoundKind(self.compounds, self.nodes)
        return CompoundKind(NGRAMS, ngram=self.ngram, words=self.words)


LATER_KEYS = ("ngram", "words", "atom_exponent", "compound_exponent", "penalty")
"""Keys added after the scheme of fingerprints: omitted from it at their defaults."""


_RecipeName = Annotated[str, AfterValidator(named_by("[a-z0-9][a-z0-9_-]{0,63}"))]
_Date = Annotated[str, BeforeValidator(date_text), AfterValidator(check_date)]


class Dedup(Table):
    """Identity that must not occur twice."""

    on: Literal["canonical", "prompt", "none"] = choice("canonical", "prompt", "none")


class RenderTable(Table):
    """Styles of the texts; an empty prompt style is the generator's default."""

    prompt: str = Field("", description="the name of a prompt style")
    solution: str = Field("none", min_length=1, description="the name of a solution style")
    picture: Literal["none", "svg", "png"] = choice("none", "svg", "png")
    format: dict[str, _Param] | None = Field(None, description="a table of what formats have")


class Output(Table):
    """Format of the files."""

    rows_per_shard: int = integer(1, 10**9, default=50_000)
    row_group: int = integer(100, 10**6, default=10_000)
    order: Literal["shuffled", "address"] = choice("shuffled", "address")


class Limits(Table):
    """When to give up on a split, and whether a split that stays short is an error."""

    acceptance_floor: float = Field(1e-4, gt=0, lt=1, description="a number above 0 and below 1")
    shortfall: Literal["error", "allow"] = choice("error", "allow")


class Audit(Table):
    """Treatment of shortcuts by `synthgen audit`.

    `max_shortcut` is the largest share of a split that a predictor which knows nothing of the
    problem may get right; `shortcut` says whether more is flagged or fails the audit.
    """

    max_shortcut: float = Field(0.5, ge=0, le=1, description="a number from 0 to 1")
    shortcut: Literal["flag", "fail"] = choice("flag", "fail")


class Card(Table):
    """Content of the dataset card; the title defaults to the recipe's name."""

    title: str | None = Field(None, min_length=1, description="a non-empty text")
    license: str = Field(
        "mit", pattern=r"^[A-Za-z0-9][A-Za-z0-9.+-]*$", description="an SPDX id such as 'mit'"
    )
    creator: str = Field("synthgen", min_length=1, description="a non-empty text")
    date: _Date | None = Field(None, description="a date such as '2026-01-31'")
    url: str | None = Field(
        None, pattern=r"^https?://\S+$", description="a URL that begins with https://"
    )
    language: str = Field(
        "en", pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$", description="a code such as 'en'"
    )
    citation: str | None = Field(None, min_length=1, description="a non-empty text")


class Run(Table):
    """Options of execution; does not affect rows and is not part of the fingerprint."""

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
    sweep: Sweep | None = Field(None, description="a table [sweep]")
    dedup: Dedup = table("dedup", Dedup)
    render: RenderTable = table("render", RenderTable)
    output: Output = table("output", Output)
    limits: Limits = table("limits", Limits)
    audit: Audit = table("audit", Audit)
    card: Card = table("card", Card)
    run: Run = table("run", Run)
