"""The audit: every promise of the manifest, counted again from the files alone."""

from __future__ import annotations

import json
import os
from pathlib import Path

import polars as pl

from synthgen.audit.answers import answer_priors
from synthgen.audit.computed import check_computed, check_groups
from synthgen.audit.coverage import dataset_blocks
from synthgen.audit.divergence import divergence_checks
from synthgen.audit.files import RowCounts, check_files, check_hashes, count_rows
from synthgen.audit.findings import Check, Report, SourceSpace, SplitReport
from synthgen.audit.members import check_members, check_unseen, check_variants
from synthgen.audit.metrics import histograms
from synthgen.audit.mixes import mix_coverage
from synthgen.audit.rows import SplitKeys, check_overlaps, check_repeats, check_seen_in, read_keys
from synthgen.audit.rules import check_rules
from synthgen.audit.steering import check_steering
from synthgen.core.contract import SOURCE, Axis
from synthgen.core.errors import DatasetError
from synthgen.dataset.manifest import Manifest, SplitRecord, read_manifest
from synthgen.dataset.reader import Dataset

REPORT_FILE = "audit/report.json"


def audit(folder: Path) -> Report:
    """Audit a dataset folder. Changed or missing files make checks fail; they raise nothing.

    Memory is about 160 bytes a row for identity, and what the different values of axes need.

    Raises:
        DatasetError: if the folder has no sound manifest, so that nothing is promised.
    """
    dataset = Dataset(folder, read_manifest(folder))
    counts, row_checks = count_rows(dataset)
    checks = [*check_files(dataset), check_hashes(dataset), *row_checks]
    listed = [shard.file for split in dataset.manifest.splits for shard in split.shards]
    if len(counts) < len(listed):
        detail = "contents were not looked at, since not every shard can be read"
        return _report(dataset, [*checks, Check("contents", ok=False, detail=detail)])
    try:
        return _audit_contents(dataset, checks, counts)
    except (DatasetError, pl.exceptions.PolarsError) as error:
        reason = str(error).splitlines()[0].replace(f"{folder}/", "")
        return _report(dataset, [*checks, Check("contents", ok=False, detail=reason)])


def write_report(folder: Path, report: Report) -> Path:
    """Write audit/report.json atomically and return its path."""
    path = folder / REPORT_FILE
    path.parent.mkdir(exist_ok=True)
    text = json.dumps(report.to_dict(), sort_keys=True, indent=1, allow_nan=False) + "\n"
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return path


def _audit_contents(dataset: Dataset, checks: list[Check], counts: RowCounts) -> Report:
    """Check rows and rules of shards that can all be read."""
    manifest = dataset.manifest
    keys, splits = [], []
    frames: dict[str, pl.LazyFrame] = {}
    axes = _rule_axes(manifest)
    found = list(checks)
    for split in manifest.splits:
        split_keys = read_keys(split.name, dataset.shard_paths(split.name))
        frame = frames[split.name] = _scan(dataset, split)
        keys.append(split_keys)
        found += [*check_members(dataset, split)]
        found += [*check_repeats(manifest, split, split_keys), *check_rules(split, frame, axes)]
        found += check_steering(dataset, split, frame, axes)
        splits.append(_split_report(dataset, split, counts, split_keys, frame))
    overlaps, overlap_checks = check_overlaps(manifest, keys)
    found += [*overlap_checks, *check_seen_in(manifest, keys), *check_variants(dataset)]
    division, of_division = divergence_checks(dataset)
    found += [*check_unseen(manifest, frames), *of_division]
    found += [*check_computed(dataset), *check_groups(dataset, frames)]
    return Report(
        manifest.name,
        manifest.fingerprint,
        tuple(found),
        tuple(splits),
        tuple(overlaps),
        tuple(SourceSpace(s.name, s.space, s.fewest_problems) for s in manifest.sources),
        mix_coverage(frames),
        dataset_blocks(dataset, division),
    )


def _scan(dataset: Dataset, split: SplitRecord) -> pl.LazyFrame:
    """Return the rows of a split as a lazy frame; one without shards has the schema and no rows."""
    paths = dataset.shard_paths(split.name)
    if not paths:
        empty = pl.from_arrow(dataset.schema.empty_table())
        return pl.DataFrame(empty).lazy()
    return pl.scan_parquet(paths, glob=False, hive_partitioning=False)


def _rule_axes(manifest: Manifest) -> dict[str, Axis]:
    """Return what rules may name: the axes, and the source of a row."""
    axes = {name: record.as_axis() for name, record in manifest.axes.items()}
    sources = tuple(source.name for source in manifest.sources)
    return axes | {SOURCE: Axis("source of the row", values=sources)}


def _split_report(
    dataset: Dataset, split: SplitRecord, counts: RowCounts, keys: SplitKeys, frame: pl.LazyFrame
) -> SplitReport:
    axes = [name for name in dataset.schema.names if name in dataset.manifest.axes]
    return SplitReport(
        name=split.name,
        promised=split.rows,
        rows=sum(counts[shard.file] for shard in split.shards),
        verified=sum(shard.verified for shard in split.shards),
        symbolic=sum(shard.symbolic for shard in split.shards),
        shards=len(split.shards),
        bytes=sum(shard.bytes for shard in split.shards),
        repeated_ids=len(keys.repeated_ids),
        repeated_prompts=len(keys.repeated_prompts),
        axes=tuple(histograms(frame, axes)),
        priors=answer_priors(frame),
    )


def _report(dataset: Dataset, checks: list[Check]) -> Report:
    manifest = dataset.manifest
    return Report(manifest.name, manifest.fingerprint, tuple(checks), (), ())
