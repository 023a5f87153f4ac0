"""Easiness: the worked vectors, and plain sets."""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.columns import Ragged, ragged
from synthgen.core.errors import ParamError
from synthgen.coverage.easiness import EasinessTally, SeenStructures
from synthgen.trees.derivations import Signature
from synthgen.trees.local_structures import ROOT, code_of, local_structures, symbols_of

SIGNATURE = Signature.from_arities(
    {"count": 1, "find": 1, "filter": 2, "exists": 1, "eq": 2, "gt": 2, "lt": 2}
    | dict.fromkeys(("dog", "cat", "black", "white", "2", "3"), 0)
)
TRAIN = """count(find(dog)); count(find(cat)); count(filter(black,find(dog))); exists(find(cat));
exists(filter(white,find(dog))); eq(count(find(dog)),2); gt(count(find(dog)),2);
gt(count(find(cat)),3)"""
TEST = """eq(count(find(cat)),3); eq(exists(find(dog)),2); eq(3,2); lt(count(find(dog)),2);
exists(filter(black,find(dog)))"""
SMALL = Signature.from_arities({"+": 2, "-": 1, "a": 0, "b": 0, "c": 0})
Structure = tuple[int, ...]


def structures(programs: str, n: int) -> Ragged:
    rows = [
        [SIGNATURE.code[name] for name in re.findall(r"\w+", one)] for one in programs.split(";")
    ]
    return local_structures(ragged(rows), SIGNATURE, n)


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("eq gt", 0.8333),
        ("dog cat", 1),
        ("black white", 1),
        ("2 3", 0.75),
        ("count exists", 0.3333),
        ("find filter", 0.1667),
        ("lt lt", 1),
        ("lt gt", 0),
    ],
)
@pytest.mark.parametrize("n", [2, 3])
def test_worked_similarities(pair: str, expected: float, n: int) -> None:
    seen = SeenStructures(structures(TRAIN, n).values)
    one, other = (np.array([SIGNATURE.code[name]]) for name in pair.split())
    assert seen.similarity(one, other) == pytest.approx([expected], abs=5e-5)
    assert seen.similarity(other, one) == seen.similarity(one, other)


@pytest.mark.parametrize(
    ("n", "places", "last"), [(2, 3, 1.0), (2, 2, 1.0), (3, 2, 0.3333), (3, 3, 1.0)]
)
def test_worked_easiness(n: int, places: int, last: float) -> None:
    """The value printed for n = 3 is that of the authors' setting, which replaces two places."""
    tally = EasinessTally(SeenStructures(structures(TRAIN, n).values, places=places))
    found = tally.add(structures(TEST, n))
    if n == 2:
        assert found[:4] == pytest.approx([0.8333, 0.3333, 0.08333, 0.0], abs=5e-5)
    assert found[4] == pytest.approx(last, abs=5e-5)
    assert tally.mean == pytest.approx(fmean(found.tolist()), abs=1e-15)


def test_train_has_22_structures_of_13_symbols() -> None:
    words = structures(TRAIN, 2).values
    assert len(set(words.tolist())) == 22
    assert len(np.unique(symbols_of(words)[:, 1:])) == 13


def test_the_hardest_structures() -> None:
    tally = EasinessTally(SeenStructures(structures(TRAIN, 2).values))
    items = structures(TEST, 2)
    tally.add(items.take(np.array([0, 1])))
    tally.add(items.take(np.array([2, 3, 4, 2])))
    found = [(one.text, one.items, one.first) for one in tally.hardest(SIGNATURE, 4)]
    assert found == [
        ("pc <s> lt", 1, 3),
        ("pc lt 2", 1, 3),
        ("pc lt count", 1, 3),
        ("sc 3 2", 2, 2),
    ]
    assert tally.hardest(SIGNATURE, 4)[3].easiness == pytest.approx(0.08333, abs=5e-6)
    assert tally.n == 6


def contexts(seen: set[Structure], code: int, symbol: int, direction: int) -> set[int]:
    pairs = [one[1:] for one in seen if one[0] == code]
    return {pair[1 - direction] for pair in pairs if pair[direction] == symbol}


def similarity(seen: set[Structure], one: int, other: int) -> float:
    if one == other:
        return 1.0
    by_code = []
    for code in (0, 1):
        values = []
        for direction in (0, 1):
            sets = [contexts(seen, code, symbol, direction) for symbol in (one, other)]
            if sets[0] | sets[1]:
                values.append(len(sets[0] & sets[1]) / len(sets[0] | sets[1]))
        if values:
            by_code.append(fmean(values))
    return fmean(by_code) if by_code else 0.0


def easiness(seen: set[Structure], structure: Structure) -> float:
    if structure in seen:
        return 1.0
    symbols = {symbol for one in seen for symbol in one[1:]}
    best = 0.0
    for place in range(1, len(structure)):
        for symbol in symbols:
            if (*structure[:place], symbol, *structure[place + 1 :]) in seen:
                best = max(best, similarity(seen, structure[place], symbol))
    return best


def tuples(words: np.ndarray) -> list[Structure]:
    rows = zip(code_of(words).tolist(), symbols_of(words).tolist(), strict=True)
    return [(code, *(symbol for symbol in symbols if symbol >= 0)) for code, symbols in rows]


@st.composite
def codes(draw: st.DrawFn, budget: int = 7) -> list[int]:
    code = draw(st.integers(0, 4) if budget > 0 else st.integers(2, 4))
    arity = SMALL.arities[code]
    return [code, *(c for _ in range(arity) for c in draw(codes((budget - 1) // arity)))]


@given(
    st.lists(codes(), min_size=1, max_size=4),
    st.lists(codes(), max_size=4),
    st.sampled_from([2, 3]),
)
@settings(max_examples=60)
def test_easiness_is_that_of_the_definition(
    train: list[list[int]], test: list[list[int]], n: int
) -> None:
    words = local_structures(ragged(train), SMALL, n).values
    seen = set(tuples(words))
    items = local_structures(ragged(test), SMALL, n)
    expected = [
        min(easiness(seen, structure) for structure in tuples(items.row(i)))
        for i in range(len(items))
    ]
    found = EasinessTally(SeenStructures(words)).add(items)
    assert found.tolist() == pytest.approx(expected, abs=1e-12)
    symbols = np.array([0, 1, 2, 3, 4, ROOT])
    ours = SeenStructures(words).similarity(np.repeat(symbols, 6), np.tile(symbols, 6))
    theirs = [similarity(seen, one, other) for one in symbols for other in symbols]
    assert ours.tolist() == pytest.approx(theirs, abs=1e-12)


@given(st.lists(codes(), min_size=1, max_size=4), st.sampled_from([2, 3]))
def test_easiness_without_a_structure_leaves_it_alone_out(train: list[list[int]], n: int) -> None:
    seen = SeenStructures(local_structures(ragged(train), SMALL, n).values)
    known = set(tuples(seen.words))
    expected = []
    for structure in tuples(seen.words):
        others = [
            similarity(known, structure[place], symbol)
            for place in range(1, len(structure))
            for symbol in (0, 1, 2, 3, 4, ROOT)
            if symbol != structure[place]
            and (*structure[:place], symbol, *structure[place + 1 :]) in known
        ]
        expected.append(max(others, default=0.0))
    assert seen.easiness_without(seen.words).tolist() == pytest.approx(expected, abs=1e-12)


@given(st.lists(codes(), min_size=2, max_size=6), st.integers(0, 5))
def test_batches_add_up(rows: list[list[int]], cut: int) -> None:
    items = local_structures(ragged(rows), SMALL, 2)
    seen = SeenStructures(items.row(0))
    whole, parts = EasinessTally(seen), EasinessTally(seen)
    whole.add(items)
    for places in (np.arange(min(cut, len(rows))), np.arange(min(cut, len(rows)), len(rows))):
        parts.add(items.take(places))
    assert (whole.mean, whole.n) == (parts.mean, parts.n)
    assert whole.hardest(SMALL, 99) == parts.hardest(SMALL, 99)
    ranks = [(one.easiness, -one.items) for one in whole.hardest(SMALL, 99)]
    assert all(one <= other for one, other in pairwise(ranks))


def test_no_items_and_bad_places() -> None:
    words = structures(TRAIN, 2).values
    assert EasinessTally(SeenStructures(words)).mean == 1.0
    assert len(EasinessTally(SeenStructures(words)).add(ragged([], np.uint64))) == 0
    with pytest.raises(ParamError, match="places=4"):
        SeenStructures(words, places=4)
