"""Chains of OMEGA problems: a link is a problem of any family whose answer is an integer.

One numeral of a link's prompt is replaced by a sum with the previous answer. Families in which such
a numeral matters can follow every family, and the pairs that a model saw are known exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.authoring import (
    OWN_SYMBOLS,
    Axis,
    DrawnFamily,
    Generator,
    Levels,
    ParamError,
    Problem,
    Render,
    RowDraws,
    Rows,
    Signature,
    Words,
    axis,
    filled,
    generator_class,
    params,
    signature_of,
    stream_key,
    valid_ones,
)
from synthgen.families.omega_chain.links import linkable

_WORDS = Words.beside(__file__)
FAMILIES = tuple(_WORDS["families"]["linked"])
_FOLLOWERS: dict[str, list[int]] = _WORDS["followers"]
"""Families of links after the first, and the lowest and highest level used of each."""
_MAX_LINKS, _HIGHEST_LEVEL = 5, 20
_MAX_ATTEMPTS = 80
"""Attempts to draw a problem that can be linked."""
_LARGE = 10_000
"""An answer from here on is replaced by its remainder modulo a number from _MODULI."""
_MODULI = (11, 1_000)

Levelled = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Link:
    """One problem of a chain.

    Attributes:
        family: Name and levels of its family.
        rows: Its address, to draw it again.
        prompt, answer, level: Its texts and difficulty level.
        numeral: Start and end of the numeral that is replaced; unused in the first link.
        codes: Derivation in joint codes.
    """

    family: tuple[str, Levelled]
    rows: Rows
    prompt: str
    answer: str
    numeral: tuple[int, int]
    level: int
    codes: list[int]


@dataclass(frozen=True)
class OmegaChain(DrawnFamily):
    """Problems of several OMEGA families, each stated in terms of the previous answer.

    Attributes:
        families: Families of the links, equally likely; an empty list means all. Links after the
            first come from those that can follow.
        links: Number of problems in a chain, 1 to 5.
        levels: Difficulty levels of every link; a family that has none of them is drawn at its
            nearest level.
    """

    families: tuple[str, ...] = params.choices((), FAMILIES, fewest=0)
    links: int = params.integer(2, 1, _MAX_LINKS)
    levels: tuple[int, ...] = params.integers((1,), 1, _HIGHEST_LEVEL, fewest=1)

    version = 4
    domain = "omega"
    verifier = "omega_chain"
    same_up_to = "wordings of the problems, and what their families leave open"
    words = _WORDS
    own_axes = {"links": axis("problems in the chain", "links", "links")}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.links > 1 and not self._followers:
            wanted = f"also a family that can follow, such as {next(iter(_FOLLOWERS))}"
            raise ParamError("families", self.families, wanted)

    @property
    def block(self) -> int:
        """Number of addresses that selection draws at a time."""
        return 32

    @property
    def answers_differ(self) -> bool:
        """Whether those of a family differ."""
        return any(generator_class(name)().answers_differ for name in self._names)

    @property
    def _names(self) -> tuple[str, ...]:
        return self.families or FAMILIES

    @property
    def _followers(self) -> tuple[str, ...]:
        return tuple(name for name in self._names if name in _FOLLOWERS)

    @property
    def signature(self) -> Signature:
        """The chain, and the symbols of all families."""
        return _joint_signature()

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The family of each link, the number of links, and the level."""
        firsts = [_levels_of(name, self.levels, False) for name in self._names]
        others = [_levels_of(name, self.levels, True) for name in self._followers]
        highest = max(map(max, firsts + (others if self.links > 1 else [])))
        return {
            f"link_{place}": Axis(
                f"family of problem {place}", values=tuple(_FOLLOWERS) if place > 1 else FAMILIES
            )
            for place in range(1, self.links + 1)
        } | {
            "links": self.own_axes["links"].resolved(self),
            "level": Axis("highest level of a link", low=1, high=highest, canonical=False),
        }

    def make_all(self, rows: Rows) -> list[Problem | None]:
        """Draw the links of each chain, place by place, and state each by the previous answer."""
        names, links = [], []
        for place in range(self.links):
            known = self._followers if place else self._names
            chosen = rows.branch(f"family {place}").draws().integers(0, len(known))
            names.append([known[number] for number in chosen.tolist()])
            links.append(self._draw_links(rows, place, chosen))
        chains = zip(zip(*names, strict=True), zip(*links, strict=True), strict=True)
        choices = rows.branch("chain").each()
        return [self._chain(*chain, draws) for chain, draws in zip(chains, choices, strict=True)]

    def _draw_links(self, rows: Rows, place: int, chosen: NDArray[np.int64]) -> list[_Link | None]:
        """Draw problems for each row, of the family chosen for it, until one can be linked."""
        links: list[_Link | None] = [None] * len(rows)
        for number, name in enumerate(self._followers if place else self._names):
            family = name, _levels_of(name, self.levels, place > 0)
            stream = stream_key(rows.stream, "link", place)
            missing = np.flatnonzero(chosen == number)
            for attempt in range(_MAX_ATTEMPTS):
                if not len(missing):
                    break
                # Every attempt has its own address, so that rows do not depend on each other.
                at = rows.addresses[missing] * np.uint64(_MAX_ATTEMPTS) + np.uint64(attempt)
                drawn = _drawn(family, Rows(stream, at), place > 0)
                for row, link in zip(missing.tolist(), drawn, strict=True):
                    links[row] = link
                missing = missing[[link is None for link in drawn]]
        return links

    def _chain(
        self, names: Sequence[str], links: Sequence[_Link | None], draws: RowDraws
    ) -> Problem | None:
        """Join the links; None if one is missing."""
        parts: list[str] = []
        lines: list[str] = []
        known: list[_Link] = []
        for link in links:
            if link is None:
                return None
            statement, line = _stated(known, link, draws)
            parts.append(statement)
            lines.append(line)
            known.append(link)
        axes: dict[str, int | str] = {f"link_{i}": name for i, name in enumerate(names, 1)}
        axes |= {"links": len(names), "level": max(link.level for link in known)}
        root = self.signature.code[f"chain{len(names)}"]
        return Problem(
            tree=[root, *(code for link in known for code in link.codes)],
            answer=known[-1].answer,
            holes={"problems": "\n\n".join(parts)},
            axes=axes,
            difficulty=sum(link.level for link in known),
            data=(lines, known),
        )

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Return the value of each link, the steps of its family, and its answer."""
        steps: list[str] = []
        for place, (line, link) in enumerate(zip(*problem.data, strict=True), 1):
            steps += [line] if line else []
            steps += _worked(link)
            steps.append(f"Answer to problem {place}: {link.answer}")
        return steps


def _drawn(family: tuple[str, Levelled], rows: Rows, linked: bool) -> list[_Link | None]:
    """Draw a problem at each address; None where it has none, or none that can be linked."""
    links: list[_Link | None] = [None] * len(rows)
    kind = _family_at(*family)
    problems = kind.draw(rows)
    valid, problems = np.flatnonzero(problems.valid), valid_ones(problems)
    rows = problems.rows
    if not len(valid):
        return links
    texts = kind.render(problems, Render("instruction", "none"))
    joint = _joint_codes(kind.signature)
    for i, (place, draws) in enumerate(
        zip(valid.tolist(), rows.branch("numeral").each(), strict=True)
    ):
        prompt, answer = texts.prompts[i].as_py(), texts.answers[i].as_py()
        numeral = linkable(family[0], prompt, answer, draws) if linked else (0, 0)
        if numeral:
            links[place] = _Link(
                family=family,
                rows=Rows(rows.stream, rows.addresses[i : i + 1]),
                prompt=prompt,
                answer=answer,
                numeral=numeral,
                level=int(problems.axes["level"][i]),
                codes=joint[problems.derivations.row(i)].tolist(),
            )
    return links


def _worked(link: _Link) -> list[str]:
    """Return the steps of a link, if its family has steps."""
    kind = _family_at(*link.family)
    if "steps" not in kind.solutions:
        return []
    texts = kind.render(kind.draw(link.rows), Render("instruction", "steps"))
    return cast("str", cast("pa.StringArray", texts.solutions)[0].as_py()).split("\n")


def _stated(before: Sequence[_Link], link: _Link, draws: RowDraws) -> tuple[str, str]:
    """State a problem in terms of the previous answer; return also the step with its value."""
    place = len(before) + 1
    if not before:
        return filled(_WORDS["problem"]["first"], {"place": place, "statement": link.prompt}), ""
    name, known = f"K{place - 1}", int(before[-1].answer)
    holes: dict[str, object] = {"place": place, "name": name, "previous": place - 1}
    wording, source = "answer", ""
    if abs(known) >= _LARGE:
        wording, modulus = "remainder", draws.integer(*_MODULI)
        holes["modulus"], source = modulus, f" = {abs(known)} mod {modulus}"
        known = abs(known) % modulus
    start, end = link.numeral
    value = int(link.prompt[start:end])
    term = f"({name} {'-' if value < known else '+'} {abs(value - known)})"
    holes["statement"] = link.prompt[:start] + term + link.prompt[end:]
    return filled(_WORDS["problem"][wording], holes), f"{name}{source} = {known}; {term} = {value}"


def _levels_of(name: str, levels: Sequence[int], follows: bool) -> Levelled:
    """Return the levels that a family has of these, or its nearest level."""
    n_levels = cast("type[Levels]", generator_class(name)).n_levels
    low, high = _FOLLOWERS[name] if follows else (1, n_levels)
    fitting = tuple(level for level in levels if low <= level <= high)
    return fitting or (low if max(levels) < low else high,)


@cache
def _family_at(name: str, levels: Levelled) -> Generator:
    return generator_class(name)(levels=levels)  # type: ignore[call-arg]


@cache
def _joint_signature() -> Signature:
    """Return the symbols of chains and of all families that can be linked."""
    symbols = {f"chain{links}": links for links in range(1, _MAX_LINKS + 1)}
    for family in FAMILIES:
        own = generator_class(family)().signature
        for name, arity in list(zip(own.names, own.arities, strict=True))[OWN_SYMBOLS:]:
            symbols[_joint_name(symbols, name, arity)] = arity
    return signature_of(symbols)


def _joint_name(symbols: Mapping[str, int], name: str, arity: int) -> str:
    """Return the name of a symbol, with its arity if another symbol has that name."""
    return name if symbols.get(name, arity) == arity else f"{name}/{arity}"


@cache
def _joint_codes(signature: Signature) -> NDArray[np.uint16]:
    """Return the joint code of each code of a family."""
    joint = _joint_signature()
    arities = dict(zip(joint.names, joint.arities, strict=True))
    own = zip(signature.names, signature.arities, strict=True)
    return np.array([joint.code[_joint_name(arities, *symbol)] for symbol in own], np.uint16)


GENERATORS = {"omega_chain": OmegaChain}
