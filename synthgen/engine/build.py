"""BUILD: turn a plan into a committed dataset folder, resuming an interrupted build.

Everything is made in a working folder (`Staging`): rows are selected and recorded, shards are made,
papers are written, and the finished tree becomes the dataset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

from synthgen.core.errors import AuthorError, OutputError, RecipeError, VerificationError
from synthgen.core.shown import Shown
from synthgen.dataset.content import BLOCK_ROWS
from synthgen.dataset.layout import share_folder, share_folders
from synthgen.dataset.manifest import MANIFEST_FILE, membership_file, shard_files, to_json
from synthgen.dataset.membership import write_membership
from synthgen.dataset.places import Place
from synthgen.dataset.records import FileRecord, Manifest, ShardRecord
from synthgen.dataset.remote import staging_at
from synthgen.dataset.seal import file_sha256
from synthgen.dataset.staging import Finished, Staging, write_durably
from synthgen.engine.earlier_runs import (
    SELECTION_NOTE,
    BuildMode,
    begin,
    claim,
    finished_dataset,
    is_own_work,
    recorded_selection,
    stored_selection,
)
from synthgen.engine.make.kept import Kept, gather, with_room
from synthgen.engine.make.materialise import ShardTask, materialise
from synthgen.engine.needs import check_needs
from synthgen.engine.papers import manifest_of, papers_of
from synthgen.engine.plan.plan import Plan
from synthgen.engine.progress import Display, Phases
from synthgen.engine.select.select import Selection, select
from synthgen.engine.workers.local import LocalEngine

Files: TypeAlias = dict[str, Finished]
"""Records of the finished files of the tree, by path."""

_USUAL = BuildMode()


@dataclass(frozen=True, slots=True, repr=False)
class BuildResult(Shown):
    """A finished dataset.

    Attributes:
        folder: Folder, or URL as a text.
        manifest: Manifest of the dataset.
        was_there: Flag that it was already built, so that nothing was done.
        shards_kept: Shards that an earlier, interrupted run had finished.
    """

    folder: Path | str
    manifest: Manifest
    was_there: bool
    shards_kept: int

    def __repr__(self) -> str:
        rows = ", ".join(f"{split.name} {split.rows:,}" for split in self.manifest.splits)
        return f"<{self.manifest.totals.rows:,} rows in {self.folder}: {rows}>"


def build(
    plan: Plan, folder: Path | str, engine: LocalEngine, phases: Phases, mode: BuildMode = _USUAL
) -> BuildResult:
    """Build a dataset, resume an interrupted build, or return a finished one.

    Args:
        plan: Plan of the recipe.
        folder: Output folder, created if missing, or a URL.
        engine: Engine that runs the tasks.
        phases: Object that receives progress.
        mode: Options: from scratch or not, with or without data.

    Raises:
        AuthorError: if a family has a slip, such as one tree for two problems.
        OutputError: if the folder holds something else, is in use, or cannot be written, or if a
            large build cannot fit.
        ShortfallError: if a split cannot be filled.
        VerificationError: if a row is wrong; no dataset is left.
    """
    staging = staging_at(folder, fresh=mode.fresh)
    place = staging.place
    staging.check()
    finished = finished_dataset(plan, staging, mode)
    if mode.share and not finished:
        return _build_share(plan, place, engine, phases, mode.share)
    if finished and not staging.is_begun:
        return BuildResult(place.folder, finished, was_there=True, shards_kept=0)
    if not (finished or mode.unchecked or (staging.is_begun and is_own_work(plan, staging, mode))):
        check_needs(plan, place.folder, engine.workers, with_data=not mode.select_only)
    staging.open()
    kept = 0
    try:
        if finished:
            staging.discard()
            return BuildResult(place.folder, finished, was_there=True, shards_kept=0)
        is_whole = staging.is_complete and not staging.recall()
        is_own = is_own_work(plan, staging, mode)
        if not is_whole:
            if not is_own:
                claim(plan, staging, mode)
            kept = _fill(plan, staging, engine, phases, mode)
        staging.commit()
    except (AuthorError, RecipeError, VerificationError):
        engine.close()  # workers may still be writing into the files removed here
        staging.discard()
        raise
    except BaseException:
        staging.keep()
        raise
    if is_whole and not is_own:  # the commit of another build was cut short, and is now finished
        return build(plan, folder, engine, phases, mode)
    return BuildResult(place.folder, place.manifest(), was_there=False, shards_kept=kept)


def _fill(
    plan: Plan, staging: Staging, engine: LocalEngine, phases: Phases, mode: BuildMode
) -> int:
    """Make all files of the tree that are missing; return how many shards were there."""
    staging.prepare_tree(with_data=not mode.select_only)
    engine.check_shared(staging.temporary)
    files = staging.finished()
    if not mode.select_only:
        _take_shares(plan, staging, files)
    shards_there = sum(isinstance(record, ShardRecord) for record in files.values())

    wanted = sum(split.spec.rows for split in plan.splits)
    kept = Kept(plan.sources, plan.row_axes, staging.temporary, wanted)
    recorded = recorded_selection(plan, staging, files)
    selection = recorded or (None if mode.fresh else stored_selection(plan, staging.place))
    if selection is None:
        selection = _select(plan, engine, phases, None if mode.select_only else kept)

    tasks = [] if mode.select_only else [*_shard_tasks(plan, staging, selection, kept)]
    tasks = [task for task in tasks if task.file not in files]
    tasks.sort(key=lambda task: -len(task.members))  # otherwise a large one may be the last
    with phases.phase("write", sum(len(task.members) for task in tasks)) as display:
        shards = engine.map(materialise, tasks, (*plan.common, kept))
        if recorded is None:  # workers write the first shards meanwhile
            _record(staging, selection, files)
        _take_shards(shards, staging, files, display)

    unfinished = manifest_of(plan, selection.record, files.values())
    for name, text in papers_of(plan.recipe, plan.draft.text, unfinished).items():
        _write(staging, name, partial(write_durably, text=text), files)
    manifest = to_json(manifest_of(plan, selection.record, files.values()))
    with_room(staging.temporary, partial(write_durably, staging.tree / MANIFEST_FILE, manifest))
    return shards_there


def _take_shares(plan: Plan, staging: Staging, files: Files) -> None:
    """Take over the finished shards of all ranks, and remove their working folders.

    Raises:
        OutputError: if a rank is at work.
    """
    for name in share_folders(staging.folder):
        share = Staging(staging.folder, name)
        share.open()
        try:
            finished = share.finished() if is_own_work(plan, share, _USUAL) else {}
            for file, record in finished.items():
                if file not in files:
                    _add(staging, share.tree / file, record, files)
            share.discard()
        finally:
            share.keep()


def _select(plan: Plan, engine: LocalEngine, phases: Phases, kept: Kept | None) -> Selection:
    """Select, and gather the kept rows into few files."""
    with phases.phase("select", sum(split.spec.rows for split in plan.splits)) as display:
        selection = select(plan, engine, display.update, kept)
        display.update(sum(map(len, selection.members.values())))
        for _ in engine.map(gather, kept.groups() if kept else (), plan.common):
            pass
    for note in selection.notes:
        phases.display.note(note)
    return selection


def _shard_tasks(
    plan: Plan, staging: Staging, selection: Selection, kept: Kept
) -> Iterator[ShardTask]:
    output = plan.recipe.output
    for split in selection.record.splits:
        rows, stop = selection.members[split.name], 0
        for file, size in shard_files(split.name, len(rows), output.rows_per_shard).items():
            start, stop = stop, stop + size
            last = stop - stop % BLOCK_ROWS  # the block that the end cuts, if it begins here
            end = last + BLOCK_ROWS if start <= last < stop else stop
            yield ShardTask(
                split=split.name,
                file=file,
                path=staging.temporary / Path(file).name,
                start=start,
                members=rows.take(slice(start, stop)),
                beyond=rows.take(slice(stop, end)),
                sources=plan.sources,
                axes=plan.row_axes,
                row_group=output.row_group,
                kept=kept,
                noise=split.noise,
            )


def _record(staging: Staging, selection: Selection, files: Files) -> None:
    """Record the membership; the note that marks it as complete is written last."""
    for name, rows in selection.members.items():
        _write(staging, membership_file(name), partial(write_membership, members=rows), files)
    note = asdict(selection.record)
    with_room(staging.temporary, partial(staging.write, SELECTION_NOTE, note))


def _take_shards(
    shards: Iterable[tuple[Path, ShardRecord]], staging: Staging, files: Files, display: Display
) -> None:
    """Take finished shards into the tree, and show progress."""
    rows = 0
    for path, record in shards:
        _add(staging, path, record, files)
        rows += record.rows
        display.update(rows)


def _write(staging: Staging, file: str, write: Callable[[Path], None], files: Files) -> None:
    """Write a file of the tree, given its path there."""
    path = staging.temporary / file.replace("/", "-")
    with_room(staging.temporary, partial(write, path))
    _add(staging, path, FileRecord(file, path.stat().st_size, file_sha256(path)), files)


def _add(staging: Staging, path: Path, record: Finished, files: Files) -> None:
    """Move a finished file into the tree."""
    with_room(staging.temporary, partial(staging.add, path, record))
    files[record.file] = record


def _build_share(
    plan: Plan, place: Place, engine: LocalEngine, phases: Phases, share: tuple[int, int]
) -> BuildResult:
    """Make the shards of one rank in a working folder of its own, and leave them there."""
    if not place.is_local:
        msg = f"{place.root}: ranks need a folder that they share, not a URL"
        raise OutputError(msg)
    selection = stored_selection(plan, place)
    if selection is None:
        msg = f"{place.root} holds no selection of this recipe; store it with --select-only and "
        msg += "without --rank first"
        raise OutputError(msg)
    rank, world_size = share
    staging = Staging(Path(place.root), share_folder(rank, world_size))
    staging.open()
    try:
        if not is_own_work(plan, staging, _USUAL):
            begin(plan, staging, _USUAL)
        staging.prepare_tree()
        files = staging.finished()
        shards_there = len(files)
        kept = Kept(plan.sources, plan.row_axes)
        tasks = [*_shard_tasks(plan, staging, selection, kept)][rank::world_size]
        tasks = [task for task in tasks if task.file not in files]
        with phases.phase("write", sum(len(task.members) for task in tasks)) as display:
            _take_shards(
                engine.map(materialise, tasks, (*plan.common, kept)), staging, files, display
            )
    finally:
        staging.keep()
    return BuildResult(place.folder, place.manifest(), was_there=False, shards_kept=shards_there)
