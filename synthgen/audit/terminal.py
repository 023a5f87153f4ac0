"""Terminal output of audits: splits, checks, shared problems and axis histograms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from synthgen.audit.blocks import FLAG, OK, Block, BlockTable, Cell
from synthgen.audit.findings import (
    Check,
    Histogram,
    MixCoverage,
    Report,
    SourceSpace,
    SplitReport,
)
from synthgen.core.figures import printable, short_number

_STYLES = {OK: "green", FLAG: "bold yellow"}
_MOST_ROWS, _MOST_CELL_TEXT = 10, 60


def blocks_view(blocks: Sequence[Block]) -> Group:
    """Lay out all blocks in order."""
    return Group(*(part for block in blocks for part in _parts(block)))


def _parts(block: Block) -> Iterator[RenderableType]:
    head = Text(f"{block.verdict:<5}", _STYLES.get(block.verdict, "dim"))
    head.append(f"{printable(block.title)}: ", "bold")
    head.append(printable(block.text), "default")
    yield head
    if block.verdict == FLAG:
        yield from (_block_table(table) for table in block.tables if table.rows)


def _block_table(table: BlockTable) -> Table:
    shown = Table(title=Text(printable(table.title)), title_justify="left")
    for number, name in enumerate(table.columns):
        is_number = all(not isinstance(row[number], str) for row in table.rows)
        shown.add_column(Text(printable(name)), justify="right" if is_number else "left")
    for row in table.rows[:_MOST_ROWS]:
        shown.add_row(*(Text(_cell(cell)) for cell in row))
    if len(table.rows) > _MOST_ROWS:
        shown.caption = f"{len(table.rows) - _MOST_ROWS} more in the report file"
    return shown


def _cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        text = printable(cell)
        return text if len(text) <= _MOST_CELL_TEXT else text[: _MOST_CELL_TEXT - 1] + "…"
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.6g}"


_BARS = " ▁▂▃▄▅▆▇█"
_MOST_BARS = 40
_MOST_AXES = 30
_MOST_TEXT = 100
_MOST_PRIORS = 3


def show_report(console: Console, report: Report) -> None:
    """Print the whole report, the verdict last."""
    console.print(_splits_table(report.splits))
    if len(report.splits) > 1:
        console.print(_overlap_table(report))
    if report.sources:
        console.print(_spaces_table(report.sources))
    for split in report.splits:
        if split.axes:
            console.print(_axes_table(split))
    if any(split.priors for split in report.splits):
        console.print(_priors_table(report.splits))
    if report.mixes:
        console.print(_mixes_table(report.mixes))
    if report.blocks:
        console.print(blocks_view(report.blocks))
    console.print(_checks_table(report.checks))
    for check in report.checks:
        if not check.ok and check.rows:
            console.print(_rows_table(check))
    console.print(_verdict(report))


def bars(histogram: Histogram) -> str:
    """Draw a histogram with one character per bin, from 1/8 to a full line high."""
    shown = [each.rows for each in histogram.bins[:_MOST_BARS]]
    top = max(shown, default=0)
    return "".join(_BARS[-(-rows * 8 // top)] if top else " " for rows in shown)


def plain(value: object) -> str:
    """Return text for a terminal: one line, truncated, with control characters escaped."""
    text = str(value)
    cut = text if len(text) <= _MOST_TEXT else text[: _MOST_TEXT - 1] + "…"
    return printable(cut)


def _splits_table(splits: Sequence[SplitReport]) -> Table:
    table = _table("Splits", ("split", "rows", "promised", "verified", "symbolic"))
    for name in ("repeated problems", "repeated prompts", "shards", "MB"):
        table.add_column(name, justify="right")
    for split in splits:
        counts = (split.rows, split.promised, split.verified, split.symbolic)
        repeats = (split.repeated_ids, split.repeated_prompts, split.shards)
        cells = [f"{count:,}" for count in (*counts, *repeats)]
        table.add_row(Text(plain(split.name)), *cells, f"{split.bytes / 1e6:,.1f}")
    return table


def _overlap_table(report: Report) -> Table:
    """Lay out shared problems as a matrix, with declared ones in brackets."""
    names = [split.name for split in report.splits]
    table = _table("Shared problems", ("", *names[1:]))
    shown = {
        (each.left, each.right): f"({each.ids:,})" if each.declared else f"{each.ids:,}"
        for each in report.overlaps
    }
    bad = {(e.left, e.right) for e in report.overlaps if e.ids and not e.declared}
    for left in names[:-1]:
        cells = [
            Text(shown.get((left, right), ""), "bold red" if (left, right) in bad else "")
            for right in names[1:]
        ]
        table.add_row(Text(plain(left)), *cells)
    return table


def _spaces_table(sources: Sequence[SourceSpace]) -> Table:
    table = _table("Size of the problem space", ("source", "addresses", "problems"))
    for each in sources:
        addresses = "unbounded" if each.addresses is None else f"{each.addresses:,}"
        table.add_row(Text(plain(each.source)), addresses, _bound(each))
    return table


def _bound(each: SourceSpace) -> str:
    if each.fewest_problems is None:
        return "unknown"
    exact = each.fewest_problems == each.addresses
    return ("" if exact else "at least ") + short_number(each.fewest_problems)


def _axes_table(split: SplitReport) -> Table:
    table = _table(f"Axes of {plain(split.name)}", ("axis", "min", "max", "mean", "values"))
    table.add_column("distribution")
    for axis in split.axes[:_MOST_AXES]:
        mean = "" if axis.mean is None else f"{axis.mean:,.2f}"
        limits = ["" if value is None else plain(value) for value in (axis.low, axis.high)]
        cells = [*limits, mean, f"{axis.distinct:,}", bars(axis)]
        table.add_row(*(Text(cell) for cell in (plain(axis.axis), *cells)))
    if len(split.axes) > _MOST_AXES:
        table.caption = f"{len(split.axes) - _MOST_AXES} more in the report file"
    return table


def _priors_table(splits: Sequence[SplitReport]) -> Table:
    """Lay out the answers that are easiest to guess, a few per split."""
    title = "Cells where one answer dominates"
    table = _table(title, ("split", "task", "difficulty", "rows", "answers", "answer", "share"))
    for split in splits:
        for prior in split.priors[:_MOST_PRIORS]:
            counts = (f"{prior.difficulty:,}", f"{prior.rows:,}", f"{prior.answers:,}")
            cells = (split.name, prior.task, *counts, prior.answer)
            share = Text(f"{prior.most / prior.rows:.1%}")
            table.add_row(*(Text(plain(cell)) for cell in cells), share)
    return table


def _mixes_table(mixes: Sequence[MixCoverage]) -> Table:
    """Lay out the skill mixes seen before, counted by their largest seen set."""
    title = f"Skill mixes seen in {plain(mixes[0].train)}"
    table = _table(title, ("split", "k", "mixes", "all pairs", "whole", "with topic"))
    table.add_column("mixes by size of largest set seen, from 0")
    for each in mixes:
        pairs = each.seen_subsets[1] if each.k > 1 else None
        whole = each.seen_subsets[-1] if each.k else None
        counts = (each.k, each.rows, pairs, whole, each.seen_mixes)
        cells = ["" if count is None else f"{count:,}" for count in counts]
        largest = " ".join(f"{count:,}" for count in each.largest_seen)
        table.add_row(*(Text(plain(cell)) for cell in (each.split, *cells, largest)))
    return table


def _checks_table(checks: Sequence[Check]) -> Table:
    table = _table("Checks", ("check",))
    table.add_column("result")
    table.add_column("detail", overflow="fold")
    for check in checks:
        result = Text("ok", "green") if check.ok else Text("FAILED", "bold red")
        table.add_row(Text(plain(check.name)), result, Text(printable(check.detail)))
    return table


def _rows_table(check: Check) -> Table:
    names = list(check.rows[0])
    table = _table(f"First rows that fail {plain(check.name)}", ())
    for name in names:
        table.add_column(Text(plain(name)), overflow="fold")
    for row in check.rows:
        table.add_row(*(Text(plain(row[name])) for name in names))
    return table


def _verdict(report: Report) -> Text:
    failed = sum(not check.ok for check in report.checks)
    text = f"{plain(report.name)}: {len(report.checks)} checks, "
    if failed:
        return Text(f"{text}{failed} FAILED", "bold red")
    return Text(f"{text}all ok", "bold green")


def _table(title: str, columns: Sequence[str]) -> Table:
    """Return a table whose first column is text and whose others are numbers."""
    table = Table(title=Text(title), title_justify="left")
    for number, name in enumerate(columns):
        table.add_column(Text(plain(name)), justify="right" if number else "left")
    return table


_MOST_CELLS = 20


def show_blocks(console: Console, report: Report) -> None:
    """Print every block, then the checks, the verdict last."""
    for block in report.blocks:
        _show_block(console, block)
    for check in report.checks:
        _show_check(console, check)
    failed = sum(not check.ok for check in report.checks)
    text = f"{plain(report.name)}: {len(report.checks)} checks, "
    console.print(
        Text(f"{text}{failed} FAILED", "bold red")
        if failed
        else Text(f"{text}all ok", "bold green")
    )


def _show_block(console: Console, block: Block) -> None:
    title = Text(plain(block.title), "bold")
    console.print(Text.assemble(title, "  ", (block.verdict, _STYLES.get(block.verdict, "dim"))))
    console.print(Text(printable(block.text)))
    for table in block.tables:
        console.print(_shown(table))
    console.print()


def _shown(table: BlockTable) -> Table:
    shown = Table(title=Text(plain(table.title)), title_justify="left")
    for column in table.columns:
        numbers = [row[table.columns.index(column)] for row in table.rows]
        is_text = any(isinstance(value, str) for value in numbers)
        shown.add_column(
            Text(plain(column)), justify="left" if is_text else "right", overflow="fold"
        )
    for row in table.rows[:_MOST_CELLS]:
        shown.add_row(*(Text(_compared_cell(value)) for value in row))
    if len(table.rows) > _MOST_CELLS:
        shown.caption = Text(f"{len(table.rows) - _MOST_CELLS} more with --json")
    return shown


def _show_check(console: Console, check: Check) -> None:
    result = Text("ok", "green") if check.ok else Text("FAILED", "bold red")
    console.print(Text.assemble(result, f"  {plain(check.name)}: {printable(check.detail)}"))
    for row in check.rows:
        console.print(Text(f"    {plain(row['row'])}: {plain(row['prompt'])}", "dim"))


def _compared_cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.4f}"
    return f"{value:,}" if isinstance(value, int) else plain(value)
