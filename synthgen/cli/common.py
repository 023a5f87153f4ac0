"""The app, common options and the console, which all commands share."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from shutil import get_terminal_size
from threading import Event, Thread
from time import monotonic
from typing import Annotated, Any, TextIO

import typer
from rich.console import Console
from rich.text import Text

from synthgen.cli.help import Commands, PlainCommand
from synthgen.core.printing import printable, wrapped

_REDIRECTED = 120
"""Columns of tables that are written to a file or a pipe."""
_FIRST_NOTICE, _NOTICE_INTERVAL = 1.0, 10.0
"""Seconds until the notice on a terminal, and between the lines elsewhere."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave the choice of the exit code to the caller."""
        raise BrokenPipeError


app = typer.Typer(
    cls=Commands,
    name="synthgen",
    help="Make compositional training data: a recipe goes in, and a verified dataset with an "
    "audit report comes out. Start with: synthgen build hint",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

command = partial(app.command, cls=PlainCommand)
"""Decorator of a command."""

RecipeName = Annotated[str, typer.Argument(metavar="RECIPE", help="Path or bundled name.")]
Folder = Annotated[str, typer.Argument(metavar="DIR", help="Folder or URL of a built dataset.")]
Sets = Annotated[
    list[str] | None, typer.Option("--set", metavar="A.B=C", help="Override one value; repeatable.")
]
Rows = Annotated[int | None, typer.Option(help="Total rows, split in proportion.")]
Scale = Annotated[float | None, typer.Option(help="Multiply every split's rows by this.")]
Seed = Annotated[int | None, typer.Option(help="Override the recipe's seed.")]
Workers = Annotated[
    int | None, typer.Option(min=1, max=1024, help="Processes; 1 runs in this one.")
]
Digest = Annotated[str | None, typer.Option(metavar="HEX", help="Digest the rows must have.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


class _AtWork:
    """Prints on standard error that a command is still at work, until its first result."""

    def __init__(self) -> None:
        self._ended = Event()
        self._thread: Thread | None = None

    def begin(self, command: str) -> None:
        """Start the thread that prints the notice."""
        self._ended.clear()
        self._thread = Thread(target=self._print, args=(command,), daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Clear the notice, and print no more."""
        self._ended.set()
        if self._thread:
            self._thread.join()
            self._thread = None

    def _print(self, command: str) -> None:
        began = monotonic()
        if not sys.stderr.isatty():
            while not self._ended.wait(_NOTICE_INTERVAL):
                say_error(f"{command}: still at work after {monotonic() - began:.0f} s")
        elif not self._ended.wait(_FIRST_NOTICE):
            with suppress(OSError):
                text = f"{command}: at work; a first run compiles kernels"
                print(text, end="", file=sys.stderr, flush=True)
                self._ended.wait()
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)


_at_work = _AtWork()


@contextmanager
def at_work(command: str) -> Iterator[None]:
    """Explain the silence of a command: after a second on a terminal, every ten seconds elsewhere.

    It ends when the command asks for a console or prints JSON.
    """
    _at_work.begin(command)
    try:
        yield
    finally:
        _at_work.end()


def plain_console() -> Console:
    """Return a console as wide as the terminal, or as the variable COLUMNS says.

    Otherwise lines are not wrapped, since a program may read them, and tables have up to 120
    columns. It reads no markup, because most of the output comes from data.
    """
    _at_work.end()
    fits = _fits(sys.stdout)
    width = None if fits else _REDIRECTED
    return _Console(markup=False, emoji=False, highlight=False, soft_wrap=not fits, width=width)


def _fits(stream: TextIO) -> bool:
    """Return whether lines must fit the width of a terminal."""
    return stream.isatty() or "COLUMNS" in os.environ


def say(console: Console, text: str, style: str = "") -> None:
    """Print a text, wrapped at words, with control characters escaped."""
    shown = printable(text, "\n\t")
    if not console.soft_wrap:
        shown = wrapped(shown, console.width)
    console.print(Text(shown, style), soft_wrap=True)


def say_next(console: Console, *commands: str) -> None:
    """Print what to do next."""
    for line in next_lines(*commands):
        say(console, line, "dim")


def next_lines(*commands: str) -> list[str]:
    """Return lines on what to do next."""
    return [f"{'' if place else 'next:':7} {line}" for place, line in enumerate(commands)]


def say_error(text: str) -> None:
    """Print a line for the user beside the output, with control characters escaped."""
    shown = printable(text, "\n")
    if _fits(sys.stderr):
        shown = wrapped(shown, get_terminal_size().columns)
    with suppress(OSError):
        typer.echo(shown, err=True)


def print_json(value: Any) -> None:
    """Print the result of a command as JSON."""
    _at_work.end()
    print(json.dumps(value, indent=1, default=str))
