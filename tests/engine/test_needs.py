"""Builds that cannot fit are refused before they begin, with memory, disk and time."""

import shutil
from pathlib import Path

import pytest

import synthgen
from synthgen.core.errors import OutputError
from synthgen.engine import needs
from tests.building import recipe_of, source_of, split_of, synthgen_process, write_recipe

MANY = "rows need about [0-9,.]+ GB of memory"


def test_a_trillion_rows_are_refused_with_what_they_need(tmp_path: Path) -> None:
    recipe = recipe_of(source_of("addition", "max_digits = 40"), split_of("train", 10**12))
    out = tmp_path / "out"
    ended = synthgen_process("build", str(write_recipe(tmp_path, recipe)), "--out", str(out))
    assert ended.returncode == 2
    line = " ".join(ended.stderr.split())
    assert line.count("error:") == 1
    assert "small.toml: 1,000,000,000,000 rows need about 12,000.0 GB of memory (" in line
    assert f" GB of disk for {out} (" in line
    assert " days of " in line
    assert "--yes" in line
    assert not out.exists()


@pytest.mark.parametrize("more", [{}, {"select_only": True}])
def test_what_cannot_fit_is_built_on_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: dict[str, bool]
) -> None:
    monkeypatch.setattr(needs, "LARGE", 500)
    monkeypatch.setattr(needs, "available_memory", lambda: 5_000)
    recipe, out = recipe_of(source_of("hint"), split_of("train", 500)), tmp_path / "out"
    write_recipe(tmp_path, recipe)
    with pytest.raises(OutputError, match=MANY):
        synthgen.build(tmp_path / "small.toml", out, workers=1, **more)
    assert not out.exists()
    assert synthgen.build(tmp_path / "small.toml", out, workers=1, yes=True, **more)
    assert synthgen.build(tmp_path / "small.toml", out, workers=1, **more).was_there


def test_the_disk_is_estimated_from_a_few_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = write_recipe(tmp_path, recipe_of(source_of("hint"), split_of("train", 5_000)))
    synthgen.build(recipe, tmp_path / "first", workers=1)
    size = sum(file.stat().st_size for file in (tmp_path / "first/data").iterdir())
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(needs, "LARGE", 5_000)
    monkeypatch.setattr(needs.shutil, "disk_usage", lambda _: usage._replace(free=size // 2))
    with pytest.raises(OutputError, match=MANY):
        synthgen.build(recipe, tmp_path / "second", workers=1)
    monkeypatch.setattr(needs.shutil, "disk_usage", lambda _: usage._replace(free=2 * size))
    assert synthgen.build(recipe, tmp_path / "second", workers=1)
