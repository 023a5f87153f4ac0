"""The instructions that a prompt may have, as pieces of text between its topic, limit and list."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

TOPIC_SLOT, LIMIT_SLOT, LIST_SLOT, NO_SLOT = range(4)
_MARKS = {"<T>": TOPIC_SLOT, "<N>": LIMIT_SLOT, "<L>": LIST_SLOT}

FORMS = (
    "Write a short, natural text on the topic of <T>. In at most <N>, it has to show every skill "
    "of this list, without naming any:<L>",
    "Compose a brief passage about <T>, with each skill from the list below in it. Use no more "
    "than <N>, and do not call a skill by its name.<L>",
    "A text has to show what this list names:<L>\nIt is about <T>, reads naturally, and has at "
    "most <N>. It gives none of the names away.",
    "Topic: <T>\nLength: at most <N>\nSkills:<L>\nWrite a text that makes sense, keeps to topic "
    "and length, and shows every skill without saying its name.",
    "Your task is a piece of writing on <T>, no longer than <N>. Work in whatever the list asks "
    "for, but never by its name:<L>\nReply with the text alone.",
    "A reader should find everything on this list in what you write:<L>\nKeep to <T>, write at "
    "most <N> in all, make sense, and leave the names out.",
)
LIMITS = (
    *("one sentence", "two sentences", "three sentences", "four sentences"),
    *("five sentences", "six sentences", "seven sentences"),
)
"""How one sentence, two, and so on are written."""
TOPIC_ENDS = ".,\n"
"""No topic holds these, and one of them follows each."""


def form_table() -> tuple[NDArray[np.int64], NDArray[np.int64], list[str]]:
    """Return the forms as a kernel reads them.

    Returns:
        Slot behind each text, (p,); number of the first text of each form, (f + 1,); the texts.
    """
    texts: list[str] = []
    slots: list[int] = []
    firsts = [0]
    for form in FORMS:
        parts = re.split("(<[TNL]>)", form)
        texts += parts[::2]
        slots += [_MARKS[mark] for mark in parts[1::2]] + [NO_SLOT]
        firsts.append(len(texts))
    return np.array(slots), np.array(firsts), texts
