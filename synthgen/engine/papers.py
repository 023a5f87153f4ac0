"""The files of a dataset that describe it: recipe, card, evaluations, and the manifest."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, fields, replace
from importlib.metadata import version

import synthgen
from synthgen.core.images import PNG
from synthgen.dataset.card import render_card
from synthgen.dataset.croissant import render_croissant
from synthgen.dataset.evaluations import render_evaluations
from synthgen.dataset.manifest import FORMAT, SELECTION_FORMAT
from synthgen.dataset.records import (
    AxisRecord,
    ColumnRecord,
    ComputedRecord,
    FileRecord,
    Manifest,
    SelectedRecord,
    ShardRecord,
    SourceRecord,
    TotalsRecord,
)
from synthgen.dataset.row_schema import column_meanings, row_schema
from synthgen.engine.plan.plan import Plan
from synthgen.engine.plan.sources import PlannedSource
from synthgen.formats.formatted import without_format
from synthgen.recipe.fingerprint import canonical
from synthgen.recipe.schema import Recipe

_LIBRARIES = ("numpy", "numba", "polars", "pyarrow", "sympy")


def papers_of(recipe: Recipe, text: str, manifest: Manifest) -> dict[str, str]:
    """Return name and text of each file besides shards, membership and manifest.

    Args:
        recipe: Recipe of the dataset.
        text: Text of its file.
        manifest: Manifest with the records of shards.
    """
    card = recipe.card.model_dump() | {"description": recipe.description}
    papers = {"recipe.toml": text, "README.md": render_card(manifest, card)}
    if manifest.has_data:
        papers["croissant.json"] = render_croissant(manifest, card)
        papers |= render_evaluations(manifest)
    return papers


def manifest_of(
    plan: Plan, selected: SelectedRecord, records: Collection[ShardRecord | FileRecord]
) -> Manifest:
    """Return the manifest of a build, from the records of its selection and finished files."""
    schema = row_schema(plan.row_axes, plan.picture, noisy=plan.noisy)
    meanings = column_meanings(plan.row_axes)
    files = sorted(records, key=lambda record: record.file)
    shards = [file for file in files if isinstance(file, ShardRecord)]
    picked = {table.name for table in plan.recipe.axis if table.picked}
    return Manifest(
        format=FORMAT if shards else SELECTION_FORMAT,
        name=plan.recipe.name,
        fingerprint=plan.fingerprint,
        synthgen=synthgen.__version__,
        libraries={name: version(name) for name in _libraries(plan.picture)},
        recipe=canonical(plan.recipe),
        overrides=tuple(plan.draft.overrides.as_list()),
        sources=tuple(_source_record(source) for source in plan.sources),
        columns=tuple(ColumnRecord(f.name, str(f.type), meanings[f.name]) for f in schema),
        axes={name: AxisRecord(**asdict(axis)) for name, axis in plan.row_axes.items()},
        dedup=plan.recipe.dedup.on,
        splits=tuple(
            replace(
                split,
                shards=tuple(s for s in shards if s.file.startswith(f"data/{split.name}-")),
            )
            for split in selected.splits
        ),
        selection=selected.selection,
        totals=TotalsRecord(
            rows=sum(split.rows for split in selected.splits),
            verified=sum(shard.verified for shard in shards),
        ),
        files=tuple(file for file in files if isinstance(file, FileRecord)),
        divergence=selected.divergence,
        computed=tuple(
            ComputedRecord.of_axis(axis, picked=axis.name in picked) for axis in plan.computed
        ),
        groups=plan.groups,
    )


def _libraries(picture: str) -> tuple[str, ...]:
    """Return the libraries on which rows depend."""
    return (*_LIBRARIES, "resvg_py") if picture == PNG else _LIBRARIES


def _source_record(source: PlannedSource) -> SourceRecord:
    generator = source.generator
    family, drawn_from = without_format(generator)
    names = [field.name for field in fields(family)]  # type: ignore[arg-type]
    return SourceRecord(
        name=source.name,
        generator=source.task,
        version=generator.version,
        domain=generator.domain,
        verifier=generator.verifier,
        params={name: getattr(family, name) for name in names},
        stream=f"{source.stream:016x}",
        draws_of=source.draws_of,
        space=generator.space,
        fewest_problems=generator.fewest_problems,
        restates=generator.restates,
        prompt=source.style.prompt,
        solution=source.style.solution,
        format=drawn_from,
    )
