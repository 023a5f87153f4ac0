"""How many rows each rule has: exact numbers from weights, and how even they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.core.evenness import Evenness, evenness
from synthgen.core.randomness import GOLDEN, mix_words, stream_key
from synthgen.generators._rewrite_choice import part_size

Counts = NDArray[np.int64]
KINDS = ("uniform", "power_weights", "power_index", "zipf", "geometric")
_S11 = np.uint64(11)


def rule_weights(kind: str, exponent: float, n_rules: int, pool: int) -> NDArray[np.float64]:
    """Return the weight of each rule, float64 (n_rules,), positive or zero.

    Args:
        kind: "uniform"; "power_weights", each rule draws its own weight from the density
            a x^(a-1) on [0, 1]; "power_index", the number of a row's rule is drawn from it, so that
            rule i has (i/n)^a - ((i-1)/n)^a; "zipf", rule i has 1/i^a; "geometric", a^i.
        exponent: a, above 0, and below 1 for "geometric".
        n_rules: at least 1.
        pool: names the draws of "power_weights".
    """
    places = np.arange(1, n_rules + 1, dtype=np.float64)
    if kind == "power_weights":
        key = np.uint64(stream_key("rewrite weights", pool))
        counters = np.arange(1, n_rules + 1, dtype=np.uint64)
        bits = mix_words(mix_words(key + counters * GOLDEN) + GOLDEN)
        uniform = ((bits >> _S11).astype(np.float64) + 0.5) * 2.0**-53
        return uniform ** (1.0 / exponent)
    if kind == "power_index":
        return np.diff(np.concatenate([[0.0], places / n_rules]) ** exponent)
    if kind == "zipf":
        return places**-exponent
    if kind == "geometric":
        return exponent ** (places - 1)
    return np.ones(n_rules)


def apportion(weights: NDArray[np.float64], total: int, least: int = 0) -> Counts:
    """Divide `total` by weights, each part at least `least`, by the largest remainders.

    Equal remainders go to the lower index.

    Raises:
        ParamError: if `total` is too small for `least` each.
    """
    n = len(weights)
    free = total - n * least
    if free < 0:
        raise ParamError("min_per_rule", least, f"at most {total // n} for {n} rules, {total} rows")
    shares = weights / weights.sum() * free
    counts: Counts = np.floor(shares).astype(np.int64)
    missing = free - int(counts.sum())
    # Rounding may give away one too many where `free` is beyond 2^53 / n, which params exclude.
    order = np.argsort(counts - shares, kind="stable")
    counts[order[:missing]] += 1
    counts += least
    return counts


@dataclass(frozen=True)
class Allocation:
    """Rows of each rule.

    Attributes:
        counts: int64 (n,).
        ends: row number after the last one of each rule, int64 (n,).
        ranks: place by number of rows, 1 for the most; the lower rule first if equal, int32 (n,).
    """

    counts: Counts
    ends: Counts
    ranks: NDArray[np.int32]

    @cached_property
    def starts(self) -> Counts:
        """Rule of the first row of each part, as `deal_rules` cuts all rows into parts, int64."""
        n, total = len(self.ends), int(self.ends[-1])
        first = np.arange(0, total, part_size(total, n))
        return np.searchsorted(self.ends, first, side="right").astype(np.int64)

    @property
    def evenness(self) -> Evenness:
        """Entropy, effective number and Gini index of the rules that have rows."""
        return evenness(self.counts)

    def rules_with(self, least: int) -> int:
        """Return how many rules have at least so many rows."""
        return int(np.count_nonzero(self.counts >= least))


@lru_cache(maxsize=16)
def allocate(
    kind: str, exponent: float, n_rules: int, pool: int, total: int, least: int
) -> Allocation:
    """Give `total` rows to the rules, at least `least` to each."""
    counts = apportion(rule_weights(kind, exponent, n_rules, pool), total, least)
    ranks = np.empty(n_rules, np.int32)
    ranks[np.argsort(-counts, kind="stable")] = np.arange(1, n_rules + 1, dtype=np.int32)
    return Allocation(counts, np.cumsum(counts), ranks)
