"""The command line. Heavy modules are imported by the command that needs them."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Annotated

import typer

from synthgen import __version__
from synthgen.cli import comparing, ifeval, listing, making, reading, skill_mix_loop, splitting
from synthgen.cli.common import app, at_work, say_error
from synthgen.cli.help import CLOSED
from synthgen.cli.interrupts import ended_by_interrupt
from synthgen.core.errors import EXIT_USAGE, SynthgenError
from synthgen.core.files import expected_name

__all__ = [
    "app",
    "comparing",
    "ifeval",
    "listing",
    "making",
    "reading",
    "run",
    "skill_mix_loop",
    "splitting",
]


def run() -> None:
    """Run the command line; user errors end in a message and an exit code, not a traceback."""
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except SynthgenError as error:
        say_error(f"error: {error}")
        sys.exit(error.exit_code)
    except BrokenPipeError:
        _drop_output()
        sys.exit(CLOSED)
    except UnicodeEncodeError as error:
        say_error(f"error: {error.object!r}: expected {expected_name(error)}")
        sys.exit(EXIT_USAGE)
    except OSError as error:
        _drop_output()
        place = "" if error.filename is None else f"{error.filename}: "
        say_error(f"error: {place}{error.strerror or error}")
        sys.exit(EXIT_USAGE)


def _drop_output() -> None:
    """Discard the rest of the output, which the interpreter would fail to write at exit."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
    """Make compositional training data.

    A recipe goes in, and a verified dataset with an audit report comes out.
    Start with: synthgen build hint
    """
    if context.invoked_subcommand not in ("build", "preview"):  # these start their workers first
        context.with_resource(ended_by_interrupt())
        context.with_resource(at_work(context.invoked_subcommand or ""))
