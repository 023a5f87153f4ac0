"""Commands that take a recipe, and new-family."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import nullcontext, redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from synthgen.cli.common import (
    AsJson,
    Digest,
    RecipeName,
    Rows,
    Scale,
    Seed,
    Sets,
    Workers,
    at_work,
    command,
    next_lines,
    plain_console,
    print_json,
    say,
    say_error,
)
from synthgen.cli.interrupts import RESUMED, STOPPED, Ending, ended_by_interrupt

if TYPE_CHECKING:
    from synthgen.engine.build import BuildResult
    from synthgen.engine.plan.plan import Plan
    from synthgen.engine.progress import Phases


Engine = Annotated[str, typer.Option(help="Where the tasks run: local or ray.")]
Address = Annotated[
    str | None,
    typer.Option(help="Address of a Ray cluster (default: the one here, or Ray starts)."),
]
SelectOnly = Annotated[
    bool, typer.Option("--select-only", help="Store which rows are selected, but no data.")
]
Rank = Annotated[int | None, typer.Option(help="Make only this share of a stored selection.")]
Yes = Annotated[bool, typer.Option("--yes", help="Start even if it cannot fit.")]
WorldSize = Annotated[int | None, typer.Option(help="Number of ranks.")]


@command()
def build(
    recipe: RecipeName,
    out: Annotated[str | None, typer.Option(help="Folder or URL (default: outputs/NAME).")] = None,
    rows: Rows = None,
    scale: Scale = None,
    seed: Seed = None,
    workers: Workers = None,
    engine: Engine = "local",
    address: Address = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Rebuild from scratch.")] = False,
    select_only: SelectOnly = False,
    rank: Rank = None,
    world_size: WorldSize = None,
    expect: Digest = None,
    yes: Yes = False,
    sets: Sets = None,
    as_json: AsJson = False,
) -> None:
    """Build a dataset, or resume an interrupted build."""
    from synthgen import api

    console = plain_console()
    phases = _phases(console, as_json=as_json)
    share = "" if rank is None else f"rank {rank} of {world_size}"
    points: dict[str, Any] = {}
    keep, show = partial(_keep, points, phases), partial(_show, console, phases, share)
    ending = Ending(RESUMED)
    # Ray prints reports of lost nodes.
    with redirect_stdout(sys.stderr) if as_json else nullcontext():
        api.build(
            recipe,
            out,
            rows=rows,
            scale=scale,
            seed=seed,
            sets=sets or (),
            workers=workers,
            engine=engine,
            address=address,
            fresh=fresh,
            select_only=select_only,
            rank=rank,
            world_size=world_size,
            expect=expect,
            yes=yes,
            each=partial(_take, keep if as_json else show, ending, share),
            phases=phases,
            guard=ended_by_interrupt(ending),
        )
    if as_json:
        _print_points(points)


def _phases(console: Console, *, as_json: bool) -> Phases:
    """Return the phases of a build, which show their progress."""
    from synthgen.cli.progress_display import Notes, display_of
    from synthgen.engine.progress import Phases

    return Phases(Notes() if as_json else display_of(console))


def _take(
    take: Callable[[str, BuildResult], None],
    ending: Ending,
    share: str,
    name: str,
    result: BuildResult,
) -> None:
    """Take a dataset, which an interrupt leaves complete; points of a sweep may follow."""
    if result.was_there or not share:
        ending.message = f"{STOPPED}; {result.folder} is complete"
    take(name, result)
    if name:
        ending.message = RESUMED


def _show(console: Console, phases: Phases, share: str, name: str, result: BuildResult) -> None:
    """Show a dataset, or only that a share of its shards is made."""
    if name:
        say(console, name, "bold")
    if share and not result.was_there:
        say(console, f"{share} has made its shards; when all ranks have, run the same command")
        say(console, "without --rank and --world-size")
        return
    from synthgen.auditing.html import HTML_FILE
    from synthgen.cli.terminal import show_build, show_next, show_shortcut

    show_build(console, result, phases.seconds)
    if not result.was_there and result.manifest.has_data:
        show_shortcut(console, result.folder)
    show_next(console, result, HTML_FILE)


def _keep(points: dict[str, Any], phases: Phases, name: str, result: BuildResult) -> None:
    """Keep what is known of a dataset by the name of its point."""
    from synthgen.dataset.manifest import to_json

    about: dict[str, Any] = {"folder": str(result.folder), "seconds": dict(phases.seconds)}
    about["digest"] = result.manifest.digest
    points[name] = about | {"manifest": json.loads(to_json(result.manifest))}


def _print_points(points: dict[str, Any]) -> None:
    """Print the description of the only point, or those of all points of a sweep by name."""
    print_json(points.get("", {"points": points}))


@command()
def validate(
    recipe: RecipeName,
    rows: Rows = None,
    scale: Scale = None,
    seed: Seed = None,
    sets: Sets = None,
    as_json: AsJson = False,
) -> None:
    """Check a recipe without building it."""
    from synthgen.api import plans_of
    from synthgen.recipe.overrides import Overrides

    plans = dict(plans_of(recipe, Overrides(tuple(sets or ()), rows, scale, seed)))
    if as_json:
        _print_points({name: _about(plan) for name, plan in plans.items()})
        return
    console = plain_console()
    for name, plan in plans.items():
        if name:
            say(console, name, "bold")
        _show_plan(console, plan)
    if len(plans) > 1:
        say(console, f"{len(plans)} points")


def _about(plan: Plan) -> dict[str, Any]:
    from synthgen.engine.plan.feasibility import notes

    return {
        "name": plan.recipe.name,
        "fingerprint": plan.fingerprint,
        "splits": {split.name: split.spec.rows for split in plan.splits},
        "sources": [source.name for source in plan.sources],
        "notes": list(notes(plan.proposing, plan.splits, plan.axes)),
        "axes": {axis.name: list(axis.chosen) for axis in plan.computed},
    }


def _show_plan(console: Console, plan: Plan) -> None:
    from synthgen.engine.plan.sources import spread_names

    about = _about(plan)
    say(console, f"{plan.recipe.name}: valid; {sum(about['splits'].values()):,} rows")
    for name, count in about["splits"].items():
        say(console, f"  {name}: {count:,}")
    for name, names in spread_names(plan.sources).items():
        say(console, f"source {name}: spread over {len(names)}, {names[0]} to {names[-1]}")
    for name, chosen in about["axes"].items():
        say(console, f"axis {name}: {', '.join(chosen)}")
    for note in about["notes"]:
        say(console, f"note: {note}")


@command()
def preview(
    recipe: RecipeName,
    n: Annotated[int, typer.Option("-n", min=1, max=1000, help="Rows per split.")] = 5,
    split: Annotated[str | None, typer.Option(help="Only this split.")] = None,
    seed: Seed = None,
    sets: Sets = None,
    html: Annotated[Path | None, typer.Option(help="HTML page to write instead.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show a few verified rows of each split without building anything."""
    from synthgen.engine.workers.local import usable_cores
    from synthgen.engine.workers.start import start_engine
    from synthgen.recipe.loader import find_recipe, read_points, read_recipe
    from synthgen.recipe.overrides import Overrides

    read = read_recipe(find_recipe(recipe), Overrides(tuple(sets or ()), seed=seed))
    point, draft = next(iter(read_points(read).items()))
    engine = start_engine(draft, min(2, usable_cores()))  # two compile side by side
    with engine, ended_by_interrupt(), at_work("preview"):
        from synthgen.engine.plan.feasibility import barren_sources
        from synthgen.engine.plan.plan import make_plan
        from synthgen.engine.preview import preview as preview_rows
        from synthgen.engine.select.select import load_kernels

        plan = make_plan(draft)
        notes_of_sources = engine.map(barren_sources, [plan.proposing])  # a worker has the kernels
        load_kernels(plan)
        for note in next(notes_of_sources):
            say_error(f"note: {note}")
        rows = preview_rows(plan, engine, n, split)
    if html:
        from synthgen.cli.pages import write_rows

        write_rows(html, plan.recipe.name, rows)
    if as_json:
        from synthgen.core.images import as_text

        print_json({name: [*map(as_text, each)] for name, each in rows.items()})
        return
    console = plain_console()
    if point:
        say(console, f"{point}, the first point of the sweep")
    if html:
        say(console, f"page: {html}")
        return
    from synthgen.cli.terminal import show_rows

    show_rows(console, rows)


@command("new-family")
def new_family(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Lower case, with underscores.")],
    folder: Annotated[
        Path, typer.Option("--into", help="A synthgen checkout or any folder.")
    ] = Path(),
) -> None:
    """Write a starter family with a passing test and recipe."""
    from synthgen.authoring.new_family import new_family as write

    paths = write(name, folder)
    for path in paths:
        typer.echo(path)
    test = next(path for path in paths if path.name.startswith("test_"))
    recipe = next(path for path in paths if path.parent.name == "recipes")
    project = next((path.parent for path in paths if path.name == "pyproject.toml"), folder)
    is_installed = project.resolve() == Path(__file__).resolve().parents[2]
    install = [] if is_installed else [f"pip install -e {project}    registers the family"]
    for line in next_lines(*install, f"pytest {test}", f"synthgen preview {recipe}"):
        say_error(line)
