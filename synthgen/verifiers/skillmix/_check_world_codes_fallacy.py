"""What compiled checkers of bad arguments know of words."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from synthgen.verifiers.skillmix import _check_world_fallacy as fallacy
from synthgen.verifiers.skillmix import _check_world_kernel_fallacy_known as kernel
from synthgen.verifiers.skillmix._check_world_codes import Codes, bits_of_classes

_LETTERS = 4
"""With which akin words begin alike."""


def _classes() -> Mapping[int, Container[str]]:
    """Return the words of each class, some of which are data that is read now."""
    return {
        kernel.CLAIMS: fallacy.CLAIMS,
        kernel.REJECTS: fallacy.REJECTS,
        kernel.TRUSTS: fallacy.TRUSTS,
        kernel.FLAW: fallacy.flaws(),
        kernel.COMES_AFTER: fallacy.THEN,
        kernel.CAUSES: fallacy.CAUSES,
        kernel.CAUSES_OR_BECAUSE: fallacy.CAUSE_TRIGGERS,
        kernel.ALLUDES: ("it", "this", "that"),
        kernel.MANY: fallacy.CROWD_TRIGGERS,
        kernel.HELD: fallacy.HELD,
        kernel.HOLDS: fallacy.HOLD,
        kernel.CORRECT: fallacy.TRUE,
    }


class FallacyCodes:
    """Tables by the number of a word."""

    def __init__(self) -> None:
        classes = _classes()
        self._numbers: dict[str, int] = {}
        self._bits = Codes(lambda word: bits_of_classes(word, classes))
        self._beginnings = Codes(self._beginning)

    def grow(self, names: Sequence[str]) -> kernel.Fallacies:
        """Add what is known of new words; return all."""
        return kernel.Fallacies(self._bits.grow(names), self._beginnings.grow(names))

    def _beginning(self, word: str) -> int:
        return self._numbers.setdefault(word[:_LETTERS], len(self._numbers))
