"""Number theory: contracts, answers by hand and by brute force, solutions, levels."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import gcd

import pytest

from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from synthgen.trees.derivations import derivation_text
from tests.families.verdicts import accepts, answer, check_every_line_counts

ROOTS, TUPLES, DIGITS = NAMES = (
    *("numbertheory_lte_qr", "numbertheory_ordered_lte", "numbertheory_qr_sum"),
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("levels", [(1, 2, 3), (4, 5), (6, 7)])
def test_contract(name: str, levels: tuple[int, ...]) -> None:
    check_family(name, {"levels": levels}, rows=120)


# --- worked examples ---


def posed(name: str, kind: str, wording: int = 0, **holes: object) -> str:
    """Fill a wording of a family."""
    words = generator_class(name).words  # type: ignore[attr-defined]
    text: str = words.wordings("instruction", kind)[wording]
    return re.sub(r"\{([a-z]+)\}", lambda match: str(holes[match[1]]), text)


def least(f: str, pe: str, wording: int = 0, x: str = "n") -> str:
    return posed(ROOTS, "least_root", wording, f=f, pe=pe, x=x)


def square(kind: str, pe: str, pf: str, wording: int = 0) -> str:
    return posed(ROOTS, kind, wording, f="m^2 + 1", x="m", pe=pe, pf=pf)


def minus_one(kind: str, pe: str, wording: int = 0, **more: object) -> str:
    return posed(ROOTS, kind, wording, power="x^2", x="x", pe=pe, **more)


def tuples(
    unknowns: str, bound: str, sum_: str, modulus: str, kind: str = "plain", wording: int = 0
) -> str:
    holes = {"unknowns": unknowns, "bound": bound, "sum": sum_, "modulus": modulus}
    return posed(TUPLES, kind, wording, **holes)


def digits(kind: str, d: int, v: int, side: str = "largest", wording: int = 0, **more: int) -> str:
    holes = {"t": 0, "e": d + 1, "ten": 10 ** (d - 1 + (kind == "chained"))} | more
    return posed(DIGITS, kind, wording, d=d, v=v, side=side, **holes)


PAIRS = "ordered pairs (a, b) of positive integers"
TRIPLES = "ordered triples (a, b, c) of positive integers"
CUBES = ("3^2", "a^3 + b^3 + c^3", "3^2")


@pytest.mark.parametrize(
    ("name", "prompt", "wanted"),
    [
        # p = 5, as squares are 0 or 1 mod 4 and mod 3; 57^2 + 1 = 3250 = 125 * 26
        (ROOTS, least("n^2 + 1", "p^3"), "57"),
        (ROOTS, least("x - 3", "p^2", 1, "x"), "3"),
        (ROOTS, least("m^2 + 2", "p", 2, "m"), "2"),  # 2 itself is even
        (ROOTS, least("n^3", "p^4", 3), "4"),
        # p = 2 for the first power of p, but 4 never divides m^2 + 1
        (ROOTS, square("lifted_root", "p^2", "p^3"), "57"),
        (ROOTS, square("largest_root", "p^2", "p^3", 3), "68"),
        (ROOTS, square("largest_root", "p", "p", 1), "1"),
        # 13 is the first prime of 1 + 3 n with a root: 5^2 + 1 = 26, and 70^2 + 1 = 169 * 29
        (ROOTS, minus_one("root_of_minus_one", "p^2", q=3), "70"),
        (ROOTS, minus_one("n_roots", "13^2", 2), "2"),
        (ROOTS, minus_one("n_roots_plus_least", "13^2"), "72"),
        (ROOTS, minus_one("n_roots_plus_least", "2", 3), "2"),
        # cubes modulo 9 are 0, 1 and 8, three times each: 0 + 2 * 0 only
        (TUPLES, tuples(PAIRS, "3^2", "a^3 + 2*b^3", "3^2"), "9"),
        (TUPLES, tuples(TRIPLES, *CUBES, wording=1), "189"),
        # less 13 of even numbers and 27 of multiples of 3, which both have 6, 6, 6
        (TUPLES, tuples(TRIPLES, *CUBES, kind="coprime", wording=2), "150"),
        (TUPLES, tuples("positive integers x", "3^2", "x^3", "3^2", wording=3), "3"),
        (TUPLES, tuples(PAIRS, "2^2", "-a^2 - b^2", "2^2", wording=2), "4"),
        # N = 5694: 1694, 5194, 5614 and 5691 are multiples of 7; 5 + 694
        (DIGITS, digits("change_one", 4, 7, t=1), "699"),
        # every change of 22...2 is one of 2...26...2, with digit sum 6 * 2 + 6 = 18
        (DIGITS, digits("change_one", 7, 9, "smallest", 2, t=6), "222224"),
        (DIGITS, digits("digit_sum", 3, 7, wording=1), "932"),
        (DIGITS, digits("reverse", 3, 8, wording=3), "96"),  # 888
        (DIGITS, digits("reverse", 2, 5), "10"),  # 55; 95 is not divisible backwards
        (DIGITS, digits("alternating", 2, 3, "smallest"), "1"),  # 11
    ],
)
def test_examples_by_hand(name: str, prompt: str, wanted: str) -> None:
    assert answer(name, prompt) == wanted
    assert accepts(name, prompt, wanted)
    for wrong in ("", f"{wanted}0", f"-{wanted}", f"0{wanted}", f"+{wanted}", f"{int(wanted) + 1}"):
        assert not accepts(name, prompt, wrong)


LIFTED = square("lifted_root", "p^2", "p^3")


@pytest.mark.parametrize(
    ("name", "prompt"),
    [
        (ROOTS, square("lifted_root", "p", "p^2")),
        *((ROOTS, minus_one("n_roots", pe)) for pe in ("7^2", "15^2", "p^2", "997^13", "13^02")),
        *((ROOTS, least(f, "p^3")) for f in ("n^99 + 1", "n^2 + 01", "n^2 - 0", "m^2 + 1", "n^1")),
        (ROOTS, least("n^2 + 1", "13^2")),
        (ROOTS, LIFTED.replace("some positive", "some")),
        (ROOTS, LIFTED.replace("f(m)", "f(n)", 1)),
        (ROOTS, minus_one("root_of_minus_one", "p^2", q="03")),
        (TUPLES, tuples(PAIRS.replace("a, b", "a, b, c"), *CUBES)),
        (TUPLES, tuples(PAIRS.replace("a, b", "a, a"), "3^2", "a^3 + a^3", "3^2")),
        *(
            (TUPLES, tuples(PAIRS, "3^2", sum_, "3^2"))
            for sum_ in (
                *("a^3", "a^3 + b^2", "a^2 + b^2", "a^3 + 1*b^3", "a^3  + b^3", "a^3 + b^3 "),
                *("+a^3 + b^3", "a^3 + -b^3", "a^3 + c^3", "a^3 + 02*b^3", "a^3+b^3"),
            )
        ),
        (TUPLES, tuples(PAIRS, "3^2", "a^3 + b^3", "2^2")),
        (TUPLES, tuples(PAIRS, "3^9", "a^3 + b^3", "3^2")),
        (TUPLES, tuples(PAIRS, "9^9", "a^9 + b^9", "9^9")),
        (TUPLES, tuples(PAIRS, "3^2", "a^3 + b^3", "3^2", "coprime")),
        # a multiple of 10 ends with 0, and its reversal begins with one
        (DIGITS, digits("reverse", 6, 10)),
        (DIGITS, digits("reverse", 3, 8, ten=1_000)),
        (DIGITS, digits("digit_sum", 3, 99)),
        (DIGITS, digits("digit_sum", 3, 7).replace("tenth", "third")),
        (DIGITS, digits("change_two", 2, 3, t=1)),
        (DIGITS, digits("change_one", 11, 7, t=1)),
        (DIGITS, digits("change_one", 1, 7, t=1)),
        (DIGITS, digits("chained", 5, 7, t=1, e=5)),
        (DIGITS, digits("swap", 4, 8, "last")),
    ],
)
def test_what_has_no_answer(name: str, prompt: str) -> None:
    assert answer(name, prompt) is None


# --- rows ---


@dataclass(frozen=True)
class Row:
    """A row: its kind, the other parts of its derivation, its texts and axes."""

    kind: str
    numbers: list[int]
    side: str
    prompt: str
    answer: int
    axes: dict[str, int]


def rows_of(name: str, *levels: int) -> Iterator[Row]:
    generator = generator_class(name)(levels=levels)  # type: ignore[call-arg]
    problems = generator.draw(Rows.span(3, 0, generator.space or 0))
    prompts = generator.render(problems, Render("instruction", "none"))
    trees = derivation_text(problems.derivations, generator.signature).to_pylist()
    texts = zip(trees, prompts.prompts.to_pylist(), prompts.answers.to_pylist(), strict=True)
    for i, (tree, prompt, gold) in enumerate(texts):
        kind, *rest = re.findall(r"[-a-z0-9_]+", tree)
        numbers = [int(part) for part in rest if re.fullmatch("-?[0-9]+", part)]
        side = rest[-1] if rest[-1].endswith("est") else "largest"
        axes = {axis: int(values[i]) for axis, values in problems.axes.items()}
        yield Row(kind, numbers, side, prompt, int(gold), axes)


RANKS = {"swap": 3, "digit_sum": 10}


def test_axes_are_the_numbers_of_the_problem() -> None:
    for row in rows_of(DIGITS, 1, 2):
        assert [row.axes["n_digits"], row.axes["digit_divisor"]] == row.numbers[:2]
    for row in rows_of(TUPLES, 1, 2):
        coefficients = row.numbers[3:]
        assert row.axes["n_unknowns"] == len(coefficients)
        assert coefficients == sorted(coefficients)
    for row in rows_of(ROOTS, 1, 2):
        prime_first = row.kind.startswith("n_roots") or row.kind == "root_of_minus_one"
        k, lifted = row.numbers[prime_first], row.numbers[-1]
        assert (row.axes["root_exponent"], row.axes["prime_power"]) == (k, lifted)


# --- levels, texts, solutions ---


@pytest.mark.parametrize(
    ("name", "windows"),
    [
        (ROOTS, [(1, 10), (1, 100), (10, 100), (100, 1_000), (1_000, 10**7)]),
        (TUPLES, [(1, 10), (1, 100), (10, 100), (100, 999)]),
    ],
)
def test_answers_lie_where_the_level_says(name: str, windows: list[tuple[int, int]]) -> None:
    for level, (low, high) in enumerate(windows, 1):
        found = [row.answer for row in rows_of(name, level)]
        assert low <= min(found)
        assert max(found) <= high


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        (ROOTS, [229, 396, 168, 172, 323, 2108, 784]),
        (TUPLES, [37, 42, 144, 1015, 856, 3057, 1522]),
        (DIGITS, [94, 198, 166, 195, 423, 228, 291]),
    ],
)
def test_levels_list_all_their_problems(name: str, sizes: list[int]) -> None:
    kind = generator_class(name)
    spaces = [kind(levels=(level,)).space for level in range(1, 8)]  # type: ignore[call-arg]
    assert spaces == sizes


def test_a_congruence_is_one_problem_up_to_a_unit_and_the_order_of_terms() -> None:
    listed = Counter(tuple(row.numbers) for row in rows_of(TUPLES, 3))
    assert set(listed.values()) == {1}
    for b, i, j in product((3, 4), (2, 3), (2, 3)):
        units = [u for u in range(b**j) if gcd(u, b) == 1]
        for pair in product((*range(-4, 0), *range(1, 5)), repeat=2):
            images = {tuple(sorted(u * c % b**j for c in pair)) for u in units}
            equal = [
                (numbers[3], numbers[4])
                for numbers in listed
                if numbers[:3] == (b, i, j)
                and len(numbers) == 5
                and tuple(sorted(c % b**j for c in numbers[3:])) in images
            ]
            solutions = [x for x in product(range(1, b**i + 1), repeat=2) if fits(pair, x, b, j)]
            asked = 10 <= len(solutions) % 1_000 <= 100 and any(c % b for c in pair)
            assert len(equal) == asked
            for other in equal:
                same = [x for x in product(range(1, b**i + 1), repeat=2) if fits(other, x, b, j)]
                assert solutions in (same, sorted(x[::-1] for x in same))


def fits(pair: tuple[int, int], x: tuple[int, int], b: int, j: int) -> bool:
    return (pair[0] * x[0] ** b + pair[1] * x[1] ** b) % b**j == 0


def test_exponents_of_one_and_offsets_of_zero_are_not_written() -> None:
    for row in rows_of(ROOTS, 1):
        assert not re.search(r"\^1\b(?!0)|[+-] 0|\+ -", row.prompt)


def test_every_numeral_is_a_parameter() -> None:
    for row in rows_of(DIGITS, 1, 4):
        numerals = list(map(int, re.findall("[0-9]+", row.prompt)))
        d, v, *t = row.numbers
        ten = 10 ** (d - 1 + (row.kind == "chained"))
        given = [d, v, *t, *([d + 1] if row.kind == "chained" else [])]
        assert sorted(numerals) == sorted([*given, *([] if row.kind in RANKS else [ten])])


ONE_OF_SEVEN = [
    *("N = 5694", "1694 = 7 * 242", "5194 = 7 * 742", "5614 = 7 * 802", "5691 = 7 * 813"),
    *("5694 = 5 * 1000 + 694", "5 + 694 = 699"),
]


@pytest.mark.parametrize(
    ("name", "prompt", "gold", "lines"),
    [
        (
            ROOTS,
            least("n^2 + 1", "p^3"),
            "57",
            [
                *("p = 2: no root modulo 8", "p = 3: no root modulo 27"),
                *("p = 5: 57 is a root modulo 125", "roots modulo 5: 2, 3"),
                *("roots modulo 25: 7, 18", "roots modulo 125: 57, 68"),
                *("57^2 + 1 = 3250", "3250 = 125 * 26"),
            ],
        ),
        (
            ROOTS,
            minus_one("n_roots", "13^2"),
            "2",
            ["roots modulo 13: 5, 8", "roots modulo 169: 70, 99", "number of roots: 2"],
        ),
        (
            TUPLES,
            tuples(PAIRS, "3^2", "a^3 + 2*b^3", "3^2"),
            "9",
            [
                "residues, each with the number of its occurrences:",
                *("coefficient 1: 0 (3), 1 (3), 8 (3)", "coefficient 2: 0 (3), 2 (3), 7 (3)"),
                *("N = 9", "9 = 1000 * 0 + 9"),
            ],
        ),
        (
            TUPLES,
            tuples(TRIPLES, *CUBES, kind="coprime"),
            "150",
            [
                "triples of multiples of d, with the sign of Moebius's function:",
                *("d = 1: 189", "d = 2: -13", "d = 3: -27", "d = 6: 1"),
                *("N = 150", "150 = 1000 * 0 + 150"),
            ],
        ),
        (DIGITS, digits("change_one", 4, 7, t=1), "699", ONE_OF_SEVEN),
        (
            DIGITS,
            digits("swap", 4, 8),
            "9284",
            [
                *("in order: 9684, 9604, 9284", "N = 9284"),
                *("2984 = 8 * 373", "9824 = 8 * 1228", "9248 = 8 * 1156"),
            ],
        ),
        (
            DIGITS,
            digits("alternating", 3, 8, "smallest"),
            "7",
            ["N = 107", "8 = 8 * 1", "107 = 1 * 100 + 7"],
        ),
    ],
)
def test_every_line_of_a_solution_counts(
    name: str, prompt: str, gold: str, lines: list[str]
) -> None:
    check_every_line_counts(name, prompt, gold, lines)
