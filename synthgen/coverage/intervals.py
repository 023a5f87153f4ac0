"""Confidence intervals of shares: Wilson's score interval.

Every share in a report is hits of n rows. Wilson's interval (1927) keeps its coverage near 0 and 1
and for few rows, unlike the normal approximation (Brown, Cai, DasGupta 2001).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from synthgen.core.checks import check_int
from synthgen.core.errors import ParamError

_MAX = 2**63 - 1


def wilson_interval(hits: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the two-sided score interval of a share.

    With z for the confidence, its centre is (p + z^2 / 2n) / (1 + z^2 / n) and its half width
    z / (1 + z^2 / n) * sqrt(p (1 - p) / n + z^2 / 4n^2).

    Args:
        hits: Number of hits, from 0 to n.
        n: Number of rows; without rows the interval is from 0 to 1.
        confidence: Confidence above 0 and below 1.

    Returns:
        Lowest and highest share, from 0 to 1.

    Raises:
        ParamError: for arguments out of range.
    """
    check_int("n", n, 0, _MAX)
    check_int("hits", hits, 0, n)
    low, high = _score_interval(hits / n if n else 0.0, n, confidence)
    return 0.0 if hits == 0 else low, 1.0 if hits == n else high


def clustered_interval(
    means: Sequence[float], trials: int, confidence: float = 0.95
) -> tuple[float, float]:
    """Return the score interval of the mean of rows that were tried several times each.

    Trials of one row are alike, so n in Wilson's interval is the number of independent trials that
    has the variance of the rows' means: p (1 - p) over their variance divided by their number. It
    is at least the number of rows, and at most that of trials; with one trial a row the interval is
    Wilson's.

    Args:
        means: Share of hits of each row, from 0 to 1.
        trials: Trials of all rows.
        confidence: Confidence above 0 and below 1.
    """
    rows = len(means)
    if not rows:
        return 0.0, 1.0
    share = math.fsum(means) / rows
    squares = math.fsum((mean - share) ** 2 for mean in means)
    variance = squares / (rows - 1) / rows if rows > 1 else 0.0
    trials_alike = share * (1 - share) / variance if variance else rows
    return _score_interval(share, min(max(trials_alike, rows), trials), confidence)


def _score_interval(share: float, n: float, confidence: float) -> tuple[float, float]:
    z = normal_quantile(confidence)
    if not n:
        return 0.0, 1.0
    square = z * z / n
    centre = share + square / 2
    half = z * math.sqrt(share * (1 - share) / n + square / (4 * n))
    return max(0.0, (centre - half) / (1 + square)), min(1.0, (centre + half) / (1 + square))


def normal_quantile(confidence: float) -> float:
    """Return the z such that a normal variable lies in -z..z with this probability."""
    if not 0.0 < confidence < 1.0:
        raise ParamError("confidence", confidence, "a number above 0 and below 1")
    return NormalDist().inv_cdf(0.5 + confidence / 2)
