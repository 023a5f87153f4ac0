"""VERIFY: read the rows of a dataset, check each answer, and regenerate some rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from synthgen.core.columns import table_column
from synthgen.core.content import keys_of_ids
from synthgen.core.contract import Render
from synthgen.core.errors import DatasetError, SynthgenError
from synthgen.core.registry import generator_class, load_verifier
from synthgen.dataset.manifest import Manifest, SourceRecord
from synthgen.dataset.membership import Membership
from synthgen.dataset.reader import Dataset, open_dataset
from synthgen.engine.materialise import make_rows
from synthgen.engine.plan import PlannedSource
from synthgen.engine.sample import stratified_sample

_MOST_SHOWN = 10
_BATCH_ROWS = 50_000


@dataclass
class Verification:
    """Result of a verification.

    Attributes:
        rows: checked by the compiled verifiers; `symbolic` of them also by the slow check.
        rebuilt: rows regenerated from their addresses.
        wrong: number of rows that failed any check.
        examples: the first of them, with the reason.
    """

    rows: int = 0
    symbolic: int = 0
    rebuilt: int = 0
    wrong: int = 0
    examples: list[dict[str, Any]] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether no row failed."""
        return self.wrong == 0


def verify(
    folder: Path, symbolic: float, rebuild: int, report: Callable[[int], None]
) -> Verification:
    """Check every row of a dataset.

    Args:
        folder: folder of the dataset.
        symbolic: share of rows for the slow check, from 0 to 1.
        rebuild: rows of each split to regenerate from their addresses and compare.
        report: called with the number of rows checked so far.

    Raises:
        DatasetError: if the folder is not a synthgen dataset, or generators differ from the record.
    """
    dataset = open_dataset(folder)
    found = Verification()
    for split in dataset.splits:
        for batch in dataset.batches(split, batch_rows=_BATCH_ROWS):
            _check_batch(dataset.manifest, split, pa.Table.from_batches([batch]), symbolic, found)
            report(found.rows)
        if rebuild:
            _rebuild(dataset, split, rebuild, found)
    return found


def _check_batch(
    manifest: Manifest, split: str, table: pa.Table, symbolic: float, found: Verification
) -> None:
    for source in manifest.sources:
        rows = table.filter(pc.equal(table["source"], source.name)).combine_chunks()
        if not rows.num_rows:
            continue
        verifier = load_verifier(source.verifier)
        prompts, answers = table_column(rows, "prompt"), table_column(rows, "answer")
        right = verifier.check(prompts, answers, table_column(rows, "solution"))
        _note(split, rows, ~right, "the answer is wrong", found)
        sample = stratified_sample(
            table_column(rows, "template"),
            table_column(rows, "difficulty").to_numpy(),
            keys_of_ids(table_column(rows, "id")),
            symbolic if verifier.has_oracle else 0.0,
        )
        agrees = verifier.symbolic(prompts.take(pa.array(sample)), answers.take(pa.array(sample)))
        _note(split, rows.take(sample), ~agrees, "the oracle disagrees", found)
        found.rows += rows.num_rows
        found.symbolic += len(sample)
    known = pa.array([source.name for source in manifest.sources])
    unknown = pc.invert(pc.is_in(table["source"], value_set=known)).to_numpy()
    _note(split, table, unknown, "the source is not in the manifest", found)


def _note(
    split: str, table: pa.Table, wrong: np.ndarray[Any, Any], why: str, found: Verification
) -> None:
    count = int(np.count_nonzero(wrong))
    if not count:
        return
    found.wrong += count
    room = _MOST_SHOWN - len(found.examples)
    rows = table.take(pa.array(np.flatnonzero(wrong)[: max(0, room)])).to_pylist()
    for row in rows:
        found.examples.append({"split": split, "why": why, **row})


def _rebuild(dataset: Dataset, split: str, rows: int, found: Verification) -> None:
    """Regenerate rows of a split, spread evenly over it, and compare every column."""
    total = dataset.rows(split)
    wanted = np.unique(np.linspace(0, total - 1, min(rows, total)).astype(np.int64))
    stored = _rows_at(dataset, split, wanted)
    sources = _planned_sources(dataset.manifest)
    names = [source.name for source in sources]
    places = [names.index(name) for name in stored["source"].to_pylist()]
    members = Membership(np.array(places, np.uint16), stored["address"].to_numpy())
    axes = {name: axis.as_axis() for name, axis in dataset.manifest.axes.items()}
    made, _ = make_rows(members, sources, axes, symbolic=0.0, split=split)
    again = made.select(stored.schema.names).cast(stored.schema)
    same = np.ones(stored.num_rows, bool)
    for name in stored.schema.names:
        pairs = zip(stored[name].to_pylist(), again[name].to_pylist(), strict=True)
        same &= np.array([one == other for one, other in pairs], bool)
    _note(split, stored, ~same, "the address now gives a different row", found)
    found.rebuilt += stored.num_rows


def _rows_at(dataset: Dataset, split: str, wanted: np.ndarray[Any, Any]) -> pa.Table:
    parts = []
    start = 0
    for batch in dataset.batches(split):
        inside = wanted[(wanted >= start) & (wanted < start + batch.num_rows)] - start
        parts.append(pa.Table.from_batches([batch]).take(pa.array(inside)))
        start += batch.num_rows
    return pa.concat_tables(parts)


def _planned_sources(manifest: Manifest) -> Sequence[PlannedSource]:
    return [_planned_source(manifest, source) for source in manifest.sources]


def _planned_source(manifest: Manifest, source: SourceRecord) -> PlannedSource:
    """Recreate a recorded source.

    Raises:
        DatasetError: if its generator is missing, or not in the recorded version.
    """
    render = manifest.recipe.get("render", {})
    try:
        kind = generator_class(source.generator)
        params = {n: tuple(v) if isinstance(v, list) else v for n, v in source.params.items()}
        generator = kind(**params)
    except (SynthgenError, TypeError) as error:
        msg = f"source {source.name!r} cannot be recreated: {error}"
        raise DatasetError(msg) from None
    if generator.version != source.version:
        msg = (
            f"source {source.name!r} was built with version {source.version} of "
            f"{source.generator!r}, this is version {generator.version}"
        )
        raise DatasetError(msg)
    style = Render(render.get("prompt") or kind.prompts[0], render.get("solution", "none"))
    planned = PlannedSource(source.name, source.generator, generator, int(source.stream, 16), style)
    return replace(planned, computed=tuple(record.as_axis() for record in manifest.computed))
