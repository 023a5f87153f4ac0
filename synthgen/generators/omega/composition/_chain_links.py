"""The problems of one place of many chains, each of the family that was chosen for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.contract import Problems, Render
from synthgen.core.derivation import Codes, Signature
from synthgen.core.randomness import Rows
from synthgen.core.registry import generator_class
from synthgen.generators.omega._family import OmegaFamily
from synthgen.generators.omega._numbers import signature_of

FAMILIES = (
    "algebra_func_derivative_sign",
    "algebra_func_extrema",
    "algebra_func_extrema_coords",
    "algebra_func_intersection",
    "algebra_func_intersection_coords",
    "algebra_func_zeros",
    "algebra_linear_equation",
    "algebra_polynomial_roots",
    "arithmetic_gcd",
    "arithmetic_list_prime_factors",
    "arithmetic_matrix_determinant",
    "arithmetic_matrix_eigenvalues",
    "arithmetic_matrix_inverse",
    "arithmetic_matrix_multiplication",
    "arithmetic_matrix_power",
    "arithmetic_matrix_rank",
    "arithmetic_matrix_svd",
    "combinatory_distribution",
    "combinatory_probability_at_least_n_specific_fixed",
    "combinatory_probability_exactly_n_specific_fixed",
    "combinatory_probability_no_fixed_points",
    "combinatory_probability_no_specific_letter_fixed",
    "geometry_polygon_chords",
    "geometry_polygon_color",
    "geometry_polygon_rotation",
    "logic_gridworld_blocked",
    "logic_gridworld_knight_move",
    "logic_gridworld_rookmove",
    "logic_puzzles_grid_chip",
    "logic_zebralogic",
    "numbertheory_lte_qr",
    "numbertheory_ordered_lte",
    "numbertheory_qr_sum",
)
"""Families with integers for answers and in their statements."""
MOST_LINKS = 5
_STATED = Render("instruction", "none")
_NOTHING = np.zeros(0, np.uint16)


@dataclass(frozen=True, slots=True)
class Link:
    """One problem for each of n chains; where it is not valid, nothing else is of use.

    Attributes:
        statements, answers: its text.
        trees: its derivation in the joint signature.
        levels: int64 (n,).
        valid: bool (n,).
    """

    statements: list[str]
    answers: list[str]
    trees: list[Codes]
    levels: NDArray[np.int64]
    valid: NDArray[np.bool_]


@cache
def family_at(name: str, levels: tuple[int, ...]) -> OmegaFamily:
    """Return a family at those of the levels that it has, or at its highest if it has none."""
    kind = generator_class(name)
    most: int = kind.n_levels  # type: ignore[attr-defined]
    known = tuple(level for level in levels if level <= most) or (most,)
    family = kind(levels=known)  # type: ignore[call-arg]
    if not isinstance(family, OmegaFamily):
        msg = f"{name} has no levels"
        raise TypeError(msg)
    return family


@lru_cache(1)
def joint_signature() -> Signature:
    """Return the symbols of chains and of all families that can be linked."""
    symbols = {f"chain{links}": links for links in range(1, MOST_LINKS + 1)}
    for family in FAMILIES:
        own: Mapping[str, int] = generator_class(family).symbols  # type: ignore[attr-defined]
        for name, arity in own.items():
            symbols[_joint_name(symbols, name, arity)] = arity
    return signature_of(symbols)


def _joint_name(symbols: Mapping[str, int], name: str, arity: int) -> str:
    """Return the name of a symbol beside others, which may have its name and another arity."""
    return name if symbols.get(name, arity) == arity else f"{name}/{arity}"


@cache
def _joint_codes(signature: Signature) -> Codes:
    """Return the code in the joint signature of each code of a family."""
    joint = joint_signature()
    arities = dict(zip(joint.names, joint.arities, strict=True))
    own = zip(signature.names, signature.arities, strict=True)
    return np.array([joint.code[_joint_name(arities, *symbol)] for symbol in own], np.uint16)


def draw_link(
    families: Sequence[OmegaFamily], chosen: NDArray[np.int64], stream: int, rows: Rows
) -> Link:
    """Draw a problem of the chosen family for each row, from a stream of its own."""
    n = len(rows)
    link = Link([""] * n, [""] * n, [_NOTHING] * n, np.zeros(n, np.int64), np.zeros(n, bool))
    for number, family in enumerate(families):
        mine = np.flatnonzero(chosen == number)
        problems = family.draw(Rows(stream, rows.addresses[mine]))
        if not problems.valid.all():
            mine = mine[problems.valid]
            problems = family.draw(Rows(stream, rows.addresses[mine]))
        if len(mine):
            _note(link, mine, problems, family)
    return link


def _note(link: Link, mine: NDArray[np.int64], problems: Problems, family: OmegaFamily) -> None:
    """Note valid problems of a family in their places."""
    texts = family.render(problems, _STATED)
    joint = _joint_codes(family.signature)
    told = zip(mine.tolist(), texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True)
    for place, (row, prompt, answer) in enumerate(told):
        link.statements[row], link.answers[row] = prompt, answer
        link.trees[row] = joint[problems.derivations.row(place)]
    link.levels[mine] = problems.axes["level"]
    link.valid[mine] = True


def chained(links: Sequence[Link], root: int) -> Ragged:
    """Put the trees of all links of each chain below one root."""
    start = np.array([root], np.uint16)
    rows = [
        np.concatenate((start, *trees)) for trees in zip(*(k.trees for k in links), strict=True)
    ]
    return Ragged(
        np.concatenate([_NOTHING, *rows]), offsets_of(np.array([len(row) for row in rows], int))
    )
