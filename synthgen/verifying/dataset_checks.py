"""Checks of the files of a dataset against its manifest, for audits and verifications."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from synthgen.core.errors import DatasetError
from synthgen.core.printing import listed
from synthgen.coverage.templates import TemplateReader
from synthgen.dataset.layout import file_faults
from synthgen.dataset.manifest import Manifest, SplitRecord
from synthgen.dataset.reader import Dataset, footer_faults, shard_rows, stream_shard
from synthgen.dataset.row_schema import CORRUPTED
from synthgen.engine.make.noise import is_corrupted
from synthgen.verifying.computed_checks import check_computed, check_groups
from synthgen.verifying.divergence_checks import DivisionDivergences, divergence_checks
from synthgen.verifying.membership_checks import membership_checks
from synthgen.verifying.promises import Check, Overlap
from synthgen.verifying.row_checks import (
    SplitKeys,
    check_overlaps,
    check_repeats,
    check_seen_in,
    read_keys,
    scan_rows,
)
from synthgen.verifying.rule_checks import check_rules
from synthgen.verifying.steering_checks import check_steering
from synthgen.verifying.target_checks import check_targets

RowCounts = dict[str, int]


@dataclass(frozen=True)
class Contents:
    """Checks of all rows, and what they have read.

    Attributes:
        keys: Keys of the rows of each split.
        frames: Rows of each split, by name.
        overlaps: Problems that pairs of splits share.
        division: Divergences of a division, if there is one.
    """

    checks: tuple[Check, ...]
    keys: tuple[SplitKeys, ...]
    frames: Mapping[str, pl.LazyFrame]
    overlaps: tuple[Overlap, ...]
    division: DivisionDivergences | None


def check_contents(dataset: Dataset) -> Contents:
    """Check rules, identity, axes and membership of all rows; all shards must be readable.

    Memory is about 160 bytes a row for identity.

    Raises:
        DatasetError: if a column cannot be read.
    """
    manifest = dataset.manifest
    keys: list[SplitKeys] = []
    frames: dict[str, pl.LazyFrame] = {}
    checks: list[Check] = []
    axes = manifest.rule_axes
    for split in manifest.splits:
        split_keys = read_keys(split.name, dataset.shard_paths(split.name))
        frame = frames[split.name] = scan_rows(dataset, dataset.shard_paths(split.name))
        keys.append(split_keys)
        checks += [*check_members(dataset, split), *check_noise(dataset, split)]
        checks += [*check_repeats(manifest, split, split_keys), *check_rules(split, frame, axes)]
        checks += check_steering(dataset, split, frame, axes)
        checks += check_targets(split, frame, axes)
    overlaps, overlap_checks = check_overlaps(manifest, keys)
    checks += [*overlap_checks, *check_seen_in(manifest, keys)]
    division, of_division = divergence_checks(dataset)
    checks += [*check_unseen(manifest, frames), *of_division]
    checks += [*check_computed(dataset), *check_groups(dataset, frames)]
    checks += membership_checks(dataset, TemplateReader)
    return Contents(tuple(checks), tuple(keys), frames, tuple(overlaps), division)


def check_members(dataset: Dataset, split: SplitRecord) -> list[Check]:
    """Check that the prompts of a split are the published list, if the files allow it."""
    members = split.members
    if members is None:
        return []
    name = f"members/{split.name}"
    named = f"{members.lines} prompts of {members.file}"
    if split.rows < members.lines:
        return [Check(name, ok=True, detail=f"not comparable: {split.rows} rows, {named}")]
    prompts: list[bytes] = []
    bare = True
    for path in dataset.shard_paths(split.name):
        for batch in stream_shard(path, ("prompt", "template")):
            prompts += [prompt.encode() for prompt in batch.column("prompt").to_pylist()]
            bare &= set(batch.column("template").to_pylist()) <= {"bare"}
    if not bare:
        return [Check(name, ok=True, detail=f"not comparable: prompts with instructions, {named}")]
    digest = hashlib.sha256(b"\n".join(sorted(prompts))).hexdigest()
    ok = digest == members.sha256
    match = "match" if ok else "do not match"
    return [Check(name, ok, f"{len(prompts)} prompts {match} the {named}")]


def check_noise(dataset: Dataset, split: SplitRecord) -> list[Check]:
    """Check that the rows marked as corrupted are those that their addresses choose."""
    noise = split.noise
    if noise is None:
        return []
    streams = {source.name: int(source.stream, 16) for source in dataset.manifest.sources}
    marked = wrong = rows = 0
    for path in dataset.shard_paths(split.name):
        for batch in stream_shard(path, ("source", "address", CORRUPTED)):
            table = pl.DataFrame(pl.from_arrow(batch)).with_columns(pl.col("source").cast(str))
            rows += table.height
            for (name,), part in table.group_by("source"):
                is_marked = part[CORRUPTED].fill_null(value=False).to_numpy()
                stream = streams.get(str(name), 0)
                chosen = is_corrupted(noise, stream, part["address"].to_numpy())
                marked += int(is_marked.sum())
                wrong += int((is_marked != chosen).sum())
    ok = not wrong and marked == noise.rows
    detail = f"{marked} of {rows} rows are wrong on purpose ({noise.kind}), "
    detail += f"promised {noise.rows}, at a probability of {noise.share:g}"
    detail += f"; {wrong} rows are marked falsely" if wrong else ""
    return [Check(f"noise/{split.name}", ok, detail)]


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
            path = dataset.folder / shard.file
            try:
                counts[shard.file] = shard_rows(path, dataset.schema)
                if false := footer_faults(path):
                    faults.append(f"{shard.file}: its footer has false {listed(false)}")
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
