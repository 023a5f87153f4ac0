"""Complex roots in parts of the plane, and powers: contract, examples, and counts by points."""

import pyarrow as pa
import pytest

from synthgen.contract.registry import generator_class, load_verifier
from synthgen.testing import check_family
from tests.families.verdicts import check_every_line_counts

NAME = "trans_de_moivre"
QUADRANT = "a positive real part and a positive imaginary part"
VALUE = "Let i be the imaginary unit. What is the {} part of ({})^{}? Give an integer."


@pytest.mark.parametrize("level", range(1, 6))
def test_contract(level: int) -> None:
    check_family(NAME, {"levels": (level,)}, rows=200)


def test_contract_of_repeats() -> None:
    check_family(NAME, {"repeats": 3})


def test_the_space_is_what_is_listed() -> None:
    sizes = [generator_class(NAME)(levels=(level,)).space for level in range(1, 6)]
    assert sizes == [928, 1392, 1392, 1180, 1064]
    assert generator_class(NAME)().fewest_problems == 5956


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            f"How many distinct complex roots of the polynomial 1 + x + x^2 + ... + x^11 have "
            f"{QUADRANT}? Give an integer.",
            "2",
        ),
        (
            "How many distinct complex roots of the polynomial 1 - x + x^2 - ... - x^5 have a "
            "positive real part? Give an integer.",
            "3",
        ),
        (
            f"How many complex numbers x with x^8 = 5i have {QUADRANT}? Here i is the imaginary "
            f"unit. Give an integer.",
            "2",
        ),
        (f"How many complex numbers x with x^4 = 7 have {QUADRANT}? Give an integer.", "0"),
        (
            "How many complex numbers x with x^5 = -2 have an argument strictly between 0 and 36 "
            "degrees? Give an integer.",
            "0",
        ),
        (
            "How many complex numbers x with x^5 = -2 have an argument strictly between 0 and 37 "
            "degrees? Give an integer.",
            "1",
        ),
        (VALUE.format("real", "1 + i", 20), "-1024"),
        (VALUE.format("real", "1 + sqrt(3)*i", 7), "64"),
        (VALUE.format("imaginary", "-1 - i", 5), "4"),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    verifier = load_verifier(NAME)
    answers = [answer, str(int(answer) + 1), f"+{answer}", ""]
    right = verifier.check(pa.array([prompt] * 4), pa.array(answers), None)
    assert right.tolist() == [True, False, False, False]


@pytest.mark.parametrize(
    "prompt",
    [
        f"How many distinct complex roots of the polynomial {polynomial} have {QUADRANT}? "
        f"Give an integer."
        for polynomial in (
            "1 + x + x^3 + ... + x^11",
            "1 - x + x^2 - ... + x^5",
            "1 + x + x^2 - ... + x^5",
            "1 - x^2 + x^4 - ... + x^8",
            "1 + x^2 + x^4 + ... + x^9",
            "1 + x + x^2 + ... + x^2",
            "1 + x + x^2 + ... + x^999",
        )
    ]
    + [
        f"How many complex numbers x with {equation} have {region}?{note} Give an integer."
        for equation, region, note in (
            ("x^0 = 5", QUADRANT, ""),
            ("x^8 = 5i", QUADRANT, ""),
            ("x^8 = 5", QUADRANT, " Here i is the imaginary unit."),
            ("x^8 = 05", QUADRANT, ""),
            ("x^8 = 5", "a positive part", ""),
            ("x^8 = 5", "an argument strictly between 40 and 30 degrees", ""),
            ("x^8 = 5", "an argument strictly between 300 and 361 degrees", ""),
        )
    ]
    + [VALUE.format("imaginary", "1 + sqrt(3)*i", 7)],
)
def test_other_prompts_pose_no_problem(prompt: str) -> None:
    verifier = load_verifier(NAME)
    answers = [str(n) for n in range(-5, 20)]
    assert not verifier.check(pa.array([prompt] * 25), pa.array(answers), None).any()


@pytest.mark.parametrize(
    ("prompt", "answer", "lines"),
    [
        (
            f"How many distinct complex roots of the polynomial 1 + x^2 + x^4 + ... + x^10 have "
            f"{QUADRANT}? Give an integer.",
            "2",
            [
                "arguments: 0 + k*30 degrees",
                "between 0 and 90 degrees: k = 1 to 2, 2 in all",
                "of these, solutions of x^2 = 1: 0",
                "2 - 0 = 2",
            ],
        ),
        (
            f"How many complex numbers x with x^4 = 7 have {QUADRANT}? Give an integer.",
            "0",
            ["arguments: 0 + k*90 degrees", "between 0 and 90 degrees: no k"],
        ),
        (
            VALUE.format("real", "1 + i", 20),
            "-1024",
            [
                "modulus: sqrt(2), argument: 45 degrees",
                "argument of the power: 20*45 = 900, modulo 360: 180",
                "real part = 2^10*cos(180) = -1024",
            ],
        ),
    ],
)
def test_steps_by_hand(prompt: str, answer: str, lines: list[str]) -> None:
    check_every_line_counts(NAME, prompt, answer, lines)
