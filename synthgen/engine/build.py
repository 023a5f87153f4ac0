"""BUILD: turn a plan into a committed dataset folder, resuming an interrupted run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TypeAlias

from pydantic import TypeAdapter, ValidationError

import synthgen
from synthgen.core.errors import DatasetError, OutputError, RecipeError, VerificationError
from synthgen.core.shown import Shown
from synthgen.dataset.card import render_card
from synthgen.dataset.croissant import render_croissant
from synthgen.dataset.evaluations import render_evaluations
from synthgen.dataset.layout import share_folder, share_folders
from synthgen.dataset.manifest import (
    FORMAT,
    MANIFEST_FILE,
    SELECTION_FORMAT,
    membership_file,
    to_json,
)
from synthgen.dataset.membership import Membership, read_membership, write_membership
from synthgen.dataset.places import Place
from synthgen.dataset.reader import open_dataset
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
from synthgen.dataset.remote import staging_at
from synthgen.dataset.row_schema import column_meanings, row_schema
from synthgen.dataset.seal import file_sha256
from synthgen.dataset.staging import Finished, Staging, write_durably
from synthgen.engine.make.materialise import ShardTask, materialise
from synthgen.engine.make.recorded import recorded_membership
from synthgen.engine.make.spill import gather, spilled_groups, spills_of, with_room
from synthgen.engine.plan.plan import Plan
from synthgen.engine.plan.sources import PlannedSource
from synthgen.engine.progress import Display, Phases
from synthgen.engine.select.select import Selection, select
from synthgen.engine.workers.local import LocalEngine
from synthgen.formats.formatted import without_format
from synthgen.recipe.fingerprint import canonical, differing_keys

_BUILD_NOTE = "build.json"
_SELECTION_NOTE = "selection.json"

Files: TypeAlias = dict[str, Finished]
"""Records of the finished files of the tree, by path."""


@dataclass(frozen=True, slots=True, repr=False)
class BuildResult(Shown):
    """A finished dataset.

    Attributes:
        folder: its folder, or its URL as a text.
        manifest: its manifest.
        was_there: whether it was already built, so that nothing was done.
        shards_kept: shards that an earlier, interrupted run had finished.
    """

    folder: Path | str
    manifest: Manifest
    was_there: bool
    shards_kept: int

    def __repr__(self) -> str:
        rows = ", ".join(f"{split.name} {split.rows:,}" for split in self.manifest.splits)
        return f"<{self.manifest.totals.rows:,} rows in {self.folder}: {rows}>"


@dataclass(frozen=True, slots=True)
class How:
    """How a plan is built.

    Attributes:
        fresh: from scratch, replacing an existing dataset, which stays until then. The same call
            resumes it if it is interrupted.
        select_only: without data. A later call that wants data begins with the same selection.
        share: rank and world size, to make only this share of the shards of a stored selection. A
            later call without it takes them over.
    """

    fresh: bool = False
    select_only: bool = False
    share: tuple[int, int] | None = None


AS_USUAL = How()


def build(
    plan: Plan, folder: Path | str, engine: LocalEngine, phases: Phases, how: How = AS_USUAL
) -> BuildResult:
    """Build a dataset, resume an interrupted build, or return a finished one.

    Args:
        plan: plan of the recipe.
        folder: output folder, created if missing, or a URL.
        engine: runs the tasks.
        phases: receives progress.
        how: whether from scratch, and whether with data.

    Raises:
        OutputError: if the folder holds something else, is in use, or cannot be written.
        ShortfallError: if a split cannot be filled.
        VerificationError: if a row is wrong; no dataset is left.
    """
    staging = staging_at(folder, fresh=how.fresh)
    place = staging.place
    staging.check()
    found = _finished(plan, staging, how)
    if how.share and not found:
        return _build_share(plan, place, engine, phases, how.share)
    if found and not staging.is_begun:
        return BuildResult(place.folder, found, was_there=True, shards_kept=0)
    staging.open()
    kept = 0
    try:
        if found:
            staging.discard()
            return BuildResult(place.folder, found, was_there=True, shards_kept=0)
        whole = staging.is_complete and not staging.recall()
        ours = _is_ours(plan, staging, how)
        if not whole:
            if not ours:
                _claim(plan, staging, how)
            kept = _fill(plan, staging, engine, phases, how)
        staging.commit()
    except (RecipeError, VerificationError):
        engine.close()  # workers may still be writing into the files removed here
        staging.discard()
        raise
    except BaseException:
        staging.keep()
        raise
    if whole and not ours:  # the commit of another build was cut short, and is now finished
        return build(plan, folder, engine, phases, how)
    return BuildResult(place.folder, place.manifest(), was_there=False, shards_kept=kept)


def _build_share(
    plan: Plan, place: Place, engine: LocalEngine, phases: Phases, share: tuple[int, int]
) -> BuildResult:
    """Make the shards of one rank in a working folder of its own, and leave them there."""
    if not place.is_local:
        msg = f"{place.root}: ranks need a folder that they share, not a URL"
        raise OutputError(msg)
    selection = _adopted(plan, place)
    if selection is None:
        msg = f"{place.root} holds no selection of this recipe; store it with --select-only and "
        msg += "without --rank first"
        raise OutputError(msg)
    rank, world_size = share
    staging = Staging(Path(place.root), share_folder(rank, world_size))
    staging.open()
    try:
        if not _is_ours(plan, staging, AS_USUAL):
            _begin(plan, staging, AS_USUAL)
        staging.prepare_tree()
        files = staging.finished()
        kept = len(files)
        every = [*_shard_tasks(plan, staging, selection.members)]
        tasks = [task for task in every[rank::world_size] if task.file not in files]
        with phases.phase("write", sum(len(task.members) for task in tasks)) as display:
            _take(engine.map(materialise, tasks, plan.common), staging, files, display)
    finally:
        staging.keep()
    return BuildResult(place.folder, place.manifest(), was_there=False, shards_kept=kept)


def _finished(plan: Plan, staging: Staging, how: How) -> Manifest | None:
    """Return the manifest if this dataset already exists; raise if another one does."""
    place = staging.place
    if how.fresh or MANIFEST_FILE not in place.stored([MANIFEST_FILE]):
        return None
    try:
        manifest = place.manifest()
    except DatasetError:
        if staging.is_begun and _is_ours(plan, staging, how):
            return None  # only a part of it has arrived, and it is uploaded again
        raise
    if manifest.fingerprint != plan.fingerprint:
        versions = {source.generator: source.version for source in manifest.sources}
        lists = {split.name: split.members.sha256 for split in manifest.splits if split.members}
        other: dict[str, object] = {"recipe": manifest.recipe, "versions": versions}
        _refuse(plan, place, other | ({"members": lists} if lists else {}))
    if not (manifest.has_data or how.select_only):
        return None
    open_dataset(place.root, without_data=True)
    return manifest


def _is_ours(plan: Plan, staging: Staging, how: How) -> bool:
    """Return whether the work of an interrupted run is to be resumed."""
    note = staging.read(_BUILD_NOTE)
    if note is None or note.get("fingerprint") != plan.fingerprint:
        return False
    if note.get("select_only", False) != how.select_only:
        return False
    return bool(note.get("fresh")) or not how.fresh


def _claim(plan: Plan, staging: Staging, how: How) -> None:
    """Begin from scratch, unless there is work for another plan that was not to be replaced."""
    note = staging.read(_BUILD_NOTE)
    if note is not None and not how.fresh:
        if note.get("fingerprint") != plan.fingerprint:
            _refuse(plan, staging.place, note.get("content", {}))
        if how.select_only:
            msg = f"{staging.place.root} holds the unfinished build of this recipe, with data; "
            msg += "finish it without --select-only, or replace it with --fresh"
            raise OutputError(msg)
    _begin(plan, staging, how)


def _begin(plan: Plan, staging: Staging, how: How) -> None:
    """Begin from scratch."""
    staging.restart()
    about = {"fingerprint": plan.fingerprint, "content": plan.content, **asdict(how)}
    staging.write(_BUILD_NOTE, about)


def _refuse(plan: Plan, place: Place, other: dict[str, object]) -> None:
    keys = "\n".join(f"  {line}" for line in differing_keys(other, plan.content))
    msg = (
        f"{place.root} holds another build, which differs in\n{keys}\n"
        "name another folder with --out, or replace it with --fresh"
    )
    raise OutputError(msg)


def _fill(plan: Plan, staging: Staging, engine: LocalEngine, phases: Phases, how: How) -> int:
    """Run all phases in the staging tree; return how many shards were already finished."""
    staging.prepare_tree(with_data=not how.select_only)
    engine.check_shared(staging.temporary)
    files = staging.finished()
    if not how.select_only:
        _collect(plan, staging, files)
    kept = sum(isinstance(record, ShardRecord) for record in files.values())
    recorded = _recorded(plan, staging, files)
    selection = recorded or (None if how.fresh else _adopted(plan, staging.place))
    selection = selection or _select(plan, staging, engine, phases, how)
    every = [] if how.select_only else _shard_tasks(plan, staging, selection.members)
    tasks = [task for task in every if task.file not in files]
    tasks.sort(key=lambda task: -len(task.members))  # otherwise a large one may be the last
    with phases.phase("write", sum(len(task.members) for task in tasks)) as display:
        results = engine.map(materialise, tasks, plan.common)
        if recorded is None:  # workers write the first shards meanwhile
            _record(staging, selection, files)
        _take(results, staging, files, display)
    _write_papers(plan, staging, selection.record, files)
    return kept


def _take(
    results: Iterable[tuple[Path, ShardRecord]], staging: Staging, files: Files, display: Display
) -> None:
    """Take finished shards into the tree, and show progress."""
    rows = 0
    for path, record in results:
        _add(staging, path, record, files)
        rows += record.rows
        display.update(rows)


def _collect(plan: Plan, staging: Staging, files: Files) -> None:
    """Take over the finished shards of all ranks, and remove their working folders.

    Raises:
        OutputError: if a rank is at work.
    """
    for name in share_folders(staging.folder):
        share = Staging(staging.folder, name)
        share.open()
        try:
            finished = share.finished() if _is_ours(plan, share, AS_USUAL) else {}
            for file, record in finished.items():
                if file not in files:
                    _add(staging, share.tree / file, record, files)
            share.discard()
        finally:
            share.keep()


def _recorded(plan: Plan, staging: Staging, files: Files) -> Selection | None:
    """Return the selection of an earlier run, if its record is complete and unchanged."""
    note = staging.read(_SELECTION_NOTE)
    try:
        found = TypeAdapter(SelectedRecord).validate_json(json.dumps(note), strict=True)
    except ValidationError:  # there is none, or one of another version of synthgen
        return None
    paths = {split.name: membership_file(split.name) for split in plan.splits}
    if not files.keys() >= {*paths.values()}:
        return None
    members = {name: read_membership(staging.tree / file) for name, file in paths.items()}
    return Selection(members, found)


def _adopted(plan: Plan, place: Place) -> Selection | None:
    """Return the selection of this plan that is in the output folder, if it is unchanged."""
    try:
        manifest = place.manifest()
        if manifest.fingerprint != plan.fingerprint:
            return None
        members = {
            split.name: recorded_membership(place, manifest, split, plan.sources)
            for split in manifest.splits
        }
    except DatasetError:
        return None
    record = SelectedRecord(manifest.splits, manifest.selection, manifest.divergence)
    return Selection(members, record)


def _select(
    plan: Plan, staging: Staging, engine: LocalEngine, phases: Phases, how: How
) -> Selection:
    """Select, and gather the spilled rows into few files."""
    wanted = sum(split.spec.rows for split in plan.splits)
    with phases.phase("select", wanted) as display:
        spill_in = None if how.select_only else staging.temporary
        selection = select(plan, engine, display.update, spill_in)
        display.update(sum(map(len, selection.members.values())))
        spills = spills_of(staging.temporary, plan.sources, plan.row_axes)
        groups = spilled_groups(staging.temporary, spills)
        for _ in engine.map(gather, groups, plan.common):
            pass
    return selection


def _record(staging: Staging, selection: Selection, files: Files) -> None:
    """Record the membership; the note that marks it as complete is written last."""
    for name, rows in selection.members.items():
        path = staging.temporary / f"{name}.members"
        with_room(staging.temporary, partial(write_membership, path, rows))
        _add(staging, path, _file_record(path, membership_file(name)), files)
    note = asdict(selection.record)
    with_room(staging.temporary, partial(staging.write, _SELECTION_NOTE, note))


def _add(staging: Staging, path: Path, record: Finished, files: Files) -> None:
    """Move a finished file into the tree."""
    with_room(staging.temporary, partial(staging.add, path, record))
    files[record.file] = record


def _file_record(path: Path, file: str) -> FileRecord:
    return FileRecord(file, path.stat().st_size, file_sha256(path))


def _shard_tasks(
    plan: Plan, staging: Staging, members: dict[str, Membership]
) -> Iterator[ShardTask]:
    output = plan.recipe.output
    for split in plan.splits:
        rows = members[split.name]
        shards = max(1, -(-len(rows) // output.rows_per_shard))
        for shard in range(shards):
            name = f"{split.name}-{shard:05d}-of-{shards:05d}.parquet"
            start = shard * output.rows_per_shard
            yield ShardTask(
                split=split.name,
                file=f"data/{name}",
                path=staging.temporary / name,
                members=rows.take(slice(start, start + output.rows_per_shard)),
                sources=plan.sources,
                axes=plan.row_axes,
                row_group=output.row_group,
                spilled_in=staging.temporary,
            )


def _write_papers(plan: Plan, staging: Staging, found: SelectedRecord, files: Files) -> None:
    """Write all files other than the shards, the manifest last."""
    card = plan.recipe.card.model_dump() | {"description": plan.recipe.description}
    manifest = _manifest(plan, found, [*files.values()])
    papers = {"recipe.toml": plan.draft.text, "README.md": render_card(manifest, card)}
    if manifest.has_data:
        papers["croissant.json"] = render_croissant(manifest, card)
        papers |= render_evaluations(manifest)
    for name, text in papers.items():
        path = staging.temporary / name
        with_room(staging.temporary, partial(write_durably, path, text))
        _add(staging, path, _file_record(path, name), files)
    whole = to_json(_manifest(plan, found, [*files.values()]))
    with_room(staging.temporary, partial(write_durably, staging.tree / MANIFEST_FILE, whole))


_LIBRARIES = ("numpy", "numba", "polars", "pyarrow", "sympy")


def _manifest(
    plan: Plan, found: SelectedRecord, files: Sequence[ShardRecord | FileRecord]
) -> Manifest:
    """Return the manifest of a build, from the records of its selection and finished files."""
    schema = row_schema(plan.row_axes)
    meanings = column_meanings(plan.row_axes)
    files = sorted(files, key=lambda record: record.file)
    shards = [file for file in files if isinstance(file, ShardRecord)]
    picked = {table.name for table in plan.recipe.axis if table.picked}
    return Manifest(
        format=FORMAT if shards else SELECTION_FORMAT,
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
        splits=tuple(
            replace(
                split,
                shards=tuple(s for s in shards if s.file.startswith(f"data/{split.name}-")),
            )
            for split in found.splits
        ),
        selection=found.selection,
        totals=TotalsRecord(
            rows=sum(split.rows for split in found.splits),
            verified=sum(shard.verified for shard in shards),
        ),
        files=tuple(file for file in files if isinstance(file, FileRecord)),
        divergence=found.divergence,
        computed=tuple(
            ComputedRecord.of_axis(axis, picked=axis.name in picked) for axis in plan.computed
        ),
        groups=plan.groups,
    )


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
