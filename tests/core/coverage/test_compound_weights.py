"""Weights of compounds: the worked example, and the definition on sets of nodes."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.columns import Ragged, ragged
from synthgen.core.coverage.compound_weights import (
    PoolShares,
    WeightSums,
    sample_weights,
    weighted_divergence,
)
from synthgen.core.coverage.occurrences import fragment_occurrences
from synthgen.core.derivation import Signature
from synthgen.core.divergence import chernoff_divergence
from synthgen.core.errors import ParamError
from synthgen.core.structures import fragments

CHAINS = Signature.of({"A": 1, "B": 1, "C": 0, "D": 0})
POOL = ragged([[0, 1, 2], [0, 1, 3], [0, 1, 2]])
TREES = Signature.of({"+": 2, "-": 1, "a": 0, "b": 0})


def sums(shares: PoolShares, rows: list[int]) -> WeightSums:
    found = WeightSums(shares)
    found.add(fragment_occurrences(POOL.take(np.array(rows)), CHAINS))
    return found


def pool_shares() -> PoolShares:
    shares = PoolShares()
    shares.add(fragment_occurrences(POOL, CHAINS))
    return shares


def ids_of(chain: list[int], max_nodes: int) -> set[int]:
    return set(fragments(ragged([chain]), CHAINS, max_nodes=max_nodes).values.tolist())


def test_worked_weights_of_chains() -> None:
    shares = pool_shares()
    edges = [ids_of(chain, 2) for chain in ([0, 1, 2], [0, 1, 3])]
    (ab,) = edges[0] & edges[1]
    (bc,), (bd,) = edges[0] - {ab}, edges[1] - {ab}
    (abc,), (abd,) = (ids_of(chain, 3) - {ab, bc, bd} for chain in ([0, 1, 2], [0, 1, 3]))
    found = sample_weights(fragment_occurrences(POOL, CHAINS), shares)
    ends = found.ids.offsets
    rows = [
        dict(zip(found.ids.row(i).tolist(), found.weights[ends[i] : ends[i + 1]], strict=True))
        for i in range(3)
    ]
    first = {ab: 1 / 3, bc: 0, abc: 1}
    assert rows == [pytest.approx(first), pytest.approx({ab: 2 / 3, bd: 0, abd: 1}), rows[0]]
    assert rows[2] == pytest.approx(first)
    ids, weights = sums(shares, [0, 1, 2]).items()
    assert dict(zip(ids.tolist(), weights.tolist(), strict=True)) == pytest.approx(
        {ab: 4 / 3, abc: 2, abd: 1}
    )


@pytest.mark.parametrize(
    ("train", "test", "weighted", "unweighted"),
    [([0], [1], 0.6184, 0.6667), ([0, 1], [2], 0.0511, 0.0446)],
)
def test_worked_divergences(
    train: list[int], test: list[int], weighted: float, unweighted: float
) -> None:
    shares = pool_shares()
    found = weighted_divergence(sums(shares, train), sums(shares, test))
    assert found == pytest.approx(weighted, abs=5e-5)
    ids = fragments(POOL, CHAINS)
    names = np.unique(ids.values)
    counts = [
        (ids.take(np.array(side)).values[:, None] == names).sum(axis=0) for side in (train, test)
    ]
    assert chernoff_divergence(counts[0], counts[1], 0.1) == pytest.approx(unweighted, abs=5e-5)


@st.composite
def trees(draw: st.DrawFn, budget: int = 7) -> list[int]:
    code = draw(st.integers(0, 3) if budget > 0 else st.integers(2, 3))
    arity = TREES.arities[code]
    return [code, *(c for _ in range(arity) for c in draw(trees((budget - 1) // arity)))]


def parents_of(codes: list[int]) -> list[tuple[int, int]]:
    """Parent and slot of each node."""
    found, open_places = [], [[-1, 0, 1]]
    for node, code in enumerate(codes):
        while open_places[-1][2] == 0:
            open_places.pop()
        place = open_places[-1]
        found.append((place[0], place[1]))
        place[1], place[2] = place[1] + 1, place[2] - 1
        open_places.append([node, 0, TREES.arities[code]])
    return found


def pieces(codes: list[int], most: int) -> dict[frozenset[int], tuple[object, ...]]:
    """All connected sets of 2 to `most` nodes, with what they are in any tree."""
    above = parents_of(codes)
    found = {}
    for size in range(2, most + 1):
        for nodes in combinations(range(len(codes)), size):
            kept = frozenset(nodes)
            if sum(above[node][0] not in kept for node in nodes) == 1:
                edges = [(nodes.index(above[n][0]), above[n][1]) for n in nodes[1:]]
                found[kept] = (*(codes[n] for n in nodes), *edges)
    return found


def by_definition(rows: list[list[int]], most: int, *, all_sizes: bool) -> Counter[object]:
    """W of every compound, as fractions."""
    pool = [pieces(codes, most) for codes in rows]
    total = Counter(kind for row in pool for kind in row.values())
    inside: Counter[object] = Counter()
    around = []
    for row in pool:
        for nodes, kind in row.items():
            larger = {
                row[other]
                for other in row
                if nodes < other and (all_sizes or len(other) == len(nodes) + 1)
            }
            around.append((nodes, kind, larger))
            inside.update((kind, other) for other in larger)
    weights: Counter[object] = Counter()
    at = 0
    for row in pool:
        best: dict[object, Fraction] = {}
        for _, kind, larger in around[at : at + len(row)]:
            shares = [Fraction(inside[kind, other], total[kind]) for other in larger]
            weight = 1 - max(shares, default=Fraction(0))
            best[kind] = max(best.get(kind, weight), weight)
        weights.update(best)
        at += len(row)
    return weights


@given(st.lists(trees(), min_size=1, max_size=4), st.integers(2, 4), st.integers(0, 4))
@settings(max_examples=80)
def test_weights_are_those_of_the_definition(rows: list[list[int]], most: int, cut: int) -> None:
    pool = ragged(rows)
    occurrences = fragment_occurrences(pool, TREES, max_nodes=most)
    same = fragments(pool, TREES, max_nodes=most)
    for i in range(len(rows)):
        assert Counter(occurrences.ids.row(i).tolist()) == Counter(same.row(i).tolist())
    shares, halves = PoolShares(), WeightSums(pool_of(pool, most, cut))
    shares.add(occurrences)
    whole = WeightSums(shares)
    whole.add(occurrences)
    for part in parts_of(pool, cut):
        halves.add(fragment_occurrences(part, TREES, max_nodes=most))
    ids, weights = whole.items()
    assert (ids.tolist(), weights.tolist()) == tuple(c.tolist() for c in halves.items())
    expected = by_definition(rows, most, all_sizes=False)
    assert sorted(weights.tolist()) == pytest.approx(
        sorted(float(w) for w in expected.values() if w)
    )
    exact = by_definition(rows, most, all_sizes=True)
    assert all(exact[kind] <= expected[kind] for kind in expected)
    assert most > 3 or exact == expected


def test_extensions_by_one_node_may_miss_a_discount() -> None:
    """Both (+ _ a) lie inside (+ (+ _ a) a), but no extension by one node has both inside."""
    rows = [[0, 0, 2, 2, 2]]
    edge = (0, 2, (0, 1))
    assert by_definition(rows, 4, all_sizes=True)[edge] == 0
    assert by_definition(rows, 4, all_sizes=False)[edge] == Fraction(1, 2)


def parts_of(pool: Ragged, cut: int) -> list[Ragged]:
    cut = min(cut, len(pool))
    return [pool.take(np.arange(cut, len(pool))), pool.take(np.arange(cut))]


def pool_of(pool: Ragged, most: int, cut: int) -> PoolShares:
    merged = PoolShares()
    for part in parts_of(pool, cut):
        shares = PoolShares()
        shares.add(fragment_occurrences(part, TREES, max_nodes=most))
        merged.merge(shares)
    return merged


@given(trees(12), st.integers(0, 40))
def test_a_limit_keeps_what_fragments_keeps(codes: list[int], limit: int) -> None:
    pool = ragged([codes])
    found = fragment_occurrences(pool, TREES, max_nodes=5, limit=limit)
    same = fragments(pool, TREES, max_nodes=5, limit=limit)
    assert sorted(found.ids.values.tolist()) == sorted(same.values.tolist())
    assert len(found.parts) == len(found.wholes)
    assert not len(found.parts) or found.wholes.max() < len(found.ids.values)


def test_all_samples_must_be_in_the_pool() -> None:
    shares = PoolShares()
    shares.add(fragment_occurrences(POOL.take(np.array([0])), CHAINS))
    with pytest.raises(ParamError, match="compounds outside the pool=2"):
        sample_weights(fragment_occurrences(POOL, CHAINS), shares)
    with pytest.raises(ParamError, match="max_nodes=6"):
        fragment_occurrences(POOL, CHAINS, max_nodes=6)
