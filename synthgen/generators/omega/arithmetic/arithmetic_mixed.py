"""OMEGA arithmetic: the exact value of an expression of sums, differences, products, quotients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

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
from synthgen.generators.omega._draws import PER_DIGIT, AheadDraws, entropy_between
from synthgen.generators.omega._expressions import (
    SIGNS,
    Node,
    expression_codes,
    grow_listed,
    put_letters,
    ratio_text,
    sign_codes,
    working,
    written,
)
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega._parts import (
    Ratio,
    digits_of,
    integer_or_rational,
    one_digit_or,
    some_letters,
)
from synthgen.generators.omega.arithmetic._mixed_draw import Parts
from synthgen.generators.omega.arithmetic._mixed_text import LEAST_SIGNS, Drawn, draw_expression

_ENTROPIES = ((4, 9), (10, 14), (14, 16), (16, 20), (20, 25), (25, 30), (30, 36))
_DEFINITIONS = ((0, 0), (0, 0), (0, 0), (0, 0), (1, 1), (1, 2), (1, 3))
_SIXTEENTHS = tuple((PER_DIGIT * low, PER_DIGIT * high) for low, high in _ENTROPIES)
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


@dataclass(slots=True)
class _Expression:
    """An expression and its definitions; or without any, as the kernel lists and writes it."""

    form: Node | Parts
    definitions: list[Definition]
    told: str = ""

    @property
    def node(self) -> Node:
        """The expression, of the kernel's parts where it was drawn without definitions."""
        form = self.form
        return _node_of(form, {}) if isinstance(form, np.ndarray) else form

    @property
    def text(self) -> str:
        """The expression as it is told."""
        return self.told or written(self.node)


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
    block = 512
    words_ahead = ((0, 0), (0, 0), (0, 0), (0, 0), (36, 8), (44, 10), (50, 14))
    symbols: ClassVar[Mapping[str, int]] = {**DEFINITION_SYMBOLS, "mixed": 1}

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How long an expression is."""
        return {
            "n_operations": Axis(
                "signs of the expression, quotients counted", low=LEAST_SIGNS, high=_MOST_SIGNS
            ),
            "n_definitions": self.definitions_axis,
            "digits": Axis("digits of the largest integer", low=1, high=_MOST_DIGITS),
        }

    @cached_property
    def _heads(self) -> NDArray[np.int64]:
        """Codes of the signs, from place 1 on."""
        return np.array([0, *sign_codes(self.signature)], np.int64)

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Draw a value, and grow an expression that has it."""
        plain = (self.definitions or self.n_definitions[level - 1]) == (0, 0)
        drawn = self._quickly_drawn(level, draws, plain)
        if drawn is not None and plain:
            return self._told(drawn)
        node: Node | Parts
        if drawn is None:
            value, share, node, integers = _drawn_by_hand(level, draws)
        else:
            value, share = (int(drawn.top), int(drawn.bottom)), int(drawn.share)
            node, integers = drawn.parts, drawn.parts[drawn.parts[:, 0] == 0, 1].tolist()
        digits = digits_of(integers)
        if digits > _MOST_DIGITS or len(integers) > _MOST_SIGNS:
            return None
        n_definitions = self.count_definitions(level, draws)
        definitions: list[Definition] = []
        trees: dict[str, Tree] = {}
        named: dict[int, str] = {}
        if n_definitions:
            n_direct = max(1, n_definitions - draws.integer(0, 2))
            places = list(range(len(integers)))
            chosen = [places.pop(draws.integer(0, len(places))) for _ in range(n_direct)]
            chosen.sort(reverse=True)
            values = [integers[place] for place in chosen]
            letters = some_letters(draws, 2 * n_definitions)
            definitions, direct = define_all(draws, values, n_definitions, share, letters)
            named = {place: one.letter for place, one in zip(chosen, direct, strict=True)}
            trees = {one.letter: one.tree for one in direct}
        if isinstance(node, np.ndarray):
            node = _node_of(node, named)
        elif named:
            node = put_letters(node, named)
        axes = {
            "n_operations": len(integers) - 1,
            "n_definitions": n_definitions,
            "digits": digits,
        }
        tree: Tree = ("mixed", expression_codes(node, trees, self.signature))
        return Made(tree, ratio_text(value), _Expression(node, definitions), axes=axes)

    def _quickly_drawn(self, level: int, draws: RowDraws, plain: bool) -> Drawn | None:  # noqa: FBT001
        """Draw by the kernel; None, and no draw taken, where that gives up."""
        if not isinstance(draws, AheadDraws):
            return None
        drawn: Drawn = draw_expression(draws.key, *_SIXTEENTHS[level - 1], self._heads, plain)
        if not len(drawn.parts):
            return None
        draws.move_to(int(drawn.draw))
        return drawn

    def _told(self, drawn: Drawn) -> Made:
        """Return a problem without definitions, of which the kernel wrote text and codes."""
        axes = {
            "n_operations": int(drawn.n_integers) - 1,
            "n_definitions": 0,
            "digits": len(str(drawn.largest)),
        }
        tree: Tree = [self.signature.code["mixed"], *drawn.codes.tolist()]
        text = drawn.text.tobytes().decode("ascii")
        expression = _Expression(drawn.parts, [], text)
        return Made(tree, ratio_text((int(drawn.top), int(drawn.bottom))), expression, axes=axes)

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Write the definitions and ask for the value."""
        expression: _Expression = made.facts
        before = "".join(sentence(draws, one) for one in expression.definitions)
        return before + _WORDINGS[wording].format(text=expression.text)

    def steps(self, made: Made) -> str:
        """Write the numbers defined, and one line for every sign."""
        expression: _Expression = made.facts
        known = letters_of(expression.definitions)
        lines = [f"{letter} = {value}" for letter, value in known.items()]
        return "\n".join([*lines, *working(expression.node, known)[1]])


def _drawn_by_hand(level: int, draws: RowDraws) -> tuple[Ratio, int, Node, list[int]]:
    """Draw a value and an expression: return them, its integers, and the entropy of operands."""
    entropy = entropy_between(draws, *_ENTROPIES[level - 1])
    of_value = max(PER_DIGIT, entropy // 4)
    value = integer_or_rational(draws, of_value)
    n_signs = draws.integer(LEAST_SIGNS, LEAST_SIGNS + entropy // (2 * PER_DIGIT) + 1)
    share = one_digit_or((entropy - of_value) // n_signs)
    integers: list[int] = []
    node = grow_listed(draws, value, n_signs, share, integers)
    return value, share, node, integers


def _node_of(parts: Parts, letters: Mapping[int, str]) -> Node:
    """Return an expression of the kernel's parts, with letters for some of its integers."""
    waiting: list[Node] = []
    place = int(np.count_nonzero(parts[:, 0] == 0))
    for sign, value in reversed(parts.tolist()):
        if sign:
            left = waiting.pop()
            waiting.append((SIGNS[sign - 1], left, waiting.pop()))
        else:
            place -= 1
            waiting.append(letters.get(place, value))
    return waiting[0]


GENERATOR = ArithmeticMixed
