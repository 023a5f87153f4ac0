"""What tests of segments ask of a text."""

from __future__ import annotations

import re
from functools import lru_cache

from synthgen.core.randomness import Rows, stream_key
from synthgen.core.skill_lexicon import Topic, topics
from synthgen.generators.skillmix._piece import Parts, Piece
from synthgen.verifiers.skillmix._text import view

SEGMENT = re.compile(r"[a-z]+(?:[,;]? [a-z]+)*")


@lru_cache
def drawn(piece: Piece, rows: int) -> list[tuple[Topic, Parts, int]]:
    """Parts and wordings from all topics in turn."""
    found = []
    for at, draws in enumerate(Rows.span(stream_key(11, piece.skill), 0, rows).each()):
        topic = topics()[at % len(topics())]
        parts = piece.make(draws, topic)
        assert parts is not None, f"topic={topic.name} cannot show {piece.skill}"
        found.append((topic, parts, draws.integer(0, piece.wordings)))
    return found


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(word for clause in view(text).clauses for word in clause.words)
