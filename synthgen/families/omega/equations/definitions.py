"""Numbers defined by sentences before a question: expressions, equations and pairs of equations.

An expression is an integer, the letter of a number defined before, or (sign, left, right) with one
of the signs + - * /. A rational number is the quotient of two integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, groupby, pairwise, permutations, product
from math import factorial, prod
from typing import Any, ClassVar, TypeAlias

from flint import fmpq

from synthgen.authoring import LevelledFamily, RowDraws, Tree, Words, axis, params
from synthgen.authoring.entropy import PER_DIGIT, positive_of, power_of_ten, signed_of
from synthgen.rules.axes import Axis
from synthgen.rules.conditions import Condition, span

Expression: TypeAlias = "int | str | tuple[str, Expression, Expression]"
Ranges: TypeAlias = "tuple[tuple[int, int], ...]"
"""Lower and upper bound at each level."""

WORDS = Words.beside(__file__)
LETTERS = "bcdfghjrstuvwxyz"
"""Names of numbers, without those that wordings use: a, i, k to q and e."""
MAX_DEFINITIONS = 4
_NAMES = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
_SIGNS = tuple(_NAMES)
SYMBOLS: Mapping[str, int] = {
    **dict.fromkeys(_NAMES.values(), 2),
    **{f"given{n}": n + 1 for n in range(1, MAX_DEFINITIONS + 1)},
    "let": 1,
    "line": 2,
    "pair": 6,
}
DEFINITIONS_AXIS = axis("numbers and polynomials defined before the question", 0, MAX_DEFINITIONS)
_SENTENCES = WORDS.part("definitions")
_TRIES = 64
_MAX_ORDERS = 24
_PART_BITS = 21
_ONE_WORD = 4 * PER_DIGIT
"""Integers up to this entropy share a word of draws with others."""


# --- draws ---


def several_below(draws: RowDraws, end: int, n: int) -> list[int]:
    """Return n integers from 0 to end - 1 <= 2^21, three from each word of draws."""
    mask = (1 << _PART_BITS) - 1
    values: list[int] = []
    while len(values) < n:
        bits = draws.bits()
        values += [(bits >> shift & mask) * end >> _PART_BITS for shift in (0, 21, 42)]
    return values[:n]


def several_signed(draws: RowDraws, entropies: Sequence[int]) -> list[int]:
    """Return an integer of either sign for each entropy, or one digit if that is more."""
    parts = several_below(draws, 1 << _PART_BITS, len(entropies))
    values = []
    for part, entropy in zip(parts, entropies, strict=True):
        size = max(entropy, PER_DIGIT)
        if size <= _ONE_WORD:
            bound = -(-power_of_ten(size) // 2)
            values.append((part * (2 * bound + 1) >> _PART_BITS) - bound)
        else:
            values.append(signed_of(draws, size))
    return values


def shares(draws: RowDraws, total: int, n: int, evenness: int = 1) -> list[int]:
    """Split an entropy into n shares, Dirichlet with this parameter.

    The gaps between uniform cuts are Dirichlet(1, ..., 1); sums of `evenness` of them are
    Dirichlet(evenness, ...).
    """
    cuts = sorted(several_below(draws, total + 1, n * evenness - 1))
    ends = [0, *cuts[evenness - 1 :: evenness], total]
    return [end - start for start, end in pairwise(ends)]


def non_integer(draws: RowDraws, sixteenths: int) -> fmpq:
    """Return a rational with a denominator of at least 5 and a numerator of at least 3."""
    for _ in range(_TRIES):
        of_top = draws.integer(0, sixteenths + 1)
        bottom = positive_of(draws, sixteenths - of_top, 5)
        value = fmpq(signed_of(draws, 2 * of_top, 3), bottom)
        if value.q == bottom:
            return value
    return fmpq(3, 5)


def integer_or_rational(draws: RowDraws, sixteenths: int) -> fmpq:
    """Return an integer or a non-integer rational, each with probability 1/2."""
    if draws.integer(0, 2):
        return non_integer(draws, sixteenths)
    return fmpq(signed_of(draws, sixteenths))


def some_letters(draws: RowDraws, n: int, pool: str = LETTERS) -> list[str]:
    """Return n different letters of the pool in random order."""
    left, bits = list(pool), draws.bits()
    chosen = []
    for _ in range(n):
        bits, place = divmod(bits, len(left))
        chosen.append(left.pop(place))
    return chosen


def digits_of(values: Sequence[int]) -> int:
    """Return the number of digits of the integer that is largest in magnitude."""
    return len(str(max(max(values), -min(values))))


# --- expressions ---


def grow(draws: RowDraws, value: fmpq, n_signs: int, share: int) -> Expression:
    """Return an expression with this value and `n_signs` random signs.

    Each sign brings a random operand with `share` sixteenths of entropy. Quotients that express
    rational numbers come in addition.
    """
    if n_signs == 0:
        return int(value.p) if value.q == 1 else ("/", int(value.p), int(value.q))
    bits = draws.bits()  # 6-7: sign, 8: side of the operand, 9-24: signs on the left, 32-: operand
    sign = _SIGNS[bits >> 6 & 3]
    left, right = _operands(sign, value, _operand(draws, bits >> 32, share), bits >> 8 & 1 == 0)
    on_left = (bits >> 9 & 0xFFFF) * n_signs >> 16
    return sign, grow(draws, left, on_left, share), grow(draws, right, n_signs - 1 - on_left, share)


def _operand(draws: RowDraws, bits: int, share: int) -> fmpq:
    """Return a rational other than zero; most are integers, which take no draws if small."""
    if bits & 3 == 0:
        return fmpq(signed_of(draws, share // 2, 1), positive_of(draws, share, 2))
    if share > _ONE_WORD:
        return fmpq(signed_of(draws, share, 1))
    size = ((bits >> 3) * max(1, (power_of_ten(share) + 1) // 2) >> 29) + 1
    return fmpq(size if bits & 4 else -size)


def _operands(sign: str, value: fmpq, operand: fmpq, on_left: bool) -> tuple[fmpq, fmpq]:
    """Return the two operands, one of them given, with which a sign makes the value."""
    if sign == "-":
        return (operand, operand - value) if on_left else (value + operand, operand)
    if sign == "/":
        return (operand, operand / value) if on_left and value else (value * operand, operand)
    rest = value - operand if sign == "+" else value / operand
    return (operand, rest) if on_left else (rest, operand)


def integers_of(node: Expression) -> list[int]:
    """Return the integers of an expression from left to right."""
    if isinstance(node, tuple):
        return integers_of(node[1]) + integers_of(node[2])
    return [] if isinstance(node, str) else [node]


def written(node: Expression) -> str:
    """Write an expression with parentheses wherever a reader could hesitate.

    Quotients before * or / are in parentheses, and so is any operand on the right that begins with
    a minus sign.
    """
    if not isinstance(node, tuple):
        return str(node)
    sign, left, right = node
    before, after = written(left), written(right)
    if sign in "+-":
        if after[0] == "-" or (isinstance(right, tuple) and right[0] in "+-"):
            after = f"({after})"
        return f"{before} {sign} {after}"
    if isinstance(left, tuple) and left[0] != "*":
        before = f"({before})"
    if after[0] == "-" or isinstance(right, tuple):
        after = f"({after})"
    return f"{before}{sign}{after}"


def expression_tree(node: Expression, letters: Mapping[str, Tree]) -> Tree:
    """Return the canonical tree: operands of + and * sorted, letters as their definitions."""
    return _tree_and_text(node, letters)[0]


def _tree_and_text(node: Expression, letters: Mapping[str, Tree]) -> tuple[Tree, str]:
    """Return the tree and a text by which operands are sorted."""
    if isinstance(node, int):
        return node, str(node)
    if isinstance(node, str):
        tree = ("let", letters[node])
        return tree, repr(tree)
    sign = node[0]
    (left, text), (right, other) = (_tree_and_text(part, letters) for part in node[1:])
    if sign in "+*" and other < text:
        left, right, text, other = right, left, other, text
    return (_NAMES[sign], left, right), f"({text}{sign}{other})"


# --- equations ---


def sum_text(terms: Sequence[tuple[int, str]]) -> str:
    """Write coefficients and what they multiply, "" in a constant, as a sum."""
    pieces = []
    for value, name in terms:
        size = abs(value)
        body = str(size) if not name else name if size == 1 else f"{size}*{name}"
        pieces.append(f"{'-' if value < 0 else '+'} {body}")
    text = " ".join(pieces) or "+ 0"
    return f"-{text[2:]}" if text[0] == "-" else text[2:]


def equation(
    draws: RowDraws,
    row: Sequence[int],
    names: Sequence[str],
    n_terms: int,
    share: int,
    letters: Mapping[int, str],
) -> str:
    """Write an equation with its terms split, shuffled and moved to either side.

    Args:
        draws: Source of parts, order and sides.
        row: Coefficients of the unknowns, and the constant on the other side.
        names: Names of the unknowns.
        n_terms: Number of terms, unless the equation needs more.
        share: Entropy of the parts of a term that is split, in sixteenths.
        letters: Letters defined before, which replace whole numbers of the row.
    """
    every = [*zip(row[:-1], names, strict=True), (-row[-1], "")]
    terms = [term for i, term in enumerate(every) if term[0] and i not in letters]
    for _ in range(n_terms - len(terms) - len(letters) if terms else 0):
        place = draws.integer(0, len(terms))
        value, name = terms[place]
        part = signed_of(draws, share, 1)
        part = -part if part == value else part
        terms[place] = (part, name)
        terms.append((value - part, name))
    for i, letter in letters.items():
        name = every[i][1]
        terms.append((1, f"{letter}*{name}") if name else (-1, letter))
    sides: tuple[list[tuple[int, str]], list[tuple[int, str]]] = ([], [])
    for value, name in draws.shuffled(terms):
        side = draws.integer(0, 2)
        sides[side].append((-value if side else value, name))
    return f"{sum_text(sides[0])} = {sum_text(sides[1])}"


def canonical_system(rows: Sequence[Sequence[int]]) -> tuple[int, ...] | None:
    """Return the numbers of a system, the same for all orders, names and signs of it.

    The first unknown is the one in question. Rows, each with its constant first, get the sign that
    makes the first nonzero of constant, first coefficient, sum and sum of cubes positive, and are
    sorted; the other unknowns are sorted by their coefficients.

    Args:
        rows: Coefficients, and the constant on the other side.

    Returns:
        None in the rare cases without such a sign or with too many orders to try.
    """
    signed = []
    for *factors, constant in rows:
        others = factors[1:]
        sign = constant or factors[0] or sum(others) or sum(value**3 for value in others)
        if sign == 0:
            return None
        row = [constant, *factors]
        signed.append(row if sign > 0 else [-value for value in row])
    heads = [tuple(row[:2]) for row in signed]
    columns = sorted(zip(*(row[2:] for row in signed), strict=True), key=sorted)
    groups = [list(group) for _, group in groupby(columns, key=sorted)]
    if prod(factorial(len(group)) for group in groups) > _MAX_ORDERS:
        return None
    orders = (chain(*choice) for choice in product(*map(permutations, groups)))
    best = min(
        sorted(head + row for head, row in zip(heads, zip(*order, strict=True), strict=True))
        for order in orders
    )
    return tuple(chain(*best))


# --- definitions ---


@dataclass(slots=True)
class Definition:
    """A sentence that gives a letter an integer value.

    Attributes:
        letter, value: Letter that it defines, and its value.
        tree: Canonical structure of the definition.
        kind: "value", "equation" or "pair".
        body: An expression, or rows of coefficients and constant.
        share: Entropy of the parts of equations, in sixteenths.
        others: Letters and values that the sentence defines besides.
    """

    letter: str
    value: int
    tree: Tree
    kind: str
    body: Any
    share: int = 0
    others: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class ComposedFamily(LevelledFamily):
    """A family in which sentences before the question may define some of its numbers.

    Attributes:
        definitions: Least and most number of such sentences, at most 4; an empty list means
            the level's own.
    """

    definitions: tuple[int, ...] = params.span((), 0, MAX_DEFINITIONS)

    domain = "omega"
    level_ranges: ClassVar[Mapping[str, Ranges]]
    """Axes whose bounds depend on the level; `n_definitions` must be one of them."""

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The level and the declared axes, with the bounds of the chosen levels."""
        axes = dict(super().axes)
        for name, ranges in self.level_ranges.items():
            lows, highs = zip(*(ranges[level - 1] for level in self.chosen_levels), strict=True)
            axes[name] = replace(axes[name], low=min(lows), high=max(highs))
        if self.definitions:
            low, high = self.definitions
            axes["n_definitions"] = replace(axes["n_definitions"], low=low, high=high)
        return axes

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """The level and the number of definitions."""
        return dict(super().conditions) | {"n_definitions": span("definitions")}

    def count_definitions(self, level: int, draws: RowDraws) -> int:
        """Draw the number of sentences of a problem."""
        low, high = self.definitions or self.level_ranges["n_definitions"][level - 1]
        return low if low == high else draws.integer(low, high + 1)


def define(
    draws: RowDraws, values: Sequence[int], n: int, share: int, letters: Sequence[str]
) -> tuple[list[Definition], list[Definition]]:
    """Draw n sentences, at least as many as values, with `share` sixteenths of entropy each.

    The sentences beyond the values define numbers that later ones use. At least 2 n letters are
    needed.

    Returns:
        All in the order of the text, and those of the values in their order.
    """
    names = iter(letters)
    links = [0] * len(values)
    for _ in range(n - len(values)):
        links[draws.integer(0, len(values))] += 1
    every: list[Definition] = []
    direct: list[Definition] = []
    for value, before in zip(values, links, strict=True):
        used: Definition | None = None
        for link in range(before + 1):
            defined = value if link == before else signed_of(draws, PER_DIGIT, 1)
            letter, other = next(names), next(names)
            if used is None:
                used = _first(draws, letter, defined, max(PER_DIGIT, share), other)
            else:
                used = _next(draws, letter, defined, used)
            every.append(used)
        direct += every[-1:]
    return every, direct


def _next(draws: RowDraws, letter: str, value: int, used: Definition) -> Definition:
    """Define a letter by a sum or difference of a number and a letter defined before."""
    rest = value - used.value
    node: Expression
    if draws.integer(0, 2):
        node = ("-", value + used.value, used.letter)
    else:
        node = ("+", used.letter, rest) if rest >= 0 else ("-", used.letter, -rest)
    tree = expression_tree(node, {used.letter: used.tree})
    return Definition(letter, value, tree, "value", node)


def _first(draws: RowDraws, letter: str, value: int, share: int, other: str) -> Definition:
    """Define a letter without another: by a sum, an expression, an equation or a pair of them."""
    kind = draws.integer(0, 4)
    half = max(PER_DIGIT, share // 2)
    if kind == 2:
        times = signed_of(draws, half, 1)
        row = (times, times * value)
        tree: Tree = ("line", times, row[1]) if times > 0 else ("line", -times, -row[1])
        return Definition(letter, value, tree, "equation", [row], share)
    if kind == 3:
        return _pair(draws, letter, value, share, other)
    node: Expression
    if kind == 0:
        part = signed_of(draws, share, 1)
        node = ("+", part, value - part) if draws.integer(0, 2) else ("-", part, part - value)
    else:
        node = grow(draws, fmpq(value), draws.integer(2, 4), half)
    return Definition(letter, value, expression_tree(node, {}), "value", node)


def _pair(draws: RowDraws, letter: str, value: int, share: int, other: str) -> Definition:
    second = signed_of(draws, PER_DIGIT)
    part = max(PER_DIGIT, share // 4)
    for _ in range(_TRIES):
        matrix = [[signed_of(draws, part, 1) for _ in range(2)] for _ in range(2)]
        (a, b), (c, d) = matrix
        rows = [(p, q, p * value + q * second) for p, q in matrix]
        numbers = canonical_system(rows) if a * d != b * c else None
        if numbers:
            tree: Tree = ("pair", *numbers)
            return Definition(letter, value, tree, "pair", rows, share, {other: second})
    return Definition(letter, value, value, "value", value)


def given_text(draws: RowDraws, definitions: Sequence[Definition]) -> str:
    """Write definitions as sentences, each followed by a space."""
    return "".join(f"{_sentence(draws, one)} " for one in definitions)


def _sentence(draws: RowDraws, one: Definition) -> str:
    wording = draws.choice(_SENTENCES.wordings("sentence", one.kind))
    if one.kind == "value":
        return wording.format(b=one.letter, text=written(one.body))
    names = [one.letter, *one.others]
    size = len(names)
    texts = [
        equation(draws, row, names, draws.integer(size + 1, size + 4), one.share // size, {})
        for row in one.body
    ]
    return wording.format(b=names[0], c=names[-1], text=texts[0], other=texts[-1])


def letters_of(definitions: Sequence[Definition]) -> dict[str, int]:
    """Return the values of all letters in the order of the text, those of a pair by name."""
    return {
        letter: value
        for one in definitions
        for letter, value in sorted({one.letter: one.value, **one.others}.items())
    }


def value_lines(definitions: Sequence[Definition]) -> Iterator[str]:
    """Yield the lines of a solution that state the values of the letters."""
    for letter, value in letters_of(definitions).items():
        yield f"{letter} = {value}"


def with_givens(tree: Tree, parts: Sequence[Tree]) -> Tree:
    """Return the tree of a problem with definitions beside it, in a canonical order."""
    return (f"given{len(parts)}", tree, *sorted(parts, key=repr)) if parts else tree
