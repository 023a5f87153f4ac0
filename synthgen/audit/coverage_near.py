"""Block 10: rows of other sides whose prompts nearly match prompts of train."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from synthgen.audit.blocks import FLAG, INFO, OK, Block, BlockTable
from synthgen.audit.coverage_sides import PROMPT, Side, inside, text_of
from synthgen.audit.coverage_words import interval, listed, percent, plural, share_text
from synthgen.core.columns import Ragged, integer_column
from synthgen.coverage.id_counts import IdCounts
from synthgen.coverage.near_duplicates import THRESHOLD, NearDuplicates, shingle_sets

MOST_SHARE = 0.01
_WORDING_SHARE = 0.05
"""Word runs in this share of train prompts count as wording."""
_FEWEST_RUNS = 5.0
_MOST_CHARACTERS = 400_000_000
_TITLE = "Near duplicates"


@dataclass(frozen=True, slots=True)
class Near:
    """Near duplicates of one side.

    Attributes:
        rows: sampled rows of the side.
        whole: rows with a near duplicate by the whole prompt.
        content: those of them that still have one after the wording is removed.
        runs: mean number of word runs per row without the wording.
        is_bound: whether some comparisons were cut short, so that there may be more.
    """

    rows: int
    whole: int
    content: int
    runs: float
    is_bound: bool

    @property
    def is_informative(self) -> bool:
        """Whether rows are long enough for shared word runs to be informative."""
        return self.runs >= _FEWEST_RUNS


@dataclass(frozen=True)
class NearFacts:
    """Near duplicates of all sides.

    Attributes:
        compared: number of train rows compared.
        found: test side -> numbers.
    """

    compared: int
    found: Mapping[str, Near]


def find_near(
    train: Side, tests: Mapping[str, pa.StringArray], prompts: pa.StringArray
) -> NearFacts:
    """Compare sampled prompts of other sides with the prompts of train.

    Args:
        train: read once, or sampled if its prompts have more than 400 million characters.
        tests: side -> its sampled prompts.
        prompts: sampled prompts of train, from which its wording is determined.
    """
    wording = _wording(prompts)
    sets = {name: shingle_sets(texts) for name, texts in tests.items()}
    whole = {name: NearDuplicates(each) for name, each in sets.items()}
    bare_sets = {name: _without(each, wording) for name, each in sets.items()}
    content = whole
    if len(wording):
        content = {name: NearDuplicates(each) for name, each in bare_sets.items()}
    length = max(1.0, prompts.nbytes / max(len(prompts), 1))
    positions = train.sampled(int(_MOST_CHARACTERS / length))
    start = compared = 0
    for batch in train.batches([PROMPT]) if tests else ():
        texts = text_of(batch, PROMPT)
        rows = inside(positions, start, len(texts))
        start += len(texts)
        shown = shingle_sets(texts if len(rows) == len(texts) else texts.take(integer_column(rows)))
        for each in whole.values():
            each.add(shown)
        if len(wording):
            bare = _without(shown, wording)
            for each in content.values():
                each.add(bare)
        compared += len(shown)
    found = {
        name: Near(
            len(sets[name]),
            int(np.count_nonzero(whole[name].near)),
            int(np.count_nonzero(content[name].near & whole[name].near)),
            float(bare_sets[name].lengths.mean()) if len(bare_sets[name]) else 0.0,
            bool(whole[name].cut_short or content[name].cut_short),
        )
        for name in tests
    }
    return NearFacts(compared, found)


def near_block(sides: Sequence[Side], facts: NearFacts) -> Block:
    """Report how many rows have a near duplicate in train.

    Args:
        sides: train first.
        facts: what was found.
    """
    train, *tests = sides
    if not tests:
        return Block("near-duplicates", _TITLE, INFO, "There is no other split to compare with.")
    rows, bad = [], []
    for side in tests:
        near = facts.found[side.name]
        note = "declared" if side.declared.shares else "at least" if near.is_bound else ""
        numbers = (near.rows, near.whole, near.content, percent(near.content, near.rows))
        rows.append((side.name, *numbers, interval(near.content, near.rows), note))
        many = near.content > MOST_SHARE * near.rows
        if many and near.is_informative and not side.declared.shares:
            bad.append(f"{side.name}: {share_text(near.content, near.rows)}")
    columns = (
        "split",
        "rows compared",
        "near by whole prompt",
        "also without wording",
    )
    more = ("share, %", "95 % interval, %", "")
    informative = any(facts.found[side.name].is_informative for side in tests)
    title = f"Near duplicates among {plural(facts.compared, 'row')} of {train.name}"
    text = (
        f"Near duplicates share {THRESHOLD:.0%} of their five-word runs, numbers included; runs "
        f"in {_WORDING_SHARE:.0%} of {train.name} are wording and do not count. "
    )
    if not informative:
        text += "Prompts are too short for this to be informative; see tiers and easiness instead."
    elif bad:
        text += f"More than {MOST_SHARE:.0%} of rows have one: {listed(bad)}."
    else:
        text += f"At most {MOST_SHARE:.0%} of the rows of each undeclared split have one."
    verdict = FLAG if bad else OK if informative else INFO
    table = BlockTable(title, (*columns, *more), tuple(rows))
    return Block("near-duplicates", _TITLE, verdict, text, (table,))


def _wording(prompts: pa.StringArray) -> IdCounts:
    """Return the word runs that occur in many prompts."""
    found = IdCounts(shingle_sets(prompts).values)
    ids, counts = found.items()
    return IdCounts(ids[counts >= max(2.0, _WORDING_SHARE * len(prompts))])


def _without(sets: Ragged, wording: IdCounts) -> Ragged:
    kept = ~wording.has(sets.values)
    before = np.zeros(len(kept) + 1, np.int64)
    np.cumsum(kept, out=before[1:])
    return Ragged(sets.values[kept], before[sets.offsets])
