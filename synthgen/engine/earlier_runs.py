"""Results of earlier runs in an output folder: a dataset, a selection, or a build to resume."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass

from pydantic import TypeAdapter, ValidationError

from synthgen.core.errors import DatasetError, OutputError
from synthgen.dataset.manifest import MANIFEST_FILE, Manifest, membership_file
from synthgen.dataset.membership import read_membership
from synthgen.dataset.places import Place
from synthgen.dataset.reader import open_dataset
from synthgen.dataset.records import SelectedRecord
from synthgen.dataset.staging import Staging
from synthgen.engine.make.recorded import recorded_membership
from synthgen.engine.plan.plan import Plan
from synthgen.engine.select.select import Selection
from synthgen.recipe.fingerprint import differing_keys

_BUILD_NOTE = "build.json"
SELECTION_NOTE = "selection.json"


@dataclass(frozen=True, slots=True)
class BuildMode:
    """Options for building a plan.

    Attributes:
        fresh: Flag to replace an existing dataset, which stays until then. The same call
            resumes it if it is interrupted.
        select_only: Flag to make no data. A later call for data begins with the same selection.
        share: Rank and world size, to make only this share of the shards of a stored selection. A
            later call without it takes them over.
        unchecked: Flag to start even if memory or disk cannot suffice.
    """

    fresh: bool = False
    select_only: bool = False
    share: tuple[int, int] | None = None
    unchecked: bool = False


def finished_dataset(plan: Plan, staging: Staging, mode: BuildMode) -> Manifest | None:
    """Return the manifest if this dataset already exists; raise if another one does."""
    place = staging.place
    if mode.fresh or MANIFEST_FILE not in place.stored([MANIFEST_FILE]):
        return None
    try:
        manifest = place.manifest()
    except DatasetError:
        if staging.is_begun and is_own_work(plan, staging, mode):
            return None  # only a part of it has arrived, and it is uploaded again
        raise
    if manifest.fingerprint != plan.fingerprint:
        versions = {source.generator: source.version for source in manifest.sources}
        lists = {split.name: split.members.sha256 for split in manifest.splits if split.members}
        other: dict[str, object] = {"recipe": manifest.recipe, "versions": versions}
        _refuse(plan, place, other | ({"members": lists} if lists else {}))
    if not (manifest.has_data or mode.select_only):
        return None
    open_dataset(place.root, without_data=True)
    return manifest


def is_own_work(plan: Plan, staging: Staging, mode: BuildMode) -> bool:
    """Return whether the work of an interrupted run is to be resumed."""
    note = staging.read(_BUILD_NOTE)
    if note is None or note.get("fingerprint") != plan.fingerprint:
        return False
    if note.get("select_only", False) != mode.select_only:
        return False
    return bool(note.get("fresh")) or not mode.fresh


def claim(plan: Plan, staging: Staging, mode: BuildMode) -> None:
    """Begin from scratch, unless there is work for another plan that was not to be replaced."""
    note = staging.read(_BUILD_NOTE)
    if note is not None and not mode.fresh:
        if note.get("fingerprint") != plan.fingerprint:
            _refuse(plan, staging.place, note.get("content", {}))
        if mode.select_only:
            msg = f"{staging.place.root} holds the unfinished build of this recipe, with data; "
            msg += "finish it without --select-only, or replace it with --fresh"
            raise OutputError(msg)
    begin(plan, staging, mode)


def begin(plan: Plan, staging: Staging, mode: BuildMode) -> None:
    """Begin from scratch."""
    staging.restart()
    about = {"fingerprint": plan.fingerprint, "content": plan.content, **asdict(mode)}
    staging.write(_BUILD_NOTE, about)


def _refuse(plan: Plan, place: Place, other: dict[str, object]) -> None:
    keys = "\n".join(f"  {line}" for line in differing_keys(other, plan.content))
    msg = (
        f"{place.root} holds another build, which differs in\n{keys}\n"
        "name another folder with --out, or replace it with --fresh"
    )
    raise OutputError(msg)


def recorded_selection(plan: Plan, staging: Staging, files: Collection[str]) -> Selection | None:
    """Return the selection of an earlier run, if its record is complete and unchanged."""
    note = staging.read(SELECTION_NOTE)
    try:
        record = TypeAdapter(SelectedRecord).validate_json(json.dumps(note), strict=True)
    except ValidationError:  # there is none, or one of another version of synthgen
        return None
    paths = {split.name: membership_file(split.name) for split in plan.splits}
    if not {*files} >= {*paths.values()}:
        return None
    members = {name: read_membership(staging.tree / file) for name, file in paths.items()}
    return Selection(members, record)


def stored_selection(plan: Plan, place: Place) -> Selection | None:
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
