from __future__ import annotations

import pytest

from synthgen.auditing.blocks import FLAG, INFO, OK, TITLES, Block
from synthgen.auditing.coverage_blocks import side_blocks
from synthgen.coverage.inputs import Declarations, Sides
from tests.auditing.sides_by_hand import by_key, side, sides, table, trees

# The example of section 2.2 of the coverage sheet, whose easiness is worked out there.
TRAIN = trees(
    "(count (find dog))",
    "(count (find cat))",
    "(count (filter black (find dog)))",
    "(exists (find cat))",
    "(exists (filter white (find dog)))",
    "(eq (count (find dog)) 2)",
    "(gt (count (find dog)) 2)",
    "(gt (count (find cat)) 3)",
)
TEST = trees(
    "(eq (count (find cat)) 3)",
    "(eq (exists (find dog)) 2)",
    "(eq 3 2)",
    "(lt (count (find dog)) 2)",
    "(exists (filter black (find dog)))",
)


@pytest.fixture(scope="module")
def blocks() -> dict[str, Block]:
    return by_key(side_blocks(sides(TRAIN, TEST)))


def test_ten_blocks_come_in_ranked_order() -> None:
    found = side_blocks(sides(TRAIN, TEST))
    assert [(block.key, block.title) for block in found] == list(TITLES.items())[:-2]


def test_unseen_atoms(blocks: dict[str, Block]) -> None:
    block = blocks["atoms"]
    assert block.verdict == FLAG
    assert table(block, "Atoms").rows == (("test_0", 11, 1, 5, 1, 20.0, "3.62 to 62.45", ""),)
    (named,) = table(block, "Most frequent unseen").rows
    assert named == ("test_0", "lt", 1, "row 4", TEST[3]["prompt"])


def test_tiers(blocks: dict[str, Block]) -> None:
    block = blocks["tiers"]
    assert block.verdict == INFO
    assert table(block, "Rows by tier").rows == (("test_0", 5, 0, 0, 0, 1, 3, 1),)
    assert block.bars[0].values == ((0.0, 0.0, 0.0, 20.0, 60.0, 20.0),)


def test_easiness(blocks: dict[str, Block]) -> None:
    block = blocks["easiness"]
    mean = (0.8333333 + 0.3333333 + 0.0833333 + 0 + 1) / 5
    assert table(block, "Mean").rows == (("test_0", 5, round(mean, 4), 4, 5),)
    assert "test_0: 0.45 (80% of rows have an unseen pair)" in block.text
    hardest = table(block, "Hardest").rows
    assert hardest[0][:1] + hardest[0][2:] == ("test_0", 0.0, 1, "row 4", TEST[3]["prompt"])
    easiness = [row[2] for row in hardest]
    assert easiness == sorted(easiness)
    assert {row[1] for row in hardest} >= {"pc <s> lt", "sc 3 2", "pc eq exists"}


def test_easiness_says_no_more_than_pairs_and_triples_can() -> None:
    train = trees("(f (g a) (g b))", "(f (h a) b)", "(h (g a) (g b))")
    block = by_key(side_blocks(sides(train, trees("(f (h (g a) (g b)) b)"), train[:1])))["easiness"]
    assert "test_0: 1 (every pair was seen, but 100% of rows have an unseen triple)" in block.text
    assert "test_1: 1 (every pair and triple was seen)" in block.text


def test_a_known_template_is_a_tier() -> None:
    found = by_key(side_blocks(sides(trees("(+ 1 2)", "(+ 2 3)", "(+ 3 1)"), trees("(+ 2 1)"))))
    # (+ 2 1) has the pair of siblings 2 1, which train lacks: that is the smaller unit.
    assert table(found["tiers"], "Rows").rows == (("test_0", 1, 0, 0, 0, 0, 1, 0),)
    found = by_key(side_blocks(sides(trees("(f (g 1))", "(f (h 2))"), trees("(f (g 2))"))))
    assert table(found["tiers"], "Rows").rows == (("test_0", 1, 0, 0, 0, 0, 1, 0),)
    rows = trees("(f (g 1) (g 2))", "(f (g 2) (g 1))")
    found = by_key(side_blocks(sides(rows, trees("(f (g 1) (g 1))"))))
    assert table(found["tiers"], "Rows").rows == (("test_0", 1, 0, 1, 0, 0, 0, 0),)


def test_divergence_of_atoms_and_edges() -> None:
    train = trees(*["(f a)"] * 9, "(f b)")
    test = trees(*["(f a)"] * 5, *["(f b)"] * 5)
    block = by_key(side_blocks(sides(train, test)))["divergence"]
    rows = {row[1]: row for row in table(block, "Chernoff").rows}
    assert rows["edges"][2:6] == (2, 10, 10, 0.04406)
    assert rows["fragments"][5] == 0.04406
    # f is half of all atoms: shares (.5, .45, .05) and (.5, .25, .25).
    expected = 1 - (0.5 + (0.45 * 0.25) ** 0.5 + (0.05 * 0.25) ** 0.5)
    assert rows["atoms"][5] == pytest.approx(expected, abs=1e-6)
    assert rows["atoms"][9] == pytest.approx(0.125 * 2 * (1 / 20 + 1 / 20), abs=1e-6)


def test_sides_divided_together_are_judged_together() -> None:
    train = side("train", trees(*["(f a)"] * 40, *["(g b)"] * 40))
    other = trees(*["(f b)"] * 20, *["(g a)"] * 20)
    tests = [side(name, other, Declarations(rule=True, divided=True)) for name in ("dev", "test")]
    block = by_key(side_blocks(Sides(train, tuple(tests))))["divergence"]
    rows = {row[:2]: row for row in table(block, "Chernoff").rows}
    assert rows["dev + test", "edges"][4:6] == (80, 1.0)
    assert rows["dev + test", "atoms"][5] == 0.0
    assert block.verdict == OK
    alike = side("test", trees(*["(f a)"] * 20, *["(g b)"] * 20), tests[0].declared)
    block = by_key(side_blocks(Sides(train, (alike,))))["divergence"]
    assert block.verdict == FLAG
    assert "D_C of test is within 3 deviations of random splits" in block.text


def test_values_are_masked_where_there_are_many() -> None:
    train = trees(*(f"(+ {i} 1)" for i in range(40)))
    block = by_key(side_blocks(sides(train, trees("(+ 1000 1)"))))["atoms"]
    assert block.verdict == OK
    assert "numbers are too many" in block.text
    few = by_key(side_blocks(sides(train[:9], trees("(+ 1000 1)"))))["atoms"]
    assert few.verdict == FLAG


def test_variadic_symbols_are_one_atom() -> None:
    train = trees("(string2 a b)", "(string3 a b a)")
    block = by_key(side_blocks(sides(train, trees("(string4 a b a b)"))))["atoms"]
    assert block.verdict == OK
    assert table(block, "Atoms").rows[0][1] == 3


@pytest.mark.parametrize("bad", ["(+ 1", "", "1 2", "(+ 1))", "(+ (x) 1)"])
def test_texts_that_are_no_trees_are_one_unseen_atom(bad: str) -> None:
    found = by_key(side_blocks(sides(trees("(+ 1 2)", "(+ 2 1)"), trees("(+ 1 2)", bad))))
    (named,) = table(found["atoms"], "Most frequent unseen").rows
    assert named == ("test_0", "<unreadable>", 1, "row 2", bad)


def test_rows_without_structures_still_have_blocks() -> None:
    rows = [{"prompt": "one two"}, {"prompt": "three"}]
    found = by_key(side_blocks(sides(rows, rows[:1])))
    assert found["identity"].verdict == FLAG
    assert found["atoms"].verdict == OK
    assert "train has 3 distinct words" in found["atoms"].text
    for key in ("easiness", "k-coverage"):
        assert found[key].text.startswith("Not measured: ")


def test_one_side_alone_is_described() -> None:
    found = by_key(side_blocks(sides(TRAIN)))
    assert {key for key, block in found.items() if block.verdict != INFO} == {"shortcuts"}
    assert "no other split" in found["atoms"].text


def test_structures_seen_grow_with_rows() -> None:
    (bars,) = by_key(side_blocks(sides(trees("(f a)", "(f b)"))))["diversity"].bars
    assert bars.labels == ("1", "2")
    assert bars.series == ("pairs (3)", "triples (2)", "templates (2)")
    assert bars.values == ((66.667, 100.0), (50.0, 100.0), (50.0, 100.0))


def test_tables_have_k_coverage() -> None:
    def entry(x: int, y: int, answer: str) -> dict[str, str]:
        return {"prompt": f"{x} {y}", "answer": answer, "derivation": f"(f {x} {y})"}

    train = [entry(0, 0, "p"), entry(1, 0, "p"), entry(0, 1, "q")]
    # (1, 1) is had from (0, 1), as 0 and 1 do the same at y = 0; nothing is known of x = 2.
    test = [entry(1, 1, "q"), entry(2, 1, "q")]
    block = by_key(side_blocks(sides(train, test)))["k-coverage"]
    assert table(block, "k-coverage of").rows == (("test_0", 2, 2, 1, 2.0),)
    assert table(block, "First rows").rows == (("test_0", 1, "2 1"),)
    assert block.bars[0].values[0][:3] == (50.0, 50.0, 0.0)
    unlike = by_key(side_blocks(sides(TRAIN, TEST)))["k-coverage"]
    assert "not entries of one table" in unlike.text


def test_the_most_frequent_unseen_parts_are_named_with_a_prompt(blocks: dict[str, Block]) -> None:
    rows = table(blocks["tiers"], "Most frequent unseen pairs").rows
    assert len(rows) == 6
    assert rows[0] == ("test_0", "pair", "3 under eq", 2, "row 1", TEST[0]["prompt"])
    assert ("triple", "3 under eq at the top") in {row[1:3] for row in rows}


def test_unseen_parts_of_texts_are_their_words() -> None:
    train, test = [{"prompt": "walk left"}], [{"prompt": "walk right twice"}]
    block = by_key(side_blocks(sides(train, test)))["tiers"]
    names = {row[2] for row in table(block, "Most frequent unseen pairs").rows}
    assert {"walk right", "right twice", "<s> walk right"} <= names
