"""Tables of a page: cells as text, right-aligned numbers, and a note on what was cut."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field

from synthgen.auditing.blocks import BlockTable, Cell
from synthgen.auditing.wording import cut
from synthgen.core.printing import short_number

_MIN_CHARACTERS = 24
MAX_BYTES = 1_500_000
"""Largest size of an HTML report."""


@dataclass(frozen=True, slots=True)
class TableLimits:
    """Upper bounds on the contents of a page; notes state what they cut.

    Attributes:
        texts: Characters of a sentence, such as the verdict of a block.
        cells: Characters of a cell of a table, a label or a name.
        rows, columns: Rows and columns of a table.
        checks: Rows of the table of checks, failed ones first.
        blocks, parts: Blocks, and tables and charts of each.
        labels, series: Labels and series of a chart.
        heats, heat_side, heat_cells: Heat maps of a block, rows and columns of each, and cells of
            all of them together.
        splits, axes: Splits and axes with histograms.
        priors: Answers easiest to guess, per split.
    """

    texts: int = 1_200
    cells: int = 400
    rows: int = 120
    columns: int = 24
    checks: int = 400
    blocks: int = 40
    parts: int = 12
    labels: int = 60
    series: int = 8
    heats: int = 240
    heat_side: int = 120
    heat_cells: int = 120_000
    splits: int = 16
    axes: int = 48
    priors: int = 5

    def halved(self) -> TableLimits:
        """Return limits of half the size, at least one item and a few characters each."""
        smaller = TableLimits(*(max(1, each // 2) for each in astuple(self)))
        if smaller.texts >= _MIN_CHARACTERS and smaller.cells >= _MIN_CHARACTERS:
            return smaller
        texts, cells, *others = astuple(smaller)
        return TableLimits(max(texts, _MIN_CHARACTERS), max(cells, _MIN_CHARACTERS), *others)


_KEPT = "\n\t"
_COMPACT = ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k"))
NOTHING = "–"
_EMPTY = (None, "", "-", NOTHING)


def clean(value: object, limit: int) -> str:
    """Truncate a text to `limit` characters and escape unprintable ones."""
    text = cut(str(value), limit)
    return text if text.isprintable() else "".join(map(_visible, text))


def brief(text: str, limit: int) -> str:
    """Return the first sentences or words of a text that fit into `limit` characters."""
    if len(text) <= limit:
        return clean(text, limit)
    head = text[: limit - 1]
    end = head.rfind(". ") + 1
    if end > limit // 3:  # a shorter sentence says too little
        return clean(head[:end], limit)
    words = head.rpartition(" ")[0] or head
    return clean(words.rstrip(" ,;:") + "…", limit)


def _visible(character: str) -> str:
    shown = character.isprintable() or character in _KEPT
    return character if shown or unicodedata.category(character) == "Zs" else ascii(character)[1:-1]


def figure(value: float | None) -> str:
    """Format a number with thousands separators and four decimals; NOTHING for None."""
    if value is None:
        return NOTHING
    if isinstance(value, int):
        return short_number(value) if value >= 0 else f"−{short_number(-value)}"
    if not math.isfinite(value):
        return "not a number" if math.isnan(value) else "−∞" if value < 0 else "∞"
    sign, size = ("−" if value < 0 else ""), abs(value)
    if size < 1000 or size >= 10**12:
        return sign + f"{size:.4g}".replace("e-0", "e-").replace("e-", "e−").replace("e+", "e")
    return f"{sign}{size:,.0f}"


def compact(value: float) -> str:
    """Format a number in few characters for an axis: 12k, 0.25, 3.4M."""
    for size, sign in _COMPACT:
        if size <= abs(value) < size * 1000:
            return f"{value / size:.3g}{sign}".replace("-", "−")
    return figure(value)


def percent(part: float, whole: float) -> str:
    """Format a share; NOTHING if `whole` is 0, and 100% or 0% only if exact."""
    if not whole:
        return NOTHING
    share = 100 * part / whole
    if 0 < share < 0.1:
        return "< 0.1%"
    if 99.9 < share < 100:
        return "> 99.9%"
    return f"{share:.1f}%".replace(".0%", "%")


def megabytes(size: int) -> str:
    """Format a number of bytes in MB, or in kB below 0.1 MB."""
    return f"{size / 1e6:,.1f} MB" if size >= 10**5 else f"{size / 1e3:,.1f} kB"


_WIDE, _NAME = 48, 11
_HALF = 76
"""Characters of a row that half of the page has room for."""
_VERBATIM = ("prompt", "prediction", "answer", "right answer")
"""Columns in a font of equal widths, which keeps boards aligned."""
_NUMBER = re.compile(
    r"\(?[<>]? ?[−+-]?[\d.,]+(e[−-]?\d+| x 10\^\d+)?( ?(%|k|M|MB|kB))?\)?|−?∞|not a number"
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        numeric: Whether all its texts are numbers.
        wide: Whether some texts are long.
        characters: Length of its longest text.
    """

    name: str
    numeric: bool
    wide: bool
    characters: int = 0

    @property
    def kind(self) -> str:
        """Classes of its cells."""
        mono = "mono " if self.name in _VERBATIM else ""
        return mono + ("number " if self.numeric else "wide " if self.wide else "")


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as shown on the page.

    Attributes:
        marks: CSS classes of cells by row and column, where any.
        note: Note on what was cut, or empty.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    marks: dict[tuple[int, int], str] = field(default_factory=dict)

    @property
    def wide(self) -> bool:
        """Whether the table needs the whole width of the page."""
        characters = sum(
            2 + min(max(c.characters, min(len(c.name), _NAME)), _WIDE) for c in self.columns
        )
        return characters > _HALF or any(column.wide for column in self.columns)


def table_view(table: BlockTable, limits: TableLimits, rows: int | None = None) -> TableView:
    """Return the first rows and columns of a table as text, without columns that say nothing.

    `rows` overrides the limit of rows.
    """
    shown = table.rows[: rows or limits.rows]
    filled = [
        i
        for i in range(len(table.columns))
        if not shown or any(row[i] not in _EMPTY for row in shown if i < len(row))
    ]
    kept = filled[: limits.columns]
    texts = tuple(tuple(cell_text(row[i], limits) for i in kept if i < len(row)) for row in shown)
    columns = tuple(
        Column(
            clean(table.columns[i], limits.cells),
            _numeric(row[at] for row in texts if at < len(row)),
            any(len(row[at]) > _WIDE for row in texts if at < len(row)),
            max((len(row[at]) for row in texts if at < len(row)), default=0),
        )
        for at, i in enumerate(kept)
    )
    left_out = [
        kept_of(len(shown), len(table.rows), "rows"),
        kept_of(len(kept), len(filled), "columns"),
    ]
    marks = {(at, kept.index(i)): "bad" for at, i in table.bad if at < len(shown) and i in kept}
    return TableView(clean(table.title, limits.cells), columns, texts, joined(left_out), marks)


def cell_text(cell: Cell, limits: TableLimits) -> str:
    """Format one cell."""
    return clean(cell, limits.cells) if isinstance(cell, str) else figure(cell)


def kept_of(shown: int, total: int, what: str) -> str:
    """State how many items are shown; empty if all are."""
    return f"{shown:,} of {total:,} {what}" if shown < total else ""


def joined(left_out: Sequence[str]) -> str:
    """Return one note on what was cut; empty if nothing was."""
    notes = [each for each in left_out if each]
    return f"Shown: {', '.join(notes)}. The JSON report has all." if notes else ""


def _numeric(texts: Iterable[str]) -> bool:
    filled = [text for text in texts if text not in {"", NOTHING}]
    return bool(filled) and all(_NUMBER.fullmatch(text) for text in filled)
