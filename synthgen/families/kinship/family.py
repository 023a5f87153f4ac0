"""Kinship: stories of facts, with or without noise, and their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from zlib import crc32

from synthgen.authoring import PlainFamily, Problem, RowDraws, Tree, Words, axis, levelled, params
from synthgen.families.kinship.genealogy import (
    RELATIVES,
    Chain,
    Fact,
    Person,
    detour,
    drawn_family,
    drawn_walk,
)

_WORDS = Words.beside(__file__)
_RELATIONS: Mapping[str, Sequence[str]] = _WORDS["relations"]
_ANSWERS = tuple(word for words in _RELATIONS.values() for word in words)
_NAMES: Mapping[bool, Sequence[str]] = {
    True: _WORDS["names"]["men"],
    False: _WORDS["names"]["women"],
}
_NOISE = ("none", "supporting", "irrelevant", "disconnected", "all")
_MAX_LENGTH, _MAX_NOISE, _TRIES = 12, 9, 30


class _Made(NamedTuple):
    """A chain of facts, the other facts, the relation that follows, and the names."""

    chain: Chain
    noise: Sequence[Fact]
    fact: Fact
    names: Mapping[int, str]


@levelled("n_facts", 3, 4, 5, 6, 7, 8, 10, 12, 14, 16)
@dataclass(frozen=True)
class Kinship(PlainFamily):
    """Facts lead from one person to another; the question is how these two are related.

    Attributes:
        min_length, max_length: Fewest and most facts of the chain.
        noise: Other facts: "none", "supporting" (another way between neighbors of the chain),
            "irrelevant" (lead away from the chain), "disconnected" (of other people), or "all".
        order: "forward" is the order of the chain, or "shuffled".
    """

    min_length: int = params.integer(2, 2, _MAX_LENGTH, up_to="max_length")
    max_length: int = params.integer(4, 2, _MAX_LENGTH)
    noise: tuple[str, ...] = params.choices(("none",), _NOISE)
    order: str = params.choice("forward", ("forward", "shuffled"))

    verifier = "kinship"
    same_up_to = "the order of the facts and how they are stated"
    restated_by = ("order",)
    words = _WORDS
    symbols = {
        "kinship": (2, 2 + _MAX_NOISE),
        **dict.fromkeys([*_RELATIONS, "also"], 2),
        "end": 0,
        **dict.fromkeys([*_NAMES[True], *_NAMES[False]], 0),
    }
    answer_type = "label"
    own_axes = {
        "length": axis("facts of the chain", "min_length", "max_length"),
        "answer_word": axis("the answer", values=_ANSWERS),
        "noise_kind": axis("kind of the other facts", values=_NOISE),
        "n_facts": axis("facts", 2, _MAX_LENGTH + _MAX_NOISE),
        "chain": axis("hash of the relations of the chain, in order", 0, 2**32),
        "shuffled": axis("1 if the facts are in any order", 0, 1, canonical=False),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw a relation in a family, and a chain of facts from which it follows."""
        length = draws.integer(self.min_length, self.max_length + 1)
        kind = draws.choice([*_RELATIONS])
        is_man = bool(draws.integer(0, 2))
        noise = draws.choice(self.noise)
        for _ in range(_TRIES):
            family = drawn_family(draws)
            fact = _drawn_fact(family, kind, is_man, draws)
            chain = fact and Chain(fact)
            if not chain or not fact:
                continue
            if all(chain.grow(draws) for _ in range(length - 1)):
                others = _noise(noise, chain, draws)
                if others is not None:
                    return self._problem(_named(chain, others, fact, draws), noise)
        return None

    def _problem(self, made: _Made, noise: str) -> Problem:
        chain, others, fact, names = made
        first, last = names[id(fact.a)], names[id(fact.b)]
        nested: Tree = "end"
        for each in reversed(chain.facts):
            nested = (each.kind, names[id(each.b)], nested)
        also = sorted(("also", names[id(a)], (kind, names[id(b)], "end")) for a, kind, b in others)
        return Problem(
            tree=("kinship", first, nested, *also),
            answer=_word(fact),
            holes={"first": first, "last": last, "relations": ", ".join(_ANSWERS)},
            axes={
                "length": len(chain.facts),
                "answer_word": _word(fact),
                "noise_kind": noise,
                "n_facts": len(chain.facts) + len(others),
                "chain": crc32(" ".join(each.kind for each in chain.facts).encode()),
                "shuffled": int(self.order == "shuffled"),
            },
            data=made,
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the facts in order, with the others anywhere between them."""
        chain, others, _, names = problem.data
        facts = [*chain.facts]
        for fact in draws.shuffled(others):
            facts.insert(draws.integer(0, len(facts) + 1), fact)
        if self.order == "shuffled":
            facts = draws.shuffled(facts)
        sentences = _WORDS["facts"][draws.choice(("plain", "scenes"))]
        story = " ".join(
            draws.choice(sentences).format(
                a=names[id(fact.a)],
                b=names[id(fact.b)],
                word=_word(fact),
                own="his" if fact.a.is_man else "her",
            )
            for fact in facts
        )
        return {**problem.holes, "story": story}

    def steps_of(self, problem: Problem) -> list[str]:
        """Join two facts at a time."""
        chain, _, fact, names = problem.data
        return [
            _WORDS.line(
                "joined",
                a=names[id(first.a)],
                b=names[id(first.b)],
                c=names[id(second.b)],
                first=_word(first),
                second=_word(second),
                word=_word(joined),
            )
            for first, second, joined in chain.steps(fact)
        ]

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Return other words for this gender, those of facts of the chain first."""
        chain, _, fact, _ = problem.data
        stated = [each.kind for each in chain.facts]
        kinds = draws.shuffled([*_RELATIONS])
        kinds.sort(key=lambda kind: kind not in stated)
        column = 0 if fact.b.is_man else 1
        words = [_RELATIONS[kind][column] for kind in kinds if kind != fact.kind]
        return [
            *words,
            _RELATIONS[fact.kind][1 - column],
            *(_RELATIONS[k][1 - column] for k in kinds),
        ]


def _word(fact: Fact) -> str:
    return _RELATIONS[fact.kind][0 if fact.b.is_man else 1]


def _drawn_fact(family: list[Person], kind: str, is_man: bool, draws: RowDraws) -> Fact | None:
    """Draw two people with a relation."""
    for person in draws.shuffled(family):
        others = [other for other in RELATIVES[kind](person) if other.is_man == is_man]
        if others:
            return Fact(person, kind, draws.choice(others))
    return None


def _noise(kind: str, chain: Chain, draws: RowDraws) -> list[Fact] | None:
    """Draw facts from which nothing new about the two people follows; None if there are none."""
    used = {*chain.people}
    facts: list[Fact] = []
    if kind in ("supporting", "all"):
        for place in draws.sample(range(len(chain.facts)), min(2, len(chain.facts))):
            parts = detour(chain.facts[place], used, draws)
            if parts:
                facts += parts
                used.add(id(parts[0].b))
                break
        else:
            return None
    if kind in ("irrelevant", "all"):
        starts = [chain.facts[0].a, *(fact.b for fact in chain.facts)]
        walks = [drawn_walk(draws.choice(starts), draws.integer(1, 3), used, draws) for _ in "ab"]
        if not all(walks):
            return None
        facts += [fact for walk in walks for fact in walk]
    if kind in ("disconnected", "all"):
        family = drawn_family(draws)
        start = draws.choice(family)
        used.add(id(start))
        facts += drawn_walk(start, draws.integer(2, 4), used, draws)
    return facts


def _named(chain: Chain, others: list[Fact], fact: Fact, draws: RowDraws) -> _Made:
    """Draw the names of the people."""
    people: dict[int, Person] = {}
    for each in (*chain.facts, *others):
        people[id(each.a)], people[id(each.b)] = each.a, each.b
    names: dict[int, str] = {}
    for is_man, known in _NAMES.items():
        places = [place for place, person in people.items() if person.is_man == is_man]
        names |= dict(zip(places, draws.sample(known, len(places)), strict=True))
    return _Made(chain, others, fact, names)


GENERATORS = {"kinship": Kinship}
