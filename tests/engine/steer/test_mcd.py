"""Splits of maximum compound divergence: what they promise, and what they reach on SCAN."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from synthgen.contract.interfaces import Render
from synthgen.core.columns import Ragged, ragged
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows, mix_words
from synthgen.engine.steer import mcd
from synthgen.engine.steer.mcd import TEST, TRAIN, McdSplit, Pool
from synthgen.families.scan.family import Scan
from synthgen.recipe.schema import Divergence
from synthgen.rules.assignment import NO_SPLIT
from synthgen.trees.compound_kinds import CompoundKind
from synthgen.trees.compounds import take_prompts_apart
from synthgen.trees.content_keys import Keys
from synthgen.trees.divergence import chernoff_divergence
from synthgen.trees.structures import atoms, edges, fragments
from tests.conformance import original


class McdRule:
    """Sizes of both sides, and a table of a recipe."""

    def __init__(self, n_train: int, n_test: int, **keys: object) -> None:
        self.n_train, self.n_test = n_train, n_test
        self.table = Divergence.model_validate({"train": ("a",), "test": ("b",), **keys})


def mcd_split(
    keys: Keys,
    atom_rows: Ragged,
    compound_rows: Ragged,
    rule: McdRule,
    stream: int,
    axes: dict[str, NDArray[Any]] | None = None,
) -> McdSplit:
    columns = [column.astype(np.int64) for column in (axes or {}).values()]
    together = np.stack(columns, axis=1) if columns else np.zeros((len(keys), 0), np.int64)
    pool = Pool(keys, atom_rows, compound_rows, together)
    return mcd.mcd_split(pool, (rule.n_train, rule.n_test), rule.table, stream)


SCAN_SIZES = {"n_train": 8_365, "n_test": 2_091}
PUBLISHED = {"atoms": 0.00708, "edges": 0.32297, "fragments": 0.53447}  # mcd1, dev and test


@cache
def scan(n: int | None = None) -> tuple[Keys, Ragged, Ragged, Ragged, NDArray[np.int64]]:
    """Keys, atoms, edges, fragments and lengths of the first commands, or of all."""
    kind = Scan()
    problems = kind.draw(Rows.span(3, 0, n or kind.space))
    trees = problems.derivations
    features = (make(trees, kind.signature) for make in (atoms, edges, fragments))
    return problems.keys, *features, trees.lengths


def counts_of(rows: Ragged, chosen: NDArray[Any]) -> Counter[int]:
    return Counter(rows.take(np.flatnonzero(chosen)).values.tolist())


def divergence_of(
    rows: Ragged, train: NDArray[Any], test: NDArray[Any], exponent: float = 0.1
) -> float:
    one, other = counts_of(rows, train), counts_of(rows, test)
    known = sorted(one | other)
    vectors = (np.array([counts[k] for k in known]) for counts in (one, other))
    return chernoff_divergence(*vectors, exponent)


def check_promises(
    split: McdSplit, rule: McdRule, atom_rows: Ragged, compound_rows: Ragged
) -> None:
    train, test = split.sides == TRAIN, split.sides == TEST
    assert train.sum() == rule.n_train
    assert test.sum() == rule.n_test
    assert (split.sides == NO_SPLIT).sum() == len(atom_rows) - rule.n_train - rule.n_test
    assert split.compounds == divergence_of(
        compound_rows, train, test, rule.table.compound_exponent
    )
    assert split.atoms == divergence_of(atom_rows, train, test, rule.table.atom_exponent)
    unseen = set(counts_of(atom_rows, test)) - set(counts_of(atom_rows, train))
    assert split.unseen_atoms == len(unseen)


@pytest.mark.parametrize(("n_train", "n_test"), [(300, 80), (450, 150), (80, 300)])
@pytest.mark.parametrize("bound", [0.005, 0.02, 0.1])
def test_atoms_are_alike_and_compounds_are_not(n_train: int, n_test: int, bound: float) -> None:
    keys, atom_rows, _, compound_rows, _ = scan(600)
    rule = McdRule(n_train, n_test, atom_bound=bound, starts=2, effort=40)
    split = mcd_split(keys, atom_rows, compound_rows, rule, 1)
    check_promises(split, rule, atom_rows, compound_rows)
    assert split.atoms <= bound
    assert split.unseen_atoms == 0
    random = split.random_compounds
    assert split.compounds > random.mean + 5 * random.deviation


def test_the_random_splits_have_the_bias_of_finite_samples() -> None:
    keys, atom_rows, _, compound_rows, _ = scan(4_000)
    rule = McdRule(2_000, 500, starts=1, effort=0)
    split = mcd_split(keys, atom_rows, compound_rows, rule, 1)
    tokens = atom_rows.lengths.mean()
    bias = 0.125 * 12 * (1 / (2_000 * tokens) + 1 / (500 * tokens))
    assert split.random_atoms.mean == pytest.approx(bias, rel=0.5)
    assert 0 < split.random_atoms.deviation < split.random_atoms.mean
    assert split.compounds == pytest.approx(split.random_compounds.mean, rel=0.5)


def test_order_of_rows_does_not_matter_but_the_stream_does() -> None:
    keys, atom_rows, _, compound_rows, lengths = scan(600)
    rule = McdRule(300, 100, starts=2, effort=10)
    axes = {"length": lengths}
    split = mcd_split(keys, atom_rows, compound_rows, rule, 1, axes)
    order = np.argsort(mix_words(np.arange(600, dtype=np.uint64)))
    moved = [rows.take(order) for rows in (atom_rows, compound_rows)]
    same = mcd_split(keys[order], *moved, rule, 1, {"length": lengths[order]})
    assert same.sides.tolist() == split.sides[order].tolist()
    assert (same.compounds, same.atoms, same.axes) == (split.compounds, split.atoms, split.axes)
    assert same.random_compounds == split.random_compounds
    other = mcd_split(keys, atom_rows, compound_rows, rule, 2, axes)
    assert other.sides.tolist() != split.sides.tolist()


def test_more_starts_and_effort_are_not_worse() -> None:
    keys, atom_rows, compound_rows, _, _ = scan(600)
    reached = []
    for starts, effort in [(1, 0), (1, 1), (1, 60), (6, 60)]:
        rule = McdRule(300, 100, starts=starts, effort=effort)
        split = mcd_split(keys, atom_rows, compound_rows, rule, 1)
        reached.append(split.compounds)
    assert reached == sorted(reached)


def test_it_stops_at_the_target() -> None:
    keys, atom_rows, _, compound_rows, _ = scan(600)
    rule = McdRule(300, 100, target=0.25)
    split = mcd_split(keys, atom_rows, compound_rows, rule, 1)
    assert 0.25 <= split.compounds < 0.27
    assert split.atoms <= 0.02


def test_axes_stay_alike() -> None:
    keys, atom_rows, _, compound_rows, lengths = scan(600)
    rule = McdRule(300, 100, axis_bound=0.01, starts=2)
    free = mcd_split(keys, atom_rows, compound_rows, rule, 1)
    split = mcd_split(keys, atom_rows, compound_rows, rule, 1, {"length": lengths})
    check_promises(split, rule, atom_rows, compound_rows)
    column = Ragged(lengths, np.arange(601))
    train, test = split.sides == TRAIN, split.sides == TEST
    assert split.axes == divergence_of(column, train, test, 0.5) <= 0.01
    assert free.axes == 0.0
    assert divergence_of(column, free.sides == TRAIN, free.sides == TEST, 0.5) > 0.05
    assert split.random_compounds.mean < split.compounds < free.compounds


def test_the_mean_of_several_axes_is_bounded() -> None:
    keys, atom_rows, _, compound_rows, lengths = scan(600)
    axes = {"length": lengths, "odd": lengths % 2, "none": np.zeros(600, np.int16)}
    rule = McdRule(300, 100, starts=1)
    split = mcd_split(keys, atom_rows, compound_rows, rule, 1, axes)
    train, test = split.sides == TRAIN, split.sides == TEST
    each = [divergence_of(Ragged(axis, np.arange(601)), train, test, 0.5) for axis in axes.values()]
    assert split.axes == pytest.approx(np.mean(each), abs=1e-12)
    assert split.axes <= 0.02


def test_rows_with_rare_atoms_are_not_only_in_test() -> None:
    """Each row has an atom that one other row has too."""
    rows = ragged([[j // 2, 100 + j % 5] for j in range(80)], np.uint64)
    keys = mix_words(np.arange(160, dtype=np.uint64)).reshape(80, 2)
    rule = McdRule(40, 40, atom_bound=1.0)
    split = mcd_split(keys, rows, rows, rule, 1)
    check_promises(split, rule, rows, rows)
    assert split.unseen_atoms == 0
    assert split.sides[::2].tolist() == (1 - split.sides[1::2]).tolist()


def test_what_the_pool_leaves_no_choice_about_is_reported() -> None:
    rows = ragged([[j] for j in range(30)], np.uint64)
    keys = mix_words(np.arange(60, dtype=np.uint64)).reshape(30, 2)
    rule = McdRule(20, 10, starts=2, effort=20)
    split = mcd_split(keys, rows, rows, rule, 1)
    check_promises(split, rule, rows, rows)
    assert split.unseen_atoms == 10
    assert split.atoms == 1.0


def test_bounds_out_of_reach_are_approached() -> None:
    keys, atom_rows, _, compound_rows, _ = scan(600)
    rule = McdRule(300, 9, atom_bound=0.0, starts=2, effort=100)
    split = mcd_split(keys, atom_rows, compound_rows, rule, 1)
    check_promises(split, rule, atom_rows, compound_rows)
    assert 0 < split.atoms < 0.1 * split.random_atoms.mean


BAGS = st.lists(st.lists(st.integers(0, 6), max_size=4), min_size=2, max_size=14)


@given(BAGS, st.data())
@settings(max_examples=40)
def test_any_pool_is_split_in_exact_sizes(bags: list[list[int]], data: st.DataObject) -> None:
    n = len(bags)
    n_train = data.draw(st.integers(1, n - 1))
    n_test = data.draw(st.integers(1, n - n_train))
    order = np.array(data.draw(st.permutations(range(n))))
    rule = McdRule(n_train, n_test, atom_bound=0.1, starts=2, effort=20)
    atom_rows = ragged([[number // 2 for number in bag] for bag in bags], np.uint64)
    compound_rows = ragged(bags, np.uint64)
    keys = mix_words(np.arange(2 * n, dtype=np.uint64)).reshape(n, 2)
    split = mcd_split(keys, atom_rows, compound_rows, rule, 9)
    check_promises(split, rule, atom_rows, compound_rows)
    moved = (atom_rows.take(order), compound_rows.take(order))
    assert mcd_split(keys[order], *moved, rule, 9).sides.tolist() == split.sides[order].tolist()


def test_too_small_a_pool_and_repeated_keys_are_refused() -> None:
    keys, atom_rows, _, compound_rows, _ = scan(600)
    with pytest.raises(ParamError, match="pool=600"):
        mcd_split(keys, atom_rows, compound_rows, McdRule(501, 100), 1)
    rule = McdRule(300, 100)
    twice = keys.copy()
    twice[7] = twice[500]
    with pytest.raises(ParamError, match="keys="):
        mcd_split(twice, atom_rows, compound_rows, rule, 1)


def test_scan_reaches_more_than_the_published_split() -> None:
    keys, atom_rows, edge_rows, compound_rows, _ = scan()
    rule = McdRule(**SCAN_SIZES, starts=2, effort=20)
    split = mcd_split(keys, atom_rows, compound_rows, rule, 1)
    check_promises(split, rule, atom_rows, compound_rows)
    assert split.atoms <= 0.02
    assert split.unseen_atoms == 0
    assert split.compounds > PUBLISHED["fragments"]
    train, test = split.sides == TRAIN, split.sides == TEST
    assert divergence_of(edge_rows, train, test) > PUBLISHED["edges"]


def test_scan_diverges_without_a_shortcut_by_length() -> None:
    keys, atom_rows, _, compound_rows, lengths = scan()
    rule = McdRule(**SCAN_SIZES, starts=2, effort=20)
    split = mcd_split(keys, atom_rows, compound_rows, rule, 1, {"length": lengths})
    assert split.compounds > 0.45
    assert split.axes <= 0.02
    means = [lengths[split.sides == side].mean() for side in (TRAIN, TEST)]
    assert means[0] == pytest.approx(means[1], abs=0.6)


@cache
def scan_words() -> tuple[Keys, Ragged, Ragged]:
    """Keys, words and 3- and 4-grams of words of all commands."""
    kind = Scan()
    problems = kind.draw(Rows.span(3, 0, kind.space))
    prompts = kind.render(problems, Render("bare", "none")).prompts
    return problems.keys, *take_prompts_apart(CompoundKind("ngrams", ngram=(3, 4)), prompts)


@pytest.mark.parametrize("stream", [1, 2])
def test_scan_by_words_diverges_by_three_quarters(stream: int) -> None:
    keys, words, ngrams = scan_words()
    rule = McdRule(8_365, 1_045, starts=2, effort=20)
    split = mcd_split(keys, words, ngrams, rule, stream)
    check_promises(split, rule, words, ngrams)
    assert split.compounds >= 0.75
    assert split.atoms <= 0.02
    assert split.unseen_atoms == 0
    assert split.random_compounds.mean == pytest.approx(0.006, abs=0.001)
    assert split.compounds > split.random_compounds.mean + 1_000 * split.random_compounds.deviation


def test_the_penalty_changes_the_way_but_no_promise() -> None:
    keys, atom_rows, _, compound_rows, _ = scan(600)
    found = []
    for penalty in (0.0, 5.0, 1000.0):
        rule = McdRule(300, 100, penalty=penalty, starts=2, effort=30)
        split = mcd_split(keys, atom_rows, compound_rows, rule, 1)
        check_promises(split, rule, atom_rows, compound_rows)
        assert split.atoms <= 0.02
        found.append(split.sides.tolist())
    assert found[0] != found[1] != found[2]


def test_the_published_split_measures_what_it_measures() -> None:
    members = json.loads(original("scan/scan_splits.json").read_text(encoding="utf-8"))["mcd1"]
    kind = Scan()
    problems = kind.draw(Rows.span(3, 0, kind.space))
    commands = kind.render(problems, Render("bare", "none")).prompts.to_pylist()
    place = np.argsort(np.argsort(np.array(commands)))  # in the sorted list
    train = np.isin(place, members["train"])
    test = np.isin(place, members["test"] + members["dev"])
    assert (train.sum(), test.sum()) == tuple(SCAN_SIZES.values())
    _, atom_rows, edge_rows, compound_rows, _ = scan()
    measured = {
        "atoms": divergence_of(atom_rows, train, test, 0.5),
        "edges": divergence_of(edge_rows, train, test),
        "fragments": divergence_of(compound_rows, train, test),
    }
    assert measured == pytest.approx(PUBLISHED, abs=6e-6)
