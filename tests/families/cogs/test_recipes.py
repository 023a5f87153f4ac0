"""The bundled COGS recipes, built small: what their splits promise."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.building import rows_of, synthgen

LEXICAL_TARGETS = {
    *("hedgehog", "shark", "cockroach", "cobra", "hippo", "Lina", "Paula", "Charlie", "baked"),
    *("shattered", "blessed", "squeezed", "teleported", "shipped", "crawl"),
}


def built(name: str, tmp_path: Path, *more: str) -> Path:
    out = tmp_path / name
    ended = synthgen("build", name, "--out", str(out), *more)
    assert ended.returncode == 0, ended.stderr
    audited = synthgen("audit", str(out))
    assert audited.returncode == 0, audited.stdout
    return out


def by_split(out: Path, *splits: str) -> dict[str, list[dict[str, Any]]]:
    return {split: rows_of(out, split) for split in splits}


@pytest.mark.parametrize("name", ["cogs", "cogs-variable-free"])
def test_published_sizes(name: str, tmp_path: Path) -> None:
    rows = by_split(built(name, tmp_path), "train", "dev", "test", "gen")
    assert {split: len(part) for split, part in rows.items()} == {
        "train": 24_155,
        "dev": 3_000,
        "test": 3_000,
        "gen": 21_000,
    }
    everything = [row["prompt"] for part in rows.values() for row in part]
    assert (
        len(set(everything)) == len(everything) == len({r["id"] for p in rows.values() for r in p})
    )
    train = Counter(row["category"] for row in rows["train"])
    assert train.pop("in_distribution") == 24_000
    assert train.pop("primitive") == 143
    assert len(train) == 12
    assert set(train.values()) == {1}
    gen = Counter(row["category"] for row in rows["gen"])
    assert len(gen) == 21
    assert set(gen.values()) == {1_000}
    for kind in ("cp", "pp"):
        depths = Counter(
            row[f"{kind}_depth"] for row in rows["gen"] if row["category"] == f"{kind}_recursion"
        )
        assert depths == dict.fromkeys(range(3, 13), 100)
    words = Counter(r["construction"] for r in rows["train"] if r["category"] == "primitive")
    assert words == {
        "word_noun": 41,
        "word_name": 21,
        "word_transitive": 40,
        "word_unaccusative": 20,
        "word_unergative": 21,
    }
    targets = Counter(w for r in rows["train"] for w in r["prompt"].split() if w in LEXICAL_TARGETS)
    assert targets == dict.fromkeys(LEXICAL_TARGETS, 1)
    for split in ("dev", "test"):
        assert {row["category"] for row in rows[split]} == {"in_distribution"}
    free = name == "cogs-variable-free"
    assert all(("=" in r["answer"]) == free for r in rows["test"])


def test_train_100_repeats_words_and_has_more_exposures(tmp_path: Path) -> None:
    out = built("cogs-train-100", tmp_path)
    train = rows_of(out, "train")
    counts = Counter(row["category"] for row in train)
    assert counts.pop("in_distribution") == 24_000
    assert counts.pop("primitive") == 14_300
    assert set(counts.values()) == {100}
    assert len(counts) == 12
    words = Counter(row["prompt"] for row in train if row["category"] == "primitive")
    assert set(words.values()) == {100}
    assert len(words) == 143
    others = [row["prompt"] for row in train if row["category"] != "primitive"]
    assert len(set(others)) == len(others) == 25_200


def test_large_scales_down(tmp_path: Path) -> None:
    out = built("cogs-large", tmp_path, "--scale", "0.02")
    rows = by_split(out, "train", "gen", "gen_cp", "gen_pp", "gen_subject_pp")
    assert len(rows["train"]) == 20_000
    assert len({row["prompt"] for row in rows["train"]}) == 20_000
    assert set(Counter(row["category"] for row in rows["gen"]).values()) == {20}
    assert {row["cp_depth"] for row in rows["gen_cp"]} == set(range(3, 23))
    assert {row["pp_depth"] for row in rows["gen_pp"]} == set(range(3, 23))


def test_instructions_and_derivations_can_be_asked_for(tmp_path: Path) -> None:
    sets = ("--set", "render.prompt=instruction", "--set", "render.solution=derivation")
    out = built("cogs", tmp_path, "--scale", "0.05", *sets)
    for row in rows_of(out, "dev"):
        assert row["template"].startswith("instruction_")
        assert row["solution"] == row["derivation"]
