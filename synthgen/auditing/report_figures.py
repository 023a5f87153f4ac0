"""Figures of a report: plain numbers under stable names, and rules over them.

`figures.schema.json` beside this file is their JSON Schema, and docs/coverage.md explains them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import polars as pl

from synthgen.auditing.blocks import Block
from synthgen.core.errors import ParamError
from synthgen.rules.axes import Axis
from synthgen.rules.language import REAL, compile_where
from synthgen.rules.tokens import KEYWORDS, rule_tokens

Figures = dict[str, Any]
OPTION = "--fail-if"
_VALUE = ".value"
_MAX_MEANT = 3


def merged(blocks: Iterable[Block]) -> Figures:
    """Return the figures of all blocks: key of the side -> nested names -> finite numbers."""
    keys: list[str] = []
    keyed: Figures = {}
    for side, figures in by_side(blocks).items():
        keys.append(_key(side, keys))
        keyed[keys[-1]] = figures
    return keyed


def by_side(blocks: Iterable[Block]) -> Figures:
    """Return the figures of all blocks by the names of their sides, as they are."""
    sides: Figures = {}
    for block in blocks:
        for side, figures in block.figures.items():
            _merge(sides.setdefault(side, {}), figures)
    return sides


def flat(figures: Mapping[str, Any], prefix: str = "") -> dict[str, float]:
    """Return figures by dotted name."""
    flattened: dict[str, float] = {}
    for name, value in figures.items():
        if isinstance(value, Mapping):
            flattened |= flat(value, f"{prefix}{name}.")
        else:
            flattened[f"{prefix}{name}"] = value
    return flattened


def check_syntax(rules: Sequence[str]) -> None:
    """Raise ParamError for a text that cannot be a rule over figures."""
    for rule in rules:
        _compile(rule, dict.fromkeys(_names_in(rule), 0.0))


def broken_rules(figures: Figures, rules: Sequence[str]) -> list[str]:
    """Return a line for each rule that holds, with its figures and their values.

    A figure with a `value` may be named without it: `test.divergence.atom`.

    Raises:
        ParamError: for text that is not a rule, or a figure that the report does not have.
    """
    known = flat(figures)
    known |= {n.removesuffix(_VALUE): v for n, v in known.items() if n.endswith(_VALUE)}
    check_syntax(rules)
    lines = []
    for rule in rules:
        names = list(dict.fromkeys(_names_in(rule)))
        for name in names:
            if name not in known:
                raise ParamError(OPTION, rule, _unknown(name, list(known)))
        values = {name: float(known[name]) for name in names}
        frame = pl.DataFrame({"": [0], **{name: [value] for name, value in values.items()}})
        if bool(frame.select(_compile(rule, values)).item()):
            shown = ", ".join(f"{name} = {value:.6g}" for name, value in values.items())
            lines.append(f"{shown}: fails if {rule}")
    return lines


def _compile(rule: str, names: Iterable[str]) -> pl.Expr:
    try:
        return compile_where(rule, {name: Axis("figure", REAL) for name in names})
    except ParamError as error:
        raise ParamError(OPTION, error.value, error.expected) from None


def _names_in(rule: str) -> list[str]:
    try:
        tokens = rule_tokens(rule)
    except ParamError as error:
        raise ParamError(OPTION, error.value, error.expected) from None
    return [
        token
        for token in tokens
        if (token[0].isalpha() or token[0] == "_") and token.upper() not in KEYWORDS
    ]


def _unknown(name: str, known: Sequence[str]) -> str:
    meant = get_close_matches(name, known, n=_MAX_MEANT, cutoff=0.0)
    return f"a figure, not {name}; did you mean {' or '.join(meant)}? report.json lists all"


def _key(name: str, taken: Iterable[str]) -> str:
    """Return a name that rules can read: letters, digits and underscores."""
    key = re.sub(r"\W", "_", name, flags=re.ASCII)
    key = key if key[:1].isalpha() else f"split_{key}"
    while key in taken:
        key += "_"
    return key


def _merge(into: Figures, figures: Mapping[str, Any]) -> None:
    for name, value in figures.items():
        key = re.sub(r"\W", "_", name, flags=re.ASCII)
        if isinstance(value, Mapping):
            _merge(into.setdefault(key, {}), value)
        elif value is not None and math.isfinite(value):
            into[key] = round(value, 9) if isinstance(value, float) else int(value)
