"""The PCFG SET recipes: published sizes, and rules recomputed from the text of every row."""

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from synthgen.recipe.bundled import find_recipe
from tests.building import build_plan, plan_of, rows_of
from tests.families.pcfg import reading

PUBLISHED = {
    "pcfg": {"train": 82_622, "dev": 4_860, "test": 9_721},
    "pcfg-systematicity": {"train": 82_168, "test": 10_175},
    "pcfg-productivity": {"train": 81_010, "test": 11_333},
    "pcfg-substitutivity-equal": {"train": 82_622, "test": 10_000, "test_twin": 10_000},
    "pcfg-substitutivity-primitive": {"train": 82_954, "test": 10_000, "test_twin": 10_000},
    "pcfg-localism": {
        "train": 82_622,
        "test": 9_567,
        "test_length_unary": 6_042,
        "test_length_binary": 4_028,
    },
    "pcfg-overgeneralisation": {"train": 82_403, "test_exception": 125, "test_original": 125},
    "pcfg-per-function": {
        "train": 82_622,
        **{f"test_{name}": 5_000 for name in (*reading.UNARY, *reading.BINARY)},
    },
    "pcfg-large": {"train": 940_000, "dev": 10_000, "test": 50_000},
}
TWINS = ("swap_first_last", "repeat", "append", "remove_second")
Rows = list[dict[str, Any]]


def built(tmp_path: Path, name: str, *sets: str, rows: int) -> dict[str, Rows]:
    plan = plan_of(find_recipe(name), *sets, rows=rows)
    build_plan(plan, tmp_path / name)
    splits = {split.name: rows_of(tmp_path / name, split.name) for split in plan.splits}
    # Rounding aside, as splits in parts and their variants keep in step.
    assert sum(map(len, splits.values())) == pytest.approx(rows, abs=20)
    return splits


def calls(row: dict[str, Any]) -> list[str]:
    return reading.calls(row["prompt"])


def assert_disjoint(*groups: Rows) -> None:
    prompts = [row["prompt"] for rows in groups for row in rows]
    assert len(set(prompts)) == len(prompts)


@pytest.mark.parametrize("name", PUBLISHED)
def test_sizes_are_the_published_ones(name: str) -> None:
    plan = plan_of(find_recipe(name))
    assert {split.name: split.spec.rows for split in plan.splits} == PUBLISHED[name]


def test_random_splits(tmp_path: Path) -> None:
    splits = built(tmp_path, "pcfg", rows=4_000)
    assert_disjoint(*splits.values())


def test_systematicity_holds_pairs_out(tmp_path: Path) -> None:
    splits = built(tmp_path, "pcfg-systematicity", rows=4_000)
    assert_disjoint(*splits.values())
    pairs = set(reading.PAIRS.values())
    for row in splits["train"]:
        assert not pairs & set(pairwise(row["prompt"].split(" ")))
    for row in splits["test"]:
        assert pairs & set(pairwise(row["prompt"].split(" ")))


def test_productivity_holds_long_programs_out(tmp_path: Path) -> None:
    splits = built(tmp_path, "pcfg-productivity", rows=4_000)
    assert max(len(calls(row)) for row in splits["train"]) == 8
    assert min(len(calls(row)) for row in splits["test"]) == 9


def assert_twins(test: Rows, twins: Rows) -> None:
    assert len(test) == len(twins)
    for one, other in zip(test, twins, strict=True):
        name = one["twin_function"]
        assert not any(call.endswith("_twin") for call in calls(one))
        assert other["twin_function"] == name
        tokens = [f"{name}_twin" if t == name else t for t in one["prompt"].split(" ")]
        assert other["prompt"] == " ".join(tokens) != one["prompt"]
        assert one["answer"] == other["answer"]
    counts = Counter(row["twin_function"] for row in test)
    assert set(counts) == set(TWINS)
    assert max(counts.values()) - min(counts.values()) <= 1


def test_substitutivity_with_equally_distributed_synonyms(tmp_path: Path) -> None:
    splits = built(tmp_path, "pcfg-substitutivity-equal", rows=6_000)
    assert_disjoint(*splits.values())
    assert_twins(splits["test"], splits["test_twin"])
    words = Counter(call for row in splits["train"] for call in calls(row))
    assert not words["copy_twin"]
    for name in TWINS:
        share = words[f"{name}_twin"] / (words[name] + words[f"{name}_twin"])
        assert share == pytest.approx(0.5, abs=0.05)


def test_substitutivity_with_synonyms_as_primitives(tmp_path: Path) -> None:
    splits = built(tmp_path, "pcfg-substitutivity-primitive", rows=20_000)
    assert_disjoint(*splits.values())
    assert_twins(splits["test"], splits["test_twin"])
    shown = [row for row in splits["train"] if "_twin" in row["prompt"]]
    assert all(len(calls(row)) == 1 for row in shown)
    counts = Counter(calls(row)[0] for row in shown)
    assert set(counts) == {f"{name}_twin" for name in TWINS}
    assert all(15 <= count <= 17 for count in counts.values())


def test_localism_unrolls_every_program(tmp_path: Path) -> None:
    splits = built(tmp_path, "pcfg-localism", rows=4_000)
    for rows in splits.values():
        for row in rows:
            assert row["solution"].count(" = ") == len(calls(row))
            assert row["solution"].endswith(f" = {row['answer']}")
    assert min(len(calls(row)) for row in splits["test"]) == 2
    cells: Counter[tuple[str, int]] = Counter()
    for row in splits["test_length_unary"]:
        (name,) = calls(row)
        cells[name, len(row["prompt"].split(" ")) - 1] += 1
    assert {name for name, _ in cells} == set(reading.UNARY)
    assert {length for _, length in cells} == set(range(2, 21))
    assert max(cells.values()) - min(cells.values()) <= 1
    binary = splits["test_length_binary"]
    names = Counter(calls(row)[0] for row in binary)
    assert set(names) == set(reading.BINARY)
    assert max(names.values()) - min(names.values()) <= 1
    assert all(4 <= len(row["prompt"].split(" ")) - 2 <= 25 for row in binary)


def test_overgeneralisation_shows_exceptions_and_pairs_them(tmp_path: Path) -> None:
    parts = "[{where=\"exception = 'none'\", rows=3000}, {where='exception_changes = 1', rows=100}]"
    splits = built(
        tmp_path,
        "pcfg-overgeneralisation",
        "split.train.rows=3100",
        "split.test_exception.rows=100",
        "split.test_original.rows=100",
        f"split.train.parts={parts}",
        rows=3_300,
    )
    pairs = {exception[:2] for exception in reading.EXCEPTIONS.values()}
    hit = [row for row in splits["train"] if pairs & set(pairwise(row["prompt"].split(" ")))]
    assert len(hit) == 100
    exceptional, original = splits["test_exception"], splits["test_original"]
    shown = {row["prompt"]: row["answer"] for row in hit}
    assert {row["prompt"]: row["answer"] for row in exceptional} == shown
    assert [row["prompt"] for row in exceptional] == [row["prompt"] for row in original]
    assert {row["source"] for row in original} == {"regular"}
    # As in all published pairs of rows, no exception gives what the rules give.
    assert all(a["answer"] != b["answer"] for a, b in zip(exceptional, original, strict=True))


def test_per_function_tests_have_the_same_arguments(tmp_path: Path) -> None:
    splits = built(tmp_path, "pcfg-per-function", rows=6_000)
    assert_disjoint(*splits.values())
    for names in (reading.UNARY, reading.BINARY):
        rests = []
        for name in names:
            words = [row["prompt"].partition(" ") for row in splits[f"test_{name}"]]
            assert {word[0] for word in words} == {name}
            rests.append([word[2] for word in words])
        assert all(rest == rests[0] for rest in rests)
