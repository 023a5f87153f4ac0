"""What tests of segments ask of a text."""

from __future__ import annotations

from synthgen.verifiers.skillmix._text import view


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(word for clause in view(text).clauses for word in clause.words)
