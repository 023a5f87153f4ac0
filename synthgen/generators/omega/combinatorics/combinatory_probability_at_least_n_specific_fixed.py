"""OMEGA combinatorics: the probability that at least so many positions keep a given letter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from synthgen.generators.omega.combinatorics._letter_probability import LetterFamily
from synthgen.generators.omega.combinatorics._probability import bag_symbols

_EVENTS = (
    "What is the probability that the number of positions of the row that show {s} both before and"
    " after the shuffle is at least {j}?",
    "What is the probability that the number of positions that hold {s} in both words is {j} or"
    " more?",
    "How likely is it that, of the positions that showed {s} at first, the number that show {s}"
    " again is no less than {j}?",
    "Find the probability that the count of positions with {s} before as well as after the mixing"
    " is not below {j}.",
    "Determine the probability that the number of positions that had {s} before the rearrangement"
    " and have {s} after it reaches {j}, or more than that.",
)


@dataclass(frozen=True)
class CombinatoryProbabilityAtLeastNSpecificFixed(LetterFamily):
    """At least a number of positions show the letter in question before and after.

    Attributes:
        levels: of difficulty, 1 to 7; none stand for all. They draw 2, 3, 4, 4, 5, 5-6 or 6-8 tiles
            out of 4, 6, 8, 10, 11, 12-14 or 15-18 with 3, 3, 3, 4, 5, 4-5 or 5-7 different letters.
        repeats: addresses for each problem, to see it in other wordings and letters.
        spread: by how much these three numbers may also be smaller or larger than their level's (at
            least 2 tiles drawn; at most 8 drawn, 20 in the bag, 8 letters).
    """

    verifier: ClassVar[str] = "combinatory_probability_at_least_n_specific_fixed"
    symbols: ClassVar[Mapping[str, int]] = bag_symbols("letter_kept_at_least", 4)
    symbol: ClassVar[str] = "letter_kept_at_least"
    events: ClassVar[tuple[str, ...]] = _EVENTS

    def good(self, asked: int, most: int) -> range:
        """Return all from the number asked on."""
        return range(asked, most + 1)


GENERATOR = CombinatoryProbabilityAtLeastNSpecificFixed
