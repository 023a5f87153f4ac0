"""Chains of OMEGA problems: a link is a problem of any family whose answer is an integer.

One numeral of a link's prompt is replaced by a sum with the previous answer, so every family can
follow every other one, and the pairs that a model saw are known exactly.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import cast

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import Levels, Problem, RowDraws, Rows, Words, axis, params
from synthgen.authoring.family import DrawnFamily
from synthgen.authoring.trees import OWN_SYMBOLS, signature_of
from synthgen.authoring.words import filled
from synthgen.core.contract import Axis, Generator, Render
from synthgen.core.derivation import Signature
from synthgen.core.errors import ParamError
from synthgen.core.randomness import stream_key
from synthgen.core.registry import generator_class

_WORDS = Words.beside(__file__)
FAMILIES = tuple(_WORDS["families"]["linked"])
_PAIR = " > "
_MOST_LINKS, _HIGHEST_LEVEL = 5, 20
_NUMERAL = re.compile(r"(?<![A-Za-z0-9_.])[0-9]{1,60}(?![0-9A-Za-z_]|\.[0-9])", re.ASCII)
"""An integer of a prompt; its sign, if any, stays in place."""
_LARGE = 10_000
"""Of an answer from here on, the remainder by one of the moduli is used."""
_MODULI = (11, 1_000)


@dataclass(frozen=True, slots=True)
class _Link:
    """One problem of a chain: its prompt, answer and level, and its derivation in joint codes."""

    prompt: str
    answer: str
    level: int
    codes: list[int]


@dataclass(frozen=True)
class OmegaChain(DrawnFamily):
    """Problems of several OMEGA families, each stated in terms of the previous answer.

    Attributes:
        families: of the links, equally likely; an empty list means all that can be linked.
        links: problems in a chain, 1 to 5.
        levels: of every link; a family that has none of them is drawn at its highest level.
        held_pairs: pairs of consecutive families, such as "arithmetic_gcd > arithmetic_mixed"; the
            axis `held_pairs` counts how many of them a chain has.
    """

    families: tuple[str, ...] = params.choices((), FAMILIES, fewest=0)
    links: int = params.integer(2, 1, _MOST_LINKS)
    levels: tuple[int, ...] = params.integers((1,), 1, _HIGHEST_LEVEL, fewest=1)
    held_pairs: tuple[str, ...] = ()

    version = 2
    domain = "omega"
    verifier = "omega_chain"
    words = _WORDS
    own_axes = {"links": axis("problems in the chain", "links", "links")}

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.held_pairs, tuple):
            raise ParamError("held_pairs", self.held_pairs, "a list of pairs of families")
        for pair in self.held_pairs:
            first, _, second = pair.partition(_PAIR) if isinstance(pair, str) else ("", "", "")
            if not {first, second} <= set(self._names):
                wanted = f"two of the families, such as {self._names[0]}{_PAIR}{self._names[-1]}"
                raise ParamError("held_pairs", pair, wanted)

    @property
    def block(self) -> int:
        """Addresses that selection looks at together."""
        return 128

    @property
    def _names(self) -> tuple[str, ...]:
        return self.families or FAMILIES

    @property
    def signature(self) -> Signature:
        """The chain, and the symbols of all families."""
        return _joint_signature()

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The family of each link, the number of links and of held-out pairs, and the level."""
        levels = [_top_level(name, self.levels) for name in self._names]
        held = "pairs of consecutive families that are held out"
        return {
            f"link_{place}": Axis(f"family of problem {place}", values=FAMILIES)
            for place in range(1, self.links + 1)
        } | {
            "links": self.own_axes["links"].resolved(self),
            "held_pairs": Axis(held, low=0, high=self.links - 1),
            "level": Axis("highest level of a link", low=1, high=max(levels), canonical=False),
        }

    def make_all(self, rows: Rows) -> list[Problem | None]:
        """Draw the links of each chain, place by place, and state each by the previous answer."""
        names, links = [], []
        for place in range(self.links):
            chosen = rows.branch(f"family {place}").draws().integers(0, len(self._names))
            stream = stream_key(rows.stream, "link", place)
            names.append([self._names[number] for number in chosen.tolist()])
            links.append(self._draw_links(Rows(stream, rows.addresses), chosen))
        chains = zip(zip(*names, strict=True), zip(*links, strict=True), strict=True)
        choices = rows.branch("chain").each()
        return [self._chain(*chain, draws) for chain, draws in zip(chains, choices, strict=True)]

    def _draw_links(self, rows: Rows, chosen: NDArray[np.int64]) -> list[_Link | None]:
        """Draw one problem for each row, of the family that was chosen for it."""
        links: list[_Link | None] = [None] * len(rows)
        for number, name in enumerate(self._names):
            mine = np.flatnonzero(chosen == number)
            family = _family_at(name, self.levels)
            valid = family.draw(Rows(rows.stream, rows.addresses[mine])).valid
            mine = mine[valid]
            if not len(mine):
                continue
            problems = family.draw(Rows(rows.stream, rows.addresses[mine]))
            texts = family.render(problems, Render("instruction", "none"))
            joint = _joint_codes(family.signature)
            for i, row in enumerate(mine.tolist()):
                links[row] = _Link(
                    texts.prompts[i].as_py(),
                    texts.answers[i].as_py(),
                    int(problems.axes["level"][i]),
                    joint[problems.derivations.row(i)].tolist(),
                )
        return links

    def _chain(
        self, names: Sequence[str], links: Sequence[_Link | None], draws: RowDraws
    ) -> Problem | None:
        """Join the links; None if one is missing or has no numeral to replace."""
        parts: list[str] = []
        known: list[_Link] = []
        for link in links:
            text = None if link is None else _stated(known, link, draws)
            if link is None or text is None:
                return None
            parts.append(text)
            known.append(link)
        held = sum(pair in self.held_pairs for pair in map(_PAIR.join, pairwise(names)))
        axes: dict[str, int | str] = {f"link_{i}": name for i, name in enumerate(names, 1)}
        axes |= {"links": len(names), "held_pairs": held}
        axes["level"] = max(link.level for link in known)
        root = self.signature.code[f"chain{len(names)}"]
        return Problem(
            tree=[root, *(code for link in known for code in link.codes)],
            answer=known[-1].answer,
            holes={"problems": "\n\n".join(parts)},
            axes=axes,
            steps=[f"Problem {i}: {link.answer}" for i, link in enumerate(known, 1)],
            difficulty=sum(link.level for link in known),
        )


def _stated(before: Sequence[_Link], link: _Link, draws: RowDraws) -> str | None:
    """State a problem in terms of the previous answer; None if it has no numeral to replace."""
    place = len(before) + 1
    if not before:
        return filled(_WORDS["problem"]["first"], {"place": place, "statement": link.prompt})
    numerals = list(_NUMERAL.finditer(link.prompt))
    if not numerals:
        return None
    numeral = draws.choice(numerals)
    name, known = f"K{place - 1}", int(before[-1].answer)
    holes: dict[str, object] = {"place": place, "name": name, "previous": place - 1}
    wording = "answer"
    if abs(known) >= _LARGE:
        wording, holes["modulus"] = "remainder", draws.integer(*_MODULI)
        known = abs(known) % int(str(holes["modulus"]))
    more = int(numeral.group()) - known
    term = f"({name} {'-' if more < 0 else '+'} {abs(more)})"
    holes["statement"] = link.prompt[: numeral.start()] + term + link.prompt[numeral.end() :]
    return filled(_WORDS["problem"][wording], holes)


def _levels_of(name: str) -> int:
    return cast("type[Levels]", generator_class(name)).n_levels


def _top_level(name: str, levels: Sequence[int]) -> int:
    most = _levels_of(name)
    return max((level for level in levels if level <= most), default=most)


@cache
def _family_at(name: str, levels: tuple[int, ...]) -> Generator:
    """Return a family at those of the levels that it has, or at its highest if it has none."""
    most = _levels_of(name)
    known = tuple(level for level in levels if level <= most) or (most,)
    return generator_class(name)(levels=known)  # type: ignore[call-arg]


@cache
def _joint_signature() -> Signature:
    """Return the symbols of chains and of all families that can be linked."""
    symbols = {f"chain{links}": links for links in range(1, _MOST_LINKS + 1)}
    for family in FAMILIES:
        own = generator_class(family)().signature
        for name, arity in list(zip(own.names, own.arities, strict=True))[OWN_SYMBOLS:]:
            symbols[_joint_name(symbols, name, arity)] = arity
    return signature_of(symbols)


def _joint_name(symbols: Mapping[str, int], name: str, arity: int) -> str:
    """Return the name of a symbol beside others, which may have its name and another arity."""
    return name if symbols.get(name, arity) == arity else f"{name}/{arity}"


@cache
def _joint_codes(signature: Signature) -> NDArray[np.uint16]:
    """Return the joint code of each code of a family."""
    joint = _joint_signature()
    arities = dict(zip(joint.names, joint.arities, strict=True))
    own = zip(signature.names, signature.arities, strict=True)
    return np.array([joint.code[_joint_name(arities, *symbol)] for symbol in own], np.uint16)


GENERATORS = {"omega_chain": OmegaChain}
