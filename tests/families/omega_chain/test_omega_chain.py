"""Chains: the contract, worked examples, held-out pairs, and every way in which a link is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from synthgen.core.contract import Render
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.core.registry import generator_class, load_verifier
from synthgen.families.omega_chain.family import FAMILIES, OmegaChain
from synthgen.testing import check_family
from tests.families.verdicts import Verdicts

accepts = Verdicts("omega_chain").accepts

QUICK = (
    "algebra_linear_equation",
    "arithmetic_gcd",
    "arithmetic_list_prime_factors",
    "arithmetic_matrix_rank",
    "geometry_polygon_color",
)
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
STEPS = "Problem 1: 1386\nProblem 2: 28"


def chain(*problems: str) -> str:
    return "\n\n".join((HEAD, *problems))


@pytest.mark.parametrize(
    "params",
    [
        {"families": QUICK, "held_pairs": ("arithmetic_gcd > arithmetic_matrix_rank",)},
        {"families": QUICK[:3], "links": 3, "levels": (1, 2, 20)},
    ],
)
def test_contract(params: dict[str, Any]) -> None:
    check_family("omega_chain", params)


def test_every_family_can_be_the_second_link() -> None:
    kind = OmegaChain(levels=(1,))
    problems = kind.draw(Rows.span(11, 0, 800))
    valid = kind.draw(Rows(11, problems.rows.addresses[problems.valid][:300]))
    seconds = {FAMILIES[code] for code in problems.axes["link_2"][problems.valid].tolist()}
    assert seconds == set(FAMILIES)
    texts = kind.render(valid, Render("instruction", "steps"))
    verifier = load_verifier("omega_chain")
    assert verifier.check(texts.prompts, texts.answers, texts.solutions).all()


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


@pytest.mark.parametrize(
    "steps",
    ["Problem 2: 28", "Problem 1: 1386", "Problem 1: 1385\nProblem 2: 28", STEPS + "\n", "28", ""],
)
def test_the_steps_are_the_answers(steps: str) -> None:
    assert accepts(chain(FIRST, SECOND), "28", STEPS)
    assert not accepts(chain(FIRST, SECOND), "28", steps)


def test_symbols_of_one_name_and_several_arities_are_kept_apart() -> None:
    joint = OmegaChain().signature
    arity = dict(zip(joint.names, joint.arities, strict=True))
    for family in FAMILIES:
        own = generator_class(family)().signature
        for name, count in zip(own.names, own.arities, strict=True):
            assert count in (arity[name], arity.get(f"{name}/{count}"))
    assert arity["chain2"] == 2


def test_levels_and_families_are_those_asked_for() -> None:
    kind = OmegaChain(families=("arithmetic_gcd",), links=3, levels=(2, 5))
    problems = kind.draw(Rows.span(5, 0, 200))
    assert problems.valid.all()
    assert set(problems.axes["level"].tolist()) == {2, 5}
    assert set(problems.difficulty.tolist()) == {6, 9, 12, 15}
    for place in (1, 2, 3):
        names = {FAMILIES[code] for code in problems.axes[f"link_{place}"].tolist()}
        assert names == {"arithmetic_gcd"}


def test_held_out_pairs_are_counted() -> None:
    kind = OmegaChain(families=QUICK, links=3, held_pairs=(f"{QUICK[0]} > {QUICK[1]}",))
    problems = kind.draw(Rows.span(5, 0, 300))
    links = np.stack([problems.axes[f"link_{place}"] for place in (1, 2, 3)], axis=1)
    names = [[FAMILIES[code] for code in row] for row in links[problems.valid].tolist()]
    counted = problems.axes["held_pairs"][problems.valid].tolist()
    assert counted == [sum(row[i : i + 2] == list(QUICK[:2]) for i in (0, 1)) for row in names]
    assert {0, 1} <= set(counted)


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"links": 0}, "links=0"),
        ({"links": 6}, "links=6"),
        ({"families": ("scan",)}, "families=('scan',): expected a list"),
        ({"families": ("arithmetic_gcd", "arithmetic_gcd")}, "different names"),
        ({"levels": ()}, "levels=()"),
        ({"levels": (0,)}, "levels=(0,)"),
        ({"held_pairs": ("gcd",)}, "held_pairs='gcd': expected two of the families"),
        ({"held_pairs": (3,)}, "held_pairs=3"),
    ],
)
def test_bad_params_are_refused(params: dict[str, Any], expected: str) -> None:
    with pytest.raises(ParamError) as caught:
        OmegaChain(**params)
    assert expected in str(caught.value)
