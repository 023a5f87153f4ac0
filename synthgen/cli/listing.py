"""The commands list and describe: what recipes can name."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from textwrap import fill
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Column, Table

from synthgen.cli.common import AsJson, command, plain_console, print_json, say, say_error
from synthgen.core.errors import UnknownNameError
from synthgen.core.printing import plain_word
from synthgen.recipe.bundled import About, bundled_about, bundled_names

_OTHER, _MIXED = "other", "mixtures"
_ALL = "all"
_WIDTH = 80
_LONGEST = 26
"""Longest name that is printed on one line with its summary."""


@dataclass
class Group:
    """Generators and recipes that belong together, with their summaries."""

    name: str
    about: str
    generators: dict[str, str] = field(default_factory=dict)
    recipes: dict[str, About] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.generators or self.recipes)

    def with_word(self, text: str) -> Group:
        """Return the part whose names and summaries have a word."""
        word = plain_word(text)
        of_recipes = {name: f"{name} {about}" for name, about in self.recipes.items()}
        return Group(
            self.name,
            self.about,
            {k: v for k, v in self.generators.items() if word in plain_word(f"{k} {v}")},
            {k: v for k, v in self.recipes.items() if word in plain_word(of_recipes[k])},
        )


@command("list")
def list_names(
    text: Annotated[
        str,
        typer.Argument(metavar="[TEXT]", help="A group, a word of names and summaries, or all."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """List groups of generators and recipes, or the names in a group or with a word."""
    from synthgen.contract.registry import generator_names, generator_summaries

    generators, faults = generator_summaries()
    for package, fault in faults.items():
        say_error(f"note: the families of package {package!r} are left out: {fault}")
    recipes = {name: bundled_about(name) for name in bundled_names()}
    groups = _groups(generators, recipes)
    if text not in ("", _ALL):
        named = [group for group in groups if group.name == text.lower()]
        groups = named or [part for group in groups if (part := group.with_word(text))]
    if as_json:
        found = {name: summary for group in groups for name, summary in group.generators.items()}
        names = sorted(name for group in groups for name in group.recipes)
        print_json({"generators": dict(sorted(found.items())), "recipes": names})
        return
    if not groups:
        groups = _groups(generators, recipes)
        known = [*(group.name for group in groups), *generator_names(), *bundled_names()]
        raise UnknownNameError("group, generator or recipe", text, known)
    if text:
        _show_names(plain_console(), groups)
    else:
        _show_groups(plain_console(), groups)


def _groups(generators: Mapping[str, str], recipes: Mapping[str, About]) -> list[Group]:
    """Return all groups: those of the file of groups, mixtures, and what is in none of them."""
    tables = tomllib.loads(files("synthgen.cli").joinpath("groups.toml").read_text("utf-8"))
    groups = {name: Group(name, table["title"]) for name, table in tables.items()}
    home = {each: name for name, table in tables.items() for each in table["generators"]}
    groups[_MIXED] = Group(_MIXED, "Sources of several groups")
    groups[_OTHER] = Group(_OTHER, "Families in no group")
    for name, summary in generators.items():
        groups[home.get(name, _OTHER)].generators[name] = summary
    for name, about in recipes.items():
        homes = {home.get(generator, _OTHER) for generator in about.generators}
        groups[homes.pop() if len(homes) == 1 else _MIXED].recipes[name] = about
    return [group for group in groups.values() if group]


def _show_groups(console: Console, groups: Sequence[Group]) -> None:
    """Show each group on one line, and how to see more."""
    generators = sum(len(group.generators) for group in groups)
    recipes = sum(len(group.recipes) for group in groups)
    say(console, f"{generators} generators make problems; {recipes} recipes make datasets of them.")
    say(console, "")
    columns = [Column(name, no_wrap=True) for name in ("group", "generators", "recipes")]
    table = Table(*columns, Column(ratio=1, overflow="fold"), box=None, pad_edge=False)
    table.columns[1].justify = table.columns[2].justify = "right"
    for group in groups:
        numbers = (str(len(each) or "-") for each in (group.generators, group.recipes))
        table.add_row(group.name, *numbers, group.about)
    console.print(table, width=min(_WIDTH, console.width))
    say(console, "")
    for usage, meaning in (
        ("list GROUP", "what a group has, such as: synthgen list strings"),
        ("list WORD", "what a word names, such as: synthgen list omega"),
        ("list all", "everything"),
        ("describe GENERATOR", "examples, params and axes of a generator"),
        ("build RECIPE", "make the dataset of a recipe"),
    ):
        say(console, f"synthgen {usage:20}{meaning}")


def _show_names(console: Console, groups: Sequence[Group]) -> None:
    """Show the names of groups with their summaries, and what to do with them."""
    for group in groups:
        if group.generators:
            _show_summaries(console, f"{group.name}: generators", group.generators)
        if group.recipes:
            summaries = {name: about.summary for name, about in group.recipes.items()}
            _show_summaries(console, f"{group.name}: recipes", summaries)
    generator = next((name for group in groups for name in group.generators), None)
    recipe = next((name for group in groups for name in group.recipes), None)
    verbs = {"describe": generator, "preview": recipe}
    usages = [f"synthgen {verb} {name}" for verb, name in verbs.items() if name]
    say(console, f"next: {', '.join(usages)}")


def _show_summaries(console: Console, title: str, summaries: Mapping[str, str]) -> None:
    """Show names and their summaries in two columns; a long name has a line of its own."""
    say(console, title, "bold")
    width = 2 + min(_LONGEST, max(map(len, summaries)))
    indent, edge = " " * (width + 2), min(_WIDTH, console.width)
    for name, summary in summaries.items():
        start = f"  {name:{width}}"
        if len(name) > _LONGEST:
            say(console, start.rstrip())
            start = indent
        say(console, fill(summary, edge, initial_indent=start, subsequent_indent=indent))


@command()
def describe(
    generator: Annotated[str, typer.Argument(metavar="GENERATOR")], as_json: AsJson = False
) -> None:
    """Describe a generator: an example, parameters, axes, styles and problem space."""
    from synthgen.cli.terminal import show_description
    from synthgen.engine.preview import describe as describe_generator
    from synthgen.engine.preview import examples

    about = describe_generator(generator)
    about["examples"] = examples(generator)
    about["example"] = next(iter(about["examples"].values()), None)
    if as_json:
        print_json(about)
    else:
        show_description(plain_console(), about)
