"""Frames of quantity: a difference, a total, and one amount in two units."""

from __future__ import annotations

from functools import cache

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_lexicon import Topic, plural
from synthgen.core.skill_world import listed, records
from synthgen.generators.skillmix._piece import Parts, Piece, distinct
from synthgen.generators.skillmix._pieces_world_wording import has, teller

_GETS = ("has", "had")  # other verbs, repeated with their sides exchanged, would make a figure


def _make_difference(draws: RowDraws, topic: Topic) -> Parts | None:
    if not has(topic, persons=2, tools=1):
        return None
    one, other = distinct(draws, topic.persons, 2)
    tools = plural(draws.choice(topic.tools))
    less, difference = draws.integer(3, 60), draws.integer(2, 40)
    difference += difference == less
    wrong = difference + draws.choice(
        [step for step in (-1, 1, 2, 10) if difference + step != less]
    )
    return (
        *(one, other, tools, draws.choice(_GETS)),
        *(str(less + difference), str(less), str(difference), str(wrong)),
    )


_DIFFERENCE = teller(
    "one other tools gets many few right wrong by|right|wrong",
    (
        "the {one} {gets} {many} {tools} and the {other} {few}, "
        "so the {one} {gets} {by} more {tools} than the {other}",
        "the {one} {gets} {many} {tools}; the {other} {gets} only {few} of them; "
        "so the {one} {gets} {by} more {tools} than the {other}",
        "the {other} {gets} {few} {tools}, and since the {one} {gets} {many}, "
        "the {one} {gets} {by} more {tools} than the {other}",
        "the {other} {gets} {few} {tools} and the {one} {many}, "
        "so the {other} {gets} {by} fewer {tools} than the {one}",
        "if the {one} {gets} {many} {tools} and the {other} {gets} no more than {few}, "
        "then the {one} {gets} {by} more {tools} than the {other}",
        "the {one} {gets} {by} more {tools} than the {other}, "
        "for the {one} {gets} {many} {tools} while the {other} {gets} {few}",
        "the {one} {gets} {many} {tools}, but the {other} {gets} just {few} {tools}, "
        "{by} fewer {tools} than the {one}",
        "{many} of the {tools} belong to the {one} and {few} of them to the {other}, "
        "so there are {by} more {tools} with the {one} than with the {other}",
    ),
)


def _make_total(draws: RowDraws, topic: Topic) -> Parts | None:
    if not has(topic, persons=1, tools=3, places=1):
        return None
    who, place = draws.choice(topic.persons), draws.choice(topic.places)
    tools = [plural(tool) for tool in distinct(draws, topic.tools, 3)]
    counts = [draws.integer(2, 30) for _ in tools]
    total = sum(counts)
    wrong = total + draws.choice((-1, 1, 2, 10))
    return who, place, *tools, *map(str, counts), str(total), str(wrong)


_TOTAL = teller(
    "who place one two three n m k right wrong total|right|wrong",
    (
        "in the {place} the {who} counted {n} {one}, {m} {two} and {k} {three}, "
        "which makes {total} items",
        "the {who} packed {n} {one}, {m} {two} and {k} {three}, {total} things in all",
        "the {place} has {n} {one}, {m} {two} and {k} {three}; altogether that is {total} objects",
        "{n} {one}, {m} {two} and {k} {three} are in the {place}, a total of {total} pieces",
        "the {who} bought a total of {total} pieces, namely {n} {one}, {m} {two} and {k} {three}",
        "the {who} has {n} {one} and {m} {two}, and with {k} {three} more in the {place} "
        "that makes {total} objects",
        "there are {total} things in all at the {place}, with {n} {one}, {m} {two} "
        "and {k} {three} on the list",
        "on the list of the {who} are {n} {one}, {m} {two} and {k} {three}, "
        "and the sum of these is {total}",
    ),
)


_RARE = frozenset(("milligrams", "decades", "centuries"))
"""Units that would sound odd."""


@cache
def _pairs() -> tuple[tuple[str, str, str, str, int], ...]:
    """(measure, one large unit, large units, small units, how many small ones in a large one)."""
    units = [
        (unit["measure"], int(unit["size"]), unit["one"], listed(unit["many"])[0])
        for unit in records("units", "unit")
    ]
    return tuple(
        (measure, one, many, smalls, size // small)
        for measure, size, one, many in units
        for other, small, _, smalls in units
        if measure == other and small < size <= 1_000 * small and _RARE.isdisjoint((many, smalls))
    )


@cache
def _pairs_for(measures: frozenset[str]) -> tuple[tuple[str, str, str, str, int], ...]:
    return tuple(pair for pair in _pairs() if pair[0] in measures)


_TIMES = frozenset(("time", "age"))
_WEIGHTS = frozenset(("weight", "burden"))
_BUYS = ("bought", "sold", "ordered", "weighed", "used", "needed")
_WORKS = ("worked", "waited", "rested", "stayed")


def _make_units(draws: RowDraws, topic: Topic) -> Parts | None:
    """A weight of a good, or the time that a person spent in a place."""
    if not has(topic, persons=1, places=1):
        return None
    who = draws.choice(topic.persons)
    if topic.goods and draws.integer(0, 2):
        measures, deed, of = _WEIGHTS, draws.choice(_BUYS), f" of {draws.choice(topic.goods)}"
    else:
        place = draws.choice(topic.places)
        measures, deed, of = _TIMES, f"{draws.choice(_WORKS)} in the {place} for", ""
    _, _, many, smalls, size = draws.choice(_pairs_for(measures))
    n = draws.integer(2, 13)
    right = n * size
    wrong = right + draws.choice((-1, 1)) * (
        size if draws.integer(0, 2) else draws.integer(1, size)
    )
    return who, deed, of, f"{n} {many}", f"{right} {smalls}", f"{wrong} {smalls}"


_CONVERSION = teller(
    "who deed of big right wrong small|right|wrong",
    (
        "the {who} {deed} {big}{of}, that is, {small}",
        "the {who} {deed} {big}{of}, which equals {small}",
        "the {who} {deed} {small}{of}, or exactly {big}",
        "the {who} {deed} {big}{of}; converted, that makes {small}",
        "as {big} make {small}, the {who} {deed} {small}{of}",
        "the {who} {deed} {big}{of}, in other words {small}",
        "the {who} {deed} {big}{of}, equal to {small}",
        "the {who} {deed} {small}{of}, which comes to {big}",
    ),
)

NUMBER_PIECES: tuple[Piece, ...] = (
    Piece("arithmetic_comparison", "frame", 8, _make_difference, _DIFFERENCE),
    Piece("counting", "frame", 8, _make_total, _TOTAL),
    Piece("unit_conversion", "frame", 8, _make_units, _CONVERSION),
)
