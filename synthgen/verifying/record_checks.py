"""Compare what a dataset records about itself with what its recipe gives.

The recipe in the folder, with the recorded overrides, is planned again. Fingerprint, sources, axes,
rules and numbers of rows follow from the plan; the card and other papers follow from the manifest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import synthgen
from synthgen.core.errors import RecipeError
from synthgen.dataset.manifest import MANIFEST_FILE, Manifest, SplitRecord, membership_file
from synthgen.dataset.membership import read_membership
from synthgen.dataset.reader import Dataset
from synthgen.dataset.records import (
    FileRecord,
    MeasureRecord,
    PartRecord,
    SelectedRecord,
    ShardRecord,
)
from synthgen.engine.make.recorded import recorded_source
from synthgen.engine.papers import manifest_of, papers_of
from synthgen.engine.plan.plan import Plan, make_plan
from synthgen.engine.select.select import select
from synthgen.engine.workers.local import LocalEngine
from synthgen.recipe.fingerprint import differing_keys
from synthgen.recipe.loader import read_recipe
from synthgen.recipe.overrides import Overrides
from synthgen.verifying.promises import Check

RECIPE_FILE = "recipe.toml"
_MAX_NAMED, _MAX_SHOWN = 5, 60


@dataclass(frozen=True, slots=True)
class RecordChecks:
    """Comparison of the records of a dataset with what its recipe gives.

    Attributes:
        plan: Plan of the recipe; None if it cannot be made again.
        checks: Checks of what could be compared.
        unproven: What could not, with the reason.
    """

    plan: Plan | None
    checks: tuple[Check, ...]
    unproven: tuple[str, ...]


def check_records(dataset: Dataset, recipe: Path | None = None) -> RecordChecks:
    """Compare the records and papers of a dataset with what its recipe gives.

    Args:
        dataset: Dataset with its files.
        recipe: Original of its recipe, beside files that it names.
    """
    manifest = dataset.manifest
    plan = _plan_of(dataset, recipe)
    if isinstance(plan, str):
        return RecordChecks(None, (), (f"records: {plan}",))
    same = "what the recipe gives"
    faults = "; ".join(_record_faults(manifest, plan))
    checks = [Check("records", not faults, faults or same)]
    if manifest.synthgen != synthgen.__version__:
        versions = f"written by synthgen {manifest.synthgen}, this is {synthgen.__version__}"
        return RecordChecks(plan, tuple(checks), (f"README.md and other papers: {versions}",))
    papers = ", ".join(_other_papers(dataset, plan))
    detail = f"{papers}: not as a build writes it" if papers else same
    return RecordChecks(plan, (*checks, Check("papers", not papers, detail)), ())


def _plan_of(dataset: Dataset, recipe: Path | None) -> Plan | str:
    """Return the plan by which a dataset was built, or why it cannot be made again."""
    manifest = dataset.manifest
    for record in manifest.sources:
        source = recorded_source(manifest, record)
        if isinstance(source, str):
            return f"source {record.name!r}: {source}"
    try:
        overrides = Overrides.from_list(manifest.overrides)
        return make_plan(read_recipe(recipe or dataset.folder / RECIPE_FILE, overrides))
    except ValueError as error:
        return f"{MANIFEST_FILE}: overrides: {error}"
    except RecipeError as error:
        reason = "; ".join(str(error).splitlines()[:_MAX_NAMED])
        return f"{reason}; name the original recipe, beside its files, with --recipe"


def _record_faults(manifest: Manifest, plan: Plan) -> Iterator[str]:
    """Yield how a manifest differs from that of a build of a plan."""
    selected = SelectedRecord(manifest.splits, manifest.selection, manifest.divergence)
    files: list[ShardRecord | FileRecord] = [*manifest.listed.values()]
    expected = replace(
        manifest_of(plan, selected, files),
        libraries=manifest.libraries,
        synthgen=manifest.synthgen,
    )
    yield from _named(asdict(manifest), asdict(expected))
    declared = {"splits": [asdict(_declared(split)) for split in manifest.splits]}
    promised = {"splits": [asdict(replace(split.record, rows=0)) for split in plan.splits]}
    yield from _named(declared, promised)
    rows = {split.name: split.spec.rows for split in plan.splits}
    may_lack = plan.recipe.limits.shortfall == "allow"
    for split in manifest.splits:
        wanted = rows.get(split.name, split.rows)
        if split.rows > wanted or (split.rows < wanted and not may_lack):
            key = f"splits.{split.name}.rows"
            yield f"{MANIFEST_FILE}: {key}={split.rows}: the recipe gives {wanted}"


def _other_papers(dataset: Dataset, plan: Plan) -> Iterator[str]:
    """Yield the papers of a dataset that are not as a build of a plan writes them."""
    for name, text in papers_of(plan, dataset.manifest).items():
        path = dataset.folder / name
        if path.is_file() and path.read_bytes() != text.encode():
            yield name


def selection_faults(dataset: Dataset, plan: Plan, workers: int) -> Iterator[str]:
    """Select again, and yield how the recorded selection differs.

    Args:
        dataset: Dataset with its files.
        plan: Plan of its recipe.
        workers: Number of processes.
    """
    manifest = dataset.manifest
    with LocalEngine(workers) as engine:
        selection = select(plan, engine, lambda *_: None)
    bare = tuple(replace(split, shards=()) for split in manifest.splits)
    recorded = SelectedRecord(bare, manifest.selection, manifest.divergence)
    yield from _named(asdict(recorded), asdict(selection.record))
    for name, members in selection.members.items():
        file = membership_file(name)
        stored = read_membership(dataset.folder / file)
        same = np.array_equal(stored.sources, members.sources)
        if not (same and np.array_equal(stored.addresses, members.addresses)):
            yield f"{file}: differs from the selection that the recipe gives"


def _declared(split: SplitRecord) -> SplitRecord:
    """Return the record of a split without results."""
    return replace(
        split,
        rows=0,
        candidates=0,
        duplicates=0,
        cells=(),
        shards=(),
        parts=tuple(PartRecord(part.where, 0, 0, 0) for part in split.parts),
        repeats=0,
        measured=tuple(MeasureRecord(each.axis, 0, 0, 0, 0, 0) for each in split.measured),
        covers=tuple(replace(cover, units=0, unmet=()) for cover in split.covers),
    )


def _named(actual: Mapping[str, Any], expected: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each of the first differing keys: what is recorded, and what is expected."""
    lines = differing_keys(actual, expected)
    for line in lines[:_MAX_NAMED]:
        key, _, values = line.partition(": ")
        recorded, _, wanted = values.partition(" -> ")
        yield f"{MANIFEST_FILE}: {key}={_cut(recorded)}: the recipe gives {_cut(wanted)}"
    if len(lines) > _MAX_NAMED:
        yield f"{MANIFEST_FILE}: {len(lines) - _MAX_NAMED} other values differ from the recipe's"


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
