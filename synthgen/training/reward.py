r"""REWARD: one strict grade of a model's text, the same in training, scoring and evaluation.

`judge` finds the answer (`extraction`) and compares it exactly in its type; a part of an answer
earns nothing, and nothing is evaluated. It is a pure function without signals or global state:
safe in threads, picklable, and bounded in time by the length of the text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from synthgen.contract.answers import PARSERS
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.training.extraction import bare_text, final_answer, plain_number, spellings

RIGHT, WRONG, UNREADABLE, MISSING = "right", "wrong", "unreadable", "no answer"
_LONGEST_TEXT = 100_000
"""Largest length of a text graded by constraints, so that every grade takes milliseconds."""
_RUBRIC, _CONSTRAINTS = "rubric", "constraints"


class Verdict(NamedTuple):
    """Grade of a text.

    Attributes:
        score: Grade, 1.0 or 0.0, or the share of met constraints if `shares` is set.
        why: Reason, "right", "wrong", "unreadable" (no value of the answer's type) or "no answer".
        answer: Text taken for the answer; None without one, or where the whole text counts.
    """

    score: float
    why: str
    answer: str | None


def judge(text: str, answer: str, answer_type: str, *, shares: bool = False) -> Verdict:
    r"""Grade a text by the gold answer of its row.

    Args:
        text: Whole text of the model.
        answer: Column `answer` of the row.
        answer_type: Column `answer_type` of the row.
        shares: Whether a text that satisfies some of several constraints gets their share; other
            answers have no parts.

    Raises:
        UnknownNameError: for an unknown answer type.
        ParamError: for a rubric, which only a reader or a model can grade.

    >>> judge(r"First 3*4 = 12, so \boxed{12}.", "12", "integer")
    Verdict(score=1.0, why='right', answer='12')
    >>> judge("It is 12 or 13.", "12", "integer").why
    'unreadable'
    """
    if answer_type not in PARSERS:
        raise UnknownNameError("answer type", answer_type, sorted(PARSERS))
    if answer_type == _RUBRIC:
        raise ParamError("answer_type", answer_type, "a type that has an exact answer")
    if answer_type == _CONSTRAINTS:
        return _constrained(text, answer, shares=shares)
    stated = final_answer(text)
    if stated is None:
        return Verdict(0.0, MISSING, None)
    readable, gold = False, _value(answer, answer_type)
    for spelling in spellings(stated):
        value = _value(spelling, answer_type)
        readable |= value is not None
        if value is not None and value == gold:
            return Verdict(1.0, RIGHT, stated)
    return Verdict(0.0, WRONG if readable else UNREADABLE, stated)


def reward(text: str, answer: str, answer_type: str, *, shares: bool = False) -> float:
    """Return 1.0 if a text gives the right answer, else 0.0; see `judge`.

    >>> reward("Answer: 1,000", "1000", "integer"), reward("Answer: 1000.5", "1000", "integer")
    (1.0, 0.0)
    """
    return judge(text, answer, answer_type, shares=shares).score


def _constrained(text: str, answer: str, *, shares: bool) -> Verdict:
    """Grade a whole text, without thoughts, by the constraints of an answer."""
    from synthgen.contract.registry import load_verifier

    text = bare_text(text)
    if len(text) > _LONGEST_TEXT:
        return Verdict(0.0, UNREADABLE, None)
    met = [strict for _, strict, _ in load_verifier(_CONSTRAINTS).parts(text, answer)]
    score = sum(met) / len(met) if shares else float(all(met))
    return Verdict(score, RIGHT if all(met) else WRONG, None)


_ESCAPED = re.compile(r"\\([_{}#$%&])")
_NUMBERS = ("decimal", "integer", "rational")


def _value(text: str, answer_type: str) -> object:
    """Return the value of a text in a type, without LaTeX; None if it has none."""
    plain = plain_number(text) if answer_type in _NUMBERS else _ESCAPED.sub(r"\1", text)
    return PARSERS[answer_type](plain)
