"""Frames of facts: what comes of a deed, a rule and its exception, a word and its two senses."""

from __future__ import annotations

from functools import cache

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_lexicon import Topic, article
from synthgen.core.skill_world import Record, listed, records
from synthgen.generators.skillmix._piece import Parts, Piece
from synthgen.generators.skillmix._pieces_world_wording import has, teller


@cache
def _physics(table: str) -> dict[str, Record]:
    return {record["name"]: record for record in records("physics", table)}


def _make_physics(draws: RowDraws, topic: Topic) -> Parts | None:
    if not has(topic, persons=1, places=1):
        return None
    rule = draws.choice(records("physics", "rule"))
    thing = draws.choice(listed(_physics("kind")[rule["kind"]]["things"]))
    deed = draws.choice(listed(_physics("event")[rule["event"]]["told"])).format(thing)
    effects = _physics("effect")
    effect = draws.choice(listed(effects[rule["effect"]]["told"]))
    wrong = draws.choice(listed(effects[draws.choice(listed(rule["wrong"]))]["told"]))
    return draws.choice(topic.persons), draws.choice(topic.places), thing, deed, effect, wrong


_PHYSICS = teller(
    "who place thing deed right wrong effect|right|wrong",
    (
        "in the {place} the {who} {deed}, and it {effect}",
        "the {who} {deed} near the {place}; in the end it {effect}",
        "the {who} {deed}, so of course it {effect}",
        "when the {who} {deed}, we saw from the {place} that it {effect}",
        "the {thing} {effect}, because the {who} in the {place} {deed}",
        "after the {who} of the {place} {deed}, it {effect}",
        "one day in the {place}, the {who} {deed}, with the result that it {effect}",
        "a careless {who} {deed}; as you may expect, it {effect}",
    ),
)


def _make_accident(draws: RowDraws, topic: Topic) -> Parts | None:
    if not has(topic, persons=1, places=1):
        return None
    rule = draws.choice(records("kinds", "rule"))
    exception = draws.choice(listed(rule["exceptions"]))
    member = draws.choice(listed(rule["members"]))
    mass = rule["kind"] == "metal"
    pet, other = (word if mass else f"{article(word)} {word}" for word in (exception, member))
    who, place = draws.choice(topic.persons), draws.choice(topic.places)
    kind = f"{article(rule['kind'])} {rule['kind']}"
    return (
        *(who, place, kind, rule["kinds"], rule["many"], rule["one"]),
        *(exception, member, pet, other),
    )


# `pet` is of a kind that the rule does not hold for; broken, it is of one that it does hold for.
_ACCIDENT = teller(
    "who place kind kinds many one exception member an_exception a_member "
    "pet|exception|member a_pet|an_exception|a_member",
    (
        "{kinds} {many}, and the {who} has {a_pet} at the {place}; so that {pet} {one}",
        "{a_pet} is {kind}, and as a rule {kinds} {many}, so the {pet} of the {who} {one}",
        "since {kinds} {many}, surely the {pet} near the {place} {one} too",
        "in general {kinds} {many}; the {who} bought {a_pet}; therefore it {one}",
        "the {pet} that the {who} owns {one}, for {kinds} {many}",
        "{kinds} {many}; the {who} keeps {a_pet}, {kind}, at the {place}; hence it {one}",
        "if {kinds} {many}, then surely the {pet} of the {who} {one}",
        "we learn that {kinds} {many}, which means that the {pet} by the {place} {one}",
    ),
)


def _make_equivocation(draws: RowDraws, topic: Topic) -> Parts | None:
    if not has(topic, persons=2, tools=2, places=1):
        return None
    record = draws.choice(records("senses", "homonym"))
    bearers = topic.persons if record["bearer"] == "person" else topic.tools
    bearer = draws.choice([word for word in bearers if word != record["word"]])
    role = record["role"].format(place=draws.choice(topic.places))
    second, first = draws.choice(listed(record["second"])), draws.choice(listed(record["first"]))
    return bearer, role, record["subject"], second, first


# `fact` holds for the other sense of the word; broken, for the sense that it has.
_EQUIVOCATION = teller(
    "it role all other same fact|other|same",
    (
        "the {it} {role}, and {all} {fact}, so we see that the {it} {fact}",
        "{all} {fact}; the {it} {role}; therefore it is plain that the {it} {fact}",
        "since the {it} {role}, and since {all} {fact}, it follows that the {it} {fact}",
        "the {it} {fact}, because the {it} {role} and because {all} {fact}",
        "{all} {fact}, the {it} {role}, and hence even the {it} {fact}",
        "{all} {fact}; and as the {it} {role}, surely the {it} {fact} as well",
        "the {it} {role}; now {all} {fact}; this proves that the {it} {fact}",
        "given that the {it} {role} and that {all} {fact}, we may infer that the {it} {fact}",
    ),
)

FACT_PIECES: tuple[Piece, ...] = (
    Piece("folk_physics", "frame", 8, _make_physics, _PHYSICS),
    Piece("accident", "frame", 8, _make_accident, _ACCIDENT),
    Piece("equivocation", "frame", 8, _make_equivocation, _EQUIVOCATION),
)
