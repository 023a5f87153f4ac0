"""The audit report as one self-contained HTML file: no network, no fonts, no server.

The templates escape all content from datasets, and a policy in the page allows only its own script
and style.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from synthgen.auditing import summary
from synthgen.auditing.blocks import FLAG, INFO, OK, BarChart, Block, BlockTable
from synthgen.auditing.findings import FORMAT, Report
from synthgen.auditing.html_charts import ChartView, Point, Row, bars_view, dots_view
from synthgen.auditing.html_histograms import HeatsView, axis_views, heats_view
from synthgen.auditing.html_tables import (
    MAX_BYTES,
    TableLimits,
    TableView,
    brief,
    clean,
    joined,
    kept_of,
    megabytes,
    percent,
    table_view,
)
from synthgen.auditing.novelty_blocks import UNSEEN_PARTS
from synthgen.auditing.report_figures import by_side
from synthgen.auditing.skill_mixes import MixCoverage
from synthgen.auditing.wording import plural
from synthgen.core.files import replace_text
from synthgen.core.images import IMAGE
from synthgen.coverage.intervals import wilson_interval
from synthgen.verifying.promises import Check


def mixes_bars(mixes: Sequence[MixCoverage]) -> tuple[BarChart, ...]:
    """Draw the share of mixes by the size of their largest seen set."""
    if not mixes:
        return ()
    sizes = max(len(each.largest_seen) for each in mixes)
    labels = tuple(str(size) for size in range(sizes))
    names = tuple(f"{each.split}, k = {each.k}" for each in mixes)
    axes = ("size of the largest seen set", "share of mixes, %", labels, names)
    shares = tuple(_shares(each, sizes) for each in mixes)
    return (BarChart("Largest set of skills seen before", *axes, shares),)


def _shares(each: MixCoverage, sizes: int) -> tuple[float, ...]:
    counts = [*each.largest_seen, *[0] * (sizes - len(each.largest_seen))]
    return tuple(100 * count / max(1, each.rows) for count in counts)


FAIL = "fail"
_MAX_EXAMPLES = 5
_MAX_FAILED = 40
_MAX_BRIEF = 150
_DEVIATIONS = 3.0
"""Standard deviations of random splits that a band of divergences shows on either side."""


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """A broken promise, with the first offending rows."""

    name: str
    detail: str
    rows: TableView | None


@dataclass(frozen=True, slots=True)
class ReportVerdict:
    """The verdict of the report.

    Attributes:
        level: FAIL, FLAG or OK.
        headline, sentence: Verdict in a few words, and the reason.
        facts: Values and names of the numbers below it.
        more: Note on failed checks that are not shown, or empty.
    """

    level: str
    headline: str
    sentence: str
    facts: tuple[tuple[str, str], ...]
    failed: tuple[FailedCheck, ...]
    more: str


def verdict_of(report: Report, limits: TableLimits) -> ReportVerdict:
    """Return the verdict: failed checks take precedence over flagged blocks."""
    failed = [check for check in report.checks if not check.ok]
    flagged = sum(level_of(block) == FLAG for block in report.blocks)
    checks = plural(len(report.checks), "check")
    if failed:
        level, headline = FAIL, "Failed"
        sentence = f"{len(failed):,} of {checks} failed, "
        sentence += "listed below with the first offending rows."
    elif flagged:
        level, headline = FLAG, f"Passed, {plural(flagged, 'finding')} to review"
        sentence = f"All {checks} passed. {plural(flagged, 'coverage finding')} flagged for review."
    else:
        level, headline = OK, "Passed"
        sentence = f"All {checks} passed."
        sentence += " No coverage finding is flagged." if report.blocks else ""
    limit = min(_MAX_FAILED, limits.checks)
    shown = tuple(_failed(check, limits) for check in failed[:limit])
    more = kept_of(len(shown), len(failed), "failed checks")
    return ReportVerdict(level, headline, sentence, _facts(report), shown, more)


def level_of(block: Block) -> str:
    """Return the verdict of a block; unknown ones only inform."""
    return block.verdict if block.verdict in {OK, FLAG} else INFO


def _failed(check: Check, limits: TableLimits) -> FailedCheck:
    rows = None
    if check.rows:
        names = tuple(dict.fromkeys(name for row in check.rows for name in row))
        cells = tuple(
            tuple(_cell(row.get(name)) for name in names) for row in check.rows[:_MAX_EXAMPLES]
        )
        title = f"First rows that fail {check.name}"
        rows = table_view(BlockTable(title, names, cells), limits)
    name, detail = clean(check.name, limits.cells), clean(check.detail, limits.texts)
    return FailedCheck(name, detail, rows)


def _cell(value: object) -> str | int | float | None:
    if value is None or isinstance(value, str | int | float):
        return value
    return str(value)


def _facts(report: Report) -> tuple[tuple[str, str], ...]:
    splits = report.splits
    if not splits:
        return ()
    rows, verified = (sum(getattr(s, name) for s in splits) for name in ("rows", "verified"))
    repeated = sum(split.repeated_ids for split in splits)
    shared = sum(each.ids for each in report.overlaps if not each.declared)
    # Third-party files come without a verifier, so no share is shown for them.
    checked = ((percent(min(verified, rows), rows), "of rows verified"),) if verified else ()
    return (
        (f"{rows:,}", "row" if rows == 1 else "rows"),
        (f"{len(splits):,}", "split" if len(splits) == 1 else "splits"),
        *checked,
        (f"{repeated:,}", "repeated problems"),
        (f"{shared:,}", "undeclared shared problems"),
        (megabytes(sum(split.bytes for split in splits)), "on disk"),
    )


HTML_FILE = "audit/report.html"


@dataclass(frozen=True, slots=True)
class BlockView:
    """A ranked block as shown on the page.

    Attributes:
        brief: Start of the text, for the line of a collapsed block.
        definition: Sentence on what the block measures.
        tables: Tables, made lazily because rendering may stop before them.
    """

    level: str
    title: str
    text: str
    brief: str
    definition: str
    tables: Iterator[TableView]
    charts: tuple[ChartView, ...]
    heats: HeatsView | None
    note: str


def render_html(report: Report) -> str:
    """Return a page of at most MAX_BYTES in UTF-8, which states what was cut."""
    limits, page = TableLimits(), None
    while page is None:
        page = _page(report, limits)  # None if too large, so that smaller limits are tried
        limits = limits.halved()
    return page


def write_html(path: Path, report: Report) -> Path:
    """Write the page atomically to a file, creating its folder if needed, and return the path.

    Raises:
        OutputError: if the file cannot be written.
    """
    return replace_text(path, render_html(report))


def _page(report: Report, limits: TableLimits) -> str | None:
    """Return the page, or None if it becomes too large."""
    parts, size = [], 0
    for part in _template().generate(_content(report, limits)):
        size += len(part.encode())
        if size > MAX_BYTES:
            return None
        parts.append(part)
    return "".join(parts)


def _content(report: Report, limits: TableLimits) -> dict[str, Any]:
    shown = report.blocks[: limits.blocks]
    blocks = [_block(block, limits) for block in shown]
    axes, axes_note = axis_views(report.splits, limits)
    parts = [t for block in report.blocks for t in block.tables if t.title == UNSEEN_PARTS]
    return {
        **page_parts("Dataset audit", report.name),
        "fingerprint": clean(report.fingerprint, limits.cells),
        "format": FORMAT,
        "verdict": verdict_of(report, limits),
        "flagged": [(i, each.title) for i, each in enumerate(blocks, 1) if each.level == FLAG],
        "blocks": blocks,
        "blocks_note": joined([kept_of(len(shown), len(report.blocks), "findings")]),
        "splits": _shown(summary.overview_table(report), limits),
        "pictures": pictures(report, limits),
        "unseen": _unseen(parts[0], limits) if parts else None,
        "levels": heats_view(report.levels, limits),
        "examples": _shown(summary.examples_table(report.splits), limits),
        "images": _images(report)[: limits.parts],
        "axes": axes,
        "axes_note": axes_note,
        "priors": _shown(summary.priors_table(report.splits, limits.priors), limits),
        "mixes": _shown(summary.mixes_table(report.mixes), limits),
        "mixes_charts": [
            bars_view(each, limits) for each in mixes_bars(report.mixes)[: limits.parts]
        ],
        "sources": _shown(summary.spaces_table(report.sources), limits),
        "checks": table_view(summary.checks_table(report.checks), limits, limits.checks),
        "checks_count": len(report.checks),
    }


def _images(report: Report) -> list[tuple[str, str]]:
    """Return the pictures of the first rows as URIs, each with the name of its split."""
    examples = [(split.name, row.get(IMAGE)) for split in report.splits for row in split.examples]
    return [(name, str(uri)) for name, uri in examples if uri]


def _unseen(table: BlockTable, limits: TableLimits) -> TableView:
    """Return the table of parts that train lacks, with the start of each prompt on one line."""
    rows = tuple(
        (*cells, brief(" ".join(str(prompt).split()), _MAX_BRIEF)) for *cells, prompt in table.rows
    )
    return table_view(replace(table, rows=rows), limits)


def pictures(report: Report, limits: TableLimits) -> list[ChartView]:
    """Draw divergences, shortcuts and lengths of every split, from the figures."""
    figures = by_side(report.blocks)
    sizes = {split.name: split.rows for split in report.splits}
    rows: dict[str, list[Row]] = {"D_A": [], "D_C": [], "shortcuts": [], "lengths": []}
    for name in sizes:
        of_split = figures.get(name, {})
        divergence = summary.main_figures(of_split).get("divergence", {})
        compounds = [*divergence.get("compound", {}).values()]
        for key, measured in (
            ("D_A", divergence.get("atom")),
            ("D_C", compounds and compounds[-1]),
        ):
            if measured:
                rows[key].append(_divergence(name, measured))
        best = [*of_split.get("shortcuts", {}).values()]
        if best:
            n = sizes[name]
            interval = wilson_interval(round(best[0] * n), n)
            ends = (100 * best[0], *(100 * end for end in interval))
            rows["shortcuts"].append(Row(name, Point(*ends)))
        length = of_split.get("lengths", {}).get("prompt", {})
        if "mean" in length:
            point = Point(length["mean"], length["min"], length["max"])
            rows["lengths"].append(Row(name, point))
    band = f"from train; band: random splits, mean ± {_DEVIATIONS:.0f} deviations"
    titles = {
        "D_A": ("D_A: divergence of atoms", band),
        "D_C": ("D_C: divergence of compounds", band),
        "shortcuts": ("Accuracy of the best shortcut, %", "line: 95% interval"),
        "lengths": ("Length of prompts in characters", "dot: mean; line: shortest to longest"),
    }
    tops = {"shortcuts": 100.0}
    return [
        dots_view(*titles[key], each, limits, tops.get(key, 0.0))
        for key, each in rows.items()
        if each
    ]


def _divergence(name: str, measured: Mapping[str, float]) -> Row:
    if "random_sd" not in measured:
        return Row(name, Point(measured["value"]))
    mean, spread = measured["random_mean"], _DEVIATIONS * measured["random_sd"]
    return Row(name, Point(measured["value"]), (max(0.0, mean - spread), mean + spread))


def _shown(table: BlockTable, limits: TableLimits) -> TableView | None:
    return table_view(table, limits) if table.rows else None


def _block(block: Block, limits: TableLimits) -> BlockView:
    limit = limits.parts
    tables = [table for table in block.tables if table.title != UNSEEN_PARTS]
    cut = [
        kept_of(min(limit, len(parts)), len(parts), name)
        for name, parts in (("tables", tables), ("charts", block.bars))
    ]
    return BlockView(
        level=level_of(block),
        title=clean(block.title, limits.cells),
        text=clean(block.text, limits.texts),
        brief=brief(block.text, _MAX_BRIEF),
        definition=block.definition,
        tables=(table_view(table, limits) for table in tables[:limit]),
        charts=tuple(bars_view(bars, limits) for bars in block.bars[:limit]),
        heats=heats_view(block.heats, limits),
        note=joined(cut),
    )


def page_parts(kind: str, name: str) -> dict[str, Any]:
    """Return the parts that all pages have: heading, style, script, and the policy for them."""
    style, script = _part("report.css"), _part("report.js")
    return {
        "kind": kind,
        "name": clean(name, TableLimits().cells),
        "style": Markup(style),  # noqa: S704
        "script": Markup(script),  # noqa: S704
        "style_hash": policy_hash(style),
        "script_hash": policy_hash(script),
    }


def _part(name: str) -> str:
    return files("synthgen.auditing").joinpath(name).read_text(encoding="utf-8")


def policy_hash(text: str) -> str:
    """Return the policy source that allows exactly this script or style."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@cache
def _template() -> jinja2.Template:
    environment = page_environment(_part)
    environment.policies["json.dumps_kwargs"] = {"allow_nan": False, "separators": (",", ":")}
    return environment.get_template("report.html.jinja")


def page_environment(read: Callable[[str], str]) -> jinja2.Environment:
    """Return an environment for pages, which escapes all values; `read` gives templates by name."""
    return jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(read),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
