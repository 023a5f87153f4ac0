"""The frames of world and mind."""

from __future__ import annotations

from synthgen.generators.skillmix._piece import Piece
from synthgen.generators.skillmix._pieces_world_fact import FACT_PIECES
from synthgen.generators.skillmix._pieces_world_fallacy import FALLACY_PIECES
from synthgen.generators.skillmix._pieces_world_mind import MIND_PIECES
from synthgen.generators.skillmix._pieces_world_number import NUMBER_PIECES
from synthgen.generators.skillmix._pieces_world_order import ORDER_PIECES

PIECES: tuple[Piece, ...] = (
    *ORDER_PIECES,
    *NUMBER_PIECES,
    *MIND_PIECES,
    *FACT_PIECES,
    *FALLACY_PIECES,
)
IMPLIES: dict[str, frozenset[str]] = {}
"""No frame of this group brings another skill with it."""
