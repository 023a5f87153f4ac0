"""Numbers and untrusted texts formatted for people."""

from __future__ import annotations

from collections.abc import Sequence

_LONGEST = 12
_MAX_NAMED = 5


def short_number(number: int) -> str:
    """Format a number with thousands separators, or a long one as 2.4 x 10^21, rounded down."""
    digits = str(number)
    if len(digits) <= _LONGEST:
        return f"{number:,}"
    return f"{digits[0]}.{digits[1]} x 10^{len(digits) - 1}"


def printable(text: str, kept: str = "") -> str:
    """Escape all characters of a text that are not printable, except for those in `kept`.

    Otherwise a text could control the terminal that shows it, or reverse what follows it.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in kept else ascii(c)[1:-1] for c in text)


def listed(names: Sequence[str], limit: int = _MAX_NAMED) -> str:
    """List the first names."""
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more
