"""OMEGA algebra: one unknown of a square system of linear equations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import gcd
from operator import mul
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._definitions import (
    DEFINITION_SYMBOLS,
    MOST_DEFINITIONS,
    ComposedFamily,
    Definition,
    define_all,
    letters_of,
    sentence,
    sorted_trees,
)
from synthgen.generators.omega._draws import PER_DIGIT, AheadDraws, entropy_between
from synthgen.generators.omega._equations import listed, plain_equation, system_text
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._numbers import Tree, integers_codes
from synthgen.generators.omega._parts import (
    digits_of,
    one_digit_or,
    several_signed,
    shares,
    some_letters,
)
from synthgen.generators.omega._systems import Matrix, canonical_system, surely_regular
from synthgen.generators.omega.algebra._linear_draw import DRAWN, FAILED, TOO_LARGE, draw_system

_UNKNOWNS = (2, 3, 4, 5, 6, 7, 8)
_ENTROPIES = ((8, 10), (10, 12), (12, 14), (14, 16), (16, 20), (20, 24), (24, 28))
_DEFINITIONS = ((0, 0), (1, 2), (1, 2), (1, 2), (2, 3), (2, 3), (2, 4))
_MOST_DIGITS = 24
_TRIES = 64
_WORDINGS = (
    "Solve the system of equations {system} for {x}. Give an integer.",
    "The numbers {unknowns} satisfy {system}. What is {x}? Answer with an integer.",
    "Given that {system}, find {x}. The answer is an integer.",
    "Find the value of {x} for which {system} all hold. Give an integer.",
)


@dataclass(slots=True)
class _System:
    """A system in the order of its text: rows of coefficients and constant."""

    rows: list[list[int]]
    unknowns: list[str]
    definitions: list[Definition]
    places: dict[tuple[int, int], str]
    share: int


_Drawn = tuple[int, Matrix, int, int, list[int]]
"""The first unknown's value, the rows, entropy for the text of each, digits and canonical codes."""


@dataclass(frozen=True)
class AlgebraLinearEquation(ComposedFamily):
    """As many equations as unknowns, with an integer solution, and the question for one of them.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. There are
            2 to 8 unknowns and 8 to 10, 10 to 12, 12 to 14, 14 to 16, 16 to 20, 20 to 24 or 24 to
            28 digits of entropy, a quarter of them in the solution.
        definitions: least and most number of coefficients that stand as letters which sentences
            before the question define; none stand for the level's own.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "algebra_linear_equation"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_UNKNOWNS)
    n_definitions: ClassVar[tuple[tuple[int, int], ...]] = _DEFINITIONS
    wordings: ClassVar[int] = len(_WORDINGS)
    block = 512
    words_ahead = ((10, 0), (25, 10), (31, 10), (38, 10), (52, 14), (62, 14), (76, 18))
    symbols: ClassVar[Mapping[str, int]] = {
        **DEFINITION_SYMBOLS,
        **{f"system{n}": n * (n + 1) for n in _UNKNOWNS},
        **{f"given{n}": n + 1 for n in range(1, MOST_DEFINITIONS + 1)},
    }

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How large a system is."""
        unknowns = [_UNKNOWNS[level - 1] for level in self.chosen_levels]
        return {
            "n_unknowns": Axis("unknowns of the system", low=min(unknowns), high=max(unknowns)),
            "n_definitions": self.definitions_axis,
            "digits": Axis("digits of the largest integer", low=1, high=_MOST_DIGITS),
        }

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Draw a solution and a regular matrix, and so the constants."""
        n = _UNKNOWNS[level - 1]
        entropy = entropy_between(draws, *_ENTROPIES[level - 1])
        n_definitions = self.count_definitions(level, draws)
        drawn = _draw_system(draws, n, entropy)
        if drawn is None:
            return None
        solution, rows, share, digits, codes = drawn
        names = some_letters(draws, n + 2 * n_definitions)
        system = _System(rows, names[:n], [], {}, share)
        tree: Tree = [self.signature.code[f"system{n}"], *codes]
        if n_definitions:
            direct = _name_coefficients(draws, system, n_definitions, names[n:])
            if direct is None:
                return None
            tree = (f"given{len(direct)}", tree, *sorted_trees(direct))
        axes = {
            "n_unknowns": n,
            "n_definitions": n_definitions,
            "digits": digits,
        }
        return Made(tree, str(solution), system, axes=axes)

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Write the definitions, and the equations with their terms split and shuffled."""
        system: _System = made.facts
        names, share = system.unknowns, system.share
        before = "".join(sentence(draws, one) for one in system.definitions)
        most = 1 + len(names) * (2 * PER_DIGIT + share) // (2 * PER_DIGIT)
        equations = system_text(draws, system.rows, names, most, one_digit_or(share), system.places)
        text = _WORDINGS[wording].format(
            system=equations, unknowns=listed(sorted(names)), x=names[0]
        )
        return before + text

    def steps(self, made: Made) -> str:
        """Write the numbers defined, the equations collected, and the elimination."""
        system: _System = made.facts
        lines = [f"{b} = {value}" for b, value in letters_of(system.definitions).items()]
        lines += _elimination(system.rows, system.unknowns)
        return "\n".join([*lines, f"{system.unknowns[0]} = {made.answer}"])


def _draw_system(draws: RowDraws, n: int, entropy: int) -> _Drawn | None:
    """Draw a system, by the kernel if its numbers are not too large for that."""
    if not isinstance(draws, AheadDraws):
        return _system_by_draws(draws, n, entropy)
    found, at, share, largest, numbers, codes = draw_system(draws.key, draws.at, n, entropy)
    if found == TOO_LARGE:
        return _system_by_draws(draws, n, entropy)
    if found == FAILED:
        return None
    draws.move_to(int(at))
    (solution, *_), *rows = numbers.tolist()
    of_text = (entropy - entropy // 4 - int(share)) // n
    if found == DRAWN:
        return solution, rows, of_text, len(str(largest)), codes.tolist()
    return _with_canonical(solution, rows, of_text)


def _system_by_draws(draws: RowDraws, n: int, entropy: int) -> _Drawn | None:
    """Draw a solution, with a quarter of the entropy, a regular matrix, and so the constants."""
    quarter = entropy // 4
    solution = several_signed(draws, shares(draws, quarter, n), PER_DIGIT)
    rest = entropy - quarter
    for_matrix = draws.integer(rest // 3, 2 * rest // 3 + 1)
    matrix = _random_matrix(draws, n, for_matrix)
    if matrix is None:
        return None
    rows = [[*row, sum(map(mul, row, solution))] for row in matrix]
    return _with_canonical(solution[0], rows, (rest - for_matrix) // n)


def _with_canonical(solution: int, rows: Matrix, share: int) -> _Drawn | None:
    numbers = canonical_system([row[:-1] for row in rows], [row[-1] for row in rows])
    if numbers is None:
        return None
    return solution, rows, share, digits_of(list(numbers)), integers_codes(numbers)


def _random_matrix(draws: RowDraws, n: int, entropy: int) -> Matrix | None:
    """Return a regular matrix in which no row is about the first unknown alone."""
    cells = shares(draws, entropy, n * n)
    for _ in range(_TRIES):
        values = several_signed(draws, cells, PER_DIGIT)
        matrix = [values[i : i + n] for i in range(0, n * n, n)]
        if all(any(row[1:]) for row in matrix) and surely_regular(matrix):
            return matrix
    return None


def _name_coefficients(
    draws: RowDraws, system: _System, n: int, letters: list[str]
) -> list[Definition] | None:
    """Replace one or more numbers of a system by letters, and return their definitions."""
    n_direct = n - draws.integer(0, 2) if n > 1 else n
    rows = system.rows
    places = [(i, j) for i, row in enumerate(rows) for j, value in enumerate(row) if value]
    if len(places) < n_direct:
        return None
    chosen = [places.pop(draws.integer(0, len(places))) for _ in range(n_direct)]
    values = [rows[i][j] for i, j in chosen]
    in_text, direct = define_all(draws, values, n, system.share, letters)
    system.definitions.extend(in_text)
    named = zip(chosen, direct, strict=True)
    system.places.update({place: definition.letter for place, definition in named})
    return direct


def _elimination(rows: list[list[int]], names: list[str]) -> Iterator[str]:
    """Eliminate the last unknown, then the one before it, and so on, until the first is alone."""
    left = list(enumerate(rows, 1))
    for number, row in left:
        yield f"({number}) {plain_equation(row, names)}"
    next_number = len(rows) + 1
    for column in range(len(names) - 1, 0, -1):
        pivot, by = min(
            (one for one in left if one[1][column]), key=lambda one: (abs(one[1][column]), one[0])
        )
        reduced = []
        for number, row in left:
            if number == pivot:
                continue
            if row[column] == 0:
                reduced.append((number, row))
                continue
            common = gcd(row[column], by[column])
            times, less = by[column] // common, row[column] // common
            if times < 0:
                times, less = -times, -less
            made = [times * x - less * y for x, y in zip(row, by, strict=True)]
            divisor = gcd(*made)
            made = [value // divisor for value in made]
            what = f"{times}*({number}) {'-' if less > 0 else '+'} {abs(less)}*({pivot})"
            over = f", divided by {divisor}" if divisor > 1 else ""
            yield f"({next_number}) {what}{over}: {plain_equation(made, names)}"
            if not any(made[1:-1]):
                return
            reduced.append((next_number, made))
            next_number += 1
        left = reduced


GENERATOR = AlgebraLinearEquation
