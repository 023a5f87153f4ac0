"""Compare what a dataset records about itself with what its recipe gives.

The recipe in the folder, with the recorded overrides, is planned again. Fingerprint, sources, axes,
rules and numbers of rows follow from the plan; the card and other papers follow from the manifest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import synthgen
from synthgen.core.errors import Fault, RecipeError, SynthgenError
from synthgen.dataset.manifest import (
    MANIFEST_FILE,
    Manifest,
    SplitRecord,
    membership_file,
    shard_files,
    to_json,
)
from synthgen.dataset.membership import read_membership
from synthgen.dataset.reader import Dataset
from synthgen.dataset.records import (
    MeasureRecord,
    PartRecord,
    SelectedRecord,
    SourceRecord,
)
from synthgen.engine.make.recorded import other_version
from synthgen.engine.papers import manifest_of, papers_of
from synthgen.engine.plan.plan import Plan, make_plan
from synthgen.engine.select.select import select
from synthgen.engine.steer.division import declared_division
from synthgen.engine.workers.local import LocalEngine
from synthgen.recipe.draft import Draft
from synthgen.recipe.fingerprint import canonical, differing_keys, fingerprint
from synthgen.recipe.loader import read_recipe
from synthgen.recipe.overrides import Overrides
from synthgen.recipe.schema import Recipe, Split
from synthgen.verifying.promises import Check

RECIPE_FILE = "recipe.toml"
_MAX_NAMED, _MAX_SHOWN = 5, 60
_FILES = re.compile(r"^source\.[^.]+\.files\.|^split\.[^.]+\.members$")
"""Paths of a recipe that name files beside it."""


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

    What does not depend on a source that is not installed, or in another version, is compared
    nevertheless.

    Args:
        dataset: Dataset with its files.
        recipe: Original of its recipe, beside files that it names.
    """
    manifest = dataset.manifest
    try:
        overrides = Overrides.from_list(manifest.overrides)
    except ValueError as error:
        fault = f"{MANIFEST_FILE}: overrides={[*manifest.overrides]}: {error}"
        return RecordChecks(None, (Check("records", ok=False, detail=fault),), ())
    draft = read_recipe(recipe or dataset.folder / RECIPE_FILE, overrides)
    others = {each.name: why for each in manifest.sources if (why := other_version(each))}
    unproven = [f"records: source {name!r}: {why}" for name, why in [*others.items()][:1]]
    plan, faults = None, draft.faults
    try:
        plan = make_plan(draft)
    except RecipeError as error:
        faults = draft.faults if others else error.faults
    if faults:
        return _unreadable(str(draft.path), faults, unproven)
    lines = "; ".join(_record_faults(manifest, draft, plan, frozenset(others)))
    same = "what the recipe gives"
    checks = [Check("records", not lines, lines or same)]
    proven = None if others else plan
    if manifest.synthgen != synthgen.__version__:
        versions = f"written by synthgen {manifest.synthgen}, this is {synthgen.__version__}"
        unproven.append(f"README.md and other papers: {versions}")
        return RecordChecks(proven, tuple(checks), tuple(unproven))
    papers = ", ".join(_other_papers(dataset, draft))
    detail = f"{papers}: not as a build writes it" if papers else same
    checks.append(Check("papers", not papers, detail))
    return RecordChecks(proven, tuple(checks), tuple(unproven))


def _unreadable(file: str, faults: Sequence[Fault], unproven: list[str]) -> RecordChecks:
    """Return the check of a recipe with faults; nothing is proven if it lacks files beside it."""
    reason = "; ".join(str(RecipeError(file, faults)).splitlines()[:_MAX_NAMED])
    if any(_FILES.search(fault.path) for fault in faults):
        hint = "name the original recipe, beside its files, with --recipe"
        return RecordChecks(None, (), (*unproven, f"records: {reason}; {hint}"))
    return RecordChecks(None, (Check("records", ok=False, detail=reason),), tuple(unproven))


def _record_faults(
    manifest: Manifest, draft: Draft, plan: Plan | None, others: frozenset[str]
) -> Iterator[str]:
    """Yield how a manifest differs from that of a build.

    Args:
        manifest: Manifest of the dataset.
        draft: Recipe, without faults.
        plan: Plan of the recipe; None if a source is not installed.
        others: Sources that are not installed in their version.
    """
    if plan is None:
        yield from _named({"recipe": manifest.recipe}, {"recipe": canonical(draft.finish().recipe)})
        return
    selected = SelectedRecord(manifest.splits, manifest.selection, manifest.divergence)
    expected = replace(
        manifest_of(plan, selected, [*manifest.listed.values()]),
        libraries=manifest.libraries,
        synthgen=manifest.synthgen,
    )
    if others:
        expected = _as_recorded(manifest, plan, expected, others)
    yield from _named(asdict(manifest), asdict(expected))
    declared = {"splits": [asdict(_declared(split)) for split in manifest.splits]}
    promised = {"splits": [asdict(replace(split.record, rows=0)) for split in plan.splits]}
    yield from _named(declared, promised)
    rule = plan.recipe.divergence
    wanted = declared_division(rule) if rule else None
    division = manifest.divergence
    recorded = division and {name: getattr(division, name) for name in wanted or asdict(division)}
    yield from _named({"divergence": recorded}, {"divergence": wanted})
    specs = {split.name: split.spec for split in plan.splits}
    for split in manifest.splits:
        if split.name in specs:
            yield from _rows_faults(split, specs[split.name], plan.recipe)


def _rows_faults(split: SplitRecord, spec: Split, recipe: Recipe) -> Iterator[str]:
    """Yield how numbers of rows, and shards, differ from those of a recipe."""
    counts = [("rows", split.rows, spec.rows)]
    for place, (part, asked) in enumerate(zip(split.parts, spec.parts, strict=False)):
        counts.append((f"parts.{place}.rows", part.rows, asked.rows))
        counts.append((f"parts.{place}.problems", part.problems, asked.problems))
    may_lack = recipe.limits.shortfall == "allow"
    for key, recorded, wanted in counts:
        if recorded > wanted or (recorded < wanted and not may_lack):
            key = f"splits.{split.name}.{key}"
            yield f"{MANIFEST_FILE}: {key}={recorded}: {RECIPE_FILE} gives {wanted}"
    shards = {shard.file: shard.rows for shard in split.shards}
    wanted_shards = shard_files(split.name, split.rows, recipe.output.rows_per_shard)
    if shards and shards != wanted_shards:
        files = ", ".join(sorted(shards.keys() ^ wanted_shards.keys()) or shards)
        yield f"{MANIFEST_FILE}: splits.{split.name}.shards: other files or sizes: {_cut(files)}"


def _as_recorded(
    manifest: Manifest, plan: Plan, expected: Manifest, others: frozenset[str]
) -> Manifest:
    """Return an expected manifest in which what depends on other sources is as recorded."""
    recorded = {source.name: source for source in manifest.sources}
    versions = {source.generator: source.version for source in manifest.sources}
    return replace(
        expected,
        fingerprint=fingerprint({**plan.content, "versions": versions}),
        columns=manifest.columns,
        axes=manifest.axes,
        sources=tuple(
            _of_version(recorded[each.name], each) if each.name in others else each
            for each in expected.sources
        ),
    )


def _of_version(recorded: SourceRecord, expected: SourceRecord) -> SourceRecord:
    """Return the record of a source in which what depends on versions is as recorded."""
    formatted = expected.format
    if formatted:
        formatted = {**formatted, "version": recorded.format.get("version")}
    if recorded.version != expected.version:
        kept = {name: getattr(expected, name) for name in ("generator", "draws_of", "stream")}
        expected = replace(recorded, **kept)
    return replace(expected, format=formatted)


def _other_papers(dataset: Dataset, draft: Draft) -> Iterator[str]:
    """Yield the papers of a dataset that are not as a build of a recipe writes them."""
    manifest = dataset.manifest
    papers = papers_of(draft.finish().recipe, draft.text, manifest)
    for name, text in {**papers, MANIFEST_FILE: to_json(manifest)}.items():
        path = dataset.folder / name
        if not path.is_file():
            if name not in manifest.listed:  # else it is missing
                yield name
        elif path.read_bytes() != text.encode():
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
        try:
            selection = select(plan, engine, lambda *_: None)
        except SynthgenError as error:
            yield f"{RECIPE_FILE}: {'; '.join(str(error).splitlines()[:_MAX_NAMED])}"
            return
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
        noise=split.noise and replace(split.noise, rows=0),
    )


def _named(actual: Mapping[str, Any], expected: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each of the first differing keys: what is recorded, and what is expected."""
    plain = (json.loads(json.dumps(each)) for each in (actual, expected))  # lists, not tuples
    lines = differing_keys(*plain)
    for line in lines[:_MAX_NAMED]:
        key, _, values = line.partition(": ")
        recorded, _, wanted = values.partition(" -> ")
        yield f"{MANIFEST_FILE}: {key}={_cut(recorded)}: {RECIPE_FILE} gives {_cut(wanted)}"
    if len(lines) > _MAX_NAMED:
        yield f"{MANIFEST_FILE}: {len(lines) - _MAX_NAMED} other values differ from the recipe's"


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
