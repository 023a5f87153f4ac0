"""Terms that rules are made of, and how they combine."""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a rule.

    Attributes:
        kind: "truth", "number", "text" or "null".
        expr: over axis columns.
        range: smallest and largest value of an integer, None for anything else.
        axis: name, if the term is an axis alone.
        value: if the term is a constant.
        simple: whether it holds no comparison but of one axis with constants.
        asks_null: whether it asks for unknown values.
        bounds: axis and constant of every such comparison.
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
    """Return a term made of others, which is as simple as they are."""
    return Term(
        kind=kind,
        expr=expr,
        simple=all(term.simple for term in terms),
        asks_null=any(term.asks_null for term in terms),
        bounds=tuple(bound for term in terms for bound in term.bounds),
    )


def calculate(sign: str, left: pl.Expr, right: pl.Expr) -> pl.Expr:
    """Return the result of one arithmetic sign."""
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    if sign == "*":
        return left * right
    return left / right if sign == "/" else left % right


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
    most = max(abs(right[0]), abs(right[1]))
    return -most, most


def like_pattern(pattern: str) -> str:
    """Return the regular expression of an SQL pattern: % for any text, _ for any character."""
    parts = {"%": ".*", "_": "."}
    return "(?s)^" + "".join(parts.get(char, re.escape(char)) for char in pattern) + "$"
