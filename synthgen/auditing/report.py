"""The audit: recompute every promise of the manifest from the files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from synthgen.auditing.blocks import FLAG
from synthgen.auditing.coverage_blocks import dataset_blocks
from synthgen.auditing.findings import (
    MAX_ROWS,
    MAX_TASKS,
    STORED,
    Report,
    SourceSpace,
    SplitReport,
)
from synthgen.auditing.shortcuts_block import KEY as SHORTCUTS
from synthgen.auditing.skill_mixes import mix_coverage
from synthgen.auditing.tallies import answer_priors, histograms, task_levels
from synthgen.core.errors import DatasetError, OutputError
from synthgen.core.files import replace_text
from synthgen.core.images import IMAGE, as_text
from synthgen.coverage.best_shortcuts import MAX_SHARE
from synthgen.dataset.manifest import Manifest, SplitRecord, read_manifest
from synthgen.dataset.places import Place
from synthgen.dataset.reader import NO_DATA, Dataset
from synthgen.verifying.dataset_checks import RowCounts, check_contents, check_files, count_rows
from synthgen.verifying.promises import Check, Example
from synthgen.verifying.record_checks import check_records
from synthgen.verifying.row_checks import SplitKeys

REPORT_FILE = "audit/report.json"


def audit(
    folder: Path,
    max_shortcut: float | None = None,
    rows: Dataset | None = None,
    *,
    measured: bool = True,
) -> Report:
    """Audit a dataset folder. Changed or missing files fail checks instead of raising.

    Memory is about 160 bytes a row for identity, plus the distinct values of axes.

    Args:
        folder: Folder of the dataset.
        max_shortcut: Largest share of a split that a shortcut may get right; the recipe's if None.
        rows: Dataset with made rows, if it stores none.
        measured: Whether to measure the blocks; without it they are measured only if a check
            needs them.

    Raises:
        DatasetError: if the folder has no valid manifest, or a shard cannot be opened.
    """
    stored = Dataset(Place.from_path(folder), read_manifest(folder))
    dataset = rows or stored
    counts, row_checks = count_rows(dataset)
    records = check_records(stored)
    checks = [*check_files(stored), *row_checks, *records.checks]
    checks += [Check("records", ok=True, detail=f"not proven: {x}") for x in records.unproven]
    if not stored.manifest.has_data:
        checks.append(Check(STORED, ok=True, detail=NO_DATA))
    reason = "contents not checked, because some shards are unreadable"
    try:
        if len(counts) == sum(len(split.shards) for split in dataset.manifest.splits):
            return _audit_contents(dataset, checks, counts, max_shortcut, measured=measured)
    except (DatasetError, pl.exceptions.PolarsError) as error:
        reason = str(error).splitlines()[0].replace(f"{folder}/", "")
    manifest = dataset.manifest
    failed = Check("contents", ok=False, detail=reason)
    return Report(manifest.name, manifest.fingerprint, (*checks, failed), (), ())


def write_report(folder: Path, report: Report) -> Path:
    """Write audit/report.json atomically and return its path.

    Raises:
        OutputError: if the file cannot be written, or its folder is a symlink, which may lead
            out of the dataset.
    """
    path = folder / REPORT_FILE
    if path.parent.is_symlink():
        msg = f"cannot write {path}: {path.parent.name} is a symlink"
        raise OutputError(msg)
    text = json.dumps(report.to_dict(), sort_keys=True, indent=1, allow_nan=False) + "\n"
    return replace_text(path, text)


def _audit_contents(
    dataset: Dataset,
    checks: list[Check],
    counts: RowCounts,
    max_shortcut: float | None,
    *,
    measured: bool,
) -> Report:
    """Check rows and rules; all shards must be readable."""
    manifest = dataset.manifest
    contents = check_contents(dataset)
    results = [*checks, *contents.checks]
    splits = [
        _split_report(dataset, split, counts, keys, contents.frames[split.name])
        for split, keys in zip(manifest.splits, contents.keys, strict=True)
    ]
    limit, fails = shortcut_limit(manifest)
    limit = limit if max_shortcut is None else max_shortcut
    blocks = dataset_blocks(dataset, contents.division, limit) if measured or fails else ()
    if fails:
        (block,) = (block for block in blocks if block.key == SHORTCUTS)
        results.append(Check(SHORTCUTS, block.verdict != FLAG, block.text))
    return Report(
        manifest.name,
        manifest.fingerprint,
        tuple(results),
        tuple(splits),
        contents.overlaps,
        tuple(SourceSpace(s.name, s.space, s.fewest_problems) for s in manifest.sources),
        mix_coverage(contents.frames),
        blocks,
        task_levels(contents.frames),
    )


def shortcut_limit(manifest: Manifest) -> tuple[float, bool]:
    """Return the recipe's largest share of a shortcut, and whether more fails the audit.

    Raises:
        DatasetError: if the manifest has other values there.
    """
    table = manifest.recipe.get("audit", {})
    if isinstance(table, Mapping):
        limit, action = table.get("max_shortcut", MAX_SHARE), table.get("shortcut", "flag")
        is_number = isinstance(limit, int | float) and not isinstance(limit, bool)
        if is_number and 0 <= limit <= 1 and action in ("flag", "fail"):
            return float(limit), action == "fail"
    msg = f"manifest.json: recipe.audit={table!r}: expected max_shortcut and shortcut"
    raise DatasetError(msg)


def _split_report(
    dataset: Dataset, split: SplitRecord, counts: RowCounts, keys: SplitKeys, frame: pl.LazyFrame
) -> SplitReport:
    axes = [name for name in dataset.schema.names if name in dataset.manifest.axes]
    return SplitReport(
        name=split.name,
        promised=split.rows,
        rows=sum(counts[shard.file] for shard in split.shards),
        verified=sum(shard.verified for shard in split.shards),
        shards=len(split.shards),
        bytes=sum(shard.bytes for shard in split.shards),
        repeated_ids=len(keys.repeated_ids),
        repeated_prompts=len(keys.repeated_prompts),
        axes=tuple(histograms(frame, axes)),
        priors=answer_priors(frame),
        rule=_rule(split),
        examples=_examples(frame),
    )


def _examples(frame: pl.LazyFrame) -> tuple[Example, ...]:
    """Return the first rows of a split, or the first row of some of its tasks."""
    columns = ("task", "prompt", *[IMAGE] * (IMAGE in frame.collect_schema()), "answer")
    tasks = frame.select(pl.col("task").drop_nulls().unique().sort()).collect()["task"]
    if len(tasks) < 2:
        return tuple(map(as_text, frame.select(columns[1:]).head(MAX_ROWS).collect().to_dicts()))
    chosen = tasks.gather_every(-(-len(tasks) // MAX_TASKS))
    some = frame.select(columns).filter(pl.col("task").is_in(chosen.implode()))
    firsts = some.unique("task", keep="first").sort("task").collect()
    return tuple(map(as_text, firsts.to_dicts()))


def _rule(split: SplitRecord) -> str:
    """Return the rule that determines the problems of a split."""
    named = {
        "rows of": split.variant.of if split.variant else None,
        "listed in": split.members.file if split.members else None,
        "part of": split.seen_in,
        "": split.where or " or ".join(part.where for part in split.parts),
    }
    return "; ".join(f"{what} {value}".strip() for what, value in named.items() if value) or "any"
