from __future__ import annotations

import tomllib
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.recipe.overrides import NO_OVERRIDES, Overrides, apply_overrides, parse_value

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
        "verify.symbolic=0.5",
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
    assert result["verify"] == {"symbolic": 0.5}
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
    sets = ("split.train.rows=5", "verify.symbolic=1", "split.train.cap.share=1")
    applied = apply_overrides(document(), Overrides(sets=sets, seed=3))
    assert applied.option(("split", "0", "rows")) == "--set split.train.rows=5"
    assert applied.option(("split", "0", "rows", "0")) == "--set split.train.rows=5"
    assert applied.option(("verify",)) == "--set verify.symbolic=1"
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
