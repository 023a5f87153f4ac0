"""Extreme numbers by their digits: examples by hand, brute force, and the questions' defects."""

from __future__ import annotations

from itertools import combinations

import pytest

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.generators.omega._listed import listing_of
from synthgen.generators.omega.numbertheory._digit_search import Property, digits_lcm, extremes
from synthgen.generators.omega.numbertheory.numbertheory_qr_sum import NumbertheoryQrSum

KINDS = ("change_one", "change_two", "swap", "alternating", "digit_sum", "reverse")


def holds(wanted: Property, number: int) -> bool:
    """Test a number by the definition."""
    text, v, t = str(number), wanted.divisor, str(wanted.target)
    if wanted.kind in ("change_one", "change_two"):
        for places in combinations(range(len(text)), KINDS.index(wanted.kind) + 1):
            changed = "".join(t if i in places else c for i, c in enumerate(text))
            if int(changed) % v:
                return False
        return True
    if wanted.kind == "swap":
        swapped = (text[:i] + text[i + 1] + text[i] + text[i + 2 :] for i in range(len(text) - 1))
        return all(int(changed) % v == 0 for changed in swapped)
    if wanted.kind == "reverse":
        return number % v == 0 and int(text[::-1]) % v == 0
    sign = -1 if wanted.kind == "alternating" else 1
    return sum(int(c) * sign**i for i, c in enumerate(text)) % v == 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("digits", [2, 3])
def test_short_numbers_by_brute_force(kind: str, digits: int) -> None:
    if kind == "change_two" and digits == 2:
        pytest.skip("every number of two digits becomes the same one")
    for divisor in range(3, 17):
        for target in (1, 5, 9) if kind.startswith("change") else (0,):
            wanted = Property(kind, digits, divisor, target)
            numbers = range(10 ** (digits - 1), 10**digits)
            tried = tuple(number for number in numbers if holds(wanted, number))
            assert extremes(wanted, 10, largest=False) == tried[:10]
            assert extremes(wanted, 10, largest=True) == tried[::-1][:10]


@pytest.mark.parametrize("kind", KINDS)
def test_long_numbers_have_the_property(kind: str) -> None:
    target = 7 if kind.startswith("change") else 0
    for divisor in range(5, 13):
        for largest in (False, True):
            wanted = Property(kind, 7, divisor, target)
            found = extremes(wanted, 3, largest=largest)
            assert list(found) == sorted(set(found), reverse=largest)
            assert all(holds(wanted, number) and len(str(number)) == 7 for number in found)


def answers(level: int) -> dict[object, str]:
    return {one.tree: one.answer for one in listing_of(NumbertheoryQrSum((level,))).made}


def test_examples_by_hand() -> None:
    # N = 5694: 1694, 5194, 5614 and 5691 are multiples of 7; 5 + 694
    assert answers(3)["change_one", 4, 7, 1, "largest"] == "699"
    assert answers(2)["digit_sum", 3, 7, "largest"] == "932"


def test_a_reversal_asks_for_quotient_plus_remainder() -> None:
    # 888 is the largest multiple of 8 that is one backwards, too; 8 + 88, and not 888
    assert answers(2)["reverse", 3, 8, "largest"] == "96"


def test_only_solvable_questions_are_asked() -> None:
    # a multiple of 10 ends with 0, and its reversal begins with one
    assert ("reverse", 6, 10, "largest") not in answers(5)
    assert extremes(Property("reverse", 6, 10), 1, largest=True) == ()
    # but where R is 0 there is an answer: N = 10...
    assert any(answer == "1" for answer in answers(1).values())


def test_numbers_of_two_digits_are_the_shortest_and_never_change_twice() -> None:
    assert {tree[1] for tree in answers(1)} == {2}  # type: ignore[index]
    assert not any(tree[0] == "change_two" for tree in answers(1))  # type: ignore[index]


def test_a_chain_goes_on_from_the_largest_number() -> None:
    chained = [one for one in listing_of(NumbertheoryQrSum((4,))).made if one.facts.other]
    assert chained
    for one in chained:
        extreme = one.facts
        numbers = range(99_999, 9_999, -1)
        assert extreme.numbers[0] == next(n for n in numbers if holds(extreme.wanted, n))
        assert extreme.divisor == digits_lcm(extreme.numbers[0])
        assert holds(Property("reverse", 6, extreme.divisor), extreme.other)
        quotient, remainder = divmod(extreme.other, 10**5)
        assert one.answer == str(quotient + remainder)


def test_zeros_do_not_count_in_a_least_common_multiple() -> None:
    assert digits_lcm(40_060) == 12


def test_every_level_has_every_solvable_question() -> None:
    for level, digits, divisors in ((1, 2, range(3, 8)), (2, 3, range(3, 10))):
        solvable = 0
        for kind in KINDS:
            if (kind, digits) == ("change_two", 2):
                continue
            rank = {"swap": 3, "digit_sum": 10}.get(kind, 1)
            for divisor in divisors:
                for target in range(1, 10) if kind.startswith("change") else (0,):
                    wanted = Property(kind, digits, divisor, target)
                    numbers = range(10 ** (digits - 1), 10**digits)
                    found = sum(holds(wanted, number) for number in numbers)
                    solvable += 2 * (found >= rank)
        assert NumbertheoryQrSum((level,)).space == solvable


def test_the_text_names_the_power_of_ten_of_the_number() -> None:
    generator = NumbertheoryQrSum()
    problems = generator.draw(Rows.span(3, 0, 300))
    prompts = generator.render(problems, Render("instruction", "none")).prompts.to_pylist()
    made = [listing_of(generator).made[i] for i in problems.parts["index"]]
    for prompt, one in zip(prompts, made, strict=True):
        _, number, ten = one.facts.asked
        assert ten <= number < 10 * ten
        assert (f" {ten}" in prompt) == (one.facts.kind not in ("swap", "digit_sum"))
