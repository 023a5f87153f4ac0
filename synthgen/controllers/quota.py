"""Quotas: how many rows each cell of a split gets when all shall be equal but some run dry."""

from __future__ import annotations

from collections.abc import Sequence


def water_fill(rows: int, capacities: Sequence[int | None]) -> list[int]:
    """Share rows equally over cells of limited capacity.

    Every cell gets min(capacity, level), the level being as high as the rows allow; what is left
    over goes one each to the first cells that can still take it. With more rows a cell never gets
    fewer, so a smaller build takes a subset of a larger one.

    Args:
        rows: rows to share, 0 or more.
        capacities: most rows that each cell can take, None for no limit.

    Returns:
        One quota a cell; they sum to `rows`, or to all capacities if that is less.
    """
    quotas = [0] * len(capacities)
    limits = [rows if capacity is None else min(capacity, rows) for capacity in capacities]
    rising = sorted(range(len(limits)), key=limits.__getitem__)
    left = rows
    for done, cell in enumerate(rising):
        level = left // (len(rising) - done)
        if limits[cell] > level:
            return _spread(quotas, sorted(rising[done:]), left)
        quotas[cell] = limits[cell]
        left -= limits[cell]
    return quotas


def _spread(quotas: list[int], cells: list[int], rows: int) -> list[int]:
    """Give cells that can all take more than the level that level, and the first ones one more."""
    level, over = divmod(rows, len(cells))
    for place, cell in enumerate(cells):
        quotas[cell] = level + (place < over)
    return quotas
