"""Rules over axes: a bounded subset of Polars SQL, checked before it is used.

A rule is made of axis names, numbers, quoted text, comparisons, arithmetic, IN, BETWEEN, LIKE, IS
NULL, AND, OR, NOT and parentheses. Functions are refused: a recipe is data, and some of them could
use memory without bound.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

import numpy as np
import polars as pl

from synthgen.core.contract import Axis
from synthgen.core.errors import ParamError, UnknownNameError

_TOKEN = re.compile(
    r"\s+|'(?:[^']|'')*'|\d+(?:\.\d+)?|[A-Za-z_]\w*|<=|>=|<>|!=|[=<>()+\-*/%,]", re.ASCII
)
_WORDS = {"AND", "OR", "NOT", "IN", "BETWEEN", "IS", "NULL", "TRUE", "FALSE", "LIKE"}
_COMPARISONS = {"=", "<", ">", "<=", ">=", "<>", "!="}
_ARITHMETIC = {"+", "-", "*", "/", "%"}
_MAX_LENGTH = 10_000
_MAX_NESTING = 40
_MOST_POINTS = 1_000_000
SOURCE = "source"
"""Pseudo axis with the name of the source that a row comes from."""


def axis_dtype(axis: Axis) -> pl.DataType:
    """Return the Polars type of an axis column."""
    if axis.values:
        return pl.String()
    return {"int16": pl.Int16(), "int32": pl.Int32(), "int64": pl.Int64()}[axis.dtype]


def compile_where(text: str, axes: Mapping[str, Axis]) -> pl.Expr:
    """Turn a rule into a Boolean expression over axis columns; an unknown value counts as no.

    Raises:
        UnknownNameError: for a name that is no axis.
        ParamError: for anything else that is not a rule.
    """
    _check_tokens(text, axes)
    frame = pl.DataFrame(schema={name: axis_dtype(axis) for name, axis in axes.items()})
    try:
        rule = pl.sql_expr(text)
        dtype = frame.select(rule.alias("rule")).schema["rule"]
    except (pl.exceptions.PolarsError, TypeError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise ParamError("where", text, f"a rule over axes ({reason})") from None
    if dtype != pl.Boolean:
        raise ParamError("where", text, "a comparison, true or false for each row")
    return rule.fill_null(value=False)


def names_in(text: str, axes: Mapping[str, Axis]) -> list[str]:
    """Return the axes that a rule mentions, in order of first mention."""
    return list(dict.fromkeys(token for token in _tokens(text) if token in axes))


def can_hold(text: str, axes: Mapping[str, Axis]) -> bool:
    """Say whether a rule can be true for any values within the ranges of its axes.

    A false answer is proven: by all combinations of values, or, where the rule only compares axes
    with constants, by the constants, their neighbours and the ends of the ranges. What cannot be
    decided so is taken as possible.
    """
    names = names_in(text, axes)
    points = [_all_values(axes[name]) for name in names]
    if any(values is None for values in points) or _too_many(points):
        if not _compares_with_constants_only(text, axes):
            return True
        points = [_telling_values(text, axes[name]) for name in names]
    if any(values is None for values in points) or _too_many(points):
        return True
    combinations = list(product(*(values or () for values in points)))
    frame = pl.DataFrame(
        {name: [row[i] for row in combinations] for i, name in enumerate(names)},
        schema={name: axis_dtype(axes[name]) for name in names},
        orient="row",
    )
    if not names:
        frame = pl.DataFrame({"": [0]})
    held = frame.select(compile_where(text, axes).alias("rule"))["rule"]
    return bool(np.any(held.to_numpy()))


def _check_tokens(text: str, axes: Mapping[str, Axis]) -> None:
    """Refuse every token that a rule may not have."""
    if len(text) > _MAX_LENGTH:
        raise ParamError("where", text[:40] + "...", f"at most {_MAX_LENGTH} characters")
    tokens = _tokens(text)
    nesting = np.cumsum([(token == "(") - (token == ")") for token in tokens] or [0])
    if int(nesting.max()) > _MAX_NESTING or int(nesting.min()) < 0 or int(nesting[-1]) != 0:
        raise ParamError("where", text, f"matching parentheses, at most {_MAX_NESTING} deep")
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        if not (token[0].isalpha() or token[0] == "_") or token.upper() in _WORDS:
            continue
        if following == "(":
            raise ParamError("where", text, f"no functions such as {token}")
        if token not in axes:
            raise UnknownNameError("axis", token, sorted(axes))


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ParamError("where", text, f"a rule over axes, which {text[at]!r} has no place in")
        if not match.group().isspace():
            tokens.append(match.group())
        at = match.end()
    if not tokens:
        raise ParamError("where", text, "a rule over axes")
    return tokens


def _all_values(axis: Axis) -> Sequence[int | str] | None:
    if axis.values:
        return axis.values
    if axis.low is None or axis.high is None:
        return None
    return range(axis.low, axis.high + 1)


def _too_many(points: Sequence[Sequence[int | str] | None]) -> bool:
    return prod(len(values or ()) for values in points) > _MOST_POINTS


def _compares_with_constants_only(text: str, axes: Mapping[str, Axis]) -> bool:
    """Say whether no axis is compared with another one and nothing is calculated."""
    tokens = _tokens(text)
    if any(token in _ARITHMETIC for token in tokens):
        return False
    triples = zip(tokens, tokens[1:], tokens[2:], strict=False)
    return not any(a in axes and op in _COMPARISONS and b in axes for a, op, b in triples)


def _telling_values(text: str, axis: Axis) -> Sequence[int | str] | None:
    """Return values of an axis among which every comparison with a constant changes."""
    if axis.values:
        return axis.values
    if axis.low is None or axis.high is None:
        return None
    constants = [int(float(token)) for token in _tokens(text) if token[0].isdigit()]
    near = {constant + step for constant in constants for step in (-1, 0, 1, 2)}
    inside = {value for value in near if axis.low <= value <= axis.high}
    return sorted(inside | {axis.low, axis.high})
