"""Overrides of a recipe, `--rows` and `--scale` among them."""

import tomllib
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.recipe.fields import MAX_ROWS
from synthgen.recipe.overrides import NO_OVERRIDES, Overrides, apply_overrides, parse_value
from synthgen.recipe.scaling import apportion, check_numbers, resized, round_half_up
from synthgen.recipe.schema import Split

RECIPE = """
name = "hint"
seed = 7
source = [{ generator = "hint", params = { max_operators = 20 } }]
split = [{ name = "train", rows = 10, balance = ["n_op"] }, { name = "1", rows = 20 }]
"""


def document() -> dict[str, Any]:
    return tomllib.loads(RECIPE)


def changed(*sets: str, seed: int | None = None) -> dict[str, Any]:
    result = document()
    assert apply_overrides(result, Overrides(sets=sets, seed=seed)).faults == ()
    return result


def test_places_are_found_by_key_name_or_index() -> None:
    result = changed(
        "split.train.rows=5",
        "split.0.where=n_op > 3",
        "source.hint.params.max_operators=2",
        "limits.acceptance_floor=0.5",
        "split.train.balance.0=depth",
        seed=9,
    )
    assert result["split"][0] == {
        "name": "train",
        "rows": 5,
        "where": "n_op > 3",
        "balance": ["depth"],
    }
    assert result["source"][0]["params"] == {"max_operators": 2}
    assert result["limits"] == {"acceptance_floor": 0.5}
    assert result["seed"] == 9


def test_a_name_wins_over_an_index() -> None:
    assert [split["rows"] for split in changed("split.1.rows=3")["split"]] == [10, 3]


def test_sets_apply_in_order() -> None:
    result = changed("split.train.name=big", "split.big.rows=3", "seed=1", seed=2)
    assert result["split"][0] == {"name": "big", "rows": 3, "balance": ["n_op"]}
    assert result["seed"] == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("split.trian.rows=5", "no such split 'trian'; did you mean 'train'? Known: train, 1"),
        ("split.2.rows=5", "no such split '2'. Known: train, 1"),
        ("split.²=5", "no such split '²'. Known: train, 1"),
        pytest.param(f"split.{'9' * 5000}.rows=5", "no such split '999", id="long"),
        ("source.hnit.params.x=5", "no such source 'hnit'; did you mean 'hint'? Known: hint"),
        ("seed.x=5", "seed is a value, not a table"),
        ("seed", "expected PATH=VALUE"),
        ("=5", "expected PATH=VALUE"),
        ("a..b=5", "expected PATH=VALUE"),
        ("", "expected PATH=VALUE"),
    ],
)
def test_a_place_that_does_not_exist_is_named(text: str, message: str) -> None:
    result = document()
    (fault,) = apply_overrides(result, Overrides(sets=(text,))).faults
    assert fault.startswith(f"--set {text}: ")
    assert message in fault
    assert result == document()


def test_an_array_is_not_made_up() -> None:
    (fault,) = apply_overrides({}, Overrides(sets=("split.train.rows=5",))).faults
    assert fault == "--set split.train.rows=5: the recipe does not have [[split]]"


def test_all_faults_are_kept_and_the_rest_applies() -> None:
    result = document()
    applied = apply_overrides(result, Overrides(sets=("x", "seed=1", "split.no.rows=1")))
    assert len(applied.faults) == 2
    assert result["seed"] == 1


def test_values_know_their_option() -> None:
    sets = ("split.train.rows=5", "dedup.on=none", "split.train.cap.share=1")
    applied = apply_overrides(document(), Overrides(sets=sets, seed=3))
    assert applied.option(("split", "0", "rows")) == "--set split.train.rows=5"
    assert applied.option(("split", "0", "rows", "0")) == "--set split.train.rows=5"
    assert applied.option(("dedup",)) == "--set dedup.on=none"
    assert applied.option(("split", "0", "cap", "axis")) == "--set split.train.cap.share=1"
    assert applied.option(("seed",)) == "--seed 3"
    assert applied.option(("split", "0")) is None
    assert applied.option(()) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("1_000", 1000),
        ("0.5", 0.5),
        ("true", True),
        ('"5"', "5"),
        ("'a'", "a"),
        ('["n_op", "depth"]', ["n_op", "depth"]),
        ("{ axis = 'result', share = 0.5 }", {"axis": "result", "share": 0.5}),
        ("2026-01-31", date(2026, 1, 31)),
        ("train", "train"),
        ("n_op > 5 AND depth = 2", "n_op > 5 AND depth = 2"),
        ("", ""),
        ("1\nother = 2", "1\nother = 2"),
        ("1\n[other]", "1\n[other]"),
        pytest.param("[" * 50_000, "[" * 50_000, id="deep"),
        pytest.param("1" * 5000, "1" * 5000, id="long"),
    ],
)
def test_values_are_toml_or_else_text(text: str, value: object) -> None:
    parsed = parse_value(text)
    assert parsed == value
    assert type(parsed) is type(value)


@given(st.text(max_size=20))
def test_any_text_has_a_value_and_nothing_else_changes(text: str) -> None:
    result = changed(f"description={text}")
    assert result == {**document(), "description": parse_value(text)}


@given(st.text(max_size=12), st.text(max_size=5))
def test_any_path_is_applied_or_refused(path: str, value: str) -> None:
    applied = apply_overrides(document(), Overrides(sets=(f"{path}={value}",)))
    assert len(applied.faults) == (0 if applied.origins else 1)


def test_record_for_the_manifest() -> None:
    assert NO_OVERRIDES.as_list() == []
    full = Overrides(sets=("split.train.rows=5", "seed=2"), rows=1000, seed=0)
    assert full.as_list() == ["set split.train.rows=5", "set seed=2", "seed=0", "rows=1000"]
    assert Overrides(scale=0.5).as_list() == ["scale=0.5"]


WEIGHTS = st.lists(st.integers(1, MAX_ROWS), min_size=1, max_size=8)


def splits(*rows: int) -> list[Split]:
    return [Split(name=f"s{place}", rows=n) for place, n in enumerate(rows)]


@given(WEIGHTS, st.integers(0, 10**13))
def test_sum_is_exact_and_none_is_empty(weights: list[int], more: int) -> None:
    total = len(weights) + more
    shares = apportion(total, weights)
    assert sum(shares) == total
    assert min(shares) >= 1


@given(WEIGHTS, st.integers(0, 10**6))
def test_a_bigger_weight_never_gets_less(weights: list[int], more: int) -> None:
    shares = apportion(len(weights) + more, weights)
    in_order = sorted(zip(weights, shares, strict=True))
    assert all(low <= high for (small, low), (big, high) in pairwise(in_order) if small < big)


@given(WEIGHTS, st.integers(1, 50))
def test_whole_multiples_are_exact(weights: list[int], factor: int) -> None:
    assert apportion(sum(weights) * factor, weights) == [weight * factor for weight in weights]


@given(WEIGHTS, st.integers(0, 10**13))
def test_shares_are_within_one_of_their_quota(weights: list[int], more: int) -> None:
    total = len(weights) + more
    shares = apportion(total, weights)
    if min(shares) > 1:  # none had to be raised to 1
        quotas = [Fraction(total * weight, sum(weights)) for weight in weights]
        assert all(abs(share - quota) < 1 for share, quota in zip(shares, quotas, strict=True))


@pytest.mark.parametrize(
    ("total", "weights", "shares"),
    [
        (10, [1, 1, 1], [4, 3, 3]),
        (3, [10**9, 1, 1], [1, 1, 1]),
        (110, [100_000, 10_000], [100, 10]),
        (7, [1000, 1, 1], [5, 1, 1]),
        (5, [3], [5]),
    ],
)
def test_known_shares(total: int, weights: list[int], shares: list[int]) -> None:
    assert apportion(total, weights) == shares


@given(st.integers(1, MAX_ROWS), st.decimals(Decimal("0.0001"), 9, places=4))
def test_scale_rounds_half_up(rows: int, factor: Decimal) -> None:
    exact = (rows * factor).to_integral_value(ROUND_HALF_UP)
    assert round_half_up(rows, Fraction(factor)) == max(1, int(exact))


def test_scale_means_its_decimal_digits() -> None:
    scaled = resized(splits(5, 15, 1), Overrides(scale=0.3))
    assert [split.rows for split in scaled] == [2, 5, 1]


def test_weight_is_the_rows_before_scaling() -> None:
    once = resized(splits(10, 90), Overrides(rows=10))
    twice = resized(once, Overrides(scale=2.0))
    assert [(split.rows, split.weight) for split in once] == [(1, 10), (9, 90)]
    assert [(split.rows, split.weight) for split in twice] == [(2, 10), (18, 90)]


@pytest.mark.parametrize(
    ("scale", "times"), [(0.1, [5, 1]), (0.01, [1, 1]), (1.0, [50, 3]), (4.0, [50, 3])]
)
def test_covers_shrink_with_their_split_and_never_grow(scale: float, times: list[int]) -> None:
    cover = [{"axes": ["n_op"], "times": 50}, {"structures": "edges", "times": 3}]
    split = Split.model_validate({"name": "a", "rows": 1_000, "cover": cover})
    (scaled,) = resized([split], Overrides(scale=scale))
    assert [each.times for each in scaled.cover] == times


def test_nothing_given_changes_nothing() -> None:
    assert resized(splits(1, 2), NO_OVERRIDES) == tuple(splits(1, 2))


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (Overrides(rows=5, scale=2.0), "--rows=5: expected either it or --scale=2.0, not both"),
        (Overrides(rows=0), "--rows=0: expected an integer of at least 2, one for each split"),
        (Overrides(rows=1), "--rows=1: expected an integer of at least 2, one for each split"),
        (Overrides(rows=True), "--rows=True: expected an integer"),
        (Overrides(rows=10**15), "expected at most 1000000000000 rows in each split"),
        (Overrides(scale=0.0), "--scale=0.0: expected a finite number above 0"),
        (Overrides(scale=-1.0), "--scale=-1.0: expected a finite number above 0"),
        (Overrides(scale=float("nan")), "--scale=nan: expected a finite number above 0"),
        (Overrides(scale=float("inf")), "--scale=inf: expected a finite number above 0"),
        (Overrides(scale=1e300), "expected at most 1000000000000 rows in each split"),
    ],
)
def test_numbers_out_of_range(overrides: Overrides, message: str) -> None:
    with pytest.raises(ParamError) as caught:
        resized(splits(10, 20), overrides)
    assert message in str(caught.value)


def test_numbers_are_checked_without_splits() -> None:
    check_numbers(Overrides(rows=1))
    with pytest.raises(ParamError, match="at least 1"):
        check_numbers(Overrides(rows=0))
