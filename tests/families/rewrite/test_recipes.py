"""The recipes of string rewriting: small builds, audited, and their rules recomputed from text."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthgen.core.errors import RecipeError
from synthgen.dataset.reader import open_dataset
from synthgen.recipe.bundled import find_recipe
from tests.building import build_bundled, build_plan, plan_of

SIZES = {
    "rewrite": {"train": 100_000, "test": 10_000},
    "rewrite-diversity": {"train": 1_000_000, "test": 100_000},
    "rewrite-noop": {"train": 1_000_000, "test_has_op": 100_000, "test_no_op": 100_000},
    "rewrite-long-tail": {"train": 1_000_000, "test": 100_000},
    "rewrite-semantic": {"train": 100_000, "test": 10_000},
    "rewrite-encrypted": {"train": 40_000, "test": 5_000},
    "rewrite-occurrences": {"train": 100_000, "test": 10_000, "test_mixed": 10_000},
}
Rows = list[dict[str, Any]]


def built(out: Path, name: str, *sets: str, rows: int | None = None) -> dict[str, Rows]:
    """Build a recipe, have it audited, and check what holds for all of them."""
    splits = build_bundled(name, out, *sets, rows=rows)
    for each in splits.values():
        for row in each:
            lhs, rhs, string = parts(row)
            assert row["answer"] == string.replace(lhs, rhs, 1)
            assert row["op_type"] == ("has_op" if lhs in string else "no_op")
    train = sides(splits["train"])
    for split, each in splits.items():
        assert split == "train" or not sides(each) & train
    return splits


def parts(row: dict[str, Any]) -> tuple[str, str, str]:
    rule, string = row["prompt"].split(" | ")
    lhs, rhs = rule.split(" > ")
    return lhs, rhs, string


def sides(rows: Rows) -> set[str]:
    return {side for row in rows for side in parts(row)[:2]}


def small(rows: int, **params: int | float | str) -> tuple[str, ...]:
    """Overrides for a small training source with all of its rows."""
    sets = {"source.train.params.rows": rows, "split.train.rows": rows}
    sets |= {f"source.train.params.{name}": value for name, value in params.items()}
    return tuple(f"{key}={value}" for key, value in sets.items())


def small_test(rows: int) -> tuple[str, ...]:
    """Overrides for a small source of unseen rules, one row each."""
    names = ("source.unseen.params.rows", "source.unseen.params.rules", "split.test.rows")
    return tuple(f"{name}={rows}" for name in names)


@pytest.mark.slow
@pytest.mark.parametrize("name", SIZES)
def test_sizes(name: str) -> None:
    plan = plan_of(find_recipe(name))
    assert {split.name: split.spec.rows for split in plan.splits} == SIZES[name]


@pytest.mark.slow
def test_the_example(tmp_path: Path) -> None:
    splits = built(tmp_path / "out", "rewrite", rows=3_300)
    assert {name: len(rows) for name, rows in splits.items()} == {"train": 3_000, "test": 300}
    kinds = Counter(row["noop_kind"] for row in splits["train"])
    assert kinds["none"] == pytest.approx(2_400, abs=100)
    assert all(kinds[kind] > 60 for kind in ("random", "changed", "prefix", "reversed"))


@pytest.mark.slow
@pytest.mark.parametrize("rules", [10, 2_000])
def test_rules_times_examples(rules: int, tmp_path: Path) -> None:
    sets = (*small(2_000, rules=rules), "split.test.rows=400")
    splits = built(tmp_path / "out", "rewrite-diversity", *sets)
    counts = Counter(parts(row)[:2] for row in splits["train"])
    assert len(counts) == rules
    assert set(counts.values()) == {2_000 // rules}
    assert len({parts(row)[:2] for row in splits["test"]}) == 400
    record = open_dataset(tmp_path / "out").manifest.splits[0].measured[0]
    assert (record.axis, record.values) == ("rule", rules)
    assert record.effective == pytest.approx(rules)
    assert record.gini == pytest.approx(0, abs=1e-12)


@pytest.mark.slow
def test_shares_of_no_ops(tmp_path: Path) -> None:
    sets = (*small(2_000, rules=100, p_noop=0.3), "split.test_has_op.rows=200")
    splits = built(tmp_path / "out", "rewrite-noop", *sets, "split.test_no_op.rows=150")
    assert Counter(row["op_type"] for row in splits["train"]) == {"has_op": 1_400, "no_op": 600}
    absent = Counter(row["rule"] for row in splits["train"] if row["op_type"] == "no_op")
    assert set(absent.values()) == {6}
    assert {row["op_type"] for row in splits["test_has_op"]} == {"has_op"}
    assert {row["op_type"] for row in splits["test_no_op"]} == {"no_op"}


def test_long_tail(tmp_path: Path) -> None:
    sets = (*small(5_000, rules=100, exponent=0.2), "split.test.rows=100")
    splits = built(tmp_path / "out", "rewrite-long-tail", *sets)
    counts = Counter(row["rule"] for row in splits["train"])
    by_rank = Counter(row["rank"] for row in splits["train"])
    ordered = sorted(counts.values(), reverse=True)
    assert [by_rank[rank] for rank in range(1, len(counts) + 1)] == ordered
    assert ordered[0] > 5 * ordered[len(ordered) // 2]
    record = open_dataset(tmp_path / "out").manifest.splits[0].measured[0]
    shares = np.array(ordered) / 5_000
    assert record.effective == pytest.approx(np.exp(-(shares * np.log(shares)).sum()))
    assert record.effective < 60
    assert record.gini > 0.5


def of_class(text: str, kind: str, k: int) -> bool:
    block = text[: len(text) // k]
    made = {
        "repeated": "".join(letter * k for letter in text[::k]),
        "periodic": block * k,
        "mirrored": "".join((block, block[::-1])[i % 2] for i in range(k)),
    }
    return made[kind] == text


def test_semantic_classes(tmp_path: Path) -> None:
    splits = built(tmp_path / "out", "rewrite-semantic", rows=1_100)
    divisors = (2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60)
    for split, rows in splits.items():
        for row in rows:
            both = parts(row)[:2]
            found = [
                max(k for k in (1, *divisors) if k == 1 or all(of_class(s, kind, k) for s in both))
                for kind in ("repeated", "periodic", "mirrored")
            ]
            assert found == [row["repeated_k"], row["periodic_k"], row["mirrored_k"]]
            assert max(found) <= 2 if split == "test" else 3 <= max(found) <= 12
    cells = {(row["rule_class"], row["class_k"]) for row in splits["train"]}
    wanted = {(c, k) for c in ("repeated", "periodic", "mirrored") for k in (3, 4, 5, 6, 10, 12)}
    assert cells == wanted
    kinds = Counter(row["rule_class"] for row in splits["test"])
    assert set(kinds) == {"free", "repeated", "periodic", "mirrored"}


def test_occurrences(tmp_path: Path) -> None:
    splits = built(tmp_path / "out", "rewrite-occurrences", rows=1_200)
    counts = {
        split: Counter(parts(row)[2].count(parts(row)[0]) for row in rows)
        for split, rows in splits.items()
    }
    assert set(counts["train"]) == {1, 5, 10, 15, 20}
    assert min(counts["train"].values()) > 150
    assert counts["test"] == {1: 100}
    assert counts["test_mixed"] == dict.fromkeys((5, 10, 15, 20), 25)


def test_enciphered_rows_with_no_ops(tmp_path: Path) -> None:
    sets = (*small(2_000, rules=400), *small_test(500))
    splits = built(tmp_path / "out", "rewrite-encrypted", *sets)
    for split, n in (("train", 2_000), ("test", 500)):
        kinds = Counter(row["op_type"] for row in splits[split])
        assert kinds == {"has_op": n * 6 // 10, "no_op": n * 4 // 10}
    sets = (*sets, "source.train.params.cipher=0", "source.unseen.params.cipher=0")
    plain = built(tmp_path / "plain", "rewrite-encrypted", *sets)
    image: dict[str, str] = {}
    for split, each in splits.items():
        by_address = {row["address"]: row for row in plain[split]}
        for row in each:
            other = by_address[row["address"]]
            for field in ("prompt", "answer"):
                for char, coded in zip(other[field], row[field], strict=True):
                    assert image.setdefault(char, coded) == coded
    letters = {char: coded for char, coded in image.items() if char.isalpha()}
    assert len(set(letters.values())) == len(letters) == 26
    assert letters != {char: char for char in letters}


@pytest.mark.parametrize("equal", [True, False], ids=["equal lengths", "longer in the test"])
def test_no_left_side_of_the_test_stands_in_one_of_training(equal: bool, tmp_path: Path) -> None:
    """Of equal lengths, others are enough; and what is longer stands in nothing shorter."""
    sizes = {"alphabet": "abcde", "min_lhs": 3, "max_lhs": 6, "min_rhs": 3, "max_rhs": 6}
    if equal:
        sizes |= {"min_lhs": 6, "min_rhs": 6}
    sets = [
        f"source.{source}.params.{name}={value}"
        for source in ("train", "unseen")
        for name, value in {**sizes, "rules": 40, "hard_negatives": 0}.items()
    ]
    sets += ["source.unseen.params.first_rule=40", "split.train.where=source = 'train'"]
    if not equal:
        sets += [
            *("source.train.params.max_lhs=5", "source.unseen.params.min_lhs=6"),
            *("source.unseen.params.pool=1", "source.train.params.max_rhs=3"),
            *("source.unseen.params.first_rule=0", "source.unseen.params.min_rhs=6"),
            "split.test.where=source = 'unseen' AND lhs_length > 5",
        ]
    splits = built(tmp_path / "out", "rewrite", *sets, rows=1_100)
    known = {parts(row)[0] for row in splits["train"]}
    for row in splits["test"]:
        assert not any(parts(row)[0] in side for side in known)


def test_a_build_with_sources_that_share_sides_is_refused(tmp_path: Path) -> None:
    first = "source.unseen.params.first_rule=500"
    plan = plan_of(find_recipe("rewrite"), first, rows=1_100)
    with pytest.raises(RecipeError, match="shares"):
        build_plan(plan, tmp_path / "out")
