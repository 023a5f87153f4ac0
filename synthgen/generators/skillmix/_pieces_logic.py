"""Pieces for arguments, sound and unsound."""

from __future__ import annotations

from synthgen.generators.skillmix import (
    _pieces_logic_informal,
    _pieces_logic_propositional,
    _pieces_logic_quantified,
)
from synthgen.generators.skillmix._pieces_logic_chains import CHAINS

__all__ = ["CHAINS", "IMPLIES", "PIECES"]

PIECES = (
    *_pieces_logic_propositional.PIECES,
    *_pieces_logic_quantified.PIECES,
    *_pieces_logic_informal.PIECES,
)
IMPLIES: dict[str, frozenset[str]] = {}
"""Other skills that a piece cannot but show: there are none."""
