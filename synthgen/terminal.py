"""What people see: the summary of a build, previews and descriptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from synthgen.core.figures import short_number
from synthgen.dataset.foreign import Foreign
from synthgen.dataset.manifest import SourceRecord, SplitRecord
from synthgen.dataset.split_records import CoverRecord
from synthgen.engine.build import BuildResult
from synthgen.engine.check import Checked

_MOST_TEXT = 500
_MOST_UNMET = 8
_MOST_ZEROS = 12
_TOLD = frozenset(
    ("id", "answer_type", "task", "source", "solution", "prompt", "answer", "derivation")
)
"""Columns that a preview shows otherwise, or not."""


def show_build(console: Console, result: BuildResult, seconds: Mapping[str, float]) -> None:
    """Show what was built, and how to load it."""
    manifest = result.manifest
    if result.was_there:
        console.print(f"already built: {escape(str(result.folder))} (--fresh builds it again)")
    if result.shards_kept:
        console.print(f"went on from {result.shards_kept} finished shards")
    table = Table("split", "rows", "duplicates dropped", "shards", "", box=None, pad_edge=False)
    for column in table.columns[1:4]:
        column.justify = "right"
    for split in manifest.splits:
        dropped = "-" if split.base else f"{split.duplicates:,}"
        table.add_row(split.name, f"{split.rows:,}", dropped, str(len(split.shards)), _note(split))
    console.print(table)
    for split in manifest.splits:
        dry = [cell for cell in (*split.cells, *split.margins) if cell.dry]
        named = ", ".join(
            f"{' '.join(f'{axis}={value}' for axis, value in cell.cell.items())}: {cell.rows:,}"
            for cell in dry[:8]
        )
        if dry:
            console.print(f"{split.name}: cells that ran dry before their quota: {named}")
        for cover in split.covers:
            console.print(escape(f"{split.name}: {_covered(cover)}"))
    if divided := manifest.divergence:
        console.print(
            f"divergence of {', '.join(divided.train)} and {', '.join(divided.test)}: "
            f"compounds {divided.compounds:.4f} (random split {divided.random_compounds:.4f}), "
            f"atoms {divided.atoms:.4f} (random split {divided.random_atoms:.4f})"
        )
    for source in manifest.sources:
        if source.fewest_problems is not None and source.draws_of is None:
            console.print(f"{source.name} has {_problems(source)} different problems")
    totals = manifest.totals
    console.print(
        f"verified {totals.verified:,} of {totals.rows:,} rows, {totals.symbolic:,} of them twice; "
        f"{manifest.selection.candidates:,} candidates, 0 problems shared beyond what is declared"
    )
    if seconds:
        spent = ", ".join(f"{name} {value:.2f} s" for name, value in seconds.items())
        speed = f"; {totals.rows / sum(seconds.values()):,.0f} rows/s"
        console.print(f"time: {spent}{'' if result.shards_kept else speed}")
    console.print(f"folder: {escape(str(result.folder))}")
    console.print(f"load:   datasets.load_dataset({escape(repr(str(result.folder)))})")


def _problems(source: SourceRecord) -> str:
    """Say how many problems a source has, or at least has."""
    fewest = source.fewest_problems or 0
    return ("" if fewest == source.space else "at least ") + short_number(fewest)


def _covered(cover: CoverRecord) -> str:
    """Say what a split has a number of times, and what it has not."""
    what = cover.structures or f"tuples of {', '.join(cover.axes)}"
    met = cover.units - len(cover.unmet)
    times = "once" if cover.times == 1 else f"{cover.times:,} times"
    text = f"{met:,} of {cover.units:,} {what} at least {times}"
    absent = [unmet for unmet in cover.unmet if not unmet.candidates]
    rare = [f"{unmet.name} ({unmet.candidates:,})" for unmet in cover.unmet if unmet.candidates]
    if rare:
        more = f" and {len(rare) - _MOST_UNMET:,} more" if len(rare) > _MOST_UNMET else ""
        text += f"; too rare: {', '.join(rare[:_MOST_UNMET])}{more}"
    if absent:
        text += f"; {len(absent):,} were never found"
    return text


def _note(split: SplitRecord) -> str:
    """Say what is special about the rows of a split."""
    if split.variant:
        return f"tells {split.variant.of} again, row by row"
    notes = []
    declared = [split.seen_in] if split.seen_in else list(split.overlap)
    if declared:
        notes.append(f"shares problems with {', '.join(declared)}, as declared")
    if split.repeats:
        notes.append(f"{split.rows - split.repeats:,} different problems, repeated as declared")
    return "; ".join(notes)


def show_rows(console: Console, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Show example rows split by split."""
    for split, examples in rows.items():
        console.rule(f"{split} ({len(examples)} examples)", align="left")
        for row in examples:
            console.print(Text(str(row["prompt"])))
            if row["solution"] is not None:
                console.print(Text(str(row["solution"]), style="dim"))
            console.print(Text(f"-> {row['answer']}", style="bold"))
            console.print(Text(f"   {_facts_of(row)}", style="dim"))


def _facts_of(row: Mapping[str, Any]) -> str:
    """Tell the other columns of a row; many zeros, as of skills not shown, are only counted."""
    facts = {name: value for name, value in row.items() if name not in _TOLD and value is not None}
    zeros = [name for name, value in facts.items() if value == 0 and name != "address"]
    few = len(zeros) <= _MOST_ZEROS
    told = [f"{name}={value}" for name, value in facts.items() if few or name not in zeros]
    return " ".join(told if few else [*told, f"and {len(zeros)} that are 0"])


def show_check(console: Console, foreign: Foreign, found: Checked) -> None:
    """Show which columns were read, the first rows that failed, and how many agree."""
    columns = foreign.columns
    if columns is not None:
        solutions = f", solutions from {_quoted(columns.solution)}" if columns.solution else ""
        _plain(
            console,
            f"{foreign.form}: prompts from column {_quoted(columns.prompt)}, "
            f"answers from {_quoted(columns.answer)}{solutions}",
        )
    for row in found.examples:
        place = f"row {row.row:,}" if row.line is None else f"line {row.line:,} (row {row.row:,})"
        _plain(console, f"{place}: {row.why}")
        _plain(console, f"  prompt {_quoted(row.prompt)}")
        _plain(console, f"  answer {_quoted(row.answer)}")
    if hidden := found.fail - len(found.examples):
        console.print(f"{hidden:,} more that fail are not shown")
    verdict = f"{found.agree:,} agree, {found.fail:,} fail"
    rows = f"{found.rows:,} row{'' if found.rows == 1 else 's'}"
    _plain(console, f"{rows} checked by the verifier of {found.generator}: {verdict}")


def show_description(console: Console, about: Mapping[str, Any]) -> None:
    """Show a generator's parameters, axes and styles."""
    console.print(Text(f"{about['name']} (version {about['version']}): {about['summary']}"))
    console.print(Text(about["about"] + "\n"))
    table = Table("parameter", "type", "default", title="params", title_justify="left", box=None)
    for name, spec in about["params"].items():
        table.add_row(name, spec["type"], escape(repr(spec["default"])))
    console.print(table)
    axes = Table("axis", "type", "values", "meaning", title="axes", title_justify="left", box=None)
    for name, axis in about["axes"].items():
        values = ", ".join(axis["values"]) or f"{axis['low']} to {axis['high']}"
        axes.add_row(name, "string" if axis["values"] else axis["dtype"], values, axis["meaning"])
    console.print(axes)
    for axis, names in about["spread"].items():
        console.print(f"can be spread over {axis}, by {' and '.join(names)}")
    space = "unbounded" if about["space"] is None else f"{about['space']:,} addresses"
    console.print(f"prompts: {', '.join(about['prompts'])}")
    console.print(f"solutions: {', '.join(about['solutions'])}")
    console.print(f"space with these defaults: {space}")
    fewest = about["fewest_problems"]
    if fewest is not None:
        console.print(f"different problems with these defaults: at least {short_number(fewest)}")


def _quoted(text: str | None) -> str:
    """Return text of anybody's in quotes: one line, cut, nothing a terminal would act on."""
    if text is None:
        return "null"
    return repr(text) if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]!r}…"


def _plain(console: Console, text: str) -> None:
    """Print text without markup, and with escapes for what the terminal's encoding lacks."""
    encoding = console.encoding
    console.print(Text(text.encode(encoding, "backslashreplace").decode(encoding)))
