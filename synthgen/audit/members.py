"""Checks of rows that something else names: a published list, or the split they tell again."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import zip_longest

import polars as pl

from synthgen.audit.findings import Check
from synthgen.dataset.manifest import Manifest, SplitRecord
from synthgen.dataset.reader import Dataset, stream_shard


def check_members(dataset: Dataset, split: SplitRecord) -> list[Check]:
    """Check that the prompts of a split are the published list, where the files can show it."""
    members = split.members
    if members is None:
        return []
    name = f"members/{split.name}"
    listed = f"{members.lines} prompts of {members.file}"
    if split.rows < members.lines:
        return [Check(name, ok=True, detail=f"{split.rows} rows cannot be compared with {listed}")]
    prompts: list[bytes] = []
    bare = True
    for path in dataset.shard_paths(split.name):
        for batch in stream_shard(path, ("prompt", "template")):
            prompts += [prompt.encode() for prompt in batch.column("prompt").to_pylist()]
            bare &= set(batch.column("template").to_pylist()) <= {"bare"}
    if not bare:
        return [Check(name, ok=True, detail=f"instructions cannot be compared with {listed}")]
    found = hashlib.sha256(b"\n".join(sorted(prompts))).hexdigest()
    ok = found == members.sha256
    return [Check(name, ok, f"{len(prompts)} prompts {'are' if ok else 'are not'} the {listed}")]


def check_variants(dataset: Dataset) -> list[Check]:
    """Check row by row that variants stand beside the rows that they tell again."""
    checks = []
    for split in dataset.manifest.splits:
        if split.variant is None:
            continue
        mine = _addresses(dataset, split.name)
        others = _addresses(dataset, split.variant.of)
        wrong = sum(
            one is None or other is None or one[1] != other[1] or one[0] != split.variant.source
            for one, other in zip_longest(mine, others)
        )
        detail = f"{wrong} rows are not what row for row {split.variant.of} is"
        checks.append(Check(f"variant/{split.name}", not wrong, detail))
    return checks


def check_unseen(manifest: Manifest, frames: Mapping[str, pl.LazyFrame]) -> list[Check]:
    """Check that values which a split must not share are in none of the other's axes."""
    checks = []
    for split in manifest.splits:
        if split.unseen is None:
            continue
        seen, mine = (_values(frames[n], split.unseen.axes) for n in (split.unseen.of, split.name))
        shared = mine.join(seen, on="value", how="semi").height
        detail = f"{shared} values of {', '.join(split.unseen.axes)} are in {split.unseen.of}, too"
        checks.append(Check(f"unseen/{split.name}", not shared, detail))
    return checks


def _values(frame: pl.LazyFrame, axes: Sequence[str]) -> pl.DataFrame:
    """Return the different values of some integer axes together."""
    columns = [frame.select(pl.col(name).cast(pl.Int64).alias("value")) for name in axes]
    return pl.concat(columns).drop_nulls().unique().collect(engine="streaming")


def _addresses(dataset: Dataset, split: str) -> list[tuple[str, int]]:
    """Return source and address of every row of a split."""
    rows: list[tuple[str, int]] = []
    for path in dataset.shard_paths(split):
        for batch in stream_shard(path, ("source", "address")):
            columns = (batch.column(name).to_pylist() for name in ("source", "address"))
            rows += zip(*columns, strict=True)
    return rows
