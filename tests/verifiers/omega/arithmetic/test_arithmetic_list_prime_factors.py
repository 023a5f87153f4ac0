"""Prime factors from the text: published examples, limits of factoring, and wrong ways."""

from __future__ import annotations

from math import prod

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import isprime, nextprime

from synthgen.verifiers.omega.arithmetic._factors import is_prime, prime_factors
from synthgen.verifiers.omega.arithmetic.arithmetic_list_prime_factors import VERIFIER

QUESTION = "Find the second-largest prime that divides {}. Give an integer."
WAY = "33263 = 29 * 1147\n1147 = 31 * 37\n37 > 31 > 29, second 31"


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("n", "answer"),
    [("33263", "31"), ("10282", "53"), ("6", "2"), ("12", "2"), ("360", "3"), ("99999", "41")],
)
def test_examples_by_hand(n: str, answer: str) -> None:
    prompt = QUESTION.format(n)
    assert accepts(prompt, answer)
    assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
    assert not accepts(prompt, str(int(answer) + 1))


def test_the_number_may_be_defined_before() -> None:
    prompt = "Let b be 30000 + 3263. " + QUESTION.format("b")
    assert accepts(prompt, "31", "b = 33263\n" + WAY)
    assert not accepts(prompt, "31", WAY)
    assert VERIFIER.symbolic(pa.array([prompt]), pa.array(["31"])).all()
    assert VERIFIER.answer(QUESTION.format("b")) is None


@pytest.mark.parametrize("n", ["0", "1", "2", "7", "49", "1024", "-6", "06", "4.0"])
def test_fewer_than_two_primes_have_no_second(n: str) -> None:
    assert VERIFIER.answer(QUESTION.format(n)) is None


def test_two_large_primes_are_given_up() -> None:
    large = 1_000_003 * 1_000_033
    assert prime_factors(large) is None
    assert prime_factors(large * 100_003) is None
    assert prime_factors(100_003 * 1_000_003) == [100_003, 1_000_003]
    assert VERIFIER.answer(QUESTION.format(large)) is None
    assert not VERIFIER.symbolic(pa.array([QUESTION.format(large)]), pa.array(["1000003"])).any()


@settings(max_examples=300, deadline=None, database=None)
@given(st.integers(3, 2**64), st.booleans())
def test_primality_below_and_above_one_word(n: int, prime: bool) -> None:
    candidate = int(nextprime(n)) if prime else n
    assert is_prime(candidate) == isprime(candidate)


@pytest.mark.parametrize(
    "n", [2_047, 3_215_031_751, 3_825_123_056_546_413_051, 2**61 - 1, 2**63 - 25, 2**63 + 29]
)
def test_primality_of_strong_pseudoprimes_and_at_the_end_of_a_word(n: int) -> None:
    assert is_prime(n) == isprime(n)


@settings(max_examples=80, deadline=None, database=None)
@given(st.lists(st.integers(2, 3_000), min_size=1, max_size=9), st.booleans())
def test_factors_are_primes_and_multiply_to_the_number(parts: list[int], large: bool) -> None:
    n = prod(parts) * (10**18 + 3 if large else 1)
    factors = prime_factors(n)
    assert factors is not None
    assert factors == sorted(factors)
    assert prod(factors) == n
    assert all(all(p % d for d in range(2, int(p**0.5) + 1)) for p in factors if p < 10**6)
    assert (10**18 + 3 in factors) == large


def test_primes_by_their_definition() -> None:
    small = [n for n in range(2, 2_000) if all(n % d for d in range(2, int(n**0.5) + 1))]
    assert [n for n in range(2_000) if is_prime(n)] == small
    assert is_prime(2**61 - 1)
    assert not is_prime(3_215_031_751)
    assert not is_prime(3_825_123_056_546_413_051)
    assert not is_prime(2**89 - 1)  # a prime, but above what the bases prove


@pytest.mark.parametrize(
    "way",
    [
        "",
        "37 > 31 > 29, second 31",
        WAY.replace("29 * 1147", "31 * 1073"),
        WAY.replace("second 31", "second 29"),
        WAY.replace("37 > 31 > 29", "31 > 37 > 29"),
        WAY + "\n37 > 31 > 29, second 31",
        "33263 = 29 * 1147\n37 > 31 > 29, second 31",
    ],
)
def test_steps_must_be_divisions_by_growing_primes(way: str) -> None:
    assert accepts(QUESTION.format(33263), "31", WAY)
    assert not accepts(QUESTION.format(33263), "31", way)
