"""Wordings of the instructions that ask for a rule or for an input."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from synthgen.core.columns import choice_text, constant_text
from synthgen.core.randomness import Rows

_RULE = (
    "One hidden rule x > y made each right side from its left side: the leftmost x became y, once, "
    "and a string without x stayed as it was. Find the rule with the fewest letters in x and y "
    "together that explains all of the pairs. Answer in the form x > y.",
    "Each pair below shows a string before and after the same replacement. The replacement looks "
    "for x from the left, puts y in the place of the first x, and does nothing where there is no "
    "x. Which is the shortest such replacement, counting the letters of both x and y? Write x > y.",
    "What rewriting rule explains these examples, written input = output? It acts one time only, "
    "on the earliest occurrence of its left side, and leaves other strings alone. Among all rules "
    "that fit, give the one of smallest total length as left > right.",
    "From the examples, work out p and q: every output is its input with the first p exchanged for "
    "q, or the input itself if p is nowhere in it. Choose p and q as short as possible, both "
    "counted. Reply p > q and nothing else.",
    "The strings on the left were changed into those on the right by a single substitution, "
    "applied at most once for each string and as far left as possible. State the substitution "
    "that needs the fewest letters, in the form old > new.",
)
_INPUT = (
    "A rule x > y replaces the leftmost x of a string by y, once; a string without x stays as it "
    "is. The line below gives the rule, the unknown string as one ? for each letter, and the "
    "result. There is exactly one string that fits: which?",
    "Undo a rewriting step. Before the bar stands the rule, behind it a string hidden by question "
    "marks, one a letter, and what became of it. Only the first place from the left was rewritten, "
    "and nothing if the left side was absent. Write the hidden string.",
    "Which string turns into the right-hand side when the rule is used once, at the leftmost place "
    "where its first part occurs (or not at all where it does not)? Its length is the number of "
    "question marks. Answer with the string alone.",
    "Find the input. The rule p > q exchanges the earliest p for q and ignores later ones; inputs "
    "without p come out unchanged. You see rule, length (a ? for each letter) and output; only one "
    "input is possible.",
    "Somebody carried out the rule below on a string and got the string after the equals sign. The "
    "rule acts on the leftmost occurrence of its left side only, if there is any. Each ? was a "
    "letter. Restore the string.",
)
_SOME = " The left side of the rule has at least one letter."
_EMPTY = " The sign _ stands for the empty string."


def in_words(
    rows: Rows, problems: pa.StringArray, *, is_rule: bool, empty_sides: bool
) -> tuple[pa.StringArray, pa.DictionaryArray]:
    """Put each problem into the wording that its own draw chooses, and say which one that is.

    Args:
        rows: of the problems.
        problems: bare prompts.
        is_rule: whether the rule is asked for, or the input.
        empty_sides: whether a right side may be empty.
    """
    texts = _RULE if is_rule else _INPUT
    told = (_SOME if is_rule else "") + (_EMPTY if empty_sides else "")
    choice = rows.branch("template").draws().integers(0, len(texts))
    before = choice_text(choice, [f"{text}{told}\n\n`" for text in texts]).dictionary_decode()
    after = constant_text("`", len(rows)).dictionary_decode()
    names = [f"instruction_{i + 1}" for i in range(len(texts))]
    return pc.binary_join_element_wise(before, problems, after, ""), choice_text(choice, names)
