"""OMEGA combinatorics: the probability that a shuffle leaves no position with its letter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from synthgen.generators.omega.combinatorics._matches import Case, unfixed_cases
from synthgen.generators.omega.combinatorics._partitions import Partition
from synthgen.generators.omega.combinatorics._probability import (
    Drawing,
    ProbabilityFamily,
    bag_symbols,
)

_EVENTS = (
    "What is the probability that no position of the row shows the same letter before and after"
    " the shuffle?",
    "What is the probability that the two words differ in every position?",
    "How likely is it that every position then shows another letter than it did at first?",
    "Find the probability that nowhere in the row the letter after the mixing equals the letter"
    " that stood there before.",
    "Determine the probability that the rearrangement leaves no position with the letter that it"
    " had.",
)


@dataclass(frozen=True)
class CombinatoryProbabilityNoFixedPoints(ProbabilityFamily):
    """No position keeps its letter.

    Attributes:
        levels: of difficulty, 1 to 7; none stand for all. They draw 2, 3, 4, 4, 5, 5-6 or 6-8 tiles
            out of 4, 6, 8, 10, 11, 12-14 or 15-18 with 3, 3, 3, 4, 5, 4-5 or 5-7 different letters.
        repeats: addresses for each problem, to see it in other wordings and letters.
        spread: by how much these three numbers may also be smaller or larger than their level's (at
            least 2 tiles drawn; at most 8 drawn, 20 in the bag, 8 letters).
    """

    verifier: ClassVar[str] = "combinatory_probability_no_fixed_points"
    symbols: ClassVar[Mapping[str, int]] = bag_symbols("no_letter_kept", 2)
    symbol: ClassVar[str] = "no_letter_kept"
    case_word: ClassVar[str] = "pattern"

    def drawings_of(self, n: int, counts: Partition, level: int) -> Iterator[Drawing]:
        """Make the one problem about these tiles."""
        del level
        yield Drawing(n, counts)

    def cases(self, drawing: Drawing) -> Sequence[Case]:
        """Divide by how often letters are drawn."""
        return unfixed_cases(drawing.counts, drawing.n)

    def arguments(self, drawing: Drawing) -> tuple[int, ...]:
        """Return nothing: the bag says all."""
        del drawing
        return ()

    def event(self, drawing: Drawing, wording: int) -> str:
        """Ask for no position kept."""
        del drawing
        return _EVENTS[wording]


GENERATOR = CombinatoryProbabilityNoFixedPoints
