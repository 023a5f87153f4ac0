"""The records that a manifest is made of, with the types and ranges that reading one checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pyarrow as pa
from pydantic import Field

from synthgen.core.compound_kinds import PROMPT, CompoundKind
from synthgen.core.contract import Axis
from synthgen.dataset.computed_records import ComputedRecord
from synthgen.dataset.split_records import (
    CapRecord,
    CellRecord,
    Count,
    CoverRecord,
    MeasureRecord,
    MembersRecord,
    OrderRecord,
    PartRecord,
    Record,
    Sha256,
    UnseenRecord,
    VariantRecord,
)

ARROW_TYPES: Mapping[str, pa.DataType] = {
    str(kind): kind for kind in (pa.string(), pa.int16(), pa.int32(), pa.int64(), pa.uint64())
}

Hex = Annotated[str, Field(pattern=r"^[0-9a-f]+$")]
Fingerprint = Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
SplitName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*$")]
ShardFile = Annotated[str, Field(pattern=r"^data/[A-Za-z0-9_][A-Za-z0-9_.-]*\.parquet$")]


@dataclass(frozen=True, slots=True)
class SourceRecord(Record):
    """One generator with its parameters.

    Attributes:
        stream: the stream key as 16 hex digits.
        draws_of: source whose draws it has, too, or None.
        space: number of addresses, None if endless.
        fewest_problems: lower bound of the number of different problems; None if unknown.
    """

    name: str
    generator: str
    version: int
    domain: str
    verifier: str
    params: Mapping[str, Any]
    stream: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    draws_of: str | None = None
    space: Count | None = None
    fewest_problems: Count | None = None


@dataclass(frozen=True, slots=True)
class ColumnRecord(Record):
    """One column of the row schema; `type` is an Arrow type name."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True, slots=True)
class AxisRecord(Record):
    """One axis, as its generators declare it."""

    dtype: str
    meaning: str
    low: int | None
    high: int | None
    values: tuple[str, ...]
    canonical: bool

    def as_axis(self) -> Axis:
        """Return the axis that was recorded."""
        return Axis(
            self.meaning, self.dtype, self.low, self.high, self.values, canonical=self.canonical
        )


@dataclass(frozen=True, slots=True)
class ShardRecord(Record):
    """One Parquet file.

    Attributes:
        file: path relative to the dataset folder, always directly in `data/`.
        sha256: of the file's bytes; `content` is the hash of its rows, whatever wrote the file.
        verified, symbolic: how many rows passed the compiled and the symbolic check.
    """

    file: ShardFile
    rows: Count
    bytes: Count
    sha256: Sha256
    content: Hex
    verified: Count
    symbolic: Count


@dataclass(frozen=True, slots=True)
class SplitRecord(Record):
    """One split: its rule, what was asked, what came out.

    Attributes:
        where: SQL expression over the axes and `source` that every row satisfies.
        balance: columns whose value combinations are the cells.
        seen_in: split whose problems these are, or None.
        overlap: splits with which it may share problems.
        repeats: rows that repeat a problem of the split because a part or a list says so.
        margins: groups of rows by the values of one margin's axes, margin by margin.
        covers: what it has a number of times.
        order: if its rows are arranged.
    """

    name: SplitName
    rows: Count
    where: str | None
    balance: tuple[str, ...]
    seen_in: str | None
    overlap: tuple[str, ...]
    cap: CapRecord | None
    candidates: Count
    duplicates: Count
    cells: tuple[CellRecord, ...]
    shards: tuple[ShardRecord, ...]
    parts: tuple[PartRecord, ...] = ()
    members: MembersRecord | None = None
    variant: VariantRecord | None = None
    repeats: Count = 0
    unseen: UnseenRecord | None = None
    measured: tuple[MeasureRecord, ...] = ()
    margins: tuple[CellRecord, ...] = ()
    covers: tuple[CoverRecord, ...] = ()
    order: OrderRecord | None = None

    @property
    def base(self) -> str | None:
        """Split whose problems it has, as they are or told again."""
        return self.variant.of if self.variant else self.seen_in


Divided = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class DivergenceRecord(Record):
    """Train and test splits that were divided by the structures of their problems.

    Attributes:
        train, test: names of the splits of each side.
        kind, nodes: which structures are compounds, see `core.compound_kinds`.
        ngram, words: of n-grams, whose atoms are words.
        pool: problems that were divided; some may be in no split.
        compounds, atoms: Chernoff divergence of both sides, counted as often as they occur.
        random_compounds, random_atoms: its mean over random splits of the same sizes.
        compounds_deviation, atoms_deviation: its standard deviation over these.
        unseen_atoms: atoms of test that train lacks.
        compound_exponent, atom_exponent: of train.
    """

    train: tuple[str, ...]
    test: tuple[str, ...]
    kind: Literal["fragments", "edges", "subtrees", "ngrams"]
    nodes: Count
    pool: Count
    compounds: Divided
    atoms: Divided
    random_compounds: Divided
    random_atoms: Divided
    compounds_deviation: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    atoms_deviation: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    unseen_atoms: Count
    ngram: tuple[Annotated[int, Field(ge=2, le=10)], ...] = ()
    words: Literal["prompt", "derivation"] | None = None
    compound_exponent: Annotated[float, Field(gt=0, lt=1)] = 0.1
    atom_exponent: Annotated[float, Field(gt=0, lt=1)] = 0.5

    @property
    def compound_kind(self) -> CompoundKind:
        """How problems were taken apart.

        Raises:
            ParamError: for n-grams without a number of words.
        """
        return CompoundKind(self.kind, self.nodes, self.ngram, self.words or PROMPT)


@dataclass(frozen=True, slots=True)
class SelectionRecord(Record):
    """What the selection saw, over all splits."""

    candidates: Count
    invalid: Count
    unmatched: Count
    duplicates: Count
    bytes_per_row: Annotated[float, Field(ge=0, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class TotalsRecord(Record):
    """Sums over all shards."""

    rows: Count
    verified: Count
    symbolic: Count


@dataclass(frozen=True, slots=True)
class Manifest(Record):
    """Everything a dataset says about itself.

    Attributes:
        libraries: package -> version that wrote the files.
        recipe: the canonical recipe; `overrides` are the settings given beside it, as `key=value`.
        columns: the whole row schema, in order.
        computed: axes that the recipe computes, each from those before it.
        groups: what keeps problems together in one split: "template", axes, or None.
    """

    format: str
    name: str
    fingerprint: Fingerprint
    synthgen: str
    libraries: Mapping[str, str]
    recipe: Mapping[str, Any]
    overrides: tuple[str, ...]
    sources: tuple[SourceRecord, ...]
    columns: tuple[ColumnRecord, ...]
    axes: Mapping[str, AxisRecord]
    dedup: Literal["canonical", "prompt", "none"]
    splits: tuple[SplitRecord, ...]
    selection: SelectionRecord
    totals: TotalsRecord
    divergence: DivergenceRecord | None = None
    computed: tuple[ComputedRecord, ...] = ()
    groups: Literal["template"] | tuple[str, ...] | None = None
