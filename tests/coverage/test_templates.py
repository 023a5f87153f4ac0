"""Levels of sameness: what each key sees and what it does not; near duplicates."""

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import Ragged, ragged
from synthgen.core.derivation import Signature, format_derivation, parse_derivation
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.coverage import near_duplicates as module
from synthgen.coverage.near_duplicates import (
    NearDuplicates,
    containment,
    jaccard,
    shingle_sets,
)
from synthgen.coverage.templates import (
    Level,
    exact_keys,
    mask_values,
    masked_texts,
    normalised_keys,
    normalised_texts,
    numerals_of,
    templates,
)
from synthgen.coverage.words import fast_normalised_keys

SIGNATURE = Signature.of(
    {"=": 2, "+": 2, "*": 2, "x": 0, "y": 0} | dict.fromkeys(["3", "-4", "2.5", "1/2", "x1"], 0)
)
TEXTS = ("Solve 3 * x", "solve  3 *\u00a0x ", "solve 4 * x")


def template_of(text: str) -> str:
    forms = templates(
        ragged([parse_derivation(text, SIGNATURE)]),
        SIGNATURE,
        values=numerals_of(SIGNATURE),
        commutative=frozenset("+*="),
        variables=frozenset("xy"),
    )
    return format_derivation(forms.derivations.row(0).tolist(), forms.signature)


def test_levels_are_in_order_and_have_labels() -> None:
    assert [level.label for level in Level] == ["L0", "L1", "L2", "L3", "L4", "L5"]
    assert Level.EXACT < Level.CANONICAL < Level.TEMPLATE


def test_exact_keys_see_every_byte() -> None:
    keys = exact_keys(pa.array([*TEXTS, TEXTS[0]])).tolist()
    assert keys[0] == keys[3]
    assert len({tuple(key) for key in keys}) == 3


def test_normalised_keys_see_numbers_but_no_spacing_or_case() -> None:
    keys = normalised_keys(pa.array(TEXTS)).tolist()
    assert keys[0] == keys[1] != keys[2]
    kept = normalised_keys(pa.array(TEXTS), fold_case=False).tolist()
    assert kept[0] != kept[1]
    assert (
        exact_keys(pa.array(["solve 3 * x"])).tolist()
        != normalised_keys(pa.array(["solve 3 * x"])).tolist()
    )


def test_normalised_texts() -> None:
    column = pa.array(["  A\n\t b ", "e\u0301", "x\u00b2", "", None])
    assert normalised_texts(column).to_pylist() == ["a b", "\u00e9", "x\u00b2", "", None]


def test_masked_texts() -> None:
    column = pa.array(["3x1 + 2.50 = -7.", "in 12 days", None])
    assert masked_texts(column).to_pylist() == ["#x1 + # = -#.", "in # days", None]


def test_numerals_of_a_signature() -> None:
    assert numerals_of(SIGNATURE) == {"3", "-4", "2.5", "1/2"}


def test_templates_see_neither_values_nor_order_nor_names() -> None:
    one = template_of("(= (+ (* 3 x) -4) y)")
    assert one == template_of("(= x (+ 2.5 (* y 1/2)))")
    assert one == "(= v0 (+ # (* # v1)))"
    assert one != template_of("(= (+ (* x x) -4) y)")
    assert template_of("(* x1 3)") != template_of("(* x 3)")


def test_values_are_masked_by_one_symbol() -> None:
    rows = ragged([parse_derivation("(+ 3 2.5)", SIGNATURE)])
    masked, signature = mask_values(rows, SIGNATURE, frozenset({"2.5", "3"}))
    assert format_derivation(masked.row(0).tolist(), signature) == "(+ # #)"
    assert mask_values(rows, SIGNATURE, frozenset()) == (rows, SIGNATURE)
    again, _ = mask_values(masked, signature, frozenset({"#", "-4"}))
    assert again.values.tolist() == masked.values.tolist()


def test_bad_arguments() -> None:
    rows = ragged([[3]])
    with pytest.raises(ParamError, match=r"value='\+': expected a symbol without arguments"):
        mask_values(rows, SIGNATURE, frozenset("+"))
    with pytest.raises(UnknownNameError, match="unknown symbol '7'"):
        mask_values(rows, SIGNATURE, frozenset("7"))
    with pytest.raises(ParamError, match="symbol='#'"):
        mask_values(ragged([[0]]), Signature.of({"#": 0, "1": 0}), frozenset("1"))


STRANGE = st.lists(st.text(alphabet="aB 1\t\n\r\x0b\x0c\x1f\x7f\u00a0éÉe\u0301", max_size=8))


@given(STRANGE, st.booleans())
def test_keys_are_those_of_the_long_way(texts: list[str], fold_case: bool) -> None:
    column = pa.array(texts, pa.string())
    fast = fast_normalised_keys(column, fold_case=fold_case)
    assert fast.tolist() == normalised_keys(column, fold_case=fold_case).tolist()


@pytest.mark.parametrize("fold_case", [False, True])
def test_slices_read_the_same(fold_case: bool) -> None:
    column = pa.array(["A  b", " a B ", "é", "x", ""])
    whole = fast_normalised_keys(column, fold_case=fold_case)
    part = fast_normalised_keys(column.slice(1, 3), fold_case=fold_case)
    assert part.tolist() == whole[1:4].tolist()
    assert (whole[0] == whole[1]).all() == fold_case


ONE, OTHER = "solve for x : 3 * x + 5 = 20", "solve for x : 4 * x + 5 = 21"
SETS = st.lists(
    st.sets(st.integers(0, 12), max_size=10).map(lambda row: sorted(row)), min_size=1, max_size=12
)


def sets_of(text: str, n: int, *, mask_numbers: bool = False) -> Ragged:
    return shingle_sets(pa.array([text]), n, mask_numbers=mask_numbers)


@pytest.mark.parametrize(
    ("n", "index", "share"),
    [(1, 8 / 12, 0.8), (2, 7 / 13, 0.7), (3, 5 / 13, 0.556), (5, 1 / 13, 0.143)],
)
def test_the_worked_pair(n: int, index: float, share: float) -> None:
    one, other = sets_of(ONE, n), sets_of(OTHER, n)
    assert jaccard(one, other).tolist() == [pytest.approx(index)]
    assert containment(one, other).tolist() == [pytest.approx(share, abs=5e-4)]


def test_masked_numbers_hide_what_tells_problems_apart() -> None:
    masked = [sets_of(text, 5, mask_numbers=True) for text in (ONE, OTHER)]
    assert jaccard(*masked).tolist() == [1.0]


def test_short_and_empty_texts() -> None:
    texts = shingle_sets(pa.array(["a b", "a b", "b a", "", None]))
    assert texts.lengths.tolist() == [1, 1, 1, 0, 0]
    assert jaccard(texts.take(np.array([0, 0, 3])), texts.take(np.array([1, 2, 4]))).tolist() == [
        1.0,
        0.0,
        0.0,
    ]


def naive(one: list[int], other: list[int]) -> float:
    union = set(one) | set(other)
    return len(set(one) & set(other)) / len(union) if union else 0.0


@given(SETS, SETS, st.sampled_from([0.05, 0.3, 0.5, 2 / 3, 0.75, 0.8, 1.0]), st.integers(0, 12))
def test_no_near_duplicate_is_missed(
    test: list[list[int]], train: list[list[int]], threshold: float, cut: int
) -> None:
    found = NearDuplicates(ragged(test, np.uint64), threshold)
    found.add(ragged(train[:cut], np.uint64))
    found.add(ragged(train[cut:], np.uint64))
    expected = [max(naive(row, other) for other in train) >= threshold - 1e-9 for row in test]
    assert found.near.tolist() == expected
    assert found.share == pytest.approx(np.mean(expected))
    assert found.cut_short == 0


@given(SETS)
def test_indices_of_pairs(rows: list[list[int]]) -> None:
    one, other = ragged(rows, np.uint64), ragged(rows[::-1], np.uint64)
    assert jaccard(one, other).tolist() == pytest.approx(
        [naive(row, mate) for row, mate in zip(rows, rows[::-1], strict=True)]
    )


def test_what_is_cut_short_is_said() -> None:
    test = ragged([[1, 2, 3, 10 + i] for i in range(600)], np.uint64)
    train = ragged([[1, 2, 3, 5_000 + i] for i in range(5)], np.uint64)
    found = NearDuplicates(test, 0.4)
    found.add(train)
    assert found.share == 1.0
    hard = NearDuplicates(ragged([[1, 2, 3, 4 + i % 7] for i in range(600)], np.uint64), 0.7)
    hard.add(ragged([[1, 2, 90, 91]], np.uint64))
    assert hard.cut_short == 1


def test_arguments_out_of_range() -> None:
    rows = ragged([[1]], np.uint64)
    with pytest.raises(ParamError, match=r"threshold=0.0"):
        NearDuplicates(rows, 0.0)
    with pytest.raises(ParamError, match=r"rows=\(1, 2\)"):
        jaccard(rows, ragged([[1], [2]], np.uint64))
    assert math.isnan(NearDuplicates(ragged([], np.uint64)).share)
    assert module.SHINGLE_WORDS == 5
