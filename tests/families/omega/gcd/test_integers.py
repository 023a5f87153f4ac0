"""Divisors and factors of integers."""

import pytest

from synthgen.contract.registry import load_verifier
from synthgen.testing import check_family


@pytest.mark.parametrize("level", range(1, 8))
def test_contract_of_gcd(level: int) -> None:
    check_family("arithmetic_gcd", {"levels": (level,)})


def test_gcd_by_hand() -> None:
    verifier = load_verifier("arithmetic_gcd")
    assert verifier.answer("Compute gcd(84, 36). The answer is an integer.") == "12"
    assert verifier.answer("Compute gcd(84, 036). The answer is an integer.") is None
