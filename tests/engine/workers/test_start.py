"""How many workers a build gets if nobody says."""

from pathlib import Path

import pytest

from synthgen.engine.workers import start
from synthgen.recipe.loader import read_recipe
from synthgen.recipe.overrides import Overrides

RECIPE = """
name = "small"
[[source]]
generator = "scan"
[[split]]
name = "train"
rows = {rows}
"""


class Recorded:
    """Stands for the engine, and remembers how many workers it was to start."""

    def __init__(self, workers: int, generators: list[str] | None = None) -> None:
        self.workers = workers


@pytest.mark.parametrize(
    ("rows", "forks", "asked", "workers"),
    [
        (399, True, None, 1),
        (400, True, None, 2),
        (10**6, True, None, 8),
        (39_999, False, None, 1),
        (40_000, False, None, 2),
        (10, True, 3, 3),
        (10**6, False, 1, 1),
    ],
)
def test_forks_are_cheap_and_interpreters_are_not(
    rows: int,
    forks: bool,
    asked: int | None,
    workers: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recipe = tmp_path / "small.toml"
    recipe.write_text(RECIPE.format(rows=rows), encoding="utf-8")
    monkeypatch.setattr(start, "LocalEngine", Recorded)
    monkeypatch.setattr(start, "has_one_thread", lambda: forks)
    monkeypatch.setattr(start, "usable_cores", lambda: 8)
    assert start.start_engine(read_recipe(recipe, Overrides()), asked).workers == workers


def test_a_recipe_that_cannot_be_read_gets_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = tmp_path / "wrong.toml"
    recipe.write_text('name = "wrong"\n', encoding="utf-8")
    monkeypatch.setattr(start, "LocalEngine", Recorded)
    assert start.start_engine(read_recipe(recipe, Overrides()), 8).workers == 1
