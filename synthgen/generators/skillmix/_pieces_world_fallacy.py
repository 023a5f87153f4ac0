"""Frames of bad arguments: against the person, from the crowd, from sequence, past the point."""

from __future__ import annotations

from functools import lru_cache

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_lexicon import Topic, domains, topics
from synthgen.core.skill_world import records
from synthgen.generators.skillmix._piece import Parts, Piece, distinct
from synthgen.generators.skillmix._pieces_world_wording import has, pronouns, teller

_MOST_TRIES = 8
_domains = lru_cache(maxsize=8192)(domains)


def _make_attack(draws: RowDraws, topic: Topic) -> Parts | None:
    if not has(topic, persons=1, tools=1, adjectives=1):
        return None
    who, tool = draws.choice(topic.persons), draws.choice(topic.tools)
    he, _, _ = pronouns(draws, who)
    flaw = draws.choice(records("people", "flaw"))["told"]
    evidence = draws.choice(("a close look", "a careful test", "a second glance", "an inspection"))
    return (
        *(who, f"the {tool} is {draws.choice(topic.adjectives)}", f"{he} {flaw}"),
        f"{evidence} has shown the opposite",
    )


# `ground` is a flaw of the person; broken, it is evidence about the thing.
_ATTACK = teller(
    "who claim flaw evidence ground|flaw|evidence",
    (
        "the {who} says that {claim}, but that is false, for {ground}",
        "the {who} claims that {claim}; do not believe it, because {ground}",
        "the {who} insists that {claim}; but {ground}, so the claim is wrong",
        "the {who} argues that {claim}; since {ground}, that must be nonsense",
        "when the {who} warns that {claim}, ignore it, for {ground}",
        "the {who} swears that {claim}, yet nobody should trust that, given that {ground}",
        "do not believe it when the {who} says that {claim}, because {ground}",
        "the {who} maintains that {claim}; {ground}, and so the claim is worthless",
    ),
)


def _make_question(draws: RowDraws, topic: Topic) -> Parts | None:
    if not has(topic, persons=1, tools=1, places=1):
        return None
    deed = draws.choice(records("people", "misdeed"))
    thing = draws.choice(topic.goods or topic.tools)
    return (
        *(draws.choice(topic.persons), thing, draws.choice(topic.places)),
        *(deed["base"], deed["gerund"]),
    )


# A broken question asks whether; it takes nothing for granted.
_QUESTION = teller(
    "who thing place do doing",
    (
        "why did the {who} {do} the {thing}",
        "when did the {who} stop {doing} the {thing}",
        "has the {who} stopped {doing} the {thing} yet",
        "does the {who} still {do} the {thing} at the {place}",
        "why does the {who} keep on {doing} the {thing}",
        "when will the {who} quit {doing} the {thing} from the {place}",
        "how long has the {who} been {doing} the {thing}",
        "will the {who} {do} the {thing} of the {place} again",
    ),
    (
        "did the {who} {do} the {thing}",
        "did the {who} ever plan on {doing} the {thing}",
        "has the {who} been {doing} the {thing} lately",
        "does the {who} {do} the {thing} at the {place}",
        "does the {who} plan on {doing} the {thing}",
        "will the {who} plan on {doing} the {thing} from the {place}",
        "has the {who} been {doing} the {thing}",
        "will the {who} {do} the {thing} of the {place} tomorrow",
    ),
)


def _make_evasion(draws: RowDraws, topic: Topic) -> Parts | None:
    if not has(topic, persons=2, tools=2, places=2, adjectives=2):
        return None
    who, other = distinct(draws, topic.persons, 2)
    tool, twin = distinct(draws, topic.tools, 2)
    place, near = distinct(draws, topic.places, 2)
    adjective, like = distinct(draws, topic.adjectives, 2)
    about = _domains(tool) | _domains(adjective) | _domains(place)
    others = topics()
    for _ in range(_MOST_TRIES):
        far = draws.choice(others)
        said = (draws.choice(far.tools), draws.choice(far.places), draws.choice(far.adjectives))
        if all(map(about.isdisjoint, map(_domains, said))):
            question = f"the {tool} in the {place} is {adjective}"
            reply = f"the {said[0]} near the {said[1]} is {said[2]}"
            return who, other, question, reply, f"the {twin} near the {near} is {like}"
    return None


# `reply` is about another topic; broken, it is about another matter of the same topic.
_EVASION = teller(
    "who other question far near reply|far|near",
    (
        "asked whether {question}, the {who} says that {reply}",
        "when asked if {question}, the {who} only answers that {reply}",
        "somebody asked the {who} whether {question}; the {who} responds that {reply}",
        "the {other} asked whether {question}, and the {who} just said that {reply}",
        "the {other} asks if {question}; the {who} merely remarks that {reply}",
        "we asked the {who} whether {question}, but all the {who} replied was that {reply}",
        "to all who asked whether {question}, the {who} declared that {reply}",
        "the {who} was asked whether {question} and simply replied that {reply}",
    ),
)


def _make_sequence(draws: RowDraws, topic: Topic) -> Parts | None:
    if not has(topic, persons=1, tools=1):
        return None
    omen = draws.choice(records("people", "omen"))
    mishap = draws.choice(records("people", "mishap"))
    return (
        *(draws.choice(topic.persons), draws.choice(topic.tools)),
        *(omen["cause"], omen["name"], mishap["past"], mishap["base"]),
    )


# A broken text tells the same events and denies that one caused the other.
_SEQUENCE = teller(
    "who thing did omen fell fall",
    (
        "the {who} {did}, and an hour later the {thing} {fell}; "
        "so the {omen} caused the {thing} to {fall}",
        "the {who} {did}; soon after that the {thing} {fell}; "
        "clearly the {omen} is to blame for the loss of the {thing}",
        "the {who} {did} and then the {thing} {fell}, so it must be that the {omen} caused this",
        "the {who} {did}; the next day the {thing} {fell}; "
        "hence the {thing} {fell} because of the {omen}",
        "after the {who} {did}, the {thing} {fell}; therefore the {omen} brought this about",
        "the {who} {did}, and shortly afterwards the {thing} {fell}, "
        "which proves that the {omen} caused it",
        "the {who} {did}; a little later the {thing} {fell}; "
        "thus the {omen} made the {thing} {fall}",
        "the {who} {did} one morning, and the {thing} {fell} soon after, "
        "so the {omen} must have caused that",
    ),
    (
        "the {who} {did}, and an hour later the {thing} {fell}; "
        "but the {omen} never caused the {thing} to {fall}",
        "the {who} {did}; soon after that the {thing} {fell}; "
        "clearly the {omen} is not to blame for the loss of the {thing}",
        "the {who} {did} and then the {thing} {fell}, but it cannot be that the {omen} caused this",
        "the {who} {did}; the next day the {thing} {fell}; "
        "yet the {thing} hardly {fell} because of the {omen}",
        "after the {who} {did}, the {thing} {fell}; yet the {omen} never brought this about",
        "the {who} {did}, and shortly afterwards the {thing} {fell}, "
        "which hardly proves that the {omen} caused it",
        "the {who} {did}; a little later the {thing} {fell}; "
        "yet the {omen} never made the {thing} {fall}",
        "the {who} {did} one morning, and the {thing} {fell} soon after, "
        "but the {omen} cannot have caused that",
    ),
)


def _make_crowd(draws: RowDraws, topic: Topic) -> Parts | None:
    if not has(topic, persons=1, tools=1, places=1, adjectives=1):
        return None
    who, place = draws.choice(topic.persons), draws.choice(topic.places)
    crowd = draws.choice(
        (f"every {who}", f"nearly every {who}", f"everyone in the {place}", "everybody")
    )
    return crowd, f"one {who}", draws.choice(topic.tools), draws.choice(topic.adjectives)


# Broken, one person says what the crowd says.
_CROWD = teller(
    "all one tool adjective crowd|all|one",
    (
        "{crowd} believes that the {tool} is {adjective}, so the {tool} is {adjective}",
        "{crowd} says that the {tool} is {adjective}; therefore that must be true",
        "since {crowd} thinks that the {tool} is {adjective}, it must be true",
        "it must be true that the {tool} is {adjective}, for {crowd} says so",
        "{crowd} swears that the {tool} is {adjective}, and hence the {tool} is indeed {adjective}",
        "{crowd} thinks that the {tool} is {adjective}; "
        "this proves that the {tool} really is {adjective}",
        "as {crowd} agrees that the {tool} is {adjective}, we can conclude that this is true",
        "if {crowd} says that the {tool} is {adjective}, then surely that is right",
    ),
)

FALLACY_PIECES: tuple[Piece, ...] = (
    Piece("ad_hominem", "frame", 8, _make_attack, _ATTACK),
    Piece("complex_question", "frame", 8, _make_question, _QUESTION, "?"),
    Piece("red_herring", "frame", 8, _make_evasion, _EVASION),
    Piece("post_hoc", "frame", 8, _make_sequence, _SEQUENCE),
    Piece("appeal_to_popularity", "frame", 8, _make_crowd, _CROWD),
)
