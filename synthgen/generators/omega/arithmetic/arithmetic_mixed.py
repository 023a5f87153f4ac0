"""OMEGA arithmetic: the exact value of an expression of sums, differences, products, quotients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._definitions import (
    DEFINITION_SYMBOLS,
    ComposedFamily,
    Definition,
    define_all,
    letters_of,
    sentence,
)
from synthgen.generators.omega._draws import PER_DIGIT, entropy_between
from synthgen.generators.omega._expressions import (
    Node,
    expression_codes,
    grow_listed,
    put_letters,
    ratio_text,
    working,
    written,
)
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega._parts import (
    digits_of,
    integer_or_rational,
    one_digit_or,
    some_letters,
)

_ENTROPIES = ((4, 9), (10, 14), (14, 16), (16, 20), (20, 25), (25, 30), (30, 36))
_DEFINITIONS = ((0, 0), (0, 0), (0, 0), (0, 0), (1, 1), (1, 2), (1, 3))
_LEAST_SIGNS = 3
_MOST_SIGNS = 64
_MOST_DIGITS = 40
_FORMAT = "Give an integer, or a fraction p/q in lowest terms with a positive denominator."
_WORDINGS = (
    f"Evaluate {{text}}. {_FORMAT}",
    f"What is the exact value of {{text}}? {_FORMAT}",
    f"Work out {{text}}. {_FORMAT}",
    f"Simplify {{text}} to a single number. {_FORMAT}",
    f"Calculate {{text}} without rounding. {_FORMAT}",
)


@dataclass(frozen=True, slots=True)
class _Expression:
    node: Node
    definitions: list[Definition]


@dataclass(frozen=True)
class ArithmeticMixed(ComposedFamily):
    """An expression of integers and fractions with the four signs of arithmetic.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. There are
            4 to 9, 10 to 14, 14 to 16, 16 to 20, 20 to 25, 25 to 30 or 30 to 36 digits of
            entropy, a quarter of them in the value, and from 3 signs to 3 and half as many.
        definitions: least and most number of integers that stand as letters which sentences
            before the question define; none stand for the level's own.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "arithmetic_mixed"
    answer_type: ClassVar[str] = "rational"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_ENTROPIES)
    n_definitions: ClassVar[tuple[tuple[int, int], ...]] = _DEFINITIONS
    wordings: ClassVar[int] = len(_WORDINGS)
    words_ahead = ((17, 0), (20, 0), (23, 0), (26, 0), (36, 12), (44, 14), (50, 18))
    symbols: ClassVar[Mapping[str, int]] = {**DEFINITION_SYMBOLS, "mixed": 1}

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How long an expression is."""
        return {
            "n_operations": Axis(
                "signs of the expression, quotients counted", low=_LEAST_SIGNS, high=_MOST_SIGNS
            ),
            "n_definitions": self.definitions_axis,
            "digits": Axis("digits of the largest integer", low=1, high=_MOST_DIGITS),
        }

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Draw a value, and grow an expression that has it."""
        entropy = entropy_between(draws, *_ENTROPIES[level - 1])
        of_value = max(PER_DIGIT, entropy // 4)
        value = integer_or_rational(draws, of_value)
        n_signs = draws.integer(_LEAST_SIGNS, _LEAST_SIGNS + entropy // (2 * PER_DIGIT) + 1)
        share = one_digit_or((entropy - of_value) // n_signs)
        integers: list[int] = []
        node = grow_listed(draws, value, n_signs, share, integers)
        digits = digits_of(integers)
        if digits > _MOST_DIGITS or len(integers) > _MOST_SIGNS:
            return None
        n_definitions = self.count_definitions(level, draws)
        definitions: list[Definition] = []
        trees: dict[str, Tree] = {}
        if n_definitions:
            n_direct = max(1, n_definitions - draws.integer(0, 2))
            places = list(range(len(integers)))
            chosen = [places.pop(draws.integer(0, len(places))) for _ in range(n_direct)]
            chosen.sort(reverse=True)
            values = [integers[place] for place in chosen]
            letters = some_letters(draws, 2 * n_definitions)
            definitions, direct = define_all(draws, values, n_definitions, share, letters)
            node = put_letters(
                node, {place: one.letter for place, one in zip(chosen, direct, strict=True)}
            )
            trees = {one.letter: one.tree for one in direct}
        axes = {
            "n_operations": len(integers) - 1,
            "n_definitions": n_definitions,
            "digits": digits,
        }
        tree: Tree = ("mixed", expression_codes(node, trees, self.signature))
        return Made(tree, ratio_text(value), _Expression(node, definitions), axes=axes)

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Write the definitions and ask for the value."""
        expression: _Expression = made.facts
        before = "".join(sentence(draws, one) for one in expression.definitions)
        return before + _WORDINGS[wording].format(text=written(expression.node))

    def steps(self, made: Made) -> str:
        """Write the numbers defined, and one line for every sign."""
        expression: _Expression = made.facts
        known = letters_of(expression.definitions)
        lines = [f"{letter} = {value}" for letter, value in known.items()]
        return "\n".join([*lines, *working(expression.node, known)[1]])


GENERATOR = ArithmeticMixed
