"""VERIFY: check the files, records and rows of a dataset, and regenerate rows chosen at random."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from time import process_time, thread_time
from typing import Any, Literal

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.contract.registry import load_verifier
from synthgen.core.columns import integer_column, table_column
from synthgen.core.errors import (
    ChangedError,
    DatasetError,
    ParamError,
    SynthgenError,
    UnknownNameError,
)
from synthgen.core.images import IMAGE, statements
from synthgen.core.shown import Shown
from synthgen.coverage.structure_reader import StructureReader
from synthgen.dataset.content import BlockHashes, content_digest
from synthgen.dataset.layout import file_faults
from synthgen.dataset.manifest import (
    MANIFEST_FILE,
    AxisRecord,
    SourceRecord,
    SplitRecord,
    membership_file,
)
from synthgen.dataset.places import local_folder
from synthgen.dataset.reader import NO_DATA, Dataset, open_dataset
from synthgen.dataset.row_schema import CORRUPTED
from synthgen.engine.make.recorded import with_data
from synthgen.engine.plan.sources import PlannedSource
from synthgen.formats.read_back import FormattedVerifier
from synthgen.trees.content_keys import derivation_keys, id_column
from synthgen.trees.derivations import read_derivations
from synthgen.verifying.dataset_checks import check_contents, count_rows
from synthgen.verifying.promises import Check
from synthgen.verifying.record_checks import check_records, selection_faults
from synthgen.verifying.regeneration import RecordedSource, Regeneration

_MAX_SHOWN = 10
_BATCH_ROWS = 50_000

Mask = NDArray[np.bool_]


@dataclass(repr=False)
class Verification(Shown):
    """Result of a verification.

    Attributes:
        rows: Number of rows that were read and checked.
        rebuilt: Number of rows regenerated from their addresses.
        seed: Seed by which these were chosen.
        noticed: Largest share of false rows in a split that was missed with a probability of 1 %.
        unchecked: Number of rows whose verifier is not installed, so no answer was checked.
        wrong: Number of rows that failed a check.
        examples: First of these rows, with the first check that each failed.
        files: Files that are missing, added, changed or at odds with others, with the reason.
        unproven: Parts of the dataset that could not be proven here, with the reason.
        notes: Remarks that have no effect on the result.
        selected: Whether the selection was made again.
        digest: Digest of all rows, as they were read.
    """

    rows: int = 0
    rebuilt: int = 0
    seed: int = 0
    noticed: float = 1.0
    unchecked: int = 0
    wrong: int = 0
    examples: list[dict[str, Any]] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    unproven: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    selected: bool = False
    digest: str = ""

    @property
    def is_false(self) -> bool:
        """Whether a row failed a check, or a file or record is not as it should be."""
        return bool(self.wrong or self.files)

    @property
    def ok(self) -> bool:
        """Whether everything was proven and nothing failed."""
        return not (self.is_false or self.unchecked or self.unproven)

    def __repr__(self) -> str:
        verdict = "ok" if self.ok else "failed" if self.is_false else "not proven"
        return (
            f"<{verdict}: {self.rows:,} rows checked, {self.rebuilt:,} regenerated; "
            f"{self.wrong:,} wrong, {self.unchecked:,} unchecked, {len(self.files):,} files differ>"
        )


@dataclass(frozen=True, slots=True)
class Options:
    """What a verification does besides checking every row.

    Attributes:
        rebuild: Rows of each split to regenerate, "all" for every row and the selection too, or
            None for as many as take about as long as the other checks, at least `MIN_ROWS`.
        seed: Seed by which rows are chosen; None for the system's randomness.
        digest: Digest that the rows must have.
        recipe: Original of the recipe, if it names files beside it.
        workers: Processes that select again.
    """

    rebuild: int | Literal["all"] | None = None
    seed: int | None = None
    digest: str | None = None
    recipe: Path | None = None
    workers: int = 1


_USUAL = Options()


def verify(
    folder: str | Path, report: Callable[[int], None], options: Options = _USUAL
) -> Verification:
    """Check the files, the records, the membership and every row of a dataset.

    Every answer is checked by its verifier, every id against the derivation, and every axis against
    its range. Regenerated rows must be equal in all columns. Rows must be where the recorded
    selection and the recipe put them, and the records must be what the recipe gives.

    Args:
        folder: Folder of the dataset, or a URL, from which the files are copied first.
        report: Callback that gets the number of rows checked so far.
        options: Further checks.

    Raises:
        DatasetError: if the folder is not a synthgen dataset, or a shard cannot be read, or made
            where no data is stored.
        ChangedError: if the manifest was edited, or a shard is missing or of another size.
    """
    verification = Verification()
    with local_folder(folder) as local:
        dataset = open_dataset(local, without_data=True)
        faults = file_faults(local, dataset.manifest)
        for what, names in (
            ("missing", faults.missing),
            ("not in the manifest", faults.added),
            ("changed since it was built", faults.changed),
        ):
            verification.files += [f"{name}: {what}" for name in names]
        records = check_records(dataset, options.recipe)
        verification.unproven += records.unproven
        verification.files += _failed(records.checks)
        if not dataset.manifest.has_data:
            verification.notes.append(NO_DATA)
        try:
            _check_data(dataset, verification, options, report)
        except ChangedError:
            raise
        except DatasetError as error:
            if dataset.manifest.has_data or not (verification.files or verification.unproven):
                raise
            verification.unproven.append(str(error))  # rows that cannot be made
        if options.digest not in (None, verification.digest):
            wanted = f"expected {options.digest}"
            verification.files.append(f"the rows have the digest {verification.digest}, {wanted}")
        # A false recipe might ask for more rows than fit into memory.
        if options.rebuild == "all" and records.plan and not verification.is_false:
            verification.files += selection_faults(dataset, records.plan, options.workers)
            verification.selected = True
    return verification


def _failed(checks: Iterable[Check]) -> list[str]:
    return [f"{check.detail} ({check.name})" for check in checks if not check.ok]


def _check_data(
    dataset: Dataset,
    verification: Verification,
    options: Options,
    report: Callable[[int], None],
) -> None:
    """Check all rows, which are made if they are not stored."""
    with with_data(dataset) as whole:
        _check_dataset(whole, verification, options, report)
        if whole is not dataset:  # its rows were in temporary files: name the stored ones
            for split in whole.manifest.splits:
                made, stored = split.shards[0].file, membership_file(split.name)
                verification.files = [line.replace(made, stored) for line in verification.files]


def _check_dataset(
    dataset: Dataset,
    verification: Verification,
    options: Options,
    report: Callable[[int], None],
) -> None:
    """Check all rows and their membership, and add the findings to those of the files."""
    manifest = dataset.manifest
    began = process_time()
    checks = _checks_of_contents(dataset)
    verification.files += _failed(checks)
    total = max(1, manifest.totals.rows)
    checking = _Checking(dataset, verification, options, (process_time() - began) / total)
    contents = {split.name: checking.check(split, report) for split in manifest.splits}
    regeneration = checking.regeneration
    verification.rebuilt, verification.seed = regeneration.rows, regeneration.seed
    verification.noticed = max(map(regeneration.noticed_share, manifest.splits))
    blocks = {name: content.blocks for name, content in contents.items()}
    verification.digest = content_digest(dataset.schema, blocks)
    for split in manifest.splits:
        verification.files += contents[split.name].differences(split)


def _checks_of_contents(dataset: Dataset) -> list[Check]:
    """Return the checks that audits also make; a column or record that cannot be read fails."""
    try:
        return [*count_rows(dataset)[1], *check_contents(dataset).checks]
    except (SynthgenError, pl.exceptions.PolarsError) as error:
        return [Check("contents", ok=False, detail=str(error).splitlines()[0])]


class _Checking:
    """Checks rows of a dataset one by one, and makes some of them again.

    Args:
        dataset: Dataset of the rows.
        verification: Result to add to.
        options: Number and choice of the rows to be made again.
        seconds: CPU time for each row of all other checks.
    """

    def __init__(
        self, dataset: Dataset, verification: Verification, options: Options, seconds: float
    ) -> None:
        manifest = dataset.manifest
        self._dataset, self._verification, self._seconds = dataset, verification, seconds
        self._sources = {
            each.name: _Source(dataset, each, verification) for each in manifest.sources
        }
        rebuild = options.rebuild
        rows = max(split.rows for split in manifest.splits) if rebuild == "all" else rebuild
        self.regeneration = Regeneration(manifest, rows, options.seed)

    def check(self, split: SplitRecord, report: Callable[[int], None]) -> _Content:
        """Check all rows of a split, and return what the manifest records of their content."""
        hashes = BlockHashes()
        sizes, read = {0: 0}, 0
        for batch in self._dataset.batches(split.name, batch_rows=_BATCH_ROWS):
            table = pa.Table.from_batches([batch])
            hashes.update(table)
            read += table.num_rows
            sizes[read] = hashes.arrow_bytes
            rows = _Rows(split.name, table, self._verification)
            _check_rows(self._dataset, rows, self._sources)
            self._rebuild(rows, split)
            self._verification.rows += batch.num_rows
            report(self._verification.rows)
        return _Content(hashes.hexdigests(), sizes)

    def _rebuild(self, rows: _Rows, split: SplitRecord) -> None:
        """Draw rows again from their addresses, and compare every column."""
        for name in pc.unique(rows.table["source"]).to_pylist():
            source = self._sources.get(name)
            generator = source and source.generator
            if not source or not generator:
                continue
            where = rows.positions_of(name)
            table = rows.table.take(integer_column(where))
            seconds = source.seconds + self._seconds * len(where)
            for each in self.regeneration.false_rows(generator, table, split, seconds):
                rows.reject(where[each.positions], each.why)


@dataclass(frozen=True, slots=True)
class _Content:
    """Content of the rows of a split: hashes of its blocks, and bytes in memory up to a row."""

    blocks: tuple[str, ...]
    sizes: Mapping[int, int]

    def differences(self, split: SplitRecord) -> Iterator[str]:
        """Yield the shards whose recorded content is not that of the rows."""
        block = row = 0
        for shard in split.shards:
            size = self.sizes[row + shard.rows] - self.sizes[row]
            if shard.content != self.blocks[block : block + len(shard.content)]:
                yield f"{shard.file}: the manifest records another content than its rows have"
            if shard.arrow_bytes != size:
                yield f"{shard.file}: arrow_bytes={shard.arrow_bytes}: expected {size}"
            block, row = block + len(shard.content), row + shard.rows
        if block != len(self.blocks):
            counts = f"{block} blocks of content in {split.name}, expected {len(self.blocks)}"
            yield f"{MANIFEST_FILE}: {counts}"


@dataclass
class _Rows:
    """Rows of a split, with a mask of those that failed a check."""

    split: str
    table: pa.Table
    verification: Verification

    def __post_init__(self) -> None:
        self.wrong: Mask = np.zeros(self.table.num_rows, bool)

    def positions_of(self, source: str) -> NDArray[np.int64]:
        """Return the positions of the rows of a source that failed no check so far."""
        return np.flatnonzero(_true(pc.equal(self.table["source"], source)) & ~self.wrong)

    def reject(self, positions: NDArray[np.int64], why: str) -> None:
        """Count rows that fail a check, each only once, and keep the first as examples."""
        new = positions[~self.wrong[positions]]
        self.wrong[new] = True
        self.verification.wrong += len(new)
        room = max(0, _MAX_SHOWN - len(self.verification.examples))
        for row in self.table.take(integer_column(new[:room])).to_pylist():
            self.verification.examples.append({"split": self.split, "why": why, **row})


class _Source(RecordedSource):
    """A recorded source, and how its rows are checked.

    Attributes:
        seconds: CPU time of the last check of its rows.
    """

    def __init__(self, dataset: Dataset, record: SourceRecord, verification: Verification) -> None:
        super().__init__(dataset.manifest, record)
        self.verification, self.seconds = verification, 0.0

    @cached_property
    def has_verifier(self) -> bool:
        """Whether its verifier is installed; a missing one is noted."""
        try:
            load_verifier(self.record.verifier)
        except UnknownNameError:
            verifier = self.record.verifier
            self._note(f"verifier {verifier!r} is not installed, so its answers are not checked")
            return False
        return True

    @cached_property
    def generator(self) -> PlannedSource | None:
        """Source for drawing rows; None, with a note, if it would draw other rows."""
        if isinstance(self.planned, str):
            self._note(f"{self.planned}, so its rows are not regenerated")
            return None
        return self.planned

    def _note(self, text: str) -> None:
        self.verification.unproven.append(f"source {self.record.name!r}: {text}")


def _check_rows(dataset: Dataset, rows: _Rows, sources: dict[str, _Source]) -> None:
    """Run the checks that draw no rows again."""
    optional = {"solution", IMAGE, *dataset.manifest.axes}
    for name in rows.table.schema.names:
        if name not in optional:
            nulls = _true(rows.table[name].is_null())
            rows.reject(np.flatnonzero(nulls), f"{name} is missing")
    for name, axis in dataset.manifest.axes.items():
        outside = ~_inside(rows.table[name], axis)
        rows.reject(np.flatnonzero(outside), f"{name} is out of the range in the manifest")
    known = pa.array([*sources], pa.string())
    unknown = ~_true(pc.is_in(rows.table["source"], value_set=known))
    rows.reject(np.flatnonzero(unknown), "the source is not in the manifest")
    for name in pc.unique(rows.table["source"]).to_pylist():
        if name in sources:
            _check_source(rows, sources[name])


def _check_source(rows: _Rows, source: _Source) -> None:
    record = source.record
    where = rows.positions_of(record.name)
    if not len(where):
        return
    differs = ~_true(pc.equal(rows.table["task"], record.generator))[where]
    rows.reject(where[differs], "the task is not the generator of the source")
    table = rows.table.take(integer_column(where))
    rows.reject(where[_forged(table, record.domain)], "the id is not the key of the derivation")
    if not source.has_verifier:
        source.verification.unchecked += len(where)
        return
    began = thread_time()
    verifier = load_verifier(record.verifier)
    prompts, answers = statements(table), table_column(table, "answer")
    right = verifier.check(prompts, answers, table_column(table, "solution"))
    corrupted = np.zeros(len(where), bool)
    if CORRUPTED in table.schema.names:
        corrupted = _true(table[CORRUPTED])
    rows.reject(where[~right & ~corrupted], "the answer is wrong")
    rows.reject(where[right & corrupted], "the row is right, though it is marked as corrupted")
    if isinstance(verifier, FormattedVerifier):
        rows.reject(where[~verifier.shows(table)], "the axes of its format are not what it shows")
    source.seconds = thread_time() - began


def _forged(table: pa.Table, domain: str) -> Mask:
    """Return the mask of ids that are not the content keys of their rows' derivations."""
    texts, ids = table_column(table, "derivation"), table_column(table, "id")
    reader = StructureReader()
    codes = reader.read(texts)
    keys = derivation_keys(codes, reader.signature, domain)
    forged = ~_true(pc.equal(id_column(keys), ids))
    for i in np.flatnonzero(forged).tolist():
        # The reader renames a symbol that another row uses with other arguments.
        with suppress(ParamError):  # not a tree
            codes, signature = read_derivations([texts[i].as_py()])
            key = id_column(derivation_keys(codes, signature, domain))
            forged[i] = key[0].as_py() != ids[i].as_py()
    return forged


def _inside(column: pa.ChunkedArray, axis: AxisRecord) -> Mask:
    """Return the mask of values that are null, or in the range of an axis."""
    good = _true(column.is_null())
    if axis.values:
        return good | _true(pc.is_in(column, value_set=pa.array(axis.values)))
    inside = ~good
    if axis.low is not None:
        inside &= _true(pc.greater_equal(column, axis.low))
    if axis.high is not None:
        inside &= _true(pc.less_equal(column, axis.high))
    return good | inside


def _true(column: pa.Array | pa.ChunkedArray) -> Mask:
    """Return the mask of true values, bool (n,); nulls count as false."""
    mask: Mask = pc.fill_null(column, fill_value=False).to_numpy(zero_copy_only=False)
    return mask
