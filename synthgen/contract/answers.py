"""Typed equality of answers: exact, bounded in time, without evaluating anything.

A prediction is the final answer only. The caller strips everything around it (reasoning, units,
boxes): a scorer that searches for the answer inside a text also rewards accidental substrings.
Verifiers and the reward compare values that the same parsers read.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from unicodedata import normalize

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


_TOKENS = re.compile(r"\s*(?:(0|[1-9][0-9]{0,5})|([-+*/()]))", re.ASCII)
_SIGNS = str.maketrans("×·÷−", "**/-")
_COMMANDS = {"\\times": "*", "\\cdot": "*", "\\div": "/", "\\left": "", "\\right": ""}
_LONGEST_EXPRESSION, _DEEPEST = 300, 20
Numbers = tuple[int, ...]


def parse_expression(text: str) -> tuple[Numbers, bool, Fraction] | None:
    """Return the numbers and the value of an expression, or None for other text.

    Numbers without a sign are joined by `+ - * /` and parentheses. The text may go on with `=` and
    the value, and with a semicolon and the numbers that were not used, or `none`.

    Returns:
        All the numbers, rising; whether there is a semicolon; and the exact value.

    >>> parse_expression("8 / (3 - 8/3) = 24")
    ((3, 3, 8, 8), False, Fraction(24, 1))
    >>> parse_expression("3 * 4; 7")
    ((3, 4, 7), True, Fraction(12, 1))
    """
    if len(text) > _LONGEST_EXPRESSION:
        return None
    for command, sign in _COMMANDS.items():
        text = text.replace(command, sign)
    formula, semicolon, rest = text.translate(_SIGNS).partition(";")
    formula, _, stated = formula.partition("=")
    unused = [] if rest.strip() in ("", "none") else rest.split(",")
    if (semicolon and not rest.strip()) or not all(map(_is_natural, unused)):
        return None
    numbers: list[int] = [int(number) for number in unused]
    value = _value_of(formula, numbers)
    if value is None or (stated and parse_rational(stated) != value):
        return None
    return tuple(sorted(numbers)), bool(semicolon), value


def _is_natural(text: str) -> bool:
    match = _TOKENS.fullmatch(text.rstrip())
    return match is not None and match[1] is not None


def _value_of(formula: str, numbers: list[int]) -> Fraction | None:
    """Return the value of an expression, and append its numbers; None if it has none."""
    tokens, at = [], 0
    formula = formula.strip()
    while at < len(formula):
        match = _TOKENS.match(formula, at)
        if match is None:
            return None
        tokens.append(match[1] or match[2])
        at = match.end()
    tokens.reverse()
    numbers += [int(token) for token in tokens if token.isdecimal()]
    try:
        value = _sum(tokens, 0)
    except (ArithmeticError, IndexError, ValueError):
        return None
    return None if tokens else value


def _sum(tokens: list[str], depth: int) -> Fraction:
    """Read a sum from the end of the reversed tokens, and remove it there."""
    value = _product(tokens, depth)
    while tokens and tokens[-1] in "+-":
        sign = 1 if tokens.pop() == "+" else -1
        value += sign * _product(tokens, depth)
    return value


def _product(tokens: list[str], depth: int) -> Fraction:
    value = _factor(tokens, depth)
    while tokens and tokens[-1] in "*/":
        times = tokens.pop() == "*"
        factor = _factor(tokens, depth)
        value = value * factor if times else value / factor
    return value


def _factor(tokens: list[str], depth: int) -> Fraction:
    """Read a number or an expression in parentheses.

    Raises:
        ValueError: for anything else, or too many parentheses.
    """
    token = tokens.pop()
    if token != "(":
        return Fraction(int(token))
    if depth == _DEEPEST:
        raise ValueError(depth)
    value = _sum(tokens, depth + 1)
    if tokens.pop() != ")":
        raise ValueError(token)
    return value


_LONGEST_LITERAL = 1_000
_QUOTED = re.compile(r"""([A-Za-z]{0,2})('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""", re.DOTALL)
_ESCAPE = re.compile(r"""\\([^\n\\'"abfnrtvxNuU0-7])|\\.""", re.DOTALL)


def _plain_escapes(quoted: re.Match[str]) -> str:
    """Double the backslash of escapes that Python does not know: it warns of them."""
    if "r" in quoted[1].lower():
        return quoted[0]
    return quoted[1] + _ESCAPE.sub(lambda one: f"\\{one[0]}" if one[1] else one[0], quoted[2])


def parse_literal(text: str) -> object | None:
    """Return a Python literal as a value with types, or None for other text.

    >>> parse_literal("[1, True]") == parse_literal("[1,True]"), parse_literal("1")
    (True, ('int', 1))
    """
    if len(text) > _LONGEST_LITERAL:
        return None
    try:
        return _typed(literal_eval(_QUOTED.sub(_plain_escapes, text.strip())))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _typed(value: object) -> tuple[str, object]:
    """Return a value with the types of its parts, so that `True` is not 1."""
    inside: object = value
    if isinstance(value, list | tuple):
        inside = tuple(map(_typed, value))
    elif isinstance(value, dict):
        inside = frozenset((_typed(key), _typed(item)) for key, item in value.items())
    elif isinstance(value, set):
        inside = frozenset(map(_typed, value))
    return type(value).__name__, inside


_LABEL = r"\s*([A-Za-z0-9]{1,5})\s*"
_CHOICE = re.compile(
    rf"(?:(?:option|choice)\s+)?(?:\({_LABEL}\)|\[{_LABEL}\]|<{_LABEL}>|{_LABEL}[.)]?)"
)


def parse_choice(text: str) -> str | None:
    """Return the label of an option, or None for other text.

    >>> parse_choice("Option (B)"), parse_choice("b."), parse_choice("B) 42")
    ('b', 'b', None)
    """
    match = _CHOICE.fullmatch(normalize("NFKC", text).strip().lower())
    return match[match.lastindex or 0] if match else None


def parse_labels(text: str) -> frozenset[str] | None:
    """Return the labels of several options, or None for other text; no label twice.

    >>> parse_labels("(C), A") == parse_labels("a, c"), parse_labels("A, A"), parse_labels("A or B")
    (True, None, None)
    """
    labels = {parse_choice(part) for part in text.split(",")}
    if None in labels or len(labels) <= text.count(","):
        return None
    return frozenset(label for label in labels if label)


PARSERS: dict[str, Callable[[str], object | None]] = {
    "choice": parse_choice,
    "constraints": parse_text,
    "decimal": parse_decimal,
    "expression": parse_expression,
    "integer": parse_integer,
    "labels": parse_labels,
    "literal": parse_literal,
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
