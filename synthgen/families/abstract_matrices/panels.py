"""Panels of a matrix: the configurations, and panels as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

TYPES = ("triangle", "square", "pentagon", "hexagon", "circle")
MORE_TYPES = ("triangle", "square", "pentagon", "hexagon", "octagon", "circle", "star")
LINES = ("horizontal", "vertical", "rising", "falling", "diamond", "ring")
"""Lines across a panel; a diamond joins the middles of its sides."""


class Part(NamedTuple):
    """A part of the panels of a configuration, and what its objects may be.

    Attributes:
        name: Name in texts.
        slots: Places for objects, numbered from 0, row by row; or the lines that there are.
        types: Names of the types, in order; empty for lines.
        sizes, colors: Levels.
    """

    name: str
    slots: int
    types: tuple[str, ...] = TYPES
    sizes: range = range(1, 7)
    colors: range = range(10)

    @property
    def is_lines(self) -> bool:
        """Whether the objects are lines, whose slot is their kind."""
        return not self.types


class Entity(NamedTuple):
    """An object: its slot, the number of its type, its size and its color; 0 for what it lacks."""

    slot: int
    type: int
    size: int
    color: int


Component = tuple[Entity, ...]
"""Objects of a part, in the order of their slots."""
Panel = tuple[Component, ...]
"""Objects of each part of a configuration."""

_OUTER = Part("outer", 1, sizes=range(4, 7), colors=range(1))
CONFIGURATIONS: dict[str, tuple[Part, ...]] = {
    "center_single": (Part("center", 1),),
    "distribute_four": (Part("grid", 4),),
    "distribute_nine": (Part("grid", 9),),
    "left_right": (Part("left", 1), Part("right", 1)),
    "up_down": (Part("top", 1), Part("bottom", 1)),
    "in_out": (_OUTER, Part("inner", 1)),
    "in4_out": (_OUTER, Part("inner", 4)),
    "grid_lines": (
        Part("shapes", 9, MORE_TYPES, range(1, 11)),
        Part("lines", len(LINES), (), range(0)),
    ),
}
"""The seven of RAVEN, and a grid with lines as in PGM."""


def slot_name(part: Part, slot: int) -> str:
    """Return the name of a slot, counted from 1."""
    return LINES[slot] if part.is_lines else str(slot + 1)


def _entity_text(part: Part, entity: Entity) -> str:
    slot, kind, size, color = entity
    if part.is_lines:
        return f"{LINES[slot]} {color}"
    place = f"{slot + 1} " if part.slots > 1 else ""
    return f"{place}{part.types[kind]} {size} {color}"


def panel_text(parts: Sequence[Part], panel: Panel) -> str:
    """Return a panel as one line of text."""
    texts = [
        ", ".join([_entity_text(part, entity) for entity in component])
        for part, component in zip(parts, panel, strict=True)
    ]
    if len(parts) == 1:
        return texts[0]
    return "; ".join(f"{part.name}: {text}" for part, text in zip(parts, texts, strict=True))


def panel_json(parts: Sequence[Part], panel: Panel) -> dict[str, list[dict[str, Any]]]:
    """Return a panel as an object for JSON."""
    return {
        part.name: [_entity_json(part, entity) for entity in component]
        for part, component in zip(parts, panel, strict=True)
    }


def _entity_json(part: Part, entity: Entity) -> dict[str, Any]:
    slot, kind, size, color = entity
    if part.is_lines:
        return {"line": LINES[slot], "color": color}
    place = {"position": slot + 1} if part.slots > 1 else {}
    return {**place, "type": part.types[kind], "size": size, "color": color}
