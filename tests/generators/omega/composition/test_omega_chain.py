"""Chains: which numerals are replaced, axes, held-out pairs, and bad parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from synthgen.core.errors import ParamError
from synthgen.core.randomness import RowDraws, Rows
from synthgen.core.registry import generator_class
from synthgen.generators.omega.composition._chain_links import FAMILIES, joint_signature
from synthgen.generators.omega.composition._chain_text import link_up
from synthgen.generators.omega.composition.omega_chain import OmegaChain
from synthgen.verifiers.omega.composition import omega_chain as verifier

VERSIONS: dict[str, int] = {
    "algebra_func_derivative_sign": 2,
    "algebra_func_extrema": 2,
    "algebra_func_extrema_coords": 2,
    "algebra_func_zeros": 2,
}
"""Those that are not 1. Chains have other rows when a family has: raise their version with it.

Their second versions have larger blocks and the same rows at each address.
"""


def test_the_versions_of_the_families_are_these() -> None:
    assert {name: generator_class(name).version for name in FAMILIES} == (
        dict.fromkeys(FAMILIES, 1) | VERSIONS
    )
    assert OmegaChain.version == 1
    assert set(verifier.FAMILIES) == set(FAMILIES)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("Half of 7?", "Let K1 be the answer to problem 1. Half of (K1 - 5)?"),
        ("Half of -70.", "Let K1 be the answer to problem 1. Half of -(K1 + 58)."),
        ("x^12 + x2 = y_3", "Let K1 be the answer to problem 1. x^(K1 + 0) + x2 = y_3"),
        ("3.5 and 0.25 and [4]", "Let K1 be the answer to problem 1. 3.5 and 0.25 and [(K1 - 8)]"),
        ("Round to two decimals.", None),
    ],
)
def test_a_numeral_that_stands_alone_is_told_by_a_sum(statement: str, told: str | None) -> None:
    chain = link_up(["?", statement], ["12", "1"], RowDraws(1))
    assert (chain.told[1] if chain else None) == told


def test_a_large_answer_is_told_by_its_remainder() -> None:
    chain = link_up(["?", "Half of 7?"], ["-123456", "1"], RowDraws(1))
    assert chain is not None
    start, end = "is divided by ", ". Half of (K1 "
    modulus = int(chain.told[1].split(start)[1].split(end)[0])
    sign, number = chain.told[1].split(end)[1].removesuffix(")?").split()
    assert 123456 % modulus + int(sign + number) == 7


def test_symbols_of_one_name_and_several_arities_stay_apart() -> None:
    joint = joint_signature()
    arity = dict(zip(joint.names, joint.arities, strict=True))
    for family in FAMILIES:
        symbols = generator_class(family).symbols  # type: ignore[attr-defined]
        for name, own in symbols.items():
            assert own in (arity[name], arity.get(f"{name}/{own}"))
    assert arity["chain2"] == 2
    assert len(joint.names) < 2**16


def test_levels_and_families_are_those_asked_for() -> None:
    chain = OmegaChain(families=("arithmetic_gcd",), links=3, levels=(2, 5))
    problems = chain.draw(Rows.span(5, 0, 200))
    assert problems.valid.all()
    assert set(problems.axes["level"].tolist()) == {2, 5}
    assert set(problems.difficulty.tolist()) == {6, 9, 12, 15}
    for place in (1, 2, 3):
        names = {FAMILIES[code] for code in problems.axes[f"link_{place}"].tolist()}
        assert names == {"arithmetic_gcd"}


def test_held_out_pairs_are_counted() -> None:
    chain = OmegaChain(links=3)
    problems = chain.draw(Rows.span(5, 0, 600))
    links = np.stack([problems.axes[f"link_{place}"] for place in (1, 2, 3)], axis=1).tolist()
    first, second, _ = (FAMILIES[code] for code in links[0])
    held = OmegaChain(links=3, held_pairs=(f"{first} > {second}",))
    counted = held.draw(Rows.span(5, 0, 600)).axes["held_pairs"].tolist()
    names = [[FAMILIES[code] for code in row] for row in links]
    assert counted == [sum(row[i : i + 2] == [first, second] for i in (0, 1)) for row in names]


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"links": 0}, "links=0"),
        ({"links": 6}, "links=6"),
        ({"families": ("scan",)}, "families='scan': expected one of "),
        ({"families": ("arithmetic_gcd", "arithmetic_gcd")}, "different values"),
        ({"levels": ()}, "at least 1 different values"),
        ({"levels": (0,)}, "levels=0"),
        ({"held_pairs": ("gcd",)}, "held_pairs='gcd': expected two of the families"),
        ({"held_pairs": (3,)}, "held_pairs=3"),
    ],
)
def test_bad_parameters_are_refused(params: dict[str, Any], expected: str) -> None:
    with pytest.raises(ParamError) as caught:
        OmegaChain(**params)
    assert expected in str(caught.value)
