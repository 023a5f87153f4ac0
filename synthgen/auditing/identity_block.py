"""Block 1: distinct rows of each side, and rows also in train, by level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from synthgen.auditing.blocks import FLAG, INFO, OK, Block, BlockTable, titled
from synthgen.auditing.wording import interval, percent, plural, share
from synthgen.core.printing import listed
from synthgen.coverage.inputs import ID, Side, examples
from synthgen.coverage.matches import IDENTICAL, Matches
from synthgen.coverage.templates import Level
from synthgen.verifying.promises import MAX_EXAMPLES, Check

MEANINGS: Mapping[Level, str] = {
    Level.EXACT: "the same text",
    Level.NORMALISED: "the same text except for spaces and the form of characters",
    Level.CANONICAL: "the same problem",
    Level.TEMPLATE: "the same template, values masked",
    Level.NEAR: "nearly the same text",
}
OVERLAP = "overlap-"
"""Beginning of the names of checks of shared rows."""
_NAMES = {Level.EXACT: "prompt", Level.NORMALISED: "normalised"}


def identity_block(sides: Sequence[Side], matches: Matches) -> Block:
    """Report repeated rows, and rows that other sides share with train.

    Args:
        sides: Sides, train first.
        matches: Matches of their keys.
    """
    train, *tests = sides
    levels = [level for level in MEANINGS if (train.name, level) in matches.distinct]
    counts = [
        (side.name, side.rows, *(matches.distinct.get((side.name, level)) for level in levels))
        for side in sides
    ]
    rows = []
    for side in tests:
        for level in levels:
            hits = matches.rows_shared(side.name, level)
            if hits is not None:
                note = "declared" if side.declared.shares else ""
                numbers = (side.rows, hits, percent(hits, side.rows), interval(hits, side.rows))
                rows.append((side.name, level.label, MEANINGS[level], *numbers, note))
    leaks = [
        f"{plural(hits, 'row')} of {side.name} at {level.label}"
        for side in tests
        for level in IDENTICAL
        if not side.declared.shares and (hits := matches.rows_shared(side.name, level) or 0)
    ]
    columns = ("split", "level", "match", "rows", "rows in train")
    more = ("share, %", "95% interval, %", "")
    keys = ("split", "rows", *(each.label for each in levels))
    tables = (
        BlockTable("Distinct keys", keys, tuple(counts)),
        BlockTable(f"Rows shared with {train.name}", (*columns, *more), tuple(rows)),
    )
    verdict = FLAG if leaks else OK if tests else INFO
    text = _text(train, tests, matches, leaks)
    figures = {side.name: _figures(side, matches) for side in sides}
    return titled("identity", verdict, text, tables, figures=figures)


def overlap_checks(train: Side, test: Side, matches: Matches) -> list[Check]:
    """Check that a test shares no row with train, at each level of identity."""
    checks = []
    for level in IDENTICAL:
        if (test.name, level) in matches.shared:
            rows = np.flatnonzero(matches.shared[test.name, level])
            name = f"{OVERLAP}{level.label}/{test.name}"
            checks.append(shared_check(name, level, train.name, test, rows))
    return checks


def shared_check(
    name: str, level: Level, train: str, test: Side, rows: NDArray[np.int64], of: int | None = None
) -> Check:
    """Check that no row of a test is also in train, with the first ones as examples."""
    detail = (
        f"{len(rows):,} of {of or test.rows:,} rows of {test.name} also occur in {train} "
        f"({MEANINGS[level]})"
    )
    shown = examples(test, rows[:MAX_EXAMPLES])
    example_rows = tuple({"row": place, "prompt": prompt} for place, prompt in shown.values())
    return Check(name, not len(rows), detail, example_rows)


def _figures(side: Side, matches: Matches) -> dict[str, object]:
    names = {**_NAMES, Level.CANONICAL: "problem" if ID in side.columns else "structure"}
    distinct = {
        name: matches.distinct[side.name, level]
        for level, name in names.items()
        if (side.name, level) in matches.distinct
    }
    shared = {
        name: {"rows": hits, "share": share(hits, side.rows)}
        for level, name in names.items()
        if (hits := matches.rows_shared(side.name, level)) is not None
    }
    return {"rows": side.rows, "distinct": distinct, **({"shared": shared} if shared else {})}


def _text(train: Side, tests: Sequence[Side], matches: Matches, leaks: Sequence[str]) -> str:
    problems = matches.distinct.get((train.name, Level.CANONICAL))
    shapes = matches.distinct.get((train.name, Level.TEMPLATE))
    text = f"{train.name} has {plural(train.rows, 'row')}"
    if problems is not None:
        text += f", {plural(problems, 'distinct problem')}"
    if shapes is not None:
        text += f" and {plural(shapes, 'template')}"
    if not tests:
        return f"{text}. There is no other split to compare with."
    if leaks:
        return f"Rows of other splits also in {train.name}: {listed(leaks)}. {text}."
    declared = [side.name for side in tests if side.declared.shares]
    besides = f", apart from declared overlap ({listed(declared)})" if declared else ""
    return f"0 rows of other splits occur in {train.name} at L0 to L2{besides}. {text}."
