"""Formatting for blocks: shares with intervals, plurals, short lists of names."""

from __future__ import annotations

import math
from collections.abc import Mapping

from synthgen.auditing.blocks import Cell
from synthgen.core.printing import listed
from synthgen.coverage.intervals import wilson_interval


def percent(hits: int, n: int) -> float | None:
    """Return a share in percent to two decimals, None if n is 0."""
    return round(100.0 * hits / n, 2) if n else None


def share(hits: int, n: int) -> float:
    """Return a share from 0 to 1 to six decimals, 0 if n is 0."""
    return round(hits / n, 6) if n else 0.0


def interval(hits: int, n: int) -> str:
    """Format Wilson's 95% interval of a share in percent."""
    if not n:
        return ""
    low, high = wilson_interval(hits, n)
    return f"{100 * low:.2f} to {100 * high:.2f}"


def share_text(hits: int, n: int) -> str:
    """Format a share for a sentence, such as `12.3% (41 of 333)`."""
    return f"{100 * hits / n:.3g}% ({hits:,} of {n:,})" if n else "none"


def finite(value: float | None, digits: int = 4) -> Cell:
    """Round a number for JSON; return None for NaN."""
    if value is None or math.isnan(value):
        return None
    return round(value, digits) if math.isfinite(value) else ("-" if value < 0 else "") + "infinite"


def plural(n: int, what: str) -> str:
    """Format a count with its noun."""
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"


def grouped(texts: Mapping[str, str]) -> str:
    """Return the text of each side, after the names of all sides with the same text."""
    names: dict[str, list[str]] = {}
    for name, text in texts.items():
        names.setdefault(text, []).append(name)
    return "; ".join(f"{listed(of_text)}: {text}" for text, of_text in names.items())


def cut(text: str, limit: int = 300) -> str:
    """Truncate a long text."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
