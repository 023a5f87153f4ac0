"""A taxonomy of fictional animals: what kind each is, and what it inherits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from synthgen.authoring import (
    Late,
    NumberedFamily,
    ParamError,
    Problem,
    RowDraws,
    Rows,
    Signature,
    Words,
    axis,
    filled,
    levelled,
    params,
    signature_of,
    stream_key,
)
from synthgen.families.in_context.worlds import (
    GROUPS,
    LAST_WORLD,
    MAX_DECOYS,
    Ints,
    groups_of,
    name_of,
    shuffles,
)

_WORDS = Words.beside(__file__).part("taxonomy")
_TRAITS: list[Mapping[str, Any]] = _WORDS["traits"]
_ASKS = ("parent", "trait", "reversal", "inheritance", "inclusion")
_MAX_LEVELS, _MAX_KINDS, _OPTIONS = 7, 20_000, 4
_TRAIT_ASKS, _CHOICES = ("trait", "inheritance"), ("reversal", "inclusion")
_TRIES = 40


class _Shape(NamedTuple):
    """Sizes of a taxonomy; kinds are numbered level by level, from the top."""

    tops: int
    branching: int
    levels: int
    number: int

    @property
    def starts(self) -> list[int]:
        """First kind of each level, and the number of kinds."""
        sizes = [self.tops * self.branching**level for level in range(self.levels)]
        return [sum(sizes[:level]) for level in range(self.levels + 1)]

    @property
    def stream(self) -> int:
        return stream_key("taxonomy", *self)


class _Tables(NamedTuple):
    """For each kind its level, its parent (-1 for none) and the number of its name.

    Attributes:
        sources: Kind from which it has a trait, -1 for none, (kinds, traits).
        values: Value of a trait that a kind itself has, (kinds, traits).
        asked: Problems of each kind of question, as kind, trait or hops.
    """

    levels: Ints
    parents: Ints
    names: Ints
    sources: Ints
    values: Ints
    asked: Mapping[str, Ints]


@lru_cache(4)
def _tables(shape: _Shape) -> _Tables:
    """Draw a taxonomy.

    For each top kind and trait, the kinds of one of the levels below have a value of their own, and
    all kinds below them inherit it.
    """
    starts, n = shape.starts, shape.starts[-1]
    levels = np.repeat(np.arange(shape.levels), np.diff(starts))
    places = np.arange(n) - np.array(starts)[levels]
    parents = np.where(levels > 0, np.array([0, *starts])[levels] + places // shape.branching, -1)
    n_traits = len(_TRAITS)
    words = Rows.span(shape.stream, 0, n).draws()
    own_levels = words.integers(1, shape.levels - 1, n_traits)
    values = words.integers(0, len(_TRAITS[0]["values"]), n_traits)
    tops = places // shape.branching**levels
    sources = np.full((n, n_traits), -1)
    for kind in range(n):
        is_own = own_levels[tops[kind]] == levels[kind]
        above = sources[parents[kind]] if levels[kind] else np.full(n_traits, -1)
        sources[kind] = np.where(is_own, kind, above)
    kinds, traits = np.nonzero(sources >= 0)
    hops = levels[kinds] - levels[sources[kinds, traits]]
    ups = np.array([(kind, up) for kind in range(n) for up in range(1, int(levels[kind]) + 1)])
    held = np.column_stack([kinds, traits])
    asked = {
        "parent": ups[ups[:, 1] == 1],
        "trait": held[hops == 0],
        "reversal": ups[ups[:, 1] == 1],
        "inheritance": held[hops > 0],
        "inclusion": ups[ups[:, 1] > 1],
    }
    names = shuffles(stream_key("kinds", *shape), 1, n)[0]
    return _Tables(levels, parents, names, sources, values, asked)


@levelled("hops", 1, 2, 3, 4, 5, 6)
@dataclass(frozen=True)
class LatentTaxonomy(NumberedFamily):
    """Kinds of fictional animals, each of which has the traits of the kinds above it.

    Attributes:
        tops: Kinds at the top.
        branching: Kinds directly below a kind.
        levels: Levels of the taxonomy.
        number: Number of the world.
        asks: The "parent" of a kind and its own "trait" are facts. A "reversal" asks which of four
            kinds is directly below another, an "inclusion" which is further below, and an
            "inheritance" asks for the trait of a kind above.
        decoys: Other kinds of which prompts with facts state as much; questions with options
            state it of all options.
    """

    tops: int = params.integer(4, 2, 20)
    branching: int = params.integer(3, 2, 10)
    levels: int = params.integer(5, 3, _MAX_LEVELS)
    number: int = params.integer(0, 0, LAST_WORLD)
    asks: tuple[str, ...] = params.choices(_ASKS, _ASKS)
    decoys: int = params.integer(3, 0, MAX_DECOYS)

    verifier = "latent_taxonomy"
    same_up_to = "the other kinds that a question offers"
    words = _WORDS
    answer_type = "label"
    own_axes = {
        "hops": axis("facts needed", 1, _MAX_LEVELS - 1),
        "low_group": axis("lowest group of the facts used, of 100 equal groups", 0, GROUPS - 1),
        "high_group": axis("highest group of the facts used", 0, GROUPS - 1),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self._shape.starts[-1] > _MAX_KINDS:
            wanted = f"at most {_MAX_KINDS:,} kinds, and not {self._shape.starts[-1]:,}"
            raise ParamError("levels", self.levels, wanted)

    @property
    def _shape(self) -> _Shape:
        return _Shape(self.tops, self.branching, self.levels, self.number)

    @property
    def world(self) -> str:
        """Name of the taxonomy."""
        return f"tx-{self.tops}-{self.branching}-{self.levels}-{self.number}"

    @cached_property
    def signature(self) -> Signature:
        """Kinds of questions, kinds, traits and hops as integers, and the world."""
        return signature_of({**dict.fromkeys(_ASKS, 3), self.world: 0})

    @property
    def _tables(self) -> _Tables:
        return _tables(self._shape)

    @property
    def space(self) -> int:
        """Number of questions."""
        return sum(len(self._tables.asked[kind]) for kind in self._asked)

    @property
    def _asked(self) -> list[str]:
        return [kind for kind in _ASKS if kind in self.asks]

    def _up(self, kind: int, hops: int) -> list[int]:
        """Return a kind and those above it."""
        chain = [kind]
        for _ in range(hops):
            chain.append(int(self._tables.parents[chain[-1]]))
        return chain

    def _name(self, kind: int) -> str:
        return name_of(int(self._tables.names[kind]))

    def numbered(self, numbers: Ints) -> Iterator[Problem]:
        """Read a number as a kind of question and its place in the table."""
        tables = self._tables
        groups = groups_of(self.world, tables.sources.size + len(tables.parents))
        sizes = [len(tables.asked[kind]) for kind in self._asked]
        for number in numbers.tolist():
            rest, place = number, 0
            while rest >= sizes[place]:
                rest, place = rest - sizes[place], place + 1
            ask = self._asked[place]
            kind, last = tables.asked[ask][rest].tolist()
            chain = self._chain(ask, kind, last)
            used = [int(groups[each]) for each in chain[:-1]]
            if ask in _TRAIT_ASKS:
                trait = len(tables.parents) + chain[-1] * len(_TRAITS) + last
                used.append(int(groups[trait]))
            yield Problem(
                tree=(ask, self.world, kind, last),
                answer=self._answer(ask, chain, last),
                holes=self._question(ask, chain, last),
                kind=ask,
                axes={"hops": len(used), "low_group": min(used), "high_group": max(used)},
                difficulty=len(used),
                data=(kind, last),
            )

    def _answer(self, ask: str, chain: list[int], trait: int) -> str:
        if ask in _TRAIT_ASKS:
            value: str = _TRAITS[trait]["values"][self._tables.values[chain[-1], trait]]
            return value
        return self._name(chain[1] if ask == "parent" else chain[0])

    def _question(self, ask: str, chain: list[int], trait: int) -> dict[str, str]:
        if ask in _TRAIT_ASKS:
            return {"question": filled(_TRAITS[trait]["question"], {"kind": self._name(chain[0])})}
        return {"kind": self._name(chain[0] if ask == "parent" else chain[-1])}

    def _chain(self, ask: str, kind: int, last: int) -> list[int]:
        """Return a kind and those above it that matter; empty if it lacks the trait."""
        if ask not in _TRAIT_ASKS:
            return self._up(kind, last)
        top = int(self._tables.sources[kind, last])
        if top < 0:
            return []
        return self._up(kind, int(self._tables.levels[kind] - self._tables.levels[top]))

    def _others(self, problem: Problem, draws: RowDraws) -> list[list[int]]:
        """Draw chains of other kinds of the same level, which end elsewhere."""
        kind, last = problem.data
        level, starts = int(self._tables.levels[kind]), self._shape.starts
        end = self._chain(problem.kind, kind, last)[-1]
        wanted = _OPTIONS - 1 if problem.kind in _CHOICES else self.decoys
        others: dict[int, list[int]] = {}
        for _ in range(_TRIES if wanted else 0):
            other = draws.integer(starts[level], starts[level + 1])
            chain = self._chain(problem.kind, other, last)
            if chain and chain[-1] != end:
                others.setdefault(other, chain)
            if len(others) == wanted:
                break
        return [*others.values()]

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Offer kinds where the question is which one is below another, and state facts."""
        kind, last = problem.data
        chains = [self._chain(problem.kind, kind, last), *self._others(problem, draws)]
        names = draws.shuffled([self._name(chain[0]) for chain in chains])
        return {
            "world": self.world,
            **problem.holes,
            "options": f"{', '.join(names[:-1])} or {names[-1]}",
            "facts": Late(lambda: self._stated(problem, chains, draws)),
        }

    def _stated(self, problem: Problem, chains: list[list[int]], draws: RowDraws) -> str:
        lines = [line for chain in chains for line in self._lines(problem, chain)]
        return "\n".join(draws.shuffled([*dict.fromkeys(lines)]))

    def _lines(self, problem: Problem, chain: list[int]) -> list[str]:
        """State what is above a kind, and the trait that the last one has."""
        lines = [
            filled(_WORDS["edge"], {"kind": self._name(low), "above": self._name(high)})
            for low, high in pairwise(chain)
        ]
        if problem.kind in _TRAIT_ASKS:
            trait = problem.data[1]
            value = _TRAITS[trait]["values"][self._tables.values[chain[-1], trait]]
            text = _TRAITS[trait]["fact"]
            lines.append(filled(text, {"kind": self._name(chain[-1]), "value": value}))
        return lines

    def steps_of(self, problem: Problem) -> list[str]:
        """State the facts needed, from the kind upward."""
        return self._lines(problem, self._chain(problem.kind, *problem.data))

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Return what holds of the other kinds, and then any values of the trait."""
        _, last = problem.data
        chains = self._others(problem, draws)
        answers = [self._answer(problem.kind, chain, last) for chain in chains]
        if problem.kind in _TRAIT_ASKS:
            return [*answers, *draws.shuffled(_TRAITS[last]["values"])]
        return answers
