"""Parts of the page that every audit has: splits, shared problems, answers, mixes, sources."""

from __future__ import annotations

from collections.abc import Sequence

from synthgen.audit.blocks import Bars
from synthgen.audit.findings import MixCoverage, Overlap, Report, SourceSpace, SplitReport
from synthgen.audit.html_limits import Limits
from synthgen.audit.html_tables import TableView, table_of
from synthgen.audit.html_text import NOTHING, figure, megabytes, percent

_SPLIT_COLUMNS = (
    "split",
    "rows",
    "promised",
    "verified",
    "checked twice",
    "repeated problems",
    "repeated prompts",
    "shards",
    "size",
)


def splits_table(splits: Sequence[SplitReport], limits: Limits) -> TableView:
    """Lay out the counts of every split; what is not as promised is marked."""
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
    """Lay out shared problems as a matrix; what is declared stands in brackets."""
    names = [split.name for split in report.splits]
    if len(names) <= 1:
        return None
    found = {(each.left, each.right): each for each in report.overlaps}
    cells = [[found.get((left, right)) for right in names[1:]] for left in names[:-1]]
    rows = [
        (left, *(_shared(each) for each in row))
        for left, row in zip(names[:-1], cells, strict=True)
    ]
    table = table_of("Problems that two splits share", ("split", *names[1:]), rows, limits)
    bad = {
        (at, number): "bad"
        for at, row in enumerate(cells)
        for number, each in enumerate(row, start=1)
        if each and each.ids and not each.declared
    }
    table.marks.update(bad)
    return table


def priors_table(splits: Sequence[SplitReport], limits: Limits) -> TableView | None:
    """Lay out the answers that are easiest to guess, a few of each split."""
    rows = [
        (split.name, each.task, each.difficulty, each.rows, each.answers, each.answer, share)
        for split in splits
        for each in split.priors[: limits.priors]
        for share in [percent(each.most, each.rows)]
    ]
    columns = ("split", "task", "difficulty", "rows", "different answers", "answer", "its share")
    return (
        table_of("Most frequent answers, where there are many", columns, rows, limits)
        if (rows)
        else None
    )


def mixes_table(mixes: Sequence[MixCoverage], limits: Limits) -> TableView | None:
    """Lay out which skill mixes were seen before."""
    rows = [
        (
            each.split,
            each.by,
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
    columns = ("split", "skills", "k", "mixes", "all pairs seen", "whole set seen")
    title = f"Skill mixes that {mixes[0].train} has seen"
    return table_of(title, (*columns, "with topic", "expected by chance"), rows, limits)


def mixes_bars(mixes: Sequence[MixCoverage]) -> tuple[Bars, ...]:
    """Draw mixes by the size of their largest seen set, one chart for each kind of skills."""
    charts = []
    for by in dict.fromkeys(each.by for each in mixes):
        those = [each for each in mixes if each.by == by]
        sizes = max(len(each.largest_seen) for each in those)
        charts.append(
            Bars(
                f"Largest set of skills seen before, skills {by}",
                "size of the largest seen set",
                "share of mixes, %",
                tuple(str(size) for size in range(sizes)),
                tuple(f"{each.split}, k = {each.k}" for each in those),
                tuple(_shares(each, sizes) for each in those),
            )
        )
    return tuple(charts)


def sources_table(sources: Sequence[SourceSpace], limits: Limits) -> TableView | None:
    """Lay out how many problems there are."""
    rows = [
        (
            each.source,
            "endless" if each.addresses is None else figure(each.addresses),
            _bound(each),
        )
        for each in sources
    ]
    columns = ("source", "addresses", "different problems")
    return table_of("Problems that there are", columns, rows, limits) if rows else None


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
