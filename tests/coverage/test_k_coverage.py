"""k-coverage: the toy task exactly, random two-hop tasks, and the definition in plain Python."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.coverage.k_coverage import covered, cutoff_counts, k_cutoffs

FIRST = [[0, 1, 0], [1, 0, 2], [2, 2, 1]]
SECOND = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
DOMAIN = list(product(range(3), repeat=3))
LABELS = [SECOND[FIRST[a][b]][c] for a, b, c in DOMAIN]
TRAIN = ["000", "001", "002", "020", "021", "110", "010", "012", "100", "101"]
IS_TRAIN = ["".join(map(str, row)) in TRAIN for row in DOMAIN]
FIVE = ["011", "022", "102", "111", "112"]


@pytest.mark.parametrize(("use_labels", "sizes"), [(True, [17, 11, 10]), (False, [18, 13, 10])])
def test_the_toy_task(use_labels: bool, sizes: list[int]) -> None:
    cutoffs = k_cutoffs(DOMAIN, LABELS, IS_TRAIN, most_k=3, use_labels=use_labels)
    assert [int(covered(cutoffs, k).sum()) for k in (1, 2, 3)] == sizes
    if use_labels:
        five = dict(zip(("".join(map(str, row)) for row in DOMAIN), cutoffs.tolist(), strict=True))
        assert [five[row] for row in FIVE] == [1, 2, 1, 1, 1]
        assert cutoff_counts(cutoffs, 3).tolist() == [10, 6, 1, 10]


def two_hop(n_tokens: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64], list[object]]:
    """Pool of inputs whose two facts are among the seven tenths shown, labels and facts."""
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, n_tokens, (2, n_tokens, n_tokens))
    shown = np.zeros((2, n_tokens**2), np.bool_)
    for side in shown:
        side[rng.permutation(n_tokens**2)[: 7 * n_tokens**2 // 10]] = True
    inputs = np.indices((n_tokens,) * 3).reshape(3, -1).T
    bridge = first[inputs[:, 0], inputs[:, 1]]
    facts = np.stack([inputs[:, 0] * n_tokens + inputs[:, 1], bridge * n_tokens + inputs[:, 2]])
    pool = shown[0, facts[0]] & shown[1, facts[1]]
    labels = second[bridge, inputs[:, 2]]
    return inputs[pool], labels[pool], [facts[:, pool], rng.permutation(int(pool.sum()))]


def shares(n_tokens: int, rows: int, seed: int, most_k: int) -> list[float]:
    """Share of the inputs beyond train, but with both facts in it, that each k covers."""
    inputs, labels, (facts, order) = two_hop(n_tokens, seed)
    train = np.zeros(len(inputs), np.bool_)
    train[order[:rows]] = True  # type: ignore[index]
    asked = ~train
    for fact in facts:  # type: ignore[attr-defined]
        asked &= np.isin(fact, fact[train])
    cutoffs = k_cutoffs(inputs, labels, train, subsets=[(0, 1)], most_k=most_k)
    return [float(covered(cutoffs, k)[asked].mean()) for k in range(1, most_k + 1)]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (5_000, [0.996, 0.198, 0.004, 0.0, 0.0]),
        (10_000, [1.0, 0.953, 0.592, 0.148, 0.019]),
        (20_000, [1.0, 1.0, 0.998, 0.989, 0.953]),
    ],
)
def test_random_two_hop_tasks_of_50_tokens(rows: int, expected: list[float]) -> None:
    found = np.mean([shares(50, rows, seed, 5) for seed in range(4)], axis=0)
    assert found.tolist() == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize(
    ("n_tokens", "rows"),
    [(15, [406, 798, 1_028]), (20, [589, 1_552, 1_884]), (30, [1_597, 3_567, 4_488])],
)
def test_rows_that_cover_19_in_20(n_tokens: int, rows: list[int]) -> None:
    for k, n in enumerate(rows):
        found = np.mean([shares(n_tokens, n, seed, 3)[k] for seed in range(5)])
        assert found == pytest.approx(0.95, abs=0.035)


def naive_cutoffs(
    inputs: list[tuple[int, ...]],
    labels: list[int],
    train: list[bool],
    subsets: list[tuple[int, ...]],
    use_labels: bool,
    most_k: int,
) -> list[int]:
    """The definition, with graphs as sets that grow until they no longer do."""
    cutoffs = [0] * len(inputs)
    for k in range(1, most_k + 1):
        joined = [{i} for i in range(len(inputs))]

        def join(one: int, other: int, joined: list[set[int]] = joined) -> None:
            union = joined[one] | joined[other]
            for item in union:
                joined[item] = union

        for places in subsets:
            parts = [
                (
                    tuple(row[j] for j in places),
                    tuple(row[j] for j in range(len(row)) if j not in places),
                )
                for row in inputs
            ]
            seen: dict[tuple[int, ...], dict[tuple[int, ...], int]] = {}
            for (fragment, context), label, known in zip(parts, labels, train, strict=True):
                if known:
                    seen.setdefault(fragment, {})[context] = label
            same = {fragment: {fragment} for fragment, _ in parts}
            for one, other in combinations(seen, 2):
                both = seen[one].keys() & seen[other].keys()
                if len(both) >= k and all(seen[one][c] == seen[other][c] for c in both):
                    union = same[one] | same[other]
                    for fragment in union:
                        same[fragment] = union
            for i, j in combinations(range(len(inputs)), 2):
                near = parts[i][1] == parts[j][1] and parts[j][0] in same[parts[i][0]]
                if near and (labels[i] == labels[j] or not use_labels):
                    join(i, j)
        for i, group in enumerate(joined):
            if any(train[j] for j in group):
                cutoffs[i] = k
    return cutoffs


@given(st.data(), st.integers(2, 3), st.booleans(), st.booleans())
def test_it_is_the_definition(
    data: st.DataObject, places: int, use_labels: bool, all_subsets: bool
) -> None:
    values = data.draw(st.integers(2, 3))
    rows = list(product(range(values), repeat=places))
    inputs = data.draw(st.lists(st.sampled_from(rows), min_size=1, max_size=18, unique=True))
    n = len(inputs)
    labels = data.draw(st.lists(st.integers(-1, 1), min_size=n, max_size=n))
    train = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    every = [c for t in range(1, places) for c in combinations(range(places), t)]
    subsets = every if all_subsets else data.draw(st.lists(st.sampled_from(every), unique=True))
    found = k_cutoffs(
        inputs,
        labels,
        train,
        subsets=None if all_subsets else subsets,
        most_k=3,
        use_labels=use_labels,
    )
    expected = naive_cutoffs(inputs, labels, train, subsets, use_labels, 3)
    assert found.tolist() == expected
    if not use_labels:
        guess = [label if known else 7 for label, known in zip(labels, train, strict=True)]
        blind = k_cutoffs(inputs, guess, train, subsets=subsets, most_k=3, use_labels=False)
        assert blind.tolist() == expected


def test_fragments_of_different_places_are_not_confused() -> None:
    """(0, 1) through the first place and (1, 0) through the second have the same numbers."""
    inputs = [(0, 1), (1, 0)]
    assert k_cutoffs(inputs, [5, 5], [True, False], most_k=1).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("inputs", "labels", "train", "subsets", "message"),
    [
        ([(0,)], [0], [True], None, r"shape of inputs=\(1, 1\): expected \(n, l\)"),
        ([(0, 1)], [0, 1], [True], None, r"expected equal lengths"),
        ([(0, 1), (0, 1)], [0, 1], [True, True], None, r"train input=\[0, 1\]: expected one label"),
        ([(0, 1)], [0], [True], [(0, 1)], r"subset=\(0, 1\): expected some, but not all"),
        ([(0, 1)], [0], [True], [(2,)], r"subset=\(2,\)"),
    ],
)
def test_arguments_that_do_not_fit(
    inputs: list[tuple[int, ...]],
    labels: list[int],
    train: list[bool],
    subsets: list[tuple[int, ...]] | None,
    message: str,
) -> None:
    with pytest.raises(ParamError, match=message):
        k_cutoffs(inputs, labels, train, subsets=subsets)
