"""What trained models got on splits that are as new as a test."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

import synthgen
from synthgen.auditing.blocks import Block
from synthgen.auditing.coverage_blocks import side_blocks
from synthgen.auditing.trained_block import Novelty, novelty_of, trained_splits
from tests.auditing.sides_by_hand import by_key, sides, table, trees

TRAIN = trees("(+ 1 2)", "(+ 2 1)", "(* 1 (+ 2 1))", "(* 2 (+ 1 2))")


def block_of(*tests: list[dict[str, Any]]) -> Block:
    return by_key(side_blocks(sides(TRAIN, *tests)))["trained"]


def test_splits_are_compared_with_those_that_are_as_new() -> None:
    new_pairs = trees("(+ (* 1 2) 1)", "(+ 1 (* 2 2))")
    block = block_of(TRAIN, new_pairs)
    rows = {row[0]: row[1:] for row in table(block, "Accuracy").rows}
    assert rows["test_0"][:3] == (0, 0, 0)
    assert rows["test_1"][1] == 100
    figures = {name: of["trained"] for name, of in block.figures.items()}
    nothing = Novelty(0, 0, 0)
    like = [each.accuracy for each in trained_splits() if each.novelty.gap(nothing) <= 1]
    assert figures["test_0"]["splits"] == len(like)
    assert figures["test_0"]["lowest"] == min(like)
    assert figures["test_0"]["highest"] == max(like)
    assert figures["test_0"]["median"] > figures["test_1"].get("median", 0)
    assert "test_0" in block.text
    assert "test_1" in block.text


def test_shares_and_atoms_decide_what_is_as_new() -> None:
    one = Novelty(0.5, 0.2, 0.01)
    assert one.gap(Novelty(0.41, 0.29, 0.029)) < 1
    assert one.gap(Novelty(0.35, 0.2, 0.01)) > 1
    assert one.gap(Novelty(0.5, 0.35, 0.01)) > 1
    assert one.gap(Novelty(0.5, 0.2, 0.031)) > 1


def test_the_chart_counts_every_split_once() -> None:
    (bars,) = block_of(trees("(+ 1 2)")).bars
    assert bars.series == ("all", "test_0")
    assert sum(bars.values[0]) == len(trained_splits())


def test_files_without_structures_are_compared_too() -> None:
    def rows(*prompts: str) -> pa.Table:
        return pa.table({"prompt": prompts, "answer": ["1"] * len(prompts)})

    train = rows("walk left", "look left", "walk right")
    report = synthgen.audit({"train": train, "near": rows("look left"), "far": rows("left look")})
    near, far = (novelty_of(report.figures[name]) for name in ("near", "far"))
    assert near is not None
    assert far is not None
    assert (near.outside, near.unseen_pair) == (0, 0)
    assert far.unseen_pair == 1
    assert report.figures["far"]["trained"]["splits"] <= len(trained_splits())


def test_what_cannot_be_compared_is_said() -> None:
    assert "no other split" in by_key(side_blocks(sides(TRAIN)))["trained"].text
    assert novelty_of({"lengths": {}}) is None
