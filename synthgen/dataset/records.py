"""The records of a manifest, with the types and ranges that are checked on reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, ClassVar, Literal

import pyarrow as pa
from pydantic import ConfigDict, Field

from synthgen.core.images import IMAGE, IMAGE_TYPES, NO_PICTURE, PNG, SVG
from synthgen.rules.axes import SOURCE, Axis, CellAxis, ComputedAxis, StructureAxis, Value
from synthgen.trees.compound_kinds import PROMPT, CompoundKind

Count = Annotated[int, Field(ge=0)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Share = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)]
CellValue = int | str | None


class Record:
    """Strict parsing for every record: unknown keys are errors."""

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class CellRecord(Record):
    """One cell of a balanced split.

    Attributes:
        cell: Values as stored in the shards, by column.
        dry: Whether the cell was exhausted below its quota.
        candidates: Number of distinct candidates seen for it.
    """

    cell: Mapping[str, CellValue]
    rows: Count
    quota: Count
    dry: bool
    candidates: Count


@dataclass(frozen=True, slots=True)
class CapRecord(Record):
    """At most `share` of a cell's rows (at least one row) may have the same value of `axis`.

    Rows that do not satisfy `where` are exempt.
    """

    axis: str
    share: Share
    where: str | None


@dataclass(frozen=True, slots=True)
class PartRecord(Record):
    """A fixed number of a split's rows: those that satisfy `where` and belong to no earlier part.

    Attributes:
        problems: Number of distinct problems, which the rows repeat evenly.
        candidates: Number of distinct candidates seen for it.
    """

    where: str
    rows: Count
    problems: Count
    candidates: Count


@dataclass(frozen=True, slots=True)
class MembersRecord(Record):
    """A list of the only prompts that a split may contain.

    Attributes:
        file: Name of the file in the recipe.
        lines, prompts: Number of prompts listed, with and without repeats.
        sha256: Hash of the lines, sorted by their bytes and joined by line feeds.
    """

    file: str
    lines: Count
    prompts: Count
    sha256: Sha256


@dataclass(frozen=True, slots=True)
class VariantRecord(Record):
    """The rows of split `of`, one by one, restated by another source."""

    of: str
    source: str


@dataclass(frozen=True, slots=True)
class UnseenRecord(Record):
    """No value of `axes` in the split occurs in any of these axes in split `of`."""

    of: str
    axes: Annotated[tuple[str, ...], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class MeasureRecord(Record):
    """Evenness of the distribution of rows over an axis, see `coverage.evenness`."""

    axis: str
    values: Count
    entropy: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    effective: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    gini: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    most: Count


@dataclass(frozen=True, slots=True)
class UnmetRecord(Record):
    """A tuple of values, or a structure, that occurs in a split less often than requested.

    Attributes:
        rare: Whether too few candidates had it, or none.
    """

    name: str
    candidates: Count
    rare: bool


@dataclass(frozen=True, slots=True)
class CoverRecord(Record):
    """Units that a split contains at least `times` times, except for the unmet ones.

    Attributes:
        axes: Axes whose values form tuples, `strength` at a time; empty for structures.
        structures: Kind of structures, None for tuples.
        of: Texts of structures, or values; empty for all.
        symbols: Symbols that structures may contain; empty for all.
        units: Number of tuples or structures wanted.
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


@dataclass(frozen=True, slots=True)
class NoiseRecord(Record):
    """Rows of a split that are wrong on purpose.

    Attributes:
        kind: What is wrong: the answer, a step of the solution, or nothing.
        share: Probability that a row is wrong.
        rows: Number of these rows.
    """

    kind: Literal["labels", "steps", "none"] = "none"
    share: Annotated[float, Field(ge=0, le=1)] = 0.0
    rows: Count = 0


@dataclass(frozen=True, slots=True)
class ComputedRecord(Record):
    """One computed axis, with the choices made by the seed.

    Attributes:
        structures: Kind of the structures `of`, counted as `count` specifies; None for cells.
        axes, cells: Cells, each with a value of every axis; empty for structures.
        picked: Whether the recipe left the choice to the seed.
    """

    name: str
    structures: str | None
    of: tuple[str, ...]
    count: Literal["occurrences", "kinds"] | None
    axes: tuple[str, ...]
    cells: tuple[tuple[Value, ...], ...]
    picked: bool

    @classmethod
    def of_axis(cls, axis: ComputedAxis, *, picked: bool) -> ComputedRecord:
        """Return the record of an axis."""
        if isinstance(axis, CellAxis):
            return cls(axis.name, None, (), None, axis.axes, axis.cells, picked)
        count: Literal["occurrences", "kinds"] = "kinds" if axis.kinds else "occurrences"
        return cls(axis.name, axis.kind, axis.of, count, (), (), picked)

    def as_axis(self) -> ComputedAxis:
        """Return the recorded axis."""
        if self.structures is None:
            return CellAxis(self.name, self.axes, self.cells)
        return StructureAxis(self.name, self.structures, self.of, self.count or "occurrences")


ARROW_TYPES: Mapping[str, pa.DataType] = {
    str(kind): kind
    for kind in (
        *(pa.string(), pa.int16(), pa.int32(), pa.int64(), pa.uint64(), pa.bool_()),
        IMAGE_TYPES[PNG],
    )
}

Fingerprint = Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
DatasetName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
SplitName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*$")]
ShardFile = Annotated[str, Field(pattern=r"^data/[A-Za-z0-9_][A-Za-z0-9_.-]*\.parquet$")]
OtherFile = Annotated[
    str,
    Field(
        pattern=r"^(README\.md|recipe\.toml|croissant\.json|eval\.yaml|lm_eval\.yaml|"
        r"selection/[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*\.members)$"
    ),
]


@dataclass(frozen=True, slots=True)
class SourceRecord(Record):
    """One source: a generator with its parameters.

    Attributes:
        stream: Stream key as 16 hex digits.
        draws_of: Source whose draws it reuses, or None.
        space: Number of addresses, None if unbounded.
        fewest_problems: Lower bound of the number of distinct problems; None if unknown.
        restates: Whether a split may repeat its problems in other prompts.
        prompt, solution: Styles of its prompts and of its solutions.
        format: Choices from which the formats of its rows are drawn, with `version`; empty without.
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
    restates: bool = False
    prompt: str = ""
    solution: str = ""
    format: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ColumnRecord(Record):
    """One column of the row schema; `type` is an Arrow type name."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True, slots=True)
class AxisRecord(Record):
    """One axis as declared by its generators."""

    dtype: Literal["int16", "int32", "int64"]
    meaning: str
    low: int | None
    high: int | None
    values: tuple[str, ...]
    canonical: bool

    @property
    def column_type(self) -> str:
        """Arrow type of the column: text if the axis has names."""
        return "string" if self.values else self.dtype

    def as_axis(self) -> Axis:
        """Return the recorded axis."""
        return Axis(**asdict(self))


@dataclass(frozen=True, slots=True)
class ShardRecord(Record):
    """One Parquet file.

    Attributes:
        file: Path relative to the dataset folder, always directly in `data/`.
        arrow_bytes: Size of the rows in memory, uncompressed.
        sha256: Hash of the file's bytes.
        content: Hashes of the blocks of rows that begin in it, in any encoding, see
            `dataset.content`.
        verified: Number of rows that the verifier accepted.
    """

    file: ShardFile
    rows: Count
    bytes: Count
    arrow_bytes: Count
    sha256: Sha256
    content: tuple[Sha256, ...]
    verified: Count


@dataclass(frozen=True, slots=True)
class FileRecord(Record):
    """One file of the dataset folder other than a shard: its path, size and hash."""

    file: OtherFile
    bytes: Count
    sha256: Sha256


@dataclass(frozen=True, slots=True)
class SplitRecord(Record):
    """One split: its rule, its targets and its results.

    Attributes:
        where: SQL expression over the axes and `source` that every row satisfies.
        balance: Columns whose value combinations are the cells.
        seen_in: Split that contains all of these problems, or None.
        overlap: Splits with which it may share problems.
        repeats: Rows that repeat a problem of the split, as a part, a list or a source requires.
        covers: Units that it must contain a number of times.
        order: Order of its rows, if any.
        noise: Rows that are wrong on purpose; None if the dataset has no column `corrupted`.
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
    covers: tuple[CoverRecord, ...] = ()
    order: OrderRecord | None = None
    noise: NoiseRecord | None = None

    @property
    def base(self) -> str | None:
        """Split whose problems it contains, unchanged or restated."""
        return self.variant.of if self.variant else self.seen_in


Divided = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class DivergenceRecord(Record):
    """Train and test splits divided by the structures of their problems.

    Attributes:
        train, test: Names of the splits of each side.
        kind, nodes: Structures used as compounds, see `trees.compound_kinds`.
        ngram, words: Settings of n-grams, whose atoms are words.
        pool: Number of problems divided; some may be in no split.
        compounds, atoms: Chernoff divergence of both sides, by occurrence.
        random_compounds, random_atoms: Mean divergence of random splits of the same sizes.
        compounds_deviation, atoms_deviation: Standard deviation of these.
        unseen_atoms: Atoms of test that train lacks.
        compound_exponent, atom_exponent: Exponents of the train shares.
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
        """Kind of compounds into which problems were decomposed.

        Raises:
            ParamError: for n-grams without a number of words.
        """
        return CompoundKind(self.kind, self.nodes, self.ngram, self.words or PROMPT)


@dataclass(frozen=True, slots=True)
class SelectionRecord(Record):
    """Counts of the selection over all splits."""

    candidates: Count
    invalid: Count
    unmatched: Count
    duplicates: Count
    bytes_per_row: Annotated[float, Field(ge=0, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class SelectedRecord(Record):
    """Results of a finished selection, kept for later runs of its build besides the membership.

    Attributes:
        splits: Records of the splits, without shards.
    """

    splits: tuple[SplitRecord, ...]
    selection: SelectionRecord
    divergence: DivergenceRecord | None


@dataclass(frozen=True, slots=True)
class TotalsRecord(Record):
    """Sums over all shards; without data, the rows that were selected, none of them verified."""

    rows: Count
    verified: Count


@dataclass(frozen=True, slots=True)
class Manifest(Record):
    """Everything a dataset records about itself.

    Attributes:
        libraries: Version of each package that wrote the files.
        recipe: Canonical recipe; `overrides` are settings given separately, as `key=value`.
        columns: Whole row schema, in order.
        files: Files of the folder besides the shards and the manifest, sorted by path.
        computed: Axes that the recipe computes, each from those before it.
        groups: Property that keeps problems in one split: "template", axes, or None.
    """

    format: str
    name: DatasetName
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
    files: tuple[FileRecord, ...]
    divergence: DivergenceRecord | None = None
    computed: tuple[ComputedRecord, ...] = ()
    groups: Literal["template"] | tuple[str, ...] | None = None

    @property
    def has_data(self) -> bool:
        """Whether rows are stored, not only which ones were selected."""
        return any(split.shards for split in self.splits)

    @property
    def digest(self) -> str | None:
        """Digest of all rows, as the shards' records give it; None if no rows are stored."""
        from synthgen.dataset.content import content_digest  # loads kernels

        blocks = {
            s.name: [block for each in s.shards for block in each.content] for s in self.splits
        }
        return content_digest(self.schema, blocks) if self.has_data else None

    @property
    def schema(self) -> pa.Schema:
        """Row schema of every shard."""
        return pa.schema([(column.name, ARROW_TYPES[column.type]) for column in self.columns])

    @property
    def picture(self) -> str:
        """Kind of the pictures of rows."""
        kinds = {column.type for column in self.columns if column.name == IMAGE}
        return next((kind for kind in (SVG, PNG) if str(IMAGE_TYPES[kind]) in kinds), NO_PICTURE)

    @property
    def rule_axes(self) -> dict[str, Axis]:
        """Names that rules may use: the axes, and the source of a row."""
        axes = {name: record.as_axis() for name, record in self.axes.items()}
        sources = tuple(source.name for source in self.sources)
        return axes | {SOURCE: Axis("source of the row", values=sources)}

    @property
    def shares_leftovers(self) -> bool:
        """Whether a split that ends short gets problems that another split did not keep."""
        from synthgen.rules.assignment import PARTITIONABLE  # loads kernels

        proposing = [source for source in self.sources if source.draws_of is None]
        restates = self.dedup == "canonical" and any(source.restates for source in proposing)
        if self.groups or restates or self.dedup == "prompt":
            return False  # groups, and restatements of a problem, stay together
        spaces = [source.space for source in proposing if source.space is not None]
        return len(spaces) == len(proposing) and sum(spaces) <= PARTITIONABLE

    @property
    def listed(self) -> dict[str, FileRecord | ShardRecord]:
        """Records of all files of the folder besides the manifest, by path."""
        records: list[FileRecord | ShardRecord] = [*self.files]
        for split in self.splits:
            records += split.shards
        return {record.file: record for record in records}
