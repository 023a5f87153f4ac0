"""Tables of a report beside its blocks, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from synthgen.auditing.blocks import BlockTable, Cell
from synthgen.auditing.findings import Report, SourceSpace, SplitReport
from synthgen.auditing.html_tables import NOTHING, figure, megabytes, percent
from synthgen.auditing.report_figures import by_side
from synthgen.auditing.skill_mixes import MixCoverage
from synthgen.core.images import IMAGE
from synthgen.verifying.promises import Check, Overlap

_SPLIT_COLUMNS = (
    *("split", "rows", "promised", "verified", "repeated problems"),
    *("repeated prompts", "shards", "size"),
)
_OVERVIEW = (
    *("shared with train", "unseen atoms", "D_A", "D_C"),
    *("prompt length", "majority answer is right"),
)
MIN_SHARE = 0.1
"""Share of the rows of a family and level from which its most common answer is listed."""
_KINDS = ("words", "tokens", "characters")
"""Names under which the figures of structures other than trees are."""


def splits_table(splits: Sequence[SplitReport]) -> BlockTable:
    """Return the counts of every split, marking broken promises."""
    rows = tuple(
        (
            *(each.name, each.rows, each.promised, each.verified, each.repeated_ids),
            *(each.repeated_prompts, each.shards, megabytes(each.bytes)),
        )
        for each in splits
    )
    some_verified = any(each.verified for each in splits)
    bad = {(at, 1) for at, each in enumerate(splits) if each.rows != each.promised}
    bad |= {
        (at, 3) for at, each in enumerate(splits) if some_verified and each.verified < each.rows
    }
    return BlockTable("Rows of every split", _SPLIT_COLUMNS, rows, frozenset(bad))


def overview_table(report: Report) -> BlockTable:
    """Return the properties of every split, and its relation to train, from the figures."""
    figures = by_side(report.blocks)
    rows = tuple(
        (split.name, split.rows, *_overview(figures.get(split.name, {})), split.rule)
        for split in report.splits
    )
    some_verified = any(each.verified for each in report.splits)
    bad = {
        (at, 1)
        for at, each in enumerate(report.splits)
        if each.rows != each.promised or (some_verified and each.verified < each.rows)
    }
    columns = ("split", "rows", *_OVERVIEW, "rule")
    return BlockTable("Every split, compared with train", columns, rows, frozenset(bad))


def _overview(figures: Mapping[str, Any]) -> tuple[Cell, ...]:
    """Return the cells of `_OVERVIEW`; None for missing figures."""
    main = main_figures(figures)
    shared = figures.get("shared", {})
    level = shared.get("problem", shared.get("normalised", {}))
    divergence = main.get("divergence", {})
    compounds = [*divergence.get("compound", {}).values()]
    shift = figures.get("lengths", {}).get("prompt", {}).get("shift")
    majority = figures.get("answers", {}).get("majority_accuracy")
    return (
        level.get("rows"),
        main.get("atoms", {}).get("unseen"),
        _divergence(divergence.get("atom", {})),
        _divergence(compounds[-1] if compounds else {}),
        None if shift is None else f"{100 * shift:+.1f}%".replace("-", "−"),
        None if majority is None else percent(majority, 1),
    )


def main_figures(figures: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the figures of the main structures: trees have theirs at the top, others by kind."""
    if "divergence" in figures:
        return figures
    return next((figures[kind] for kind in _KINDS if kind in figures), figures)


def _divergence(measured: Mapping[str, float]) -> str | None:
    value = measured.get("value")
    if value is None:
        return None
    return "< 0.0001" if 0 < value < 1e-4 else f"{value:#.2g}"


def examples_table(splits: Sequence[SplitReport]) -> BlockTable:
    """Return the first rows of every split."""
    names = tuple(dict.fromkeys(n for split in splits for row in split.examples for n in row))
    names = tuple(name for name in names if name != IMAGE)
    rows = tuple(
        (split.name, *(str(row.get(name, "")) for name in names))
        for split in splits
        for row in split.examples
    )
    return BlockTable("First rows of every split", ("split", *names), rows)


def overlap_table(report: Report) -> BlockTable:
    """Return shared problems as a matrix, with declared ones in brackets."""
    names = [split.name for split in report.splits]
    overlaps = {(each.left, each.right): each for each in report.overlaps}
    cells = [[overlaps.get((left, right)) for right in names[1:]] for left in names[:-1]]
    rows = tuple(
        (left, *(_shared(each) for each in row))
        for left, row in zip(names[:-1], cells, strict=True)
    )
    bad = frozenset(
        (at, number)
        for at, row in enumerate(cells)
        for number, each in enumerate(row, start=1)
        if each and each.ids and not each.declared
    )
    title = "Problems shared between splits (in brackets: declared)"
    return BlockTable(title, ("split", *names[1:]), rows, bad)


def priors_table(splits: Sequence[SplitReport], per_split: int) -> BlockTable:
    """Return the answers that are easiest to guess, a few per split."""
    rows = tuple(
        (split.name, each.task, each.difficulty, each.rows, each.answers, each.answer, share)
        for split in splits
        for each in split.priors[:per_split]
        if each.most >= MIN_SHARE * each.rows
        for share in [percent(each.most, each.rows)]
    )
    columns = ("split", "task", "difficulty", "rows", "distinct answers", "answer", "share")
    return BlockTable("Answers that are common in a family and level", columns, rows)


def mixes_table(mixes: Sequence[MixCoverage]) -> BlockTable:
    """Return which skill mixes were seen before."""
    rows = tuple(
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
    )
    columns = ("split", "k", "mixes", "all pairs seen", "whole set seen", "with topic")
    title = f"Skill mixes seen in {mixes[0].train if mixes else 'train'}"
    return BlockTable(title, (*columns, "expected by chance"), rows)


def spaces_table(sources: Sequence[SourceSpace]) -> BlockTable:
    """Return the sizes of the problem spaces."""
    rows = tuple(
        (
            each.source,
            "unbounded" if each.addresses is None else figure(each.addresses),
            _bound(each),
        )
        for each in sources
    )
    columns = ("source", "addresses", "distinct problems")
    return BlockTable("Size of the problem space", columns, rows)


def checks_table(checks: Sequence[Check]) -> BlockTable:
    """Return all checks, failed ones first."""
    ranked = sorted(checks, key=lambda check: check.ok)
    rows = tuple((each.name, "ok" if each.ok else "FAILED", each.detail) for each in ranked)
    bad = frozenset((at, 1) for at, check in enumerate(ranked) if not check.ok)
    return BlockTable("Checks", ("check", "result", "detail"), rows, bad)


def _shared(each: Overlap | None) -> str:
    if each is None:
        return ""
    return f"({each.ids:,})" if each.declared else f"{each.ids:,}"


def _bound(each: SourceSpace) -> str:
    if each.fewest_problems is None:
        return NOTHING
    exact = each.fewest_problems == each.addresses
    return ("" if exact else "at least ") + figure(each.fewest_problems)
