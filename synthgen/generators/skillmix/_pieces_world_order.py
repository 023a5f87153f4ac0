"""Frames of order: where things are, and what came before what."""

from __future__ import annotations

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_lexicon import Topic, gerund
from synthgen.generators.skillmix._piece import Parts, Piece, distinct
from synthgen.generators.skillmix._pieces_world_wording import has, teller

# A relation and its converse.
_SIDES = (
    ("is to the left of", "is to the right of"),
    ("is in front of", "is behind"),
    ("is above", "is below"),
    ("is north of", "is south of"),
    ("is east of", "is west of"),
    ("is smaller than", "is larger than"),
    ("is lighter than", "is heavier than"),
    ("is narrower than", "is wider than"),
)
_BOXES = ("box", "basket", "crate", "chest", "drawer", "trunk", "sack", "tin")
_STANDS = ("table", "bench", "counter", "tray", "stool", "cart")


def _order(draws: RowDraws, topic: Topic) -> Parts:
    one, two, three = distinct(draws, topic.tools, 3)
    up, down = draws.choice(_SIDES)
    if draws.integer(0, 2):
        up, down = down, up
    return one, two, two, three, up, up, down, up, down


def _contained(draws: RowDraws, topic: Topic) -> Parts:
    """A thing in or on another, which is in a place or beside a third thing."""
    one, three = distinct(draws, topic.tools, 2)
    kinds = draws.choice((_BOXES, _STANDS))
    two, other = distinct(draws, [kind for kind in kinds if kind not in (one, three)], 2)
    near = "is in" if kinds is _BOXES else "is on"
    places = [place for place in topic.places if place not in (two, other)]
    if kinds is _STANDS or draws.integer(0, 2):
        return one, two, other, draws.choice(places), near, "is in", "holds", "is in", "is in"
    up, down = draws.choice(_SIDES[:5])
    return one, two, two, three, near, up, down, up, down


def _make_space(draws: RowDraws, topic: Topic) -> Parts | None:
    if not has(topic, tools=4, places=1):
        return None
    return _order(draws, topic) if draws.integer(0, 2) else _contained(draws, topic)


# One thing is `near` a second, which is `next` to a third; `end` relates the first to the third.
_SPACE = teller(
    "one two other three near next prev right wrong mid|two|other end|right|wrong",
    (
        "the {three} {prev} the {two}, and the {one} {near} that same {mid}, "
        "so we know that the {one} {end} the {three}",
        "since the {three} {prev} the {two}, and since the {one} {near} the {mid}, "
        "clearly the {one} {end} the {three}",
        "the {three} {prev} the {two} itself, while the {one} {near} the {mid}; "
        "it follows that the {one} {end} the {three}",
        "the {one} {end} the {three}, because the {one} {near} the {mid}, and "
        "because the {three} {prev} the {two}",
        "the {three} {prev} the {two}; the {one} {near} the very same {mid}; "
        "this means that the {one} {end} the {three}",
        "the {three} {prev} the {two}, but the {one} {near} the {mid} itself; "
        "therefore it is clear that the {one} {end} the {three}",
        "the {three} {prev} the {two}; and as the {one} {near} that very {mid}, "
        "we can conclude that the {one} {end} the {three}",
        "we can see that the {three} {prev} the {two}, and the {one} {near} the {mid}; "
        "hence the {one} {end} the {three}",
        "given that the {three} {prev} the {two}, and that the {one} {near} that {mid}, "
        "we may infer that the {one} {end} the {three}",
    ),
)
_COMES = ("arrived", "appeared", "came", "was there")
_HAPPENS = ("came", "took place", "happened", "was done")


def _make_time(draws: RowDraws, topic: Topic) -> Parts | None:
    if not has(topic, persons=3, verbs=3):
        return None
    if draws.integer(0, 2):
        return *distinct(draws, topic.persons, 3), *distinct(draws, _COMES, 3), "before", "after"
    events = map(gerund, distinct(draws, topic.verbs, 3))
    return *events, *distinct(draws, _HAPPENS, 3), "before", "after"


# The first event is before the second, and that is before the third. The verbs differ, as one verb
# with its sides exchanged would make a figure of it.
_TIME = teller(
    "one two three did does done before after early|before|after late|after|before",
    (
        "the {one} {did} before the {two}, and the {three} {does} some time after the {two}, "
        "so we know that the {one} {done} {early} the {three}",
        "the {three} {did} after the {two}; the {one} {does} long before the {two}; "
        "this means that the {three} {done} {late} the {one}",
        "since the {three} {did} well after the {two}, and since the {one} {does} before the "
        "{two}, clearly the {one} {done} {early} the {three}",
        "the {two} {did} well before the {three} and the {one} {does} before the {two}; "
        "it follows that the {three} {done} {late} the {one}",
        "the {one} {did} {early} the {three}, because the {two} {does} soon after the {one} and "
        "because the {three} {done} even later than the {two}",
        "the {one} {did} earlier than the {two}, but the {three} {does} later than the {two}; "
        "therefore the {one} {done} {early} the {three}",
        "the {two} {did} some hours after the {one}, and the {three} {does} after the {two}; "
        "hence the {three} {done} {late} the {one}",
        "given that the {one} {did} just before the {two}, and given that the {two} {does} before "
        "the {three}, we may infer that the {one} {done} {early} the {three}",
    ),
)

ORDER_PIECES: tuple[Piece, ...] = (
    Piece("spatial_reasoning", "frame", 9, _make_space, _SPACE),
    Piece("temporal_order", "frame", 8, _make_time, _TIME),
)
