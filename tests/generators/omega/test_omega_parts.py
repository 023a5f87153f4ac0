"""Shares of entropy, rationals, expressions with a given value, and canonical systems."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import gcd
from re import findall

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._equations import equation, plain_equation
from synthgen.generators.omega._expressions import (
    SYMBOLS,
    expression_codes,
    expression_tree,
    grow,
    grow_listed,
    put_letters,
    working,
    written,
)
from synthgen.generators.omega._numbers import Tree, signature_of, tree_codes
from synthgen.generators.omega._parts import (
    integer_or_rational,
    non_integer,
    several_below,
    several_signed,
    shares,
    shuffled,
    some_letters,
)
from synthgen.generators.omega._systems import canonical_system, surely_regular

keys = st.integers(0, 2**64 - 1)
quickly = settings(max_examples=150, deadline=None, database=None)


@quickly
@given(keys, st.integers(0, 500), st.integers(1, 40), st.integers(1, 5))
def test_shares_add_up_to_the_whole(key: int, total: int, n: int, evenness: int) -> None:
    parts = shares(RowDraws(key), total, n, evenness)
    assert len(parts) == n
    assert sum(parts) == total
    assert min(parts) >= 0


def test_shares_are_more_even_the_higher_their_parameter() -> None:
    def spread(evenness: int) -> float:
        several = [shares(RowDraws(key), 400, 8, evenness) for key in range(200)]
        return sum(max(parts) for parts in several) / 200

    assert spread(1) > 120 > spread(5) > 50


def test_several_draws_from_one_word_are_uniform() -> None:
    draws = RowDraws(5)
    values = [value for _ in range(3_000) for value in several_below(draws, 11, 5)]
    counts = [values.count(value) for value in range(11)]
    assert sum(counts) == 15_000
    assert min(counts) > 1_250
    assert max(counts) < 1_480
    assert {value for _ in range(99) for value in several_signed(draws, [16])} == set(range(-5, 6))
    assert max(map(abs, several_signed(draws, [800] * 9))) > 10**40


@quickly
@given(keys, st.integers(0, 200))
def test_rationals_that_are_no_integers(key: int, entropy: int) -> None:
    top, bottom = non_integer(RowDraws(key), entropy)
    assert gcd(top, bottom) == 1
    assert bottom >= 5
    assert abs(top) >= 3
    assert integer_or_rational(RowDraws(key), entropy)[1] >= 1


@quickly
@given(keys, st.integers(0, 16))
def test_letters_and_orders_are_permutations(key: int, n: int) -> None:
    letters = some_letters(RowDraws(key), n)
    assert len(set(letters)) == n
    assert sorted(shuffled(RowDraws(key), range(n))) == list(range(n))


@quickly
@given(keys, st.integers(-99, 99), st.integers(1, 20), st.integers(0, 9), st.integers(1, 60))
def test_an_expression_has_its_value(key: int, top: int, bottom: int, n: int, share: int) -> None:
    value = Fraction(top, bottom)
    node = grow(RowDraws(key), (value.numerator, value.denominator), n, share)
    assert working(node, {})[0] == (value.numerator, value.denominator)
    assert "--" not in written(node)


@pytest.mark.parametrize(
    ("node", "text", "value", "way"),
    [
        (
            ("-", ("/", ("/", 7, 3), ("/", 14, 9)), ("/", 5, 4)),
            "(7/3)/(14/9) - 5/4",
            (1, 4),
            ["(7/3) / (14/9) = 3/2", "(3/2) - (5/4) = 1/4"],
        ),
        (
            ("+", ("/", -18, -4), ("*", ("/", 35, -10), 3)),
            "-18/(-4) + (35/(-10))*3",
            (-6, 1),
            [
                *("(-18) / (-4) = 9/2", "35 / (-10) = -7/2"),
                *("(-7/2) * 3 = -21/2", "(9/2) + (-21/2) = -6"),
            ],
        ),
        (("-", 1, ("-", 2, -3)), "1 - (2 - (-3))", (-4, 1), ["2 - (-3) = 5", "1 - 5 = -4"]),
        (("*", ("+", 1, "b"), ("*", 2, 3)), "(1 + b)*(2*3)", (48, 1), None),
    ],
)
def test_examples_by_hand(
    node: tuple[object, ...], text: str, value: tuple[int, int], way: list[str] | None
) -> None:
    result, lines = working(node, {"b": 7})  # type: ignore[arg-type]
    assert written(node) == text  # type: ignore[arg-type]
    assert result == value
    assert way is None or lines == way


def test_sums_and_products_are_the_same_in_either_order() -> None:
    first = ("+", ("*", 2, ("-", 5, 3)), 7)
    second = ("+", 7, ("*", ("-", 5, 3), 2))
    other = ("+", 7, ("*", ("-", 3, 5), 2))
    assert expression_tree(first, {}) == expression_tree(second, {})
    assert expression_tree(first, {}) != expression_tree(other, {})


def test_codes_are_those_of_the_tree() -> None:
    signature = signature_of({"first": 0, **SYMBOLS, "let": 1})
    letters: dict[str, Tree] = {"b": ("add", 3, 10**7), "c": -(10**6)}
    for key in range(60):
        integers: list[int] = []
        node = grow_listed(RowDraws(key), (5, 3), 7, 60, integers)
        node = put_letters(node, {0: "b", len(integers) // 2: "c"})
        tree = expression_tree(node, letters)
        codes = expression_codes(node, letters, signature)
        assert codes == tree_codes(tree, signature)
        assert tree_codes(("let", codes), signature) == tree_codes(("let", tree), signature)


def test_letters_take_the_places_of_integers() -> None:
    node = ("+", 7, ("*", 7, ("/", 7, 2)))
    assert [written(put_letters(node, {i: "b"})) for i in range(4)] == [
        "b + 7*(7/2)",
        "7 + b*(7/2)",
        "7 + 7*(b/2)",
        "7 + 7*(7/b)",
    ]
    both = put_letters(node, {0: "b", 2: "c"})
    assert written(both) == "b + 7*(c/2)"
    # A letter is no integer, and is not counted.
    assert written(put_letters(both, {1: "d"})) == "b + 7*(c/d)"


def test_integers_are_listed_from_left_to_right() -> None:
    for key in range(40):
        integers: list[int] = []
        node = grow_listed(RowDraws(key), (5, 3), 6, 16, integers)
        assert node == grow(RowDraws(key), (5, 3), 6, 16)
        assert [abs(n) for n in integers] == [int(n) for n in findall("[0-9]+", written(node))]


def test_an_equation_has_as_many_terms_as_asked_for() -> None:
    for key in range(50):
        text = equation(RowDraws(key), (3, -2, 7), "xy", 9, 16, {1: "b"})
        sides = [side for side in text.split(" = ") if side != "0"]
        assert sum(side.count(" ") // 2 + 1 for side in sides) == 9
        assert text.count("b*y") == 1
    assert plain_equation((1, 0, -4, 0), "xyz") == "x - 4*z = 0"


systems = st.integers(2, 4).flatmap(
    lambda n: st.lists(
        st.lists(st.integers(-2, 2), min_size=n + 1, max_size=n + 1), min_size=n, max_size=n
    )
)


@quickly
@given(systems, st.randoms(use_true_random=False))
def test_orders_names_and_signs_leave_a_system_the_same(rows: list[list[int]], random) -> None:  # type: ignore[no-untyped-def]
    n = len(rows)
    numbers = canonical_system([row[:-1] for row in rows], [row[-1] for row in rows])
    order = [0, *random.sample(range(1, n), n - 1)]
    moved = [
        [sign * row[j] for j in [*order, n]]
        for row in random.sample(rows, n)
        for sign in [random.choice((-1, 1))]
    ]
    assert canonical_system([row[:-1] for row in moved], [row[-1] for row in moved]) == numbers
    if numbers is not None:
        assert len(numbers) == n * (n + 1)
        assert sorted(map(abs, numbers)) == sorted(abs(v) for row in rows for v in row)


def test_different_systems_of_two_equations_have_different_numbers() -> None:
    row = list(product((-1, 0, 2), repeat=3))
    orbits: dict[frozenset[tuple[tuple[int, ...], ...]], set[tuple[int, ...] | None]] = {}
    for first, second in product(row, repeat=2):
        if any(sum(v) == 0 and v[2] == 0 and v[0] == 0 for v in (first, second)):
            continue  # no sign is found for these
        signed = [[one, tuple(-v for v in one)] for one in (first, second)]
        orbit = frozenset(p for pair in product(*signed) for p in permutations(pair))
        numbers = canonical_system([[*first[:2]], [*second[:2]]], [first[2], second[2]])
        orbits.setdefault(orbit, set()).add(numbers)
    assert all(len(numbers) == 1 for numbers in orbits.values())
    assert len(set().union(*orbits.values())) == len(orbits) > 100


@quickly
@given(systems)
def test_regular_means_that_the_determinant_is_not_zero(rows: list[list[int]]) -> None:
    matrix = [row[:-1] for row in rows]
    size = len(matrix)
    determinant = 0
    for order in permutations(range(size)):
        inversions = sum(order[i] > order[j] for j in range(size) for i in range(j))
        term = (-1) ** inversions
        for i, j in enumerate(order):
            term *= matrix[i][j]
        determinant += term
    assert surely_regular(matrix) == (determinant != 0)
