"""The table `[divergence]` of a recipe."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from synthgen.core.compound_kinds import NGRAMS, CompoundKind
from synthgen.recipe.fields import advise, integer
from synthgen.recipe.tables import Names, Table, choice, names

_MOST_WORDS = 10


def _check_lengths(value: tuple[int, ...]) -> tuple[int, ...]:
    """Put numbers of words in order; refuse what is no list of different ones."""
    known = range(2, _MOST_WORDS + 1)
    if not value or len(set(value)) < len(value) or any(n not in known for n in value):
        raise advise("")
    return tuple(sorted(value))


def _exponent(default: float) -> float:
    field: float = Field(default, gt=0, lt=1, description="a number above 0 and below 1")
    return field


class Divergence(Table):
    """Train and test splits alike in atoms and as different as can be in compounds.

    `pool` problems are divided; by default all of a finite space, or four times the rows. Compounds
    are `compounds` of derivations, or n-grams of `ngram` words.
    """

    train: Names = Field(strict=False, min_length=1, description="a list of names of splits")
    test: Names = Field(strict=False, min_length=1, description="a list of names of splits")
    compounds: Literal["fragments", "edges", "subtrees", "ngrams"] = choice(
        "fragments", "edges", "subtrees", "ngrams"
    )
    nodes: int = integer(2, 5, default=3)
    ngram: Annotated[tuple[int, ...], AfterValidator(_check_lengths)] = Field(
        (3, 4),
        strict=False,
        description=f"a list of integers from 2 to {_MOST_WORDS}, none of them twice",
    )
    words: Literal["prompt", "derivation"] = choice("prompt", "derivation")
    axes: Names = names("integer axes")
    atom_bound: float = Field(0.02, ge=0, le=1, description="a number from 0 to 1")
    axis_bound: float = Field(0.02, ge=0, le=1, description="a number from 0 to 1")
    atom_exponent: float = _exponent(0.5)
    compound_exponent: float = _exponent(0.1)
    penalty: float = Field(5.0, ge=0, le=1000, description="a number from 0 to 1000")
    target: float = Field(1.0, ge=0, le=1, description="a number from 0 to 1")
    starts: int = integer(1, 1000, default=12)
    effort: int = integer(0, 100_000, default=50)
    pool: int | None = integer(2, 1_000_000, default=None)

    @property
    def splits(self) -> tuple[str, ...]:
        """All splits that it divides problems among."""
        return (*self.train, *self.test)

    @property
    def kind(self) -> CompoundKind:
        """How it takes problems apart."""
        if self.compounds != NGRAMS:
            return CompoundKind(self.compounds, self.nodes)
        return CompoundKind(NGRAMS, ngram=self.ngram, words=self.words)


LATER_KEYS = ("ngram", "words", "atom_exponent", "compound_exponent", "penalty")
"""Younger than the scheme of fingerprints: left out of it where they have their defaults."""
