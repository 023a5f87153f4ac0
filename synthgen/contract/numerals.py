r"""Numbers as people and models write them: read whole, or not at all.

Thousands may be separated by commas, blanks or LaTeX's thin spaces, fractions may be written with
`/` or `\frac`, and a unit may stand at a number if its type names the unit. Nothing is removed from
inside of a text, so digits that belong to different numbers are never joined.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

MAX_DIGITS = 4_000
"""Digits of a number that is converted; Python refuses to convert more than 4,300."""
_GAP = r",\\!|\{,\}|\\[,;: ]|[, ~\u00a0\u2009\u202f]"
_NUMBER = re.compile(
    rf"(?P<sign>[-+−–]?)(?:(?P<digits>[0-9]+)"
    rf"|(?P<first>[1-9][0-9]{{0,2}})(?P<rest>(?P<gap>{_GAP})[0-9]{{3}}(?:(?P=gap)[0-9]{{3}})*)|(?=\.[0-9]))"
    r"(?P<places>\.[0-9]*)?",
    re.ASCII,
)
_FRACTION = re.compile(
    r"\\[dtc]?frac\s?(?:\{([^{}]*)\}|([0-9]))\s?(?:\{([^{}]*)\}|([0-9]))", re.ASCII
)
_SIGN = re.compile(r"[-−–+]")
_PARENTHESES = (("(", ")"), (r"\left(", r"\right)"))
_UNITS = {
    "degrees": ("°", r"^\circ", r"^{\circ}", "degrees", "degree"),
    "dollars": ("dollars", "dollar"),
    "meters": ("m", "meters", "meter", "metres", "metre"),
    "percent": ("%", r"\%", "percent"),
}
_SIGNS = {"dollars": ("$", r"\$")}
"""Signs of units that are written before the number."""


def _plain(text: str) -> tuple[bool, str, str] | None:
    """Return a number as (is negative, digits, decimal places with the point), or None."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return None
    gap, rest = match["gap"], match["rest"]
    digits = match["digits"] or (match["first"] + rest.replace(gap, "") if gap else "0")
    return match["sign"] in ("-", "−", "–"), digits, match["places"] or ""


def parse_integer(text: str) -> tuple[bool, str] | None:
    """Return an integer as (is negative, digits without leading zeros), or None for other text.

    >>> parse_integer("-1,204"), parse_integer("12,04"), parse_integer("0,123")
    ((True, '1204'), None, None)
    """
    number = _plain(text)
    if number is None or number[2]:
        return None
    digits = number[1].lstrip("0") or "0"
    return number[0] and digits != "0", digits


def parse_decimal(text: str) -> Decimal | None:
    """Return a decimal number without exponent as an exact value, or None for other text."""
    number = _plain(text)
    if number is None or len(number[1]) + len(number[2]) > MAX_DIGITS:
        return None
    value = Decimal(f"{number[1]}{number[2]}")
    return value.copy_negate() if number[0] else value


def parse_rational(text: str) -> Fraction | None:
    r"""Return an integer, a fraction or a decimal as an exact value, or None for other text.

    >>> parse_rational(r"-\dfrac{1}{3}"), parse_rational("(1,000/3)"), parse_rational("1 1/3")
    (Fraction(-1, 3), Fraction(1000, 3), None)
    """
    text = text.strip()
    decimal = parse_decimal(text)
    if decimal is not None:
        return Fraction(decimal)
    sign = 1
    if _SIGN.match(text):
        sign, text = 1 if text[0] == "+" else -1, text[1:]
        if _SIGN.match(text) or text[:1].isspace():
            return None
    for start, end in _PARENTHESES:
        if text.startswith(start) and text.endswith(end):
            text = text[len(start) : -len(end)].strip()
            break
    match = _FRACTION.fullmatch(text)
    parts = (match[1] or match[2], match[3] or match[4]) if match else tuple(text.split("/"))
    values = [_whole(part or "") for part in parts]
    if len(values) != 2 or values[0] is None or not values[1]:
        return None
    if not match and _SIGN.match(parts[1].strip()):
        return None
    return sign * Fraction(values[0], values[1])


def _whole(text: str) -> int | None:
    """Return an integer as a value, or None for other text."""
    parsed = parse_integer(text)
    if parsed is None or len(parsed[1]) > MAX_DIGITS:
        return None
    return -int(parsed[1]) if parsed[0] else int(parsed[1])


def without_unit(text: str, unit: str) -> str:
    r"""Return a text without the unit at its end or, for a sign such as `$`, at its start.

    >>> without_unit("2.5 km", "km"), without_unit(r"90^\circ", "degrees")
    ('2.5', '90')
    >>> without_unit("1 apple", "apples"), without_unit("$1", "dollars"), without_unit("1 m", "km")
    ('1', '1', '1 m')
    """
    text = text.strip()
    for sign in _SIGNS.get(unit, ()):
        if text.startswith(sign):
            return text[len(sign) :]
    for name in _UNITS.get(unit, (unit, unit.removesuffix("s"))):
        for end in (name, rf"\text{{{name}}}", rf"\text{{ {name}}}", rf"\mathrm{{{name}}}"):
            if text.endswith(end):
                return text.removesuffix(end).rstrip().removesuffix("\\,").removesuffix("\\")
    return text
