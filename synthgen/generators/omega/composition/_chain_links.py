"""The problems of one place of many chains, each of the family that was chosen for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.contract import Problems, Render
from synthgen.core.derivation import Codes, Signature
from synthgen.core.randomness import Rows
from synthgen.core.registry import generator_class
from synthgen.generators.omega._family import OmegaFamily
from synthgen.generators.omega._numbers import signature_of

FAMILIES = ("arithmetic_gcd",)
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
    own = (generator_class(name).symbols for name in FAMILIES)  # type: ignore[attr-defined]
    chains = {f"chain{links}": links for links in range(1, MOST_LINKS + 1)}
    return signature_of(chains | dict(chain.from_iterable(symbols.items() for symbols in own)))


@cache
def _joint_codes(signature: Signature) -> Codes:
    """Return the code in the joint signature of each code of a family."""
    return np.array([joint_signature().code[name] for name in signature.names], np.uint16)


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
