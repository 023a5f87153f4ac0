"""The sides of a dataset of ours, and what its manifest declares them to be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import pyarrow as pa

from synthgen.audit.coverage_reading import AxisNames
from synthgen.audit.coverage_sides import Declared, Side, Sides
from synthgen.core.contract import SOURCE, Axis
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.core.overlap import may_overlap
from synthgen.core.rules import names_in
from synthgen.dataset.manifest import Manifest, SplitRecord
from synthgen.dataset.reader import Dataset, shard_rows, stream_shard

_RESULTS = frozenset(
    "name rows candidates duplicates cells shards overlap cap repeats measured covers order".split()
)
"""Fields of a split that tell what came out, or that change no distribution of problems."""


def sides_of(dataset: Dataset) -> Sides:
    """Return the splits of a dataset, the first being train."""
    first, *others = dataset.manifest.splits
    train = _side(dataset, first, Declared())
    tests = tuple(_side(dataset, each, _declared(dataset.manifest, first, each)) for each in others)
    # Problems of ours may differ by case alone, as where letters are symbols.
    return Sides(train, tests, fold_case=False)


def axis_names(manifest: Manifest) -> AxisNames:
    """Return the axes in the order of the columns, those that rules name being the first."""
    names = [column.name for column in manifest.columns if column.name in manifest.axes]
    named = {name for split in manifest.splits for name in _names(manifest, split)}
    declared = {name: record.values for name, record in manifest.axes.items()}
    return AxisNames(names, [name for name in names if name in named], declared)


def _side(dataset: Dataset, split: SplitRecord, declared: Declared) -> Side:
    paths = dataset.shard_paths(split.name)
    rows = sum(shard_rows(path, dataset.schema) for path in paths)
    columns = frozenset(dataset.schema.names)
    return Side(split.name, rows, columns, partial(_batches, paths), declared)


def _batches(paths: Sequence[Path], columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Stream columns of shards as they are, also where they break promises of the manifest."""
    for path in paths:
        yield from stream_shard(path, columns)


def _declared(manifest: Manifest, train: SplitRecord, split: SplitRecord) -> Declared:
    divergence = manifest.divergence
    divided = divergence is not None and (
        train.name in divergence.train and split.name in divergence.test
    )
    unseen = divergence is not None and divided and divergence.unseen_atoms > 0
    return Declared(
        shares=may_overlap(train, split),
        rule=divided or _rule(train) != _rule(split),
        atoms=split.unseen is not None or unseen or _of_other_sources(manifest, train, split),
        divided=divided,
        held=_by_structures(manifest, train, split),
    )


def _by_structures(manifest: Manifest, train: SplitRecord, split: SplitRecord) -> bool:
    """Say whether the rules of two splits look at structures of derivations alone."""
    names = {*_names(manifest, train), *_names(manifest, split)}
    computed = {record.name for record in manifest.computed if record.structures}
    return bool(names) and names <= computed


def _rule(split: SplitRecord) -> dict[str, object]:
    """Return what decides which problems a split has."""
    return {name: value for name, value in asdict(split).items() if name not in _RESULTS}


def _of_other_sources(manifest: Manifest, train: SplitRecord, split: SplitRecord) -> bool:
    """Say whether a rule on sources makes the problems of a split those of another family."""
    named = {*_names(manifest, train), *_names(manifest, split)}
    return split.variant is not None or (len(manifest.sources) > 1 and SOURCE in named)


def _names(manifest: Manifest, split: SplitRecord) -> list[str]:
    """Return the axes that a split's rules name; none of a rule that cannot be read."""
    axes = {name: record.as_axis() for name, record in manifest.axes.items()}
    axes[SOURCE] = Axis("source of the row", values=tuple(s.name for s in manifest.sources))
    rules = [rule for rule in (split.where, *(part.where for part in split.parts)) if rule]
    if split.cap and split.cap.where:
        rules.append(split.cap.where)
    found = [*split.balance, *(split.unseen.axes if split.unseen else ())]
    found += [measure.axis for measure in split.measured]
    found += [split.cap.axis] if split.cap else []
    for rule in rules:
        try:
            found += names_in(rule, axes)
        except (ParamError, UnknownNameError):
            continue
    return found
