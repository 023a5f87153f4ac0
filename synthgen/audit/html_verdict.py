"""The top of the page: is the dataset sound, what is to be looked at, and how large is it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synthgen.audit.blocks import FLAG, INFO, OK, Block
from synthgen.audit.findings import Check, Report
from synthgen.audit.html_limits import Limits
from synthgen.audit.html_tables import TableView, kept_of, table_of
from synthgen.audit.html_text import clean, megabytes, percent, plural

FAIL = "fail"
_MOST_EXAMPLES = 5
_MOST_FAILED = 40


@dataclass(frozen=True, slots=True)
class Fact:
    """A number of the dataset under the verdict."""

    value: str
    name: str


@dataclass(frozen=True, slots=True)
class Failed:
    """A promise that the files do not keep, with the first rows that break it."""

    name: str
    detail: str
    rows: TableView | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What decides.

    Attributes:
        level: FAIL, FLAG or OK.
        headline, sentence: the verdict in a few words, and the reason.
        more: note of failed checks that are not shown, or empty.
    """

    level: str
    headline: str
    sentence: str
    facts: tuple[Fact, ...]
    failed: tuple[Failed, ...]
    more: str


def verdict_of(report: Report, limits: Limits) -> Verdict:
    """Return the verdict: failed checks decide first, then blocks that are flagged."""
    failed = [check for check in report.checks if not check.ok]
    flagged = sum(level_of(block) == FLAG for block in report.blocks)
    checks = plural(len(report.checks), "check")
    if failed:
        level, headline = FAIL, "Not sound"
        sentence = (
            f"{len(failed):,} of {checks} failed: they follow, with the first rows that break them."
        )
    elif flagged:
        level, headline = FLAG, "Sound, with something to look at"
        sentence = f"All {checks} hold; {plural(flagged, 'finding')} on coverage to look at."
    else:
        level, headline = OK, "Sound"
        sentence = f"All {checks} hold" + (
            ", and nothing on coverage is out of the ordinary." if report.blocks else "."
        )
    most = min(_MOST_FAILED, limits.checks)
    shown = tuple(_failed(check, limits) for check in failed[:most])
    more = kept_of(len(shown), len(failed), "failed checks")
    return Verdict(level, headline, sentence, _facts(report), shown, more)


def level_of(block: Block) -> str:
    """Return the verdict of a block; one that is none of ours only informs."""
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
        rows = table_of(f"First rows that break {check.name}", names, cells, limits)
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
    # Files of others come without a verifier, which is no fault of theirs.
    told = (Fact(percent(min(verified, rows), rows), "of rows verified"),) if verified else ()
    return (
        Fact(f"{rows:,}", "row" if rows == 1 else "rows"),
        Fact(f"{len(report.splits):,}", "split" if len(report.splits) == 1 else "splits"),
        *told,
        Fact(f"{repeated:,}", "repeated problems"),
        Fact(f"{shared:,}", "shared between splits, undeclared"),
        Fact(megabytes(sum(split.bytes for split in report.splits)), "on disk"),
    )
