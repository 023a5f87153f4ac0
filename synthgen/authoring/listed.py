"""Finite families in plain Python: all problems listed once, addresses in a permuted order."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring.family import DrawnFamily, LevelledText, Problem, TextFamily
from synthgen.authoring.params import integer
from synthgen.authoring.slips import blamed
from synthgen.authoring.trees import trees_column
from synthgen.contract.interfaces import Problems, Render, Texts
from synthgen.core.columns import Ragged
from synthgen.draws.permutation import permutation_table, permute
from synthgen.draws.randomness import U64, Rows, stream_key
from synthgen.trees.content_keys import Keys, derivation_keys

MAX_REPEATS = 10**9
"""Upper limit of `repeats`."""


@dataclass(frozen=True)
class Listing:
    """All m problems of a family.

    Attributes:
        problems: Each problem once.
        codes, keys: Derivations and content keys of the problems.
        axes: Values of every axis, (m,).
        difficulty: Difficulty of each, int16 (m,).
        order: Table of the permutation in which addresses visit them.
        answers: Answers computed so far, by number.
    """

    problems: Sequence[Problem]
    codes: Ragged
    keys: Keys
    axes: Mapping[str, NDArray[Any]]
    difficulty: NDArray[np.int16]
    order: U64
    answers: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ListedFamily(TextFamily):
    """A family that yields all of its problems; address i is problem i modulo their number.

    Attributes:
        repeats: Addresses of each problem, so that it occurs in several wordings.
    """

    repeats: int = integer(1, 1, MAX_REPEATS)

    @abstractmethod
    def problems(self) -> Iterable[Problem]:
        """Yield each problem once, in a fixed order."""

    @property
    def space(self) -> int | None:
        """Every problem, `repeats` times."""
        return _number_of_problems(self) * self.repeats

    @property
    def fewest_problems(self) -> int | None:
        """The exact number of problems."""
        return _number_of_problems(self)

    @property
    def restates(self) -> bool:
        """Whether each problem has several addresses."""
        return self.repeats > 1

    def draw(self, rows: Rows) -> Problems:
        """Look up the problems at these addresses."""
        listing = listing_of(self)
        n = np.uint64(len(listing.problems))
        index = permute(rows.addresses % n, listing.order).astype(np.int64)
        return Problems(
            rows=rows,
            derivations=listing.codes.take(index),
            keys=listing.keys[index],
            axes={name: values[index] for name, values in listing.axes.items()},
            difficulty=listing.difficulty[index],
            valid=np.ones(len(rows), bool),
            parts={"index": index},
        )

    def problems_of(self, problems: Problems) -> Sequence[Problem]:
        """Return the problems of a batch."""
        listed = listing_of(self).problems
        return [listed[number] for number in problems.parts["index"].tolist()]

    def render(self, problems: Problems, style: Render) -> Texts:
        """Render every problem; each answer is computed once."""
        listing = listing_of(self)
        numbers = problems.parts["index"].tolist()
        for number in numbers:
            if number not in listing.answers:
                listing.answers[number] = self.answer_of(listing.problems[number])
        answers = [listing.answers[number] for number in numbers]
        return self.write(problems.rows, self.problems_of(problems), answers, style)


class NumberedFamily(DrawnFamily):
    """A family whose problems are numbered from 0, too many to list.

    Addresses visit the numbers below `space` in a keyed order, and have no problem beyond. Every
    number should be a different problem.
    """

    @property
    @abstractmethod
    def space(self) -> int:
        """Number of problems, at most 2^63."""

    @property
    def fewest_problems(self) -> int | None:
        """Every address has a problem of its own."""
        return self.space

    @abstractmethod
    def numbered(self, numbers: NDArray[np.int64]) -> Iterable[Problem | None]:
        """Return the problems of these numbers, in order."""

    def make_all(self, rows: Rows) -> list[Problem | None]:
        """Make the problems at these addresses."""
        numbers, inside = self.numbers_at(rows)
        made = zip(self.numbered(numbers), inside.tolist(), strict=True)
        return [problem if valid else None for problem, valid in made]

    def numbers_at(self, rows: Rows) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the numbers of the problems at these addresses, and which of them exist."""
        space = np.uint64(self.space)
        table = permutation_table(rows.stream, self.space)
        numbers = permute(rows.addresses % space, table).astype(np.int64)
        return numbers, rows.addresses < space


@dataclass(frozen=True)
class LevelledListedFamily(LevelledText, ListedFamily):
    """A `ListedFamily` with levels of difficulty."""

    @abstractmethod
    def problems_at(self, level: int) -> Iterable[Problem]:
        """Yield each problem of a level once, in a fixed order."""

    def problems(self) -> Iterable[Problem]:
        """Yield the problems of the chosen levels.

        A problem that belongs to several chosen levels is assigned to one of them, in turn.
        """
        by_tree: dict[object, tuple[Problem, list[int]]] = {}
        for level in self.chosen_levels:
            for problem in self.problems_at(level):
                by_tree.setdefault(problem.tree, (problem, []))[1].append(level)
        turns: dict[tuple[int, ...], int] = {}
        for problem, levels in by_tree.values():
            turn = turns[tuple(levels)] = turns.get(tuple(levels), -1) + 1
            problem.difficulty = levels[turn % len(levels)]
            yield problem


@lru_cache(maxsize=4096)
def _number_of_problems(family: ListedFamily) -> int:
    return len(listing_of(family).problems)


@lru_cache(maxsize=32)
def listing_of(family: ListedFamily) -> Listing:
    """List the problems of a family."""
    with blamed(family):
        problems = list(family.problems())
    with blamed(family, problems):
        key = stream_key(family.domain, type(family).__name__)
        codes = trees_column((problem.tree for problem in problems), family.signature)
        return Listing(
            problems=problems,
            codes=codes,
            keys=derivation_keys(codes, family.signature, family.domain),
            axes=family.axis_columns(problems),
            difficulty=np.array([problem.difficulty for problem in problems], np.int16),
            order=permutation_table(key, len(problems)),
        )
