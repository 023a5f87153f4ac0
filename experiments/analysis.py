"""Which figures of a split rank test splits as the accuracy of trained models does."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_RESAMPLES = 2_000


def test_splits(results: pl.DataFrame, figures: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each test split that was answered and has figures.

    Columns are run, language (the first part of the recipe's name), split, accuracies (one for each
    seed), accuracy (their mean), trained (the mean accuracy on training rows), train_rows, and the
    figures.
    """
    whole = results.filter(pl.col("part") == "")
    trained = whole.filter(split="train").group_by("run").agg(trained=pl.col("accuracy").mean())
    whole = whole.filter(~pl.col("split").str.starts_with("train"))
    recipe = pl.col("recipe").str.replace("recipes/", "").str.replace(".toml", "")
    means = whole.group_by("run", "split", language=recipe.str.split("-").list.first()).agg(
        accuracies=pl.col("accuracy").sort_by("seed"),
        accuracy=pl.col("accuracy").mean(),
        train_rows=pl.col("train_rows").first(),
    )
    return means.join(trained, on="run").join(figures, on=["run", "split"]).sort("run", "split")


def correlation(one: Floats, other: Floats) -> float:
    """Return Spearman's rank correlation; 0 where one of them is constant."""
    value = pl.select(pl.corr(pl.Series(one), pl.Series(other), method="spearman")).item()
    return 0.0 if value is None or np.isnan(value) else float(value)


@dataclass(frozen=True)
class Correlation:
    """Rank correlation of a figure with accuracy, with its 95% interval."""

    name: str
    splits: int
    value: float
    low: float
    high: float


def correlations(splits: pl.DataFrame, names: list[str]) -> list[Correlation]:
    """Return the correlations, the strongest first; runs with their splits, and seeds, are redrawn.

    The splits of a run share its models, so they are drawn together.
    """
    found: list[Correlation] = []
    for name in names:
        known = splits.drop_nulls(name)
        values = known[name].to_numpy()
        random = np.random.default_rng(0)
        drawn = [_redrawn(known, values, random) for _ in range(_RESAMPLES)]
        low, high = np.quantile(drawn, [0.025, 0.975])
        value = correlation(values, known["accuracy"].to_numpy())
        found.append(Correlation(name, len(known), value, float(low), float(high)))
    return sorted(found, key=lambda each: -abs(each.value))


def _redrawn(splits: pl.DataFrame, values: Floats, random: np.random.Generator) -> float:
    runs = splits["run"].rank("dense").to_numpy() - 1
    drawn = random.integers(runs.max() + 1, size=runs.max() + 1)
    places = np.concatenate([np.flatnonzero(runs == run) for run in drawn])
    of_seeds = [splits["accuracies"][int(place)] for place in places]
    accuracies = [of[int(random.integers(len(of)))] for of in of_seeds]
    return correlation(values[places], np.array(accuracies))


def best_pair(splits: pl.DataFrame, names: list[str]) -> tuple[tuple[str, str], float]:
    """Return the two figures that together predict the order of the splits best, and how well.

    A linear model of their ranks is fitted to the splits of all languages but one and predicts
    those of that one. The value is the rank correlation of all these predictions with accuracy.
    """
    known = splits.drop_nulls(names)
    accuracy, languages = known["accuracy"].to_numpy(), known["language"].to_numpy()
    table = {name: known[name].rank().to_numpy() for name in names}
    best: dict[tuple[str, str], float] = {}
    for pair in combinations(names, 2):
        inputs = np.stack([*(table[name] for name in pair), np.ones(len(known))], axis=1)
        predicted = np.zeros(len(known))
        for language in np.unique(languages):
            held = languages == language
            weights, *_ = np.linalg.lstsq(inputs[~held], accuracy[~held], rcond=None)
            predicted[held] = inputs[held] @ weights
        best[pair] = correlation(predicted, accuracy)
    pair = max(best, key=lambda each: best[each])
    return pair, best[pair]
