"""Scenes: things with attributes and places, and the relations between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from synthgen.authoring import RowDraws

COLORS = ("gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow")
OBJECTS: Mapping[str, tuple[str, ...]] = {
    "size": ("small", "large"),
    "color": COLORS,
    "material": ("rubber", "metal"),
    "shape": ("cube", "sphere", "cylinder"),
}
ANIMALS: Mapping[str, tuple[str, ...]] = {
    "animal": ("dog", "cat", "mouse"),
    "color": ("black", "white", "brown", "gray"),
    "shape": ("round", "square", "triangular"),
}
PLACES = ("left", "right", "front", "behind")
DEEDS = ("chasing", "playing_with", "looking_at")
SIDE, MAX_THINGS = 20, 12
COGENT = {
    "cogent_a": {
        "cube": ("gray", "blue", "brown", "yellow"),
        "cylinder": ("red", "green", "purple", "cyan"),
    },
    "cogent_b": {
        "cube": ("red", "green", "purple", "cyan"),
        "cylinder": ("gray", "blue", "brown", "yellow"),
    },
}
"""Colors of cubes and cylinders in the conditions of CoGenT; spheres have any color."""


class Thing(NamedTuple):
    """An object or animal: the values of its attributes, and its place from 1 to `SIDE`.

    x grows to the right, y to the front.
    """

    values: tuple[str, ...]
    x: int
    y: int


class Scene(NamedTuple):
    """Things and relations.

    Attributes:
        attributes: Names of the values of a thing.
        things: The things; a set of them is an integer with a bit for each.
        relations: For each relation, and each thing, the set of things that have it to this one.
    """

    attributes: tuple[str, ...]
    things: tuple[Thing, ...]
    relations: Mapping[str, Sequence[int]]


def by_place(things: Sequence[Thing]) -> dict[str, list[int]]:
    """Return what is on each side of each thing."""
    left, right = _sides([thing.x for thing in things])
    behind, front = _sides([thing.y for thing in things])
    return {"left": left, "right": right, "front": front, "behind": behind}


def _sides(places: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the sets of things with a smaller, and with a larger coordinate than each thing."""
    everything, before = (1 << len(places)) - 1, 0
    smaller, larger = [0] * len(places), [0] * len(places)
    for number in sorted(range(len(places)), key=places.__getitem__):
        smaller[number] = before
        before |= 1 << number
        larger[number] = everything & ~before
    return smaller, larger


def drawn_objects(draws: RowDraws, count: int, colors: str) -> Scene:
    """Draw a scene of objects, many of which differ from another one in one or two attributes.

    Args:
        draws: Random draws.
        count: Number of objects.
        colors: "any", or the condition of CoGenT.
    """
    allowed = COGENT.get(colors, {})
    made: list[tuple[str, ...]] = []
    while len(made) < count:
        values = _drawn(draws, OBJECTS, made)
        shape = values[-1]
        if values[1] not in allowed.get(shape, COLORS):
            values = (values[0], draws.choice(allowed[shape]), *values[2:])
        made.append(values)
    columns, rows = (draws.sample(range(1, SIDE + 1), count) for _ in range(2))
    things = tuple(map(Thing, made, columns, rows))
    return Scene(tuple(OBJECTS), things, by_place(things))


def _drawn(
    draws: RowDraws,
    attributes: Mapping[str, tuple[str, ...]],
    made: Sequence[tuple[str, ...]],
) -> tuple[str, ...]:
    """Draw the values of a thing, two of three times like an earlier one but for one or two."""
    if not made or not draws.integer(0, 3):
        return tuple([draws.choice(values) for values in attributes.values()])
    values = [*draws.choice(made)]
    names = tuple(attributes)
    for _ in range(1 + draws.integer(0, 2)):
        place = draws.integer(0, len(names))
        values[place] = draws.choice(attributes[names[place]])
    return tuple(values)


def drawn_animals(draws: RowDraws, count: int) -> Scene:
    """Draw a scene of animals; to play is mutual, and a pair has up to two relations each way."""
    made: list[tuple[str, ...]] = []
    while len(made) < count:
        made.append(_drawn(draws, ANIMALS, made))
    relations = {deed: [0] * count for deed in DEEDS}
    for one in range(count):
        for deed in DEEDS:
            if draws.integer(0, 2):
                other = (one + 1 + draws.integer(0, count - 1)) % count
                relations[deed][other] |= 1 << one
                if deed == "playing_with":
                    relations[deed][one] |= 1 << other
    things = [Thing(values, *_spot(number)) for number, values in enumerate(made)]
    return Scene(tuple(ANIMALS), tuple(things), relations)


def _spot(number: int) -> tuple[int, int]:
    """Return the place of an animal: rows of four."""
    return 2 + 5 * (number % 4), 3 + 6 * (number // 4)
