"""Contracts, levels and definitions; answers by hand, and solutions that do not lead to them."""

import re
from fractions import Fraction
from itertools import product
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import factorint

from synthgen.contract.answers import grade
from synthgen.contract.interfaces import Generator, Problems, Render, Texts
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from tests.families.verdicts import accepts, answer

COMPOSED = (
    *("algebra_linear_equation", "algebra_polynomial_roots"),
    *("arithmetic_list_prime_factors", "arithmetic_mixed"),
)
LEVELS = range(1, 8)


def made(name: str, n: int = 150, **params: Any) -> tuple[Generator, Problems, Texts]:
    """Draw rows, keep the valid ones and render them."""
    generator = generator_class(name)(**params)
    drawn = generator.draw(Rows.span(3, 0, n))
    assert drawn.valid.mean() > 0.95
    problems = generator.draw(Rows(3, drawn.rows.addresses[drawn.valid]))
    return generator, problems, generator.render(problems, Render("instruction", "steps"))


@pytest.mark.parametrize("levels", [(1, 2, 3), (4, 5)])
@pytest.mark.parametrize("name", [*COMPOSED, "comp_polynomial_gcd"])
def test_contract(name: str, levels: tuple[int, ...]) -> None:
    check_family(name, {"levels": levels}, rows=150)


@pytest.mark.parametrize("name", COMPOSED)
def test_contract_of_the_highest_levels(name: str) -> None:
    check_family(name, {"levels": (6, 7)}, rows=100)


@pytest.mark.parametrize("name", COMPOSED)
def test_any_level_takes_any_number_of_definitions(name: str) -> None:
    check_family(name, {"definitions": (0, 4)}, rows=100)
    for n in (0, 4):
        generator, problems, texts = made(name, definitions=(n, n))
        assert (problems.axes["n_definitions"] == n).all()
        assert (generator.axes["n_definitions"].low, generator.axes["n_definitions"].high) == (n, n)
        starts = [len(re.findall(r"(?:Let|Suppose) ", text)) for text in texts.prompts.to_pylist()]
        assert n == 0 or min(starts) >= 2


@pytest.mark.parametrize(
    "definitions", [(1,), (2, 1), (0, 5), (-1, 2), (True, 2), ("0", 1), 3, [0, 1], (0, 1, 2)]
)
def test_other_numbers_of_definitions_are_refused(definitions: object) -> None:
    with pytest.raises(ParamError, match=r"definitions=.*from 0 to 4"):
        generator_class("arithmetic_mixed")(definitions=definitions)


@pytest.mark.parametrize("name", [*COMPOSED, "comp_polynomial_gcd"])
def test_all_numerals_belong_to_the_problem(name: str) -> None:
    for _, _, wording in generator_class(name).words.numbered:  # type: ignore[attr-defined]
        assert not re.search("[0-9]", wording)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", COMPOSED)
def test_no_answer_can_be_guessed(name: str, level: int) -> None:
    answers = made(name, 300, levels=(level,))[2].answers.to_pylist()
    assert max(map(answers.count, set(answers))) < 0.25 * len(answers)


@pytest.mark.parametrize("level", LEVELS)
def test_systems_have_the_unknowns_and_definitions_of_their_level(level: int) -> None:
    _, problems, texts = made("algebra_linear_equation", levels=(level,))
    assert (problems.axes["n_unknowns"] == level + 1).all()
    wanted = [(0, 0), (1, 2), (1, 2), (1, 2), (2, 3), (2, 3), (2, 4)][level - 1]
    n_definitions = problems.axes["n_definitions"]
    assert (n_definitions.min(), n_definitions.max()) == wanted
    assert texts.solutions is not None
    for solution, digits in zip(
        texts.solutions.to_pylist(), problems.axes["digits"].tolist(), strict=True
    ):
        rows = [line for line in solution.split("\n") if re.match(r"\([0-9]+\) [^:]+$", line)]
        assert len(rows) == level + 1
        numbers = re.findall(r"[0-9]+", " ".join(row.split(" ", 1)[1] for row in rows))
        assert max(map(len, numbers)) == digits


def test_the_elimination_ends_as_soon_as_the_unknown_is_by_itself() -> None:
    _, _, texts = made("algebra_linear_equation", 300, levels=(2, 3))
    assert texts.solutions is not None
    for solution in texts.solutions.to_pylist():
        *lines, last_but_one, last = solution.split("\n")
        by_itself = re.compile(rf"\(\d+\).*: -?(\d+\*)?{last[0]} = -?\d+")
        assert by_itself.fullmatch(last_but_one)
        assert not any(map(by_itself.fullmatch, lines))


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_of_polynomials_gives_rows(level: int) -> None:
    """The published generator gives none from its level 2 on."""
    _, problems, texts = made("algebra_polynomial_roots", levels=(level,))
    assert (problems.axes["degree"] == level + 2).all()
    assert texts.solutions is not None
    pairs = zip(texts.solutions.to_pylist(), problems.axes["n_roots"].tolist(), strict=True)
    for solution, n_roots in pairs:
        roots = [Fraction(text) for text in re.findall(r"\nroot (\S+):", solution)]
        assert len(roots) == level + 2
        assert roots == sorted(roots, reverse=True)
        assert len(set(roots)) == n_roots >= 2


def test_polynomials_are_hidden_in_three_ways() -> None:
    prompts = made("algebra_polynomial_roots", 200, levels=(3, 5))[2].prompts.to_pylist()
    combined = sum("g(" in text for text in prompts)
    shifted = sum("f(" in text and "g(" not in text for text in prompts)
    assert min(combined, shifted, len(prompts) - combined - shifted) > 30


def test_a_polynomial_is_one_problem_whatever_it_is_multiplied_by() -> None:
    _, _, texts = made("algebra_polynomial_roots", 200, levels=(1,))
    leads = [text.split(") = ")[1] for text in texts.prompts.to_pylist()]
    assert any(lead.startswith("-") for lead in leads)
    assert any("/" in lead.split(" n/m")[0] for lead in leads)


@pytest.mark.parametrize(
    ("level", "least", "digits"),
    [
        *((1, 25, (4, 7)), (2, 100, (8, 12)), (3, 200, (12, 15)), (4, 400, (15, 18))),
        *((5, 800, (18, 25)), (6, 1_600, (25, 30)), (7, 3_200, (30, 36))),
    ],
)
def test_integers_are_those_of_their_level(level: int, least: int, digits: tuple[int, int]) -> None:
    _, problems, texts = made(
        "arithmetic_list_prime_factors", 40, levels=(level,), definitions=(0, 0)
    )
    assert digits[0] <= problems.axes["digits"].min()
    assert problems.axes["digits"].max() <= digits[1] + 1
    rows = zip(
        texts.prompts.to_pylist(),
        texts.answers.to_pylist(),
        problems.axes["digits"].tolist(),
        problems.axes["n_primes"].tolist(),
        strict=True,
    )
    for prompt, gold, n_digits, n_primes in rows:
        found = re.search(r"[0-9]+", prompt)
        assert found is not None
        primes = sorted(factorint(int(found[0])))
        assert (str(primes[-2]), len(found[0]), len(primes)) == (gold, n_digits, n_primes)
        assert primes[-2] >= least


@pytest.mark.parametrize("level", LEVELS)
def test_expressions_have_the_operations_of_their_level(level: int) -> None:
    most = (7, 10, 11, 13, 15, 18, 21)[level - 1]
    _, problems, texts = made("arithmetic_mixed", levels=(level,), definitions=(0, 0))
    assert texts.solutions is not None
    longest = max(solution.count("\n") + 1 for solution in texts.solutions.to_pylist())
    assert most - 3 <= longest <= most + 4
    rows = zip(texts.prompts.to_pylist(), problems.axes["n_operations"].tolist(), strict=True)
    for prompt, n_operations in rows:
        expression = prompt.replace("p/q", "")
        assert len(re.findall(r" [+-] |[*/]", expression)) == n_operations >= 3
        assert "--" not in prompt
        assert "- -" not in prompt
    fractions = sum("/" in answer for answer in texts.answers.to_pylist())
    assert 0.3 < fractions / len(texts.answers) < 0.7


def test_a_pair_of_polynomials_is_one_problem_in_either_order() -> None:
    generator, problems, texts = made("comp_polynomial_gcd", 100, levels=(1,))
    assert set(problems.axes["n_roots"].tolist()) == {1, 2}
    verifier = load_verifier(generator.verifier)
    prompts = [
        re.sub(r"p\((.)\) = (.+?) and q\(.\) = ([^.;?]+?)(?= vanish| is a product|[.;])",
               r"p(\1) = \3 and q(\1) = \2", text)
        for text in texts.prompts.to_pylist()
    ]  # fmt: skip
    assert prompts != texts.prompts.to_pylist()
    assert verifier.check(pa.array(prompts), texts.answers, None).all()


MIXED, LINEAR, ROOTS, PRIMES, GCD = (
    *("arithmetic_mixed", "algebra_linear_equation", "algebra_polynomial_roots"),
    *("arithmetic_list_prime_factors", "comp_polynomial_gcd"),
)


def posed(name: str, given: str = "", wording: int = 0, **holes: object) -> str:
    """Fill a wording of a family."""
    words = generator_class(name).words  # type: ignore[attr-defined]
    text: str = words.wordings("instruction")[wording].replace("{given}", given)
    return re.sub(r"\{([a-z]+)\}", lambda match: str(holes[match[1]]), text)


def system(text: str, x: str = "x", given: str = "", wording: int = 0) -> str:
    return posed(LINEAR, given, wording, system=text, x=x)


def root(p: str, x: str = "x", given: str = "", wording: int = 0) -> str:
    return posed(ROOTS, given, wording, p=p, x=x)


def common(p: str, q: str, wording: int = 0) -> str:
    return posed(GCD, wording=wording, p=p, q=q, x="x")


CUBIC = root("30*x^3 - 17*x^2 - 11*x + 6")
TWO = system("2*x + 3*y = 12 and x - y = 1")
LETTER = system("k*x + y = 5 and x - 2*y = -4", given="Let k = -2 + 3. ")
QUOTIENTS = posed(MIXED, text="(7/3)/(14/9) - 5/4")


@pytest.mark.parametrize(
    ("name", "prompt", "wanted"),
    [
        (MIXED, QUOTIENTS, "1/4"),
        (MIXED, posed(MIXED, text="-18/(-4) + 35/(-10)*3"), "-6"),
        (MIXED, posed(MIXED, text="1/(-6) + 0*4", wording=1), "-1/6"),
        (MIXED, posed(MIXED, "Let b = 2 + 1. ", 2, text="6/b - 2*b"), "-4"),
        (MIXED, posed(MIXED, text="3 - 3", wording=3), "0"),
        (MIXED, posed(MIXED, text="(2 + 1)*(2 - 5)", wording=4), "-9"),
        (MIXED, posed(MIXED, text=f"{10**17}*{10**17}"), f"{10**34}"),
        (LINEAR, TWO, "3"),
        (LINEAR, LETTER, "2"),
        (LINEAR, system("0 = b - 7 and b = 2*c + 3*b - 4*c", "c", wording=2), "7"),
        (LINEAR, system("x + 3*y = 3 and x - 3*y = 1", wording=3), "2"),
        (
            LINEAR,
            "The numbers x, y and z satisfy x + y + z = 6, z = 3 and 4 = x + z. What is y? "
            "Answer with an integer.",
            "2",
        ),
        (ROOTS, CUBIC, "3"),
        (ROOTS, root("150*x^4 + 335*x^3 - 649*x^2 + 88*x + 112", wording=1), "2"),
        (ROOTS, root("-(3/2)*x^3 + (17/20)*x^2 + (11/20)*x - (3/10)", wording=2), "3"),
        (ROOTS, root("x^3 - x"), "1"),
        (ROOTS, root("2*x^2 + 3*x"), "-1"),
        (ROOTS, root("t^2 - 4", "t", wording=3), "-1"),
        (ROOTS, root("b*x^3 - 17*x^2 - 11*x + 6", given="Let b be the value of 5*6. "), "3"),
        (ROOTS, root("f(x - 2)", given="Let f(x) = x^2 - 9. "), "0"),
        (ROOTS, root("f(x + 2)", given="Let f(x) = x^2 - 9. "), "-4"),
        (ROOTS, root("2*f(x) - g(x)", given="Let f(x) = x^2. Let g(x) = x^2 + 5*x - 6. "), "3"),
        (PRIMES, posed(PRIMES, n=33263), "31"),
        (PRIMES, posed(PRIMES, n=10282, wording=1), "53"),
        (PRIMES, posed(PRIMES, n=12, wording=2), "2"),
        (PRIMES, posed(PRIMES, n=99999, wording=3), "41"),
        (PRIMES, posed(PRIMES, n=1009 * 1013**2), "1009"),
        (PRIMES, posed(PRIMES, n=100_003 * 1_000_003), "100003"),
        (PRIMES, posed(PRIMES, "Suppose b = 30000 + 3263. ", n="b"), "31"),
        (GCD, common("x^3 - 2*x^2 - 5*x + 6", "x^3 - 9*x^2 + 23*x - 15"), "2"),
        (GCD, common("x^2 - 2*x + 1", "-x^2 + 1", 1), "2"),
        (GCD, common("2*x^2 + x - 1", "4*x^2 - 1", 2), "3"),
        (GCD, common("6*x^3 - x^2 - x", "2*x^2 - x", 3), "1"),
    ],
)
def test_examples_by_hand(name: str, prompt: str, wanted: str) -> None:
    assert answer(name, prompt) == wanted
    assert accepts(name, prompt, wanted)
    for wrong in ("", f"{wanted}1", f"-{wanted}", f"{wanted}/1", f"+{wanted}"):
        assert not accepts(name, prompt, wrong)


@pytest.mark.parametrize(
    ("given", "b"),
    [
        ("Let b = 2*3. ", 6),
        ("Let b be the value of (1/2)/(1/8) - 1. ", 3),
        ("Suppose b = -4 + 1. ", -3),
        ("Let b be the solution of 2*b - 3 = b + 1. ", 4),
        ("Suppose that 10 = -5*b. ", -2),
        ("Let b be the number that satisfies 0 = b - 9. ", 9),
        ("Let b and c satisfy b + c = 3 and b - c = 1. ", 2),
        ("Suppose that 2*c + b = 7 and c = 3. ", 1),
        ("Let c and b be the solution of the system c = 2 and b = 5 - c. ", 3),
        ("Let c = 5. Let d = c - 1. Let b = d + 3. ", 7),
        ("Let c = 5. Suppose that c*b = 10. ", 2),
    ],
)
def test_definitions_by_hand(given: str, b: int) -> None:
    assert answer(MIXED, posed(MIXED, given, text="b + 0")) == str(b)


@pytest.mark.parametrize(
    "given",
    [
        "Let b = 2 ",
        "Let b = 1/2. ",
        "Let b = c. ",
        "Let b = 2. Let b = 2. ",
        "Let b = 1/(2 - 2). ",
        "Suppose that 2*b = 1. ",
        "Suppose that b = b. ",
        "Suppose that b*b = 4. ",
        "Suppose that b + c = 2. ",
        "Let c be the solution of b = 2. ",
        "Let b and c satisfy b + c = 2 and 2*b + 2*c = 4. ",
        "Let b = 2. What is c? ",
        f"Let b = {10**79}*10. ",
        "Let c = 2. Suppose that c^2*b = 4. ",
    ],
)
def test_letters_without_one_integer_value_have_none(given: str) -> None:
    assert answer(MIXED, posed(MIXED, given, text="b + 0")) is None


@pytest.mark.parametrize(
    "text",
    [
        *("1/0", "1/(2 - 2)", "b", "", "1 +", "2**3", "1. 2", "3 - -2", "-0 + 2", "((2 + 3)"),
        *("2 + 03", "(2 + 3))", "2  + 3", "2+3", "+2", "2 3"),
        *("(" * 400 + "2" + ")" * 400, "*".join(["9" * 80] * 99)),
    ],
)
def test_texts_that_are_no_expressions_have_no_answer(text: str) -> None:
    assert answer(MIXED, posed(MIXED, text=text)) is None


@pytest.mark.parametrize(
    "prompt",
    [
        system("2*x + 3*y = 12 and 4*x + 6*y = 24"),
        system("2*x + 3*y = 12 and 2*x + 3*y = 11"),
        system("2*x + 3*y = 13 and x - y = 1"),
        system("2*x + y = 3 and y = 2"),
        system("x + y*y = 3 and x - y = 1"),
        system("x + y = 3 and x - y = 1", "z"),
        system("2*x^2 + y = 3 and x - y = 1"),
        system("2x + y = 3 and x - y = 1"),
        system("z*x + y = 3 and x - y = 1"),
        system("x + y = 3"),
        system("x + -y = 3 and x - y = 1"),
        system("(1/2)*x + y = 3 and x - y = 1"),
        TWO + " ",
        LETTER.replace("k*x", "j*x"),
        "The numbers x and z satisfy x + y = 1 and x - y = 1. What is y? Answer with an integer.",
    ],
)
def test_systems_without_one_integer_solution_have_no_answer(prompt: str) -> None:
    assert answer(LINEAR, prompt) is None


@pytest.mark.parametrize(
    "prompt",
    [
        *map(root, ("x^2 - 2", "x^2 + 1", "x^2 - 2*x + 1", "5", "x - x", "x^4 - 5*x^2 + 6")),
        *map(root, ("x - 3", "f(x - 2)", "b*x^2 - 1", "x^13 - x", "x^3 + f(x)", "x^1 - x^2")),
        CUBIC.replace("p(x)", "p(t)"),
        "Let f(x) = x^2 - 9. " + CUBIC,
        "Let x = 3. " + CUBIC,
        root("f(x - 2)", given="Let f(t) = t^2 - 9. "),
        root("2*f(x) - g(x)", given="Let f(x) = x^99. Let g(x) = x^2 + 5*x - 6. "),
        CUBIC + " ",
    ],
)
def test_without_two_rational_roots_there_is_no_answer(prompt: str) -> None:
    assert answer(ROOTS, prompt) is None


@pytest.mark.parametrize("n", ["0", "1", "2", "7", "49", "1024", "-6", "06", "4.0", "b"])
def test_fewer_than_two_primes_have_no_second(n: str) -> None:
    assert answer(PRIMES, posed(PRIMES, n=n)) is None


def test_two_large_primes_are_not_factored() -> None:
    assert answer(PRIMES, posed(PRIMES, n=1_000_003 * 1_000_033)) is None
    assert answer(PRIMES, posed(PRIMES, n=6 * (2**89 - 1))) is None


@pytest.mark.parametrize(
    ("p", "q"),
    [
        ("x^2 - 2", "x^3 - 2*x"),
        ("x^2 - 1", "x^2 - x - x"),
        ("5", "x - 2"),
        ("y - 1", "x - 1"),
        ("x^13", "x"),
    ],
)
def test_polynomials_without_common_rational_roots_have_no_answer(p: str, q: str) -> None:
    assert answer(GCD, common(p, q)) is None


SOLUTIONS = {
    (MIXED, QUOTIENTS, "1/4"): (
        "(7/3) / (14/9) = 3/2\n(3/2) - (5/4) = 1/4",
        [("(7/3) / (14/9) = 3/2\n", ""), ("3/2", "6/4"), ("7/3", "7/4"), ("1/4", "1/4\n")],
    ),
    (LINEAR, TWO, "3"): (
        "(1) 2*x + 3*y = 12\n(2) x - y = 1\n(3) 1*(1) + 3*(2), divided by 5: x = 3\nx = 3",
        [
            ("\nx = 3", ""),
            ("2*x", "3*x"),
            ("(3) 1", "(4) 1"),
            ("3*(2)", "2*(2)"),
            ("x = 3", "y = 3"),
            ("3*(2)", "3*(3)"),
            (", divided by 5", ""),
            (" by 5", " by 0"),
            ("y = 12", "z = 12"),
            ("(3) 1*(1) + 3*(2), divided by 5: x = 3\n", ""),
            ("+ 3*(2), divided by 5: x", "+ 1*(2): x"),
        ],
    ),
    (LINEAR, LETTER, "2"): (
        "k = 1\n(1) x + y = 5\n(2) x - 2*y = -4\n(3) 2*(1) + 1*(2), divided by 3: x = 2\nx = 2",
        [("k = 1\n", ""), ("k = 1", "k = 2"), ("x + y", "k*x + y")],
    ),
    (ROOTS, CUBIC, "3"): (
        "30*x^3 - 17*x^2 - 11*x + 6 = 0\nroot 2/3: (3*x - 2)*(10*x^2 + x - 3)\n"
        "root 1/2: (2*x - 1)*(5*x + 3)\nroot -3/5: (5*x + 3)*(1)\n"
        "second-largest root 1/2: 1 + 2 = 3",
        [
            ("\nsecond-largest root 1/2: 1 + 2 = 3", ""),
            ("root 1/2: 1", "root 2/4: 1"),
            ("30*", "31*"),
            ("1 + 2 = 3", "2 + 1 = 3"),
            ("10*", "11*"),
            ("2/3:", "3/2:"),
            ("(1)", "(2)"),
            ("root -3/5: (5*x + 3)*(1)\n", ""),
            (" = 0", ""),
            (
                "2/3: (3*x - 2)*(10*x^2 + x - 3)\nroot 1/2: (2*x - 1)",
                "1/2: (2*x - 1)*(15*x^2 - x - 6)\nroot 2/3: (3*x - 2)",
            ),
        ],
    ),
    (PRIMES, posed(PRIMES, n=33263), "31"): (
        "33263 = 29 * 1147\n1147 = 31 * 37\n37 > 31 > 29; the second-largest is 31",
        [
            ("29 * 1147", "31 * 1073"),
            ("est is 31", "est is 29"),
            ("37 > 31 > 29", "31 > 37 > 29"),
            ("1147 = 31 * 37\n", ""),
        ],
    ),
    (GCD, common("2*x^2 + x - 1", "4*x^2 - 1"), "3"): (
        "gcd: 2*x - 1\nroots: 1/2\n1 + 2 = 3",
        [("2*x - 1", "4*x - 2"), ("roots: 1/2", "roots: 1/2, -1"), ("gcd: 2*x - 1\n", "")],
    ),
}


@pytest.mark.parametrize(("problem", "steps"), SOLUTIONS.items(), ids=lambda item: item[0])
def test_solutions_must_lead_to_the_answer(
    problem: tuple[str, str, str], steps: tuple[str, list[tuple[str, str]]]
) -> None:
    solution, changes = steps
    assert accepts(*problem, solution)
    for old, new in changes:
        assert old in solution
        assert not accepts(*problem, solution.replace(old, new)), (old, new)
    assert not accepts(*problem, "\n".join(reversed(solution.split("\n"))))


def test_predictions_are_compared_as_numbers() -> None:
    assert grade("2/8", "1/4", "rational") == 1.0
    assert grade("0.25", "1/4", "rational") == 1.0
    assert grade("0.26", "1/4", "rational") == 0.0


def polynomial_text(values: list[Fraction]) -> str:
    """Write a polynomial, the highest power first."""
    terms = [f"{'-' if v < 0 else '+'} ({abs(v).numerator}/{v.denominator})*x^{k}"
             for k, v in reversed(list(enumerate(values))) if k > 1 and v]  # fmt: skip
    terms += [f"{'-' if v < 0 else '+'} ({abs(v).numerator}/{v.denominator}){name}"
              for v, name in ((values[1], "*x"), (values[0], ""))]  # fmt: skip
    return " ".join(terms).removeprefix("+ ").replace("- ", "-", int(terms[0][0] == "-"))


@settings(max_examples=60, deadline=None, database=None)
@given(
    st.lists(st.fractions(-60, 60, max_denominator=40), min_size=2, max_size=9),
    st.fractions(1, 6, max_denominator=6),
    st.booleans(),
)
def test_all_rational_roots_are_found(
    roots: list[Fraction], times: Fraction, irrational: bool
) -> None:
    values = [times]
    for one in roots:
        values = [b - a * one for a, b in zip([*values, 0], [0, *values], strict=True)]
    if irrational:
        values = [b - 2 * a for a, b in zip([*values, 0, 0], [0, 0, *values], strict=True)]
    distinct = sorted(set(roots))
    found = answer(ROOTS, root(polynomial_text(values)))
    if irrational or len(distinct) < 2:
        assert found is None
    else:
        assert found == str(sum(distinct[-2].as_integer_ratio()))


numbers = st.integers(-(10**12), 10**12)


@settings(max_examples=60, deadline=None, database=None)
@given(st.lists(numbers, min_size=3, max_size=3), st.lists(numbers, min_size=9, max_size=9))
def test_systems_are_solved_or_rejected(solution: list[int], factors: list[int]) -> None:
    rows = [factors[i : i + 3] for i in (0, 3, 6)]
    sides = [sum(a * x for a, x in zip(row, solution, strict=True)) for row in rows]
    texts = [
        f"{a}*x {'-' if b < 0 else '+'} {abs(b)}*y {'-' if c < 0 else '+'} {abs(c)}*z = {side}"
        for (a, b, c), side in zip(rows, sides, strict=True)
    ]
    (a, b, c), (d, e, f), (g, h, i) = rows
    regular = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    found = answer(LINEAR, system(f"{texts[0]}, {texts[1]} and {texts[2]}", "y"))
    assert found == (str(solution[1]) if regular else None)


@settings(max_examples=100, deadline=None, database=None)
@given(
    st.text(alphabet="0123456789bx()+-*/ =,.^", max_size=60),
    st.sampled_from([MIXED, LINEAR, ROOTS]),
)
def test_no_text_makes_a_verifier_fail(text: str, name: str) -> None:
    for wording, before in product(range(4), ("", f"Let b = {text}. ", f"Suppose that {text}. ")):
        holes = {"text": text, "system": text, "p": text, "x": "x", "unknowns": "x and y"}
        answer(name, posed(name, before, wording, **holes))
