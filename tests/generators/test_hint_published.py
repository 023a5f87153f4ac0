"""The data set made again against the published one: fingerprints, counts and rows."""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import lru_cache

import numpy as np
import pytest

from synthgen.core.errors import ParamError
from synthgen.generators._hint_published import CONCEPTS, SPLITS, SUBSETS, Published, published
from tests.conformance import original

SYMBOLS = "0123456789xy+-*/abcd"
Line = tuple[str, int, int]

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
DRAWS = [278_260, 278_462, 295_473, 315_552, 338_912, 364_858, 392_542, 424_264]
DRAWS += [17_136, 17_350, 17_810, 18_266, 19_036, 19_516, 19_744, 21_595, 21_414, 22_956]

PRECEDENCE = dict(zip("+-*/abcd", (1, 1, 2, 2, 1, 1, 2, 2), strict=True))
OPERATIONS = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: max(0, left - right),
    "*": lambda left, right: left * right,
    "/": lambda left, right: -(-left // right),
    "a": max,
    "b": min,
    "c": lambda left, right: -(-(left + right) // 2),
    "d": lambda left, right: -(-(2 * left * right) // (left + right)),
}
LEAVES = {code: (SYMBOLS[code], 3, value, value) for code, value in enumerate([*range(10), 11, 12])}
RULES = {i: (s, PRECEDENCE[s], OPERATIONS[s]) for i, s in enumerate(SYMBOLS) if s in PRECEDENCE}


def read(codes: list[int]) -> Line:
    """Text with the fewest parentheses, value and largest node value of one prefix sequence."""
    stack: list[tuple[str, int, int, int]] = []
    for code in reversed(codes):
        leaf = LEAVES.get(code)
        if leaf:
            stack.append(leaf)
            continue
        symbol, rank, operation = RULES[code]
        left, left_rank, left_value, left_largest = stack.pop()
        right, right_rank, right_value, right_largest = stack.pop()
        if left_rank < rank:
            left = f"({left})"
        if right_rank <= rank:
            right = f"({right})"
        value = operation(left_value, right_value)
        largest = max(value, left_largest, right_largest)
        stack.append((left + symbol + right, rank, value, largest))
    text, _, value, largest = stack.pop()
    assert not stack
    return text, value, largest


@lru_cache(maxsize=4)
def lines(concept: str, split: str) -> list[Line]:
    """Rows of one split, read from the derivations."""
    data = published(concept)
    rows = np.flatnonzero(data.split == SPLITS.index(split))
    codes, offsets = data.derivations.values.tolist(), data.derivations.offsets.tolist()
    return [read(codes[offsets[i] : offsets[i + 1]]) for i in rows]


def fingerprint(rows: list[Line]) -> str:
    return hashlib.sha256(
        "".join(f"{text}\t{value}\n" for text, value, _ in rows).encode()
    ).hexdigest()


def operator_counts(data: Published, split: str) -> dict[int, int]:
    lengths = data.derivations.lengths[data.split == SPLITS.index(split)]
    return dict(sorted(Counter((lengths // 2).tolist()).items()))


def subset_counts(data: Published, split: str) -> dict[str, int]:
    counts = np.bincount(data.subset[data.split == SPLITS.index(split)], minlength=len(SUBSETS))
    return {name: n for name, n in zip(SUBSETS, counts.tolist(), strict=True) if n}


@pytest.mark.slow
def test_main_train_rows_are_the_published_ones() -> None:
    rows = lines("", "train")
    assert len(rows) == 998_000
    assert fingerprint(rows) == FINGERPRINTS["", "train"]
    assert len({text for text, _, _ in rows}) == 829_630
    assert sum(value == 100 for _, value, _ in rows) == 1_063


@pytest.mark.slow
def test_main_val_and_test_rows_are_labelled_by_what_they_are() -> None:
    seen = {text for text, _, _ in lines("", "train")}
    check_labels("", seen)


def test_main_val_and_test_rows_are_the_published_ones() -> None:
    assert fingerprint(lines("", "val")) == FINGERPRINTS["", "val"]
    test = lines("", "test")
    assert test[5000][0] == "7/2*(9*5)"
    assert sum(value > 100 for _, value, _ in test) == 13_507


def test_main_counts_are_the_published_ones() -> None:
    data = published()
    train, val, test = (operator_counts(data, split) for split in SPLITS)
    assert train == {0: 20_000, 1: 78_000} | dict.fromkeys(range(2, 11), 100_000)
    assert val == {0: 20, 1: 78, 2: 200} | dict.fromkeys(range(3, 11), 300) | dict.fromkeys(
        range(11, 21), 200
    )
    assert test == {0: 200, 1: 780, 2: 1_640} | dict.fromkeys(range(3, 11), 3_000) | dict.fromkeys(
        range(11, 21), 2_000
    )
    assert subset_counts(data, "train") == {"-": 998_000}
    assert subset_counts(data, "val") == {"I": 998, "SS": 800, "LS": 1000, "SL": 900, "LL": 1000}
    assert subset_counts(data, "test") == {
        "I": 9_980,
        "SS": 8_000,
        "LS": 10_000,
        "SL": 8_640,
        "LL": 10_000,
    }


def test_main_takes_the_published_number_of_draws() -> None:
    assert published().draws.tolist() == [0, 0, 0, *DRAWS]


@pytest.mark.parametrize("concept", CONCEPTS)
def test_concept_rows_are_the_published_ones(concept: str) -> None:
    for split in ("train", "val"):
        assert fingerprint(lines(concept, split)) == FINGERPRINTS[concept, split]
    test = lines(concept, "test")
    assert all(concept in text for text, _, _ in test)
    assert subset_counts(published(concept), "test") == {
        "I": 1_100 if concept in "xy" else 1_000,
        "SS": 900,
        "LS": 1_000,
        "SL": 900 if concept in "xy" else 800,
        "LL": 1_000,
    }


@pytest.mark.parametrize("concept", CONCEPTS)
def test_concept_rows_are_labelled_by_what_they_are(concept: str) -> None:
    check_labels(concept, {text for text, _, _ in lines(concept, "train")})


def check_labels(concept: str, seen: set[str]) -> None:
    """Compare every label with the published rule: seen in train, else operators and values."""
    data = published(concept)
    for split in ("val", "test"):
        chosen = data.split == SPLITS.index(split)
        lengths, subsets = data.derivations.lengths[chosen], data.subset[chosen]
        for (text, _, largest), length, subset in zip(
            lines(concept, split), lengths, subsets, strict=True
        ):
            size = "S" if length // 2 <= 10 else "L"
            label = "I" if text in seen else size + ("S" if largest <= 100 else "L")
            assert SUBSETS[subset] == label, text


def table(name: str) -> list[list[str]]:
    return [line.split("\t") for line in original(f"hint/{name}").read_text().splitlines()]


def cells(concept: str, split: str) -> list[list[str]]:
    """Rows as the published tables have them: text, value, operators, subset, largest value."""
    data = published(concept)
    chosen = data.split == SPLITS.index(split)
    operators, subsets = data.derivations.lengths[chosen] // 2, data.subset[chosen]
    return [
        [text, str(value), str(n), SUBSETS[subset], str(largest)]
        for (text, value, largest), n, subset in zip(
            lines(concept, split), operators, subsets, strict=True
        )
    ]


def test_val_table_agrees_row_by_row() -> None:
    assert cells("", "val") == table("hint_val.tsv")


@pytest.mark.parametrize("concept", CONCEPTS)
@pytest.mark.parametrize("split", ["train", "val"])
def test_few_shot_table_agrees_row_by_row(concept: str, split: str) -> None:
    rows = [row[2:] for row in table("hint_fewshot_train_val.tsv") if row[:2] == [concept, split]]
    assert cells(concept, split) == rows


@pytest.mark.parametrize("concept", ["z", "+", "ab", "X"])
def test_an_unknown_concept_is_named(concept: str) -> None:
    with pytest.raises(ParamError, match=r"concept='.+': expected '' or one of x, y, a, b, c, d"):
        published(concept)


def test_the_shared_columns_cannot_be_changed() -> None:
    data = published("x")
    assert data is published("x")
    for column in (data.derivations.values, data.derivations.offsets, data.split, data.subset):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1
