"""Numbers defined by sentences before a question: sums, expressions, equations, pairs of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from synthgen.core.conditions import Condition, span
from synthgen.core.contract import Axis
from synthgen.core.errors import ParamError
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._draws import PER_DIGIT, signed_of
from synthgen.generators.omega._equations import equation
from synthgen.generators.omega._expressions import SYMBOLS, Node, expression_tree, grow, written
from synthgen.generators.omega._family import PlainFamily
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega._systems import canonical_system

DEFINITION_SYMBOLS: Mapping[str, int] = {**SYMBOLS, "let": 1, "line": 2, "pair": 6}
MOST_DEFINITIONS = 4
_EXPRESSION, _EQUATION, _PAIR = range(3)
_WORDINGS = (
    ("Let {b} = {text}. ", "Let {b} be {text}. ", "Suppose {b} = {text}. "),
    ("Let {b} be the solution of {text}. ", "Suppose that {text}. ", "Let {b} satisfy {text}. "),
    (
        "Let {b} and {c} satisfy {text} and {other}. ",
        "Suppose that {text} and {other}. ",
        "Let {b} and {c} be the solution of {text} and {other}. ",
    ),
)
_TRIES = 64


@dataclass(slots=True)
class Definition:
    """A sentence that gives a letter an integer value.

    Attributes:
        letter, value: what it defines.
        tree: its canonical structure.
        kind: of sentence.
        facts: an expression, or rows of coefficients and constant.
        others: letters and values that are defined besides.
    """

    letter: str
    value: int
    tree: Tree
    kind: int
    facts: Any
    others: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class ComposedFamily(PlainFamily):
    """A family in which numbers of the question may be defined by sentences before it.

    Attributes:
        definitions: least and most number of such sentences, at most 4; none stand for the
            level's own.
    """

    definitions: tuple[int, ...] = ()

    conditions: ClassVar[Mapping[str, Condition]] = {
        **PlainFamily.conditions,
        "n_definitions": span("definitions"),
    }
    n_definitions: ClassVar[tuple[tuple[int, int], ...]]
    """Least and most number of sentences at each level."""

    def __post_init__(self) -> None:
        super().__post_init__()
        wanted = f"no numbers, or least and most from 0 to {MOST_DEFINITIONS}"
        given = self.definitions
        if not isinstance(given, tuple) or len(given) not in (0, 2):
            raise ParamError("definitions", given, wanted)
        if any(isinstance(n, bool) or not isinstance(n, int) for n in given):
            raise ParamError("definitions", given, wanted)
        if given and not 0 <= given[0] <= given[1] <= MOST_DEFINITIONS:
            raise ParamError("definitions", given, wanted)

    @property
    def definitions_axis(self) -> Axis:
        """How many definitions there are."""
        ranges = [self.n_definitions[level - 1] for level in self.chosen_levels]
        low, high = self.definitions or (min(r[0] for r in ranges), max(r[1] for r in ranges))
        return Axis("numbers and polynomials defined before the question", low=low, high=high)

    def count_definitions(self, level: int, draws: RowDraws) -> int:
        """Draw how many sentences a problem has."""
        low, high = self.definitions or self.n_definitions[level - 1]
        return low if low == high else draws.integer(low, high + 1)


def define_all(
    draws: RowDraws, values: Sequence[int], n: int, share: int, letters: Sequence[str]
) -> tuple[list[Definition], list[Definition]]:
    """Draw n sentences, at least as many as values, with shares of entropy in sixteenths.

    The sentences beyond the values define numbers that later ones use. `letters` are at least 2 n.

    Returns:
        All in the order of the text, and those of the values in their order.
    """
    in_text: list[Definition] = []
    direct: list[Definition] = []
    names = iter(letters)
    before = [0] * len(values)
    for _ in range(n - len(values)):
        before[draws.integer(0, len(values))] += 1
    for value, links in zip(values, before, strict=True):
        used: Definition | None = None
        for link in range(links + 1):
            defined = value if link == links else signed_of(draws, PER_DIGIT, 1)
            used = _define(draws, next(names), defined, share, next(names), used)
            in_text.append(used)
        direct.append(used)  # type: ignore[arg-type]
    return in_text, direct


def _define(
    draws: RowDraws, letter: str, value: int, share: int, other: str, used: Definition | None
) -> Definition:
    share = max(PER_DIGIT, share)
    if used is not None:
        node = _from_letter(draws, value, used)
        tree = expression_tree(node, {used.letter: used.tree})
        return Definition(letter, value, tree, _EXPRESSION, node)
    kind = draws.integer(0, 4)
    if kind == 0:
        part = signed_of(draws, share, 1)
        node = ("+", part, value - part) if draws.integer(0, 2) else ("-", part, part - value)
        return Definition(letter, value, expression_tree(node, {}), _EXPRESSION, node)
    if kind == 1:
        node = grow(draws, (value, 1), draws.integer(2, 4), max(PER_DIGIT, share // 2))
        return Definition(letter, value, expression_tree(node, {}), _EXPRESSION, node)
    if kind == 2:
        times = signed_of(draws, max(PER_DIGIT, share // 2), 1)
        row = (times, times * value)
        canonical = row if times > 0 else (-times, -times * value)
        return Definition(letter, value, ("line", *canonical), _EQUATION, (row, share))
    return _pair(draws, letter, value, share, other)


def _from_letter(draws: RowDraws, value: int, used: Definition) -> Node:
    """Return a sum or difference with this value that a letter is a part of."""
    if draws.integer(0, 2):
        return ("-", value + used.value, used.letter)
    rest = value - used.value
    return ("+", used.letter, rest) if rest >= 0 else ("-", used.letter, -rest)


def _pair(draws: RowDraws, letter: str, value: int, share: int, other: str) -> Definition:
    second = signed_of(draws, PER_DIGIT)
    part = max(PER_DIGIT, share // 4)
    for _ in range(_TRIES):
        matrix = [[signed_of(draws, part, 1) for _ in range(2)] for _ in range(2)]
        constants = [a * value + b * second for a, b in matrix]
        if matrix[0][0] * matrix[1][1] == matrix[0][1] * matrix[1][0]:
            continue
        numbers = canonical_system(matrix, constants)
        if numbers is not None:
            rows = [(*row, constant) for row, constant in zip(matrix, constants, strict=True)]
            facts = (rows, share)
            return Definition(letter, value, ("pair", *numbers), _PAIR, facts, ((other, second),))
    return Definition(letter, value, value, _EXPRESSION, value)


def sentence(draws: RowDraws, definition: Definition) -> str:
    """Write a definition, with a space after its full stop."""
    wording = _WORDINGS[definition.kind][draws.integer(0, 3)]
    letter = definition.letter
    if definition.kind == _EXPRESSION:
        return wording.format(b=letter, text=written(definition.facts))
    rows, share = definition.facts
    if definition.kind == _EQUATION:
        text = equation(draws, rows, letter, draws.integer(2, 5), share)
        return wording.format(b=letter, text=text)
    second = definition.others[0][0]
    first, last = (
        equation(draws, row, letter + second, draws.integer(3, 6), share // 2) for row in rows
    )
    return wording.format(b=letter, c=second, text=first, other=last)


def letters_of(definitions: Sequence[Definition]) -> dict[str, int]:
    """Return every letter that is defined and its value, in the order of the text.

    Letters that one sentence defines are in alphabetical order.
    """
    values: dict[str, int] = {}
    for definition in definitions:
        values |= sorted([(definition.letter, definition.value), *definition.others])
    return values


def sorted_trees(definitions: Sequence[Definition]) -> list[Tree]:
    """Return the trees of definitions in an order of their own."""
    return sorted((definition.tree for definition in definitions), key=repr)
