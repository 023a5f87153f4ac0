r"""REWARD: one strict grade of a model's text, the same in training, scoring and evaluation.

`judge` finds the answer (`extraction`) and compares it exactly in its type; a part of an answer
earns nothing, and nothing is evaluated. It is a pure function without signals or global state:
safe in threads, picklable, and bounded in time by the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from synthgen.contract.answers import LONGEST_ANSWER, Parser, checker_of, known_parser, longest_of
from synthgen.core.errors import ParamError
from synthgen.training.extraction import bare_text, final_answer, right_side, spellings

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


def judge(
    text: str, answer: str, answer_type: str, *, prompt: str | None = None, shares: bool = False
) -> Verdict:
    r"""Grade a text by the gold answer of its row.

    Args:
        text: Whole text of the model.
        answer: Column `answer` of the row.
        answer_type: Column `answer_type` of the row.
        prompt: Column `prompt` of the row. With it, every right answer is paid where a problem has
            several (type `checked:...`), not only the one of the row.
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
    parse = known_parser(answer_type)
    if answer_type == _RUBRIC:
        raise ParamError("answer_type", answer_type, "a type that has an exact answer")
    if answer_type == _CONSTRAINTS:
        return _constrained(text, answer, shares=shares)
    stated = final_answer(text, max(LONGEST_ANSWER, 2 * len(answer)))
    if stated is None:
        return Verdict(0.0, MISSING, None)
    readable, gold = False, parse(answer)
    for spelling in _read(stated, parse, answer_type, longest_of(answer, answer_type)):
        readable = True
        if parse(spelling) == gold or _is_checked(spelling, answer_type, prompt):
            return Verdict(1.0, RIGHT, stated)
    return Verdict(0.0, WRONG if readable else UNREADABLE, stated)


def reward(
    text: str, answer: str, answer_type: str, *, prompt: str | None = None, shares: bool = False
) -> float:
    """Return 1.0 if a text gives the right answer, else 0.0; see `judge`.

    >>> reward("Answer: 1,000", "1000", "integer"), reward("Answer: 1000.5", "1000", "integer")
    (1.0, 0.0)
    """
    return judge(text, answer, answer_type, prompt=prompt, shares=shares).score


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


def _read(stated: str, parse: Parser, answer_type: str, longest: int) -> Iterator[str]:
    """Yield the spellings of an answer that have a value in its type."""
    is_number = answer_type.startswith(_NUMBERS)
    formula = is_number or answer_type == "expression"
    for spelling in spellings(stated, formula=formula):
        side = right_side(spelling) if is_number else _ESCAPED.sub(r"\1", spelling)
        inner = spellings(side, formula=True) if is_number and side else [side]
        for text in (spelling, *inner):
            if text is not None and len(text) <= longest and parse(text) is not None:
                yield text


def _is_checked(answer: str, answer_type: str, prompt: str | None) -> bool:
    """Return whether the verifier that an answer type names accepts an answer to a prompt."""
    name = checker_of(answer_type)
    if name is None or prompt is None:
        return False
    from synthgen.contract.registry import load_verifier

    return load_verifier(name).accepts(prompt, answer)
