"""Checkers of orders in space and time: facts are read, closed under composition, and compared."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from synthgen.verifiers.skillmix._check_world_parse import (
    DETERMINERS,
    SPLITTING,
    Statement,
    bare,
    concluded,
    statements,
)
from synthgen.verifiers.skillmix._text import Text
from synthgen.verifiers.skillmix._wanted import wanted

_REMEMBERED = 128
MOST_FACTS = 10
"""Facts next to each other that are closed together."""

# Relations: phrase -> (axis, whether the first thing is the lower one).
PHRASES: dict[str, tuple[str, bool]] = {
    "to the left of": ("x", True),
    "left of": ("x", True),
    "on the left of": ("x", True),
    "to the right of": ("x", False),
    "right of": ("x", False),
    "on the right of": ("x", False),
    "in front of": ("y", True),
    "ahead of": ("y", True),
    "behind": ("y", False),
    "above": ("z", False),
    "over": ("z", False),
    "below": ("z", True),
    "under": ("z", True),
    "underneath": ("z", True),
    "beneath": ("z", True),
    "north of": ("n", False),
    "south of": ("n", True),
    "east of": ("e", False),
    "west of": ("e", True),
    "smaller than": ("size", True),
    "larger than": ("size", False),
    "bigger than": ("size", False),
    "lighter than": ("weight", True),
    "heavier than": ("weight", False),
    "shorter than": ("height", True),
    "taller than": ("height", False),
    "narrower than": ("width", True),
    "wider than": ("width", False),
    "in": ("in", True),
    "inside": ("in", True),
    "inside of": ("in", True),
    "within": ("in", True),
    "on": ("on", True),
    "upon": ("on", True),
    "on top of": ("on", True),
}
FITS = {"in": ("size", True), "inside": ("size", True), "into": ("size", True)}
HOLDS = frozenset("holds contains held contained".split())
_PLACED = frozenset("x y z n e".split())
LOCATES = frozenset(
    "is are was were lies lie lay stands stand stood sits sit sat rests rest hangs hang be "
    "stays must fits fit".split()
)
_LOCATING = LOCATES | HOLDS
BETWEEN = frozenset(
    "also still clearly just set placed kept stored be then itself now indeed certainly always "
    "right deep safely found therefore necessarily".split()
)
SPACE_TRIGGERS = frozenset(phrase.split()[0] for phrase in PHRASES) - {"to"} | {"left", "right"}
_PLACING = SPACE_TRIGGERS | HOLDS | {"into"}
_STARTS: dict[str, tuple[tuple[tuple[str, ...], tuple[str, bool]], ...]] = {
    first: tuple(
        sorted(
            (
                (tuple(phrase.split()), relation)
                for phrase, relation in PHRASES.items()
                if phrase.split()[0] == first
            ),
            key=lambda entry: -len(entry[0]),
        )
    )
    for first in {phrase.split()[0] for phrase in PHRASES}
}


AT_PLACE = frozenset((*_STARTS, *FITS))
"""Words that the place of a thing begins with."""
BEFORE_PLACE = LOCATES | BETWEEN
"""Words right behind which it can begin; at the beginning of a statement it can, too."""


class Fact(NamedTuple):
    """That one thing comes before another on an axis; "in" and "on" are axes, too."""

    axis: str
    low: str
    high: str


Read = tuple[int, Statement, Fact]


def spatial_reasoning(text: Text) -> bool:
    """Whether a relation is concluded that follows from two others or more, and from no fewer."""
    return _concludes(text, spatial_fact, IN_SPACE)


def temporal_order(text: Text) -> bool:
    """Whether an order of events is concluded that follows from two others or more."""
    return _concludes(text, temporal_fact, IN_TIME)


@lru_cache(maxsize=_REMEMBERED)
def spatial_fact(words: tuple[str, ...]) -> Fact | None:
    """Read "the cup is on the shelf", "on the shelf stands the cup" or "the box holds the cup"."""
    verb = _first_of(words, LOCATES)
    if verb < 0:
        at = _first_of(words, HOLDS)
        return _fact(("in", False), words[:at], words[at + 1 :]) if at > 0 else None
    if verb and words[0] in _STARTS and (found := _relation(words, 0)):
        return _fact(found[1], words[verb + 1 :], words[found[0] : verb])
    at = verb + 1
    while at < len(words) and (words[at] in BETWEEN or words[at] in LOCATES):
        if words[at] == "right" and words[at + 1 : at + 2] == ("of",):
            break
        at += 1
    if words[verb] in ("fits", "fit") and at < len(words) and words[at] in FITS:
        return _fact(FITS[words[at]], words[:verb], words[at + 1 :])
    relation = _relation(words, at)
    return _fact(relation[1], words[:verb], words[relation[0] :]) if relation else None


def _first_of(words: tuple[str, ...], wanted_words: frozenset[str]) -> int:
    for at, word in enumerate(words):
        if word in wanted_words:
            return at
    return -1


def _relation(words: tuple[str, ...], at: int) -> tuple[int, tuple[str, bool]] | None:
    """Return where the phrase at this place ends, and what it means."""
    if at >= len(words):
        return None
    for phrase, relation in _STARTS.get(words[at], ()):
        if words[at : at + len(phrase)] == phrase:
            return at + len(phrase), relation
    return None


def _fact(
    relation: tuple[str, bool], first: tuple[str, ...], second: tuple[str, ...]
) -> Fact | None:
    first, second = tuple([word for word in bare(first) if word not in BETWEEN]), bare(second)
    while second and second[-1] in ("too", "itself", "well", "as"):
        second = second[:-1]
    if not first or not second or len(first) > 4 or len(second) > 4:
        return None
    low, high = (first, second) if relation[1] else (second, first)
    return Fact(relation[0], " ".join(low), " ".join(high))


DOWN = DETERMINERS | frozenset(
    "is are was were had has have did does must be been to then long well just shortly right soon "
    "also clearly certainly arrived appeared got there done took takes take place happened happens "
    "came come comes occurred some a time hours days even itself therefore indeed".split()
)
POINTS = frozenset(
    "left woke spoke finished started began rested slept ate departed returned rose "
    "entered ended knocked".split()
)
_EARLIER = {"before": True, "preceded": True, "precedes": True}
_LATER = {"after": False, "followed": False, "follows": False}
TIMES = _EARLIER | _LATER
TIME_TRIGGERS = frozenset(TIMES) | {"earlier", "later"}


@lru_cache(maxsize=_REMEMBERED)
def temporal_fact(words: tuple[str, ...]) -> Fact | None:
    """Read "the weighing came before the washing", "the cook left after the clerk" and the like."""
    found = [at for at, word in enumerate(words) if word in TIME_TRIGGERS]
    if len(found) != 1:
        return None
    at = found[0]
    first_is_low = TIMES.get(words[at], words[at] == "earlier")
    if at == 0:
        split = next((i for i, word in enumerate(words) if word == "came"), 0)
        first, second = _event(words[split + 1 :]), _event(words[1:split])
    else:
        rest = words[at + 1 :]
        if words[at] in ("earlier", "later"):
            if rest[:1] != ("than",):
                return None
            rest = rest[1:]
        first, second = _event(words[:at]), _event(rest)
    if not first or not second:
        return None
    if first[-1] in POINTS and second[-1] not in POINTS:
        second = (*second, first[-1])
    low, high = (first, second) if first_is_low else (second, first)
    return Fact("t", " ".join(low), " ".join(high))


def _event(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple([word for word in words if word not in DOWN])


_FEWEST = 3
"""Facts of a conclusion and what it is from; a clause that is not split has one at most."""
SPLIT = wanted(SPLITTING)
IN_SPACE, IN_TIME = wanted(_PLACING, _LOCATING), wanted(TIME_TRIGGERS)


def _concludes(text: Text, read: Callable[[tuple[str, ...]], Fact | None], needs: int) -> bool:
    """Say whether a fact follows from others; only clauses with the words it needs state one."""
    stating = [clause for clause in text.clauses if clause.bits & needs == needs]
    if len(stating) < _FEWEST and not any(clause.bits & SPLIT for clause in stating):
        return False
    facts: list[Read] = []
    told = statements(text)
    for at, statement in enumerate(told):
        if statement.clause.bits & needs == needs and (fact := read(statement.words)):
            facts.append((at, statement, fact))
    if len(facts) < _FEWEST:
        return False
    for i in range(len(facts)):
        if concluded(told, facts[i][0]):
            near = facts[max(0, i - MOST_FACTS) : i + MOST_FACTS + 1]
            premises = {fact for at, part, fact in near if part.link != "so" and at != facts[i][0]}
            if _follows(facts[i][2], premises):
                return True
    return False


def _follows(goal: Fact, premises: set[Fact]) -> bool:
    if len(premises) < 2 or any(goal == fact or goal in _alone(fact) for fact in premises):
        return False
    closed = closure(premises)
    return goal in closed and Fact(goal.axis, goal.high, goal.low) not in closed


def _alone(fact: Fact) -> tuple[Fact, ...]:
    """Return what follows from one fact."""
    if fact.axis == "in":
        return (Fact("size", fact.low, fact.high),)
    if fact.axis == "on":
        return (Fact("z", fact.high, fact.low),)
    return ()


def closure(facts: set[Fact]) -> set[Fact]:
    """Return all facts that follow by the composition table.

    Axes are transitive. What is in a thing lies where the thing lies and is smaller than it; what
    is on a thing is above it, and is in whatever the thing is in.
    """
    known = set(facts)
    new = set(facts)
    while new:
        derived = {fact for one in new for fact in _alone(one)}
        for one in new:
            for other in known:
                if one.high in other or one.low in other:
                    derived.update(_composed(one, other))
                    derived.update(_composed(other, one))
        new = derived - known
        known |= new
    return known


def _composed(one: Fact, other: Fact) -> tuple[Fact, ...]:
    if one.axis == other.axis and one.axis != "on":
        if one.high == other.low and one.low != other.high:
            return (Fact(one.axis, one.low, other.high),)
        return ()
    if one.axis == "in" and other.axis in _PLACED:
        if one.high == other.low:
            return (Fact(other.axis, one.low, other.high),)
        if one.high == other.high:
            return (Fact(other.axis, other.low, one.low),)
    if one.axis == "on" and other.axis == "in" and one.high == other.low:
        return (Fact("in", one.low, other.high),)
    return ()
