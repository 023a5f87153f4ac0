"""Block 11: share of each split that predictors without knowledge of the problem get right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from synthgen.auditing.blocks import FLAG, OK, Block, BlockTable, Cell, not_measured, titled
from synthgen.auditing.wording import interval, percent, share_text
from synthgen.core.printing import listed
from synthgen.coverage.best_shortcuts import HELD_OUT, NOT_MEASURED, Best, Shortcuts
from synthgen.coverage.inputs import Side, examples
from synthgen.coverage.predictors import MOST_FREQUENT

KEY = "shortcuts"
_FIRST = ("split", "predictor", "row", "prompt")


def shortcuts_block(shortcuts: Shortcuts, sides: Sequence[Side] = ()) -> Block:
    """Report the best predictor of each split, and of each family and level in it.

    Args:
        shortcuts: Results of all predictors.
        sides: Splits whose rows are shown if a predictor gets too many of them right.
    """
    if shortcuts.missing:
        return not_measured(KEY, shortcuts.missing)
    over = [best for best in shortcuts.best if best.over and not best.declared]
    worst = shortcuts.worst
    limit = f"{100 * shortcuts.limit:.3g}%"
    text = f"No undeclared split or part of one is above {limit}. "
    if over:
        text = f"Above {limit}: {listed([f'{best.place} {_text(best)}' for best in over])}. "
    text += f"The best shortcut is right in {_text(worst)} of {worst.split}: {worst.predictor}."
    if worst.predictor != MOST_FREQUENT:
        text += f" The most frequent answer is right in {100 * worst.usual:.3g}%."
    if shortcuts.left_out:
        text += f" Not measured: {listed(shortcuts.left_out)} ({NOT_MEASURED})."
    measures = ("rows", "best predictor", "right", "right, %", "95% interval, %")
    columns = (*measures, "most frequent answer, %", "")
    best_of = "Best predictor of each"
    parts = shortcuts.best[len(shortcuts.splits) :]
    of_splits = tuple((best.split, *_cells(best)) for best in shortcuts.splits)
    of_parts = tuple((best.split, best.family, best.level, *_cells(best)) for best in parts)
    every = ("split", "predictor", "rows", "right", "right, %", "")
    tables = (
        BlockTable(f"{best_of} split", ("split", *columns), of_splits),
        BlockTable(f"{best_of} family and level", ("split", "family", "level", *columns), of_parts),
        BlockTable("All predictors", every, _informative(shortcuts.table)),
        BlockTable("First rows that it gets right", _FIRST, tuple(_first_rows(over, sides))),
    )
    name = "best" if shortcuts.by_family else "best_by_prompt"
    figures = {
        best.split.removesuffix(HELD_OUT): {KEY: {name: best.share}} for best in shortcuts.splits
    }
    return titled(KEY, FLAG if over else OK, text, tables, figures=figures)


def _informative(table: Sequence[tuple[Cell, ...]]) -> tuple[tuple[Cell, ...], ...]:
    """Return the rows without those of axes that determine the answer, best ones first."""
    order = list(dict.fromkeys(row[0] for row in table))
    rows = [row for row in table if not (row[5] and row[2] and row[2] == row[3])]
    return tuple(sorted(rows, key=lambda row: (order.index(row[0]), -float(row[4] or 0))))


def _first_rows(over: Sequence[Best], sides: Sequence[Side]) -> Iterator[tuple[Cell, ...]]:
    for best in over:
        for side in sides:
            if side.name == best.split:
                for place, prompt in examples(side, best.first).values():
                    yield best.place, best.predictor, place, prompt


def _text(best: Best) -> str:
    return share_text(best.hits, best.rows)


def _cells(best: Best) -> tuple[Cell, ...]:
    bounds = interval(best.hits, best.rows)
    usual = round(100 * best.usual, 2)
    note = "declared" if best.declared else "above the limit" if best.over else ""
    right = (best.hits, percent(best.hits, best.rows))
    return best.rows, best.predictor, *right, bounds, usual, note
