"""Block 10: rows of other sides whose prompts nearly match prompts of train."""

from __future__ import annotations

from collections.abc import Sequence

from synthgen.auditing.blocks import FLAG, INFO, NO_TESTS, OK, Block, BlockTable, titled
from synthgen.auditing.wording import interval, percent, plural, share_text
from synthgen.core.printing import listed
from synthgen.coverage.inputs import Side, examples
from synthgen.coverage.near_duplicates import WORDING_SHARE, NearMatches
from synthgen.verifying.promises import MAX_EXAMPLES

MAX_SHARE = 0.01


def near_block(sides: Sequence[Side], measures: NearMatches) -> Block:
    """Report the rows that have a near duplicate in train.

    Args:
        sides: Sides, train first.
        measures: Near duplicates of each side.
    """
    train, *tests = sides
    if not tests:
        return titled("near-duplicates", INFO, NO_TESTS)
    rows, bad, shown = [], [], []
    figures = {}
    for side in tests:
        near = measures.sides[side.name]
        hits = len(near.content)
        note = "declared" if side.declared.shares else "at least" if near.is_bound else ""
        numbers = (near.rows, near.whole, hits, percent(hits, near.rows))
        rows.append((side.name, *numbers, interval(hits, near.rows), note))
        first = examples(side, near.content[:MAX_EXAMPLES]).values()
        shown += [(side.name, place, prompt) for place, prompt in first]
        figures[side.name] = {
            "near_duplicates": {"compared": near.rows, "rows": hits, "share": near.share}
        }
        if near.share > MAX_SHARE and near.is_informative and not side.declared.shares:
            bad.append(f"{side.name}: {share_text(hits, near.rows)}")
    columns = ("split", "rows compared", "near by whole prompt", "also without wording")
    more = ("share, %", "95% interval, %", "")
    informative = any(measures.sides[side.name].is_informative for side in tests)
    title = f"Near duplicates among {plural(measures.compared, 'row')} of {train.name}"
    if not informative:
        text = "Prompts are too short for this to be informative; see tiers and easiness instead."
    elif bad:
        text = f"More than {100 * MAX_SHARE:.3g}% of rows have a near duplicate: {listed(bad)}."
    else:
        side = max(tests, key=lambda s: (not s.declared.shares, measures.sides[s.name].share))
        near = measures.sides[side.name]
        text = f"{side.name}: {share_text(len(near.content), near.rows)} of rows have a near "
        text += "duplicate, the largest share of a split without declared overlap."
    if informative:
        text += " A second comparison leaves out wording: runs of words in "
        text += f"{100 * WORDING_SHARE:.3g}% or more of the prompts of {train.name}."
    verdict = FLAG if bad else OK if informative else INFO
    tables = (
        BlockTable(title, (*columns, *more), tuple(rows)),
        BlockTable("First rows with a near duplicate", ("split", "row", "prompt"), tuple(shown)),
    )
    return titled("near-duplicates", verdict, text, tables, figures=figures)
