"""Checks of identity: repeated problems and prompts, within a split and between two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.errors import DatasetError
from synthgen.coverage.text_words import fast_normalised_keys
from synthgen.dataset.manifest import Manifest, SplitRecord
from synthgen.dataset.reader import Dataset, stream_shard, stream_texts
from synthgen.trees.content_keys import Keys, keys_of_ids, text_keys
from synthgen.trees.key_sets import may_overlap, repeats, shared_keys
from synthgen.verifying.counts import positions_in, positions_not_in
from synthgen.verifying.promises import MAX_EXAMPLES, Check, Example, Overlap

_SHOWN = ("id", "prompt")
_MAX_PAIRS = 1000


@dataclass(frozen=True, slots=True)
class SplitKeys:
    """Keys of the rows of one split, two words each, and the rows that repeat earlier ones.

    Attributes:
        paths: Shards, in row order.
        prompts: Keys of the prompts, equal for texts that differ in spaces or Unicode form only.
        repeated_ids, repeated_prompts: Row numbers, int64.
    """

    name: str
    paths: tuple[Path, ...]
    ids: Keys
    prompts: Keys
    repeated_ids: NDArray[np.int64]
    repeated_prompts: NDArray[np.int64]


def read_keys(name: str, paths: Sequence[Path]) -> SplitKeys:
    """Read ids and prompts of a split once; memory is constant apart from the keys.

    Raises:
        DatasetError: for a corrupt shard, or an id that is not 32 lower-case hexadecimal digits.
    """
    ids, prompts, exact = [_no_keys()], [_no_keys()], [_no_keys()]
    for path in paths:
        for batch in stream_texts(path, _SHOWN):
            ids.append(_id_keys(path, batch.column("id")))
            texts = batch.column("prompt")
            prompts.append(fast_normalised_keys(texts, fold_case=False))
            exact.append(text_keys(texts, "prompt"))
    id_words = np.concatenate(ids)
    return SplitKeys(
        name,
        tuple(paths),
        id_words,
        np.concatenate(prompts),
        repeats(id_words),
        repeats(np.concatenate(exact)),
    )


def check_repeats(manifest: Manifest, split: SplitRecord, keys: SplitKeys) -> list[Check]:
    """Check the declared number of repeated rows, and count repeats of other kinds."""
    checks = []
    promised = f", {split.repeats} promised" if split.repeats else ""
    for kind, what, repeated in (
        ("canonical", "problem", keys.repeated_ids),
        ("prompt", "prompt", keys.repeated_prompts),
    ):
        ok = len(repeated) == split.repeats or manifest.dedup != kind
        rows = () if ok else rows_at(keys.paths, repeated[:MAX_EXAMPLES].tolist())
        detail = f"{len(repeated)} rows repeat a {what}{promised} (dedup = {manifest.dedup})"
        checks.append(Check(f"repeated-{what}s/{keys.name}", ok, detail, rows))
    return checks


def check_overlaps(
    manifest: Manifest, keys: Sequence[SplitKeys]
) -> tuple[list[Overlap], list[Check]]:
    """Check every pair of splits for shared problems or prompts.

    Of very many pairs, those that share nothing are not listed.
    """
    records = {split.name: split for split in manifest.splits}
    ids, prompts = shared_keys([s.ids for s in keys]), shared_keys([s.prompts for s in keys])
    every = comb(len(keys), 2)
    listed = combinations(range(len(keys)), 2) if every <= _MAX_PAIRS else sorted({*ids, *prompts})
    overlaps, checks = [], []
    for pair in listed:
        left, right = (keys[index] for index in pair)
        declared = may_overlap(records[left.name], records[right.name])
        shared = ids.get(pair, 0), prompts.get(pair, 0)
        overlaps.append(Overlap(left.name, right.name, *shared, declared))
        related = _root(records, left.name) == _root(records, right.name)
        checks.append(_overlap_check(overlaps[-1], left, right, related=related))
    if rest := every - len(checks):
        checks.append(Check("overlap", ok=True, detail=f"{rest} pairs of splits share nothing"))
    return overlaps, checks


def _root(records: Mapping[str, SplitRecord], name: str) -> str:
    """Return the split whose problems a split repeats or restates, maybe by way of others."""
    for _ in records:  # a forged manifest may have a circle
        name = records[name].base or name
    return name


def check_seen_in(manifest: Manifest, keys: Sequence[SplitKeys]) -> list[Check]:
    """Check that all problems of a `seen_in` split are in its base split."""
    by_name = {each.name: each for each in keys}
    checks = []
    for split in manifest.splits:
        if split.seen_in is None:
            continue
        mine = by_name[split.name]
        alien, first = positions_not_in(mine.ids, by_name[split.seen_in].ids, MAX_EXAMPLES)
        detail = f"{alien} of {len(mine.ids)} rows are not in {split.seen_in}"
        rows = rows_at(mine.paths, first)
        checks.append(Check(f"seen-in/{split.name}", not alien, detail, rows))
    return checks


def _overlap_check(overlap: Overlap, left: SplitKeys, right: SplitKeys, *, related: bool) -> Check:
    """Check that splits share no problem and, unless one restates the other, no prompt."""
    ok = overlap.declared or not (overlap.ids or (overlap.prompts and not related))
    rows: tuple[Example, ...] = ()
    if not ok:
        mine, others = (left.ids, right.ids) if overlap.ids else (left.prompts, right.prompts)
        rows = rows_at(left.paths, positions_in(mine, others, MAX_EXAMPLES))
    detail = f"{overlap.ids} problems and {overlap.prompts} prompts occur in both"
    if overlap.declared:
        detail += ", as declared"
    return Check(f"overlap/{left.name}+{right.name}", ok, detail, rows)


def rows_at(
    paths: Sequence[Path], positions: Sequence[int], columns: Sequence[str] = _SHOWN
) -> tuple[Example, ...]:
    """Return some columns of the rows with these numbers, counted over all shards."""
    wanted, start = sorted(positions), 0
    rows: list[Example] = []
    for path in paths if wanted else ():
        for batch in stream_shard(path, columns):
            stop = start + batch.num_rows
            inside = [position - start for position in wanted if start <= position < stop]
            rows += batch.take(inside).to_pylist() if inside else []
            start = stop
    return tuple(rows)


def scan_rows(dataset: Dataset, paths: Sequence[Path]) -> pl.LazyFrame:
    """Return the rows of some shards as a lazy frame, which is empty if there are none.

    Statistics of the files are not used, as a forger may have written them.
    """
    if not paths:
        return pl.DataFrame(pl.from_arrow(dataset.schema.empty_table())).lazy()
    return pl.scan_parquet(list(paths), glob=False, hive_partitioning=False, use_statistics=False)


def _id_keys(path: Path, ids: pa.StringArray) -> Keys:
    """Return the keys of ids, which must have the form that a build writes."""
    column = pl.Series(ids)
    if not column.str.contains("^[0-9a-f]{32}$").fill_null(value=False).all():
        msg = f"{path}: column 'id': expected 32 lower-case hexadecimal digits in every row"
        raise DatasetError(msg)
    return keys_of_ids(ids)


def _no_keys() -> Keys:
    return np.zeros((0, 2), np.uint64)
