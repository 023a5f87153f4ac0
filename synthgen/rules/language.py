"""Rules over axes: a small language with the syntax of SQL, read into Polars expressions.

    rule      = conjunction { OR conjunction }
    conjunction = negation { AND negation }
    negation  = { NOT } predicate
    predicate = sum [ comparison sum | [NOT] BETWEEN sum AND sum | [NOT] IN ( sum { , sum } )
                    | [NOT] LIKE 'text' | IS [NOT] NULL ]
    sum       = product { (+ | -) product }        product = signed { (* | / | %) signed }
    signed    = { - } atom                         atom = number | 'text' | axis | TRUE | FALSE
                                                          | NULL | ( rule )

A recipe is data, so nothing else is allowed: functions could use unbounded memory. Integers are 64
bits wide; a rule whose numbers could overflow is rejected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from math import floor, isfinite, prod
from operator import add, and_, eq, ge, gt, le, lt, mod, mul, ne, or_, sub, truediv
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.rules.axes import Axis
from synthgen.rules.tokens import KEYWORDS, check_names, rule_tokens


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a rule.

    Attributes:
        kind: One of "truth", "number", "text" and "null".
        expr: Expression over axis columns.
        range: Smallest and largest value of an integer, None for anything else.
        axis: Name, if the term is just an axis.
        value: Value, if the term is a constant.
        simple: Whether all of its comparisons are of one axis with constants.
        asks_null: Whether it tests for unknown values.
        bounds: Axis and constant of every such comparison.
    """

    kind: str
    expr: pl.Expr
    range: tuple[int, int] | None = None
    axis: str | None = None
    value: int | float | str | None = None
    simple: bool = True
    asks_null: bool = False
    bounds: tuple[tuple[str, int | float], ...] = ()


def combined(kind: str, expr: pl.Expr, terms: list[Term]) -> Term:
    """Return a term made of others; it is simple if all of them are."""
    return Term(
        kind=kind,
        expr=expr,
        simple=all(term.simple for term in terms),
        asks_null=any(term.asks_null for term in terms),
        bounds=tuple(bound for term in terms for bound in term.bounds),
    )


def range_of(
    sign: str, left: tuple[int, int] | None, right: tuple[int, int] | None
) -> tuple[int, int] | None:
    """Return the range of an integer result; anything else is a floating-point number."""
    if left is None or right is None or sign == "/":
        return None
    if sign == "+":
        return left[0] + right[0], left[1] + right[1]
    if sign == "-":
        return left[0] - right[1], left[1] - right[0]
    if sign == "*":
        corners = [a * b for a in left for b in right]
        return min(corners), max(corners)
    largest = max(abs(right[0]), abs(right[1]))
    return -largest, largest


def like_pattern(pattern: str) -> str:
    """Return the regular expression of an SQL pattern: % for any text, _ for any character."""
    parts = {"%": ".*", "_": "."}
    return "(?s)^" + "".join(parts.get(char, re.escape(char)) for char in pattern) + "$"


_LARGEST = 2**63 - 1
REAL = "float64"
"""Type of a name for a real number, such as a figure of an audit."""
_BITS = {"int16": 16, "int32": 32, "int64": 64}
_Operator = Callable[[pl.Expr, pl.Expr], pl.Expr]
_ARITHMETIC: dict[str, _Operator] = {"+": add, "-": sub, "*": mul, "/": truediv, "%": mod}
_COMPARISONS: dict[str, _Operator] = {
    "=": eq,
    "<>": ne,
    "!=": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}


def axis_dtype(axis: Axis) -> pl.DataType:
    """Return the Polars type of an axis column."""
    if axis.values:
        return pl.String()
    return {"int16": pl.Int16(), "int32": pl.Int32(), "int64": pl.Int64()}[axis.dtype]


_MAX_POINTS = 1_000_000
Values = Sequence[int | str]
_FREE: Mapping[str, Values] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Rule:
    """A rule of a recipe, parsed once.

    Attributes:
        text: Text as in the recipe; "" for the rule that every row meets.
        names: Axes that it mentions, in order of first mention.
        expression: Expression over columns of these axes, true for the rows that meet the rule; an
            unknown result counts as false.
        ranges: Axes with the ranges for which it was read.
    """

    text: str
    names: tuple[str, ...]
    expression: pl.Expr
    ranges: Mapping[str, Axis]
    term: Term

    def can_hold(
        self, ranges: Mapping[str, Axis] | None = None, fixed: Mapping[str, Values] = _FREE
    ) -> bool:
        """Return whether it can be true for any values within the ranges of its axes.

        A false answer is proven: by all combinations of values, or, where the rule only compares
        axes with constants, by the constants, their neighbours and the ends of the ranges. Rules
        that cannot be decided this way, or that test for unknown values, count as possible.

        Args:
            ranges: Other ranges for its axes, none wider than its own.
            fixed: Axes that have only some of their values.
        """
        if self.term.asks_null:
            return True
        if not self.names:
            return self.always
        met = self._met(self.ranges if ranges is None else ranges, fixed)
        return met is None or not met.is_empty()

    @cached_property
    def spans(self) -> Mapping[str, tuple[int, int]]:
        """First and last value of each of its axes for which it can be true, names as indices.

        Axes are left out if that is unknown.
        """
        met = None if self.term.asks_null or not self.names else self._met(self.ranges, _FREE)
        if met is None:
            return {}
        spans = {}
        for column in met:
            names = self.ranges[column.name].values
            ranks = np.array([*map(names.index, column.unique())] if names else column)
            spans[column.name] = (int(ranks.min()), int(ranks.max())) if len(ranks) else (1, 0)
        return spans

    def _met(self, ranges: Mapping[str, Axis], fixed: Mapping[str, Values]) -> pl.DataFrame | None:
        """Return the combinations of deciding values for which it is true; None if unknown."""
        points: list[Values] = []
        for name in self.names:
            values = fixed.get(name) or self._deciding_values(name, ranges[name])
            if values is None:
                return None
            points.append(values)
        if prod(map(len, points)) > _MAX_POINTS:
            return None
        place = np.arange(prod(map(len, points)))
        columns = []
        for name, values in zip(self.names, points, strict=True):
            known = pl.Series(name, list(values), dtype=axis_dtype(self.ranges[name]))
            columns.append(known.gather(place % max(1, len(values))))
            place //= max(1, len(values))
        return pl.DataFrame(columns).filter(self.expression)

    def _deciding_values(self, name: str, axis: Axis) -> Values | None:
        """Return values of an axis that together decide every comparison; None if unknown."""
        if axis.values:
            return axis.values
        if axis.low is None or axis.high is None:
            return None
        if not self.term.simple:
            return range(axis.low, axis.high + 1)
        bounds = [constant for bound, constant in self.term.bounds if bound == name]
        constants = {floor(constant) for constant in bounds if isfinite(constant)}
        # A constant may lie between integers, so its floor has one more neighbor above than below.
        near = {constant + step for constant in constants for step in (-1, 0, 1, 2)}
        inside = {value for value in near if axis.low <= value <= axis.high}
        return sorted(inside | {axis.low, axis.high})

    @cached_property
    def always(self) -> bool:
        """Whether every row meets it, for a rule that mentions no axes."""
        return not self.names and bool(pl.select(self.expression).item())


def read_rule(text: str | None, axes: Mapping[str, Axis]) -> Rule:
    """Parse a rule over axes; None is the rule that every row meets.

    Raises:
        UnknownNameError: for a name that is not an axis.
        ParamError: for anything else that is not a rule.
    """
    if text is None:
        every = Term("truth", pl.lit(value=True))
        return Rule("", (), every.expr, axes, every)
    tokens = rule_tokens(text)
    check_names(text, tokens, axes)
    reader = _Reader(text, tokens, axes)
    term = reader.rule()
    if reader.token:
        reader.refuse(f"nothing more at {reader.token!r}")
    if term.kind != "truth":
        reader.refuse("a comparison, true or false for each row")
    return Rule(text, tuple(names_in(text, axes)), term.expr.fill_null(value=False), axes, term)


def compile_where(text: str, axes: Mapping[str, Axis]) -> pl.Expr:
    """Return the expression of a rule; raise as `read_rule` does."""
    return read_rule(text, axes).expression


def names_in(text: str, axes: Mapping[str, Axis]) -> list[str]:
    """Return the axes that a rule mentions, in order of first mention."""
    return list(dict.fromkeys(token for token in rule_tokens(text) if token in axes))


def clauses_of(text: str) -> list[str]:
    """Return the clauses that a rule joins with AND outside of brackets, each in one spelling.

    A rule with OR outside of brackets is one clause.

    Raises:
        ParamError: for text that is not made of the words of rules.
    """
    tokens = rule_tokens(text)
    clauses: list[list[str]] = [[]]
    depth, is_between = 0, False
    for token in tokens:
        word = token.upper()
        depth += (token == "(") - (token == ")")
        if depth == 0 and word == "OR":
            return [" ".join(tokens)]
        if depth == 0 and word == "AND" and not is_between:
            clauses.append([])
            continue
        if depth == 0 and word in ("AND", "BETWEEN"):
            is_between = word == "BETWEEN"
        clauses[-1].append(word if word in KEYWORDS else token)
    return [" ".join(clause) for clause in clauses]


def rows_that_meet(
    rules: Sequence[Rule], columns: Mapping[str, NDArray[Any]], axes: Mapping[str, Axis], n: int
) -> NDArray[np.bool_]:
    """Return which of n rows meet which rules, bool (n, number of rules).

    Args:
        rules: Rules over the axes.
        columns: Values of axes, (n,) each, names by their codes; a missing one is null.
        axes: Axes of all sources.
        n: Number of rows.
    """
    names = sorted({name for rule in rules for name in rule.names})
    frame = pl.DataFrame([_series(name, axes[name], columns.get(name), n) for name in names])
    columns_met = [
        frame.select(rule.expression).to_series().to_numpy()
        if rule.names
        else np.full(n, rule.always)
        for rule in rules
    ]
    return np.stack(columns_met, axis=1)


def _series(name: str, axis: Axis, column: NDArray[Any] | None, n: int) -> pl.Series:
    if column is None:
        dtype = pl.String() if axis.values else pl.Int64()
        return pl.repeat(None, n, dtype=dtype, eager=True).alias(name)
    if axis.values:
        return pl.Series(name, list(axis.values))[column.astype(np.int64)]
    return pl.Series(name, column)


class _Reader:
    """Recursive-descent parser; only parentheses recurse, and their depth is bounded."""

    def __init__(self, text: str, tokens: list[str], axes: Mapping[str, Axis]) -> None:
        self._text = text
        self._left = tokens[::-1]
        self._axes = axes

    @property
    def token(self) -> str:
        """The next token, "" at the end."""
        return self._left[-1] if self._left else ""

    def refuse(self, expected: str) -> None:
        """Raise an error with what was expected."""
        raise ParamError("where", self._text, expected)

    def _take(self, *words: str) -> str:
        """Consume the next token if it is one of these, else return ""."""
        return self._left.pop() if self.token.upper() in words and self._left else ""

    def _need(self, word: str) -> None:
        if not self._take(word):
            self.refuse(f"{word} {f'at {self.token!r}' if self.token else 'before the end'}")

    def rule(self) -> Term:
        return self._joined("OR", lambda: self._joined("AND", self._negation, and_), or_)

    def _joined(self, word: str, part: Callable[[], Term], join: _Operator) -> Term:
        terms = [part()]
        while self._take(word):
            terms.append(part())
        if len(terms) == 1:
            return terms[0]
        if any(term.kind != "truth" for term in terms):
            self.refuse(f"comparisons on both sides of {word}")
        return combined("truth", reduce(join, (term.expr for term in terms)), terms)

    def _negation(self) -> Term:
        negations = 0
        while self._take("NOT"):
            negations += 1
        term = self._predicate()
        if negations and term.kind != "truth":
            self.refuse("a comparison after NOT")
        return combined("truth", term.expr.not_(), [term]) if negations % 2 else term

    def _predicate(self) -> Term:
        left = self._sum()
        if sign := self._take(*_COMPARISONS):
            right = self._sum()
            if left.kind == right.kind == "truth" and sign not in ("=", "<>", "!="):
                self.refuse("numbers or texts in an order")
            return self._compared([left, right], _COMPARISONS[sign](left.expr, right.expr))
        if self._take("IS"):
            negated = self._take("NOT")
            self._need("NULL")
            test = left.expr.is_not_null() if negated else left.expr.is_null()
            return replace(combined("truth", test, [left]), simple=False, asks_null=True)
        negated = self._take("NOT")
        term = self._range(left)
        if negated and term is left:
            self.refuse("BETWEEN, IN or LIKE after NOT")
        return combined("truth", term.expr.not_(), [term]) if negated else term

    def _range(self, left: Term) -> Term:
        """Parse the part of a predicate that may follow NOT, or nothing."""
        if self._take("BETWEEN"):
            low = self._sum()
            self._need("AND")
            high = self._sum()
            inside = (left.expr >= low.expr) & (left.expr <= high.expr)
            return self._compared([left, low, high], inside)
        if self._take("IN"):
            self._need("(")
            items = [self._sum()]
            while self._take(","):
                items.append(self._sum())
            self._need(")")
            equal = reduce(or_, (left.expr == item.expr for item in items))
            return self._compared([left, *items], equal)
        if self._take("LIKE"):
            pattern = self._atom()
            if left.kind != "text" or not isinstance(pattern.value, str):
                self.refuse("texts on both sides of LIKE")
            like = left.expr.str.contains(like_pattern(str(pattern.value)))
            return self._compared([left, pattern], like)
        return left

    def _compared(self, terms: list[Term], expr: pl.Expr) -> Term:
        """Return a comparison of the first term with the others."""
        kinds = {term.kind for term in terms} - {"null"}
        if len(kinds) != 1:
            self.refuse(f"one kind on both sides, not {' and '.join(sorted(kinds)) or 'NULL'}")
        axes = [term.axis for term in terms if term.axis]
        constants = [t.value for t in terms if t.value is not None or t.kind == "null"]
        single = len(axes) <= 1 and len(axes) + len(constants) == len(terms)
        term = combined("truth", expr, terms)
        if kinds == {"truth"}:
            return term
        bounds = tuple((axes[0], c) for c in constants if axes and isinstance(c, int | float))
        return replace(term, simple=single, bounds=term.bounds + bounds)

    def _sum(self) -> Term:
        return self._calculated(("+", "-"), lambda: self._calculated(("*", "/", "%"), self._signed))

    def _calculated(self, signs: tuple[str, ...], part: Callable[[], Term]) -> Term:
        term = part()
        while sign := self._take(*signs):
            other = part()
            if {term.kind, other.kind} != {"number"}:
                self.refuse(f"numbers on both sides of {sign}")
            expr = _ARITHMETIC[sign](term.expr, other.expr)
            span = range_of(sign, term.range, other.range)
            term = self._in_range(Term("number", expr, range=span, simple=False))
        return term

    def _signed(self) -> Term:
        negations = 0
        while self._take("-"):
            negations += 1
        term = self._atom()
        if negations and term.kind != "number":
            self.refuse("a number after -")
        if negations % 2 == 0:
            return term
        value = -term.value if isinstance(term.value, int | float) else None
        span = term.range and (-term.range[1], -term.range[0])
        simple = term.simple and value is not None
        negative = replace(term, expr=-term.expr, value=value, axis=None, range=span, simple=simple)
        return self._in_range(negative)

    def _atom(self) -> Term:
        if self._take("("):
            term = self.rule()
            self._need(")")
            return term
        if self._take("TRUE"):
            return Term("truth", pl.lit(value=True))
        if self._take("FALSE"):
            return Term("truth", pl.lit(value=False))
        if self._take("NULL"):
            return Term("null", pl.lit(None))
        token = self.token
        if not token or token.upper() in KEYWORDS or not (token[0].isalnum() or token[0] in "'_"):
            self.refuse(f"a value {f'at {token!r}' if token else 'before the end'}")
        self._left.pop()
        if token[0] == "'":
            plain = token[1:-1].replace("''", "'")
            return Term("text", pl.lit(plain), value=plain)
        return self._number(token) if token[0].isdigit() else self._axis(token)

    def _number(self, token: str) -> Term:
        if "." in token:
            return Term("number", pl.lit(float(token)), value=float(token))
        if len(token) > len(str(_LARGEST)) or int(token) > _LARGEST:
            self.refuse("numbers of at most 64 bits")
        value = int(token)
        return Term("number", pl.lit(value, pl.Int64()), (value, value), value=value)

    def _axis(self, name: str) -> Term:
        axis = self._axes[name]
        if axis.values:
            return Term("text", pl.col(name), axis=name)
        if axis.dtype == REAL:
            return Term("number", pl.col(name), axis=name)
        largest = 2 ** (_BITS[axis.dtype] - 1) - 1
        low = -largest if axis.low is None else axis.low
        high = largest if axis.high is None else axis.high
        # Narrow integers would wrap around in arithmetic.
        return Term("number", pl.col(name).cast(pl.Int64()), (low, high), axis=name)

    def _in_range(self, term: Term) -> Term:
        if term.range and max(-term.range[0], term.range[1]) > _LARGEST:
            self.refuse("arithmetic whose values stay within 64 bits")
        return term
