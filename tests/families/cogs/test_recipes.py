"""The bundled COGS recipes, built small: what their splits promise."""

from collections import Counter
from pathlib import Path

import pytest

from synthgen.recipe.bundled import find_recipe
from tests.building import build_bundled, build_plan, plan_of, rows_of
from tests.loading import assert_loaded_and_streamed

LEXICAL_TARGETS = {
    *("hedgehog", "shark", "cockroach", "cobra", "hippo", "Lina", "Paula", "Charlie", "baked"),
    *("shattered", "blessed", "squeezed", "teleported", "shipped", "crawl"),
}


SIZES = {"train": 24_155, "dev": 3_000, "test": 3_000, "gen": 21_000}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the client and its own libraries
def test_published_sizes(tmp_path: Path, offline: None) -> None:
    rows = build_bundled("cogs", tmp_path / "out")
    assert {split: len(part) for split, part in rows.items()} == SIZES
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
    assert not any("=" in row["answer"] for row in rows["test"])
    assert_loaded_and_streamed(tmp_path / "out", SIZES)


def test_variable_free_forms(tmp_path: Path) -> None:
    plan = plan_of(find_recipe("cogs-variable-free"))
    assert {split.name: split.spec.rows for split in plan.splits} == SIZES
    rows = build_bundled("cogs-variable-free", tmp_path / "out", scale=0.1)
    assert all("=" in row["answer"] for row in rows["test"])


@pytest.mark.slow
def test_train_100_repeats_words_and_has_more_exposures(tmp_path: Path) -> None:
    build_plan(plan_of(find_recipe("cogs-train-100")), tmp_path / "out")
    train = rows_of(tmp_path / "out", "train")
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


@pytest.mark.slow
def test_large_scales_down(tmp_path: Path) -> None:
    rows = build_bundled("cogs-large", tmp_path / "out", scale=0.02)
    assert len(rows["train"]) == 20_000
    assert len({row["prompt"] for row in rows["train"]}) == 20_000
    assert set(Counter(row["category"] for row in rows["gen"]).values()) == {20}
    assert {row["cp_depth"] for row in rows["gen_cp"]} == set(range(3, 23))
    assert {row["pp_depth"] for row in rows["gen_pp"]} == set(range(3, 23))


def test_instructions_and_derivations_can_be_asked_for(tmp_path: Path) -> None:
    sets = ("render.prompt=instruction", "render.solution=derivation")
    for row in build_bundled("cogs", tmp_path / "out", *sets, scale=0.05)["dev"]:
        assert row["template"].startswith("instruction_")
        assert row["solution"] == row["derivation"]
