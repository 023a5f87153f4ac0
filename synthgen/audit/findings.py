"""Findings of an audit: checks that hold or fail, and their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from synthgen.audit.blocks import Block

FORMAT = "synthgen-audit/1"
MOST_EXAMPLES = 5
"""Number of offending rows shown with a finding."""

Example = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Check:
    """One promise, and whether the files keep it.

    Attributes:
        name: kind of promise and split, such as `where/train`.
        detail: one line with the numbers.
        rows: the first offending rows.
    """

    name: str
    ok: bool
    detail: str
    rows: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True)
class Bin:
    """Rows with an axis value from `first` to `last`, both included."""

    first: int | str
    last: int | str
    rows: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """Distribution of one axis over the rows of a split.

    Attributes:
        rows, nulls: rows with and without a value.
        low, high, mean: of the values; None without values, and for the mean of texts.
        bins: one for each value, or intervals of equal width if there are too many.
        others: rows with values outside the bins: the rarer of too many texts.
    """

    axis: str
    rows: int
    nulls: int
    distinct: int
    low: int | str | None
    high: int | str | None
    mean: float | None
    bins: tuple[Bin, ...]
    others: int = 0


@dataclass(frozen=True, slots=True)
class AnswerPrior:
    """The most frequent answer of a family at one difficulty.

    Attributes:
        rows, answers: number of rows of this family and difficulty, and of their distinct answers.
        answer: the most frequent answer, truncated.
        most: rows with that answer.
    """

    task: str
    difficulty: int
    rows: int
    answers: int
    answer: str
    most: int


@dataclass(frozen=True, slots=True)
class SplitReport:
    """Counts of one split; `promised` and `verified` are the manifest's numbers.

    Attributes:
        priors: cells with many distinct answers in which one answer dominates.
    """

    name: str
    promised: int
    rows: int
    verified: int
    symbolic: int
    shards: int
    bytes: int
    repeated_ids: int
    repeated_prompts: int
    axes: tuple[Histogram, ...]
    priors: tuple[AnswerPrior, ...] = ()


@dataclass(frozen=True, slots=True)
class Overlap:
    """Number of distinct problems and prompts that two splits share; `declared` if they may."""

    left: str
    right: str
    ids: int
    prompts: int
    declared: bool


@dataclass(frozen=True, slots=True)
class SourceSpace:
    """Size of the problem space of a source, as its generator states it.

    Attributes:
        addresses: None if unbounded.
        fewest_problems: lower bound of the number of distinct problems; None if unknown.
    """

    source: str
    addresses: int | None
    fewest_problems: int | None


@dataclass(frozen=True, slots=True)
class MixCoverage:
    """Coverage by one split of another split's skill mixes of k skills.

    Attributes:
        rows: mixes of k skills in `split`.
        seen_subsets: for each size from 1 to k, mixes whose subsets of this size were all seen.
        largest_seen: for each size from 0 to k, mixes whose largest seen subset has this size.
        seen_cells: mixes whose skills were each seen with their topic.
        seen_mixes: mixes whose skills were all seen together with their topic.
        expected: how often a mix would occur in `train` if skills and topic were independent, mean.
    """

    train: str
    split: str
    k: int
    rows: int
    seen_subsets: tuple[int, ...]
    largest_seen: tuple[int, ...]
    seen_cells: int
    seen_mixes: int
    expected: float


@dataclass(frozen=True, slots=True)
class Report:
    """All findings of an audit. If files are unreadable, `splits` and `overlaps` are empty."""

    name: str
    fingerprint: str
    checks: tuple[Check, ...]
    splits: tuple[SplitReport, ...]
    overlaps: tuple[Overlap, ...]
    sources: tuple[SourceSpace, ...] = ()
    mixes: tuple[MixCoverage, ...] = ()
    blocks: tuple[Block, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every check holds."""
        return all(check.ok for check in self.checks)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values for JSON."""
        return {"format": FORMAT, "ok": self.ok, **asdict(self)}
