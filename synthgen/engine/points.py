"""Build every point of a recipe: one dataset, or those of a sweep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from synthgen.core.errors import OutputError, VerificationError
from synthgen.dataset.manifest import MANIFEST_FILE
from synthgen.dataset.places import Place
from synthgen.dataset.reader import open_dataset
from synthgen.dataset.shards import disk_error
from synthgen.engine.build import BuildResult
from synthgen.engine.build import build as build_plan
from synthgen.engine.earlier_runs import BuildMode
from synthgen.engine.plan.plan import make_plan
from synthgen.engine.progress import Phases
from synthgen.engine.workers.local import LocalEngine
from synthgen.recipe.draft import Draft


def build_points(
    draft: Draft,
    points: Mapping[str, Draft],
    out: str | Path | None,
    running: LocalEngine,
    mode: Mapping[str, Any],
    phases: Phases | None,
) -> Iterator[tuple[str, BuildResult]]:
    """Build each point of a recipe, and yield its name and result."""
    plans = {name: make_plan(point) for name, point in points.items()}
    usual = f"outputs/{plans[next(iter(plans))].recipe.name}"
    top = Place.from_path(usual if out is None else out)
    if "" not in plans and MANIFEST_FILE in top.stored([MANIFEST_FILE]):
        msg = f"{top.root} is a dataset: expected a folder for those of a sweep, as --out"
        raise OutputError(msg)
    watched = phases or Phases()
    built: dict[str, BuildResult] = {}
    for name, plan in plans.items():
        watched.seconds.clear()
        try:
            place = top.at(name)
            built[name] = build_plan(plan, place.root, running, watched, BuildMode(**mode))
        except OSError as error:
            if error.filename is None:  # not of the folder, but of an output showing progress
                raise
            raise disk_error(error, Path(place.root)) from error
        _check_same(draft, built)
        yield name, built[name]


def _check_same(draft: Draft, built: Mapping[str, BuildResult]) -> None:
    """Raise RecipeError if a split that should be the same differs in the last point."""
    sweep = draft.recipe.sweep if draft.recipe else None
    one, *_, other = [*built, *built]
    faults = []

    def files_of(name: str) -> dict[str, list[str]]:
        return {s.name: [shard.sha256 for shard in s.shards] for s in built[name].manifest.splits}

    for place, split in enumerate(sweep.same if sweep else ()):
        if files_of(one).get(split) != files_of(other).get(split):
            message = f"same={split!r}: expected the same rows in {one!r} and {other!r}"
            faults.append(draft.fault(f"sweep.same.{place}", message))
    if faults:
        draft.fail(faults)


def check_digest(result: BuildResult, expected: str | None) -> None:
    """Check that a dataset has a digest; if it was there before, its rows are read again.

    Raises:
        VerificationError: if it has another one.
    """
    if expected is None:
        return
    dataset = open_dataset(result.folder)
    actual = dataset.digest() if result.was_there else dataset.manifest.digest
    if actual != expected:
        msg = f"{result.folder}: the rows have the digest {actual}, expected {expected}"
        raise VerificationError(msg)
