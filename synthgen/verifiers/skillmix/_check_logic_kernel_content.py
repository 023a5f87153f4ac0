"""Compiled arguments that are wrong in what they say; see `_check_logic_informal`."""

from __future__ import annotations

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_logic_kernel_formula import (
    Formulas,
    stems_of,
)
from synthgen.verifiers.skillmix._check_logic_kernel_known import (
    AS_ONE,
    BE,
    EACH,
    GROUPS,
    IS,
    LARGE,
    PART,
    PRONOUN,
    SMALL,
    WHOLE,
    WITHIN,
    Known,
)
from synthgen.verifiers.skillmix._check_logic_kernel_rules import (
    BEGGING,
    COMPOSITION,
    DIVISION,
)
from synthgen.verifiers.skillmix._check_logic_kernel_told import FORMULA
from synthgen.verifiers.skillmix._text_table import Ints

_NEITHER = (-1, -1)


@lent
def rules_of_content(rows: Ints, premises: Ints, end: int, formulas: Formulas, known: Known) -> int:
    """Return the rules that an argument follows by what its words mean."""
    found = 0
    if formulas.nodes[end, 0] != IS:
        return found
    whole, parts = _of_whole(end, formulas, known), _of_parts(end, formulas, known)
    for premise in premises:
        said = rows[premise, FORMULA]
        if formulas.nodes[said, 0] != IS:
            continue
        if formulas.nodes[said, 1] == formulas.nodes[end, 1] and _reworded(
            said, end, formulas, known
        ):
            found |= BEGGING
        if (
            whole[1] > 0
            and known.stems[whole[1], SMALL]
            and _of_parts(said, formulas, known) == whole
        ):
            found |= COMPOSITION
        if (
            parts[1] > 0
            and known.stems[parts[1], LARGE]
            and _of_whole(said, formulas, known) == parts
        ):
            found |= DIVISION
    return found


@lent
def _place(stems: Ints, stem: int) -> int:
    for at in range(len(stems)):
        if stems[at] == stem:
            return at
    return -1


@lent
def _reworded(said: int, end: int, formulas: Formulas, known: Known) -> bool:
    """Say whether two statements differ in words of one meaning alone.

    A pronoun as the subject stands for the subject of the other.
    """
    one, other = stems_of(said, formulas), stems_of(end, formulas)
    first, second = _place(one, BE), _place(other, BE)
    if first >= 0 and second >= 0 and one[0] != other[0]:
        stands = (first == 1 and known.stems[one[0], PRONOUN]) or (
            second == 1 and known.stems[other[0], PRONOUN]
        )
        if not stands:
            return False
        one, other = one[first:], other[second:]
    if len(one) != len(other):
        return False
    different = False
    for at in range(len(one)):
        if one[at] == other[at]:
            continue
        if known.stems[one[at], GROUPS] & known.stems[other[at], GROUPS] == 0:
            return False
        different = True
    return different


@lent
def _of_parts(one: int, formulas: Formulas, known: Known) -> tuple[int, int]:
    """Read "each brick in the wall is light" as (wall, light)."""
    words = stems_of(one, formulas)
    be = _place(words, BE)
    if formulas.nodes[one, 1] == 0 or be < 0 or be + 2 != len(words):
        return _NEITHER
    if not known.stems[words[0], EACH]:
        return _NEITHER
    at = 2
    while at < be and not known.stems[words[at], WITHIN]:
        at += 1
    if at + 2 != be:
        return _NEITHER
    if known.stems[words[at + 1], WHOLE] or known.stems[words[at - 1], PART]:
        return words[at + 1], words[be + 1]
    return _NEITHER


@lent
def _of_whole(one: int, formulas: Formulas, known: Known) -> tuple[int, int]:
    """Read "the whole wall is light" as (wall, light); what is said must be one word."""
    words = stems_of(one, formulas)
    be = _place(words[1:], BE) + 1
    if formulas.nodes[one, 1] == 0 or be < 1 or be + 2 != len(words):
        return _NEITHER
    whole = -1
    for word in words[:be]:
        if known.stems[word, AS_ONE]:
            continue
        if whole >= 0:
            return _NEITHER
        whole = word
    return (whole, words[be + 1]) if whole >= 0 else _NEITHER
