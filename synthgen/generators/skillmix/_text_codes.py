"""Derivations of planned texts: a mix, its topic, its skills, and digits that stand for content."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, ragged
from synthgen.core.derivation import Signature
from synthgen.core.skill_lexicon import topics
from synthgen.generators.skillmix._text_plan import TextPlan

_LEAVES, _DIGITS, _BYTES = 4096, 6, 9
"""Content is hashed to so many digits of this base, leaves of the derivation, in so many bytes."""


class Coder:
    """Writes the derivations of texts.

    Attributes:
        signature: of the derivations.
    """

    def __init__(self, skills: Iterable[str], most_skills: int) -> None:
        """Give codes to these skills, to all topics and to the digits."""
        numbers = range(1, most_skills + 1)
        names = sorted(topic.name for topic in topics())
        symbols = {f"mix{k}": 1 + k + _DIGITS for k in numbers}
        symbols |= dict.fromkeys(sorted(skills), 0)
        symbols |= dict.fromkeys(map(_leaf, names), 0)
        self.signature = Signature.of(symbols | {f"#{digit:03x}": 0 for digit in range(_LEAVES)})
        code = self.signature.code
        self._mixes = {k: code[f"mix{k}"] for k in numbers}
        self._topics = {name: code[_leaf(name)] for name in names}
        self._digits = np.array([code[f"#{digit:03x}"] for digit in range(_LEAVES)], np.uint16)

    def derivations(self, plans: Sequence[TextPlan | None]) -> Ragged:
        """Return the derivation of each plan, empty for None."""
        digests = [_digest(plan) for plan in plans if plan]
        digits = iter(self._digits[_digits_of(b"".join(digests))].tolist())
        return ragged([(*self._mix(plan), *next(digits)) if plan else () for plan in plans])

    def _mix(self, plan: TextPlan) -> tuple[int, ...]:
        code = self.signature.code
        skills = [code[skill] for skill in sorted(plan.skills)]
        return (self._mixes[len(skills)], self._topics[plan.topic.name], *skills)


def _leaf(topic: str) -> str:
    return "topic_" + topic.replace(" ", "_")


def _digest(plan: TextPlan) -> bytes:
    return hashlib.blake2b("\n".join(plan.content()).encode(), digest_size=_BYTES).digest()


def _digits_of(digests: bytes) -> NDArray[np.uint16]:
    """Return the digits of digests that lie one after another, uint16 (n, _DIGITS).

    Three bytes are two digits.
    """
    three = np.frombuffer(digests, np.uint8).reshape(-1, _DIGITS // 2, 3).astype(np.uint16)
    first, second, third = three[:, :, 0], three[:, :, 1], three[:, :, 2]
    pairs = np.stack((first << 4 | second >> 4, (second & 15) << 8 | third), axis=-1)
    return pairs.reshape(-1, _DIGITS)
