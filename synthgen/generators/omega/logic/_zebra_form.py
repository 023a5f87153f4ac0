"""One form for all puzzles of houses that differ in names, order of clues, or seen from behind.

Value h of category c is the one that the solution has in house h: with the solution unique, that
names it whatever it is called. What is left are the order of the categories, which signatures
settle but for ties, and the street seen from its other side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product

from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.logic._zebra_solver import (
    APART,
    AT,
    GAP,
    JUST_LEFT,
    LEFT,
    MOST_HOUSES,
    NEXT,
    NOT_AT,
    SAME,
)

MOST_CLUES = 60
_EITHER_WAY = (SAME, APART, NEXT, GAP)
_NAMES = {
    SAME: "same",
    APART: "apart",
    LEFT: "left",
    JUST_LEFT: "just_left",
    NEXT: "next",
    GAP: "gap",
    AT: "at",
    NOT_AT: "not_at",
}
_LETTERS = "ABCDEFG"
SYMBOLS = {
    **{f"{letter}{h + 1}": 0 for letter in _LETTERS for h in range(MOST_HOUSES)},
    **{name: 1 if kind == AT else 2 for kind, name in _NAMES.items()},
    "by_value": 2,
    "by_house": 1,
    **{f"zebra{k}": k + 3 for k in range(1, MOST_CLUES + 1)},
}
Clue = tuple[int, int, int]
Question = tuple[int, int]
"""The value that is the answer, and the one that the question names; -1 if it names a house."""


def tree_of(n: int, m: int, clues: Sequence[Clue], question: Question) -> Tree:
    """Return the canonical tree of a puzzle of n houses and m categories."""
    best = min(
        image
        for seen in ((clues, question), _mirrored(n, clues, question))
        for image in _images(n, m, *seen)
    )
    (answer, key), sorted_clues = best
    names = [f"{letter}{h + 1}" for letter in _LETTERS[:m] for h in range(n)]
    told: list[Tree] = []
    for kind, u, v in sorted_clues:
        if kind == AT:
            told.append((_NAMES[kind], names[u]))
        else:
            told.append((_NAMES[kind], names[u], v + 1 if kind == NOT_AT else names[v]))
    asked: Tree = ("by_value", names[answer], names[key])
    if key < 0:
        asked = ("by_house", names[answer])
    return (f"zebra{len(told)}", n, m, asked, *told)


def _mirrored(n: int, clues: Sequence[Clue], question: Question) -> tuple[list[Clue], Question]:
    """Number the houses from the other end."""

    def other(value: int) -> int:
        return value // n * n + n - 1 - value % n

    turned = []
    for kind, u, v in clues:
        if kind >= AT:
            turned.append((kind, other(u), n - 1 - v))
        elif kind in (LEFT, JUST_LEFT):
            turned.append((kind, other(v), other(u)))
        else:
            turned.append((kind, other(u), other(v)))
    answer, key = question
    return turned, (other(answer), key if key < 0 else other(key))


def _images(
    n: int, m: int, clues: Sequence[Clue], question: Question
) -> Iterator[tuple[Question, tuple[Clue, ...]]]:
    """Number the categories in every way that their signatures allow."""
    colours = _colours(n, m, clues, question)
    classes = [[c for c in range(m) if colours[c] == colour] for colour in range(m)]
    for order in product(*map(permutations, classes)):
        place = {c: at for at, c in enumerate(c for part in order for c in part)}
        number = [place[v // n] * n + v % n for v in range(n * m)]
        told = []
        for kind, u, v in clues:
            if kind >= AT:
                told.append((kind, number[u], v))
                continue
            a, b = number[u], number[v]
            told.append((kind, b, a) if a > b and kind in _EITHER_WAY else (kind, a, b))
        answer, key = question
        yield (number[answer], key if key < 0 else number[key]), tuple(sorted(told))


def _colours(n: int, m: int, clues: Sequence[Clue], question: Question) -> list[int]:
    """Tell categories apart by the clues on them, and on theirs: equal numbers are ties."""
    answer, key = question
    asked = [(0, 0)] * m
    if key >= 0:
        asked[key // n] = (1, key % n)
    asked[answer // n] = (2, answer % n)
    colours = _ranks(asked)
    while True:
        signs: list[list[tuple[int, ...]]] = [[] for _ in range(m)]
        for kind, u, v in clues:
            if kind >= AT:
                signs[u // n].append((kind, u % n, v))
                continue
            roles = (0, 0) if kind in _EITHER_WAY else (0, 1)
            inside = int(u // n == v // n)
            for (one, two), role in zip(((u, v), (v, u)), roles, strict=True):
                signs[one // n].append((kind, role, inside, one % n, two % n, colours[two // n]))
        after = _ranks([(colours[c], *sorted(signs[c])) for c in range(m)])
        if max(after) == max(colours) or max(after) == m - 1:
            return after
        colours = after


def _ranks(items: Sequence[tuple[object, ...]]) -> list[int]:
    rank = {item: at for at, item in enumerate(sorted(set(items)))}
    return [rank[item] for item in items]
