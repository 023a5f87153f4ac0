"""Terminal output: build summaries, previews and descriptions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Column, Table

from synthgen.cli.common import say, say_next
from synthgen.core.printing import listed, short_number

if TYPE_CHECKING:  # a build forks its workers before it imports these
    from synthgen.dataset.foreign import Foreign
    from synthgen.dataset.manifest import SourceRecord, SplitRecord
    from synthgen.dataset.records import CoverRecord, Manifest
    from synthgen.engine.build import BuildResult
    from synthgen.training.rates import Rates
    from synthgen.training.scoring import Accuracy, Cell, Scored
    from synthgen.verifying.checked_files import CheckedFile
    from synthgen.verifying.verification import Verification

_MAX_TEXT = 500
_MAX_UNMET = 8
_MAX_ZEROS = 12
_MAX_SPACES = 5
_MIN_MEASURED, _MAX_MEASURED = 2_000, 200_000
"""Bounds on the rows of a new dataset whose shortcuts are measured; more take a second."""
_WIDTH = 80
_MAX_SYMBOLS, _MAX_VALUES = 40, 12
_SHORTEST_RUN = 4
_NOT_FACTS = {*"id answer_type task source solution prompt image answer derivation".split()}
"""Columns that a preview shows separately or omits."""


def show_build(console: Console, result: BuildResult, seconds: Mapping[str, float]) -> None:
    """Show a finished build, and how to load it."""
    manifest = result.manifest
    if result.was_there:
        say(console, f"already built: {result.folder} (--fresh rebuilds it)")
    if result.shards_kept:
        say(console, f"resumed from {result.shards_kept} finished shards")
    table = Table("split", "rows", "duplicates dropped", "shards", "", box=None, pad_edge=False)
    for column in table.columns[1:4]:
        column.justify = "right"
    for split in manifest.splits:
        dropped = "-" if split.base else f"{split.duplicates:,}"
        table.add_row(split.name, f"{split.rows:,}", dropped, str(len(split.shards)), _note(split))
    console.print(table)
    for split in manifest.splits:
        dry = [cell for cell in split.cells if cell.dry]
        named = ", ".join(
            f"{' '.join(f'{axis}={value}' for axis, value in cell.cell.items())} ({cell.rows:,})"
            for cell in dry[:8]
        )
        if dry:
            say(console, f"{split.name}: cells with fewer problems than their share: {named}")
        for cover in split.covers:
            say(console, f"{split.name}: {_covered(cover)}")
    if divided := manifest.divergence:
        say(
            console,
            f"divergence of {', '.join(divided.train)} and {', '.join(divided.test)}: "
            f"compounds {divided.compounds:.4f} (random split {divided.random_compounds:.4f}), "
            f"atoms {divided.atoms:.4f} (random split {divided.random_atoms:.4f})",
        )
    if space := _space_text(manifest.sources):
        say(console, space)
    totals = manifest.totals
    drawn = f"{manifest.selection.candidates:,} candidates drawn; no undeclared overlap"
    checked = "no data is stored"
    if manifest.has_data:
        checked = f"verified {totals.verified:,} of {totals.rows:,} rows"
    say(console, f"{checked}; {drawn}")
    if seconds:
        spent = ", ".join(f"{name} {value:.2f} s" for name, value in seconds.items())
        speed = f"; {totals.rows / sum(seconds.values()):,.0f} rows/s"
        say(console, f"time: {spent}{'' if result.shards_kept else speed}")
    if manifest.digest:
        say(console, f"digest: {manifest.digest}")
    say(console, f"folder: {result.folder}")
    at_hand = manifest.has_data and isinstance(result.folder, Path)
    load = "datasets.load_dataset" if at_hand else "synthgen.open"
    say(console, f"load:   {load}({str(result.folder)!r})")


def usual_format(manifest: Manifest) -> str:
    """Return a format in which the rows of a dataset can be exported."""
    return "sft" if manifest.picture == "none" else "trl" if manifest.picture == "png" else "jsonl"


def show_next(console: Console, result: BuildResult, page: str) -> None:
    """Show what to do with a new dataset."""
    folder = quote(str(result.folder))
    if not result.manifest.has_data:
        say_next(console, "the same command without --select-only stores the rows")
        return
    say_next(
        console,
        f"synthgen audit {folder}    writes {page}",
        f"synthgen export {folder} --format {usual_format(result.manifest)}",
    )


def show_verification(console: Console, verification: Verification) -> None:
    """Show what is wrong in a dataset, what was proven and what was not."""
    for row in verification.examples:
        problem = f"{row['prompt']!r} -> {row['answer']!r}"
        say(console, f"{row['split']}: {row['why']}: {problem}")
    for line in (*verification.files, *verification.notes):
        say(console, line)
    rows, rebuilt = verification.rows, verification.rebuilt
    say(console, f"{rows:,} rows checked: {verification.wrong:,} wrong")
    chosen = ""
    if rebuilt < rows:
        chosen = f", chosen at random (--seed {verification.seed})"
    say(console, f"regenerated {rebuilt:,} of {rows:,}{chosen}")
    if 0 < verification.noticed < 1:
        share = f"{100 * verification.noticed:.2g}%"
        say(console, f"  if {share} of a split were false, this would show it with 99% probability")
    say(console, f"digest: {verification.digest}")
    for line in verification.unproven:
        say(console, f"not proven: {line}")
    if verification.is_false:
        say(console, "failed: see the lines above")
    elif verification.ok:
        proven = "files, records, rules, order, ids and answers"
        say(console, f"proven: {proven}{'; every row' if rebuilt == rows else ''}")
        if not verification.selected:
            say(console, "not proven: that no better candidate was left out (--rebuild all)")


def show_shortcut(console: Console, folder: Path | str) -> None:
    """Show the best shortcut of a new dataset, unless it is small, large or at a URL."""
    from synthgen.auditing.coverage_blocks import dataset_shortcuts
    from synthgen.dataset.reader import open_dataset

    if isinstance(folder, str):
        return
    dataset = open_dataset(folder)
    if not _MIN_MEASURED <= dataset.manifest.totals.rows <= _MAX_MEASURED:
        return
    shortcuts = dataset_shortcuts(dataset)
    if not shortcuts.missing:
        worst = shortcuts.worst
        line = f"best shortcut: {worst.predictor!r}, which solves nothing, gives the right answer"
        say(console, f"{line} in {100 * worst.share:.1f}% of {worst.split}")


def _space_text(sources: Sequence[SourceRecord]) -> str:
    """Return how many problems the sources have, or only the smallest of many sources."""
    sizes = {
        source.name: source
        for source in sources
        if source.fewest_problems is not None and source.draws_of is None
    }
    if len(sizes) > _MAX_SPACES:
        smallest = min(sizes.values(), key=lambda source: source.fewest_problems or 0)
        return f"problem space: of {len(sizes)} sources, the smallest is {_space_of(smallest)}"
    texts = [_space_of(source) for source in sizes.values()]
    return f"problem space: {'; '.join(texts)}" if texts else ""


def _space_of(source: SourceRecord) -> str:
    fewest = source.fewest_problems or 0
    bound = "" if fewest == source.space else "at least "
    return f"{source.name}, with {bound}{short_number(fewest)} distinct problems"


def _covered(cover: CoverRecord) -> str:
    """Return one line on the units that a split covers, and those it lacks."""
    what = cover.structures or f"tuples of {', '.join(cover.axes)}"
    covered = cover.units - len(cover.unmet)
    times = "once" if cover.times == 1 else f"{cover.times:,} times"
    text = f"{covered:,} of {cover.units:,} {what} covered at least {times}"
    absent = [unmet for unmet in cover.unmet if not unmet.candidates]
    rare = [f"{unmet.name} ({unmet.candidates:,})" for unmet in cover.unmet if unmet.candidates]
    if rare:
        more = f" and {len(rare) - _MAX_UNMET:,} more" if len(rare) > _MAX_UNMET else ""
        text += f"; too rare: {', '.join(rare[:_MAX_UNMET])}{more}"
    if absent:
        text += f"; {len(absent):,} were never found"
    return text


def _note(split: SplitRecord) -> str:
    """Return the declarations of the manifest about the rows of a split."""
    if split.variant:
        return f"restates {split.variant.of}, row by row"
    notes = []
    declared = [split.seen_in] if split.seen_in else list(split.overlap)
    if declared:
        notes.append(f"overlaps {', '.join(declared)}, as declared")
    if split.repeats:
        notes.append(f"{split.rows - split.repeats:,} distinct problems, repeated as declared")
    if split.noise and split.noise.rows:
        notes.append(f"{split.noise.rows:,} rows with wrong {split.noise.kind}, as declared")
    return "; ".join(notes)


def show_rows(console: Console, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Show example rows split by split."""
    for split, examples in rows.items():
        count = f"{len(examples)} example{'' if len(examples) == 1 else 's'}"
        console.rule(f"{split} ({count})", align="left")
        for row in examples:
            say(console, str(row["prompt"]))
            if (image := row.get("image")) is not None:
                what = "SVG" if isinstance(image, str) else "PNG"
                say(console, f"picture: {what}, on a page with --html FILE", "dim")
            if row["solution"] is not None:
                text = str(row["solution"])
                gap = "\n" if "\n" in text else " "
                say(console, f"solution:{gap}{text}", "dim")
            say(console, f"-> {row['answer']}", "bold")
            say(console, f"   {_facts_of(row)}", "dim")


def _facts_of(row: Mapping[str, Any]) -> str:
    """Render the remaining columns of a row; if many are zero, only count those."""
    facts = {
        name: value for name, value in row.items() if name not in _NOT_FACTS and value is not None
    }
    zeros = [name for name, value in facts.items() if value == 0 and name != "address"]
    few = len(zeros) <= _MAX_ZEROS
    shown = [f"{name}={value}" for name, value in facts.items() if few or name not in zeros]
    return " ".join(shown if few else [*shown, f"and {len(zeros)} zeros"])


def show_check(console: Console, foreign: Foreign, checked: CheckedFile) -> None:
    """Show the columns read, the first failing rows, and the counts."""
    columns = foreign.columns
    if columns is not None:
        solutions = f", solutions from {_quoted(columns.solution)}" if columns.solution else ""
        say(
            console,
            f"{foreign.form}: prompts from column {_quoted(columns.prompt)}, "
            f"answers from {_quoted(columns.answer)}{solutions}",
        )
    for row in checked.examples:
        place = f"row {row.row:,}" if row.line is None else f"line {row.line:,} (row {row.row:,})"
        say(console, f"{place}: {row.why}")
        say(console, f"  prompt {_quoted(row.prompt)}")
        say(console, f"  answer {_quoted(row.answer)}")
    if hidden := checked.fail - len(checked.examples):
        say(console, f"{hidden:,} more failing rows not shown")
    verdict = f"{checked.agree:,} agree, {checked.fail:,} fail"
    rows = f"{checked.rows:,} row{'' if checked.rows == 1 else 's'}"
    say(console, f"{rows} checked by the verifier of {checked.generator}: {verdict}")


def show_description(console: Console, about: Mapping[str, Any]) -> None:
    """Show a generator's examples, parameters, axes and styles."""
    from synthgen.engine.preview import meanings

    _say_filled(console, f"{about['name']} (version {about['version']}): {about['summary']}", "  ")
    text, by_names = meanings(about["about"])
    for paragraph in text.split("\n\n"):
        say(console, "")
        _say_filled(console, " ".join(paragraph.split()))
    for style, example in about["examples"].items():
        say(console, f"\nexample in the style {style}", "bold")
        for line in (*example["prompt"].splitlines(), f"-> {example['answer']}"):
            _say_filled(console, f"  {line}", "  ")
    width = min(_WIDTH, console.width)
    say(console, "\nparams", "bold")
    console.print(_params_table(about["params"], by_names), width=width)
    say(console, "\naxes: columns that rules can use", "bold")
    console.print(_axes_table(about["axes"]), width=width)
    say(console, "")
    for axis, names in about["spread"].items():
        _say_filled(console, f"can be spread over {axis} by {' and '.join(names)}", "  ")
    symbols = _symbol_ranges(about["symbols"])
    more = len(symbols) - _MAX_SYMBOLS
    text = f"symbols: {', '.join(symbols[:_MAX_SYMBOLS])}"
    _say_filled(console, text + (f" and {more:,} more" if more > 0 else ""), "  ")
    space = "unbounded" if about["space"] is None else f"{about['space']:,} addresses"
    for name in ("prompts", "solutions"):
        _say_filled(console, f"{name}: {', '.join(about[name])}", "  ")
    say(console, f"space with these defaults: {space}")
    fewest = about["fewest_problems"]
    if fewest is not None:
        say(console, f"distinct problems with these defaults: at least {short_number(fewest)}")


def _params_table(
    params: Mapping[str, Mapping[str, Any]], by_names: Mapping[tuple[str, ...], str]
) -> Table:
    """Return the params with their defaults; those that are explained together share a row."""
    from synthgen.recipe.loader import show as value_text

    table = Table("param", "default", Column("meaning", ratio=1), box=None, pad_edge=False)
    explained = {name for names in by_names for name in names}
    unexplained = [((name,), "") for name in params if name not in explained]
    for names, meaning in (*by_names.items(), *unexplained):
        known = [name for name in names if name in params]
        defaults = (value_text(_plain(params[name]["default"])) for name in known)
        if known:
            table.add_row("\n".join(known), "\n".join(defaults), meaning)
    return table


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _axes_table(axes: Mapping[str, Mapping[str, Any]]) -> Table:
    table = Table("axis", "values", Column("meaning", ratio=1), box=None, pad_edge=False)
    for name, axis in axes.items():
        end = "or more" if axis["high"] is None else f"to {axis['high']}"
        values = listed(axis["values"], _MAX_VALUES) or f"{axis['low']} {end}"
        table.add_row(name, values, axis["meaning"])
    return table


def _say_filled(console: Console, text: str, indent: str = "") -> None:
    """Print a paragraph without breaking words."""
    words = TextWrapper(
        min(_WIDTH, console.width),
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
    )
    say(console, words.fill(text))


_NUMBERED = re.compile(r"(.*?)(-?[0-9]+)")


def _symbol_ranges(names: Sequence[str]) -> list[str]:
    """Join four or more names with consecutive numbers, such as r0, r1, ...; they come last."""
    runs: list[list[str]] = []
    last: tuple[str, int] | None = None
    for name in names:
        match = _NUMBERED.fullmatch(name)
        number = (match[1], int(match[2])) if match else None
        if number and last and number == (last[0], last[1] + 1):
            runs[-1].append(name)
        else:
            runs.append([name])
        last = number
    is_long = [len(run) >= _SHORTEST_RUN for run in runs]
    plain = [name for run, long in zip(runs, is_long, strict=True) if not long for name in run]
    ranges = [f"{run[0]} to {run[-1]}" for run, long in zip(runs, is_long, strict=True) if long]
    return [*plain, *ranges]


def _quoted(text: str | None) -> str:
    """Quote untrusted text: one line, truncated, without control characters."""
    if text is None:
        return "null"
    return repr(text) if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]!r}…"


def show_scores(console: Console, scored: Scored) -> None:
    """Show the accuracy of each split, the reasons of zeros, and texts without a grade."""
    table = Table("split", "rows", "predicted", "texts", "accuracy", "95% interval", box=None)
    for column in table.columns[1:]:
        column.justify = "right"
    for name, split in scored.splits.items():
        _add_accuracy(table, (name, f"{split.rows:,}", f"{split.predicted:,}"), split.accuracy)
        for k, passed in split.passed.items():
            _add_accuracy(table, (f"  pass@{k}", ""), passed)
        for values, accuracy in split.groups.items():
            _add_accuracy(table, (f"  {values}", ""), accuracy)
    console.print(table)
    for name, split in scored.splits.items():
        if zero := {why: n for why, n in split.why.items() if why != "right"}:
            reasons = ", ".join(f"{n:,} {why}" for why, n in zero.items())
            texts = f"{sum(zero.values()):,} of {sum(split.why.values()):,} texts"
            say(console, f"{name}: {texts} scored 0: {reasons}")
    for name, split in scored.splits.items():
        if split.parts:
            parts = Table(f"{name}: parts of answers", "of", "strict", "loose", box=None)
            add_rates(parts, split.parts, "all parts of a text", "each part")
            console.print(parts)
        if split.rubrics:
            say(console, f"{name}: {split.rubrics:,} rows have a rubric and were not scored")
    for name, split in scored.splits.items():
        if split.missing:
            say(console, f"{name}: {split.missing:,} of {split.rows:,} rows have no prediction")
    if scored.unknown_ids:
        text = f"{scored.unknown_ids:,} of {scored.predictions:,} predictions have an unknown id"
        say(console, text)


def _add_accuracy(table: Table, cells: Sequence[str], accuracy: Accuracy | None) -> None:
    """Add a row: its first cells, the rows if they are not among them, and the accuracy if any."""
    if accuracy is None:
        table.add_row(*cells)
        return
    rows = (f"{accuracy.rows:,}",) if len(cells) == 2 else ()
    table.add_row(*cells, *rows, *_figures(accuracy))


def _figures(accuracy: Accuracy) -> tuple[str, str, str]:
    interval = f"{accuracy.low:.3f} to {accuracy.high:.3f}"
    return f"{accuracy.texts:,}", f"{accuracy.mean:.4f}", interval


def show_profile(
    console: Console,
    by: Sequence[str],
    cells: Mapping[Cell, Accuracy],
    weights: Mapping[Cell, float],
) -> None:
    """Show the pass rate and weight of each cell."""
    table = Table(*by, "rows", "texts", "pass rate", "95% interval", "weight", box=None)
    for cell, rate in cells.items():
        weight = f"{weights.get(cell, 0.0):.4f}"
        table.add_row(*map(str, cell), f"{rate.rows:,}", *_figures(rate), weight)
    console.print(table)


def add_rates(table: Table, rates: Rates, whole: str, each: str) -> None:
    """Add rows with a name, a number and two shares: for whole texts, for parts, by name."""
    rows = {whole: (rates.texts, *rates.whole), each: (rates.parts, *rates.each), **rates.by_name}
    for name, (count, *shares) in rows.items():
        table.add_row(name, f"{count:,}", *(f"{share:.3f}" for share in shares))
