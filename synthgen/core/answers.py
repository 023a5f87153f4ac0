"""Typed equality of answers: exact, bounded in time, without evaluating anything.

A prediction is the final answer only. The caller strips everything around it (reasoning, units,
boxes): a scorer that searches for the answer inside a text also rewards accidental substrings.
Verifiers and the reward compare values that the same parsers read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

_MAX_LENGTH = 10_000
_INTEGER = re.compile(r"([+-]?)([0-9]+)", re.ASCII)
_RATIONAL = re.compile(r"[+-]?[0-9]{1,1000}(?:/[0-9]{1,1000})?", re.ASCII)
_LIST = re.compile(r"\[[^\[\]]*\]")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]{1,1000}(?:\.[0-9]{0,1000})?|\.[0-9]{1,1000})", re.ASCII)


def parse_integer(text: str) -> tuple[bool, str] | None:
    """Return an integer as (is negative, digits without leading zeros), or None for other text."""
    match = _INTEGER.fullmatch(text.strip())
    if match is None:
        return None
    sign, digits = match[1], match[2].lstrip("0") or "0"
    return sign == "-" and digits != "0", digits


def parse_text(text: str) -> str | tuple[str, ...]:
    """Return a text with single spaces, or the items of a list such as `[1, 2]`.

    >>> parse_text(" JUMP  WALK"), parse_text("[3,1 , 2]")
    ('JUMP WALK', ('3', '1', '2'))
    """
    text = " ".join(text.split())
    if _LIST.fullmatch(text):
        return tuple(part.strip() for part in text[1:-1].split(","))
    return text


def parse_rational(text: str) -> Fraction | None:
    """Return `a`, `a/b` in integers or a decimal as an exact value, or None for other text."""
    text = text.strip()
    if _RATIONAL.fullmatch(text) is None:
        decimal = parse_decimal(text)
        return None if decimal is None else Fraction(decimal)
    numerator, _, denominator = text.partition("/")
    return Fraction(int(numerator), int(denominator or 1)) if int(denominator or 1) else None


def parse_decimal(text: str) -> Decimal | None:
    """Return a decimal number without exponent as an exact value, or None for other text."""
    text = text.strip()
    return Decimal(text) if _DECIMAL.fullmatch(text) else None


PARSERS: dict[str, Callable[[str], object | None]] = {
    "constraints": parse_text,
    "decimal": parse_decimal,
    "integer": parse_integer,
    "rational": parse_rational,
    "rubric": parse_text,
    "string": parse_text,
    "text": parse_text,
}
"""What a text means in each answer type that a row's `answer_type` may name: equal values are equal
answers, and None is not a value of the type."""


def grade(prediction: str, answer: str, answer_type: str) -> float:
    """Return 1.0 if the prediction equals the answer in its type, else 0.0.

    Raises:
        KeyError: for an answer type that is not in PARSERS.
    """
    if len(prediction) > _MAX_LENGTH:
        return 0.0
    value = PARSERS[answer_type](prediction)
    return float(value is not None and value == PARSERS[answer_type](answer))
