"""Numbers formatted for people."""

from __future__ import annotations

_LONGEST = 12


def short_number(number: int) -> str:
    """Format a number with thousands separators, or a long one as 2.4 x 10^21, rounded down."""
    digits = str(number)
    if len(digits) <= _LONGEST:
        return f"{number:,}"
    return f"{digits[0]}.{digits[1]} x 10^{len(digits) - 1}"
