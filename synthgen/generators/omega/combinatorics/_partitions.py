"""Multisets of letters up to the letters' names: partitions, and how statements list them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._listed import letter

Partition = tuple[int, ...]


def partitions(total: int, parts: int, most: int | None = None) -> Iterator[Partition]:
    """Yield the partitions of a total into so many positive parts, the largest part first."""
    most = total if most is None else most
    if parts == 0:
        if total == 0:
            yield ()
        return
    for first in range(min(most, total - parts + 1), 0, -1):
        if first * parts < total:
            return
        for rest in partitions(total - first, parts - 1, first):
            yield (first, *rest)


def widened(low: int, high: int, spread: int, least: int, most: int) -> range:
    """Return the values of a range that is wider by `spread` on either side, within limits."""
    return range(max(least, low - spread), min(most, high + spread) + 1)


def joined(items: Sequence[str]) -> str:
    """Join items as in "p, q and r"."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


STYLES = 5
"""Ways to list the letters of a multiset."""


def letters_text(counts: Sequence[int], style: int, draws: RowDraws) -> str:
    """List letters with their counts in one of the styles, in an order of the text's own."""
    order = draws.shuffled(range(len(counts)))
    if style == 4:
        tiles = [letter(i) for i in order for _ in range(counts[i])]
        return f"'{''.join(draws.shuffled(tiles))}'"
    return joined(list(_items(counts, style, order)))


def _items(counts: Sequence[int], style: int, order: Iterable[int]) -> Iterator[str]:
    for i in order:
        count, name = counts[i], f"'{letter(i)}'"
        if style == 0:
            yield f"{count} {'tile' if count == 1 else 'tiles'} marked {name}"
        elif style == 1:
            yield f"{count} x {name}"
        elif style == 2:
            yield f"{name} ({count} {'copy' if count == 1 else 'copies'})"
        else:
            yield f"{count} of {name}"
