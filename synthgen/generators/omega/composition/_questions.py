"""Questions of the composed and the transformed families: wordings with holes, and sums."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

N_WORDINGS = 4
SUM_ENDINGS = (
    "Write this value as a fraction in lowest terms (an integer has the denominator one) and give"
    " the sum of its numerator and its denominator, an integer.",
    "If this value is P/Q in lowest terms, where Q is one for an integer, what is P + Q? Give an"
    " integer.",
    "With this value written as P/Q, where P and Q are coprime positive integers, find P + Q. Give"
    " an integer.",
    "Reduce this value to lowest terms (an integer has the denominator one) and answer with the"
    " integer that is its numerator plus its denominator.",
)
_HOLE = re.compile(r"<([a-z_]+)>")


def ask(texts: Mapping[str, tuple[str, ...]], kind: str, wording: int, **values: object) -> str:
    """Return a wording of a kind of question with its holes `<name>` filled."""
    known = {"ending": SUM_ENDINGS[wording], **values}
    return _HOLE.sub(lambda hole: str(known[hole[1]]), texts[kind][wording])


def parts_sum(value: Fraction) -> str:
    """Return numerator plus denominator of a value, as an answer."""
    return str(value.numerator + value.denominator)


def sum_steps(value: Fraction) -> str:
    """Return the last line of a solution: the value in lowest terms and its sum."""
    top, bottom = value.numerator, value.denominator
    return f"{top}/{bottom}: {top} + {bottom} = {top + bottom}"
