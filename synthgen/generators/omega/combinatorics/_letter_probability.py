"""What the three families about the positions that keep one letter have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.generators.omega._listed import letter
from synthgen.generators.omega.combinatorics._matches import Case, copies_cases
from synthgen.generators.omega.combinatorics._partitions import Partition
from synthgen.generators.omega.combinatorics._probability import (
    MOST_TILES,
    Drawing,
    ProbabilityFamily,
    different_places,
)

MOST_KEPT = 4
_PUBLISHED_KEPT, _PUBLISHED_LEVELS = 3, 5


@dataclass(frozen=True)
class LetterFamily(ProbabilityFamily):
    """How many positions show one letter both before and after the shuffle?"""

    events: ClassVar[tuple[str, ...]]
    """The question in each wording, for a letter `s` and a number `j`."""
    counted: ClassVar[bool] = True
    """Whether the question holds a number of positions."""

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """Those of all four families, and what is asked about."""
        axes = dict(super().own_axes)
        axes["n_special"] = Axis("tiles with the letter in question", low=1, high=MOST_TILES)
        if self.counted:
            axes["n_kept"] = Axis("positions in question", low=1, high=MOST_KEPT)
        return axes

    def extra_axes(self, drawing: Drawing) -> Mapping[str, int]:
        """Return what is asked about."""
        axes = {"n_special": drawing.counts[drawing.place]}
        return axes | {"n_kept": drawing.kept} if self.counted else axes

    @abstractmethod
    def good(self, asked: int, most: int) -> range:
        """Return the numbers of kept positions, `most` at most, that are asked for."""

    def drawings_of(self, n: int, counts: Partition, level: int) -> Iterator[Drawing]:
        """Ask about each letter, up to letters with as many copies."""
        most = _PUBLISHED_KEPT if level <= _PUBLISHED_LEVELS else MOST_KEPT
        for place in different_places(counts):
            if not self.counted:
                yield Drawing(n, counts, place)
                continue
            for kept in range(1, min(most, counts[place]) + 1):
                yield Drawing(n, counts, place, kept)

    def cases(self, drawing: Drawing) -> Sequence[Case]:
        """Divide by how many tiles with the letter are drawn."""
        special, total = drawing.counts[drawing.place], sum(drawing.counts)
        return copies_cases(total, special, drawing.n, self.good(drawing.kept, drawing.n))

    def arguments(self, drawing: Drawing) -> tuple[int, ...]:
        """Return how often the letter is there, and the number of positions."""
        special = drawing.counts[drawing.place]
        return (special, drawing.kept) if self.counted else (special,)

    def event(self, drawing: Drawing, wording: int) -> str:
        """Ask for the letter's positions."""
        return self.events[wording].format(s=f"'{letter(drawing.place)}'", j=drawing.kept)
