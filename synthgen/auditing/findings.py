"""Findings of an audit: checks that hold or fail, and their numbers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from synthgen.auditing.blocks import FLAG, Block, HeatMap
from synthgen.auditing.report_figures import Figures, merged
from synthgen.auditing.skill_mixes import MixCoverage
from synthgen.auditing.tallies import CommonAnswer, Histogram
from synthgen.core.shown import Shown
from synthgen.verifying.promises import Check, Example, Overlap

FORMAT = "synthgen-audit/1"
MAX_ROWS, MAX_TASKS = 3, 12
"""Number of rows of each split that are shown as examples, or of its tasks, if it has several."""

STORED = "stored"
"""Name of the check of a dataset without stored rows; it always holds, and is always shown."""


@dataclass(frozen=True, slots=True)
class SplitReport:
    """Counts of one split; `promised` and `verified` are the manifest's numbers.

    Attributes:
        priors: Cells with many distinct answers in which one answer dominates.
        rule: Property that its rows share, in words or as a rule; empty if unknown.
        examples: Prompts and answers of its first rows.
    """

    name: str
    promised: int
    rows: int
    verified: int
    shards: int
    bytes: int
    repeated_ids: int
    repeated_prompts: int
    axes: tuple[Histogram, ...]
    priors: tuple[CommonAnswer, ...] = ()
    rule: str = ""
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceSpace:
    """Size of the problem space of a source, as its generator states it.

    Attributes:
        addresses: None if unbounded.
        fewest_problems: Lower bound of the number of distinct problems; None if unknown.
    """

    source: str
    addresses: int | None
    fewest_problems: int | None


@dataclass(frozen=True, slots=True, repr=False)
class Report(Shown):
    """All findings of an audit. If files are unreadable, `splits` and `overlaps` are empty.

    Attributes:
        levels: Rows by task and level of each split, of datasets with several tasks.
    """

    name: str
    fingerprint: str
    checks: tuple[Check, ...]
    splits: tuple[SplitReport, ...]
    overlaps: tuple[Overlap, ...]
    sources: tuple[SourceSpace, ...] = ()
    mixes: tuple[MixCoverage, ...] = ()
    blocks: tuple[Block, ...] = ()
    levels: tuple[HeatMap, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every check holds."""
        return all(check.ok for check in self.checks)

    def __repr__(self) -> str:
        failed = sum(not check.ok for check in self.checks)
        flagged = [block.title for block in self.blocks if block.verdict == FLAG]
        review = f"; to review: {', '.join(flagged)}" if flagged else ""
        return f"<{self.name}: {len(self.checks)} checks, {failed} failed{review}>"

    @property
    def figures(self) -> Figures:
        """Numbers by split and stable name."""
        return merged(self.blocks)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values for JSON."""
        values = asdict(self)
        for block in values["blocks"]:
            del block["figures"]
            for table in block["tables"]:
                del table["bad"]
        return {"format": FORMAT, "ok": self.ok, "figures": self.figures, **values}
