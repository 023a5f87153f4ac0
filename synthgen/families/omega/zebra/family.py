"""Zebra puzzles: clues on a known solution, a question, and one tree for all their images."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations, product
from typing import Any, NamedTuple

from synthgen.authoring import Axis, LevelledFamily, Problem, RowDraws, Tree, Words, axis, filled
from synthgen.families.omega.zebra.clues import (
    AT,
    JUST_LEFT,
    KINDS,
    LEFT,
    MAX_HOUSES,
    MUTUAL,
    NOT_AT,
    SAME,
    Clue,
    draw_clues,
)

_MIN = 2
_MAX_CLUES = 60
_SMALLEST = 200
"""Puzzles of two houses and two attributes, with their questions: counted by enumeration."""
_TRIES = 40
_LETTERS = "ABCDEFG"
Question = tuple[int, int]
"""The value that is the answer, and the one that the question names; -1 if it names a house."""


class _Named(NamedTuple):
    """A puzzle with its names.

    Attributes:
        n: Number of houses.
        clues: Clues of the puzzle.
        question: Question about the puzzle.
        place: Place of the answer among the choices.
        categories: Categories from the words, each with the names of its values, house by house.
    """

    n: int
    clues: Sequence[Clue]
    question: Question
    place: int
    categories: Sequence[tuple[Mapping[str, Any], Sequence[str]]]

    def name(self, value: int) -> str:
        """Return the name of a value."""
        return self.categories[value // self.n][1][value % self.n]

    def phrase(self, form: str, value: int) -> str:
        """Return a phrase on the person with a value: `holder`, `does` or `does_not`."""
        return filled(self.categories[value // self.n][0][form], {"item": self.name(value)})


@dataclass(frozen=True)
class LogicZebralogic(LevelledFamily):
    """People in a row of houses who differ in several attributes, and clues that are all needed.

    Attributes:
        levels: Difficulty levels, 1 to 6, drawn with equal probability; an empty list means all.
            The larger of the numbers of houses and of attributes is 2, 3, 4, 5, 6 or 7, the other
            one is from 2 up to that.
    """

    version = 4
    verifier = "logic_zebralogic"
    domain = "omega"
    words = Words.beside(__file__)
    symbols = (
        {f"{letter}{house}": 0 for letter in _LETTERS for house in range(1, MAX_HOUSES + 1)}
        | {name: 1 if name == "at" else 2 for name in KINDS}
        | {"by_value": 2, "by_house": 1}
        | {f"zebra{k}": k + 3 for k in range(1, _MAX_CLUES + 1)}
    )
    same_up_to = "names of the items, the order of the houses"
    answers_differ = True
    n_levels = 6
    level_is_canonical = True
    own_axes = {
        "subtype": axis("kind of question", values=("by_value", "by_house")),
        "n_houses": axis("houses of the puzzle", _MIN, MAX_HOUSES),
        "n_attributes": axis("attributes of every person", _MIN, MAX_HOUSES),
        "n_clues": axis("clues", 1, _MAX_CLUES),
    }

    @property
    def block(self) -> int:
        """Number of addresses that selection draws at a time: large puzzles take long."""
        return 128

    @property
    def fewest_problems(self) -> int | None:
        """The exact number of problems of the lowest level; None for other levels."""
        return _SMALLEST if self.chosen_levels == (1,) else None

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The level and the declared axes, bounded by the levels."""
        most = max(self.chosen_levels) + 1
        axes = dict(super().axes)
        return axes | {
            side: replace(axes[side], high=most) for side in ("n_houses", "n_attributes")
        }

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Draw clues, a question that no single clue answers, and the position of its answer."""
        n, m = _shape(level, draws)
        clues = draw_clues(RowDraws(draws.bits()), n, m)
        if len(clues) > _MAX_CLUES:
            return None
        subtype = ("by_value", "by_house")[draws.integer(0, 2)]
        question = _question(n, m, clues, subtype, draws)
        if question is None:
            return None
        place, names = draws.integer(0, n), RowDraws(draws.bits())
        categories = [
            (category, names.shuffled(category["items"])[:n])
            for category in names.shuffled(self.words["categories"])[:m]
        ]
        return Problem(
            _tree(n, m, clues, question),
            str(place),
            axes={"subtype": subtype, "n_houses": n, "n_attributes": m, "n_clues": len(clues)},
            data=_Named(n, clues, question, place, categories),
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Render the lists, the clues in random order, the question and its choices."""
        puzzle: _Named = problem.data
        answer, named = puzzle.question
        house = filled(self.words["person"]["house"], {"k": answer % puzzle.n + 1})
        person = house if named < 0 else puzzle.phrase("holder", named)
        category, _ = puzzle.categories[answer // puzzle.n]
        clues = [f"- {self._clue(puzzle, clue, draws)}" for clue in draws.shuffled(puzzle.clues)]
        lists = [f"{one['title']}: {', '.join(sorted(names))}" for one, names in puzzle.categories]
        return {
            "n": puzzle.n,
            "lists": "\n".join(lists),
            "clues": "\n".join(clues),
            "question": filled(category["question"], {"person": person}),
            "choices": ", ".join(_choices(puzzle, draws)),
        }

    def _clue(self, puzzle: _Named, clue: Clue, draws: RowDraws) -> str:
        kind, u, v = clue
        wording = draws.choice(self.words["clues"][KINDS[kind]])
        if kind in MUTUAL and draws.integer(0, 2):
            u, v = v, u
        holes: dict[str, object] = {"u": puzzle.phrase("holder", u)}
        if kind in (AT, NOT_AT):
            holes["k"] = v + 1
        else:
            holes["v"] = puzzle.phrase("holder", v)
            holes |= {f"{form}_v": puzzle.phrase(form, v) for form in ("does", "does_not")}
        text = filled(wording, holes)
        return text[0].upper() + text[1:]

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Write the solved table house by house, check every clue, and name the correct choice."""
        puzzle: _Named = problem.data
        lines = [
            f"house {house + 1}: {', '.join(names[house] for _, names in puzzle.categories)}"
            for house in range(puzzle.n)
        ]
        lines += sorted(self._check(puzzle, clue) for clue in puzzle.clues)
        return [*lines, f"answer: {puzzle.name(puzzle.question[0])}, number {puzzle.place}"]

    def _check(self, puzzle: _Named, clue: Clue) -> str:
        """State the houses that a clue is about; of mutual values, the first by name is first."""
        kind, u, v = clue
        holes: dict[str, object] = {"u": puzzle.name(u), "i": u % puzzle.n + 1, "j": v + 1}
        if kind not in (AT, NOT_AT):
            if kind in MUTUAL and puzzle.name(v) < puzzle.name(u):
                u, v = v, u
            names = {"u": puzzle.name(u), "v": puzzle.name(v)}
            holes |= names | {"i": u % puzzle.n + 1, "j": v % puzzle.n + 1}
        return filled(self.words["checks"][KINDS[kind]], holes)


def _shape(level: int, draws: RowDraws) -> tuple[int, int]:
    """Draw the numbers of houses and of attributes, the larger being that of the level."""
    most = level + 1
    other = draws.integer(0, 2 * most - 3)
    return (most, other + _MIN) if other < most - 1 else (other - most + 1 + _MIN, most)


def _question(
    n: int, m: int, clues: Sequence[Clue], subtype: str, draws: RowDraws
) -> Question | None:
    """Draw the answer and what the question names, unless a single clue states it."""
    stated = {(u, v) for kind, u, v in clues if kind == SAME}
    placed = {u for kind, u, _ in clues if kind == AT}
    for _ in range(_TRIES):
        answer = draws.integer(0, n * m)
        if subtype == "by_house":
            if answer not in placed:
                return answer, -1
            continue
        other = (answer // n + 1 + draws.integer(0, m - 1)) % m
        named = other * n + answer % n
        if (answer, named) not in stated and (named, answer) not in stated:
            return answer, named
    return None


def _choices(puzzle: _Named, draws: RowDraws) -> list[str]:
    """Shuffle the values of the answer's category around the answer."""
    answer = puzzle.question[0]
    first = answer - answer % puzzle.n
    others = [puzzle.name(v) for v in range(first, first + puzzle.n) if v != answer]
    choices = draws.shuffled(others)
    choices.insert(puzzle.place, puzzle.name(answer))
    return choices


# --- canonical form ---
#
# Names are left out, since value h of a category is the one in house h of the solution. What is
# left are the order of the categories, which their roles in the clues settle but for ties, and the
# row seen from behind.


def _tree(n: int, m: int, clues: Sequence[Clue], question: Question) -> Tree:
    """Return the canonical tree of a puzzle of n houses and m categories."""
    (answer, named), ordered = min(
        image
        for seen in ((clues, question), _mirrored(n, clues, question))
        for image in _images(n, m, *seen)
    )
    names = [f"{letter}{h + 1}" for letter in _LETTERS[:m] for h in range(n)]
    trees: list[Tree] = []
    for kind, u, v in ordered:
        other = () if kind == AT else (v + 1,) if kind == NOT_AT else (names[v],)
        trees.append((KINDS[kind], names[u], *other))
    asked: Tree = ("by_house", names[answer])
    if named >= 0:
        asked = ("by_value", names[answer], names[named])
    return (f"zebra{len(trees)}", n, m, asked, *trees)


def _mirrored(n: int, clues: Sequence[Clue], question: Question) -> tuple[list[Clue], Question]:
    """Number the houses from the other end."""

    def other(value: int) -> int:
        return value // n * n + n - 1 - value % n

    turned = []
    for kind, u, v in clues:
        if kind in (AT, NOT_AT):
            turned.append((kind, other(u), n - 1 - v))
        elif kind in (LEFT, JUST_LEFT):
            turned.append((kind, other(v), other(u)))
        else:
            turned.append((kind, other(u), other(v)))
    answer, named = question
    return turned, (other(answer), named if named < 0 else other(named))


def _images(
    n: int, m: int, clues: Sequence[Clue], question: Question
) -> Iterator[tuple[Question, tuple[Clue, ...]]]:
    """Number the categories in every way that their roles allow."""
    roles = _roles(n, m, clues, question)
    classes = [[c for c in range(m) if roles[c] == role] for role in range(m)]
    for order in product(*map(permutations, classes)):
        place = {c: at for at, c in enumerate(c for part in order for c in part)}
        number = [place[v // n] * n + v % n for v in range(n * m)]
        numbered = []
        for kind, u, v in clues:
            a, b = number[u], v if kind in (AT, NOT_AT) else number[v]
            is_turned = a > b and kind in MUTUAL
            numbered.append((kind, b, a) if is_turned else (kind, a, b))
        answer, named = question
        yield (number[answer], named if named < 0 else number[named]), tuple(sorted(numbered))


def _roles(n: int, m: int, clues: Sequence[Clue], question: Question) -> list[int]:
    """Rank categories by their clues and by the roles of their partners; equal ranks are ties."""
    answer, named = question
    asked = [(0, 0)] * m
    if named >= 0:
        asked[named // n] = (1, named % n)
    asked[answer // n] = (2, answer % n)
    roles = _ranks(asked)
    while True:
        signs: list[list[tuple[int, ...]]] = [[] for _ in range(m)]
        for kind, u, v in clues:
            if kind in (AT, NOT_AT):
                signs[u // n].append((kind, u % n, v))
                continue
            inside, second = int(u // n == v // n), int(kind not in MUTUAL)
            for one, two, part in ((u, v, 0), (v, u, second)):
                signs[one // n].append((kind, part, inside, one % n, two % n, roles[two // n]))
        after = _ranks([(roles[c], *sorted(signs[c])) for c in range(m)])
        if max(after) == max(roles) or max(after) == m - 1:
            return after
        roles = after


def _ranks(items: Sequence[tuple[object, ...]]) -> list[int]:
    rank = {item: at for at, item in enumerate(sorted(set(items)))}
    return [rank[item] for item in items]


GENERATORS = {"logic_zebralogic": LogicZebralogic}
