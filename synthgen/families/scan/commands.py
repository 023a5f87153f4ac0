"""Commands of SCAN by number: their phrases, their derivations, and their texts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring.compiled import U64, Ragged, offsets_of
from synthgen.families.scan.language import CONNECTIVES, Tables

_AND, _MISSING = CONNECTIVES.index("and"), len(CONNECTIVES)


class Commands(NamedTuple):
    """A batch of n commands of at most m phrases.

    Attributes:
        phrases: Codes in the order of the text, int32 (n, m); the number of phrases of the
            language for a missing one.
        links: Connective before each phrase, int8 (n, m); the number of connectives for none.
        counts: Phrases of each command, int64 (n,).
    """

    phrases: NDArray[np.int32]
    links: NDArray[np.int8]
    counts: NDArray[np.int64]


def unrank_commands(
    numbers: U64, starts: NDArray[np.uint64], min_phrases: int, n_phrases: int
) -> Commands:
    """Return the commands with these numbers.

    Args:
        numbers: Numbers of commands.
        starts: Number of the first command of `min_phrases`, `min_phrases` + 1, ... phrases.
        min_phrases: Smallest number of phrases.
        n_phrases: Number of different phrases of the language.
    """
    size = np.searchsorted(starts, numbers, side="right") - 1
    rest, counts = numbers - starts[size], min_phrases + size
    shape = len(numbers), min_phrases + len(starts) - 1
    phrases, links = np.full(shape, n_phrases, np.int32), np.full(shape, _MISSING, np.int8)
    for place in range(shape[1]):
        some = counts > place
        rest, phrase = np.divmod(rest, np.uint64(n_phrases))
        phrases[some, place] = phrase[some]
        if place:
            rest, link = np.divmod(rest, np.uint64(len(CONNECTIVES)))
            links[some, place] = link[some]
    return Commands(phrases, links, counts)


def derivations(commands: Commands, symbols: Ragged, n_phrases: int) -> Ragged:
    """Return the derivations: the connectives, the last one outermost, and then the phrases.

    Args:
        commands: Batch of commands.
        symbols: Codes of each phrase, then of each connective.
        n_phrases: Number of different phrases of the language.
    """
    links = commands.links[:, :0:-1].astype(np.int64)
    pieces = np.hstack([n_phrases + links, commands.phrases])
    occurs = np.hstack([links != _MISSING, commands.phrases != n_phrases])
    joined = symbols.take(pieces[occurs])
    return Ragged(joined.values, joined.offsets[offsets_of(2 * commands.counts - 1)])


class Written(NamedTuple):
    """Commands as text, their actions, and their worked lines."""

    commands: list[str]
    actions: list[str]
    steps: list[str]


def write_commands(commands: Commands, tables: Tables) -> Written:
    """Write commands; the lines of each phrase but the first precede a line for all so far."""
    written = Written([], [], [])
    texts, meanings, steps = tables.texts, tables.actions, tables.steps
    for phrases, links, count in zip(*(column.tolist() for column in commands), strict=True):
        words, actions, lines = texts[phrases[0]], meanings[phrases[0]], [steps[phrases[0]]]
        for phrase, link in zip(phrases[1:count], links[1:count], strict=True):
            words = f"{words} {CONNECTIVES[link]} {texts[phrase]}"
            parts = actions, meanings[phrase]
            actions = " ".join(parts if link == _AND else reversed(parts))
            lines += [steps[phrase], f"{words} = {actions}"]
        written.commands.append(words)
        written.actions.append(actions)
        written.steps.append("\n".join(lines))
    return written
