"""Codebooks, facts and kinds from the text: what it states, or single rows of the named world."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple

from synthgen.authoring import (
    Words,
    WorkedVerifier,
    filled,
    holes,
    reads,
    stream_key,
    wording_pattern,
)
from synthgen.families.in_context.verify_examples import VERIFIERS as OF_EXAMPLES
from synthgen.families.in_context.verify_worlds import (
    NAME,
    World,
    listed,
    name_of,
    number_of,
    row_draws,
    shuffle,
    world_hole,
)

_WORDS = Words.beside(__file__)
_MAX_PEOPLE, _MAX_BOOKS, _MAX_KINDS, _MAX_OPTIONS = 10_000, 10_000, 20_000, 4
_PERSON = r"[B-Z][aeiou](?:[bcdfghjklmnprstvwxyz][aeiou]){2}"


def _only(values: Sequence[str]) -> str | None:
    return values[0] if len(values) == 1 else None


class _Word(NamedTuple):
    kind: str
    word: str
    codes: str
    """Codes of the letters, from `a`; a blank where there is none."""


@reads(
    _WORDS.part("codebooks"),
    world=world_hole("cb", 3),
    book=holes.NATURAL,
    word=holes.pattern("[a-z]{1,10}|[A-Z]{1,10}"),
    facts=listed("[a-z] = [A-Z]"),
)
def _read_word(
    kind: str, book: int, word: str, world: World = (), facts: tuple[str, ...] = ()
) -> _Word | None:
    if world:
        books, entries, _ = world
        if not (0 < book <= books <= _MAX_BOOKS and 1 < entries <= 26):
            return None
        order = shuffle(stream_key("codebooks", *world), book - 1, 26)
        codes = "".join(ascii_uppercase[code] for code in order[:entries])
    else:
        stated = {fact[0]: fact[-1] for fact in facts}
        if len(stated) < len(facts) or len({*stated.values()}) < len(facts):
            return None
        codes = "".join(stated.get(letter, " ") for letter in ascii_lowercase)
    fits = word.isupper() == (kind == "decoding") and (len(word) == 1 or kind != "definition")
    return _Word(kind, word, codes) if fits else None


def _translate(problem: _Word) -> tuple[str | None, list[str]]:
    """Replace each sign by the one in the same place of the other alphabet."""
    _, word, codes = problem
    pairs = zip(ascii_lowercase, codes, strict=False)
    table = {code: letter for letter, code in pairs} if word.isupper() else dict(pairs)
    signs = [table.get(sign, " ") for sign in word]
    if " " in signs:
        return None, []
    return "".join(signs), [f"{one} is {other}" for one, other in zip(word, signs, strict=True)]


_RELATIONS: Sequence[Mapping[str, str]] = _WORDS["facts"]["relations"]
_HOLES = {"person": holes.pattern(_PERSON), "object": holes.pattern(_PERSON)}


def _patterns(relation: Mapping[str, str]) -> dict[str, list[re.Pattern[str]]]:
    """Return how a relation is asked for, by kind, and how it is stated."""
    texts = {kind: [*relation[kind]] for kind in ("forward", "backward")}
    texts |= {"key": ["{person} " + relation["key"]]}
    texts |= {"fact": [relation["fact"]], "line": [relation["line"]]}
    return {
        kind: [wording_pattern(text, _HOLES)[1] for text in each] for kind, each in texts.items()
    }


_PATTERNS = [*map(_patterns, _RELATIONS)]


class _Fact(NamedTuple):
    kind: str
    relation: int
    name: str
    world: World
    facts: tuple[str, ...]


@reads(
    _WORDS.part("facts"),
    world=world_hole("pf", 3),
    question=holes.pattern(r"[A-Z][A-Za-z' ]{4,80}\??"),
    facts=listed(r"[A-Z][A-Za-z ]{4,80}\.?"),
)
def _read_fact(
    _kind: str, question: str, world: World = (), facts: tuple[str, ...] = ()
) -> _Fact | None:
    if world and not (1 < world[0] <= _MAX_PEOPLE and 0 < world[1] <= len(_RELATIONS)):
        return None
    for asked in ("key", "forward", "backward"):
        for relation, patterns in enumerate(_PATTERNS):
            for pattern in patterns[asked]:
                if match := pattern.fullmatch(question):
                    return _Fact(asked, relation, match[1], world, facts)
    return None


def _recall(problem: _Fact) -> tuple[str | None, list[str]]:
    """Return the other side of a fact, and the fact."""
    kind, relation, name, world, facts = problem
    asked, side = ("object", "person") if kind == "backward" else ("person", "object")
    if world:
        other = _other_side(problem, number_of(name.lower()))
    else:
        pattern = _PATTERNS[relation]["line" if kind == "key" else "fact"][0]
        matches = [match for fact in facts if (match := pattern.fullmatch(fact))]
        other = _only([match[side] for match in matches if match[asked] == name])
    if other is None:
        return None, []
    form = "line" if kind == "key" else "fact"
    return other, [filled(_RELATIONS[relation][form], {asked: name, side: other})]


def _other_side(problem: _Fact, number: int) -> str | None:
    kind, relation, _, world, _ = problem
    people, relations, _ = world
    if relation >= relations:
        return None
    places = shuffle(stream_key("facts", *world), relation, people)
    first = (relation + 1) * people
    if kind == "backward":
        other = places.index(number - first) if first <= number < first + people else -1
    else:
        other = first + places[number] if number < people else -1
    return name_of(other).capitalize() if other >= 0 else None


_TRAITS: Sequence[Mapping[str, Any]] = _WORDS["taxonomy"]["traits"]
_EDGE = re.compile(rf"Every ({NAME}) is a ({NAME})\.")
_KIND = {"kind": holes.pattern(NAME), "value": holes.pattern("[a-z]+")}
_TRAIT_FACTS = [wording_pattern(trait["fact"], _KIND)[1] for trait in _TRAITS]
_TRAIT_QUESTIONS = [wording_pattern(trait["question"], _KIND)[1] for trait in _TRAITS]


class _Asked(NamedTuple):
    """A question about a kind: its trait, the one above it, or which of some are below it."""

    kind: str
    trait: int
    options: tuple[str, ...]
    world: World
    facts: tuple[str, ...]


@reads(
    _WORDS.part("taxonomy"),
    world=world_hole("tx", 4),
    kind=holes.pattern(NAME),
    question=holes.pattern(r"[A-Z][a-z ]{8,60}\?"),
    options=holes.listed(holes.pattern(NAME), ", ", " or "),
    facts=listed(r"Every [a-z ]{8,60}\."),
)
def _read_kind(
    _ask: str,
    kind: str = "",
    question: str = "",
    options: tuple[str, ...] = (),
    world: World = (),
    facts: tuple[str, ...] = (),
) -> _Asked | None:
    if world:
        tops, branching, levels, _ = world
        fits = 1 < tops <= 20 and 1 < branching <= 10 and 2 < levels <= 7
        if not fits or tops * sum(branching**level for level in range(levels)) > _MAX_KINDS:
            return None
    if not question:
        return _Asked(kind, -1, options, world, facts) if len(options) <= _MAX_OPTIONS else None
    for trait, pattern in enumerate(_TRAIT_QUESTIONS):
        if match := pattern.fullmatch(question):
            return _Asked(match[1], trait, (), world, facts)
    return None


@lru_cache(8)
def _names(world: World) -> list[str]:
    """Return the names of all kinds, level by level from the top."""
    tops, branching, levels, _ = world
    size = tops * sum(branching**level for level in range(levels))
    return [name_of(number) for number in shuffle(stream_key("kinds", *world), 0, size)]


@lru_cache(8)
def _places(world: World) -> dict[str, int]:
    return {name: place for place, name in enumerate(_names(world))}


def _climb(problem: _Asked, kind: str) -> list[str]:
    """Return a kind and all those above it."""
    if problem.world and kind in _places(problem.world):
        return _climb_world(problem.world, _places(problem.world)[kind])
    edges = [match for fact in problem.facts if (match := _EDGE.fullmatch(fact))]
    known, chain = {match[1]: match[2] for match in edges}, [kind]
    while chain[-1] in known and len(chain) <= len(known):
        chain.append(known[chain[-1]])
    return chain


def _climb_world(world: World, place: int) -> list[str]:
    """Find the level of a kind, then those above, each by its place in its level."""
    tops, branching, *_ = world
    start, width, starts, chain = 0, tops, list[int](), [_names(world)[place]]
    while place >= start + width:
        starts.append(start)
        start, width = start + width, width * branching
    while starts:
        above = starts.pop()
        place, start = above + (place - start) // branching, above
        chain.append(_names(world)[place])
    return chain


def _own_traits(problem: _Asked, chain: list[str]) -> list[tuple[str, str]]:
    """Return the kinds of a chain that have the trait of their own, with its value."""
    if not problem.world:
        matches = [_TRAIT_FACTS[problem.trait].fullmatch(fact) for fact in problem.facts]
        stated = {match["kind"]: match["value"] for match in matches if match}
        return [(kind, stated[kind]) for kind in chain if kind in stated]
    level, _ = _drawn(problem, chain[-1])
    if level >= len(chain):
        return []
    kind = chain[len(chain) - 1 - level]
    return [(kind, _drawn(problem, kind)[1])]


def _drawn(problem: _Asked, kind: str) -> tuple[int, str]:
    """Return the level below a top kind that has a trait of its own, and the kind's value."""
    world, trait, n = problem.world, problem.trait, len(_TRAITS)
    place = _places(world).get(kind)
    if place is None:
        return world[2], ""
    draws, values = (
        row_draws(stream_key("taxonomy", *world), place, 2 * n),
        _TRAITS[trait]["values"],
    )
    levels = [draws.integer(1, world[2] - 1) for _ in range(n)]
    return levels[trait], values[[draws.integer(0, len(values)) for _ in range(n)][trait]]


def _classify(problem: _Asked) -> tuple[str | None, list[str]]:
    """Return the trait, the kind above or the kind below, and the facts needed."""
    if problem.options:
        chains = [_climb(problem, option) for option in problem.options]
        fits = [chain for chain in chains if problem.kind in chain[1:]]
        if len(fits) != 1:
            return None, []
        return fits[0][0], _edges(fits[0][: fits[0].index(problem.kind) + 1])
    chain = _climb(problem, problem.kind)
    if problem.trait < 0:
        return (chain[1], _edges(chain[:2])) if len(chain) > 1 else (None, [])
    own = _own_traits(problem, chain)
    if len(own) != 1:
        return None, []
    kind, value = own[0]
    fact = filled(_TRAITS[problem.trait]["fact"], {"kind": kind, "value": value})
    return value, [*_edges(chain[: chain.index(kind) + 1]), fact]


def _edges(chain: list[str]) -> list[str]:
    edge = _WORDS["taxonomy"]["edge"]
    return [filled(edge, {"kind": low, "above": high}) for low, high in pairwise(chain)]


VERIFIERS = {
    "latent_codebooks": WorkedVerifier(_read_word, _translate, "string"),
    "latent_facts": WorkedVerifier(_read_fact, _recall, "label"),
    "latent_taxonomy": WorkedVerifier(_read_kind, _classify, "label"),
    **OF_EXAMPLES,
}
