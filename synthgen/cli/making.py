"""Commands that take a recipe, and those that list and describe what recipes can name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from synthgen.cli.common import (
    AsJson,
    RecipeName,
    Rows,
    Scale,
    Seed,
    Sets,
    Workers,
    app,
    display_of,
    plain_console,
    print_json,
    say,
    say_error,
)
from synthgen.cli.interrupts import STOPPED, ended_by_interrupt


@app.command()
def build(
    recipe: RecipeName,
    out: Annotated[Path | None, typer.Option(help="Output folder (default: outputs/NAME).")] = None,
    rows: Rows = None,
    scale: Scale = None,
    seed: Seed = None,
    workers: Workers = None,
    engine: Annotated[str, typer.Option(help="Engine that runs the tasks: local.")] = "local",
    fresh: Annotated[bool, typer.Option("--fresh", help="Rebuild from scratch.")] = False,
    sets: Sets = None,
    as_json: AsJson = False,
) -> None:
    """Build a dataset, or resume an interrupted build."""
    from synthgen import api
    from synthgen.core.memory import keep_freed_memory
    from synthgen.engine.progress import Phases, Silent

    keep_freed_memory()
    console = plain_console()
    phases = Phases(Silent() if as_json else display_of(console))
    result = api.build(
        recipe,
        out,
        rows=rows,
        scale=scale,
        seed=seed,
        sets=sets or (),
        workers=workers,
        engine=engine,
        fresh=fresh,
        phases=phases,
        guard=ended_by_interrupt(f"{STOPPED}; run the same command to resume"),
    )
    if as_json:
        from synthgen.dataset.manifest import to_json

        built = json.loads(to_json(result.manifest))
        print_json({"folder": str(result.folder), "seconds": phases.seconds, "manifest": built})
    else:
        from synthgen.cli.terminal import show_build

        show_build(console, result, phases.seconds)


@app.command()
def validate(
    recipe: RecipeName,
    rows: Rows = None,
    scale: Scale = None,
    seed: Seed = None,
    sets: Sets = None,
    as_json: AsJson = False,
) -> None:
    """Check a recipe without building it."""
    from synthgen.engine.plan import make_plan
    from synthgen.engine.reach import notes
    from synthgen.engine.spread_names import spread_names
    from synthgen.recipe.loader import find_recipe, read_recipe
    from synthgen.recipe.overrides import Overrides

    overrides = Overrides(tuple(sets or ()), rows, scale, seed)
    plan = make_plan(read_recipe(find_recipe(recipe), overrides))
    splits = {split.name: split.spec.rows for split in plan.splits}
    found = list(notes(plan))
    computed = {axis.name: list(axis.chosen) for axis in plan.computed}
    if as_json:
        about = {"name": plan.recipe.name, "fingerprint": plan.fingerprint, "splits": splits}
        print_json(
            {
                **about,
                "sources": [source.name for source in plan.sources],
                "notes": found,
                "axes": computed,
            }
        )
        return
    console = plain_console()
    say(console, f"{plan.recipe.name}: valid; {sum(splits.values()):,} rows")
    for name, count in splits.items():
        say(console, f"  {name}: {count:,}")
    for name, names in spread_names(plan.sources).items():
        say(console, f"source {name}: spread over {len(names)}, {names[0]} to {names[-1]}")
    for name, chosen in computed.items():
        say(console, f"axis {name}: {', '.join(chosen)}")
    for note in found:
        say(console, f"note: {note}")


@app.command()
def preview(
    recipe: RecipeName,
    n: Annotated[int, typer.Option("-n", min=1, max=1000, help="Rows per split.")] = 5,
    split: Annotated[str | None, typer.Option(help="Only this split.")] = None,
    seed: Seed = None,
    sets: Sets = None,
    as_json: AsJson = False,
) -> None:
    """Show a few verified rows of each split without building anything."""
    from synthgen.cli.terminal import show_rows
    from synthgen.engine.local import LocalEngine
    from synthgen.engine.plan import make_plan
    from synthgen.engine.preview import preview as preview_rows
    from synthgen.engine.reach import barren_sources
    from synthgen.recipe.loader import find_recipe, read_recipe
    from synthgen.recipe.overrides import Overrides

    draft = read_recipe(find_recipe(recipe), Overrides(tuple(sets or ()), seed=seed))
    plan = make_plan(draft)
    for note in barren_sources(plan):
        say_error(f"note: {note}")
    found = preview_rows(plan, LocalEngine(1), n, split)
    if as_json:
        print_json(found)
    else:
        show_rows(plain_console(), found)


@app.command("list")
def list_names(as_json: AsJson = False) -> None:
    """List generators and bundled recipes."""
    from synthgen.core.registry import generator_names, generator_summary
    from synthgen.recipe.bundled import bundled_names, bundled_summary

    generators = {name: generator_summary(name) for name in generator_names()}
    if as_json:
        print_json({"generators": generators, "recipes": bundled_names()})
        return
    console = plain_console()
    recipes = {name: bundled_summary(name) for name in bundled_names()}
    for kind, summaries in (("generators", generators), ("recipes", recipes)):
        say(console, kind)
        width = max(map(len, summaries))
        for name, summary in summaries.items():
            say(console, f"  {name:{width}}  {summary}")


@app.command()
def describe(
    generator: Annotated[str, typer.Argument(metavar="GENERATOR")], as_json: AsJson = False
) -> None:
    """Describe a generator: parameters, axes, styles and problem space."""
    from synthgen.cli.terminal import show_description
    from synthgen.engine.preview import describe as describe_generator

    about = describe_generator(generator)
    if as_json:
        print_json(about)
    else:
        show_description(plain_console(), about)


@app.command("new-family")
def new_family(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Lower case, with underscores.")],
    folder: Annotated[
        Path, typer.Option("--into", help="A synthgen checkout or any folder.")
    ] = Path(),
) -> None:
    """Write a starter family with a passing test and recipe."""
    from synthgen.authoring.new_family import new_family as write

    for path in write(name, folder):
        typer.echo(path)
