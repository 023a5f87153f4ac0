"""How much of a report its HTML shows, so that the file stays small whatever the dataset."""

from __future__ import annotations

from dataclasses import astuple, dataclass

MOST_BYTES = 1_500_000
"""Size that no HTML report exceeds."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper bounds of what is shown; what they cut is told where it is missing.

    Attributes:
        texts: characters of a sentence, such as the verdict of a block.
        cells: characters of a cell of a table, a label or a name.
        rows, columns: of a table.
        checks: rows of the table of checks, failed ones first.
        blocks, parts: blocks, and tables, bar charts and line charts of each.
        labels, series, points: of a chart.
        heats, heat_side, heat_cells: heat maps of a block, rows and columns of each, and cells of
            all of them together.
        splits, axes: of which histograms are drawn.
        priors: answers easiest to guess, of each split.
    """

    texts: int = 1_200
    cells: int = 400
    rows: int = 120
    columns: int = 24
    checks: int = 400
    blocks: int = 40
    parts: int = 12
    labels: int = 60
    series: int = 8
    points: int = 160
    heats: int = 240
    heat_side: int = 60
    heat_cells: int = 120_000
    splits: int = 16
    axes: int = 48
    priors: int = 5

    def halved(self) -> Limits:
        """Return limits of half the size, at least one of each thing and a few characters."""
        smaller = Limits(*(max(1, each // 2) for each in astuple(self)))
        if smaller.texts >= _FEWEST_CHARACTERS and smaller.cells >= _FEWEST_CHARACTERS:
            return smaller
        texts, cells, *others = astuple(smaller)
        return Limits(max(texts, _FEWEST_CHARACTERS), max(cells, _FEWEST_CHARACTERS), *others)


_FEWEST_CHARACTERS = 24
