"""Puzzles of houses in words: names for the categories and values, clues in some order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega.logic._zebra_form import Clue, Question
from synthgen.generators.omega.logic._zebra_solver import APART, AT, GAP, NEXT, NOT_AT, SAME
from synthgen.generators.omega.logic._zebra_words import CATEGORIES, CLUES, WORDINGS, Category

_EITHER_WAY = (SAME, APART, NEXT, GAP)


@dataclass(frozen=True)
class Puzzle:
    """A puzzle with a name for everything.

    Attributes:
        n, m: houses and categories.
        clues: kind, value, and value or house; value h of category c is number c * n + h, and in
            house h, from 0.
        question: the answer, and the value that the question names, or -1 for its house.
        place: of the answer among the choices.
        key: of the draws that name things.
    """

    n: int
    m: int
    clues: tuple[Clue, ...]
    question: Question
    place: int
    key: int

    @cached_property
    def categories(self) -> list[tuple[Category, list[str]]]:
        """Each category with the names of its values, house by house."""
        draws = RowDraws(self.key)
        chosen = draws.shuffled(CATEGORIES)[: self.m]
        return [(category, draws.shuffled(category.values)[: self.n]) for category in chosen]

    def name(self, value: int) -> str:
        """Return the name of a value."""
        return self.categories[value // self.n][1][value % self.n]

    def holder(self, value: int) -> str:
        """Return who has a value."""
        return self.categories[value // self.n][0].holder.format(self.name(value))

    def tell(self, wording: int, draws: RowDraws) -> str:
        """Put the puzzle in one of the wordings; `draws` choose those of the clues."""
        listed = [f"{one.title}: {', '.join(sorted(names))}" for one, names in self.categories]
        parts = {
            "n": str(self.n),
            "lists": "\n".join(listed),
            "clues": "\n".join(
                f"- {self._clue(clue, draws)}" for clue in draws.shuffled(self.clues)
            ),
            "question": self._question(),
            "choices": ", ".join(self._choices(draws)),
        }
        text = WORDINGS[wording]
        for part, words in parts.items():
            text = text.replace(f"<{part}>", words)
        return text

    def _clue(self, clue: Clue, draws: RowDraws) -> str:
        kind, u, v = clue
        wording = draws.choice(CLUES[kind])
        if kind in (AT, NOT_AT):
            return _sentence(wording.format(u=self.holder(u), k=v + 1))
        if kind in _EITHER_WAY and draws.integer(0, 2):
            u, v = v, u
        category, name = self.categories[v // self.n][0], self.name(v)
        filled = wording.format(
            u=self.holder(u),
            v=self.holder(v),
            does_v=category.does.format(name),
            does_not_v=category.does_not.format(name),
        )
        return _sentence(filled)

    def _question(self) -> str:
        answer, named = self.question
        whose = f"the person in house {answer % self.n + 1}" if named < 0 else self.holder(named)
        return self.categories[answer // self.n][0].question.format(whose)

    def _choices(self, draws: RowDraws) -> list[str]:
        answer, _ = self.question
        first = answer - answer % self.n
        others = [self.name(v) for v in range(first, first + self.n) if v != answer]
        choices = draws.shuffled(others)
        choices.insert(self.place, self.name(answer))
        return choices

    def table(self) -> str:
        """Write who has what, house by house, and which choice is right."""
        lines = [
            f"house {h + 1}: {', '.join(names[h] for _, names in self.categories)}"
            for h in range(self.n)
        ]
        return "\n".join([*lines, f"answer: {self.name(self.question[0])}, number {self.place}"])


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
