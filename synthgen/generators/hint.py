"""HINT arithmetic (Li et al. 2023): natural-number expressions with precedence and parentheses.

A row's operator count cycles with its address, so every count is proposed equally often. Up to two
operators the rows walk through the complete list of expressions in a keyed order (and begin again
when it ends). From three on a random tree is drawn until it meets the bounds, as the published
procedure does: an operator uniformly, the size of its left argument uniformly, then left and right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from synthgen.core.checks import check_choice, check_int, check_symbols
from synthgen.core.columns import Ragged
from synthgen.core.conditions import Condition, bounded
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.derivation import Codes, Signature
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows, mix_words
from synthgen.generators import _hint_expression as hint
from synthgen.generators._hint_draw import MOST_OPERATORS, accepted_trees, draw_trees
from synthgen.generators._hint_rows import expression_axes, expression_problems, expression_texts

LISTED_OPERATORS = 2
"""Up to this many operators all expressions are listed, not sampled."""


@dataclass(frozen=True)
class Hint:
    """Expressions over single symbols.

    Attributes:
        min_operators, max_operators: operator count, 0 to 64.
        operators: + - * / and the few-shot concepts a (max), b (min), c (mean), d (harmonic mean).
        digits: operands, 0 to 9 and the few-shot constants x (11) and y (12).
        require: symbols of which each must occur in every expression.
        min_value, max_value: bounds of the largest value of any node.
        zero_result_operators: a result of 0 is allowed up to this many operators.
        parentheses: "minimal", only where precedence needs them, or "full", around every argument
            that is not a single symbol.
    """

    min_operators: int = 0
    max_operators: int = 20
    operators: str = "+-*/"
    digits: str = "0123456789"
    require: str = ""
    min_value: int = 0
    max_value: int = 10_000
    zero_result_operators: int = 2
    parentheses: str = "minimal"

    version: ClassVar[int] = 1
    domain: ClassVar[str] = "hint"
    verifier: ClassVar[str] = "hint"
    prompts: ClassVar[tuple[str, ...]] = ("bare", "instruction")
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    conditions: ClassVar[Mapping[str, Condition]] = {
        "n_op": bounded("min_operators", "max_operators"),
        "max_value": bounded("min_value", "max_value"),
    }

    def __post_init__(self) -> None:
        check_int("max_operators", self.max_operators, 0, MOST_OPERATORS)
        check_int("min_operators", self.min_operators, 0, self.max_operators)
        check_symbols(
            "operators", self.operators, hint.OPERATORS, 0 if not self.max_operators else 1
        )
        check_symbols("digits", self.digits, hint.CONSTANTS, 1)
        check_symbols("require", self.require, self.digits + self.operators)
        check_int("max_value", self.max_value, 0, hint.VALUE_LIMIT)
        check_int("min_value", self.min_value, 0, self.max_value)
        check_int("zero_result_operators", self.zero_result_operators, 0, MOST_OPERATORS)
        check_choice("parentheses", self.parentheses, ("minimal", "full"))
        if len(self.require) > 2 * self.max_operators + 1:
            raise ParamError("require", self.require, "no more symbols than an expression holds")

    @property
    def signature(self) -> Signature:
        """All symbols of the family, so that equal expressions have equal keys for any params."""
        return hint.SIGNATURE

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        counts, values = (self.min_operators, self.max_operators), (self.min_value, self.max_value)
        return expression_axes(counts, values, full=self._full)

    @property
    def space(self) -> int | None:
        """Addresses after which nothing new comes, if all operator counts are listed."""
        if self.max_operators > LISTED_OPERATORS:
            return None
        sizes = [len(_listed(self, n_op)) for n_op in range(self.max_operators + 1)]
        return self._cycle * max(sizes[self.min_operators :])

    @property
    def fewest_problems(self) -> int | None:
        """The sums of the most digits that cannot exceed `max_value`, where those are allowed."""
        digits = [int(digit) for digit in self.digits if digit.isdigit()]
        if "+" not in self.operators or self.require or self.min_value or not digits:
            return None
        terms = self.max_value // max(1, *digits)
        longest = min(self.max_operators + 1, terms)
        return len(digits) ** longest - 1 if longest > self.min_operators else None

    @property
    def _full(self) -> bool:
        return self.parentheses == "full"

    @property
    def _cycle(self) -> int:
        return self.max_operators - self.min_operators + 1

    def draw(self, rows: Rows) -> Problems:
        """Make the expressions at these addresses."""
        n_op = self.min_operators + (rows.addresses % np.uint64(self._cycle)).astype(np.int64)
        lists = [_listed_order(self, k, rows.stream) for k in range(LISTED_OPERATORS + 1)]
        codes, offsets, valid = draw_trees(
            rows.keys,
            rows.addresses // np.uint64(self._cycle),
            n_op,
            _codes_of(self.operators),
            _codes_of(self.digits),
            _codes_of(self.require),
            (self.min_value, self.max_value, self.zero_result_operators),
            lists[0],
            lists[1],
            lists[2],
        )
        return expression_problems(rows, Ragged(codes, offsets), valid, self.axes, full=self._full)

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write expressions, their results and, if asked, the steps."""
        return expression_texts(problems, style, self.operators + self.digits, full=self._full)


GENERATOR = Hint


def _codes_of(symbols: str) -> Codes:
    return np.array([hint.SIGNATURE.code[symbol] for symbol in symbols], dtype=np.uint16)


@lru_cache(maxsize=64)
def _listed(params: Hint, n_op: int) -> Codes:
    """Return all expressions of n_op <= 2 operators within the bounds, codes (m, 2 n_op + 1)."""
    operators, digits = _codes_of(params.operators), _codes_of(params.digits)
    trees = [digits[:, None]]
    for size in range(1, n_op + 1):
        parts = [_joined(operators, trees[i], trees[size - 1 - i]) for i in range(size)]
        trees.append(np.concatenate(parts))
    bounds = (params.min_value, params.max_value, params.zero_result_operators)
    kept = accepted_trees(trees[n_op], n_op, _codes_of(params.require), bounds)
    return np.ascontiguousarray(trees[n_op][kept])


def _joined(operators: Codes, left: Codes, right: Codes) -> Codes:
    """Return every operator over every pair of arguments, in prefix order."""
    pairs = np.concatenate(
        [np.repeat(left, len(right), axis=0), np.tile(right, (len(left), 1))], axis=1
    )
    roots = np.repeat(operators, len(pairs))[:, None]
    return np.concatenate([roots, np.tile(pairs, (len(operators), 1))], axis=1)


@lru_cache(maxsize=64)
def _listed_order(params: Hint, n_op: int, stream: int) -> Codes:
    """Return the listed expressions in the order in which a stream walks through them."""
    if not params.min_operators <= n_op <= params.max_operators:
        return np.empty((0, 2 * n_op + 1), np.uint16)
    listed = _listed(params, n_op)
    ranks = mix_words(np.arange(len(listed), dtype=np.uint64) ^ np.uint64(stream))
    return listed[np.argsort(ranks, kind="stable")]
