"""Checkers of minds: what somebody wrongly believes, how they explain luck, how they calm down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from synthgen.core.skill_world import listed, records
from synthgen.verifiers.skillmix._check_world_parse import (
    NEGATIONS,
    PRONOUNS,
    Statement,
    bare,
    is_person,
    persons,
    statements,
)
from synthgen.verifiers.skillmix._text import Text

_PUTS = frozenset(
    "put puts placed places left leaves hid hides stored stores set sets laid".split()
)
MOVES = frozenset("moved moves shifted shifts carried carries transferred took takes".split())
PUTS_OR_MOVES = _PUTS | MOVES
LEAVES = frozenset("left leaves departed departs slept sleeps".split())
OUT = frozenset("out away outside asleep off home".split())
RETURNS = frozenset("returned returns back".split())
TO = frozenset("to into onto".split())
PLACES = frozenset("in on under inside behind beneath into onto near".split())
_BELIEVES = frozenset("believes thinks expects assumes believed thought expected assumed".split())
BELIEF_TRIGGERS = _BELIEVES | frozenset("look looks search searches reach reaches seek".split())
SEEKS = BELIEF_TRIGGERS - _BELIEVES
ADVERBS = frozenset("first later tomorrow next again still now soon then".split())
ENDS = frozenset("and before then but".split())
WHILE = frozenset("while when once after".split())


@dataclass(slots=True)
class _World:
    """Where things are, where each agent saw them last, and who is away."""

    places: dict[str, str] = field(default_factory=dict)
    beliefs: dict[tuple[str, str], str] = field(default_factory=dict)
    away: set[str] = field(default_factory=set)
    agents: set[str] = field(default_factory=set)
    last: str = ""

    def lies(self, thing: str, place: str, actor: str) -> None:
        """Put a thing at a place before the eyes of all who are not away."""
        self.last = thing
        self.places[thing] = place
        self.agents.add(actor)
        for agent in self.agents:
            if agent == actor or agent not in self.away:
                self.beliefs[agent, thing] = place


def false_belief(text: Text) -> bool:
    """Whether the log of events ends with a place in which an agent believes, but wrongly."""
    world = _World()
    told = statements(text)
    for statement in told:
        world.agents.update(_agents(statement.words))
    for at, statement in enumerate(told):
        words = _without(statement.words, WHILE)
        agent = _agent(words)
        if not agent:
            continue
        for following in told[at + 1 : at + 2]:
            if following.place == statement.place and _meanwhile(following):
                _goes(world, following)  # "the clerk moved it while the cook was away"
        if not BELIEF_TRIGGERS.isdisjoint(words):
            if _believed_wrongly(world, agent, words):
                return True
        elif not _happens(world, agent, words):
            _goes(world, statement)
    return False


def _meanwhile(statement: Statement) -> bool:
    return statement.link == "while" or statement.words[0] in WHILE


def _without(words: tuple[str, ...], leading: frozenset[str]) -> tuple[str, ...]:
    return words[1:] if words and words[0] in leading else words


def _agent(words: tuple[str, ...]) -> str:
    """Return the subject of a clause, "the cook" or "anna"; a pronoun is nobody we know."""
    start = 0
    while start < len(words) and words[start] in ADVERBS:
        start += 1
    rest = bare(words[start:])
    return rest[0] if rest and rest[0] not in PRONOUNS else ""


def _agents(words: tuple[str, ...]) -> frozenset[str]:
    agent = _agent(_without(words, WHILE))
    return frozenset((agent,)) if agent else frozenset()


def _goes(world: _World, statement: Statement) -> None:
    """Let somebody go or come back."""
    words = _without(statement.words, WHILE)
    agent = _agent(words)
    if not NEGATIONS.isdisjoint(words):
        return
    if not RETURNS.isdisjoint(words) or ("came" in words and "in" in words):
        world.away.discard(agent)
    elif not LEAVES.isdisjoint(words) or not OUT.isdisjoint(words):
        world.away.add(agent)


def _happens(world: _World, agent: str, words: tuple[str, ...]) -> bool:
    """Read "the cook put the cup in the box" or "the clerk moved it to the shelf"."""
    verb = next((at for at, word in enumerate(words) if word in PUTS_OR_MOVES), 0)
    if not verb or not NEGATIONS.isdisjoint(words):
        return False
    to = MOVES.__contains__(words[verb])
    ends = TO | PLACES if to else PLACES
    ats = [at for at in range(verb + 1, len(words)) if words[at] in ends]
    if to and not TO.isdisjoint(words[verb + 1 :]):
        ats = [at for at in ats if words[at] in TO]
    if not ats:
        return False
    whence = words.index("from") if "from" in words else len(words)
    thing = " ".join(bare(words[verb + 1 : min(ats[0], whence)]))
    rest = bare(words[ats[0] + 1 :])
    end = next((at for at, word in enumerate(rest) if word in ENDS), len(rest))
    place = " ".join(rest[:end])
    if not thing or not place:
        return False
    world.lies(world.last if thing in PRONOUNS and world.last else thing, place, agent)
    if not (LEAVES | OUT).isdisjoint(rest[end:]):  # "and went out"
        world.away.add(agent)
    return True


def _believed_wrongly(world: _World, agent: str, words: tuple[str, ...]) -> bool:
    if not NEGATIONS.isdisjoint(words):
        return False
    thing = next((t for t in world.places if f" {t} " in f" {' '.join(words)} "), world.last)
    believed = world.beliefs.get((agent, thing))
    if believed is None or believed == world.places[thing]:
        return False
    verb = next(at for at, word in enumerate(words) if word in BELIEF_TRIGGERS)
    rest = words[verb + 1 :]
    stated = [" ".join(bare(rest[at + 1 :])) for at, word in enumerate(rest) if word in PLACES]
    if words[verb] in SEEKS:
        stated.append(" ".join(bare(rest)))
    return any(f"{place} ".startswith(f"{believed} ") for place in stated)


@cache
def _marks(table: str) -> dict[str, frozenset[str]]:
    """Name of a stage, an outcome or a cause -> the words that show it."""
    return {
        record["name"]: frozenset(listed(record["words"])) for record in records("people", table)
    }


def _marks_of(table: str, name: str) -> Callable[[], frozenset[str]]:
    return lambda: _marks(table)[name]


_STAGES = ("trigger", "feeling", "act", "calm")
STAGES = tuple(_marks_of("stage", name) for name in _STAGES)
OUTCOMES = (
    *(_marks_of("outcome", name) for name in ("success", "failure")),
    *(_marks_of("cause", name) for name in ("internal", "external")),
)
"""What an account of good and bad luck has words of."""
CAUSE_TRIGGERS = frozenset("own".split())
CUES = frozenset(
    "because blame blames blamed through thanks thank thanked due owing down explains explained "
    "fault credit credits credited praise praises praised reason owes owed put".split()
)
OWNERS = frozenset("his her their my our own".split())


def self_serving_bias(text: Text) -> bool:
    """Whether one agent explains a success by an inner cause and a failure by an outer one."""
    told = statements(text)
    found: dict[str, list[frozenset[str]]] = {"success": [], "failure": []}
    for at, statement in enumerate(told):
        cause = _cause(statement)
        outcome = _outcome(told, at) if cause else ""
        if (outcome, cause) in (("success", "internal"), ("failure", "external")):
            found[outcome].append(_explainer(told, at))
    return any(
        not one or not other or bool(one & other)
        for one in found["success"]
        for other in found["failure"]
    )


def _cause(statement: Statement) -> str:
    """Return "internal", "external", or nothing where there is no cause or there are both."""
    words = statement.words
    cued = statement.link == "because" or not CUES.isdisjoint(words)
    if not cued or not NEGATIONS.isdisjoint(words):
        return ""
    causes = _marks("cause")
    inner = any(
        word in causes["internal"] and not OWNERS.isdisjoint(words[max(0, at - 3) : at])
        for at, word in enumerate(words)
    )
    outer = not causes["external"].isdisjoint(words)
    if inner == outer:
        return ""
    return "internal" if inner else "external"


def _outcome(told: tuple[Statement, ...], at: int) -> str:
    """Return the outcome that a cause explains: of its own clause, the one before, or after."""
    outcomes = _marks("outcome")
    for near in (at, at - 1, at + 1):
        if not 0 <= near < len(told) or (near != at and _cause(told[near])):
            continue
        words = told[near].words
        shown = [name for name, marks in outcomes.items() if not marks.isdisjoint(words)]
        if shown and NEGATIONS.isdisjoint(words):
            return shown[0] if len(shown) == 1 else ""
    return ""


EXPLAINS = frozenset(
    "says said credited credits blamed blames praised praises thanked thanks gives gave put puts "
    "explained explains believes believed claims claimed owes owed".split()
)


def _explainer(told: tuple[Statement, ...], at: int) -> frozenset[str]:
    """The person who is the subject of the explanation; empty for a pronoun."""
    words = bare(told[at].words)
    return frozenset() if EXPLAINS.isdisjoint(words[1:4]) else persons(words[:1])


def emotional_self_regulation(text: Text) -> bool:
    """Whether a trigger, a bad feeling, an act of regulation and calm come in this order."""
    stages, order = _marks("stage"), _STAGES
    at = 0
    sufferer: frozenset[str] = frozenset()
    for statement in statements(text):
        words = statement.words
        for i, word in enumerate(words):
            if word not in stages[order[at]]:
                continue
            if at and not NEGATIONS.isdisjoint(words[:i]):
                continue
            if order[at] == "feeling":
                sufferer = _subject(words)
            elif at and sufferer and _subject(words) and not sufferer & _subject(words):
                continue
            at += 1
            if at == len(order):
                return True
    return False


def _subject(words: tuple[str, ...]) -> frozenset[str]:
    rest = bare(words)
    return persons(rest[:1]) if rest and is_person(rest[0]) else frozenset()
