"""Shared by all commands: the app, common options and the console."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

if TYPE_CHECKING:
    from synthgen.cli.terminal import Bars, Lines

app = typer.Typer(
    name="synthgen",
    help="Compositional training data: recipes in, finished, verified, audited datasets out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

RecipeName = Annotated[str, typer.Argument(metavar="RECIPE", help="Path or bundled name.")]
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a built dataset.")]
Sets = Annotated[
    list[str] | None, typer.Option("--set", metavar="A.B=C", help="Override one value; repeatable.")
]
Rows = Annotated[int | None, typer.Option(help="Total rows, split in proportion.")]
Scale = Annotated[float | None, typer.Option(help="Multiply every split's rows by this.")]
Seed = Annotated[int | None, typer.Option(help="Override the recipe's seed.")]
Workers = Annotated[
    int | None, typer.Option(min=1, max=1024, help="Processes; 1 runs in this one.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def plain_console() -> Console:
    """Return a console as wide as the terminal, or 120 columns if output is redirected."""
    return Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 120)


def display_of(console: Console) -> Bars | Lines:
    """Return progress bars for a terminal, plain lines otherwise."""
    from synthgen.cli.terminal import Bars, Lines

    return Bars(console) if console.is_terminal else Lines(console)


def print_json(value: Any) -> None:
    """Print the result of a command as JSON."""
    print(json.dumps(value, indent=1, default=str))
