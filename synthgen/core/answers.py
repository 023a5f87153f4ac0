"""Typed equality of answers: exact, bounded in time, without evaluating anything.

A prediction is the final answer only. The caller strips everything around it (reasoning, units,
boxes): a scorer that searches for the answer inside a text also rewards accidental substrings.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

_MAX_LENGTH = 10_000
_INTEGER = re.compile(r"([+-]?)([0-9]+)", re.ASCII)
_RATIONAL = re.compile(r"[+-]?[0-9]{1,1000}(?:/[0-9]{1,1000})?", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:[0-9]{1,1000}(?:\.[0-9]{0,1000})?|\.[0-9]{1,1000})", re.ASCII)


def parse_integer(text: str) -> tuple[bool, str] | None:
    """Return an integer as (is negative, digits without leading zeros), or None for other text."""
    match = _INTEGER.fullmatch(text.strip())
    if match is None:
        return None
    sign, digits = match[1], match[2].lstrip("0") or "0"
    return sign == "-" and digits != "0", digits


def same_integer(prediction: str, answer: str) -> bool:
    """Return whether both texts are the same integer, ignoring a plus sign and leading zeros."""
    parsed = parse_integer(prediction)
    return parsed is not None and parsed == parse_integer(answer)


def same_string(prediction: str, answer: str) -> bool:
    """Return whether both texts are equal, ignoring white space around them."""
    return prediction.strip() == answer.strip()


def parse_rational(text: str) -> Fraction | None:
    """Return `a` or `a/b` in integers as an exact value, or None for other text."""
    text = text.strip()
    if _RATIONAL.fullmatch(text) is None:
        return None
    numerator, _, denominator = text.partition("/")
    return Fraction(int(numerator), int(denominator or 1)) if int(denominator or 1) else None


def same_rational(prediction: str, answer: str) -> bool:
    """Return whether both texts are the same rational number, in lowest terms or not."""
    parsed = parse_rational(prediction)
    return parsed is not None and parsed == parse_rational(answer)


def parse_decimal(text: str) -> Decimal | None:
    """Return a decimal number without exponent as an exact value, or None for other text."""
    text = text.strip()
    return Decimal(text) if _DECIMAL.fullmatch(text) else None


def same_decimal(prediction: str, answer: str) -> bool:
    """Return whether both texts are the same decimal, ignoring zeros at its ends."""
    parsed = parse_decimal(prediction)
    return parsed is not None and parsed == parse_decimal(answer)


EQUALITIES: dict[str, Callable[[str, str], bool]] = {
    "constraints": same_string,
    "decimal": same_decimal,
    "integer": same_integer,
    "rational": same_rational,
    "rubric": same_string,
    "string": same_string,
    "text": same_string,
}
"""Equality of each answer type that a row's `answer_type` may name."""


def grade(prediction: str, answer: str, answer_type: str) -> float:
    """Return 1.0 if the prediction equals the answer in its type, else 0.0.

    Raises:
        KeyError: for an answer type that is not in EQUALITIES.
    """
    if len(prediction) > _MAX_LENGTH:
        return 0.0
    return float(EQUALITIES[answer_type](prediction, answer))
