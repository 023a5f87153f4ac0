"""Words that SCAN commands may hold, as the verifier knows them, and a table to find them by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

ACTING = (
    *("walk", "look", "run", "jump", "crawl", "hop", "swim", "climb", "skip", "march", "roll"),
    *("slide", "dive", "kick", "throw", "catch", "push", "pull", "lift", "drop", "clap", "wave"),
    *("nod", "bow", "sing", "dance", "whistle", "shout", "read", "write", "draw", "paint", "dig"),
    *("plant", "cut", "fold", "cook", "eat", "drink", "sleep", "sit", "kneel", "stretch", "bend"),
    *("knock", "ring", "tap", "press", "count", "point", "blink", "smile", "laugh", "hum", "yawn"),
    *("cough", "float", "fly", "glide", "drift", "chase", "hide", "seek", "rest"),
)
WAYS = ("left", "right", "up", "down", "north", "south", "east", "west")
PATHS = {
    "opposite": (1, 1, 0),
    "around": (1, 0, 1, 0, 1, 0, 1, 0),
    "across": (1, 0, 1, 0),
    "past": (0, 1, 0),
    "beyond": (1, 0, 0),
}
"""For each word before a direction, its turns (1) and actions (0) in order."""
TIMES = (
    *("twice", "thrice", "fourfold", "fivefold", "sixfold", "sevenfold", "eightfold", "ninefold"),
)

VERB, TURN, WAY, PATH, TIME, AND, AFTER = range(7)
NO_WORD = -1
FACTOR, N_SLOTS = 31, 1024


def _listed_words() -> list[tuple[str, int, int]]:
    """Return every word with its kind and its value.

    That is: of a path the row of STEPS, of a repeat word its number, of others nothing.
    """
    return [
        *((word, VERB, 0) for word in ACTING),
        ("turn", TURN, 0),
        *((word, WAY, 0) for word in WAYS),
        *((word, PATH, row) for row, word in enumerate(PATHS, 1)),
        *((word, TIME, times) for times, word in enumerate(TIMES, 2)),
        ("and", AND, 0),
        ("after", AFTER, 0),
    ]


def _slots(words: list[str]) -> NDArray[np.int64]:
    """Return the number of the word in each slot; a taken slot sends a word to the next one."""
    slots = np.full(N_SLOTS, NO_WORD, np.int64)
    for number, word in enumerate(words):
        slot = 0
        for byte in word.encode():
            slot = (slot * FACTOR + byte) % N_SLOTS
        while slots[slot] != NO_WORD:
            slot = (slot + 1) % N_SLOTS
        slots[slot] = number
    return slots


def _steps() -> NDArray[np.int64]:
    """Return turns and actions of no path and of each path, padded with -1."""
    rows = [(1, 0), *PATHS.values()]
    longest = max(map(len, rows))
    return np.array([(*row, *[-1] * (longest - len(row))) for row in rows], np.int64)


def _follows() -> NDArray[np.bool_]:
    """Say which kind of word (column) may come after which, bool (7, 7); AND begins, too."""
    follows = np.zeros((7, 7), np.bool_)
    follows[VERB, [PATH, WAY, TIME, AND, AFTER]] = True
    follows[TURN, [PATH, WAY]] = True
    follows[PATH, WAY] = True
    follows[WAY, [TIME, AND, AFTER]] = True
    follows[TIME, [AND, AFTER]] = True
    follows[[AND, AFTER], VERB] = True
    follows[[AND, AFTER], TURN] = True
    return follows


_WORDS = [word for word, _, _ in _listed_words()]
KINDS = np.array([kind for _, kind, _ in _listed_words()], np.int64)
VALUES = np.array([value for _, _, value in _listed_words()], np.int64)
LETTERS = np.frombuffer("".join(_WORDS).encode(), np.uint8)
STARTS = np.cumsum([0, *map(len, _WORDS)])
SLOTS = _slots(_WORDS)
LONGEST_WORD = max(map(len, _WORDS))
STEPS = _steps()
FOLLOWS = _follows()
