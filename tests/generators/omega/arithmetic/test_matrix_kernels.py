"""Kernels of matrix arithmetic against the plainest ways, on small and on awkward matrices."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.generators.omega.arithmetic import _matrix_inverse as inverses
from synthgen.generators.omega.arithmetic import _matrix_power as powers
from synthgen.generators.omega.arithmetic import _matrix_singular as singular
from synthgen.generators.omega.arithmetic._matrix_determinant import (
    determinants_mod_1000,
    prime_tables,
    ranks_mod,
)
from synthgen.generators.omega.arithmetic._matrix_steps import adjugate
from tests.generators.omega.arithmetic import matrix_oracle as oracle

SINGULAR = [[1, 2, 3], [2, 4, 6], [1, 0, 1]]
quick = settings(max_examples=60, deadline=None, database=None, derandomize=True)


def squares(largest: int, most: int = 4) -> st.SearchStrategy[list[list[int]]]:
    def of_size(n: int) -> st.SearchStrategy[list[list[int]]]:
        row = st.lists(st.integers(-largest, largest), min_size=n, max_size=n)
        return st.lists(row, min_size=n, max_size=n)

    return st.integers(2, most).flatmap(of_size)


@given(squares(3) | squares(99))
@quick
def test_determinants_and_ranks(matrix: list[list[int]]) -> None:
    entries, offsets, sizes = oracle.flat(matrix)
    primes, tables = prime_tables()
    whole = oracle.expanded(matrix)
    found = determinants_mod_1000(entries, offsets, sizes, primes, tables)
    assert found.tolist() == [whole % 1000 if whole else -1]
    assert ranks_mod(entries, offsets, sizes, primes[0]).tolist() == [len(oracle.echelon(matrix))]


def test_a_large_determinant_keeps_its_sign() -> None:
    size = 20
    matrix = (np.eye(size, dtype=np.int64) * 99 + np.tri(size, k=-1, dtype=np.int64)).tolist()
    turned = [matrix[1], matrix[0], *matrix[2:]]
    entries, offsets, sizes = oracle.flat(matrix, turned)
    found = determinants_mod_1000(entries, offsets, sizes, *prime_tables()).tolist()
    assert found == [99**size % 1000, -(99**size) % 1000]


def rounded(value: Fraction) -> int | None:
    """Half-integers have none."""
    return None if (2 * value).denominator == 1 and value.denominator == 2 else round(value)


ASKED: dict[int, Callable[[list[list[Fraction]]], set[Fraction]]] = {
    inverses.SUM: lambda rows: {sum((x for row in rows for x in row), Fraction())},
    inverses.ABS_SUM: lambda rows: {sum((abs(x) for row in rows for x in row), Fraction())},
    inverses.TRACE: lambda rows: {sum((row[k] for k, row in enumerate(rows)), Fraction())},
    inverses.LARGEST: lambda rows: {
        x for row in rows for x in row if abs(x) == max(abs(y) for line in rows for y in line)
    },
    inverses.ENTRY: lambda rows: {rows[1][0]},
}


@given(squares(9), st.integers(1, 300), st.sampled_from(sorted(ASKED)))
@quick
def test_inverses_are_rounded_or_undecided(matrix: list[list[int]], scale: int, asked: int) -> None:
    flat = oracle.flat(matrix)
    numbers = np.array([[scale, 2, 1]])
    found = int(inverses.rounded_values(*flat, np.array([asked]), numbers)[0])
    exact = oracle.inverse(matrix)
    if exact is None:
        assert found == inverses.UNDECIDED
        return
    wanted = {rounded(scale * value) for value in ASKED[asked](exact)}
    if None in wanted or len(wanted) > 1:
        assert found == inverses.UNDECIDED
    else:
        assert found in (wanted.pop(), inverses.UNDECIDED)
        assert found != inverses.UNDECIDED or any(abs(x) > 9 for row in exact for x in row)


@given(squares(9))
@quick
def test_the_inverse_of_the_steps(matrix: list[list[int]]) -> None:
    exact = oracle.inverse(matrix)
    if exact is None:
        return
    numerators, denominator = adjugate(matrix)
    assert denominator > 0
    assert [[Fraction(x, denominator) for x in row] for row in numerators] == exact
    assert np.gcd.reduce([denominator, *(x for row in numerators for x in row)]) == 1


@given(squares(4) | squares(99, 6))
@quick
def test_singular_values_are_rounded_or_undecided(matrix: list[list[int]]) -> None:
    flat = oracle.flat(matrix, matrix, matrix)
    found = singular.rounded_values(*flat, np.arange(3)).tolist()
    values = oracle.singular_values(matrix)
    wanted = [max(values), mpmath.fsum(values), max(values) - min(values)]
    if min(values) < 1e-6:
        assert found == [-1, -1, -1]
        return
    for one, value in zip(found, wanted, strict=True):
        near_a_half = abs(value - mpmath.floor(value) - 0.5) < 1e-3
        assert one == int(mpmath.nint(value)) or (one == -1 and near_a_half)


def test_absolute_eigenvalues_of_symmetric_matrices_are_singular_values() -> None:
    matrix = [[4, -7, 2], [-7, 1, 9], [2, 9, -12]]
    flat = oracle.flat(matrix, matrix)
    found = singular.rounded_values(*flat, np.array([singular.LARGEST, singular.SUM]))
    values = [abs(value) for value in oracle.eigenvalues(matrix)]
    assert found.tolist() == [round(float(max(values))), round(float(mpmath.fsum(values)))]


def test_a_bound_that_does_not_decide_gives_no_answer() -> None:
    """1/2 is as near to 0 as to 1, and a singular matrix has no inverse at all."""
    halves = [[2, 0], [0, 1]]
    flat = oracle.flat(halves, SINGULAR)
    numbers, asked = np.array([[1, 1, 1], [1, 1, 1]]), np.array([inverses.ENTRY] * 2)
    found = inverses.rounded_values(*flat, asked, numbers).tolist()
    assert found == [inverses.UNDECIDED] * 2


@given(squares(99, 5), st.integers(2, 12))
@quick
def test_powers(matrix: list[list[int]], exponent: int) -> None:
    n = len(matrix)
    whole = matrix
    for _ in range(exponent - 1):
        whole = oracle.product(whole, matrix)
    numbers = np.array([[exponent, n, 1]] * 3)
    asked = np.array([powers.SUM, powers.ABS_SUM, powers.ENTRY])
    limbs = powers.power_values(*oracle.flat(matrix, matrix, matrix), asked, numbers).tolist()
    shift = powers.LIMB_BITS
    found = [(high << 2 * shift) + (middle << shift) + low for high, middle, low in limbs]
    cells = [x for row in whole for x in row]
    assert found == [sum(cells), sum(map(abs, cells)), whole[n - 1][0]]


def test_the_largest_power_fits() -> None:
    matrix = [[-99] * 20] * 20
    numbers = np.array([[12, 20, 20]] * 2)
    asked = np.array([powers.ABS_SUM, powers.ENTRY])
    limbs = powers.power_values(*oracle.flat(matrix, matrix), asked, numbers).tolist()
    shift = powers.LIMB_BITS
    found = [(high << 2 * shift) + (middle << shift) + low for high, middle, low in limbs]
    assert found == [400 * 99**12 * 20**11, 99**12 * 20**11]


@pytest.mark.parametrize("asked", range(4))
def test_products(asked: int) -> None:
    left, right = [[1, -2], [0, 3], [4, 5]], [[2, 0, 1], [-3, 1, -4]]
    whole = oracle.product(left, right)
    dims, numbers = np.array([[3, 2, 3]]), np.array([[3, 1]])
    entries, offsets, _ = oracle.flat(left, right)
    found = powers.product_values(entries, offsets, dims, np.array([asked]), numbers)[0]
    cells = [x for row in whole for x in row]
    wanted = {powers.SUM: sum(cells), powers.ABS_SUM: sum(map(abs, cells))}
    wanted |= {powers.ENTRY: whole[2][0], powers.TRACE: sum(whole[k][k] for k in range(3))}
    assert found == wanted[asked]
