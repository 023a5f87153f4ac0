"""Datasets as the client of a user loads them."""

from pathlib import Path

import datasets


def assert_loaded_and_streamed(folder: Path, rows: dict[str, int]) -> None:
    """Check that a dataset loads with these splits and rows, and streams with the same rows."""
    loaded = datasets.load_dataset(str(folder))
    assert {split: part.num_rows for split, part in loaded.items()} == rows
    streamed = datasets.load_dataset(str(folder), streaming=True)
    for split, n in rows.items():
        few = min(n, 1_000)
        assert list(streamed[split].take(few)) == list(loaded[split].select(range(few)))
