"""Blocks and checks of a report about anybody's rows, on a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from synthgen.audit.blocks import FLAG, OK, Block, BlockTable, Cell
from synthgen.audit.findings import Check, Report
from synthgen.audit.terminal import plain

_STYLES = {OK: "green", FLAG: "bold yellow"}
_MOST_ROWS = 20


def show_blocks(console: Console, report: Report) -> None:
    """Write every block, then the checks, the verdict last."""
    for block in report.blocks:
        _show_block(console, block)
    for check in report.checks:
        _show_check(console, check)
    failed = sum(not check.ok for check in report.checks)
    told = f"{plain(report.name)}: {len(report.checks)} checks, "
    console.print(
        Text(f"{told}{failed} FAILED", "bold red")
        if failed
        else Text(f"{told}all ok", "bold green")
    )


def _show_block(console: Console, block: Block) -> None:
    title = Text(plain(block.title), "bold")
    console.print(Text.assemble(title, "  ", (block.verdict, _STYLES.get(block.verdict, "dim"))))
    console.print(Text(_clean(block.text)))
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
    for row in table.rows[:_MOST_ROWS]:
        shown.add_row(*(Text(_cell(value)) for value in row))
    if len(table.rows) > _MOST_ROWS:
        shown.caption = Text(f"{len(table.rows) - _MOST_ROWS} more with --json")
    return shown


def _show_check(console: Console, check: Check) -> None:
    result = Text("ok", "green") if check.ok else Text("FAILED", "bold red")
    console.print(Text.assemble(result, f"  {plain(check.name)}: {_clean(check.detail)}"))
    for row in check.rows:
        console.print(Text(f"    {plain(row['row'])}: {plain(row['prompt'])}", "dim"))


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.4f}"
    return f"{value:,}" if isinstance(value, int) else plain(value)


def _clean(text: str) -> str:
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
