"""The audit: recompute every promise of the manifest from the files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from synthgen.auditing.blocks import FLAG
from synthgen.auditing.computed_checks import check_computed, check_groups
from synthgen.auditing.coverage_blocks import dataset_blocks
from synthgen.auditing.divergence_checks import divergence_checks
from synthgen.auditing.findings import MAX_ROWS, STORED, Check, Report, SourceSpace, SplitReport
from synthgen.auditing.row_checks import (
    SplitKeys,
    check_overlaps,
    check_repeats,
    check_seen_in,
    read_keys,
    scan_rows,
)
from synthgen.auditing.rule_checks import check_rules
from synthgen.auditing.shortcuts_block import KEY as SHORTCUTS
from synthgen.auditing.skill_mixes import mix_coverage
from synthgen.auditing.steering_checks import check_steering
from synthgen.auditing.tallies import answer_priors, histograms
from synthgen.auditing.wording import listed
from synthgen.core.errors import DatasetError, OutputError
from synthgen.core.files import replace_text
from synthgen.coverage.best_shortcuts import MAX_SHARE
from synthgen.coverage.templates import TemplateReader
from synthgen.dataset.layout import file_faults
from synthgen.dataset.manifest import Manifest, SplitRecord, read_manifest
from synthgen.dataset.places import Place
from synthgen.dataset.reader import NO_DATA, Dataset, shard_rows, stream_shard
from synthgen.verifying.membership_checks import membership_findings


def check_members(dataset: Dataset, split: SplitRecord) -> list[Check]:
    """Check that the prompts of a split are the published list, if the files allow it."""
    members = split.members
    if members is None:
        return []
    name = f"members/{split.name}"
    listed = f"{members.lines} prompts of {members.file}"
    if split.rows < members.lines:
        return [Check(name, ok=True, detail=f"not comparable: {split.rows} rows, {listed}")]
    prompts: list[bytes] = []
    bare = True
    for path in dataset.shard_paths(split.name):
        for batch in stream_shard(path, ("prompt", "template")):
            prompts += [prompt.encode() for prompt in batch.column("prompt").to_pylist()]
            bare &= set(batch.column("template").to_pylist()) <= {"bare"}
    if not bare:
        return [Check(name, ok=True, detail=f"not comparable: prompts with instructions, {listed}")]
    digest = hashlib.sha256(b"\n".join(sorted(prompts))).hexdigest()
    ok = digest == members.sha256
    match = "match" if ok else "do not match"
    return [Check(name, ok, f"{len(prompts)} prompts {match} the {listed}")]


def check_unseen(manifest: Manifest, frames: Mapping[str, pl.LazyFrame]) -> list[Check]:
    """Check that no value declared unseen occurs in the axes of the other split."""
    checks = []
    for split in manifest.splits:
        if split.unseen is None:
            continue
        seen, mine = (_values(frames[n], split.unseen.axes) for n in (split.unseen.of, split.name))
        shared = mine.join(seen, on="value", how="semi").height
        names = ", ".join(split.unseen.axes)
        detail = f"{shared} values of {names} also occur in {split.unseen.of}"
        checks.append(Check(f"unseen/{split.name}", not shared, detail))
    return checks


def _values(frame: pl.LazyFrame, axes: Sequence[str]) -> pl.DataFrame:
    """Return the distinct values of some integer axes combined."""
    columns = [frame.select(pl.col(name).cast(pl.Int64).alias("value")) for name in axes]
    return pl.concat(columns).drop_nulls().unique().collect(engine="streaming")


RowCounts = dict[str, int]


def check_files(dataset: Dataset) -> list[Check]:
    """Check that the folder has exactly the files that the manifest lists, all unchanged."""
    faults = file_faults(dataset.folder, dataset.manifest)
    whole = f"{len(dataset.manifest.listed)} files found"
    return [
        Check(name, not files, _file_list([*files], what, otherwise))
        for name, files, what, otherwise in (
            ("files", faults.missing, "missing", whole),
            ("stray", faults.added, "not in the manifest", "no other file"),
            ("hashes", faults.changed, "changed", "every file is unchanged"),
        )
    ]


def count_rows(dataset: Dataset) -> tuple[RowCounts, list[Check]]:
    """Count the rows of every shard; unreadable shards have no count.

    Returns:
        Rows of each readable shard by file, and the checks of readability and counts.
    """
    counts: RowCounts = {}
    faults = []
    for split in dataset.manifest.splits:
        for shard in split.shards:
            try:
                counts[shard.file] = shard_rows(dataset.folder / shard.file, dataset.schema)
            except DatasetError as error:
                faults.append(str(error).replace(f"{dataset.folder}/", ""))
    detail = _file_list(faults, "", "every shard has the promised schema")
    return counts, [Check("schema", not faults, detail), *_compare_counts(dataset, counts)]


def _compare_counts(dataset: Dataset, counts: RowCounts) -> list[Check]:
    """Compare the row counts with the promises for shards, splits and totals."""
    checks = []
    for split in dataset.manifest.splits:
        rows = sum(counts.get(shard.file, 0) for shard in split.shards)
        wrong = [shard.file for shard in split.shards if counts.get(shard.file) != shard.rows]
        verified = sum(shard.verified for shard in split.shards)
        whole = verified == rows and all(s.verified == s.rows for s in split.shards)
        detail = f"{rows} rows, promised {split.rows}"
        detail += f"; wrong size: {listed(wrong)}" if wrong else ""
        checks += [
            Check(f"rows/{split.name}", rows == split.rows and not wrong, detail),
            Check(f"verified/{split.name}", whole, f"{verified} of {rows} rows verified"),
        ]
    shards = [shard for split in dataset.manifest.splits for shard in split.shards]
    rows, verified = sum(counts.values()), sum(shard.verified for shard in shards)
    totals = dataset.manifest.totals
    detail = f"{rows} rows, {verified} verified; promised {totals.rows} and {totals.verified}"
    return [*checks, Check("totals", (totals.rows, totals.verified) == (rows, verified), detail)]


def _file_list(faults: list[str], what: str, otherwise: str) -> str:
    """List the first faulty files by name, or return `otherwise` if there are none."""
    return f"{what} {listed(faults)}".strip() if faults else otherwise


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
    checks = [*check_files(stored), *row_checks]
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
    keys, splits = [], []
    frames: dict[str, pl.LazyFrame] = {}
    axes = manifest.rule_axes
    results = list(checks)
    for split in manifest.splits:
        split_keys = read_keys(split.name, dataset.shard_paths(split.name))
        frame = frames[split.name] = scan_rows(dataset, dataset.shard_paths(split.name))
        keys.append(split_keys)
        results += [*check_members(dataset, split)]
        results += [*check_repeats(manifest, split, split_keys), *check_rules(split, frame, axes)]
        results += check_steering(dataset, split, frame, axes)
        splits.append(_split_report(dataset, split, counts, split_keys, frame))
    overlaps, overlap_checks = check_overlaps(manifest, keys)
    results += [*overlap_checks, *check_seen_in(manifest, keys)]
    division, of_division = divergence_checks(dataset)
    results += [*check_unseen(manifest, frames), *of_division]
    results += [*check_computed(dataset), *check_groups(dataset, frames)]
    proven = membership_findings(dataset, TemplateReader)
    results += [Check(finding.name, finding.ok, finding.detail) for finding in proven]
    limit, fails = shortcut_limit(manifest)
    limit = limit if max_shortcut is None else max_shortcut
    blocks = dataset_blocks(dataset, division, limit) if measured or fails else ()
    if fails:
        (block,) = (block for block in blocks if block.key == SHORTCUTS)
        results.append(Check(SHORTCUTS, block.verdict != FLAG, block.text))
    return Report(
        manifest.name,
        manifest.fingerprint,
        tuple(results),
        tuple(splits),
        tuple(overlaps),
        tuple(SourceSpace(s.name, s.space, s.fewest_problems) for s in manifest.sources),
        mix_coverage(frames),
        blocks,
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
        examples=tuple(frame.select("prompt", "answer").head(MAX_ROWS).collect().to_dicts()),
    )


def _rule(split: SplitRecord) -> str:
    """Return the rule that determines the problems of a split."""
    named = {
        "rows of": split.variant.of if split.variant else None,
        "listed in": split.members.file if split.members else None,
        "part of": split.seen_in,
        "": split.where or " or ".join(part.where for part in split.parts),
    }
    return "; ".join(f"{what} {value}".strip() for what, value in named.items() if value) or "any"
