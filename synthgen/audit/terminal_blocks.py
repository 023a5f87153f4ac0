"""The blocks of coverage on a terminal: verdict, title and sentence, tables where flagged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from synthgen.audit.blocks import FLAG, OK, Block, BlockTable, Cell

_STYLES = {OK: "green", FLAG: "bold yellow"}
_MOST_ROWS, _MOST_TEXT = 10, 60


def blocks_view(blocks: Sequence[Block]) -> Group:
    """Lay out all blocks, in their order."""
    return Group(*(part for block in blocks for part in _parts(block)))


def _parts(block: Block) -> Iterator[RenderableType]:
    head = Text(f"{block.verdict:<5}", _STYLES.get(block.verdict, "dim"))
    head.append(f"{_clean(block.title)}: ", "bold")
    head.append(_clean(block.text), "default")
    yield head
    if block.verdict == FLAG:
        yield from (_table(table) for table in block.tables if table.rows)


def _table(table: BlockTable) -> Table:
    shown = Table(title=Text(_clean(table.title)), title_justify="left")
    for number, name in enumerate(table.columns):
        is_number = all(not isinstance(row[number], str) for row in table.rows)
        shown.add_column(Text(_clean(name)), justify="right" if is_number else "left")
    for row in table.rows[:_MOST_ROWS]:
        shown.add_row(*(Text(_cell(cell)) for cell in row))
    if len(table.rows) > _MOST_ROWS:
        shown.caption = f"{len(table.rows) - _MOST_ROWS} more are in the report file"
    return shown


def _cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        text = _clean(cell)
        return text if len(text) <= _MOST_TEXT else text[: _MOST_TEXT - 1] + "…"
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.6g}"


def _clean(text: str) -> str:
    """Return text without anything that a terminal would act on."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
