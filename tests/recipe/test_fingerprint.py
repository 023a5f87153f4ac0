import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.recipe.fingerprint import SCHEME, canonical, differing_keys, fingerprint
from synthgen.recipe.schema import Recipe

SOURCE = {"generator": "hint", "params": {"max_operators": 5, "digits": ["0", "1"]}}
SPLITS = [{"name": "train", "rows": 1000}, {"name": "test", "rows": 10, "balance": ["n_op"]}]


def recipe(**changes: Any) -> Recipe:
    return Recipe.model_validate({"name": "a", "source": [SOURCE], "split": SPLITS, **changes})


NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
FINITE = st.none() | st.booleans() | NUMBERS | st.text(max_size=3)
NAMED = st.lists(
    st.builds(lambda name, rows: {"name": name, "rows": rows}, st.sampled_from("abc"), FINITE),
    max_size=3,
)
KEYS = st.text("ab.", max_size=2)
PLAIN = st.dictionaries(
    KEYS,
    st.recursive(
        FINITE | NAMED,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
        max_leaves=6,
    ),
    max_size=3,
)


def shuffled(value: Any, rng: random.Random) -> Any:
    if isinstance(value, dict):
        items = list(value.items())
        rng.shuffle(items)
        return {key: shuffled(item, rng) for key, item in items}
    return [shuffled(item, rng) for item in value] if isinstance(value, list) else value


@given(PLAIN, st.randoms(use_true_random=False))
def test_order_of_keys_does_not_matter(table: dict[str, Any], rng: random.Random) -> None:
    other = shuffled(table, rng)
    assert fingerprint(other) == fingerprint(table)
    assert differing_keys(table, other) == []


@given(PLAIN, PLAIN)
def test_keys_differ_exactly_when_fingerprints_do(a: dict[str, Any], b: dict[str, Any]) -> None:
    assert bool(differing_keys(a, b)) == (fingerprint(a) != fingerprint(b))


def test_form_of_the_fingerprint() -> None:
    scheme, _, digest = fingerprint(canonical(recipe())).partition("-")
    assert scheme == SCHEME
    assert len(bytes.fromhex(digest)) == 32


def test_fingerprint_is_pinned() -> None:
    pinned = "v1-981b22b6a79b99adf3b21781a50bd35d79e07f5d521521c067b2290da5ee89ad"
    assert fingerprint(canonical(recipe())) == pinned


@pytest.mark.parametrize(
    "changes",
    [
        {"run": {"workers": 3}},
        {"card": {"license": "mit"}},
        {"seed": 0},
        {"dedup": {"on": "canonical"}},
        {"output": {}},
        {"source": [{**SOURCE, "name": "hint"}]},
    ],
)
def test_execution_and_spelled_out_defaults_do_not_count(changes: dict[str, Any]) -> None:
    assert fingerprint(canonical(recipe(**changes))) == fingerprint(canonical(recipe()))


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"name": "b"}, 'name: "a" -> "b"'),
        ({"card": {"creator": "me"}}, 'card.creator: "synthgen" -> "me"'),
        ({"seed": 1}, "seed: 0 -> 1"),
        ({"limits": {"acceptance_floor": 0.5}}, "limits.acceptance_floor: 0.0001 -> 0.5"),
        ({"split": [{**SPLITS[0], "rows": 2000}, SPLITS[1]]}, "split.train.rows: 1000 -> 2000"),
        ({"split": SPLITS[::-1]}, "split: train, test -> test, train"),
        (
            {"source": [{"generator": "hint", "params": {"max_operators": 5}}]},
            'source.hint.params.digits: ["0","1"] -> (absent)',
        ),
        (
            {"split": [SPLITS[0], {**SPLITS[1], "where": "n_op > 3"}]},
            'split.test.where: null -> "n_op > 3"',
        ),
    ],
)
def test_differences_are_named_with_both_values(changes: dict[str, Any], line: str) -> None:
    assert differing_keys(canonical(recipe()), canonical(recipe(**changes))) == [line]


def test_a_split_that_is_new_is_one_difference() -> None:
    more = canonical(recipe(split=[*SPLITS, {"name": "extra", "rows": 1}]))
    (line,) = differing_keys(canonical(recipe()), more)
    assert line.startswith("split.extra: (absent) -> {")


def test_weight_counts_where_it_differs_from_rows() -> None:
    plain = recipe()
    same = plain.model_copy(update={"split": tuple(s.resized(s.rows) for s in plain.split)})
    smaller = plain.model_copy(update={"split": (plain.split[0].resized(5), plain.split[1])})
    assert canonical(same) == canonical(plain)
    assert differing_keys(canonical(plain), canonical(smaller)) == ["split.train.rows: 1000 -> 5"]
    small = recipe(split=[{"name": "train", "rows": 5}, SPLITS[1]])
    assert differing_keys(canonical(small), canonical(smaller)) == [
        "split.train.rows before --rows and --scale: 5 -> 1000"
    ]


def test_later_keys_of_a_divergence_count_where_they_say_something() -> None:
    usual = {"train": ["train"], "test": ["test"]}
    table = canonical(recipe(divergence=usual))["divergence"]
    assert {"compounds", "nodes", "target"} < table.keys()
    assert not {"ngram", "words", "atom_exponent", "compound_exponent", "penalty"} & table.keys()
    assert canonical(recipe(divergence={**usual, "penalty": 5.0, "ngram": [4, 3]})) == canonical(
        recipe(divergence=usual)
    )
    assert canonical(recipe(divergence={**usual, "ngram": [3, 2]}))["divergence"]["ngram"] == [2, 3]


def test_canonical_is_plain_json_and_can_be_added_to() -> None:
    plain = canonical(recipe())
    assert json.loads(json.dumps(plain)) == plain
    before = fingerprint(plain)
    assert fingerprint({**plain, "generator_versions": {"hint": 1}}) != before


def test_numbers_must_be_finite() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        fingerprint({"x": float("nan")})
