"""OMEGA composition: chains of problems, each stated by the answer to the one before.

A link is a problem of any family whose answer is an integer. One of its numerals is replaced by a
sum with the answer to the problem before it, so that every family follows every other one, and the
pairs that a model saw can be told exactly from those that it did not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_choice, check_int
from synthgen.core.columns import choice_text, constant_text, text_list
from synthgen.core.conditions import Condition, equal_to
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.derivation import Signature
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows, stream_key
from synthgen.generators.omega._family import BOXED, OmegaFamily
from synthgen.generators.omega.composition._chain_links import (
    FAMILIES,
    MOST_LINKS,
    Link,
    chained,
    draw_link,
    family_at,
    joint_signature,
)
from synthgen.generators.omega.composition._chain_text import (
    INTRODUCTIONS,
    Chain,
    chain_prompt,
    chain_steps,
    link_up,
)

_PAIR = " > "
_HIGHEST = 20


@dataclass(frozen=True)
class OmegaChain:
    """Problems of several families, one after the other.

    Attributes:
        families: of the links, equally likely; none stand for all that can be linked.
        links: problems of a chain, 1 to 5.
        levels: of every link; a family has those of them that it knows, or else its highest.
        held_pairs: families that follow each other, such as "arithmetic_gcd > arithmetic_mixed";
            the axis `held_pairs` counts how many of them a chain has.
    """

    families: tuple[str, ...] = ()
    links: int = 2
    levels: tuple[int, ...] = (1,)
    held_pairs: tuple[str, ...] = ()

    version: ClassVar[int] = 1
    domain: ClassVar[str] = "omega"
    verifier: ClassVar[str] = "omega_chain"
    prompts: ClassVar[tuple[str, ...]] = ("instruction", "boxed")
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    conditions: ClassVar[Mapping[str, Condition]] = {"links": equal_to("links")}
    block: ClassVar[int] = 128

    def __post_init__(self) -> None:
        check_int("links", self.links, 1, MOST_LINKS)
        for name in _distinct("families", self.families):
            check_choice("families", name, FAMILIES)
        for level in _distinct("levels", self.levels, least=1):
            check_int("levels", level, 1, _HIGHEST)
        for pair in _distinct("held_pairs", self.held_pairs):
            self._check_pair(pair)

    def _check_pair(self, pair: object) -> None:
        first, _, second = pair.partition(_PAIR) if isinstance(pair, str) else ("", "", "")
        if not {first, second} <= set(self._names):
            wanted = f"two of the families, such as {self._names[0]}{_PAIR}{self._names[-1]}"
            raise ParamError("held_pairs", pair, wanted)

    @property
    def _names(self) -> tuple[str, ...]:
        return self.families or FAMILIES

    @property
    def _generators(self) -> list[OmegaFamily]:
        return [family_at(name, self.levels) for name in self._names]

    @property
    def signature(self) -> Signature:
        """The chain, and the symbols of all families."""
        return joint_signature()

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The family of each link, the pairs held out, and levels."""
        return {
            f"link_{place}": Axis(f"family of problem {place}", values=FAMILIES)
            for place in range(1, self.links + 1)
        } | {
            "links": Axis("problems of the chain", low=self.links, high=self.links),
            "held_pairs": Axis(
                "pairs of families that are held out and follow each other",
                low=0,
                high=self.links - 1,
            ),
            "level": Axis(
                "highest level of a link",
                low=1,
                high=max(level for family in self._generators for level in family.chosen_levels),
                canonical=False,
            ),
        }

    @property
    def space(self) -> int | None:
        """Not enumerable."""
        return None

    @property
    def fewest_problems(self) -> int | None:
        """Unknown."""
        return None

    def draw(self, rows: Rows) -> Problems:
        """Make the problems of all links, and tell them by each other."""
        families, links = self._draw_links(rows)
        chains = _told(links, rows)
        trees = chained(links, self.signature.code[f"chain{self.links}"])
        levels = np.stack([link.levels for link in links])
        columns = {f"link_{place}": column for place, column in enumerate(families, 1)}
        columns["links"] = np.full(len(rows), self.links)
        columns["held_pairs"] = self._held(families)
        columns["level"] = levels.max(axis=0)
        return Problems(
            rows=rows,
            derivations=trees,
            keys=derivation_keys(trees, self.signature, self.domain),
            axes={name: column.astype(np.int16) for name, column in columns.items()},
            difficulty=levels.sum(axis=0).astype(np.int16),
            valid=np.array([chain is not None for chain in chains], bool),
            parts={"chains": chains},
        )

    def _draw_links(self, rows: Rows) -> tuple[list[NDArray[np.int64]], list[Link]]:
        """Choose the family of each link, as an index into FAMILIES, and draw a problem of it."""
        numbers = np.array([FAMILIES.index(name) for name in self._names])
        families, links = [], []
        for place in range(self.links):
            chosen = rows.branch(f"family {place}").draws().integers(0, len(numbers))
            stream = stream_key(rows.stream, "link", place)
            families.append(numbers[chosen])
            links.append(draw_link(self._generators, chosen, stream, rows))
        return families, links

    def _held(self, families: list[NDArray[np.int64]]) -> NDArray[np.int64]:
        """Count the pairs of following links that are held out."""
        held = np.zeros((len(FAMILIES), len(FAMILIES)), np.int64)
        for pair in self.held_pairs:
            first, _, second = pair.partition(_PAIR)
            held[FAMILIES.index(first), FAMILIES.index(second)] = 1
        found = np.zeros(len(families[0]), np.int64)
        for place in range(1, len(families)):
            found += held[families[place - 1], families[place]]
        return found

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write the chains and, if asked, the answer to each of their problems."""
        chains: list[Chain] = problems.parts["chains"]
        wordings = problems.rows.branch("wording").draws().integers(0, len(INTRODUCTIONS))
        ending = BOXED if style.prompt == "boxed" else ""
        told = zip(chains, wordings.tolist(), strict=True)
        names = [f"{style.prompt}_{i + 1}" for i in range(len(INTRODUCTIONS))]
        return Texts(
            prompts=text_list([chain_prompt(chain, wording) + ending for chain, wording in told]),
            answers=text_list([chain.answers[-1] for chain in chains]),
            answer_types=constant_text("integer", len(chains)),
            templates=choice_text(wordings, names),
            solutions=text_list(map(chain_steps, chains)) if style.solution == "steps" else None,
        )


def _told(links: list[Link], rows: Rows) -> list[Chain | None]:
    """Tell the links of each chain by each other; None where one of them is not valid."""
    valid = np.all([link.valid for link in links], axis=0)
    chains: list[Chain | None] = []
    for i, draws in enumerate(rows.branch("chain").each()):
        statements = [link.statements[i] for link in links]
        answers = [link.answers[i] for link in links]
        chains.append(link_up(statements, answers, draws) if valid[i] else None)
    return chains


def _distinct(name: str, values: object, least: int = 0) -> tuple[object, ...]:
    """Return a list of different values.

    Raises:
        ParamError: if it is none, or too short.
    """
    if not isinstance(values, tuple) or len(set(values)) != len(values) or len(values) < least:
        raise ParamError(name, values, f"a list of at least {least} different values")
    return values


GENERATOR = OmegaChain
