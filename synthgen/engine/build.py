"""BUILD: turn a plan into a committed dataset folder, resuming an interrupted run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from synthgen.core.errors import OutputError, RecipeError, VerificationError
from synthgen.dataset.card import render_card
from synthgen.dataset.croissant import render_croissant
from synthgen.dataset.manifest import MANIFEST_FILE, Manifest, read_manifest, to_json
from synthgen.dataset.membership import Membership, read_membership, write_membership
from synthgen.dataset.reader import open_dataset
from synthgen.dataset.staging import ENTRIES, WORK_FOLDER, Staging, write_durably
from synthgen.engine.blocks import keep_of
from synthgen.engine.kept import gather, groups_kept
from synthgen.engine.local import LocalEngine
from synthgen.engine.materialise import ShardResult, ShardTask, materialise
from synthgen.engine.plan import Plan
from synthgen.engine.progress import Phases
from synthgen.engine.records import NOTE_FORMAT, make_manifest, selection_note
from synthgen.engine.select import select
from synthgen.recipe.fingerprint import differing_keys

_BUILD_NOTE = "build.json"
_SELECTION_NOTE = "selection.json"

Selected: TypeAlias = tuple[dict[str, Any], dict[str, Membership]]
"""The recorded selection, and the members of each split."""


@dataclass(frozen=True, slots=True)
class BuildResult:
    """A finished dataset.

    Attributes:
        folder: its folder.
        manifest: its manifest.
        was_there: whether it was already built, so that nothing was done.
        shards_kept: shards that an earlier, interrupted run had finished.
    """

    folder: Path
    manifest: Manifest
    was_there: bool
    shards_kept: int


def build(
    plan: Plan, folder: Path, engine: LocalEngine, phases: Phases, *, fresh: bool = False
) -> BuildResult:
    """Build a dataset, resume an interrupted build, or return a finished one.

    Args:
        plan: plan of the recipe.
        folder: output folder; created if missing.
        engine: runs the tasks.
        phases: receives progress.
        fresh: build from scratch, replacing an existing dataset.

    Raises:
        OutputError: if the folder holds something else, is in use, or cannot be written.
        ShortfallError: if a split cannot be filled.
        VerificationError: if a row is wrong; no dataset is left.
    """
    _check_folder(folder)
    found = _finished(plan, folder, fresh=fresh)
    staging = Staging(folder)
    if found and not staging.work.exists():
        return BuildResult(folder, found, was_there=True, shards_kept=0)
    staging.open()
    try:
        if found:
            staging.discard()
            return BuildResult(folder, found, was_there=True, shards_kept=0)
        _claim(plan, staging, fresh=fresh)
        kept = 0
        if not (staging.tree / MANIFEST_FILE).exists():
            kept = _fill(plan, staging, engine, phases)
        staging.commit()
    except (RecipeError, VerificationError):
        engine.close()  # workers may still be writing into the files removed here
        staging.discard()
        raise
    except BaseException:
        staging.keep()
        raise
    return BuildResult(folder, read_manifest(folder), was_there=False, shards_kept=kept)


def _check_folder(folder: Path) -> None:
    """Reject a folder with anything but a synthgen dataset or an unfinished build."""
    if not folder.exists():
        return
    if not folder.is_dir():
        msg = f"{folder} is a file; name a folder with --out"
        raise OutputError(msg)
    names = {path.name for path in folder.iterdir()}
    known = {*ENTRIES, MANIFEST_FILE, WORK_FOLDER, "audit"}
    if names and not names & {MANIFEST_FILE, WORK_FOLDER}:
        msg = f"{folder} is not empty and is not a synthgen dataset; name another folder with --out"
        raise OutputError(msg)
    if names - known:
        foreign = ", ".join(sorted(names - known)[:5])
        msg = f"{folder} holds files that synthgen did not write ({foreign}); move them away first"
        raise OutputError(msg)


def _finished(plan: Plan, folder: Path, *, fresh: bool) -> Manifest | None:
    """Return the manifest if this dataset already exists; raise if another one does."""
    if fresh or not (folder / MANIFEST_FILE).exists():
        return None
    manifest = read_manifest(folder)
    if manifest.fingerprint != plan.fingerprint:
        versions = {source.generator: source.version for source in manifest.sources}
        lists = {split.name: split.members.sha256 for split in manifest.splits if split.members}
        other: dict[str, object] = {"recipe": manifest.recipe, "versions": versions}
        _refuse(plan, folder, other | ({"members": lists} if lists else {}))
    open_dataset(folder)
    return manifest


def _claim(plan: Plan, staging: Staging, *, fresh: bool) -> None:
    """Check that files of an interrupted build belong to this plan."""
    note = staging.read(_BUILD_NOTE)
    if note is not None and note.get("fingerprint") != plan.fingerprint and not fresh:
        _refuse(plan, staging.folder, note.get("content", {}))
    if fresh or note is None:
        staging.restart()
    staging.write(_BUILD_NOTE, {"fingerprint": plan.fingerprint, "content": plan.content})


def _refuse(plan: Plan, folder: Path, other: dict[str, object]) -> None:
    keys = "\n".join(f"  {line}" for line in differing_keys(other, plan.content))
    msg = (
        f"{folder} holds another build, which differs in\n{keys}\n"
        "name another folder with --out, or replace it with --fresh"
    )
    raise OutputError(msg)


def _fill(plan: Plan, staging: Staging, engine: LocalEngine, phases: Phases) -> int:
    """Run all phases in the staging tree; return how many shards were already finished."""
    staging.prepare_tree()
    recorded = _recorded(plan, staging)
    note, members = recorded or _select(plan, staging, engine, phases)
    shards = staging.finished_shards()
    kept = len(shards)
    tasks = [task for task in _shard_tasks(plan, staging, members) if task.name not in shards]
    tasks.sort(key=lambda task: -len(task.members))  # otherwise a large one may be the last
    with phases.phase("write", sum(len(task.members) for task in tasks)) as display:
        results = engine.map(materialise, tasks, plan.common)
        if recorded is None:  # workers write the first shards meanwhile
            _record(staging, members, note)
        rows = 0
        for result in results:
            shards[result.name] = _shard_record(result)
            staging.add_shard(result.path, result.name, shards[result.name])
            rows += result.file.rows
            display.update(rows)
    manifest = make_manifest(plan, note, shards)
    _write_papers(plan, staging, manifest)
    return kept


def _recorded(plan: Plan, staging: Staging) -> Selected | None:
    """Return the selection of an earlier run, if its record is complete."""
    note = staging.read(_SELECTION_NOTE)
    if note is None or note.get("format") != NOTE_FORMAT:
        return None
    names = [split.name for split in plan.splits]
    return note, {name: read_membership(_membership_path(staging, name)) for name in names}


def _select(plan: Plan, staging: Staging, engine: LocalEngine, phases: Phases) -> Selected:
    """Select, and gather the spilled rows."""
    wanted = sum(split.spec.rows for split in plan.splits if split.owns)
    with phases.phase("select", wanted) as display:
        selection = select(plan, engine, display.update, staging.temporary)
        _gather(plan, staging, engine)
    members = {name: result.members for name, result in selection.splits.items()}
    return selection_note(selection), members


def _record(staging: Staging, members: dict[str, Membership], note: dict[str, Any]) -> None:
    """Record the membership; the note that marks it as complete is written last."""
    for name, rows in members.items():
        write_membership(_membership_path(staging, name), rows)
    staging.write(_SELECTION_NOTE, note)


def _gather(plan: Plan, staging: Staging, engine: LocalEngine) -> None:
    """Gather spilled rows into few files."""
    folder = staging.temporary
    places = [keep_of(folder, i, source, plan.row_axes) for i, source in enumerate(plan.sources)]
    keeps = [keep for keep in places if keep]
    for _ in engine.map(gather, groups_kept(folder, keeps), plan.common):
        pass


def _membership_path(staging: Staging, split: str) -> Path:
    return staging.tree / "selection" / f"{split}.parquet"


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
                name=name,
                path=staging.temporary / name,
                members=rows.take(slice(start, start + output.rows_per_shard)),
                sources=plan.sources,
                axes=plan.row_axes,
                row_group=output.row_group,
                symbolic=plan.recipe.verify.symbolic,
                kept_in=staging.temporary,
            )


def _shard_record(result: ShardResult) -> dict[str, Any]:
    return {
        "split": result.split,
        "rows": result.file.rows,
        "bytes": result.file.bytes,
        "sha256": result.file.sha256,
        "content": result.file.content,
        "verified": result.verified,
        "symbolic": result.symbolic,
    }


def _write_papers(plan: Plan, staging: Staging, manifest: Manifest) -> None:
    """Write all files other than the shards, the manifest last."""
    card = plan.recipe.card.model_dump() | {"description": plan.recipe.description}
    write_durably(staging.tree / "recipe.toml", plan.draft.text)
    write_durably(staging.tree / "README.md", render_card(manifest, card))
    write_durably(staging.tree / "croissant.json", render_croissant(manifest, card))
    write_durably(staging.tree / MANIFEST_FILE, to_json(manifest))
