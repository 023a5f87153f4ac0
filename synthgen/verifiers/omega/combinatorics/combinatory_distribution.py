"""The number of ways to fill boxes with letters, from the text: power series, and by parts."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby, product
from math import prod
from operator import add, le
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.omega._grouped import GroupedVerifier
from synthgen.verifiers.omega._wordings import read_as, wordings
from synthgen.verifiers.omega.combinatorics._tiles_read import TILES, tiles_of

_LABELLED = (
    "The letter tiles <tiles> are put into <boxes> different boxes, numbered from left to right,"
    " which hold <sizes> tiles in this order, so that every tile is used and every box is full."
    " Tiles with the same letter cannot be told apart, and the order of the tiles inside a box"
    " does not matter. In how many ways can this be done? Give an integer.",
    "There are <boxes> labelled boxes with room for <sizes> tiles respectively. In how many"
    " different ways can the tiles <tiles> fill all of them? Only how many tiles with each letter"
    " lie in which box counts. Answer with an integer.",
    "Somebody sorts the tiles <tiles> into <boxes> boxes that are all of different colours and"
    " must receive exactly <sizes> tiles in turn. Equal letters are interchangeable, and so are"
    " places within a box. How many distributions are possible? Give the number as an integer.",
    "Count the ways to distribute the tiles <tiles> over <boxes> distinguishable boxes with"
    " capacities <sizes>, in this order, leaving no tile out. Two ways are the same if every box"
    " holds the same letters equally often. The answer is an integer.",
    "A multiset of letters is given by <tiles>. How many ways are there to split it into a list"
    " of <boxes> multisets that have <sizes> elements, in this order? Give an integer.",
)
_ALIKE = (
    "The letter tiles <tiles> are put into <boxes> boxes that hold <sizes> tiles, so that every"
    " tile is used and every box is full. Tiles with the same letter cannot be told apart, nor"
    " can boxes of the same size, and the order of the tiles inside a box does not matter. In how"
    " many ways can this be done? Give an integer.",
    "There are <boxes> unlabelled boxes with room for <sizes> tiles. In how many different ways"
    " can the tiles <tiles> fill all of them? Boxes look the same except for their sizes, and"
    " only which letters lie together, and how many of each, counts. Answer with an integer.",
    "Somebody sorts the tiles <tiles> into <boxes> plain boxes that must receive exactly <sizes>"
    " tiles. Equal letters are interchangeable, so are places within a box, and so are any two"
    " boxes of one size. How many distributions are possible? Give the number as an integer.",
    "Count the ways to distribute the tiles <tiles> over <boxes> identical-looking boxes with"
    " capacities <sizes>, leaving no tile out. Two ways are the same if exchanging boxes of equal"
    " capacity, and tiles within boxes, turns one into the other, where tiles with the same"
    " letter are identical. The answer is an integer.",
    "A multiset of letters is given by <tiles>. How many ways are there to split it into an"
    " unordered collection of <boxes> multisets that have <sizes> elements? Give an integer.",
)
_SIZES = r"[1-9][0-9]?(?:, [1-9][0-9]?){0,8} and [1-9][0-9]?"
_PATTERNS = {
    False: wordings(*_LABELLED, tiles=TILES, sizes=_SIZES),
    True: wordings(*_ALIKE, tiles=TILES, sizes=_SIZES),
}
_MOST_STATES, _MOST_TILES, _MOST_BOXES = 4_000, 20, 8

Used = tuple[int, ...]
Ways: TypeAlias = "Counter[Used]"
Problem = tuple[Used, Used, bool]
"""Copies of each letter, sizes of the boxes, and whether boxes of one size are alike."""


def _read(statement: str) -> Problem | None:
    for alike, patterns in _PATTERNS.items():
        match = read_as(statement, patterns)
        bag = tiles_of(match["tiles"]) if match else None
        if match is None or bag is None:
            continue
        sizes = tuple(sorted(map(int, re.findall("[0-9]+", match["sizes"]))))
        counts = tuple(sorted(bag.values()))
        small = sum(counts) <= _MOST_TILES and prod(n + 1 for n in counts) <= _MOST_STATES
        if small and sum(sizes) == sum(counts) and match["boxes"] == str(len(sizes)):
            return (counts, sizes, alike) if len(sizes) <= _MOST_BOXES else None
    return None


def _solve(problem: Problem) -> str:
    """Read the coefficient of all letters off a product of power series.

    A box of size s has the complete homogeneous polynomial h_s in the letters. For m boxes that are
    alike it is the plethysm h_m[h_s], by Newton's identity m h_m[h_s] = the sum over j from 1 to m
    of h_s(x^j) times h_(m - j)[h_s].
    """
    counts, sizes, alike = problem
    series = np.zeros([n + 1 for n in counts], np.int64)
    series[(0,) * len(counts)] = 1
    for size, same in groupby(sizes):
        boxes = len(list(same))
        if not alike:
            for _ in range(boxes):
                series = _times(series, size, 1)
            continue
        chosen = [series]
        for m in range(1, boxes + 1):
            parts = [_times(chosen[m - j], size, j) for j in range(1, m + 1)]
            chosen.append(np.sum(parts, axis=0) // m)
        series = chosen[boxes]
    return str(series.flat[-1])


def _times(series: NDArray[np.int64], size: int, power: int) -> NDArray[np.int64]:
    """Multiply by h_size(x^power), letter by letter; the first axis counts the factors taken."""
    table = np.zeros((size + 1, *series.shape), np.int64)
    table[0] = series
    for letter, copies in enumerate(series.shape):
        front = np.moveaxis(table, letter + 1, 1)
        for n in range(power, copies):
            front[1:, n] += front[:-1, n - power]
    taken: NDArray[np.int64] = table[size]
    return taken


def _exact(problem: Problem) -> str:
    """Fill one half of the boxes and the other in all ways, and put the halves together."""
    counts, sizes, alike = problem
    groups = [list(same) for _, same in groupby(sizes)] if alike else [[size] for size in sizes]
    halves = []
    for part in (groups[::2], groups[1::2]):
        ways: Ways = Counter({(0,) * len(counts): 1})
        for group in part:
            ways = _both(ways, _multisets(counts, group[0], len(group)), counts)
        halves.append(ways)
    total = 0
    for used, many in halves[0].items():
        total += many * halves[1][tuple(n - i for n, i in zip(counts, used, strict=True))]
    return str(total)


def _multisets(counts: Used, size: int, boxes: int) -> Ways:
    """Count the multisets of so many contents of this size by the letters that they use."""
    ways: list[Ways] = [Counter({(0,) * len(counts): 1}), *(Counter() for _ in range(boxes))]
    for contents in product(*(range(min(n, size) + 1) for n in counts)):
        if sum(contents) == size:
            for filled in range(1, boxes + 1):
                alone: Ways = Counter({contents: 1})
                ways[filled].update(_both(ways[filled - 1], alone, counts))
    return ways[boxes]


def _both(some: Ways, others: Ways, counts: Used) -> Ways:
    """Count the ways to do both with the letters that there are."""
    found: Ways = Counter()
    for used, many in some.items():
        for more, times in others.items():
            together = tuple(map(add, used, more))
            if all(map(le, together, counts)):
                found[together] += many * times
    return found


VERIFIER = GroupedVerifier(_read, _solve, _exact, "integer")
