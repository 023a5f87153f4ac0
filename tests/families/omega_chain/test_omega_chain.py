"""Chains: contract, worked examples, dependence on every link, held-out pairs, wrong links."""

import re
from functools import cache
from typing import Any

import pytest

from synthgen.contract.interfaces import Problems, Render
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.families.omega_chain.family import FAMILIES, OmegaChain
from synthgen.families.omega_chain.links import linkable
from synthgen.testing import check_family
from tests.families.verdicts import Verdicts, check_every_line_counts

accepts = Verdicts("omega_chain").accepts

QUICK = (
    "algebra_linear_equation",
    "arithmetic_gcd",
    "arithmetic_list_prime_factors",
    "arithmetic_matrix_determinant",
    "geometry_polygon_rotation",
)
FOLLOWERS = OmegaChain().axes["link_2"].values
EXPRESSIONS = ("algebra_func_", "arithmetic_matrix_")
HEAD = "Solve these problems in order and give the answer to the last one."
FIRST = "Problem 1. What is the greatest common divisor of 2772 and 9702? Give an integer."
SECOND = (
    "Problem 2. Let K1 be the answer to problem 1. "
    "What is the largest integer that divides both (K1 + 14) and 84?"
)
REST = (
    "Problem 2. Let K1 be the remainder when the absolute value of the answer to problem 1 is "
    "divided by 100. Compute gcd(60, (K1 - 6)). The answer is an integer."
)
THIRD = (
    "Problem 3. Let K2 be the answer to problem 2. Compute gcd((K2 - 20), 12). "
    "The answer is an integer."
)
LINES = [
    "9702 = 3 * 2772 + 1386",
    "2772 = 2 * 1386 + 0",
    "Answer to problem 1: 1386",
    "K1 = 1386; (K1 + 14) = 1400",
    "1400 = 16 * 84 + 56",
    "84 = 1 * 56 + 28",
    "56 = 2 * 28 + 0",
    "Answer to problem 2: 28",
]


def chain(*problems: str) -> str:
    return "\n\n".join((HEAD, *problems))


@pytest.mark.parametrize(
    "params",
    [
        {"families": QUICK},
        {"families": QUICK[1:4], "links": 3, "levels": (1, 2, 20)},
    ],
)
def test_contract(params: dict[str, Any]) -> None:
    check_family("omega_chain", params)


@cache
def chains_to(family: str) -> list[tuple[str, str, str]]:
    """Return (prompt, answer, solution) of chains whose last link is of a family."""
    kind = OmegaChain(families=(family,), levels=(1, 2))
    drawn = kind.draw(Rows.span(11, 0, 6))
    rows = Rows(11, drawn.rows.addresses[drawn.valid])
    texts = kind.render(kind.draw(rows), Render("instruction", "steps"))
    assert load_verifier("omega_chain").check(texts.prompts, texts.answers, texts.solutions).all()
    assert texts.solutions is not None
    columns = (texts.prompts, texts.answers, texts.solutions)
    return list(zip(*(column.to_pylist() for column in columns), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("family", FOLLOWERS)
def test_other_values_of_a_link_give_other_answers(family: str) -> None:
    chains = chains_to(family)
    assert chains
    for prompt, answer, _ in chains:
        found: set[str] = set()
        for step in (-1, 1, -2, 2, *range(3, 300), *range(-300, -2)):
            other = load_verifier("omega_chain").answer(moved(prompt, step))  # type: ignore[attr-defined]
            assert other != answer or abs(step) > 2
            found |= {other} - {None, answer}
            if len(found) > 1 and abs(step) > 2:
                break
        assert len(found) > 1


def moved(prompt: str, step: int) -> str:
    """Move the value of the sum that replaces a numeral."""

    def change(sum_: re.Match[str]) -> str:
        more = int(sum_[1].replace(" ", "")) + step
        return f"(K1 {'-' if more < 0 else '+'} {abs(more)})"

    return re.sub(r"\(K1 ([+-] [0-9]+)\)", change, prompt)


@pytest.mark.parametrize("family", FOLLOWERS)
def test_the_value_of_a_link_is_not_given_away(family: str) -> None:
    for prompt, _, solution in chains_to(family):
        statement = prompt.split("Let K1 be")[1]
        value = re.search(r"^K1 = .*\) = ([0-9]+)$", solution, re.M)[1]  # type: ignore[index]
        start, rest = re.split(r"\(K1 [+-] [0-9]+\)", statement)
        assert int(value) > 1
        if not family.startswith(EXPRESSIONS):
            assert value not in re.findall("[0-9]+", rest)
            assert value not in re.findall("[0-9]+", start.split(". ", 1)[1])
        for matrix in re.findall(r"\[\[.*?\]\]", f"{start}#{value}{rest}"):
            rows = [re.findall("#?[0-9]+", row) for row in matrix.split("], [")]
            assert int(value) not in (len(rows), len(rows[0]))
            for i, row in enumerate(rows):
                for j, entry in enumerate(row):
                    mirrored = i != j < len(rows) and i < len(rows[j]) and rows[j][i]
                    assert entry[0] != "#" or mirrored != value


GCD = "Compute gcd({}, {}). The answer is an integer."
DETERMINANT = (
    "Compute the determinant of the matrix [[-10, -4, 3], [-4, 10, -4], [3, -4, -6]] and reduce it "
    "modulo 1000. Answer with the least non-negative residue, an integer."
)


@pytest.mark.parametrize(
    ("family", "prompt", "answer", "linked"),
    [
        ("arithmetic_gcd", GCD.format(60, 84), "12", {"60", "84"}),
        ("arithmetic_gcd", GCD.format(84, 84), "84", set()),
        ("arithmetic_gcd", GCD.format(100, 84), "4", {"84"}),  # a power of ten
        ("arithmetic_gcd", GCD.format(97, 84), "1", set()),  # as most others
        ("arithmetic_matrix_determinant", DETERMINANT, "862", {"6"}),  # 4 and 3 are mirrored
    ],
)
def test_only_a_number_that_matters_and_is_not_given_away_is_linked(
    family: str, prompt: str, answer: str, linked: set[str]
) -> None:
    spans = [linkable(family, prompt, answer, draws) for draws in Rows.span(1, 0, 30).each()]
    assert {prompt[slice(*span)] for span in spans if span} == linked


@pytest.mark.parametrize(
    ("problems", "answer"),
    [
        ((FIRST,), "1386"),
        ((FIRST, SECOND), "28"),  # gcd(1400, 84)
        ((FIRST, REST), "20"),  # 1386 leaves 86, and gcd(60, 80)
        ((FIRST, SECOND, THIRD), "4"),  # gcd(8, 12)
    ],
)
def test_chains_by_hand(problems: tuple[str, ...], answer: str) -> None:
    assert accepts(chain(*problems), answer)
    assert not accepts(chain(*problems), str(int(answer) + 1))


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        HEAD,
        FIRST,
        chain("Problem 2. " + FIRST[11:]),
        chain(FIRST, FIRST),
        chain(SECOND),
        chain(FIRST, SECOND.replace("K1", "K2")),
        chain(FIRST, SECOND.replace("K1 be", "K2 be")),
        chain(FIRST, SECOND.replace("problem 1.", "problem 2.")),
        chain(FIRST, THIRD),
        chain(FIRST, SECOND.replace("(K1 + 14)", "K1")),
        chain(FIRST, SECOND.replace("84", "(K1 + 1)")),
        chain(FIRST, SECOND.replace("+ 14", "- 1387")),
        chain(FIRST, SECOND.replace("+ 14", "+ 014")),
        chain(FIRST, REST.replace("100", "0")),
        chain(FIRST, SECOND, SECOND),
        chain(FIRST.replace("2772", "x")),
        chain(FIRST, SECOND).replace("Problem 1", "Problem one"),
        chain(*[FIRST] * 3_000),
    ],
)
def test_a_text_that_is_not_a_chain_is_rejected(prompt: str) -> None:
    assert not accepts(prompt, "28")


def test_the_steps_are_those_of_each_problem_with_the_value_of_the_link_between() -> None:
    check_every_line_counts("omega_chain", chain(FIRST, SECOND), "28", LINES)
    rest = ["K1 = 1386 mod 100 = 86; (K1 - 6) = 80", "80 = 1 * 60 + 20", "60 = 3 * 20 + 0"]
    lines = [*LINES[:3], *rest, "Answer to problem 2: 20"]
    check_every_line_counts("omega_chain", chain(FIRST, REST), "20", lines)
    assert not accepts(chain(FIRST, SECOND), "28", "\n".join(LINES[2:4] + LINES[7:]))
    assert not accepts(chain(FIRST, SECOND), "28", "\n".join([*LINES, ""]))


def test_symbols_of_one_name_and_several_arities_are_kept_apart() -> None:
    joint = OmegaChain().signature
    arity = dict(zip(joint.names, joint.arities, strict=True))
    for family in FAMILIES:
        own = generator_class(family)().signature
        for name, count in zip(own.names, own.arities, strict=True):
            assert count in (arity[name], arity.get(f"{name}/{count}"))
    assert arity["chain2"] == 2


def link_names(kind: OmegaChain, problems: Problems, place: int) -> list[str]:
    codes = problems.axes[f"link_{place}"][problems.valid].tolist()
    return [kind.axes[f"link_{place}"].values[code] for code in codes]


def test_levels_and_families_are_those_asked_for() -> None:
    kind = OmegaChain(families=("arithmetic_gcd",), links=3, levels=(2, 5))
    problems = kind.draw(Rows.span(5, 0, 60))
    assert problems.valid.all()
    assert set(problems.axes["level"].tolist()) == {2, 5}
    assert set(problems.difficulty.tolist()) == {6, 9, 12, 15}
    for place in (1, 2, 3):
        assert set(link_names(kind, problems, place)) == {"arithmetic_gcd"}


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"links": 0}, "links=0"),
        ({"links": 6}, "links=6"),
        ({"families": ("scan",)}, "families=('scan',): expected a list"),
        ({"families": ("arithmetic_gcd", "arithmetic_gcd")}, "different names"),
        ({"levels": ()}, "levels=()"),
        ({"levels": (0,)}, "levels=(0,)"),
        ({"families": ("logic_zebralogic",)}, "also a family that can follow"),
    ],
)
def test_bad_params_are_refused(params: dict[str, Any], expected: str) -> None:
    with pytest.raises(ParamError) as caught:
        OmegaChain(**params)
    assert expected in str(caught.value)
