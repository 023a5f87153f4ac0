"""Multisets of letters on tiles: their trees, and lists of them in texts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement

from synthgen.authoring import LevelledListedFamily, RowDraws, Tree, Words

WORDS = Words.beside(__file__)
_STYLES = tuple(zip(WORDS["tiles_of_one"], WORDS["tiles_of_several"], strict=True))
_ALPHABET = "abcdefghijmnpqrstuvwxyz"
"""Letters of tiles; without k, which names numbers in chains, and two that resemble digits."""
MAX_LETTERS = 8

Partition = tuple[int, ...]
"""Positive numbers, the largest first: copies of each letter, or sizes of boxes."""
Range = tuple[int, int]


@cache
def partitions(total: int, parts: int) -> list[Partition]:
    """Return the partitions of a total into a number of parts, in descending order."""
    choices = range(total - parts + 1, 0, -1)
    return [one for one in combinations_with_replacement(choices, parts) if sum(one) == total]


def widened(sizes: Range, spread: int, least: int, most: int) -> range:
    """Return the values of a range that is wider by `spread` on either side, within limits."""
    return range(max(least, sizes[0] - spread), min(most, sizes[1] + spread) + 1)


def bag_of(counts: Partition) -> Tree:
    """Return the tree of the copies of each letter."""
    return (f"bag{len(counts)}", *counts)


def bags(most: int) -> dict[str, int]:
    """Return the symbols of bags, of at most `most` letters."""
    return {f"bag{n}": n for n in range(2, most + 1)}


def letters_of(draws: RowDraws, count: int) -> list[str]:
    """Draw different letters."""
    pool = list(_ALPHABET)
    return [pool.pop(draws.integer(0, len(pool))) for _ in range(count)]


def joined(items: Sequence[str]) -> str:
    """Join several items as in "p, q and r"."""
    return f"{', '.join(items[:-1])} and {items[-1]}"


def tiles_text(counts: Partition, letters: Sequence[str], draws: RowDraws) -> str:
    """List the tiles in one of the styles: letters with their numbers, or tile by tile."""
    style = draws.integer(0, len(_STYLES) + 1)
    if style == len(_STYLES):
        tiles = [c for n, c in zip(counts, letters, strict=True) for _ in range(n)]
        return ", ".join(draws.shuffled(tiles))
    one, several = _STYLES[style]
    pairs = draws.shuffled(list(zip(counts, letters, strict=True)))
    return joined([(one if n == 1 else several).format(n=n, c=c) for n, c in pairs])


class LettersFamily(LevelledListedFamily):
    """A family about a multiset of letters, of which only the numbers of copies matter."""

    domain = "omega"
    version = 3
    level_is_canonical = True
