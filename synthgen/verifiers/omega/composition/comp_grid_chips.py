"""Full boards of chips, from the text: by inclusion and exclusion, and row by row."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

from synthgen.verifiers.omega._grouped import GroupedVerifier
from synthgen.verifiers.omega.composition._questions import Questions, parts_sum, sum_steps

_COLOURS = {
    "red or blue": 2,
    "red, blue or green": 3,
    "red, blue, green or white": 4,
    "red, blue, green, white or black": 5,
}
_BOARD = (
    "Each cell of a board with <n> rows and <m> columns may hold one chip, which is <colours>, or"
    " stay empty. All chips in the same row must have the same colour, and all chips in the same"
    " column must have the same colour. Call such a placement full if no chip of any of these"
    " colours can be put into an empty cell without breaking the rules.",
    "A cabinet has <n> rows and <m> columns of drawers. A drawer is empty or holds one ball, which"
    " is <colours>. Two balls in one row, or in one column, never differ in colour. A filling of"
    " the cabinet is full if no empty drawer can take a ball of any of these colours under this"
    " rule.",
    "Tokens that are <colours> lie on a grid of <n> by <m> cells, at most one in a cell, such that"
    " the tokens of a row all have one colour and so have the tokens of a column. A pattern of"
    " this kind is called full if it would be spoiled by every further token, whatever its place"
    " and whichever of these colours it has.",
    "In a rectangular array with <n> rows and <m> columns, each place is blank or carries a mark"
    " that is <colours>. Marks of different colours never occur in a common row or in a common"
    " column. We look at full arrays only: those in which no blank place could be given a mark of"
    " one of these colours while keeping this property.",
)
_ASKED = {
    "all": (
        "How many full placements are there? Placements that differ by a rotation or a reflection"
        " of the board count separately. Give an integer.",
        "In how many ways can the cabinet be full? All drawers are told apart. Answer with an"
        " integer.",
        "Find the number of full patterns; symmetric ones count separately. The answer is an"
        " integer.",
        "Count the full arrays, where arrays that differ in any place are different. Give an"
        " integer.",
    ),
    "red": (
        "In how many full placements does the cell in the top left corner hold a red chip? Give an"
        " integer.",
        "In how many ways can the cabinet be full with a red ball in the first drawer of the first"
        " row? Answer with an integer.",
        "Find the number of full patterns with a red token on the first cell of the first row. The"
        " answer is an integer.",
        "Count the full arrays that have a red mark in the upper left corner. Give an integer.",
    ),
    "empty": (
        "In how many full placements is the cell in the top left corner empty? Give an integer.",
        "In how many ways can the cabinet be full although the first drawer of the first row is"
        " empty? Answer with an integer.",
        "Find the number of full patterns without a token on the first cell of the first row. The"
        " answer is an integer.",
        "Count the full arrays whose upper left corner is blank. Give an integer.",
    ),
    "chance": (
        "One of all full placements is chosen at random, each with the same probability. What is"
        " the probability that its cell in the top left corner is empty? <ending>",
        "The cabinet is filled in one of all full ways, each being equally likely. Find the"
        " probability that the first drawer of the first row is empty. <ending>",
        "Of all full patterns one is drawn uniformly at random. How likely is it that the first"
        " cell of the first row has no token? <ending>",
        "A uniformly random one of all full arrays is written down. Find the probability that its"
        " upper left corner is blank. <ending>",
    ),
}
_TEXTS = {
    kind: tuple(f"{board} {asked}" for board, asked in zip(_BOARD, questions, strict=True))
    for kind, questions in _ASKED.items()
}
_QUESTIONS = Questions(_TEXTS, colours="|".join(_COLOURS))
_MOST_SIZE = 60

Problem = tuple[str, int, int, int]
"""Kind, rows, columns, colours."""


def _read(statement: str) -> Problem | None:
    found = _QUESTIONS.read(statement)
    if found is None:
        return None
    kind, holes = found
    n, m = int(holes["n"]), int(holes["m"])
    if not (2 <= n <= _MOST_SIZE and 2 <= m <= _MOST_SIZE):
        return None
    return kind, n, m, _COLOURS[holes["colours"]]


def _exactly(n: int, k: int) -> int:
    """Count the rows of n colours that have each of k colours, by inclusion and exclusion."""
    return sum((-1) ** (k - j) * comb(k, j) * j**n for j in range(k + 1))


def _red_first(n: int, k: int) -> int:
    """Count those whose first colour is red: the rest has all k, or all but red."""
    return _exactly(n - 1, k) + _exactly(n - 1, k - 1)


def _counts(problem: Problem) -> tuple[int, int]:
    """Count the full boards, and those with a red corner.

    No row of a full board is empty, or a chip could be added to it that has the colour of a column
    (any, if that column is empty, too). So rows and columns have colours, and the same ones; then
    a cell is empty only where two different colours meet.
    """
    _, n, m, colours = problem
    numbers = range(1, colours + 1)
    total = sum(comb(colours, k) * _exactly(n, k) * _exactly(m, k) for k in numbers)
    red = sum(comb(colours - 1, k - 1) * _red_first(n, k) * _red_first(m, k) for k in numbers)
    return total, red


def _grown(problem: Problem) -> tuple[int, int]:
    """Colour rows and columns one by one, and match their sets of colours."""
    _, n, m, colours = problem
    sides = []
    for length in (n, m):
        sets = Counter({(1 << c, c == 0): 1 for c in range(colours)})
        for _ in range(length - 1):
            more: Counter[tuple[int, bool]] = Counter()
            for (used, first), ways in sets.items():
                for c in range(colours):
                    more[used | 1 << c, first] += ways
            sets = more
        sides.append(sets)
    total = sum(
        sum(sides[0][used, first] for first in (False, True))
        * sum(sides[1][used, first] for first in (False, True))
        for used in range(1, 1 << colours)
    )
    red = sum(sides[0][used, True] * sides[1][used, True] for used in range(1 << colours))
    return total, red


def _asked(problem: Problem, counts: tuple[int, int]) -> str:
    kind, _, _, colours = problem
    total, red = counts
    empty = total - colours * red
    if kind == "chance":
        return parts_sum(Fraction(empty, total))
    return str({"all": total, "red": red, "empty": empty}[kind])


def _solve(problem: Problem) -> str:
    return _asked(problem, _counts(problem))


def _exact(problem: Problem) -> str:
    return _asked(problem, _grown(problem))


def _follows(problem: Problem, answer: str, way: str) -> bool:
    """Compare with the lines that a solution must have."""
    kind, n, m, colours = problem
    short, long = sorted((n, m))
    total, red = _counts(problem)
    lines = []
    for k in range(1, min(short, colours) + 1):
        sets = sum(1 for _ in combinations(range(colours), k))
        parts = sets, _exactly(short, k), _exactly(long, k)
        lines.append(
            f"{k} colours: {sets} * {parts[1]} * {parts[2]} = {sets * parts[1] * parts[2]}"
        )
    lines.append(f"full: {total}")
    empty = total - colours * red
    if kind != "all":
        lines.append(f"red corner: {red}")
    if kind in ("empty", "chance"):
        lines.append(f"empty corner: {total} - {colours} * {red} = {empty}")
    if kind == "chance":
        lines.append(sum_steps(Fraction(empty, total)))
    return way == "\n".join(lines) and _solve(problem) == answer


VERIFIER = GroupedVerifier(_read, _solve, _exact, "integer", _follows)
