"""OMEGA geometry: constructions with circles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from synthgen.generators.omega.geometry._construct_family import ConstructionFamily


@dataclass(frozen=True)
class GeometryCircle(ConstructionFamily):
    """Constructions with circles: their intersections, tangents, chords, polars and contacts.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. They take
            6 to 9, 10 to 13, 14 to 17, 18 to 21, 22 to 25, 26 to 29 or 30 to 33 commands.
        max_length: largest length, radius or distance that a command may name, from 6 to 30.
    """

    verifier: ClassVar[str] = "geometry_circle"
    subtypes: ClassVar[tuple[str, ...]] = ("distance", "length", "angle", "ratio", "radius")

    @property
    def kind(self) -> str:
        """Whose own commands the constructions have besides the basic ones."""
        return "circle"


GENERATOR = GeometryCircle
