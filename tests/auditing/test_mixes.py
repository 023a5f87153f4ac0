"""What one split has seen of another's skill mixes, counted by hand."""

from __future__ import annotations

import polars as pl

from synthgen.auditing.skill_mixes import mix_coverage


def frame(derivations: list[str]) -> pl.LazyFrame:
    return pl.LazyFrame({"derivation": pl.Series(derivations, dtype=pl.String)})


TRAIN = ["(mix2 a b on:Knots)", "(mix2 b c on:Sewing)", "(mix1 d on:Knots)"]
TEST = [
    "(mix2 a b on:Sewing)",
    "(mix2 b c on:Sewing)",
    "(mix2 a d on:Knots)",
    "(mix3 a b c on:Knots)",
    "(mix2 e f on:Knots)",
]


def test_asked_mixes_by_hand() -> None:
    two, three = mix_coverage({"train": frame(TRAIN), "test": frame(TEST)})
    assert (two.train, two.split, two.k, two.rows) == ("train", "test", 2, 4)
    # a and b: seen together; b and c: seen, with their topic; a and d: each alone; e, f: never
    assert two.seen_subsets == (3, 2)
    assert two.largest_seen == (1, 1, 2)
    assert two.seen_mixes == 1
    # b and c met Sewing, a and d met Knots; a never met Sewing
    assert two.seen_cells == 2
    assert (three.k, three.rows) == (3, 1)
    # a and b, b and c were seen, a and c were not
    assert three.seen_subsets == (1, 0, 0)
    assert three.largest_seen == (0, 0, 1, 0)


def test_content_and_names_of_topics_are_no_skills() -> None:
    train = frame(["(mix1 a topic_Knots #0a1 #fff)"])
    (found,) = mix_coverage({"train": train, "test": frame(["(mix1 a topic_Knots #222)"])})
    assert (found.k, found.seen_subsets, found.seen_mixes) == (1, (1,), 1)


def test_other_datasets_have_no_mixes() -> None:
    plain = frame(["(+ 1 2)", "3"])
    assert mix_coverage({"train": plain, "test": plain}) == ()
    assert mix_coverage({"train": frame(TRAIN)}) == ()
    assert mix_coverage({"train": frame([]), "test": frame(TEST)}) == ()
