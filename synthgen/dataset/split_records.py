"""The records of what a split is: cells, caps, parts, lists, variants, values not to be seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field

Count = Annotated[int, Field(ge=0)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Share = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)]
CellValue = int | str | None


class Record:
    """Strict reading for every record: a key that we do not write is a fault."""

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class CellRecord(Record):
    """One cell of a balanced split.

    Attributes:
        cell: column -> value as the column of the shards holds it.
        dry: true if the cell ran out of candidates before its quota.
        candidates: how many distinct candidates were seen for it.
    """

    cell: Mapping[str, CellValue]
    rows: Count
    quota: Count
    dry: bool
    candidates: Count


@dataclass(frozen=True, slots=True)
class CapRecord(Record):
    """At most `share` of a cell's rows, but at least one row, may have the same value of `axis`.

    Rows that do not meet `where` are exempt.
    """

    axis: str
    share: Share
    where: str | None


@dataclass(frozen=True, slots=True)
class PartRecord(Record):
    """A fixed number of a split's rows: those that meet `where` and no earlier part's.

    Attributes:
        problems: different ones among the rows, which they repeat evenly.
        candidates: how many distinct candidates were seen for it.
    """

    where: str
    rows: Count
    problems: Count
    candidates: Count


@dataclass(frozen=True, slots=True)
class MembersRecord(Record):
    """A list of prompts that alone may be in a split.

    Attributes:
        file: as the recipe names it.
        lines, prompts: how many prompts it lists, with and without repeats.
        sha256: of the lines, sorted by their bytes and joined by line feeds.
    """

    file: str
    lines: Count
    prompts: Count
    sha256: Sha256


@dataclass(frozen=True, slots=True)
class VariantRecord(Record):
    """The rows of split `of`, one by one, as another source tells them."""

    of: str
    source: str


@dataclass(frozen=True, slots=True)
class UnseenRecord(Record):
    """No value of `axes` in the split occurs in one of them in split `of`."""

    of: str
    axes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MeasureRecord(Record):
    """How evenly rows are spread over an axis, see `core.evenness`."""

    axis: str
    values: Count
    entropy: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    effective: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    gini: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    most: Count


@dataclass(frozen=True, slots=True)
class UnmetRecord(Record):
    """A tuple of values, or a structure, that a split does not have as often as asked.

    Attributes:
        rare: whether too few candidates had it, or none at all.
    """

    name: str
    candidates: Count
    rare: bool


@dataclass(frozen=True, slots=True)
class CoverRecord(Record):
    """What a split has `times` times at least, but for what is unmet.

    Attributes:
        axes: whose values make tuples, `strength` of them each; empty for structures.
        structures: their kind, None for tuples.
        of: texts of structures, or values; empty for all of them.
        symbols: that structures are made of; empty for all.
        units: tuples or structures that were wanted.
    """

    axes: tuple[str, ...]
    strength: int | None
    structures: str | None
    of: tuple[str | tuple[int | str, ...], ...]
    symbols: tuple[str, ...]
    times: Count
    units: Count
    unmet: tuple[UnmetRecord, ...]


@dataclass(frozen=True, slots=True)
class OrderRecord(Record):
    """The order of a split's rows: by an axis or `difficulty`."""

    by: str
    axis: str
