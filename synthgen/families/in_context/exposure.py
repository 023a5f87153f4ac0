"""Partial exposure: pairs of words that have a label, of which one pair is not shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

import numpy as np

from synthgen.authoring import (
    Problem,
    RowDraws,
    Rows,
    Signature,
    Words,
    axis,
    levelled,
    params,
    signature_of,
    stream_key,
)
from synthgen.families.in_context.worlds import (
    GROUPS,
    LAST_WORLD,
    MAX_DECOYS,
    Ints,
    LatentFamily,
    groups_of,
    name_of,
)

_WORDS = Words.beside(__file__).part("exposure")
_ASKS = ("exposed", "partial")
_PAIRS = (("a", "x"), ("a", "w"), ("b", "w"), ("b", "x"))
"""First and second words; the last pair is never among the examples of a prompt."""
_LABELS, _EXEMPLARS = ("P", "Q"), ("agree", "tie", "differ")
_MAX_LEAD, _TRIES = 4, 6


class _Design(NamedTuple):
    """Four words with their labels.

    Attributes:
        words: The words a and b, one of which decides the label, and x and w.
        rule_first: Whether the deciding word comes first.
        labels: Labels of pairs with a and with b.
        counts: Examples of each pair that prompts state.
        exemplars: What the label of most examples is that share a word with the last pair.
    """

    words: dict[str, str]
    rule_first: bool
    labels: dict[str, str]
    counts: tuple[int, ...]
    exemplars: str

    def pair(self, corner: int) -> str:
        """Return two words as they are written."""
        one, other = (self.words[each] for each in _PAIRS[corner])
        return f"{one} {other}" if self.rule_first else f"{other} {one}"

    def label(self, corner: int) -> str:
        return self.labels[_PAIRS[corner][0]]


@lru_cache(1 << 12)
def _design(stream: int, number: int) -> _Design:
    draws = next(Rows(stream, np.array([number], np.uint64)).each())
    rule_first, label = draws.integer(0, 2), draws.integer(0, 2)
    # With a w once, neither the more frequent label nor that of more similar examples is the answer
    # much more often than the other one.
    lead = draws.integer(-_MAX_LEAD + 1, _MAX_LEAD + 1)
    fewer = draws.integer(1, (2 * _MAX_LEAD - abs(lead)) // 2 + 1)
    counts = fewer + max(-lead, 0), 1, fewer + max(lead, 0)
    return _Design(
        words={word: name_of(4 * number + place) for place, word in enumerate("abxw")},
        rule_first=bool(rule_first),
        labels={"a": _LABELS[label], "b": _LABELS[1 - label]},
        counts=counts,
        exemplars="tie" if not lead else "agree" if lead > 0 else "differ",
    )


@levelled("n_examples", 3, 4, 5, 6, 7, 8, 9)
@dataclass(frozen=True)
class PartialExposure(LatentFamily):
    """The label of a pair of words, after a x, a w and b w have been seen: what is b x?

    One of the two words decides, as the examples show. By that rule b x has the label of b. By
    resemblance it is open, as it shares one word with a x and another one with b w.

    Attributes:
        designs: Number of designs, each of four words of its own.
        number: Number of the world.
        asks: The label of one of the pairs that prompts show ("exposed"), or of the last one
            ("partial").
        decoys: Other designs with the same deciding place whose examples prompts with facts state
            as well.
    """

    designs: int = params.integer(2000, 1, 100_000)
    number: int = params.integer(0, 0, LAST_WORLD)
    asks: tuple[str, ...] = params.choices(_ASKS[1:], _ASKS)
    decoys: int = params.integer(0, 0, MAX_DECOYS)

    verifier = "partial_exposure"
    words = _WORDS
    answer_type = "label"
    own_axes = {
        "pair": axis("1 to 3 are shown, 4 is not", 1, 4),
        "design_group": axis("group of the design, of 100 equal groups", 0, GROUPS - 1),
        "deciding_word": axis("which word decides the label", 1, 2),
        "exemplars": axis(
            "whether most examples that share a word with the last pair have its label",
            values=_EXEMPLARS,
        ),
        "n_examples": axis("examples of the design in prompts with facts", 3, 2 * _MAX_LEAD + 1),
    }

    @property
    def world(self) -> str:
        """Name of the set of designs."""
        return f"pe-{self.designs}-{self.number}"

    @cached_property
    def signature(self) -> Signature:
        """Designs and pairs as integers, and the world."""
        return signature_of({"pair": 3, self.world: 0})

    @property
    def _corners(self) -> list[int]:
        return [corner for corner in range(4) if _ASKS[corner == 3] in self.asks]

    @property
    def space(self) -> int:
        """Number of pairs."""
        return self.designs * len(self._corners)

    def _design(self, number: int) -> _Design:
        return _design(stream_key("exposure", self.designs, self.number), number)

    def numbered(self, numbers: Ints) -> Iterator[Problem]:
        """Read a number as a pair and a design."""
        groups = groups_of(self.world, self.designs)
        for number in numbers.tolist():
            place, chosen = divmod(number, self.designs)
            corner, design = self._corners[place], self._design(chosen)
            label, word = design.label(corner), design.words[_PAIRS[corner][0]]
            yield Problem(
                tree=("pair", self.world, chosen, corner + 1),
                answer=label,
                holes={"pair": design.pair(corner)},
                axes={
                    "pair": corner + 1,
                    "design_group": int(groups[chosen]),
                    "deciding_word": 1 if design.rule_first else 2,
                    "exemplars": design.exemplars,
                    "n_examples": sum(design.counts),
                },
                steps=[
                    _WORDS.line("both", other=design.words["w"]),
                    _WORDS.line("rule", word=word, label=label),
                ],
                difficulty=sum(design.counts),
                data=chosen,
            )

    def stated(self, problem: Problem, draws: RowDraws) -> list[str]:
        """State the examples of the design and of others, in any order."""
        own = self._design(problem.data)
        count = min(self.designs, _TRIES * self.decoys)
        others = map(self._design, draws.sample(range(self.designs), count))
        fits = (each for each in others if each.rule_first == own.rule_first and each != own)
        designs = [own, *islice(fits, self.decoys)]
        lines = [
            f"{design.pair(corner)} -> {design.label(corner)}"
            for design in designs
            for corner, count in enumerate(design.counts)
            for _ in range(count)
        ]
        return draws.shuffled(lines)

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Return the other label."""
        del draws
        return [label for label in _LABELS if label != problem.answer]
