"""Kernels modulo primes against expansions: inverses, ranks and characteristic polynomials."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.verifiers.omega.arithmetic._matrix_local import last_three_digits
from synthgen.verifiers.omega.arithmetic._matrix_residues import (
    adjugate_mod,
    characteristic_mod,
    gram_mod,
    inverse_mod,
    inverse_table,
    primes_below,
    rank_mod,
    signed_value,
)
from tests.generators.omega.arithmetic import matrix_oracle as oracle

quick = settings(max_examples=60, deadline=None, database=None, derandomize=True)
matrices = st.integers(1, 4).flatmap(
    lambda n: st.lists(
        st.lists(st.integers(-4, 4) | st.integers(-(10**6), 10**6), min_size=n, max_size=n),
        min_size=n,
        max_size=n,
    )
)


def test_primes_are_prime_and_their_inverses_are_right() -> None:
    from sympy import isprime

    primes = primes_below()
    assert all(isprime(p) for p in primes.tolist())
    assert len(set(primes.tolist())) == len(primes)
    table = inverse_table()
    products = primes[:, None] * table % primes[None, :]
    assert (products[~np.eye(len(primes), dtype=bool)] == 1).all()


@given(matrices)
@quick
def test_against_expansions(matrix: list[list[int]]) -> None:
    p = int(primes_below()[0])
    n = len(matrix)
    residues = np.array(matrix) % p
    whole = oracle.expanded(matrix)
    adjugate, determinant = adjugate_mod(residues.copy(), p)
    assert (whole - determinant) % p == 0
    assert rank_mod(residues.copy(), p) == len(oracle.echelon(matrix))
    product = np.array(
        [
            [
                sum(map(int.__mul__, row, column)) % p
                for column in zip(*adjugate.tolist(), strict=True)
            ]
            for row in residues.tolist()
        ]
    )
    assert np.array_equal(product, np.eye(n, dtype=np.int64) * determinant)
    entries, offsets, sizes = oracle.flat(matrix)
    assert last_three_digits(entries, offsets, sizes).tolist() == [whole % 1000]


@given(matrices)
@quick
def test_characteristic_polynomials(matrix: list[list[int]]) -> None:
    """det(x - A) at n + 1 points decides the polynomial."""
    p = int(primes_below()[3])
    n = len(matrix)
    coefficients = characteristic_mod(np.array(matrix) % p, p).tolist()
    assert coefficients[n] == 1
    for x in range(n + 1):
        shifted = [[(x if r == c else 0) - matrix[r][c] for c in range(n)] for r in range(n)]
        value = sum(coefficient * x**k for k, coefficient in enumerate(coefficients))
        assert (value - oracle.expanded(shifted)) % p == 0


def test_gram_matrices_do_not_overflow() -> None:
    p = int(primes_below()[0])
    residues = np.full((20, 20), p - 1)
    assert (gram_mod(residues, p) == 20).all()


@given(st.integers(-(10**80), 10**80))
@quick
def test_signed_values(value: int) -> None:
    primes = tuple(primes_below()[:9].tolist())
    assert signed_value([value % p for p in primes], primes) == value


@given(st.integers(1, 2**30 - 36))
@quick
def test_inverses(value: int) -> None:
    p = int(primes_below()[0])
    assert inverse_mod(value, p) * value % p == 1
    assert inverse_mod(3, 8) == 3
    assert inverse_mod(7, 125) * 7 % 125 == 1
