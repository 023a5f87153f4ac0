"""The manifest of a build, assembled from the plan, the selection and the journal of shards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from importlib.metadata import version
from typing import Any

import synthgen
from synthgen.core.registry import load_verifier
from synthgen.dataset.manifest import (
    FORMAT,
    AxisRecord,
    CapRecord,
    CellRecord,
    ColumnRecord,
    DivergenceRecord,
    FileRecord,
    Manifest,
    MeasureRecord,
    MembersRecord,
    PartRecord,
    SelectionRecord,
    ShardRecord,
    SourceRecord,
    SplitRecord,
    TotalsRecord,
    UnseenRecord,
    VariantRecord,
)
from synthgen.dataset.records import ComputedRecord, CoverRecord, OrderRecord, UnmetRecord
from synthgen.dataset.schema import column_meanings, row_schema
from synthgen.engine.divide import Division
from synthgen.engine.groups import TEMPLATE
from synthgen.engine.plan import Plan, PlannedSource, PlannedSplit
from synthgen.engine.repeats import rows_of_part
from synthgen.engine.select import Selection
from synthgen.engine.winners import CellResult
from synthgen.recipe.fingerprint import canonical
from synthgen.recipe.schema import Split

NOTE_FORMAT = 4
"""Format of the record of a selection; one in another format is discarded and remade."""
_LIBRARIES = ("numpy", "numba", "polars", "pyarrow", "sympy")


def selection_note(selection: Selection) -> dict[str, Any]:
    """Return what a later run needs of a finished selection besides the membership files."""
    return {
        "format": NOTE_FORMAT,
        "splits": {
            name: {
                "rows": len(result.members),
                "candidates": result.candidates,
                "duplicates": result.duplicates,
                "problems": result.problems,
                "cells": [asdict(_cell_record(cell)) for cell in result.cells],
                "measured": [{"axis": a, **asdict(e)} for a, e in result.measured.items()],
                "covers": [asdict(cover) for cover in result.covers],
            }
            for name, result in selection.splits.items()
        },
        "selection": asdict(
            SelectionRecord(
                candidates=selection.proposed,
                invalid=selection.invalid,
                unmatched=selection.unmatched,
                duplicates=selection.duplicates,
                bytes_per_row=selection.bytes_per_row,
            )
        ),
        "divergence": _divergence_note(selection.division),
    }


def _divergence_note(division: Division | None) -> dict[str, Any] | None:
    """Return the measurements, without the settings of the recipe."""
    if division is None:
        return None
    found = division.found
    return {
        "pool": division.pool,
        "compounds": found.compounds,
        "atoms": found.atoms,
        "random_compounds": found.random_compounds.mean,
        "random_atoms": found.random_atoms.mean,
        "compounds_deviation": found.random_compounds.deviation,
        "atoms_deviation": found.random_atoms.deviation,
        "unseen_atoms": found.unseen_atoms,
    }


def make_manifest(
    plan: Plan, note: Mapping[str, Any], shards: Sequence[ShardRecord], files: Sequence[FileRecord]
) -> Manifest:
    """Return the manifest of a complete build.

    Args:
        plan: plan of the build.
        note: result of `selection_note`.
        shards: the records of all shards.
        files: the records of other files that are finished.
    """
    schema = row_schema(plan.row_axes)
    meanings = column_meanings(plan.row_axes)
    splits = tuple(
        _split_record(split, note["splits"][split.name], shards) for split in plan.splits
    )
    records = [shard for split in splits for shard in split.shards]
    return Manifest(
        format=FORMAT,
        name=plan.recipe.name,
        fingerprint=plan.fingerprint,
        synthgen=synthgen.__version__,
        libraries={name: version(name) for name in _LIBRARIES},
        recipe=canonical(plan.recipe),
        overrides=tuple(plan.draft.overrides.as_list()),
        sources=tuple(_source_record(source) for source in plan.sources),
        columns=tuple(ColumnRecord(f.name, str(f.type), meanings[f.name]) for f in schema),
        axes={name: AxisRecord(**asdict(axis)) for name, axis in plan.row_axes.items()},
        dedup=plan.recipe.dedup.on,
        splits=splits,
        selection=SelectionRecord(**note["selection"]),
        totals=TotalsRecord(
            rows=sum(shard.rows for shard in records),
            verified=sum(shard.verified for shard in records),
            symbolic=sum(shard.symbolic for shard in records),
        ),
        files=tuple(sorted(files, key=lambda record: record.file)),
        divergence=_divergence_record(plan, note.get("divergence")),
        computed=_computed_records(plan),
        groups="template" if plan.groups == TEMPLATE else _axes_of(plan),
    )


def _computed_records(plan: Plan) -> tuple[ComputedRecord, ...]:
    picked = {table.name for table in plan.recipe.axis if table.picked}
    return tuple(ComputedRecord.of_axis(axis, picked=axis.name in picked) for axis in plan.computed)


def _axes_of(plan: Plan) -> tuple[str, ...] | None:
    """Return the axes that keep problems together, if any do."""
    return plan.groups if isinstance(plan.groups, tuple) else None


def _divergence_record(plan: Plan, note: Mapping[str, Any] | None) -> DivergenceRecord | None:
    rule = plan.recipe.divergence
    if rule is None or note is None:
        return None
    kind = rule.kind
    return DivergenceRecord(
        train=rule.train,
        test=rule.test,
        kind=rule.compounds,
        nodes=rule.nodes,
        ngram=kind.ngram,
        words=rule.words if kind.ngram else None,
        compound_exponent=rule.compound_exponent,
        atom_exponent=rule.atom_exponent,
        **note,
    )


def _cell_record(cell: CellResult) -> CellRecord:
    return CellRecord(cell.values, cell.rows, cell.quota, cell.dry, cell.candidates)


def _source_record(source: PlannedSource) -> SourceRecord:
    generator = source.generator
    names = [field.name for field in fields(generator)]  # type: ignore[arg-type]
    return SourceRecord(
        name=source.name,
        generator=source.task,
        version=generator.version,
        domain=generator.domain,
        verifier=generator.verifier,
        params={name: getattr(generator, name) for name in names},
        stream=f"{source.stream:016x}",
        oracle=load_verifier(generator.verifier).has_oracle,
        draws_of=source.draws_of,
        space=generator.space,
        fewest_problems=generator.fewest_problems,
        restates=generator.restates,
    )


def _split_record(
    split: PlannedSplit, note: Mapping[str, Any], shards: Sequence[ShardRecord]
) -> SplitRecord:
    own = [shard for shard in shards if shard.file.startswith(f"data/{split.name}-")]
    spec, cells = split.spec, tuple(CellRecord(**cell) for cell in note["cells"])
    return SplitRecord(
        name=split.name,
        rows=note["rows"],
        where=spec.where,
        balance=spec.balance,
        seen_in=spec.seen_in,
        overlap=spec.overlap,
        cap=CapRecord(**spec.cap.model_dump()) if spec.cap else None,
        candidates=note["candidates"],
        duplicates=note["duplicates"],
        cells=() if spec.parts else cells,
        shards=tuple(sorted(own, key=lambda shard: shard.file)),
        parts=_part_records(spec, cells),
        members=_members_record(split),
        variant=VariantRecord(**spec.variant.model_dump()) if spec.variant else None,
        repeats=note["rows"] - note["problems"],
        unseen=UnseenRecord(**spec.unseen.model_dump()) if spec.unseen else None,
        measured=tuple(MeasureRecord(**measure) for measure in note["measured"]),
        covers=_cover_records(spec, note["covers"]),
        order=OrderRecord(spec.order.by, spec.order.axis) if spec.order else None,
    )


def _part_records(spec: Split, cells: tuple[CellRecord, ...]) -> tuple[PartRecord, ...]:
    """Return the results of the parts, whose cells count problems."""
    return tuple(
        PartRecord(part.where, rows_of_part(part, cell.rows), cell.rows, cell.candidates)
        for part, cell in zip(spec.parts, cells if spec.parts else (), strict=True)
    )


def _cover_records(spec: Split, notes: Sequence[Mapping[str, Any]]) -> tuple[CoverRecord, ...]:
    return tuple(
        CoverRecord(
            axes=cover.axes,
            strength=(cover.strength or len(cover.axes)) if cover.axes else None,
            structures=cover.structures,
            of=cover.of,
            symbols=cover.symbols,
            times=cover.times,
            units=note["units"],
            unmet=tuple(
                UnmetRecord(unmet["name"], unmet["candidates"], unmet["rare"])
                for unmet in note["unmet"]
            ),
        )
        for cover, note in zip(spec.cover, notes, strict=True)
    )


def _members_record(split: PlannedSplit) -> MembersRecord | None:
    members = split.members
    if members is None:
        return None
    return MembersRecord(members.file, members.lines, len(members.prompts), members.digest)
