"""Shared by all commands: the app, common options and the console."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text
from typer.core import TyperGroup

from synthgen.core.figures import printable

if TYPE_CHECKING:
    from synthgen.cli.terminal import Bars, Lines

CLOSED = 128 + 13
"""Exit code where the reader of the output has gone, as of a program that SIGPIPE ends."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave the choice of the exit code to the caller."""
        raise BrokenPipeError


class _Commands(TyperGroup):
    def invoke(self, ctx: Any) -> Any:
        """Run a command; without a reader of its output it ends silently."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise typer.Exit(CLOSED) from None


app = typer.Typer(
    cls=_Commands,
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
    """Return a console as wide as the terminal, or 120 columns if output is redirected.

    It reads no markup, as most of what is printed comes from data.
    """
    width = None if sys.stdout.isatty() else 120
    return _Console(markup=False, emoji=False, highlight=False, soft_wrap=True, width=width)


def say(console: Console, text: str, style: str = "") -> None:
    """Print a text as it is, with control characters escaped."""
    console.print(Text(printable(text, "\n\t"), style))


def say_error(text: str) -> None:
    """Print a line for the user beside the output, with control characters escaped."""
    with suppress(OSError):
        typer.echo(printable(text, "\n"), err=True)


def display_of(console: Console) -> Bars | Lines:
    """Return progress bars for a terminal, plain lines otherwise."""
    from synthgen.cli.terminal import Bars, Lines

    return Bars(console) if console.is_terminal else Lines(console)


def print_json(value: Any) -> None:
    """Print the result of a command as JSON."""
    print(json.dumps(value, indent=1, default=str))
