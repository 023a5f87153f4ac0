from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from synthgen.auditing.blocks import FLAG, INFO, OK, Block
from synthgen.auditing.coverage_blocks import side_blocks
from synthgen.coverage.axis_counts import OTHERS, AxisValues, choose_axes, factor_of, survey
from synthgen.coverage.inputs import Declarations, Sides, inside, pieces, read_rows
from synthgen.coverage.measurements import AxisNames
from tests.auditing.sides_by_hand import by_key, side, sides, table

Row = dict[str, Any]


def blocks_of(
    train: list[Row], test: list[Row], declared: Declarations | None = None, axes: str = ""
) -> dict[str, Block]:
    both = Sides(side("train", train), (side("test", test, declared),))
    return by_key(side_blocks(both, AxisNames(list(axes))))


def problem(number: int, prompt: str) -> Row:
    return {"id": f"{number:032x}", "prompt": prompt, "answer": str(number)}


def test_overlap_is_counted_level_by_level() -> None:
    train = [problem(1, "add 1"), problem(2, "add 2"), problem(2, "add  2")]
    test = [problem(1, "add 1"), problem(9, "Add 2"), problem(2, "sum 2"), problem(7, "add 7")]
    block = blocks_of(train, test)["identity"]
    assert block.verdict == FLAG
    assert table(block, "Distinct").rows == (
        ("train", 3, 3, 2, 2, 1),
        ("test", 4, 4, 4, 4, 3),
    )
    rows = table(block, "Rows shared").rows
    assert [(row[1], row[4], row[5]) for row in rows] == [
        ("L0", 1, 25.0),
        ("L1", 1, 25.0),
        ("L2", 2, 50.0),
        ("L3", 3, 75.0),
    ]
    folded = Sides(side("train", train), (side("test", test),), fold_case=True)
    rows = table(by_key(side_blocks(folded))["identity"], "Rows shared").rows
    assert [row[4] for row in rows] == [1, 2, 2, 4]
    declared = blocks_of(train, test, Declarations(shares=True))["identity"]
    assert declared.verdict == OK
    assert "declared overlap (test)" in declared.text
    assert blocks_of(train, test[3:])["identity"].verdict == OK


def bits(*rows: str) -> list[Row]:
    return [{"prompt": row, **dict(zip("abcd", map(int, row), strict=False))} for row in rows]


def test_coverage_of_the_four_rows_of_nist() -> None:
    block = blocks_of(bits("0000", "0110", "1001", "0111"), bits("1111"), axes="abcd")[
        "combinations"
    ]
    rows = table(block, "t-way coverage of train").rows
    assert [row[:6] for row in rows] == [
        (1, 4, 4, 8, 8, 100.0),
        (2, 4, 6, 24, 19, 79.17),
        (3, 4, 4, 32, 15, 46.88),
    ]
    assert rows[1][8] == "b, c (50.0%)"
    # 1111 adds ab, ac = 11 to the pairs that occur anywhere.
    assert rows[1][6:8] == (21, 90.48)
    missing = table(block, "First cells of 2").rows
    assert missing[0] == (2, "a = 1, b = 1", 1)
    assert [row[1] for row in missing[1:]] == [
        "a = 1, c = 1",
        "a = 1, d = 0",
        "b = 0, c = 1",
        "b = 1, c = 0",
    ]


def test_set_differences_and_heats() -> None:
    block = blocks_of(bits("000", "011", "101"), bits("110", "001"), axes="abc")["combinations"]
    assert block.verdict == OK
    rows = table(block, "Cells of other").rows
    assert [row[1:5] for row in rows] == [(1, 6, 0, 0.0), (2, 6, 3, 50.0), (3, 2, 2, 100.0)]
    lacked = table(block, "Smallest cells missing").rows
    assert ("test", 2, "a = 1, b = 1", 1) in lacked
    assert {row[1] for row in lacked} == {2}
    heat = next(h for h in block.heats if (h.split, h.row_axis, h.column_axis) == ("train", *"ab"))
    assert heat.values == ((1, 1), (1, 0))
    heat = next(h for h in block.heats if (h.split, h.row_axis, h.column_axis) == ("test", *"bc"))
    assert heat.values == ((0, 1), (1, 0))
    assert len(block.heats) == 3 * 2


def test_a_value_that_train_lacks_is_flagged_unless_a_rule_says_so() -> None:
    train, test = bits("00", "01", "10"), bits("00", "20")
    found = blocks_of(train, test, axes="ab")["combinations"]
    assert found.verdict == FLAG
    assert table(found, "Smallest cells").rows == (("test", 1, "a = 2", 1),)
    declared = blocks_of(train, test, Declarations(rule=True), axes="ab")["combinations"]
    assert declared.verdict == OK


def test_axes_that_do_not_vary_are_left_out() -> None:
    block = blocks_of(bits("00", "01"), bits("00"), axes="ab")["combinations"]
    assert "Axes not counted (a single value, or after the first ten): a." in block.text
    none = blocks_of(bits("00"), bits("00"), axes="ab")["combinations"]
    assert none.verdict == INFO


def test_means_answers_and_what_lies_beyond() -> None:
    train = [{"prompt": "x" * 4, "answer": a, "n": 3} for a in ("p", "p", "q")]
    test = [{"prompt": "x" * 6, "answer": a, "n": n} for a, n in (("p", 3), ("r", 5))]
    block = blocks_of(train, test, axes="n")["ranges"]
    assert block.verdict == FLAG
    rows = {row[:2]: row[2:] for row in table(block, "Ranges").rows}
    assert rows["characters of the prompt", "train"] == (3, 4, 4.0, 4, None, None)
    assert rows["characters of the prompt", "test"] == (2, 6, 6.0, 6, 50.0, 100.0)
    assert rows["n", "test"] == (2, 3, 4.0, 5, 33.3, 50.0)
    answers = table(block, "Answers").rows[0]
    assert answers[:3] == ("test", 2, 2)
    entropy = -(2 / 3 * math.log(2 / 3) + 1 / 3 * math.log(1 / 3))
    assert answers[3:5] == (round(math.exp(entropy), 1), 2.0)
    assert answers[5:] == (66.67, 50.0, 50.0, 50.0, 0.5)
    assert block.bars[0].labels == ("4", "6")  # bins follow the step of the values
    assert block.bars[0].values == ((100.0, 0.0), (0.0, 100.0))
    assert blocks_of(train, test, Declarations(rule=True))["ranges"].verdict == FLAG
    by_length = Declarations(rule=True, length=True)
    assert blocks_of(train, test, by_length)["ranges"].verdict == OK


def test_a_few_long_rows_may_be_chance() -> None:
    train = [{"prompt": "x" * n} for n in range(1, 21)]
    assert blocks_of(train, [{"prompt": "x" * 14}])["ranges"].verdict == OK
    assert blocks_of(train, [{"prompt": "x" * 14}] * 200)["ranges"].verdict == FLAG


def words(*changes: tuple[int, str]) -> Row:
    text = [f"w{i}" for i in range(20)]
    for place, word in changes:
        text[place] = word
    return {"prompt": " ".join(text)}


def test_near_duplicates_keep_numbers_and_drop_the_wording() -> None:
    other = {"prompt": " ".join(f"v{i}" for i in range(20))}
    # One word at the end is in one run of 16: 15 of 17 are shared. In the middle it is in five.
    test = [words((19, "7")), words((10, "7")), {"prompt": " ".join(f"u{i}" for i in range(20))}]
    block = blocks_of([words(), other], test)["near-duplicates"]
    assert block.verdict == FLAG
    assert table(block, "Near duplicates").rows[0][:5] == ("test", 3, 1, 1, 33.33)
    assert (
        blocks_of([words(), other], test, Declarations(shares=True))["near-duplicates"].verdict
        == OK
    )
    # One other word behind what all prompts say: 16 of 17 runs are wording, and no more is shared.
    filled = [{"prompt": f"{words()['prompt']} {letter}"} for letter in "abcdefghij"]
    block = blocks_of(filled[:9], filled[9:])["near-duplicates"]
    assert table(block, "Near duplicates").rows[0][1:4] == (1, 1, 0)


def test_short_prompts_tell_little() -> None:
    block = blocks_of([{"prompt": "jump twice"}] * 3, [{"prompt": "jump twice"}])
    assert block["near-duplicates"].verdict == INFO
    assert "too short" in block["near-duplicates"].text


def test_vendi_scores_of_an_axis_with_two_values() -> None:
    rows = [{"prompt": "p", "a": i % 2, "derivation": "x"} for i in range(100)]
    block = blocks_of(rows, rows[:50], axes="a")["diversity"]
    scores = {row[:2]: row[2:] for row in table(block, "Vendi").rows}
    # Half of all pairs are alike, of which 1/100 are rows with themselves.
    assert scores["train", "axes"] == (100, round(0.99 / (0.5 - 0.01), 2))
    assert scores["train", "words, n = 1 to 3"] == (100, 1.0)
    assert {name for name, _ in scores} == {"train"}


def test_templates_and_wordings() -> None:
    rows = [
        {"prompt": text, "derivation": text, "template": wording}
        for text, wording in (("(+ 1 2)", "u"), ("(+ 3 4)", "v"), ("(* 1 2)", "u"))
    ]
    block = by_key(side_blocks(sides(rows)))["diversity"]
    assert table(block, "Templates").rows == (("train", 2, 1.9, 1.5, 2, 66.67),)
    assert table(block, "Wordings").rows == (("train", 2, 1.89),)


def test_wide_axes_are_cut_at_the_eighths_of_train() -> None:
    train = side("train", [{"n": i} for i in range(80)])
    test = side("test", [{"n": -5}, {"n": 79}, {"n": 99}])
    both = Sides(train, (test,))
    factor = factor_of("n", survey(both, ["n"])["n"], train)
    assert factor.binned
    assert factor.labels[0] == "-5 to -1"
    assert factor.labels[-1] == "80 to 99"
    assert len(factor.labels) == 10
    (batch,) = pa.Table.from_pylist([{"n": v} for v in (-5, 0, 79, 80, None)]).to_batches()
    assert factor.encode(batch).tolist() == [0, 1, 8, 9, -1]


def test_rare_names_are_put_together() -> None:
    rows = [{"k": f"n{i:02d}"} for i in range(40)] + [{"k": "n39"}, {"k": None}]
    both = Sides(side("train", rows))
    found = survey(both, ["k"])
    factor = factor_of("k", found["k"], both.train)
    assert len(factor.labels) == 30
    assert factor.labels[-1] == OTHERS
    assert "n39" in factor.labels
    assert "n38" not in factor.labels
    codes = factor.encode(pa.Table.from_pylist(rows).to_batches()[0])
    assert codes[38] == 29
    assert codes[40] == factor.labels.index("n39")
    assert codes[41] == -1
    declared = factor_of("k", found["k"], both.train, ["n05", "n00"])
    assert declared.labels[:2] == ("n05", "n00")


def test_axes_of_rules_come_first() -> None:
    rows = [{f"x{i}": j for i in range(12)} for j in range(2)]
    found = survey(Sides(side("train", rows)), [f"x{i}" for i in range(12)])
    assert choose_axes(found, ["x11"]) == ["x11", *(f"x{i}" for i in range(9))]
    assert choose_axes({"x": AxisValues({}, {})}, []) == []


def test_batches_do_not_matter() -> None:
    rows = [problem(i, f"add {i} to {i * i % 7}") for i in range(20)]
    found = []
    for batch in (1, 7, 100):
        both = Sides(side("train", rows[:15], batch=batch), (side("test", rows[15:], batch=batch),))
        found.append(side_blocks(both))
    assert found[0] == found[1] == found[2]


def test_rows_are_found_by_number() -> None:
    one = side("one", [{"prompt": str(i)} for i in range(10)], batch=4)
    positions = np.array([0, 3, 4, 9])
    assert read_rows(one, ["prompt"], positions)["prompt"].to_pylist() == ["0", "3", "4", "9"]
    assert len(read_rows(one, ["prompt"], positions[:0])) == 0
    assert inside(positions, 3, 2).tolist() == [0, 1]
    assert pieces(5, 10, (1, 5, 7, 15, 20)) == [(0, 2), (2, 10)]
    assert len(one.sampled(4)) == 4
    assert set(one.sampled(2)) <= set(one.sampled(4))


@pytest.mark.parametrize("rows", [0, 1])
def test_empty_splits_break_nothing(rows: int) -> None:
    nothing = pa.schema([(name, pa.string()) for name in ("id", "prompt", "answer")]).empty_table()
    empty = replace(
        side("test", []),
        columns=frozenset(nothing.schema.names),
        batches=lambda names: iter(nothing.select(names).to_batches()),
    )
    train = side("train", [problem(1, "add 1")]) if rows else replace(empty, name="train")
    found = by_key(side_blocks(Sides(train, (empty,))))
    assert found["identity"].verdict == OK
