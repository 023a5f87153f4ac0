"""Coverage findings of an audit: ranked blocks with a verdict, tables and charts.

Metrics make blocks; the terminal and the HTML report render them. Neither depends on the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

OK, FLAG, INFO = "ok", "flag", "info"
"""Verdicts: as expected, needs review, information only."""

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class BlockTable:
    """A table; the cells of each row follow the order of the columns.

    Attributes:
        bad: Row and column of cells that show something wrong.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    bad: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class BarChart:
    """Grouped bars: one value for each label and series, (series, labels)."""

    title: str
    x_label: str
    y_label: str
    labels: tuple[str, ...]
    series: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Counts of a split over two axes, (rows, columns); None where no split has a cell.

    Attributes:
        split: Split whose rows are counted.
        row_axis, column_axis: Names of the axes.
        row_labels, column_labels: Values or value ranges.
    """

    split: str
    row_axis: str
    column_axis: str
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    values: tuple[tuple[int | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Block:
    """One ranked section of the report.

    Attributes:
        key: Short name, such as "atoms".
        title: Heading for readers.
        verdict: OK, FLAG or INFO.
        text: One or two sentences that explain the verdict: the finding first, with its numbers.
        figures: Numbers of each side under stable names, as in the figures of a report.
    """

    key: str
    title: str
    verdict: str
    text: str
    tables: tuple[BlockTable, ...] = ()
    bars: tuple[BarChart, ...] = ()
    heats: tuple[HeatMap, ...] = ()
    figures: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def definition(self) -> str:
        """One sentence on what the block measures, or empty."""
        return _DEFINITIONS.get(self.key, "")

    @property
    def section(self) -> str:
        """Address in the documentation, or empty."""
        words = self.title.casefold().replace(" ", "-")
        if self.key in FILE_TITLES:
            return f"docs/compare.md#{words}"
        if self.key not in TITLES:
            return ""
        return f"docs/coverage.md#{[*TITLES].index(self.key) + 1}-{words}"


def titled(
    key: str,
    verdict: str,
    text: str,
    tables: Iterable[BlockTable] = (),
    bars: Iterable[BarChart] = (),
    figures: Mapping[str, Mapping[str, Any]] | None = None,
) -> Block:
    """Return a block under its title, without empty tables."""
    shown = tuple(table for table in tables if table.rows)
    title = TITLES.get(key) or FILE_TITLES[key]
    return Block(key, title, verdict, text, shown, tuple(bars), figures=figures or {})


def not_measured(key: str, reason: str) -> Block:
    """Return a block that states why it has no measures."""
    return titled(key, INFO, f"Not measured: {reason}.")


NO_TESTS = "There is no other split to compare with."
TITLES = {
    "identity": "Identity and overlap",
    "atoms": "Unseen atoms",
    "tiers": "Tiers of novelty",
    "divergence": "Divergence",
    "combinations": "Combinations of axes",
    "ranges": "Ranges and answers",
    "easiness": "Easiness",
    "k-coverage": "k-coverage",
    "diversity": "Diversity",
    "near-duplicates": "Near duplicates",
    "shortcuts": "Shortcuts",
    "words": "Words and answers",
    "trained": "Trained models",
    "controllers": "Controllers",
    "provenance": "Provenance",
}
"""Titles of the blocks by key, in ranked order."""
FILE_TITLES = {
    "contradictions": "Contradictions",
    "repeats": "Repeated rows",
    "unanswerable": "Unanswerable rows",
    "groups": "Groups on both sides",
}
"""Titles of the blocks that only third-party files have."""
_DEFINITIONS = {
    "contradictions": "Rows contradict each other if their prompts are equal at L1, and their "
    "final answers differ in more than case.",
    "repeats": "A row repeats another if prompt and answer are equal, the prompt at L1.",
    "unanswerable": "A text seems cut if it has the greatest length of all, together with "
    "others, and they end unlike the shorter ones.",
    "groups": "Rows of one group, such as one user or document, resemble each other.",
    "identity": "L0: same bytes; L1: same but for spaces and the form of characters; L2: same "
    "problem; L3: same structure with other values.",
    "atoms": "An atom is a symbol of the structure: of the derivation, or a word of the prompt.",
    "tiers": "A row counts once, by the smallest unit that train lacks: an atom, a pair or a "
    "triple of neighboring symbols, the template, or the problem.",
    "divergence": "Chernoff divergence, 0 for equal shares and 1 for nothing in common: D_A of "
    "atoms (exponent 0.5), D_C of compounds (0.1).",
    "combinations": "A cell is a combination of values of one, two or three axes.",
    "ranges": "A length is flagged if its mean shifts by more than 10% and no rule separates the "
    "splits by length.",
    "easiness": "The easiness of a row is that of its least familiar pair of symbols: 1 if train "
    "has the pair, otherwise the similarity of the nearest pair that train has.",
    "k-coverage": "A row is covered if exchanging values that are equivalent in train leads to it.",
    "diversity": "The Vendi score is the number of entirely dissimilar rows with the same "
    "diversity.",
    "near-duplicates": "Two prompts are near if they share 80% of their runs of five words.",
    "shortcuts": "A shortcut is a predictor that knows nothing about the problem.",
    "words": "The same measures, taken from the words of the prompts instead of derivations.",
    "trained": "Splits are as new if their shares of rows with an unseen pair of words differ by "
    "at most 0.1, those of rows outside train's range by 0.1, and D_A of words by 0.02.",
    "controllers": "Targets of the recipe for each split, and what the build reached.",
    "provenance": "Recipe, generators and libraries that made the dataset.",
}
"""Definition of each block."""
