"""Roots modulo prime powers: examples by hand, brute force, and the published defects."""

from __future__ import annotations

import pytest

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.generators.omega._listed import listing_of
from synthgen.generators.omega.numbertheory._residues import least_prime, primes, roots
from synthgen.generators.omega.numbertheory.numbertheory_lte_qr import NumbertheoryLteQr

WINDOWS = {1: (1, 10), 2: (1, 100), 3: (10, 100), 4: (100, 1_000), 5: (1_000, 10**7)}


def answers(*levels: int) -> dict[object, str]:
    return {one.tree: one.answer for one in listing_of(NumbertheoryLteQr(levels)).made}


def test_examples_by_hand() -> None:
    # p = 5, as squares are 0 or 1 mod 4 and mod 3; 57^2 + 1 = 3250 = 125 * 26
    assert answers(2)["least_root", 2, 1, 3] == "57"
    # 70^2 + 1 = 4901 = 169 * 29 and 99 = 169 - 70: two roots, 2 + 70
    assert answers(2)["n_roots_plus_least", 13, 2, 2] == "72"
    assert answers(2)["n_roots", 13, 2, 2] == "2"


@pytest.mark.parametrize("k", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("offset", [-2, -1, 0, 1, 2, 4])
def test_roots_by_brute_force(k: int, offset: int) -> None:
    for prime, power in ((2, 1), (2, 5), (3, 4), (5, 3), (7, 2), (13, 2)):
        modulus = prime**power
        tried = [n for n in range(modulus) if (n**k + offset) % modulus == 0]
        assert list(roots(k, offset, prime, power)) == tried


def test_the_least_prime_by_brute_force() -> None:
    for k in (2, 3, 4):
        for offset in (-3, 1, 2):
            for modulus in (1, 3, 4):
                found = least_prime(k, offset, 2, modulus)
                tried = next(
                    p
                    for p in primes()
                    if p % modulus == 1 % modulus
                    and any((n**k + offset) % p**2 == 0 for n in range(p**2))
                )
                assert found == tried


@pytest.mark.parametrize("level", WINDOWS)
def test_answers_lie_where_the_level_says(level: int) -> None:
    low, high = WINDOWS[level]
    found = [int(answer) for answer in answers(level).values()]
    assert low <= min(found)
    assert max(found) <= high


def test_a_root_that_is_the_modulus_itself_is_found() -> None:
    # n^2 + 2 is even for even n: the least positive n is 2 = p^1, which a search below p^1 misses
    assert answers(1)["least_root", 2, 2, 1] == "2"
    assert answers(1)["least_root", 2, -2, 1] == "2"


def test_a_lifted_root_is_one_of_the_higher_power() -> None:
    made = listing_of(NumbertheoryLteQr()).made
    lifted = [one for one in made if one.tree[0] == "lifted_root"]  # type: ignore[index]
    assert lifted
    for one in lifted[::10]:
        root = one.facts
        value = int(one.answer) ** root.k + root.offset
        assert root.lifted > root.power
        assert value % root.prime**root.lifted == 0


def test_the_largest_root_has_a_limit() -> None:
    made = listing_of(NumbertheoryLteQr((2,))).made
    largest = [one for one in made if one.tree[0] == "largest_root"]  # type: ignore[index]
    for one in largest:
        root = one.facts
        modulus = root.prime**root.lifted
        later = range(int(one.answer) + 1, modulus + 1)
        assert not any((n**root.k + root.offset) % modulus == 0 for n in later)


def test_no_question_has_no_root_or_one_for_every_prime() -> None:
    for one in listing_of(NumbertheoryLteQr()).made:
        root = one.facts
        assert root.all
        assert not (one.tree[0] in ("least_root", "lifted_root") and root.offset == -1)  # type: ignore[index]


def test_the_solution_tries_the_primes() -> None:
    generator = NumbertheoryLteQr((2,))
    made = next(one for one in listing_of(generator).made if one.tree == ("least_root", 2, 1, 3))
    assert generator.steps(made).splitlines() == [
        "p = 2: no root modulo 8",
        "p = 3: no root modulo 27",
        "p = 5: root 57 modulo 125",
        "roots modulo 125: 57, 68",
        "57^2 + 1 = 3250",
        "3250 = 125 * 26",
    ]


def test_exponents_of_one_and_offsets_of_zero_are_not_written() -> None:
    generator = NumbertheoryLteQr((1,))
    problems = generator.draw(Rows.span(3, 0, generator.space or 0))
    prompts = generator.render(problems, Render("instruction", "none")).prompts.to_pylist()
    assert not any("^1 " in prompt or "+ 0" in prompt or "+ -" in prompt for prompt in prompts)
