"""Expressions, linear systems and integers, all built from their answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from math import gcd
from operator import add, mul, sub, truediv
from typing import NamedTuple

from flint import fmpq, fmpz, fmpz_mat

from synthgen.authoring import Problem, RowDraws, Tree, axis
from synthgen.authoring.entropy import PER_DIGIT, entropy_between, integer_between, power_of_ten
from synthgen.families.omega.equations.definitions import (
    DEFINITIONS_AXIS,
    SYMBOLS,
    WORDS,
    ComposedFamily,
    Definition,
    Expression,
    Ranges,
    canonical_system,
    define,
    digits_of,
    equation,
    expression_tree,
    given_text,
    grow,
    integer_or_rational,
    integers_of,
    letters_of,
    several_signed,
    shares,
    some_letters,
    sum_text,
    value_lines,
    with_givens,
    written,
)
from synthgen.families.omega.equations.polynomials import AlgebraPolynomialRoots, CompPolynomialGcd

_TRIES = 64
_LEVELS_OF_MIXED: Ranges = ((4, 9), (10, 14), (14, 16), (16, 20), (20, 25), (25, 30), (30, 36))
_LEVELS_OF_LINEAR: Ranges = ((8, 10), (10, 12), (12, 14), (14, 16), (16, 20), (20, 24), (24, 28))
_LEVELS_OF_PRIMES: Ranges = ((4, 7), (8, 12), (12, 15), (15, 18), (18, 25), (25, 30), (30, 36))
"""Least and most digits of entropy of each level."""


# --- arithmetic_mixed ---

_OPERATIONS = {"+": add, "-": sub, "*": mul, "/": truediv}


@dataclass(frozen=True)
class ArithmeticMixed(ComposedFamily):
    """An expression of integers and fractions with the four signs of arithmetic.

    Attributes:
        levels: Difficulty levels, 1 to 7, drawn with equal probability; an empty list means all.
            There are 4 to 9, 10 to 14, 14 to 16, 16 to 20, 20 to 25, 25 to 30 or 30 to 36 digits of
            entropy, a quarter of them in the value, and from 3 signs to 3 and half the entropy.
        definitions: Least and most number of integers that are replaced by letters, which sentences
            before the question define; an empty list means the level's own.
    """

    version = 2
    verifier = "arithmetic_mixed"
    same_up_to = "names of the variables"
    answer_type = "rational"
    words = WORDS.part("mixed")
    symbols = {**SYMBOLS, "mixed": 1}
    n_levels = len(_LEVELS_OF_MIXED)
    level_ranges = {"n_definitions": ((0, 0), (0, 0), (0, 0), (0, 0), (1, 1), (1, 2), (1, 3))}
    own_axes = {
        "n_operations": axis("operations of the expression, quotients included", 3, 64),
        "n_definitions": DEFINITIONS_AXIS,
        "digits": axis("digits of the largest integer", 1, 40),
    }

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Draw a value, and grow an expression that has it."""
        entropy = entropy_between(draws, *_LEVELS_OF_MIXED[level - 1])
        of_value = max(PER_DIGIT, entropy // 4)
        value = integer_or_rational(draws, of_value)
        n_signs = draws.integer(3, 4 + entropy // (2 * PER_DIGIT))
        share = max(PER_DIGIT, (entropy - of_value) // n_signs)
        node = grow(draws, value, n_signs, share)
        integers = integers_of(node)
        digits = digits_of(integers)
        if digits > 40 or len(integers) > 64:
            return None
        n = self.count_definitions(level, draws)
        every: list[Definition] = []
        trees: dict[str, Tree] = {}
        if n:
            left = list(range(len(integers)))
            n_direct = max(1, n - draws.integer(0, 2))
            places = [left.pop(draws.integer(0, len(left))) for _ in range(n_direct)]
            places.sort(reverse=True)
            letters = some_letters(draws, 2 * n)
            every, direct = define(draws, [integers[i] for i in places], n, share, letters)
            trees = {one.letter: one.tree for one in direct}
            node = _with_letters(node, dict(zip(places, trees, strict=True)))
        return Problem(
            ("mixed", expression_tree(node, trees)),
            str(value),
            axes={"n_operations": len(integers) - 1, "n_definitions": n, "digits": digits},
            data=(node, every),
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the definitions and the expression."""
        node, definitions = problem.data
        return {"given": given_text(draws, definitions), "text": written(node)}

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Write the values of the letters, and one line for each operation."""
        node, definitions = problem.data
        lines = list(value_lines(definitions))
        _work_out(node, letters_of(definitions), lines)
        return lines


def _with_letters(node: Expression, letters: Mapping[int, str]) -> Expression:
    """Return an expression with letters for some of its integers, by their places from 0."""
    places = count()

    def replaced(part: Expression) -> Expression:
        if isinstance(part, tuple):
            return part[0], replaced(part[1]), replaced(part[2])
        return part if isinstance(part, str) else letters.get(next(places), part)

    return replaced(node)


def _work_out(node: Expression, letters: Mapping[str, int], lines: list[str]) -> fmpq:
    """Return the value of an expression, and write one line for each operation, left to right."""
    if not isinstance(node, tuple):
        return fmpq(letters[node] if isinstance(node, str) else node)
    sign, left, right = node
    first, second = _work_out(left, letters, lines), _work_out(right, letters, lines)
    value: fmpq = _OPERATIONS[sign](first, second)
    is_leaf = isinstance(left, int) and isinstance(right, int)
    if not (sign == "/" and is_leaf and second > 1 and value.q == second):
        lines.append(f"{_operand_text(first)} {sign} {_operand_text(second)} = {value}")
    return value


def _operand_text(value: fmpq) -> str:
    """Write a number, in parentheses if it is negative or a fraction."""
    text = str(value)
    return text if text.isdigit() else f"({text})"


# --- algebra_linear_equation ---

_UNKNOWNS = (2, 3, 4, 5, 6, 7, 8)


class _System(NamedTuple):
    """A system in the order of its text.

    Attributes:
        rows: Coefficients and constant of each equation.
        unknowns: Names of the unknowns; the first one is in question.
        letters: Letters defined before, by row and place.
        share: Entropy for the text of each equation.
    """

    rows: list[list[int]]
    unknowns: list[str]
    definitions: list[Definition]
    letters: Mapping[tuple[int, int], str]
    share: int


@dataclass(frozen=True)
class AlgebraLinearEquation(ComposedFamily):
    """As many equations as unknowns, with an integer solution; one of the unknowns is in question.

    Attributes:
        levels: Difficulty levels, 1 to 7, drawn with equal probability; an empty list means all.
            There are 2 to 8 unknowns and 8 to 10, 10 to 12, 12 to 14, 14 to 16, 16 to 20, 20 to 24
            or 24 to 28 digits of entropy, a quarter of them in the solution.
        definitions: Least and most number of coefficients that are replaced by letters, which
            sentences before the question define; an empty list means the level's own.
    """

    version = 2
    verifier = "algebra_linear_equation"
    same_up_to = "names of the variables"
    words = WORDS.part("linear")
    symbols = {**SYMBOLS, **{f"system{n}": n * (n + 1) for n in _UNKNOWNS}}
    n_levels = len(_UNKNOWNS)
    level_ranges = {
        "n_unknowns": tuple((n, n) for n in _UNKNOWNS),
        "n_definitions": ((0, 0), (1, 2), (1, 2), (1, 2), (2, 3), (2, 3), (2, 4)),
    }
    own_axes = {
        "n_unknowns": axis("unknowns of the system", 2, 8),
        "n_definitions": DEFINITIONS_AXIS,
        "digits": axis("digits of the largest integer", 1, 24),
    }

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Draw a solution and a regular matrix; their product is the other side."""
        n = _UNKNOWNS[level - 1]
        entropy = entropy_between(draws, *_LEVELS_OF_LINEAR[level - 1])
        n_definitions = self.count_definitions(level, draws)
        solution = several_signed(draws, shares(draws, entropy // 4, n))
        rest = entropy - entropy // 4
        for_matrix = draws.integer(rest // 3, 2 * rest // 3 + 1)
        matrix = _regular_matrix(draws, n, for_matrix)
        if matrix is None:
            return None
        rows = [[*row, sum(map(mul, row, solution))] for row in matrix]
        numbers = canonical_system(rows)
        if numbers is None:
            return None
        share = (rest - for_matrix) // n
        names = some_letters(draws, n + 2 * n_definitions)
        every: list[Definition] = []
        direct: list[Definition] = []
        letters: dict[tuple[int, int], str] = {}
        if n_definitions:
            places = [(i, j) for i, row in enumerate(rows) for j, value in enumerate(row) if value]
            n_direct = n_definitions - (draws.integer(0, 2) if n_definitions > 1 else 0)
            if len(places) < n_direct:
                return None
            chosen = [places.pop(draws.integer(0, len(places))) for _ in range(n_direct)]
            values = [rows[i][j] for i, j in chosen]
            every, direct = define(draws, values, n_definitions, share, names[n:])
            letters = {at: one.letter for at, one in zip(chosen, direct, strict=True)}
        return Problem(
            with_givens((f"system{n}", *numbers), [one.tree for one in direct]),
            str(solution[0]),
            axes={
                "n_unknowns": n,
                "n_definitions": n_definitions,
                "digits": digits_of(numbers),
            },
            data=_System(rows, names[:n], every, letters, share),
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the definitions and the equations."""
        system: _System = problem.data
        names, share = system.unknowns, system.share
        given = given_text(draws, system.definitions)
        most = 1 + len(names) * (2 * PER_DIGIT + share) // (2 * PER_DIGIT)
        equations = []
        for i, row in enumerate(system.rows):
            least = len(row) - row[:-1].count(0)
            n_terms = draws.integer(least, max(least, most) + 1)
            letters = {j: letter for (k, j), letter in system.letters.items() if k == i}
            equations.append(equation(draws, row, names, n_terms, max(PER_DIGIT, share), letters))
        return {
            "given": given,
            "system": _listed(equations),
            "unknowns": _listed(sorted(names)),
            "x": names[0],
        }

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Write the values of the letters, the equations collected, and the elimination."""
        system: _System = problem.data
        return [
            *value_lines(system.definitions),
            *_elimination(system.rows, system.unknowns),
            f"{system.unknowns[0]} = {problem.answer}",
        ]


def _regular_matrix(draws: RowDraws, n: int, entropy: int) -> list[list[int]] | None:
    """Return a regular matrix in which no row has the first unknown as its only one."""
    cells = shares(draws, entropy, n * n)
    for _ in range(_TRIES):
        values = several_signed(draws, cells)
        matrix = [values[i : i + n] for i in range(0, n * n, n)]
        if all(any(row[1:]) for row in matrix) and fmpz_mat(matrix).det() != 0:
            return matrix
    return None


def _listed(texts: Sequence[str]) -> str:
    """Write `a, b and c`."""
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


def _elimination(rows: Sequence[list[int]], names: Sequence[str]) -> Iterator[str]:
    """Eliminate the last unknown, then the one before it, and so on down to the first."""

    def written(row: Sequence[int]) -> str:
        terms = [term for term in zip(row, names, strict=False) if term[0]]
        return f"{sum_text(terms)} = {row[-1]}"

    left = list(enumerate(rows, 1))
    for number, row in left:
        yield f"({number}) {written(row)}"
    numbers = count(len(rows) + 1)
    for column in range(len(names) - 1, 0, -1):
        with_it = [one for one in left if one[1][column]]
        pivot, by = min(with_it, key=lambda one: (abs(one[1][column]), one[0]))
        reduced = []
        for number, row in left:
            if number == pivot or not row[column]:
                reduced += [(number, row)] * (number != pivot)
                continue
            common = gcd(row[column], by[column]) * (1 if by[column] > 0 else -1)
            times, less = by[column] // common, row[column] // common
            made = [times * x - less * y for x, y in zip(row, by, strict=True)]
            divisor = gcd(*made)
            made = [value // divisor for value in made]
            what = f"{times}*({number}) {'-' if less > 0 else '+'} {abs(less)}*({pivot})"
            over = f", divided by {divisor}" if divisor > 1 else ""
            reduced.append((next(numbers), made))
            yield f"({reduced[-1][0]}) {what}{over}: {written(made)}"
            if not any(made[1:-1]):
                return
        left = reduced


# --- arithmetic_list_prime_factors ---

_MIN_SECOND = (25, 100, 200, 400, 800, 1_600, 3_200)
_MAX_SECOND_DIGITS = (3, 4, 4, 5, 5, 5, 5)
_LARGEST_PRIME = 10**18
_LARGEST_SMALL = 1_000


@dataclass(frozen=True)
class ArithmeticListPrimeFactors(ComposedFamily):
    """An integer that is the product of drawn prime factors.

    Attributes:
        levels: Difficulty levels, 1 to 7, drawn with equal probability; an empty list means all.
            The integer has 4 to 7, 8 to 12, 12 to 15, 15 to 18, 18 to 25, 25 to 30 or 30 to 36
            digits of entropy, and its second-largest prime factor is at least 25, 100, 200, 400,
            800, 1,600 or 3,200 and below 10^3, 10^4 or, from level 4 on, 10^5.
        definitions: Least and most number of sentences that define the integer before the
            question; an empty list means the level's own.
    """

    version = 3
    verifier = "arithmetic_list_prime_factors"
    same_up_to = "names of the variables"
    words = WORDS.part("primes")
    symbols = {**SYMBOLS, "second_prime": 1}
    n_levels = len(_LEVELS_OF_PRIMES)
    level_ranges = {"n_definitions": ((0, 0), (0, 0), (0, 0), (0, 0), (0, 1), (0, 1), (1, 2))}
    own_axes = {
        "digits": axis("digits of the integer", 1, 40),
        "n_primes": axis("distinct prime factors", 2, 30),
        "n_definitions": DEFINITIONS_AXIS,
    }

    def make(self, level: int, draws: RowDraws) -> Problem:
        """Draw the two largest primes, and fill up with integers of no larger primes."""
        entropy = entropy_between(draws, *_LEVELS_OF_PRIMES[level - 1])
        second, largest = _two_primes(draws, level, entropy)
        primes = [second, largest]
        n, most = second * largest, power_of_ten(entropy)
        while most // n > 1:
            small = draws.integer(2, min(most // n, second, _LARGEST_SMALL) + 1)
            n *= small
            primes += _factors(small)
        n_definitions = self.count_definitions(level, draws)
        every: list[Definition] = []
        tree: Tree = n
        if n_definitions:
            letters = some_letters(draws, 2 * n_definitions)
            every, direct = define(draws, [n], n_definitions, entropy // 3, letters)
            tree = ("let", direct[0].tree)
        return Problem(
            ("second_prime", tree),
            str(second),
            axes={
                "digits": len(str(n)),
                "n_primes": len(set(primes)),
                "n_definitions": n_definitions,
            },
            data=(n, sorted(primes), every),
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the definitions and the integer, or its letter."""
        n, _, definitions = problem.data
        given = given_text(draws, definitions)
        return {"given": given, "n": definitions[-1].letter if definitions else n}

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Write the values of the letters, the divisions by growing primes, and the primes."""
        n, primes, definitions = problem.data
        lines = list(value_lines(definitions))
        for prime in primes[:-1]:
            lines.append(f"{n} = {prime} * {n // prime}")
            n //= prime
        distinct = " > ".join(map(str, sorted(set(primes), reverse=True)))
        return [*lines, f"{distinct}; the second-largest is {problem.answer}"]


def _two_primes(draws: RowDraws, level: int, entropy: int) -> tuple[int, int]:
    """Return the second-largest and the largest prime, both with about uniform logarithms."""
    least = _MIN_SECOND[level - 1]
    high = min(PER_DIGIT * _MAX_SECOND_DIGITS[level - 1], entropy // 2)
    size = draws.integer(min(_entropy_above(2 * least), high), high + 1)
    most = power_of_ten(size)
    second = _prime_from(integer_between(draws, least, most - most // 50))
    size = draws.integer(size, entropy - size + 1)
    most = max(second + 1, min(_LARGEST_PRIME, power_of_ten(size)))
    return second, _prime_from(integer_between(draws, second + 1, most))


def _prime_from(start: int) -> int:
    """Return the smallest prime that is at least `start`."""
    return next(n for n in count(start) if fmpz(n).is_prime())


@cache
def _entropy_above(n: int) -> int:
    """Return the least entropy of more than n choices, in sixteenths."""
    return next(size for size in count() if power_of_ten(size) > n)


@cache
def _factors(n: int) -> tuple[int, ...]:
    """Return the prime factors of a small integer with multiplicity."""
    return tuple(int(p) for p, exponent in fmpz(n).factor() for _ in range(exponent))


GENERATORS = {
    "algebra_linear_equation": AlgebraLinearEquation,
    "algebra_polynomial_roots": AlgebraPolynomialRoots,
    "arithmetic_list_prime_factors": ArithmeticListPrimeFactors,
    "arithmetic_mixed": ArithmeticMixed,
    "comp_polynomial_gcd": CompPolynomialGcd,
}
