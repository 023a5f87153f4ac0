"""Axes of SCAN commands: their declaration, and their columns from the phrases' tables."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.core.contract import Axis
from synthgen.generators._scan_language import CONNECTIVES, Language
from synthgen.generators._scan_rows import Counts, Links, Phrases
from synthgen.generators._scan_tables import Tables, phrase_tables


def count_axis(words: str) -> str:
    """Return the name of the axis that counts the phrases with these words."""
    return "_".join(["n", *words.lower().split(" ")])


def command_axes(
    language: Language, least: int, most: int, counted: tuple[str, ...]
) -> dict[str, Axis]:
    """Return the axes of commands.

    Args:
        language: of the commands.
        least: smallest number of phrases.
        most: largest number of phrases.
        counted: words whose phrases are counted.
    """
    tables = phrase_tables(language)
    words, actions, depth = (
        (int(column[:-1].min()), int(column.max()))
        for column in (tables.n_words, tables.action_length, tables.depth)
    )
    axes = {
        "n_words": Axis(
            "words of the command",
            low=least * (words[0] + 1) - 1,
            high=most * (words[1] + 1) - 1,
        ),
        "action_length": Axis("number of actions", low=least * actions[0], high=most * actions[1]),
        "depth": Axis(
            "depth of the derivation, a bare verb is 1",
            low=depth[0] + least - 1,
            high=depth[1] + most - 1,
        ),
        "n_phrases": Axis("phrases of the command", low=least, high=most),
    }
    for place in range(1, most + 1):
        axes |= _phrase_axes(language, place)
    for pattern in counted:
        meaning = f"phrases with the words {pattern}"
        axes[count_axis(pattern)] = Axis(meaning, low=0, high=most)
    return axes


def _phrase_axes(language: Language, place: int) -> dict[str, Axis]:
    """Return the axes of one phrase; all but the first may be missing, which is a value `none`.

    The values do not depend on how many phrases there are, so that sources which differ in this
    alone can be parts of one recipe.
    """
    none = () if place == 1 else ("none",)
    named = {
        "verb": ("verb", language.verb_words),
        "manner": ("manner and direction", language.manner_names),
        "repeat": ("repetition", ("once", *language.repeat_words)),
    }
    axes = {
        f"{name}_{place}": Axis(f"{meaning} of phrase {place}", values=(*values, *none))
        for name, (meaning, values) in named.items()
    }
    if place > 1:
        meaning = f"connective before phrase {place}"
        axes[f"connective_{place}"] = Axis(meaning, values=(*CONNECTIVES, *none))
    return axes


def command_columns(
    tables: Tables, phrases: Phrases, links: Links, counts: Counts
) -> dict[str, NDArray[Any]]:
    """Return the columns of all axes but the counted words.

    Args:
        tables: of the language.
        phrases: of the commands, see `_scan_rows`.
        links: of the commands.
        counts: of the commands.
    """
    most = phrases.shape[1]
    n_phrases = counts.astype(np.int16)
    columns: dict[str, NDArray[Any]] = {
        "n_words": n_phrases - np.int16(1) + _summed(tables.n_words, phrases),
        "action_length": _summed(tables.action_length, phrases),
        "depth": _depths(tables.depth, phrases, counts),
        "n_phrases": n_phrases,
    }
    for j in range(most):
        column = phrases[:, j]
        columns[f"verb_{j + 1}"] = tables.verb[column]
        columns[f"manner_{j + 1}"] = tables.manner[column]
        columns[f"repeat_{j + 1}"] = tables.repeat[column]
        if j > 0:
            columns[f"connective_{j + 1}"] = links[:, j].astype(np.int16)
    return columns


def _summed(table: NDArray[np.int16], phrases: Phrases) -> NDArray[np.int16]:
    total = table[phrases[:, 0]].copy()
    for j in range(1, phrases.shape[1]):
        total += table[phrases[:, j]]
    return total


def _depths(table: NDArray[np.int16], phrases: Phrases, counts: Counts) -> NDArray[np.int16]:
    """Return the depth of derivations: phrase 1 and 2 stand below all connectives but one."""
    deepest = np.zeros(len(phrases), np.int16)
    for j in range(phrases.shape[1]):
        above = (counts - max(j, 1)).astype(np.int16)
        np.maximum(deepest, np.where(j < counts, table[phrases[:, j]] + above, 0), out=deepest)
    return deepest
