"""The rules of the classic string systems: the bank of manipulation, A::B's pairs, the insertions.

Every rule of the bank finds a place, and exchanges what stands there: a string `u p v`, where p is
the pattern at its place, becomes `front u replacement v back`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SYSTEMS = ("manipulation", "ab", "insertion")
MANIPULATION, AB, INSERTION = range(3)
PREFIX, SUFFIX, ANYWHERE, LATER, EVEN, LONG = range(6)
"""Where a pattern is looked for: LATER means not at the first letter; EVEN fires on an even number
of b, and its place is the end; LONG fires on more than LONGEST letters, and its place the middle.
"""
LONGEST = 15


class BankRule(NamedTuple):
    """One rule of the bank.

    Attributes:
        notation: how bare prompts write it; `*` is any text, `?` any letter that need not be there.
        words: how instructions tell it.
        where: the pattern is looked for.
        pattern: of at most three letters.
        replacement: what comes in its place.
        front, back: what is put before and behind everything.
        cut: letters that the text behind the pattern loses at its end, if it has them.
    """

    notation: str
    words: str
    where: int
    pattern: str
    replacement: str
    front: str = ""
    back: str = ""
    cut: int = 0


_LAST = "then drop the last letter of what stands behind it, if anything does"
_MIDDLE = "take out the letter with half the length, rounded down, in front of it"
BANK = (
    BankRule("ab*>ca*", "begins with ab: exchange this ab for ca", PREFIX, "ab", "ca"),
    BankRule("*ac>*cb", "ends in ac: exchange this ac for cb", SUFFIX, "ac", "cb"),
    BankRule(
        "bc*>*aa", "begins with bc: take it off and put aa at the end", PREFIX, "bc", "", back="aa"
    ),
    BankRule("*bb>*", "ends in bb: take this bb off", SUFFIX, "bb", ""),
    BankRule("cb*?>aa*", f"begins with cb: exchange it for aa, {_LAST}", PREFIX, "cb", "aa", cut=1),
    BankRule(
        "ca*>bb*c",
        "begins with ca: exchange it for bb and put c at the end",
        *(PREFIX, "ca", "bb"),
        back="c",
    ),
    BankRule(
        "*cc>a*b",
        "ends in cc: exchange it for b and put a in front of everything",
        *(SUFFIX, "cc", "b"),
        front="a",
    ),
    BankRule("aa*>a*", "begins with aa: take one a off at the front", PREFIX, "aa", "a"),
    BankRule("*abc*>*cab*", "holds abc: exchange the first abc for cab", ANYWHERE, "abc", "cab"),
    BankRule("*bca*>**", "holds bca: take the first bca out", ANYWHERE, "bca", ""),
    BankRule("*ba>*ab", "ends in ba: exchange this ba for ab", SUFFIX, "ba", "ab"),
    BankRule("cc*>*", "begins with cc: take this cc off", PREFIX, "cc", ""),
    BankRule("*acb*>*bca*", "holds acb: exchange the first acb for bca", ANYWHERE, "acb", "bca"),
    BankRule("*ca>*c", "ends in ca: take the a at the end off", SUFFIX, "ca", "c"),
    BankRule("bb*>b*", "begins with bb: take one b off at the front", PREFIX, "bb", "b"),
    BankRule("*aa>*cc", "ends in aa: exchange this aa for cc", SUFFIX, "aa", "cc"),
    BankRule(
        ".*ca*>.**",
        "holds a ca that does not start at the first letter: take the first such ca out",
        *(LATER, "ca", ""),
    ),
    BankRule(
        "even-b>*ab", "has two b, or four, or six and so on: put ab at the end", EVEN, "", "ab"
    ),
    BankRule("over-15>-mid", f"is longer than 15 letters: {_MIDDLE}", LONG, "?", ""),
    BankRule("ac*>zz*", "begins with ac: exchange this ac for zz", PREFIX, "ac", "zz"),
)
N_BANK = len(BANK)

TOKENS = ("A#", "B#", "#A", "#B")
"""A::B: tokens that face right, then those that face left, in the order of their letters."""
PAIRS = tuple(f"{TOKENS[left]} {TOKENS[2 + right]}" for left in (0, 1) for right in (0, 1))
CYCLE = "ABCDE"
RUN = 4
RUNS = tuple((CYCLE * 2)[first : first + RUN] for first in range(len(CYCLE)))
"""Insertion: what is looked for; the first letter of it is inserted behind it."""
N_RULES = (0, len(PAIRS), len(RUNS))
"""Rules of each system where they are always the same."""


def letter_rows(texts: list[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return short texts as bytes uint8 (n, 3) and their lengths (n,)."""
    table = np.zeros((len(texts), 3), np.uint8)
    for i, text in enumerate(texts):
        table[i, : len(text)] = list(text.encode())
    return table, np.array([len(text) for text in texts], np.int64)
