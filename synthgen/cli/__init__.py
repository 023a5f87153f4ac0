"""The command line. Heavy modules are imported by the command that needs them."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.console import Console

from synthgen import __version__
from synthgen.cli import comparing, making, reading
from synthgen.cli.common import app
from synthgen.cli.interrupts import ended_by_interrupt
from synthgen.core.errors import SynthgenError

__all__ = ["app", "comparing", "making", "reading", "run"]


def run() -> None:
    """Run the command line; user errors end in a message and an exit code, not a traceback."""
    try:
        app()
    except SynthgenError as error:
        Console(stderr=True, soft_wrap=True).print(f"error: {error}", markup=False, highlight=False)
        sys.exit(error.exit_code)


def _show_version(wanted: bool) -> None:  # noqa: FBT001  # the form of an option's callback
    if wanted:
        typer.echo(f"synthgen {__version__}")
        raise typer.Exit


@app.callback()
def main(
    context: typer.Context,
    _: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Compositional training data."""
    if context.invoked_subcommand != "build":  # which starts its workers first
        context.with_resource(ended_by_interrupt())
