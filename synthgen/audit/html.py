"""The audit report as one self-contained HTML file: no network, no fonts, no server.

The templates escape all content from datasets, and a policy in the page allows only its own script
and style.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from synthgen.audit.blocks import FLAG, INFO, OK, Bars, Block
from synthgen.audit.findings import (
    FORMAT,
    Check,
    MixCoverage,
    Overlap,
    Report,
    SourceSpace,
    SplitReport,
)
from synthgen.audit.html_charts import BarsView, LinesView, bars_view, lines_view
from synthgen.audit.html_histograms import HEIGHT, WIDTH, HeatsView, axis_views, heats_view
from synthgen.audit.html_tables import (
    MOST_BYTES,
    NOTHING,
    Limits,
    TableView,
    brief,
    clean,
    figure,
    joined,
    kept_of,
    megabytes,
    percent,
    plural,
    table_of,
    table_view,
)
from synthgen.core.files import replace_text

_SPLIT_COLUMNS = (
    "split",
    "rows",
    "promised",
    "verified",
    "checked by oracle",
    "repeated problems",
    "repeated prompts",
    "shards",
    "size",
)


def splits_table(splits: Sequence[SplitReport], limits: Limits) -> TableView:
    """Lay out the counts of every split, marking broken promises."""
    rows = [
        (
            each.name,
            each.rows,
            each.promised,
            each.verified,
            each.symbolic,
            each.repeated_ids,
            each.repeated_prompts,
            each.shards,
            megabytes(each.bytes),
        )
        for each in splits
    ]
    table = table_of("Rows of every split", _SPLIT_COLUMNS, rows, limits)
    some_verified = any(each.verified for each in splits)
    for at, each in enumerate(splits[: len(table.rows)]):
        table.marks.update({(at, 1): "bad"} if each.rows != each.promised else {})
        table.marks.update({(at, 3): "bad"} if some_verified and each.verified < each.rows else {})
    return table


def overlap_table(report: Report, limits: Limits) -> TableView | None:
    """Lay out shared problems as a matrix, with declared ones in brackets."""
    names = [split.name for split in report.splits]
    if len(names) <= 1:
        return None
    found = {(each.left, each.right): each for each in report.overlaps}
    cells = [[found.get((left, right)) for right in names[1:]] for left in names[:-1]]
    rows = [
        (left, *(_shared(each) for each in row))
        for left, row in zip(names[:-1], cells, strict=True)
    ]
    table = table_of("Problems shared between splits", ("split", *names[1:]), rows, limits)
    bad = {
        (at, number): "bad"
        for at, row in enumerate(cells)
        for number, each in enumerate(row, start=1)
        if each and each.ids and not each.declared
    }
    table.marks.update(bad)
    return table


def priors_table(splits: Sequence[SplitReport], limits: Limits) -> TableView | None:
    """Lay out the answers that are easiest to guess, a few per split."""
    rows = [
        (split.name, each.task, each.difficulty, each.rows, each.answers, each.answer, share)
        for split in splits
        for each in split.priors[: limits.priors]
        for share in [percent(each.most, each.rows)]
    ]
    columns = ("split", "task", "difficulty", "rows", "distinct answers", "answer", "share")
    return table_of("Cells where one answer dominates", columns, rows, limits) if (rows) else None


def mixes_table(mixes: Sequence[MixCoverage], limits: Limits) -> TableView | None:
    """Lay out which skill mixes were seen before."""
    rows = [
        (
            each.split,
            each.k,
            each.rows,
            each.seen_subsets[1] if each.k > 1 else None,
            each.seen_subsets[-1] if each.seen_subsets else None,
            each.seen_mixes,
            each.expected,
        )
        for each in mixes
    ]
    if not rows:
        return None
    columns = ("split", "k", "mixes", "all pairs seen", "whole set seen")
    title = f"Skill mixes seen in {mixes[0].train}"
    return table_of(title, (*columns, "with topic", "expected by chance"), rows, limits)


def mixes_bars(mixes: Sequence[MixCoverage]) -> tuple[Bars, ...]:
    """Draw the share of mixes by the size of their largest seen set."""
    if not mixes:
        return ()
    sizes = max(len(each.largest_seen) for each in mixes)
    return (
        Bars(
            "Largest set of skills seen before",
            "size of the largest seen set",
            "share of mixes, %",
            tuple(str(size) for size in range(sizes)),
            tuple(f"{each.split}, k = {each.k}" for each in mixes),
            tuple(_shares(each, sizes) for each in mixes),
        ),
    )


def sources_table(sources: Sequence[SourceSpace], limits: Limits) -> TableView | None:
    """Lay out the sizes of the problem spaces."""
    rows = [
        (
            each.source,
            "unbounded" if each.addresses is None else figure(each.addresses),
            _bound(each),
        )
        for each in sources
    ]
    columns = ("source", "addresses", "distinct problems")
    return table_of("Size of the problem space", columns, rows, limits) if rows else None


def _shared(each: Overlap | None) -> str:
    if each is None:
        return ""
    return f"({each.ids:,})" if each.declared else f"{each.ids:,}"


def _shares(each: MixCoverage, sizes: int) -> tuple[float, ...]:
    counts = [*each.largest_seen, *[0] * (sizes - len(each.largest_seen))]
    return tuple(100 * count / max(1, each.rows) for count in counts)


def _bound(each: SourceSpace) -> str:
    if each.fewest_problems is None:
        return NOTHING
    exact = each.fewest_problems == each.addresses
    return ("" if exact else "at least ") + figure(each.fewest_problems)


FAIL = "fail"
_MOST_EXAMPLES = 5
_MOST_FAILED = 40


@dataclass(frozen=True, slots=True)
class Fact:
    """A number of the dataset shown below the verdict."""

    value: str
    name: str


@dataclass(frozen=True, slots=True)
class Failed:
    """A broken promise, with the first offending rows."""

    name: str
    detail: str
    rows: TableView | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of the report.

    Attributes:
        level: FAIL, FLAG or OK.
        headline, sentence: the verdict in a few words, and the reason.
        more: note on failed checks that are not shown, or empty.
    """

    level: str
    headline: str
    sentence: str
    facts: tuple[Fact, ...]
    failed: tuple[Failed, ...]
    more: str


def verdict_of(report: Report, limits: Limits) -> Verdict:
    """Return the verdict: failed checks take precedence over flagged blocks."""
    failed = [check for check in report.checks if not check.ok]
    flagged = sum(level_of(block) == FLAG for block in report.blocks)
    checks = plural(len(report.checks), "check")
    if failed:
        level, headline = FAIL, "Failed"
        sentence = (
            f"{len(failed):,} of {checks} failed, listed below with the first offending rows."
        )
    elif flagged:
        level, headline = FLAG, f"Passed, {plural(flagged, 'finding')} to review"
        sentence = f"All {checks} passed. {plural(flagged, 'coverage finding')} flagged for review."
    else:
        level, headline = OK, "Passed"
        sentence = f"All {checks} passed." + (
            " No coverage finding is flagged." if report.blocks else ""
        )
    most = min(_MOST_FAILED, limits.checks)
    shown = tuple(_failed(check, limits) for check in failed[:most])
    more = kept_of(len(shown), len(failed), "failed checks")
    return Verdict(level, headline, sentence, _facts(report), shown, more)


def level_of(block: Block) -> str:
    """Return the verdict of a block; unknown ones only inform."""
    return block.verdict if block.verdict in {OK, FLAG} else INFO


def checks_table(checks: Sequence[Check], limits: Limits) -> TableView:
    """Lay out all checks, failed ones first."""
    ranked = sorted(checks, key=lambda check: check.ok)
    shown = ranked[: limits.checks]
    rows = tuple((each.name, "ok" if each.ok else "FAILED", each.detail) for each in shown)
    table = table_of("Checks", ("check", "result", "detail"), rows, limits, len(ranked))
    table.marks.update({(at, 1): "bad" for at, check in enumerate(shown) if not check.ok})
    return table


def _failed(check: Check, limits: Limits) -> Failed:
    rows = None
    if check.rows:
        names = tuple(dict.fromkeys(name for row in check.rows for name in row))
        cells = tuple(
            tuple(_cell(row.get(name)) for name in names) for row in check.rows[:_MOST_EXAMPLES]
        )
        rows = table_of(f"First rows that fail {check.name}", names, cells, limits)
    name, detail = clean(check.name, limits.cells), clean(check.detail, limits.texts)
    return Failed(name, detail, rows)


def _cell(value: object) -> str | int | float | None:
    if value is None or isinstance(value, str | int | float):
        return value
    return str(value)


def _facts(report: Report) -> tuple[Fact, ...]:
    if not report.splits:
        return ()
    rows = sum(split.rows for split in report.splits)
    verified = sum(split.verified for split in report.splits)
    repeated = sum(split.repeated_ids for split in report.splits)
    shared = sum(each.ids for each in report.overlaps if not each.declared)
    # Third-party files come without a verifier, so no share is shown for them.
    checked = (Fact(percent(min(verified, rows), rows), "of rows verified"),) if verified else ()
    return (
        Fact(f"{rows:,}", "row" if rows == 1 else "rows"),
        Fact(f"{len(report.splits):,}", "split" if len(report.splits) == 1 else "splits"),
        *checked,
        Fact(f"{repeated:,}", "repeated problems"),
        Fact(f"{shared:,}", "undeclared shared problems"),
        Fact(megabytes(sum(split.bytes for split in report.splits)), "on disk"),
    )


HTML_FILE = "audit/report.html"
_SENTENCE = 240


@dataclass(frozen=True, slots=True)
class BlockView:
    """A ranked block as shown on the page.

    Attributes:
        brief: shortened text for the list at the top.
        charts: whether it has charts.
        tables, bars, lines: made lazily, since rendering may stop before them.
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
    """Return a page of at most MOST_BYTES in UTF-8, which states what was cut."""
    limits, page = Limits(), None
    while page is None:
        page = _page(report, limits)
        limits = limits.halved()
    return page


def write_html(path: Path, report: Report) -> Path:
    """Write the page atomically to a file, creating its folder if needed, and return the path.

    Raises:
        OutputError: if the file cannot be written.
    """
    return replace_text(path, render_html(report))


def _page(report: Report, limits: Limits) -> str | None:
    """Return the page, or None if it becomes too large."""
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
    """Return the policy source that allows exactly this text."""
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
