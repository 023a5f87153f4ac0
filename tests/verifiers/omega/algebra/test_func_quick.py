"""Quick answers about functions against enclosures in long integers, and the numbers beneath."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.verifiers.omega.algebra import _func_words as words
from synthgen.verifiers.omega.algebra._func_back import Chain
from synthgen.verifiers.omega.algebra._func_points import turning_points
from synthgen.verifiers.omega.algebra._func_quick import extrema, place, slopes, zeros
from synthgen.verifiers.omega.algebra._func_read import Layers
from synthgen.verifiers.omega.algebra._func_verifier import settled
from synthgen.verifiers.omega.algebra.algebra_func_derivative_sign import _pieces
from synthgen.verifiers.omega.algebra.algebra_func_extrema_coords import _x

BOTH, LOWEST, HIGHEST = (-1, 1), (-1,), (1,)
FACTOR = st.integers(-20, 20) | st.integers(-(2**31), 2**31)
LARGE = st.fractions(-(2**30), 2**30, max_denominator=2**20) | st.builds(
    Fraction, st.integers(-(2**53), 2**53), st.integers(1, 2**53)
)


def test_large_coefficients_do_not_overflow() -> None:
    # (999 x^2 + 998)^2 - 997 is positive everywhere, 999 (998 x - 997) - 996 is zero near 1.
    layers: Layers = (("quadratic", (999, 0, 998)), ("quadratic", (1, 0, -997)))
    assert zeros((*layers, ("quadratic", (999, 999, 999))), 100) == 0
    assert extrema((*layers, ("abs", (999, 999, 999))), 100, BOTH) == 1
    assert zeros((("linear", (998, -997)), ("linear", (999, -996))), 100) == 1


def random_layers(random: Random, n: int) -> Layers:
    kinds = [random.choice(("linear", "quadratic", "abs", "quotient")) for _ in range(n)]
    if random.random() < 0.5:
        kinds[random.randrange(n)] = random.choice(("sin", "cos", "exp"))
    layers = []
    for kind in kinds:
        lead = random.choice((-3, -2, -1, 1, 2, 3))
        c = [lead, *(random.randint(-3, 3) for _ in range(3))]
        if kind in ("sin", "cos"):
            c[1] = random.randint(1, 3)
        elif kind == "exp":
            c[1] = random.choice((-2, -1, 1, 2))
        elif kind == "quotient":
            c[2] = random.randint(1, 3)
            c[3] += c[0] * c[3] == c[1] * c[2]
        size = {"linear": 2, "quotient": 4, "sin": 4, "cos": 4}.get(kind, 3)
        layers.append((kind, tuple(c[:size])))
    return tuple(layers)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_quick_answers_are_those_of_long_integers(n: int) -> None:
    random, certain = Random(n), 0  # noqa: S311
    for _ in range(60):
        layers = random_layers(random, n)
        quick = [zeros(layers, 10), slopes(layers, 10, 1), slopes(layers, 10, -1)]
        quick += [extrema(layers, 10, kinds) for kinds in (BOTH, LOWEST, HIGHEST)]
        found = settled(layers, 10, lambda chain: (_zeros(chain), _pieces(chain)))
        turns = settled(layers, 10, turning_points)
        if found is None or turns is None:
            assert quick[1:] == [None] * 5, layers
            continue
        exact = [found[0], found[1].count(1), found[1].count(-1)]
        exact += [sum(p.kind in kinds for p in turns) for kinds in (BOTH, LOWEST, HIGHEST)]
        pairs = list(zip(quick, exact, strict=True))
        assert all(a in (None, b) for a, b in pairs), (layers, pairs)
        certain += all(a == b for a, b in pairs)
    assert certain > 40


def _zeros(chain: Chain) -> int:
    return len(chain.places(len(chain.layers), Fraction(0), turning=True))


@pytest.mark.parametrize("pick", range(5))
def test_quick_places_are_those_of_long_integers(pick: int) -> None:
    random, certain = Random(pick), 0  # noqa: S311
    for _ in range(60):
        layers = random_layers(random, 3)
        kinds, k = random.choice((BOTH, LOWEST, HIGHEST)), random.randint(1, 3)
        quick = place(layers, 10, kinds, pick, k)
        exact = settled(layers, 10, lambda chain: _x(chain, kinds, pick, k))  # noqa: B023
        if quick is None or exact is None:
            # Only values that are irrational can be told apart here alone.
            assert quick is None or pick in (2, 3), (layers, kinds, pick, k)
            continue
        assert quick == exact, (layers, kinds, pick, k)
        certain += 1
    assert certain >= 3


def test_what_floats_do_not_settle_is_left_open() -> None:
    assert place((("quadratic", (1, -1, 0)),), 10, BOTH, 0, 1) is None  # half-way
    assert place((("quadratic", (1, 0, -2)), ("abs", (1, 0, 0))), 10, LOWEST, 2, 1) is None  # a tie
    assert extrema((("quotient", (0, 1, 1, 0)), ("sin", (1, 1, 0, 0))), 10, BOTH) is None  # many


def word(value: Fraction, *, exact: bool) -> words.Word:
    found = words.fraction(value.numerator, value.denominator)
    return found if exact else (np.int64(0), np.int64(0), found[2], found[3])


def holds(found: words.Word, value: Fraction) -> bool:
    n, d, low, high = found
    if d > 0 and Fraction(int(n), int(d)) != value:
        return False
    return Fraction(float(low)) <= value <= Fraction(float(high))


@given(LARGE, LARGE, FACTOR, FACTOR, st.booleans(), st.booleans())
def test_bounds_hold(
    a: Fraction, b: Fraction, factor: int, constant: int, first: bool, second: bool
) -> None:
    x, y = word(a, exact=first), word(b, exact=second)
    flag = np.zeros(1, np.bool_)
    assert holds(words.affine(x, factor, constant), a * factor + constant)
    assert holds(words.plus(x, y), a + b)
    assert holds(words.times(x, y), a * b)
    assert holds(words.times(words.root(words.times(x, x)), x), abs(a) * a) if a else True
    if b:
        assert holds(words.ratio(x, y, flag), a / b) or flag[0]
    if factor:
        assert holds(words.over_integer(x, factor), a / factor)


@given(st.fractions(-100, 100, max_denominator=60), st.integers(-3, 3))
def test_waves_and_their_inverses_agree(turns: Fraction, shift: int) -> None:
    flag = np.zeros(1, np.bool_)
    for exact in (True, False):
        value = words.sine_of_turns(word(turns, exact=exact), shift, flag)
        assert float(value[2]) - 1e-11 <= np.sin(np.pi * float(turns) + shift)
        assert float(value[3]) + 1e-11 >= np.sin(np.pi * float(turns) + shift)
        assert not flag[0]
    if shift == 0 and abs(turns) <= Fraction(1, 2):
        back = words.arcsine_over_pi(value)
        assert float(back[2]) <= float(turns) + 1e-12
        assert float(back[3]) >= float(turns) - 1e-12
