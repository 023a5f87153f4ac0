"""The published data set made again: fingerprints, counts, rows and places."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from synthgen.contract.interfaces import Problems, Render, Texts
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.families.hint.family import Hint, HintPaper
from synthgen.testing import check_family
from tests.building import frame_of, succeeded
from tests.conformance import original
from tests.loading import assert_loaded_and_streamed

CONCEPTS = ("x", "y", "a", "b", "c", "d")
SPLITS = HintPaper().axes["published_split"].values
SUBSETS = HintPaper().axes["subset"].values
SIZES = {"": (998_000, 4_698, 46_620), "x": (1_100, 491, 4_900), "y": (1_100, 493, 4_900)}
SIZES |= dict.fromkeys("abcd", (1_000, 470, 4_700))
FINGERPRINTS = {
    ("", "train"): "c26a3100387bc58fdb3c4c818d23e78b701ec218a1dd8b56fc06f2e0ff4197bf",
    ("", "val"): "eb3bb10d9f012dac6e1e6ea45f049c755ff9c2cdc5c27fd7c5caa1ff1eb09fdf",
    ("x", "train"): "d748b0ad7d329be23a78d48f4243a062ce009b6a82899fec4188f8973d9503b9",
    ("x", "val"): "86f0711bb13cb97d8612202d7c86ff425264dd2248decd00020809cf518faa41",
    ("y", "train"): "e2507a0da4c9862ce701b07a8974f31b346b4900e5d41e5aa85e569e1908a8b0",
    ("y", "val"): "a900819f36a69c1895328e7cbae4e5522728fb965ac16eae883c0f46da4fd162",
    ("a", "train"): "5b253ad34874270edf75675883c27e64b96a13ee040ad41a3daf3dd157fc0fdf",
    ("a", "val"): "6ca5c3dbeebd8c851fa6702420c5f9b8bcec2bc522d085742ff903d44a73d931",
    ("b", "train"): "5e1a01888d144393c82fa9e680a59be1f601c6966fea76534c8bcf9affdd6d5c",
    ("b", "val"): "55dee950439c80101ba9b998960464f264eb7a7fd04465431c5cbe31700838c4",
    ("c", "train"): "d4a494e7a1860d735c7b0680a9b2a60831447c04e205822ac9bdc4b14069038c",
    ("c", "val"): "05edbca6c912e98e489f14fea771d74667228127846ab7f5a74da572a4015f28",
    ("d", "train"): "561399625f74f3d5df658550396ff05a10105751971cfcebd91024aff3327e05",
    ("d", "val"): "2046ba6de3d8db374d3f415b38358b45e692052aba9a72943ddace502740c125",
}


@cache
def whole(concept: str) -> tuple[Problems, Texts]:
    paper = HintPaper(concept)
    problems = paper.draw(Rows.span(0, 0, paper.space))
    return problems, paper.render(problems, Render("bare", "none"))


COLUMNS = ("prompt", "answer", "n_op", "subset", "max_value")
"""Columns as the published tables have them."""


def table(concept: str, split: str) -> pl.DataFrame:
    problems, texts = whole(concept)
    axes = problems.axes
    rows = np.flatnonzero(axes["published_split"] == SPLITS.index(split))
    subsets = np.array(SUBSETS)[axes["subset"][rows]]
    columns = (texts.prompts.take(rows), texts.answers.take(rows), axes["n_op"][rows])
    columns = (*columns, subsets, axes["max_value"][rows])
    return pl.DataFrame(
        {name: pl.Series(name, column) for name, column in zip(COLUMNS, columns, strict=True)}
    )


def fingerprint(rows: pl.DataFrame) -> str:
    lines = rows.select(pl.format("{}\t{}\n", "prompt", "answer").str.join(""))
    return hashlib.sha256(lines.item().encode()).hexdigest()


def rows_in(frame: pl.DataFrame) -> list[list[str]]:
    return [[*map(str, row)] for row in frame.select(COLUMNS).iter_rows()]


def counts_in(frame: pl.DataFrame, column: str) -> dict[Any, int]:
    return dict(frame[column].value_counts().iter_rows())


def published_rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in original(f"hint/{name}").read_text().splitlines()]


@pytest.mark.parametrize("concept", ["x", "d"])
def test_contract(concept: str) -> None:
    check_family("hint_paper", {"concept": concept})


@pytest.mark.parametrize("concept", CONCEPTS)
def test_concept_rows_are_the_published_ones(concept: str) -> None:
    for split in ("train", "val"):
        assert fingerprint(table(concept, split)) == FINGERPRINTS[concept, split]
    sizes = tuple(len(table(concept, split)) for split in SPLITS)
    assert sizes == SIZES[concept]
    assert HintPaper(concept).space == sum(sizes)
    test = table(concept, "test")
    assert test["prompt"].str.contains(concept, literal=True).all()
    few = 1_100 if concept in "xy" else 1_000
    large = 900 if concept in "xy" else 800
    subsets = {"I": few, "SS": 900, "LS": 1_000, "SL": large, "LL": 1_000}
    assert counts_in(test, "subset") == subsets


@pytest.mark.parametrize("concept", CONCEPTS)
def test_few_shot_tables_agree_row_by_row(concept: str) -> None:
    published = published_rows("hint_fewshot_train_val.tsv")
    for split in ("train", "val"):
        rows = [row[2:] for row in published if row[:2] == [concept, split]]
        assert rows_in(table(concept, split)) == rows


@pytest.mark.parametrize("concept", CONCEPTS)
def test_rows_are_labelled_by_what_they_are(concept: str) -> None:
    check_labels({split: table(concept, split) for split in SPLITS})


def check_labels(tables: dict[str, pl.DataFrame]) -> None:
    """Compare every label with the published rule: seen in train, else operators and values."""
    seen = tables["train"]["prompt"].unique()
    for split in ("val", "test"):
        rows = tables[split].with_columns(seen=tables[split]["prompt"].is_in(seen.implode()))
        for text, _, n_op, subset, largest, is_seen in rows.select(*COLUMNS, "seen").iter_rows():
            size = "S" if n_op <= 10 else "L"
            label = "I" if is_seen else size + ("S" if largest <= 100 else "L")
            assert subset == label, text


@pytest.mark.slow
def test_the_main_data_set_is_the_published_one(tmp_path: Path) -> None:
    out = tmp_path / "paper"
    succeeded("build", "hint-paper", "--out", str(out))
    frames = {split: frame_of(out, split) for split in SPLITS}
    train, val, test = frames.values()
    assert (len(train), len(val), len(test)) == SIZES[""]
    for split in ("train", "val"):
        assert fingerprint(frames[split]) == FINGERPRINTS["", split]
    assert train["prompt"].n_unique() == 829_630
    assert (train["answer"] == "100").sum() == 1_063
    assert test["prompt"][5000] == "7/2*(9*5)"
    assert (test["answer"].cast(int) > 100).sum() == 13_507
    assert counts_in(train, "n_op") == {0: 20_000, 1: 78_000} | dict.fromkeys(range(2, 11), 100_000)
    subsets = {"I": 998, "SS": 800, "LS": 1_000, "SL": 900, "LL": 1_000}
    assert counts_in(val, "subset") == subsets
    subsets = {"I": 9_980, "SS": 8_000, "LS": 10_000, "SL": 8_640, "LL": 10_000}
    assert counts_in(test, "subset") == subsets
    check_labels(frames)
    extremes = [
        [frames[split][name].max() for split in ("train", "test")]
        for name in ("max_dependency", "length", "depth")
    ]
    assert extremes == [[33, 60], [39, 69], [11, 15]]
    assert frames["train"]["length"].mean() == pytest.approx(16.23, abs=0.005)
    assert rows_in(val) == published_rows("hint_val.tsv")


def test_rows_depend_on_neither_seed_nor_order() -> None:
    addresses = np.array([6_000, 3, 3, 1_200], np.uint64)
    one, other = (HintPaper("x").draw(Rows(stream, addresses)) for stream in (0, 99))
    assert np.array_equal(one.keys, other.keys)
    assert np.array_equal(one.keys[1], one.keys[2])
    assert not np.array_equal(one.keys[0], one.keys[1])


def test_places_are_axes() -> None:
    axes = HintPaper("x").axes
    assert set(axes) == {*Hint().axes, "published_split", "subset"}
    assert all(axis.canonical == (name in Hint().axes) for name, axis in axes.items())


def test_problems_are_those_of_the_sampler() -> None:
    """An expression has one key, whichever of the two generators made it."""
    sampler = Hint(max_operators=1, digits="0123456789x", max_value=100)
    listed = sampler.draw(Rows.span(5, 0, sampler.space or 0))
    keys = {tuple(key) for key in listed.keys.tolist()}
    problems, _ = whole("x")
    small = (problems.axes["n_op"] <= 1) & (problems.axes["max_value"] <= 100)
    assert small.sum() > 100
    assert all(tuple(key) in keys for key in problems.keys[small].tolist())


def test_instructions_explain_the_concepts_of_a_concept_set() -> None:
    paper = HintPaper("a")
    texts = paper.render(paper.draw(Rows.span(0, 0, 20)), Render("instruction", "steps"))
    assert all("the larger of l and r" in prompt for prompt in texts.prompts.to_pylist())


@pytest.mark.parametrize("concept", ["z", "xy", "+", 3, None])
def test_an_unknown_concept_is_refused(concept: object) -> None:
    with pytest.raises(ParamError, match=r"^concept=.*: expected one of , x, y, a, b, c, d$"):
        HintPaper(concept)  # type: ignore[arg-type]


HINT = {
    "train": 10_000,
    "test_i": 100,
    "test_ss": 100,
    "test_ls": 100,
    "test_sl": 100,
    "test_ll": 100,
}


@pytest.mark.slow
@pytest.mark.usefixtures("offline")
@pytest.mark.filterwarnings("ignore")  # of the client and its own libraries
def test_hint_loads_with_every_split_and_streams(tmp_path: Path) -> None:
    out = tmp_path / "hint"
    succeeded("build", "hint", "--out", str(out), "--scale", "0.1")
    assert_loaded_and_streamed(out, HINT)
    succeeded("audit", str(out))
    succeeded("verify", str(out), "--rebuild", "100")
