"""Block 13: accuracy of models that we trained, on test splits as new to their train as these.

`trained_models.json` has the test splits for which small transformers were trained, with their mean
accuracies and what is new in them. `just evidence --page` writes it beside docs/evidence.md.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from statistics import median
from typing import Any

from synthgen.auditing.blocks import (
    INFO,
    NO_TESTS,
    BarChart,
    Block,
    BlockTable,
    Cell,
    not_measured,
    titled,
)
from synthgen.auditing.divergence_block import MAX_ATOM_DIVERGENCE
from synthgen.auditing.wording import finite, grouped, plural
from synthgen.coverage.structure_kinds import WORDS

KEY = "trained"
TABLE = "trained_models.json"
NEAR = 0.1
"""Largest difference of both shares between splits that are as new."""
_LENGTHS = ("prompt", "answer", "answer_tokens", "answer_value")
_TITLE = "Accuracy of trained models on splits that are just as new"
_BINS, _NAMED = 10, 3


@dataclass(frozen=True, slots=True)
class Novelty:
    """What is new in the texts of a test split, so that files without structures have it, too.

    Attributes:
        outside: Largest share of rows outside train's range: of the length of the prompt, the
            length of the answer, its tokens or its value.
        unseen_pair: Share of rows with a pair of neighboring words that train lacks.
        atoms: Divergence of the words from train's, D_A.
    """

    outside: float
    unseen_pair: float
    atoms: float

    def gap(self, other: Novelty) -> float:
        """Return the largest difference, as a multiple of what is allowed of splits as new."""
        shares = max(abs(self.outside - other.outside), abs(self.unseen_pair - other.unseen_pair))
        return max(shares / NEAR, abs(self.atoms - other.atoms) / MAX_ATOM_DIVERGENCE)


@dataclass(frozen=True, slots=True)
class Trained:
    """A test split for which models were trained, with their mean accuracy."""

    name: str
    accuracy: float
    novelty: Novelty


@cache
def trained_splits() -> tuple[Trained, ...]:
    """Return the test splits of the table."""
    text = files("synthgen.auditing").joinpath(TABLE).read_text(encoding="utf-8")
    return tuple(
        Trained(f"{run}: {split}", accuracy, Novelty(*novelty))
        for run, split, accuracy, *novelty in json.loads(text)
    )


def novelty_of(figures: Mapping[str, Any]) -> Novelty | None:
    """Return what is new in a test split by its figures, or None if they do not tell."""
    words, lengths = figures.get(WORDS, {}), figures.get("lengths", {})
    pairs = words.get("unseen", {}).get("pairs")
    atoms = words.get("divergence", {}).get("atom", {}).get("value")
    shares = [lengths.get(name, {}).get("outside_train") for name in _LENGTHS]
    outside = [share for share in shares if share is not None]
    if pairs is None or atoms is None or not outside:
        return None
    return Novelty(max(outside), pairs, atoms)


def trained_block(tests: Sequence[str], figures: Mapping[str, Mapping[str, Any]]) -> Block:
    """Report what trained models got on splits that are as new as each test.

    Args:
        tests: Names of the test splits.
        figures: Figures of the other blocks by split.
    """
    if not tests:
        return titled(KEY, INFO, NO_TESTS)
    known = {name: found for name in tests if (found := novelty_of(figures.get(name, {})))}
    if not known:
        return not_measured(KEY, "words of prompts were not measured")
    like = {name: _like(novelty) for name, novelty in known.items()}
    ranges = grouped({name: _range(of) for name, of in like.items()})
    text = f"Accuracy of our small models on splits that are just as new: {ranges}."
    columns = (
        "split",
        "rows outside train's range, %",
        "rows with an unseen pair of words, %",
        "D_A",
    )
    more = ("like splits", "lowest accuracy", "median", "highest", "the nearest of them")
    rows = tuple((name, *_cells(known[name], of)) for name, of in like.items())
    table = BlockTable(_TITLE, (*columns, *more), rows)
    numbers = {
        name: {KEY: {"splits": len(of), **_figures([each.accuracy for each in of])}}
        for name, of in like.items()
    }
    return titled(KEY, INFO, text, (table,), (_bars(like),), numbers)


def _like(novelty: Novelty) -> list[Trained]:
    """Return the splits that are as new, the nearest first."""
    near = [each for each in trained_splits() if novelty.gap(each.novelty) <= 1]
    return sorted(near, key=lambda each: (novelty.gap(each.novelty), each.name))


def _range(like: Sequence[Trained]) -> str:
    of = f"{len(like)} of {plural(len(trained_splits()), 'split')}"
    if not like:
        return f"unknown ({of})"
    right = [each.accuracy for each in like]
    if len(right) == 1:
        return f"{right[0]:.2f} ({of})"
    return f"{min(right):.2f} to {max(right):.2f} (median {median(right):.2f}, {of})"


def _figures(right: Sequence[float]) -> dict[str, float]:
    if not right:
        return {}
    return {"lowest": min(right), "median": median(right), "highest": max(right)}


def _cells(novelty: Novelty, like: Sequence[Trained]) -> tuple[Cell, ...]:
    shares = (round(100 * novelty.outside, 2), round(100 * novelty.unseen_pair, 2))
    atoms = round(novelty.atoms, 4)
    right = [each.accuracy for each in like]
    numbers = tuple(finite(value, 3) for value in _figures(right).values()) or (None, None, None)
    return (*shares, atoms, len(like), *numbers, ", ".join(each.name for each in like[:_NAMED]))


def _bars(like: Mapping[str, Sequence[Trained]]) -> BarChart:
    """Draw the accuracies on all splits, and on those that are like each test."""
    series = {"all": trained_splits(), **like}
    values = tuple(
        tuple(float(sum(_bin(each.accuracy) == at for each in of)) for at in range(_BINS))
        for of in series.values()
    )
    labels = tuple(f"{at / _BINS:.1f} to {(at + 1) / _BINS:.1f}" for at in range(_BINS))
    return BarChart(_TITLE, "accuracy", "splits", labels, tuple(series), values)


def _bin(accuracy: float) -> int:
    return min(int(accuracy * _BINS), _BINS - 1)
