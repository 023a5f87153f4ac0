"""Help of the commands: in the order of use, by group, without the types of Python."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

CLOSED = 128 + 13
"""Exit code if the reader of the output is gone, like that of a program that SIGPIPE ends."""
_GROUPS = {
    "Make a dataset": ("build", "preview", "validate", "list", "describe"),
    "Check a dataset": ("audit", "verify", "digest", "compare"),
    "Train and evaluate": ("export", "score", "profile"),
    "Use your own data and families": ("split", "check", "new-family"),
    "Work with published benchmarks": ("ifeval", "skillmix"),
}
"""Commands of each group, in the order of use."""
_VALUES = {
    **dict.fromkeys(("rows", "seed", "workers", "rank", "world-size", "show", "n"), "N"),
    **dict.fromkeys(("html", "predictions", "weights", "answers", "points"), "FILE"),
    **dict.fromkeys(("train", "test", "against", "recipe"), "FILE"),
    **dict.fromkeys(("split", "split-a", "split-b", "train-split", "without"), "NAME"),
    "scale": "X",
    "max-shortcut": "X",
    "window": "LOW HIGH",
    "k": "N,N",
    "by": "NAME,NAME",
    "out": "PATH",
    "into": "DIR",
    "engine": "NAME",
    "address": "HOST",
    "fail-if": "RULE",
    "fail-on": "LEVEL",
    "tokens": "UNIT",
    "missing": "HOW",
    "encoding": "NAME",
    "completion": "COLUMN",
}
"""What an option takes, by its name; columns take names, other options a form."""


def _value_of(option: str) -> str:
    """Return what the help shows after an option."""
    name = option.lstrip("-")
    return _VALUES.get(name, "NAME" if name.endswith("-col") else "FORM")


def _no_type(*_: object, **__: object) -> None:
    """Stand in for the type of an argument in the help."""


def _without_types(params: list[Any]) -> list[Any]:
    """Return params whose help shows a value or nothing in place of a type of Python."""
    for param in params:
        if param.param_type_name == "argument":
            param.display_type_rich = _no_type
        elif param.metavar is None:
            param.metavar = "" if param.is_flag else _value_of(param.opts[0])
    return params


def _hide_ranges() -> None:
    """Leave the ranges of numbers to error messages."""
    from typer import rich_utils

    rich_utils.RANGE_STRING = ""


class PlainCommand(TyperCommand):
    """A command whose help shows no types."""

    def get_params(self, ctx: Any) -> Any:
        """Return the params, with what their help shows."""
        return _without_types(super().get_params(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        _hide_ranges()
        super().format_help(ctx, formatter)


class PlainGroup(TyperGroup):
    """A group of commands whose help shows no types."""

    def get_params(self, ctx: Any) -> Any:
        """Return the params, with what their help shows."""
        return _without_types(super().get_params(ctx))


class Commands(PlainGroup):
    """All commands: grouped, and ended silently if nothing reads their output."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands, in the order of use."""
        for group, names in _GROUPS.items():
            for name in names:
                vars(self.commands[name])["rich_help_panel"] = group
        ordered = [name for names in _GROUPS.values() for name in names]
        return [*ordered, *(name for name in super().list_commands(ctx) if name not in ordered)]

    def invoke(self, ctx: Any) -> Any:
        """Run a command; end it silently if nothing reads its output."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise typer.Exit(CLOSED) from None
