"""Wordings of the rewriting instructions; rule and input stand in backticks on their own line."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from synthgen.core.columns import choice_text, constant_text
from synthgen.core.randomness import Rows

_WORDINGS = (
    "Below are a rule and a string, in the form `rule > replacement | string`. Replace the first "
    "(leftmost) place where the rule's left side occurs in the string by its right side, once. If "
    "it does not occur, leave the string as it is. Answer with the resulting string alone.",
    "Apply a rewriting rule exactly once. The line reads x > y | z: in z, the leftmost occurrence "
    "of x becomes y, and everything else stays. Where z has no x, the result is z. Write only the "
    "result.",
    "You are given x > y | z. Search z from the left for x as a run of adjacent letters. The first "
    "one found is exchanged for y; further ones are not touched. Without any, z is unchanged. What "
    "is the final string?",
    "Rewrite the string after the bar. The rule before it says which letters (left of >) turn into "
    "which (right of >). Use the rule one time only, as far to the left as it fits, or not at all "
    "if it fits nowhere, and reply with the whole string that you get.",
    "One substitution step: find the earliest place at which the pattern, written before the sign "
    ">, stands in the text, written after the sign |, and put there what is written between the "
    "two signs. If there is no such place, copy the text. Give the new text and nothing else.",
    "A string rewriting system has the single rule p > q. Starting from the string s in p > q | s, "
    "make one step at the leftmost possible place, or none if p is not a part of s. State the "
    "string that results.",
)
_EMPTY = " The sign _ stands for the empty string."


def in_words(
    rows: Rows, problems: pa.StringArray, *, empty_sides: bool
) -> tuple[pa.StringArray, pa.DictionaryArray]:
    """Put each problem into the wording that its own draw chooses, and say which one that is.

    Args:
        rows: of the problems.
        problems: bare prompts.
        empty_sides: whether a right side may be empty.
    """
    told = _EMPTY if empty_sides else ""
    choice = rows.branch("template").draws().integers(0, len(_WORDINGS))
    before = choice_text(choice, [f"{text}{told}\n\n`" for text in _WORDINGS]).dictionary_decode()
    after = constant_text("`", len(rows)).dictionary_decode()
    names = [f"instruction_{i + 1}" for i in range(len(_WORDINGS))]
    prompts = pc.binary_join_element_wise(before, problems, after, "")
    return prompts, choice_text(choice, names)
