"""HINT arithmetic (Li et al. 2023): natural-number expressions with precedence and parentheses.

`Hint` samples. A row's operator count cycles with its address, so every count is proposed equally
often. Up to two operators the rows walk through the complete list of expressions in a keyed order
(and begin again when it ends). From three on a random tree is drawn until it meets the bounds, as
in the published procedure: an operator uniformly, the size of its left argument uniformly, then
left and right. `HintPaper` has the published rows in their order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import (
    Axis,
    CompiledFamily,
    ParamError,
    Problems,
    Render,
    Rows,
    Signature,
    Texts,
    Words,
    bounded,
    filled,
    levelled,
    params,
)
from synthgen.authoring.compiled import (
    Codes,
    LazyColumns,
    Ragged,
    constant_text,
    derivation_keys,
    integer_text,
    mix_words,
    text_column,
    worded,
)
from synthgen.families.hint import kernels as hint
from synthgen.families.hint.paper import CONCEPTS, SIZES, SPLITS, SUBSETS, published

_WORDS = Words.beside(__file__)


class Expressions(CompiledFamily):
    """Common base of both generators: axes, problems made of trees, and texts."""

    version = 2
    verifier = "hint"
    prompts = ("bare", "instruction")
    solutions = ("none", "steps")
    words = _WORDS

    full = False
    """Whether every compound argument has parentheses, or only those that need them."""

    @property
    def signature(self) -> Signature:
        """All symbols of the family, so that equal expressions have equal keys for any params."""
        return hint.SIGNATURE

    @property
    def used(self) -> str:
        """Symbols that may occur."""
        return hint.SYMBOLS

    def expression_axes(self, counts: tuple[int, int], values: tuple[int, int]) -> dict[str, Axis]:
        """Return the axes of expressions with these bounds of `n_op` and `max_value`.

        With full parentheses, the axes that depend on parentheses are not canonical: the derivation
        does not determine them.
        """
        min_op, max_op = counts
        longest = max(1, 4 * max_op - 1)
        canonical = not self.full
        return {
            "n_op": Axis("number of operators", "int16", min_op, max_op),
            "length": Axis("tokens, parentheses included", "int16", 1, longest, (), canonical),
            "depth": Axis("depth of the tree, a single symbol is 1", "int16", 1, max_op + 1),
            "n_paren": Axis("pairs of parentheses", "int16", 0, max_op, (), canonical),
            "paren_depth": Axis(
                "deepest nesting of parentheses", "int16", 0, max_op, (), canonical
            ),
            "max_value": Axis("largest value of any node", "int32", *values),
            "result": Axis("value of the expression", "int32", 0, values[1]),
            "max_dependency": Axis(
                "longest distance between a token and its head", "int16", 0, longest, (), canonical
            ),
        }

    def problems(self, rows: Rows, trees: Ragged, valid: NDArray[np.bool_]) -> Problems:
        """Make problems of trees: their keys and the axes of expressions."""
        n_op = ((trees.lengths - 1) // 2).astype(np.int16)
        axes = self.axes

        def measured() -> dict[str, NDArray[Any]]:
            columns = hint.measure(trees.values, trees.offsets, self.full)
            return {name: columns[i].astype(axes[name].dtype) for i, name in enumerate(hint.AXES)}

        columns = LazyColumns({"n_op": n_op}, hint.AXES, measured)
        keys = derivation_keys(trees, hint.SIGNATURE, self.domain)
        return Problems(rows, trees, keys, columns, n_op, valid, {})

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write expressions, their results and, with style.solution "steps", the steps."""
        trees = problems.derivations
        prompts = text_column(*hint.write_infix(trees.values, trees.offsets, self.full))
        templates, solutions = constant_text("bare", len(problems)), None
        if style.prompt == "instruction":
            prompts, templates = worded(problems.rows, self._wordings, prompts)
        if style.solution == "steps":
            solutions = text_column(*hint.write_steps(trees.values, trees.offsets))
        return Texts(
            prompts=prompts,
            answers=integer_text(problems.axes["result"].astype(np.int64)),
            answer_types=constant_text("integer", len(problems)),
            templates=templates,
            solutions=solutions,
        )

    @property
    def _wordings(self) -> list[tuple[str, str]]:
        """The text before and after the expression, for each wording."""
        notation = _WORDS["concepts"]
        used = [notation[symbol] for symbol in notation if symbol in self.used]
        concepts = filled(notation["sentence"], {"list": "; ".join(used)}) if used else ""
        holes = {"concepts": concepts, "expression": "\0"}
        texts = (filled(wording, holes) for wording in _WORDS.wordings("instruction"))
        return [(before, after) for before, _, after in (text.partition("\0") for text in texts)]


@levelled("n_op", 1, 2, 3, 4, 6, 8, 10, 13, 16, 20)
@dataclass(frozen=True)
class Hint(Expressions):
    """Expressions over single symbols.

    Values are natural numbers: a negative difference is 0, and quotients and means are rounded up.
    * and / bind tighter than + and -; operators of one kind associate to the left.

    Attributes:
        min_operators, max_operators: Operator count, 0 to 64.
        operators: Symbols + - * / and the few-shot concepts a (max), b (min), c (mean), d (harmonic
            mean).
        digits: Operands, 0 to 9 and the few-shot constants x (11) and y (12).
        require: Symbols of which each must occur in every expression.
        min_value, max_value: Bounds of the largest value of any node.
        zero_result_operators: Largest number of operators with which a result of 0 is allowed.
        parentheses: "minimal", only where precedence needs them, or "full", around every argument
            that is not a single symbol.
    """

    min_operators: int = params.integer(0, 0, hint.MAX_OPERATORS, up_to="max_operators")
    max_operators: int = params.integer(20, 0, hint.MAX_OPERATORS)
    operators: str = params.characters("+-*/", hint.OPERATORS, fewest=0)
    digits: str = params.characters("0123456789", hint.CONSTANTS)
    require: str = params.characters("", hint.SYMBOLS, fewest=0)
    min_value: int = params.integer(0, 0, hint.VALUE_LIMIT, up_to="max_value")
    max_value: int = params.integer(10_000, 0, hint.VALUE_LIMIT)
    zero_result_operators: int = params.integer(2, 0, hint.MAX_OPERATORS)
    parentheses: str = params.choice("minimal", ("minimal", "full"))

    restated_by = ("parentheses",)
    conditions = {
        "n_op": bounded("min_operators", "max_operators"),
        "max_value": bounded("min_value", "max_value"),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_operators and not self.operators:
            raise ParamError("operators", self.operators, "at least 1 symbol")
        if set(self.require) - set(self.used):
            raise ParamError("require", self.require, f"different symbols of {self.used}")
        if len(self.require) > 2 * self.max_operators + 1:
            raise ParamError("require", self.require, "no more symbols than an expression holds")

    @property
    def full(self) -> bool:  # type: ignore[override]
        """Whether every compound argument has parentheses."""
        return self.parentheses == "full"

    @property
    def used(self) -> str:
        """Symbols that may occur."""
        return self.digits + self.operators

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        counts, values = (self.min_operators, self.max_operators), (self.min_value, self.max_value)
        return self.expression_axes(counts, values)

    @property
    def space(self) -> int | None:
        """Number of addresses that reach every problem, if all operator counts are listed."""
        if self.max_operators > hint.LISTED_OPERATORS:
            return None
        sizes = [len(_listed(self, n_op)) for n_op in range(self.max_operators + 1)]
        return self._cycle * max(sizes[self.min_operators :])

    @property
    def fewest_problems(self) -> int | None:
        """Lower bound: the longest sums of digits that cannot exceed `max_value`, if allowed."""
        digits = [int(digit) for digit in self.digits if digit.isdigit()]
        if "+" not in self.operators or self.require or self.min_value or not digits:
            return None
        terms = self.max_value // max(1, *digits)
        longest = min(self.max_operators + 1, terms)
        return len(digits) ** longest - 1 if longest > self.min_operators else None

    @property
    def _cycle(self) -> int:
        return self.max_operators - self.min_operators + 1

    def draw(self, rows: Rows) -> Problems:
        """Make the expressions at these addresses."""
        n_op = self.min_operators + (rows.addresses % np.uint64(self._cycle)).astype(np.int64)
        lists = [_listed_order(self, k, rows.stream) for k in range(hint.LISTED_OPERATORS + 1)]
        choices = hint.Choices(
            _codes_of(self.operators),
            _codes_of(self.digits),
            _codes_of(self.require),
            (self.min_value, self.max_value, self.zero_result_operators),
            (lists[0], lists[1], lists[2]),
        )
        cycles = rows.addresses // np.uint64(self._cycle)
        codes, offsets, valid = hint.draw_trees(rows.keys, cycles, n_op, choices)
        return self.problems(rows, Ragged(codes, offsets), valid)


def _codes_of(symbols: str) -> Codes:
    return np.array([hint.SIGNATURE.code[symbol] for symbol in symbols], dtype=np.uint16)


@lru_cache(maxsize=64)
def _listed(family: Hint, n_op: int) -> Codes:
    """Return all expressions of n_op <= 2 operators within the bounds, codes (m, 2 n_op + 1)."""
    trees = hint.all_trees(_codes_of(family.operators), _codes_of(family.digits), n_op)
    bounds = (_codes_of(family.require), family.min_value, family.max_value)
    smallest = 0 if n_op <= family.zero_result_operators else 1
    return np.ascontiguousarray(trees[hint.results_within(trees, *bounds) >= smallest])


@lru_cache(maxsize=64)
def _listed_order(family: Hint, n_op: int, stream: int) -> Codes:
    """Return the listed expressions in the order in which a stream walks through them."""
    if not family.min_operators <= n_op <= family.max_operators:
        return np.empty((0, 2 * n_op + 1), np.uint16)
    listed = _listed(family, n_op)
    ranks = mix_words(np.arange(len(listed), dtype=np.uint64) ^ np.uint64(stream))
    return listed[np.argsort(ranks, kind="stable")]


@levelled("n_op", 1, 2, 3, 4, 6, 8, 10, 13, 16, 20)
@dataclass(frozen=True)
class HintPaper(Expressions):
    """The published rows: train, then val, then test, repeats included, for any seed.

    Values are natural numbers: a negative difference is 0, and quotients and means are rounded up.

    Attributes:
        concept: "" for the main data set, or one of x y a b c d for a few-shot concept.
    """

    concept: str = params.choice("", ("", *CONCEPTS))

    @property
    def used(self) -> str:
        """Symbols that may occur; the prompts of a few-shot set explain all of them."""
        return hint.SYMBOLS if self.concept else "+-*/0123456789"

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The axes of expressions, and the place of each row in the published data."""
        return self.expression_axes((0, 20), (0, 10_000)) | {
            "published_split": Axis("file of the published data", values=SPLITS, canonical=False),
            "subset": Axis("published subset", values=SUBSETS, canonical=False),
        }

    @property
    def space(self) -> int:
        """Number of published rows."""
        return SIZES[self.concept]

    def draw(self, rows: Rows) -> Problems:
        """Return the published rows at these addresses."""
        table = published(self.concept)
        index = rows.addresses.astype(np.int64)
        problems = self.problems(rows, table.derivations.take(index), np.ones(len(rows), bool))
        places = {"published_split": table.split[index], "subset": table.subset[index]}
        return replace(problems, axes={**problems.axes, **places})


GENERATORS = {"hint": Hint, "hint_paper": HintPaper}
