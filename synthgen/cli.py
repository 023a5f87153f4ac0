"""The command line. Heavy modules are imported by the command that needs them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from synthgen import __version__
from synthgen.__main__ import INTERRUPTED
from synthgen.core.errors import EXIT_CHECK_FAILED, SynthgenError

if TYPE_CHECKING:
    from synthgen.progress import Bars, Lines


app = typer.Typer(
    name="synthgen",
    help="Compositional training data: recipes in, finished, verified, audited datasets out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

RecipeName = Annotated[str, typer.Argument(metavar="RECIPE", help="Path, or a bundled name.")]
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a built dataset.")]
Sets = Annotated[
    list[str] | None, typer.Option("--set", metavar="A.B=C", help="Change one value; repeatable.")
]
Rows = Annotated[int | None, typer.Option(help="Rows of all splits together, in proportion.")]
Scale = Annotated[float | None, typer.Option(help="Factor on the rows of every split.")]
Seed = Annotated[int | None, typer.Option(help="In the place of the recipe's seed.")]
Workers = Annotated[int | None, typer.Option(min=1, max=1024, help="Processes; 1 runs in place.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


def run() -> None:
    """Run the command line; mistakes end in a message and an exit code, never in a traceback."""
    try:
        app()
    except SynthgenError as error:
        Console(stderr=True, soft_wrap=True).print(f"error: {error}", markup=False, highlight=False)
        sys.exit(error.exit_code)


@app.command()
def build(
    recipe: RecipeName,
    out: Annotated[Path | None, typer.Option(help="Default: outputs/NAME.")] = None,
    rows: Rows = None,
    scale: Scale = None,
    seed: Seed = None,
    workers: Workers = None,
    engine: Annotated[str, typer.Option(help="Where tasks run: local.")] = "local",
    fresh: Annotated[bool, typer.Option("--fresh", help="Build again from nothing.")] = False,
    sets: Sets = None,
    as_json: AsJson = False,
) -> None:
    """Build a dataset, or finish one that was interrupted."""
    from synthgen import api
    from synthgen.engine.progress import Phases, Silent

    console = _console()
    phases = Phases(Silent() if as_json else _display(console))
    try:
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
        )
    except KeyboardInterrupt:
        typer.echo("stopped; the same command goes on from what is finished", err=True)
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        from synthgen.dataset.manifest import to_json

        built = json.loads(to_json(result.manifest))
        _print_json({"folder": str(result.folder), "seconds": phases.seconds, "manifest": built})
    else:
        from synthgen.terminal import show_build

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
    from synthgen.recipe.loader import find_recipe, read_recipe
    from synthgen.recipe.overrides import Overrides

    overrides = Overrides(tuple(sets or ()), rows, scale, seed)
    plan = make_plan(read_recipe(find_recipe(recipe), overrides))
    splits = {split.name: split.spec.rows for split in plan.splits}
    if as_json:
        _print_json({"name": plan.recipe.name, "fingerprint": plan.fingerprint, "splits": splits})
        return
    console = _console()
    console.print(f"{plan.recipe.name}: no faults; {sum(splits.values()):,} rows")
    for name, count in splits.items():
        console.print(f"  {name}: {count:,}")


@app.command()
def preview(
    recipe: RecipeName,
    n: Annotated[int, typer.Option("-n", min=1, max=1000, help="Rows of each split.")] = 5,
    split: Annotated[str | None, typer.Option(help="Only this split.")] = None,
    seed: Seed = None,
    sets: Sets = None,
    as_json: AsJson = False,
) -> None:
    """Show a few verified rows of each split without building anything."""
    from synthgen.engine.local import LocalEngine
    from synthgen.engine.plan import make_plan
    from synthgen.engine.preview import preview as preview_rows
    from synthgen.recipe.loader import find_recipe, read_recipe
    from synthgen.recipe.overrides import Overrides
    from synthgen.terminal import show_rows

    draft = read_recipe(find_recipe(recipe), Overrides(tuple(sets or ()), seed=seed))
    found = preview_rows(make_plan(draft), LocalEngine(1), n, split)
    if as_json:
        _print_json(found)
    else:
        show_rows(_console(), found)


@app.command("list")
def list_names(as_json: AsJson = False) -> None:
    """List generators and bundled recipes."""
    from synthgen.core.registry import generator_names, generator_summary
    from synthgen.recipe.bundled import bundled_names, bundled_summary

    generators = {name: generator_summary(name) for name in generator_names()}
    if as_json:
        _print_json({"generators": generators, "recipes": bundled_names()})
        return
    console = _console()
    recipes = {name: bundled_summary(name) for name in bundled_names()}
    for kind, summaries in (("generators", generators), ("recipes", recipes)):
        console.print(kind)
        width = max(map(len, summaries))
        for name, summary in summaries.items():
            console.print(f"  {name:{width}}  {summary}", markup=False)


@app.command()
def describe(
    generator: Annotated[str, typer.Argument(metavar="GENERATOR")], as_json: AsJson = False
) -> None:
    """Describe a generator: parameters, axes, styles, space."""
    from synthgen.engine.describe import describe as describe_generator
    from synthgen.terminal import show_description

    about = describe_generator(generator)
    if as_json:
        _print_json(about)
    else:
        show_description(_console(), about)


@app.command()
def verify(
    folder: Folder,
    symbolic: Annotated[float, typer.Option(min=0, max=1, help="Share checked twice.")] = 0.01,
    rebuild: Annotated[int, typer.Option(min=0, help="Rows a split to make again.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Check every answer of a dataset again, from its text."""
    from dataclasses import asdict

    from synthgen.engine.progress import Silent
    from synthgen.engine.verify import verify as verify_dataset

    found = verify_dataset(folder, symbolic, rebuild, Silent().update)
    if as_json:
        _print_json({"ok": found.ok, **asdict(found)})
    else:
        console = _console()
        for row in found.examples:
            console.print(f"{row['split']}: {row['why']}: {row['prompt']!r} -> {row['answer']!r}")
        console.print(
            f"{found.rows:,} rows checked, {found.symbolic:,} of them twice, "
            f"{found.rebuilt:,} made again: {found.wrong:,} wrong"
        )
    if not found.ok:
        sys.exit(EXIT_CHECK_FAILED)


@app.command()
def check(
    generator: Annotated[str, typer.Argument(metavar="GENERATOR")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Prompts and answers of anybody's.")],
    prompt_col: Annotated[str | None, typer.Option(help="Default: prompt or the like.")] = None,
    answer_col: Annotated[str | None, typer.Option(help="Default: answer or the like.")] = None,
    solution_col: Annotated[str | None, typer.Option(help="Default: none.")] = None,
    answers: Annotated[Path | None, typer.Option(help="If FILE has prompts only.")] = None,
    form: Annotated[str | None, typer.Option("--format", help="tsv csv jsonl parquet scan")] = None,
    no_header: Annotated[bool, typer.Option("--no-header", help="Columns are 1, 2 ...")] = False,
    show: Annotated[int, typer.Option(min=0, max=1000, help="Failing rows to show.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Check anybody's prompts and answers with the verifier of a generator."""
    from dataclasses import asdict

    from synthgen.dataset.foreign import open_foreign
    from synthgen.dataset.foreign.columns import Wanted
    from synthgen.engine.check import check as check_rows
    from synthgen.terminal import show_check

    wanted = Wanted(prompt_col, answer_col, solution_col)
    with open_foreign(file, wanted, form=form, header=not no_header, answers=answers) as foreign:
        found = check_rows(generator, foreign.batches, show)
    if as_json:
        columns = foreign.columns and asdict(foreign.columns)
        about = {"ok": found.ok, "file": str(file), "format": foreign.form, "columns": columns}
        _print_json({**about, "fail": found.fail, **asdict(found)})
    else:
        show_check(_console(), foreign, found)
    if not found.ok:
        sys.exit(EXIT_CHECK_FAILED)


@app.command()
def score(
    folder: Folder,
    predictions: Annotated[Path, typer.Option(help="A model's outputs, with the ids of rows.")],
    split: Annotated[list[str] | None, typer.Option(help="Default: every split.")] = None,
    id_col: Annotated[str, typer.Option(help="Column of ids.")] = "id",
    prediction_col: Annotated[str, typer.Option(help="Column of outputs.")] = "prediction",
    form: Annotated[str | None, typer.Option("--format", help="tsv csv jsonl parquet")] = None,
    as_json: AsJson = False,
) -> None:
    """Score a model's predictions: answers by their type, texts by the skills they show."""
    from dataclasses import asdict

    from synthgen.dataset.foreign import open_foreign
    from synthgen.dataset.foreign.columns import Wanted
    from synthgen.dataset.reader import open_dataset
    from synthgen.terminal_scores import show_scores
    from synthgen.training.scoring import read_predictions
    from synthgen.training.scoring import score as score_dataset

    dataset = open_dataset(folder)
    splits = split or list(dataset.splits)
    for name in splits:
        dataset.rows(name)  # tells an unknown one before anything is read
    with open_foreign(predictions, Wanted(id_col, prediction_col), form=form) as foreign:
        given = read_predictions(foreign.batches)
    found = score_dataset(dataset, given, splits)
    if as_json:
        _print_json(asdict(found))
    else:
        show_scores(_console(), found)
    if found.strangers:
        sys.exit(EXIT_CHECK_FAILED)


@app.command()
def audit(folder: Folder, as_json: AsJson = False) -> None:
    """Recompute splits, duplicates and overlap from the files alone."""
    from synthgen.audit.report import audit as audit_dataset
    from synthgen.audit.report import write_report
    from synthgen.audit.terminal import show_report

    report = audit_dataset(folder)
    write_report(folder, report)
    if as_json:
        _print_json(report.to_dict())
    else:
        show_report(_console(), report)
    if not report.ok:
        sys.exit(EXIT_CHECK_FAILED)


def _show_version(wanted: bool) -> None:  # noqa: FBT001  # the form of an option's callback
    if wanted:
        typer.echo(f"synthgen {__version__}")
        raise typer.Exit


@app.callback()
def main(
    _: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Version.")
    ] = False,
) -> None:
    """Compositional training data."""


def _console() -> Console:
    return Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 120)


def _display(console: Console) -> Bars | Lines:
    """Return bars for somebody who watches, plain lines for a file."""
    from synthgen.progress import Bars, Lines

    return Bars(console) if console.is_terminal else Lines(console)


def _print_json(value: Any) -> None:
    print(json.dumps(value, indent=1, default=str))
