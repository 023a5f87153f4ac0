"""`python -m benchmarks.cogs_distribution FOLDER`: are generated COGS rows like the published ones?

FOLDER holds the published train.tsv and dev.tsv. As many different sentences are drawn as these and
the test set have, and two-sample tests compare them with the published ones: chi-squared for
counts, and the difference of means over its standard error for lengths.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.cogs_reading import Reading, read_rows
from synthgen.contract.interfaces import Render
from synthgen.draws.randomness import Rows, stream_key
from synthgen.families.cogs.family import Cogs

_COUNTS: dict[str, Callable[[Reading], Sequence[object]]] = {
    "construction": lambda row: [row.construction],
    "innermost construction": lambda row: [row.inner],
    "that clauses": lambda row: [row.cp_depth],
    "prepositional phrases": lambda row: [row.pp_depth],
    "tokens": lambda row: [row.tokens],
    "articles": lambda row: ["the"] * row.articles[0] + ["a"] * row.articles[1],
    "names": lambda row: row.names,
}
_MEANS: dict[str, Callable[[Reading], int]] = {
    "tokens": lambda row: row.tokens,
    "tokens of the logical form": lambda row: row.formula_tokens,
}
_POOL = 30_000
_MIN = 10
"""Values that occur less often in both sets together count as one."""


def published_rows(folder: Path) -> list[tuple[str, str]]:
    """Return the in-distribution rows of the published training and development sets."""
    lines = [
        line.split("\t")
        for name in ("train", "dev")
        for line in (folder / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    ]
    return [(line[0], line[1]) for line in lines if line[2] == "in_distribution"]


def generated_rows(count: int, stream: int) -> list[tuple[str, str]]:
    """Return the first different rows that a stream gives."""
    generator = Cogs()
    found: dict[str, str] = {}
    start = 0
    while len(found) < count:
        problems = generator.draw(Rows.span(stream, start, start + count))
        texts = generator.render(problems, Render("bare", "none"))
        found |= dict(zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True))
        start += count
    return list(found.items())[:count]


def chi_squared(one: Counter[object], other: Counter[object]) -> tuple[float, int]:
    """Return the statistic of two samples of counts, and its degrees of freedom."""
    rare = {value for value in one | other if one[value] + other[value] < _MIN}
    values = [value for value in one | other if value not in rare]
    pairs = [(one[value], other[value]) for value in values]
    pairs += [(sum(one[v] for v in rare), sum(other[v] for v in rare))] if rare else []
    left, right = (sum(column) for column in zip(*pairs, strict=True))
    weight = np.sqrt(right / left)
    statistic = sum((a * weight - b / weight) ** 2 / (a + b) for a, b in pairs)
    return float(statistic), len(pairs) - 1


def compare(one: list[Reading], other: list[Reading]) -> list[tuple[str, str, float]]:
    """Return for each figure its name, what was compared, and by how many deviations it is off.

    A chi-squared statistic is turned into deviations by Wilson and Hilferty's cube root.
    """
    results = []
    for name, values in _COUNTS.items():
        counts = [Counter(v for row in rows for v in values(row)) for rows in (one, other)]
        statistic, freedom = chi_squared(counts[0], counts[1])
        spread = 2 / (9 * freedom)
        deviations = ((statistic / freedom) ** (1 / 3) - 1 + spread) / spread**0.5
        results.append((name, f"chi-squared {statistic:.1f} of {freedom} degrees", deviations))
    for name, measure in _MEANS.items():
        samples = [np.array([measure(row) for row in rows]) for rows in (one, other)]
        means = [float(sample.mean()) for sample in samples]
        error = float(np.sqrt(sum(sample.var() / len(sample) for sample in samples)))
        results.append(
            (f"mean {name}", f"{means[0]:.3f} and {means[1]:.3f}", (means[0] - means[1]) / error)
        )
    return results


def main(arguments: Sequence[str]) -> int:
    """Compare, and print a table; exit code 2 without the published data."""
    console = Console(highlight=False)
    folder = Path(arguments[0]) if arguments else Path()
    if not (folder / "train.tsv").exists() or not (folder / "dev.tsv").exists():
        console.print("usage: python -m benchmarks.cogs_distribution FOLDER", markup=False)
        console.print(f"no train.tsv and dev.tsv in {folder}", markup=False)
        return 2
    published = read_rows(published_rows(folder))
    stream = stream_key(7, "benchmark", "cogs")
    generated = read_rows(generated_rows(_POOL, stream))
    table = Table("figure", "published and generated", "deviations", box=None, pad_edge=False)
    for name, compared, deviations in compare(published, generated):
        table.add_row(name, compared, f"{deviations:+.1f}")
    console.print(f"{len(published):,} published rows and {len(generated):,} generated ones")
    console.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
