"""Tokens of a rule, bounded in length, number and nesting."""

from __future__ import annotations

import re
from collections.abc import Mapping

from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.rules.axes import Axis

_TOKEN = re.compile(
    r"\s+|'(?:[^']|'')*'|\d+(?:\.\d+)?|[A-Za-z_]\w*(?:\.\w+)*|--|/\*|<=|>=|<>|!=|[=<>()+\-*/%,]",
    re.ASCII,
)
KEYWORDS = {"AND", "OR", "NOT", "IN", "BETWEEN", "IS", "NULL", "TRUE", "FALSE", "LIKE"}
_MAX_LENGTH = 10_000
_MAX_TOKENS = 1_000
_MAX_NESTING = 40


def rule_tokens(text: str) -> list[str]:
    """Split a rule into tokens; raise ParamError for characters that rules do not allow."""
    if len(text) > _MAX_LENGTH:
        raise ParamError("where", text[:40] + "...", f"at most {_MAX_LENGTH} characters")
    tokens: list[str] = []
    at = nesting = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.group() in ("--", "/*"):
            sign = match.group() if match else text[at]
            raise ParamError("where", text, f"a rule over axes, without {sign!r}")
        if not match.group().isspace():
            tokens.append(match.group())
            nesting += (tokens[-1] == "(") - (tokens[-1] == ")")
            if not 0 <= nesting <= _MAX_NESTING:
                break
        at = match.end()
    if nesting != 0:
        raise ParamError("where", text, f"matching parentheses, at most {_MAX_NESTING} deep")
    if not 0 < len(tokens) <= _MAX_TOKENS:
        raise ParamError("where", text, f"a rule over axes of at most {_MAX_TOKENS} words")
    return tokens


def check_names(text: str, tokens: list[str], axes: Mapping[str, Axis]) -> None:
    """Raise UnknownNameError for a name that is not an axis, and ParamError for a function."""
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        if not (token[0].isalpha() or token[0] == "_") or token.upper() in KEYWORDS:
            continue
        if following == "(":
            raise ParamError("where", text, f"no functions such as {token}")
        if token not in axes:
            raise UnknownNameError("axis", token, sorted(axes))
