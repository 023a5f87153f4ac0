"""What the commands share: the app, options that several have, and the console."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

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


def plain_console() -> Console:
    """Return a console that is as wide as the terminal, or as a page."""
    return Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 120)


def display_of(console: Console) -> Bars | Lines:
    """Return bars for somebody who watches, plain lines for a file."""
    from synthgen.progress import Bars, Lines

    return Bars(console) if console.is_terminal else Lines(console)


def print_json(value: Any) -> None:
    """Print what a command found, for machines."""
    print(json.dumps(value, indent=1, default=str))
