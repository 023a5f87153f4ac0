"""OMEGA combinatorics: the probability that no position keeps a given letter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from synthgen.generators.omega.combinatorics._letter_probability import LetterFamily
from synthgen.generators.omega.combinatorics._probability import bag_symbols

_EVENTS = (
    "What is the probability that no position of the row shows {s} both before and after the"
    " shuffle? (A row without {s} counts as well.)",
    "What is the probability that no position holds {s} in both words? (This includes the case"
    " that neither word contains {s}.)",
    "How likely is it that none of the positions that showed {s} at first shows {s} again? (If"
    " there is no {s} among the drawn tiles, this holds too.)",
    "Find the probability that no position has {s} before as well as after the mixing; rows with"
    " no {s} at all are counted in.",
    "Determine the probability that the rearrangement puts {s} in no position that had {s} before,"
    " rows that contain no {s} included.",
)


@dataclass(frozen=True)
class CombinatoryProbabilityNoSpecificLetterFixed(LetterFamily):
    """No position shows the letter in question before and after.

    Attributes:
        levels: of difficulty, 1 to 7; none stand for all. They draw 2, 3, 4, 4, 5, 5-6 or 6-8 tiles
            out of 4, 6, 8, 10, 11, 12-14 or 15-18 with 3, 3, 3, 4, 5, 4-5 or 5-7 different letters.
        repeats: addresses for each problem, to see it in other wordings and letters.
        spread: by how much these three numbers may also be smaller or larger than their level's (at
            least 2 tiles drawn; at most 8 drawn, 20 in the bag, 8 letters).
    """

    verifier: ClassVar[str] = "combinatory_probability_no_specific_letter_fixed"
    symbols: ClassVar[Mapping[str, int]] = bag_symbols("letter_not_kept", 3)
    symbol: ClassVar[str] = "letter_not_kept"
    events: ClassVar[tuple[str, ...]] = _EVENTS
    counted: ClassVar[bool] = False

    def good(self, asked: int, most: int) -> range:
        """Return zero alone."""
        del asked, most
        return range(1)


GENERATOR = CombinatoryProbabilityNoSpecificLetterFixed
