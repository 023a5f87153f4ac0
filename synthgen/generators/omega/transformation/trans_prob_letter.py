"""OMEGA transformation: letters that a shuffle leaves in their places, in words of any length."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, factorial
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._listed import ListedFamily
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.combinatorics._partitions import (
    Partition,
    letters_text,
    partitions,
)
from synthgen.generators.omega.composition._questions import (
    N_WORDINGS,
    ask,
    parts_sum,
    sum_steps,
)

_SIZES = ((4, 6), (7, 9), (10, 12), (13, 15), (16, 18))
_REPEATED = ((4, 6), (7, 8), (9, 10), (11, 12), (13, 13))
"""Letters of a word, all different or with repetitions, from and to, of each level."""
_LONGEST, _MOST_KINDS = 18, 8
_TEXTS = {
    "none": (
        "A word of <n> different letters is shuffled, all orders of its letters being equally"
        " likely. What is the probability that no letter is where it was before? <ending>",
        "<n> tiles with different letters lie in a row and are put into a uniformly random order."
        " Find the probability that every position then shows another letter than at first."
        " <ending>",
        "Somebody writes <n> different letters on cards, lays them in a row, and mixes them so"
        " that each order has the same chance. How likely is it that none of the cards comes back"
        " to its own place? <ending>",
        "A random permutation of <n> different letters is chosen uniformly. Determine the"
        " probability that it moves all of them. <ending>",
    ),
    "some": (
        "A word of <n> different letters is shuffled, all orders of its letters being equally"
        " likely. What is the probability that none of its first <s> letters is where it was"
        " before? <ending>",
        "<n> tiles with different letters lie in a row and are put into a uniformly random order."
        " <s> of the tiles are marked beforehand. Find the probability that no marked tile keeps"
        " its position. <ending>",
        "Somebody writes <n> different letters on cards, lays them in a row, and mixes them so"
        " that each order has the same chance. <s> of the cards are red. How likely is it that"
        " none of the red cards comes back to its own place? <ending>",
        "A random permutation of <n> different letters is chosen uniformly. Determine the"
        " probability that it moves each of <s> letters that were named in advance. <ending>",
    ),
    "exactly": (
        "A word of <n> different letters is shuffled, all orders of its letters being equally"
        " likely. What is the probability that exactly <s> letters are where they were before?"
        " <ending>",
        "<n> tiles with different letters lie in a row and are put into a uniformly random order."
        " Find the probability that exactly <s> positions then show the same letter as at first."
        " <ending>",
        "Somebody writes <n> different letters on cards, lays them in a row, and mixes them so"
        " that each order has the same chance. How likely is it that the number of cards that come"
        " back to their own places is <s>? <ending>",
        "A random permutation of <n> different letters is chosen uniformly. Determine the"
        " probability that it leaves exactly <s> of them in place. <ending>",
    ),
    "twice": (
        "A word of <n> different letters is shuffled, all orders of its letters being equally"
        " likely, and then the same rearrangement of positions is applied a second time. What is"
        " the probability that after both together no letter is where it was at first? <ending>",
        "<n> tiles with different letters lie in a row. A uniformly random permutation of the"
        " positions is drawn and carried out twice in succession. Find the probability that every"
        " position then shows another letter than at first. <ending>",
        "A machine rearranges a row of <n> different cards always in the same way, and each"
        " possible way is equally likely to be the one that it was built for. The row runs through"
        " it two times. How likely is it that none of the cards is back at its own place? <ending>",
        "A random permutation of <n> different letters is chosen uniformly. Determine the"
        " probability that its square (itself done twice) moves all of them. <ending>",
    ),
    "repeated": (
        "The letters of a word are <tiles>. The word is shuffled, all orders of its tiles being"
        " equally likely. What is the probability that no position shows the same letter as"
        " before? <ending>",
        "The letter tiles <tiles> lie in a row, in some order, and are put into a uniformly random"
        " order. Find the probability that every position then shows another letter than at first."
        " <ending>",
        "Cards with the letters <tiles> are laid in a row and then mixed so that each order of the"
        " cards has the same chance. How likely is it that in every place the new letter differs"
        " from the old one? <ending>",
        "Tiles: <tiles>. A row of all of them is permuted by a random permutation of its places"
        " that is chosen uniformly. Determine the probability that the old and the new row differ"
        " in every place. <ending>",
    ),
}


@dataclass(frozen=True)
class TransProbLetter(ListedFamily):
    """A whole word is shuffled: too many orders to try, few enough to count by a formula.

    Attributes:
        levels: of difficulty, 1 to 5; none stand for all. Words have 4-6, 7-9, 10-12, 13-15 or
            16-18 different letters, or 4-6, 7-8, 9-10, 11-12 or 13 letters with repetitions.
        repeats: addresses for each problem, to see it in other wordings and letters.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "trans_prob_letter"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_SIZES)
    wordings: ClassVar[int] = N_WORDINGS
    n_letters: ClassVar[int] = _MOST_KINDS
    level_is_canonical: ClassVar[bool] = True
    subtypes: ClassVar[tuple[str, ...]] = tuple(_TEXTS)
    symbols: ClassVar[Mapping[str, int]] = {
        "kept_none": 1,
        "kept_some": 2,
        "kept_exactly": 2,
        "kept_twice": 1,
        "kept_repeated": 1,
    } | {f"bag{n}": n for n in range(2, _MOST_KINDS + 1)}

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How long the word is."""
        return {"n_tiles": Axis("letters of the word", low=4, high=_LONGEST)}

    def list_level(self, level: int) -> Iterator[Made]:
        """Make the problems about words of different letters and about multisets."""
        low, high = _SIZES[level - 1]
        for n in range(low, high + 1):
            for kind, name in enumerate(self.subtypes[:4]):
                for s in range(2, n) if name in ("some", "exactly") else (0,):
                    if name == "exactly" and s > n - 2:
                        continue
                    tree = (f"kept_{name}", n, s) if s else (f"kept_{name}", n)
                    yield _made(tree, _good(name, n, s), kind, (n, s))
        low, high = _REPEATED[level - 1]
        for total in range(low, high + 1):
            for kinds in range(2, _MOST_KINDS + 1):
                for counts in partitions(total, kinds):
                    if counts[0] > 1 and 2 * counts[0] <= total:
                        bag: Tree = (f"bag{kinds}", *counts)
                        yield _made(("kept_repeated", bag), _apart(counts), 4, (total, counts))

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Describe the word, and ask."""
        n, rest, _ = made.facts
        kind = self.subtypes[made.subtype]
        if kind != "repeated":
            return ask(_TEXTS, kind, wording, n=n, s=rest)
        return ask(_TEXTS, kind, wording, tiles=letters_text(rest, wording, draws))

    def steps(self, made: Made) -> str:
        """Tell how many orders are good."""
        n, _, good = made.facts
        value = sum_steps(Fraction(good, factorial(n)))
        return f"good: {good} of {n}! = {factorial(n)}\n{value}"


def _made(tree: Tree, good: int, kind: int, facts: tuple[int, object]) -> Made:
    n = facts[0]
    answer = parts_sum(Fraction(good, factorial(n)))
    return Made(tree, answer, (*facts, good), kind, {"n_tiles": n})


def _good(name: str, n: int, s: int) -> int:
    """Count the permutations by inclusion and exclusion."""
    if name == "twice":
        return _without_short_cycles(n)
    if name == "exactly":
        return comb(n, s) * _good("none", n - s, 0)
    marked = n if name == "none" else s
    return sum((-1) ** k * comb(marked, k) * factorial(n - k) for k in range(marked + 1))


@cache
def _without_short_cycles(n: int) -> int:
    """Count the permutations without cycles of length one or two, by the cycle of the last item."""
    if n == 0:
        return 1
    return sum(
        factorial(n - 1) // factorial(n - size) * _without_short_cycles(n - size)
        for size in range(3, n + 1)
    )


def _apart(counts: Partition) -> int:
    """Count the orders of labelled tiles in which no place keeps its letter, by rook numbers."""
    total = sum(counts)
    rooks = [1]
    for count in counts:
        own = [comb(count, k) ** 2 * factorial(k) for k in range(count + 1)]
        rooks = [
            sum(rooks[i] * own[k - i] for i in range(len(rooks)) if 0 <= k - i < len(own))
            for k in range(len(rooks) + count)
        ]
    return sum((-1) ** k * many * factorial(total - k) for k, many in enumerate(rooks))


GENERATOR = TransProbLetter
