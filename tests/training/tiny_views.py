"""A dataset of many small row groups, and views of it."""

from __future__ import annotations

from pathlib import Path

import synthgen
from synthgen.training.view import View
from tests.dataset.tiny import row, write_dataset

ROWS = 203


def write_many(folder: Path, rows: int = ROWS, first: int = 0) -> Path:
    """Write a dataset whose split `train` has groups of 8 rows in two shards."""
    tests = [row(number, n_op=7) for number in range(1000, 1010)]
    return write_dataset(
        folder,
        {
            "train": [row(number) for number in range(first, first + rows)],
            "test_hard": tests,
            "probe": [row(first)],
        },
    )


def train_of(folder: Path) -> View:
    return synthgen.open(folder)["train"]


def number_of(prompt: str) -> int:
    """Return the number of a row, which its prompt states."""
    return int(prompt.split()[2])
