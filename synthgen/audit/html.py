"""The audit report as one HTML file that needs nothing else: no network, no fonts, no server.

Whatever comes from a dataset is escaped by the templates, and a policy in the page lets only the
page's own script and style run.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from synthgen.audit.blocks import FLAG, Block
from synthgen.audit.findings import FORMAT, Report
from synthgen.audit.html_bars import BarsView, bars_view
from synthgen.audit.html_heats import HeatsView, heats_view
from synthgen.audit.html_histograms import HEIGHT, WIDTH, axis_views
from synthgen.audit.html_limits import MOST_BYTES, Limits
from synthgen.audit.html_lines import LinesView, lines_view
from synthgen.audit.html_sections import (
    mixes_bars,
    mixes_table,
    overlap_table,
    priors_table,
    sources_table,
    splits_table,
)
from synthgen.audit.html_tables import TableView, joined, kept_of, table_view
from synthgen.audit.html_text import brief, clean
from synthgen.audit.html_verdict import checks_table, level_of, verdict_of
from synthgen.core.errors import OutputError

HTML_FILE = "audit/report.html"
_SENTENCE = 240


@dataclass(frozen=True, slots=True)
class BlockView:
    """A ranked block as the page shows it.

    Attributes:
        brief: its text for the list at the top.
        charts: whether it has any.
        tables, bars, lines: made when the page comes to them, since a page may end before.
    """

    level: str
    title: str
    brief: str
    text: str
    charts: bool
    tables: Iterator[TableView]
    bars: Iterator[BarsView]
    lines: Iterator[LinesView]
    heats: HeatsView | None
    note: str


def render_html(report: Report) -> str:
    """Return a page of at most MOST_BYTES in UTF-8; what had to be cut is told in it."""
    limits, page = Limits(), None
    while page is None:
        page = _page(report, limits)
        limits = limits.halved()
    return page


def write_html(path: Path, report: Report) -> Path:
    """Write the page atomically to a file, making its folder if need be, and return the path.

    Raises:
        OutputError: if the file cannot be written.
    """
    page = render_html(report)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            temporary.write_text(page, encoding="utf-8", newline="\n")
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        msg = f"cannot write the report to {path}: {error.strerror or error}"
        raise OutputError(msg) from error
    return path


def _page(report: Report, limits: Limits) -> str | None:
    """Return the page, or None as soon as it is too large."""
    parts, size = [], 0
    for part in _template().generate(_content(report, limits)):
        size += len(part.encode())
        if size > MOST_BYTES:
            return None
        parts.append(part)
    return "".join(parts)


def _content(report: Report, limits: Limits) -> dict[str, Any]:
    shown = report.blocks[: limits.blocks]
    blocks = [_block(block, limits) for block in shown]
    axes, axes_note = axis_views(report.splits, limits)
    style, script = _part("report.css"), _part("report.js")
    return {
        "name": clean(report.name, limits.cells),
        "fingerprint": clean(report.fingerprint, limits.cells),
        "format": FORMAT,
        "style": Markup(style),  # noqa: S704
        "script": Markup(script),  # noqa: S704
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "verdict": verdict_of(report, limits),
        "flagged": [(i, each.title) for i, each in enumerate(blocks, 1) if each.level == FLAG],
        "blocks": blocks,
        "blocks_note": joined([kept_of(len(shown), len(report.blocks), "findings")]),
        "splits": splits_table(report.splits, limits) if report.splits else None,
        "axes": axes,
        "axes_note": axes_note,
        "panel": (WIDTH, HEIGHT),
        "overlaps": overlap_table(report, limits),
        "priors": priors_table(report.splits, limits),
        "mixes": mixes_table(report.mixes, limits),
        "mixes_bars": [
            bars_view(each, limits) for each in mixes_bars(report.mixes)[: limits.parts]
        ],
        "sources": sources_table(report.sources, limits),
        "checks": checks_table(report.checks, limits),
        "checks_count": len(report.checks),
    }


def _block(block: Block, limits: Limits) -> BlockView:
    most = limits.parts
    cut = [
        kept_of(min(most, len(parts)), len(parts), name)
        for name, parts in (
            ("tables", block.tables),
            ("bar charts", block.bars),
            ("line charts", block.lines),
        )
    ]
    return BlockView(
        level=level_of(block),
        title=clean(block.title, limits.cells),
        brief=brief(block.text, min(_SENTENCE, limits.texts)),
        text=clean(block.text, limits.texts),
        charts=bool(block.bars or block.lines),
        tables=(table_view(table, limits) for table in block.tables[:most]),
        bars=(bars_view(bars, limits) for bars in block.bars[:most]),
        lines=(lines_view(lines, limits) for lines in block.lines[:most]),
        heats=heats_view(block.heats, limits),
        note=joined(cut),
    )


def _part(name: str) -> str:
    return files("synthgen.audit").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Return the source of a policy that allows exactly this text."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(_part),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("report.html.jinja")
