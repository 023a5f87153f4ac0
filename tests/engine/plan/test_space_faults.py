"""Splits that ask for more problems than their sources have addresses."""

from __future__ import annotations

from pathlib import Path

import pytest

from synthgen.core.errors import RecipeError
from synthgen.engine.plan.plan import make_plan
from synthgen.recipe.loader import read_recipe

_SCAN = 20_910
_SOURCES = """
name = "small"
[[source]]
name = "commands"
generator = "scan"
[[source]]
generator = "hint"
"""


def faults_of(folder: Path, splits: str, sources: str = _SOURCES) -> list[str]:
    path = folder / "small.toml"
    path.write_text(sources + splits, encoding="utf-8")
    try:
        make_plan(read_recipe(path))
    except RecipeError as error:
        return [fault.message for fault in error.faults]
    return []


def split(name: str, rows: int, where: str | None = "source = 'commands'", more: str = "") -> str:
    rule = f'where = "{where}"\n' if where else ""
    return f'[[split]]\nname = "{name}"\nrows = {rows}\n{rule}{more}\n'


def test_a_split_of_one_source_has_no_more_than_that(tmp_path: Path) -> None:
    assert not faults_of(tmp_path, split("train", _SCAN))
    (fault,) = faults_of(tmp_path, split("train", _SCAN + 1))
    assert fault.startswith("rows=20911: expected at most 20910, the")
    assert fault.endswith("addresses of 'commands'")


def test_splits_that_share_a_source_ask_for_no_more_than_it_has(tmp_path: Path) -> None:
    fits = split("train", 20_000) + split("test", 910) + split("rest", 10**6, None)
    assert not faults_of(tmp_path, fits)
    (fault,) = faults_of(tmp_path, split("train", 20_000) + split("test", 911))
    assert "'train', 'test' ask for 20911 problems together" in fault
    assert "'commands' has only 20910 addresses" in fault


def test_what_is_seen_again_needs_no_room(tmp_path: Path) -> None:
    again = split("again", 500, None, 'seen_in = "train"')
    assert not faults_of(tmp_path, split("train", _SCAN) + again)


def test_a_part_counts_its_different_problems(tmp_path: Path) -> None:
    parts = "parts = [{ where = \"source = 'commands'\", rows = 30_000, distinct = %d }]"
    assert not faults_of(tmp_path, split("train", 30_000, None, parts % _SCAN))
    (fault,) = faults_of(tmp_path, split("train", 30_000, None, parts % (_SCAN + 1)))
    assert "at most 20910, the addresses of 'commands'" in fault


@pytest.mark.parametrize(("rows", "refused"), [((20_000, 2_000), False), ((21_000, 1), True)])
def test_with_shortfalls_allowed_only_the_impossible_is_refused(
    tmp_path: Path, rows: tuple[int, int], *, refused: bool
) -> None:
    sources = 'name = "small"\n[[source]]\nname = "commands"\ngenerator = "scan"\n'
    splits = split("train", rows[0], None) + split("test", rows[1], None)
    found = faults_of(tmp_path, splits + '[limits]\nshortfall = "allow"\n', sources)
    assert bool(found) == refused
