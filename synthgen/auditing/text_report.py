"""Terminal output of audits: the verdict, splits, findings and failed checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, JustifyMethod, RenderableType
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from synthgen.auditing import summary
from synthgen.auditing.blocks import FLAG, OK, Block, BlockTable, Cell
from synthgen.auditing.findings import STORED, Report, SplitReport
from synthgen.auditing.identity_block import OVERLAP
from synthgen.auditing.tallies import Histogram
from synthgen.auditing.wording import cut, plural
from synthgen.core.printing import printable
from synthgen.verifying.promises import Check

_STYLES = {OK: "green", FLAG: "bold yellow"}
_BARS = " ▁▂▃▄▅▆▇█"
_MAX_BARS, _MAX_AXES, _MAX_ROWS, _MAX_PRIORS = 40, 30, 10, 3
_MAX_TEXT, _MAX_CELL_TEXT = 100, 60
_LONGEST_WORD, _SHORT, _VERDICT = 24, 8, 5
_MAX_LINES = 4
"""Lines of a cell above which the rows of a table are shown as text."""


def show_report(console: Console, report: Report, *, verbose: bool = False) -> None:
    """Print a report, with the verdict first and last.

    Args:
        console: Console to print to.
        report: Report of an audit or a comparison.
        verbose: Whether to print all tables, axes and checks.
    """
    parts: list[RenderableType] = [_verdict(report)]
    parts += [printable(check.detail) for check in report.checks if check.name == STORED]
    if report.splits:
        parts.append(table_view(summary.splits_table(report.splits), console.width))
    if len(report.splits) > 1:
        parts.append(table_view(summary.overlap_table(report), console.width))
    if verbose:
        parts += _details(report, console.width)
    parts += _block_parts(report.blocks, console.width, verbose=verbose)
    if verbose:
        parts += [_check_line(check) for check in report.checks if check.ok]
    for part in parts:
        console.print(part, crop=False)
    for check in report.checks:
        if not check.ok:
            _show_failed(console, check)
    console.print(_verdict(report))


def table_view(table: BlockTable, width: int) -> RenderableType:
    """Lay out the first rows of a table, or each as text if the columns do not fit."""
    rows = [[_cell(cell) for cell in row] for row in table.rows[:_MAX_ROWS]]
    columns = [printable(name) for name in table.columns]
    is_text = [any(isinstance(row[i], str) for row in table.rows) for i in range(len(columns))]
    widths = [
        max(_longest(name), *(_longest(row[i]) if is_text[i] else len(row[i]) for row in rows), 1)
        for i, name in enumerate(columns)
    ]
    title = Text(printable(table.title), "italic")
    if sum(widths) + len(widths) > width:
        return Group(title, *_records(columns, rows), Text())
    gap = 1 if sum(widths) + 2 * len(widths) <= width else 0
    left = width - sum(widths) - (1 + gap) * len(widths)
    for i, name in enumerate(columns):
        wanted = max(len(name), *(len(row[i]) for row in rows), 1) - widths[i]
        more = max(min(wanted, left), 0)
        widths[i], left = widths[i] + more, left - more
    if any(
        len(cell) > _MAX_LINES * size
        for row in rows
        for cell, size in zip(row, widths, strict=True)
    ):
        return Group(title, *_records(columns, rows), Text())
    shown = Table(box=SIMPLE_HEAD, show_edge=False, padding=(0, gap, 0, 0))
    for name, size, text in zip(columns, widths, is_text, strict=True):
        justify: JustifyMethod = "left" if text else "right"
        shown.add_column(Text(name), justify=justify, width=size, overflow="fold")
    for at, row in enumerate(rows):
        styles = ["bold red" if (at, i) in table.bad else "" for i in range(len(row))]
        shown.add_row(*(Text(cell, style) for cell, style in zip(row, styles, strict=True)))
    hidden = len(table.rows) - _MAX_ROWS
    note = [Text(f"{hidden} more in the report file", "dim")] if hidden > 0 else []
    return Group(title, shown, *note, Text())


def bars(histogram: Histogram) -> str:
    """Draw a histogram with one character per bin, from 1/8 to a full line high."""
    shown = [each.rows for each in histogram.bins[:_MAX_BARS]]
    top = max(shown, default=0)
    return "".join(_BARS[-(-rows * 8 // top)] if top else " " for rows in shown)


def plain(value: object) -> str:
    """Return text for a terminal: one line, truncated, with control characters escaped."""
    return printable(cut(str(value), _MAX_TEXT))


def _block_parts(blocks: Sequence[Block], width: int, *, verbose: bool) -> Iterator[RenderableType]:
    for block in blocks:
        is_flag = block.verdict == FLAG
        text = Text.assemble((f"{printable(block.title)}: ", "bold"), printable(block.text))
        if is_flag and block.definition:
            text.append(f" {block.definition} See {block.section}.", "dim")
        line = Table.grid(Column(width=_VERDICT), Column(ratio=1))
        line.add_row(Text(block.verdict, _STYLES.get(block.verdict, "dim")), text)
        yield line
        if is_flag or verbose:
            yield from (table_view(table, width) for table in block.tables if table.rows)


def _details(report: Report, width: int) -> Iterator[RenderableType]:
    if report.sources:
        yield table_view(summary.spaces_table(report.sources), width)
    for split in report.splits:
        if split.axes:
            yield table_view(_axes_table(split), width)
    priors = summary.priors_table(report.splits, _MAX_PRIORS)
    yield from (table_view(each, width) for each in (priors,) if each.rows)
    if report.mixes:
        yield table_view(summary.mixes_table(report.mixes), width)


def _axes_table(split: SplitReport) -> BlockTable:
    rows = tuple(
        (axis.axis, axis.low, axis.high, axis.mean, axis.distinct, bars(axis))
        for axis in split.axes[:_MAX_AXES]
    )
    columns = ("axis", "min", "max", "mean", "values", "distribution")
    return BlockTable(f"Axes of {split.name}", columns, rows)


def _records(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[Padding]:
    """Yield each row as text: its first cell, then its other cells with their columns."""
    for first, *others in rows:
        pairs = zip(columns[1:], others, strict=True)
        text = "; ".join(f"{name}: {cell}".strip(": ") for name, cell in pairs if cell)
        yield Padding(Text.assemble((first, "bold"), f": {text}"), (0, 0, 0, 2))


def _longest(text: str) -> int:
    """Return the length of the longest word, or of a short text: those are not broken."""
    if len(text) <= _SHORT:
        return len(text)
    return min(max((len(word) for word in text.split(" ")), default=0), _LONGEST_WORD)


def _check_line(check: Check) -> Text:
    result = ("ok  ", "green") if check.ok else ("FAILED", "bold red")
    text = f" {plain(check.name)}: {printable(check.detail)}"
    return Text.assemble(result, text, overflow="ignore")  # paths stay whole


def _show_failed(console: Console, check: Check) -> None:
    console.print(_check_line(check), crop=False)
    if check.rows:
        console.print(Text(f"  First rows that fail {plain(check.name)}:"))
    for row in check.rows:
        text = ", ".join(f"{name} {value}" for name, value in row.items())
        if row.keys() == {"row", "prompt"}:
            text = f"{row['row']}: {row['prompt']}"
        console.print(Text(f"    {printable(text)}", "dim", overflow="ignore"), crop=False)


def _verdict(report: Report) -> Text:
    failed = sum(not check.ok for check in report.checks)
    flagged = sum(block.verdict == FLAG for block in report.blocks)
    of_rows = report.checks and all(each.name.startswith(OVERLAP) for each in report.checks)
    checks = f"{plural(len(report.checks), 'check')}{' of shared rows' * bool(of_rows)}"
    text = f"{plain(report.name)}: {checks}, "
    if failed:
        return Text(f"{text}{failed} FAILED", "bold red")
    if flagged:
        return Text(f"{text}all ok; {plural(flagged, 'finding')} to review", "bold yellow")
    return Text(f"{text}all ok", "bold green")


def _cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cut(printable(cell), _MAX_CELL_TEXT)
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.6g}"
