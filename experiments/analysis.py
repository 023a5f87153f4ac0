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
    seed), accuracy (their mean), trained (the mean accuracy on training rows), and the figures.
    """
    whole = results.filter(pl.col("part") == "")
    trained = whole.filter(split="train").group_by("run").agg(trained=pl.col("accuracy").mean())
    whole = whole.filter(~pl.col("split").str.starts_with("train"))
    recipe = pl.col("recipe").str.replace("recipes/", "").str.replace(".toml", "")
    means = whole.group_by("run", "split", language=recipe.str.split("-").list.first()).agg(
        accuracies=pl.col("accuracy").sort_by("seed"),
        accuracy=pl.col("accuracy").mean(),
        rows=pl.col("rows").first(),
    )
    return means.join(trained, on="run").join(figures, on=["run", "split"]).sort("run", "split")


def ranks(values: Floats) -> Floats:
    """Return ranks from 0; equal values share their mean rank.

    >>> ranks(np.array([0.5, 0.1, 0.5])).tolist()
    [1.5, 0.0, 1.5]
    """
    below = (values[:, None] > values[None, :]).sum(axis=1)
    equal = (values[:, None] == values[None, :]).sum(axis=1)
    return np.asarray(below + (equal - 1) / 2, np.float64)


def correlation(one: Floats, other: Floats) -> float:
    """Return Spearman's rank correlation; 0 where one of them is constant."""
    a, b = ranks(one), ranks(other)
    if not a.std() or not b.std():
        return 0.0
    return float(np.corrcoef(a, b)[0, 1])


@dataclass(frozen=True)
class Correlation:
    """Rank correlation of a figure with accuracy, with its 95% interval."""

    name: str
    splits: int
    value: float
    low: float
    high: float


def correlations(splits: pl.DataFrame, names: list[str]) -> list[Correlation]:
    """Return the correlations, the strongest first; splits and seeds are drawn again."""
    found: list[Correlation] = []
    for name in names:
        known = splits.drop_nulls(name)
        values, accuracies = known[name].to_numpy(), known["accuracies"].to_list()
        random = np.random.default_rng(0)
        drawn = [_redrawn(values, accuracies, random) for _ in range(_RESAMPLES)]
        low, high = np.quantile(drawn, [0.025, 0.975])
        value = correlation(values, known["accuracy"].to_numpy())
        found.append(Correlation(name, len(known), value, float(low), float(high)))
    return sorted(found, key=lambda each: -abs(each.value))


def _redrawn(values: Floats, accuracies: list[list[float]], random: np.random.Generator) -> float:
    places = random.integers(len(values), size=len(values))
    drawn = [accuracies[place][random.integers(len(accuracies[place]))] for place in places]
    return correlation(values[places], np.array(drawn))


def best_pair(splits: pl.DataFrame, names: list[str]) -> tuple[tuple[str, str], float]:
    """Return the two figures that together predict the order of the splits best, and how well.

    A linear model of their ranks is fitted to the splits of all languages but one and predicts
    those of that one. The value is the rank correlation of all these predictions with accuracy.
    """
    known = splits.drop_nulls(names)
    accuracy = known["accuracy"].to_numpy()
    languages = known["language"].to_numpy()
    table = {name: ranks(known[name].to_numpy()) for name in names}
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
