"""Frames of mind: a wrong belief, a flattering explanation, and a temper that is mastered."""

from __future__ import annotations

from functools import cache

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_lexicon import Topic
from synthgen.core.skill_world import Record, listed, records
from synthgen.generators.skillmix._piece import Parts, Piece, distinct
from synthgen.generators.skillmix._pieces_world_wording import has, pronouns, teller

_SPOTS = ("box", "basket", "drawer", "chest", "cupboard", "bag", "trunk", "crate", "sack", "closet")


def _make_belief(draws: RowDraws, topic: Topic) -> Parts | None:
    if not has(topic, persons=2, tools=1):
        return None
    who, other = distinct(draws, topic.persons, 2)
    thing = draws.choice(topic.tools)
    spots = topic.places if len(topic.places) > 1 and draws.integer(0, 2) else _SPOTS
    here, there = distinct(draws, [spot for spot in spots if spot != thing], 2)
    return who, other, thing, here, there


# `believed` is where the first person saw the thing last; broken, it is where the thing is.
_BELIEF = teller(
    "who other thing here there believed|here|there",
    (
        "the {who} put the {thing} in the {here} and went away; the {other} moved it to the "
        "{there}; back again, the {who} will look for it in the {believed}",
        "the {who} left the {thing} in the {here}; while the {who} was out, the {other} moved it "
        "to the {there}; the {who} still thinks that the {thing} is in the {believed}",
        "the {who} hid the {thing} in the {here} and then left; the {other} carried it to the "
        "{there}; on coming home, the {who} will search the {believed}",
        "the {who} set the {thing} in the {here} and fell asleep; the {other} took it from there "
        "to the {there}; awake again, the {who} expects it to be in the {believed}",
        "the {who} stored the {thing} in the {here}; the {who} stepped outside, and the {other} "
        "shifted it to the {there}; now the {who} believes that it is in the {believed}",
        "the {who} placed the {thing} in the {here}; then the {who} went home, and the {other} "
        "moved it into the {there}; tomorrow the {who} will reach for it in the {believed}",
        "once the {who} had put the {thing} in the {here} and gone out, the {other} moved it to "
        "the {there}, so the {who} will later search for it in the {believed}",
        "the {who} laid the {thing} in the {here} before going out; unseen, the {other} moved it "
        "to the {there}; the {who} still assumes that it lies in the {believed}",
    ),
)


@cache
def _by_name(table: str) -> dict[str, Record]:
    return {record["name"]: record for record in records("people", table)}


@cache
def _blamed() -> frozenset[str]:
    return frozenset(listed(_by_name("cause")["external"]["words"]))


def _make_bias(draws: RowDraws, topic: Topic) -> Parts | None:
    if not has(topic, persons=1, tools=2):
        return None
    who = draws.choice(topic.persons)
    if who in _blamed():
        return None
    _, his, _ = pronouns(draws, who)
    best, worst = distinct(draws, topic.tools, 2)
    outcomes, causes = _by_name("outcome"), _by_name("cause")
    won = draws.choice(listed(outcomes["success"]["told"])).format(thing=best)
    lost = draws.choice(listed(outcomes["failure"]["told"])).format(thing=worst)
    skill = draws.choice(listed(causes["internal"]["good"]))
    luck = draws.choice(listed(causes["external"]["bad"]))
    haste = draws.choice(listed(causes["internal"]["bad"]))
    return who, won, lost, f"{his} {skill}", luck, f"{his} {haste}"


# `luck` is an outer cause; broken, it is the agent's own fault.
_BIAS = teller(
    "who won lost skill chance fault luck|chance|fault",
    (
        "when {won}, the {who} credited {skill}, but when {lost}, the {who} only blamed {luck}",
        "{won}, and the {who} put it down to {skill}; "
        "later {lost}, and the same {who} put it down to {luck}",
        "according to the {who}, {won} because of {skill}, while {lost} only because of {luck}",
        "the {who} says that {won} thanks to {skill}, but that {lost} owing to {luck}",
        "the {who} explained that {won} through {skill}; "
        "the {who} also explained that {lost} owing to {luck}",
        "{lost}, for which the {who} blames {luck}; "
        "{won}, for which the {who} gives the credit to {skill}",
        "it is the fault of {luck} that {lost}, says the {who}, "
        "yet {skill} is the reason that {won}",
        "in the eyes of the {who}, {skill} explains why {won}, and {luck} explains why {lost}",
    ),
)


def _make_regulation(draws: RowDraws, topic: Topic) -> Parts | None:
    if not has(topic, persons=2, tools=1):
        return None
    who, other = distinct(draws, topic.persons, 2)
    he, _, him = pronouns(draws, who)
    stages = _by_name("stage")
    trigger = draws.choice(listed(stages["trigger"]["told"])).format(
        who=who, other=other, thing=draws.choice(topic.tools)
    )
    feeling, act, calm = (
        draws.choice(listed(stages[name]["told"])) for name in ("feeling", "act", "calm")
    )
    return who, he, him, trigger, feeling, act, calm, draws.choice(listed(stages["calm"]["wrong"]))


# `calm` is the state in the end; broken, it is no calmer.
_REGULATION = teller(
    "who he him trigger feeling act better worse calm|better|worse",
    (
        "when {trigger}, the {who} grew {feeling}, but {he} {act} and soon felt {calm}",
        "{trigger}; the {who} felt {feeling}; {he} {act} and was {calm} within a minute",
        "because {trigger}, the {who} was {feeling}; then {he} {act}, and shortly {he} felt {calm}",
        "after {trigger}, the {who} became {feeling}, {act}, and in the end felt {calm}",
        "{trigger} and the {who} turned {feeling}, so {he} {act}, after which {he} was {calm}",
        "one day {trigger}, which made the {who} {feeling}; {he} {act}, and that left {him} {calm}",
        "{trigger} and the {who} got {feeling}; {he} walked off and {act}, until {he} felt {calm}",
        "yesterday {trigger}; the {who}, by now {feeling}, {act} and walked on {calm}",
    ),
)

MIND_PIECES: tuple[Piece, ...] = (
    Piece("false_belief", "frame", 8, _make_belief, _BELIEF),
    Piece("self_serving_bias", "frame", 8, _make_bias, _BIAS),
    Piece("emotional_self_regulation", "frame", 8, _make_regulation, _REGULATION),
)
