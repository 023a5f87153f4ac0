"""The recipe of the string systems, and the figures beside the peer's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import rewrites
from benchmarks.rewrites import main
from tests.building import build_bundled

SIZES = {"train": 1_800, "test": 60, "test_long": 60, "test_rules": 20, "test_repeat": 20}


def test_the_recipe_holds_out_what_it_says(tmp_path: Path) -> None:
    sets = ("render.solution='steps'", "render.prompt='instruction'")
    rows = build_bundled("string-systems", tmp_path / "out", *sets, scale=0.02)
    assert {split: len(found) for split, found in rows.items()} == SIZES
    for split in ("train", "test", "test_long"):
        per_system = [row["system"] for row in rows[split]]
        assert {per_system.count(name) for name in set(per_system)} == {SIZES[split] // 3}
    assert all(row["input_length"] <= 15 and row["n_rules"] <= 8 for row in rows["train"])
    assert all(row["input_length"] > 15 for row in rows["test_long"])
    assert all("\n9. If" in row["prompt"] for row in rows["test_rules"])
    for split, found in rows.items():
        repeats = split == "test_repeat"
        assert all(row["solution"].endswith("occurred before") == repeats for row in found)
        for system in {row["system"] for row in found}:
            idle = [row["n_steps"] == 0 for row in found if row["system"] == system]
            assert sum(idle) <= len(idle) / 20, (split, system)
    ids = [row["id"] for found in rows.values() for row in found]
    assert len(set(ids)) == len(ids)


def test_a_missing_peer_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rewrites, "installed_version", lambda _: None)
    few = ["--rows", "500", "--repeats", "1", "--json", str(tmp_path / "figures.json")]
    assert main(few) == 0
    printed = capsys.readouterr().out
    assert "reasoning-gym is not installed: its string systems are not measured" in printed
    assert "reasoning-gym ab" not in printed


def test_figures_beside_the_peer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "figures.json"
    few = ["--rows", "2000", "--peer-rows", "50", "--repeats", "1", "--json", str(path)]
    assert main(few) == 0
    names = [step["name"] for step in json.loads(path.read_text())["systems"]]
    printed = capsys.readouterr().out
    for system in ("string_manipulation", "ab"):
        assert {f"synthgen {system}, none", f"synthgen {system}, steps"} <= set(names)
    assert all(name in printed for name in names)
