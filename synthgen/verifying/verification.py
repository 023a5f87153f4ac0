"""VERIFY: check the files of a dataset, every row, and regenerate a sample of the rows."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.contract.interfaces import valid_ones
from synthgen.contract.registry import load_verifier
from synthgen.core.columns import integer_column, integer_values, table_column
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.core.shown import Shown
from synthgen.coverage.structure_reader import StructureReader
from synthgen.coverage.templates import TemplateReader
from synthgen.dataset.layout import file_faults
from synthgen.dataset.manifest import AxisRecord, SourceRecord, membership_file
from synthgen.dataset.places import local_folder
from synthgen.dataset.reader import NO_DATA, Dataset, open_dataset
from synthgen.draws.randomness import Rows
from synthgen.engine.make.recorded import recorded_source, with_data
from synthgen.engine.make.rows import render_table
from synthgen.engine.plan.sources import PlannedSource
from synthgen.formats.read_back import FormattedVerifier
from synthgen.trees.content_keys import derivation_keys, id_column
from synthgen.trees.derivations import read_derivations
from synthgen.verifying.membership_checks import count_faults, membership_findings

_MAX_SHOWN = 10
_BATCH_ROWS = 50_000

Mask = NDArray[np.bool_]


@dataclass(repr=False)
class Verification(Shown):
    """Result of a verification.

    Attributes:
        rows: Number of rows that were read and checked.
        rebuilt: Number of rows regenerated from their addresses.
        unchecked: Number of rows whose verifier is not installed, so no answer was checked.
        wrong: Number of rows that failed a check.
        examples: First of these rows, with the first check that each failed.
        files: Files that are missing, added, changed or at odds with others, with the reason.
        notes: Reasons why something could not be checked.
    """

    rows: int = 0
    rebuilt: int = 0
    unchecked: int = 0
    wrong: int = 0
    examples: list[dict[str, Any]] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether the answers of all rows were checked, no row failed, and no file differs."""
        return not (self.wrong or self.unchecked or self.files)

    def __repr__(self) -> str:
        verdict = "ok" if self.ok else "failed"
        return (
            f"<{verdict}: {self.rows:,} rows checked, {self.rebuilt:,} regenerated; "
            f"{self.wrong:,} wrong, {self.unchecked:,} unchecked, {len(self.files):,} files differ>"
        )


def verify(folder: str | Path, rebuild: int, report: Callable[[int], None]) -> Verification:
    """Check the files, the membership and every row of a dataset.

    Every answer is checked by its verifier, every id against the derivation, and every axis against
    its range. Regenerated rows must be equal in all columns. Rows must be where the recorded
    selection and the recipe put them.

    Args:
        folder: Folder of the dataset, or a URL, from which the files are copied first.
        rebuild: Number of rows of each split to regenerate from their addresses and compare.
        report: Callback that gets the number of rows checked so far.

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
        if not dataset.manifest.has_data:
            verification.notes.append(NO_DATA)
        with with_data(dataset) as whole:
            _check_dataset(whole, verification, rebuild, report)
            if whole is not dataset:  # its rows were in temporary files: name the stored ones
                for split in whole.manifest.splits:
                    made, stored = split.shards[0].file, membership_file(split.name)
                    verification.files = [line.replace(made, stored) for line in verification.files]
    return verification


def _check_dataset(
    dataset: Dataset,
    verification: Verification,
    rebuild: int,
    report: Callable[[int], None],
) -> None:
    """Check all rows and their membership, and add the findings to those of the files."""
    records = dataset.manifest.sources
    sources = {record.name: _Source(dataset, record, verification) for record in records}
    for split in dataset.splits:
        total, start = dataset.rows(split), 0
        wanted = np.unique(np.linspace(0, max(0, total - 1), min(rebuild, total)).astype(np.int64))
        sample = [dataset.schema.empty_table()]
        for batch in dataset.batches(split, batch_rows=_BATCH_ROWS):
            rows = _Rows(split, pa.Table.from_batches([batch]), verification)
            _check_rows(dataset, rows, sources)
            inside = wanted[(wanted >= start) & (wanted < start + batch.num_rows)] - start
            sample.append(rows.table.take(integer_column(inside[~rows.wrong[inside]])))
            start += batch.num_rows
            verification.rows += batch.num_rows
            report(verification.rows)
        drawn = _Rows(split, pa.concat_tables(sample).combine_chunks(), verification)
        _rebuild(dataset, drawn, sources)
    proven = membership_findings(dataset, TemplateReader)
    faults_of_rows = [*count_faults(dataset.manifest), *(f.detail for f in proven if not f.ok)]
    verification.files += [fault for fault in faults_of_rows if fault not in verification.files]


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


@dataclass
class _Source:
    """A recorded source; its verifier and generator are loaded when its first row needs them."""

    dataset: Dataset
    record: SourceRecord
    verification: Verification

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

    def _note(self, text: str) -> None:
        self.verification.notes.append(f"source {self.record.name!r}: {text}")

    @cached_property
    def planned(self) -> PlannedSource | None:
        """Source for drawing rows; None, with a note, if it would draw other rows."""
        source = recorded_source(self.dataset.manifest, self.record)
        if isinstance(source, str):
            self._note(f"{source}, so its rows are not regenerated")
            return None
        return source


def _check_rows(dataset: Dataset, rows: _Rows, sources: dict[str, _Source]) -> None:
    """Run the checks that draw no rows again."""
    optional = {"solution", *dataset.manifest.axes}
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
    verifier = load_verifier(record.verifier)
    prompts, answers = table_column(table, "prompt"), table_column(table, "answer")
    right = verifier.check(prompts, answers, table_column(table, "solution"))
    rows.reject(where[~right], "the answer is wrong")
    if isinstance(verifier, FormattedVerifier):
        rows.reject(where[~verifier.shows(table)], "the axes of its format are not what it shows")


def _rebuild(dataset: Dataset, rows: _Rows, sources: dict[str, _Source]) -> None:
    """Draw rows again from their addresses, and compare every column."""
    axes = {name: axis.as_axis() for name, axis in dataset.manifest.axes.items()}
    for name in pc.unique(rows.table["source"]).to_pylist():
        source, where = sources[name], rows.positions_of(name)
        if source.planned is None:
            continue
        source.verification.rebuilt += len(where)
        stored = rows.table.take(integer_column(where))
        addresses = integer_values(table_column(stored, "address"))
        space = source.planned.generator.space
        exists = np.full(len(where), True) if space is None else addresses < space
        problems = source.planned.generator.draw(Rows(source.planned.stream, addresses[exists]))
        exists[exists] = problems.valid
        rows.reject(where[~exists], "the address gives no row")
        made = render_table(source.planned, valid_ones(problems), axes)
        made = made.select(stored.schema.names).cast(stored.schema)
        stored, where = stored.take(integer_column(np.flatnonzero(exists))), where[exists]
        for column in stored.schema.names:
            pairs = zip(stored[column].to_pylist(), made[column].to_pylist(), strict=True)
            differs = np.array([old != new for old, new in pairs], bool)
            rows.reject(where[differs], f"the address gives another row: {column} differs")


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
