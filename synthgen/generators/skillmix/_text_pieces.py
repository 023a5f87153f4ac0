"""All pieces of verified texts, and which of them can stand together."""

from __future__ import annotations

from collections.abc import Iterable

from synthgen.generators.skillmix import _pieces_figures as figures
from synthgen.generators.skillmix import _pieces_lexical as lexical
from synthgen.generators.skillmix import _pieces_logic as logic
from synthgen.generators.skillmix import _pieces_world as world
from synthgen.generators.skillmix._piece import Joint, Piece
from synthgen.generators.skillmix._pieces_joints import JOINTS as EMBEDDED_AND_OVERLAID
from synthgen.generators.skillmix._pieces_logic_chains import CHAINS

PIECES: dict[str, Piece] = {
    piece.skill: piece for piece in (*figures.PIECES, *lexical.PIECES, *logic.PIECES, *world.PIECES)
}
_CHAINS = tuple(
    Joint(pair, "chain", chain.wordings, chain.make, chain.tell) for pair, chain in CHAINS.items()
)
JOINTS: dict[tuple[str, str], tuple[Joint, ...]] = {
    pair: tuple(joint for joint in (*_CHAINS, *EMBEDDED_AND_OVERLAID) if joint.skills == pair)
    for pair in {joint.skills for joint in (*_CHAINS, *EMBEDDED_AND_OVERLAID)}
}
"""By the skills in the order of the joint."""
IMPLIES: dict[str, frozenset[str]] = {
    **figures.IMPLIES,
    **lexical.IMPLIES,
    **logic.IMPLIES,
    **world.IMPLIES,
}
ALONE: frozenset[str] = figures.ALONE
"""Skills whose segment must be a sentence of its own."""
AROUND: frozenset[str] = figures.AROUND
"""Skills whose first and last clause are put around all other segments."""
FRAMES = frozenset(piece.skill for piece in PIECES.values() if piece.kind == "frame")
"""Skills that bring propositions, which a question is not."""
_QUESTIONS = frozenset(piece.skill for piece in PIECES.values() if piece.mark == "?")
_IN_ONE_SENTENCE = 2
"""Skills that one sentence must hold all of."""


def reason_against(one: str, other: str) -> str | None:
    """Say why two skills cannot stand in one text, or None if they can."""
    for first, second in ((one, other), (other, one)):
        if second in IMPLIES.get(first, ()):
            return f"{first} always shows {second}, so that the text cannot lose {second} alone"
    return None


def can_stand_together(skills: Iterable[str]) -> bool:
    """Say whether there is a text of these skills, as far as is known beforehand."""
    chosen = frozenset(skills)
    if len(chosen) == _IN_ONE_SENTENCE:
        if not chosen.isdisjoint(ALONE):
            return False
        if not chosen.isdisjoint(_QUESTIONS) and not chosen.isdisjoint(AROUND):
            return False
        if not chosen.isdisjoint(_QUESTIONS) and len(chosen & FRAMES) == _IN_ONE_SENTENCE:
            return False
    if chosen.isdisjoint(IMPLIES):
        return True
    return not any(IMPLIES[one] & chosen for one in chosen if one in IMPLIES)
