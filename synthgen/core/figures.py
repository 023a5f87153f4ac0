"""Numbers as people read them."""

from __future__ import annotations

_LONGEST = 12


def short_number(number: int) -> str:
    """Write a number with its thousands parted, or a long one as 2.4 x 10^21, rounded down."""
    digits = str(number)
    if len(digits) <= _LONGEST:
        return f"{number:,}"
    return f"{digits[0]}.{digits[1]} x 10^{len(digits) - 1}"
