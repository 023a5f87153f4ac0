"""Rates at which texts meet the parts of their answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

PartVerdict = tuple[str, bool, bool]
"""Name of a part, and whether a text meets it, strictly and loosely."""
Shares = tuple[float, float]
"""A share by strict verdicts and by loose ones."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares that are met.

    Attributes:
        texts, parts: Numbers of texts, and of their parts.
        whole: Share of texts that meet all their parts.
        each: Share of parts that are met.
        by_name: Number of parts, and the shares of them that are met, by name.
    """

    texts: int
    parts: int
    whole: Shares
    each: Shares
    by_name: dict[str, tuple[int, float, float]]


def rates(texts: Sequence[Sequence[PartVerdict]]) -> Rates | None:
    """Return the rates of some texts, each with the verdicts on its parts; None without any."""
    if not texts:
        return None
    parts = [part for each in texts for part in each]
    by_name: dict[str, list[PartVerdict]] = defaultdict(list)
    for part in parts:
        by_name[part[0]].append(part)
    whole = [("", all(part[1] for part in each), all(part[2] for part in each)) for each in texts]
    named = {name: (len(met), *_shares(met)) for name, met in sorted(by_name.items())}
    return Rates(len(texts), len(parts), _shares(whole), _shares(parts), named)


def _shares(verdicts: Sequence[PartVerdict]) -> Shares:
    n = len(verdicts)
    return sum(part[1] for part in verdicts) / n, sum(part[2] for part in verdicts) / n
