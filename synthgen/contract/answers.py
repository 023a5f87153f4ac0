"""Typed equality of answers: exact, bounded in time, without evaluating anything.

A prediction is the final answer only. The caller strips everything around it (reasoning, boxes): a
scorer that searches for the answer inside a text also rewards accidental substrings. Verifiers,
`check`, the reward and scores compare values that the same parsers read.

Some types have an argument after a colon: the unit of a number (`decimal:meters`), the type of the
items of a list or set (`list:integer`), the symbol after which the digits of a string are fill
(`until:2`), or the verifier that checks an answer to a prompt (`checked:sokoban`).
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from unicodedata import normalize

from synthgen.contract.numerals import parse_decimal, parse_integer, parse_rational, without_unit
from synthgen.core.errors import UnknownNameError

Parser = Callable[[str], object | None]
"""Reader of a text as a value of an answer type, None for other text; equal values are equal
answers."""


def parse_text(text: str) -> str:
    """Return a text with single spaces."""
    return " ".join(text.split())


def parse_label(text: str) -> str:
    """Return one of the words that a prompt lists, in any case.

    >>> parse_label(" Not  valid") == parse_label("not valid")
    True
    """
    return parse_text(text).casefold()


_TOKENS = re.compile(r"\s*(?:(0|[1-9][0-9]{0,5})|([-+*/()]))", re.ASCII)
_SIGNS = str.maketrans("×·÷−", "**/-")
_COMMANDS = {"\\times": "*", "\\cdot": "*", "\\div": "/", "\\left": "", "\\right": ""}
_DEEPEST = 20
Numbers = tuple[int, ...]


def parse_expression(text: str) -> tuple[Numbers, bool, Fraction] | None:
    """Return the numbers and the value of an expression, or None for other text.

    Numbers without a sign are joined by `+ - * /` and parentheses. The text may go on with `=` and
    the value, and with a semicolon and the numbers that were not used, or `none`.

    Returns:
        All the numbers, rising; whether there is a semicolon; and the exact value.

    >>> parse_expression("8 / (3 - 8/3) = 24")
    ((3, 3, 8, 8), False, Fraction(24, 1))
    >>> parse_expression("3 * 4; 7")
    ((3, 4, 7), True, Fraction(12, 1))
    """
    for command, sign in _COMMANDS.items():
        text = text.replace(command, sign)
    formula, semicolon, rest = text.translate(_SIGNS).partition(";")
    formula, _, stated = formula.partition("=")
    unused = [] if rest.strip() in ("", "none") else rest.split(",")
    if (semicolon and not rest.strip()) or not all(map(_is_natural, unused)):
        return None
    numbers: list[int] = [int(number) for number in unused]
    value = _value_of(formula, numbers)
    if value is None or (stated and parse_rational(stated) != value):
        return None
    return tuple(sorted(numbers)), bool(semicolon), value


def _is_natural(text: str) -> bool:
    match = _TOKENS.fullmatch(text.rstrip())
    return match is not None and match[1] is not None


def _value_of(formula: str, numbers: list[int]) -> Fraction | None:
    """Return the value of an expression, and append its numbers; None if it has none."""
    tokens, at = [], 0
    formula = formula.strip()
    while at < len(formula):
        match = _TOKENS.match(formula, at)
        if match is None:
            return None
        tokens.append(match[1] or match[2])
        at = match.end()
    tokens.reverse()
    numbers += [int(token) for token in tokens if token.isdecimal()]
    try:
        value = _sum(tokens, 0)
    except (ArithmeticError, IndexError, ValueError):
        return None
    return None if tokens else value


def _sum(tokens: list[str], depth: int) -> Fraction:
    """Read a sum from the end of the reversed tokens, and remove it there."""
    value = _product(tokens, depth)
    while tokens and tokens[-1] in "+-":
        sign = 1 if tokens.pop() == "+" else -1
        value += sign * _product(tokens, depth)
    return value


def _product(tokens: list[str], depth: int) -> Fraction:
    value = _factor(tokens, depth)
    while tokens and tokens[-1] in "*/":
        times = tokens.pop() == "*"
        factor = _factor(tokens, depth)
        value = value * factor if times else value / factor
    return value


def _factor(tokens: list[str], depth: int) -> Fraction:
    """Read a number or an expression in parentheses.

    Raises:
        ValueError: for anything else, or too many parentheses.
    """
    token = tokens.pop()
    if token != "(":
        return Fraction(int(token))
    if depth == _DEEPEST:
        raise ValueError(depth)
    value = _sum(tokens, depth + 1)
    if tokens.pop() != ")":
        raise ValueError(token)
    return value


_QUOTED = re.compile(r"""([A-Za-z]{0,2})('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""", re.DOTALL)
_ESCAPE = re.compile(r"""\\([^\n\\'"abfnrtvxNuU0-7])|\\.""", re.DOTALL)


def _plain_escapes(quoted: re.Match[str]) -> str:
    """Double the backslash of escapes that Python does not know: it warns of them."""
    if "r" in quoted[1].lower():
        return quoted[0]
    return quoted[1] + _ESCAPE.sub(lambda one: f"\\{one[0]}" if one[1] else one[0], quoted[2])


def parse_literal(text: str) -> object | None:
    """Return a Python literal as a value with types, or None for other text.

    >>> parse_literal("[1, True]") == parse_literal("[1,True]"), parse_literal("1")
    (True, ('int', 1))
    """
    try:
        return _typed(literal_eval(_QUOTED.sub(_plain_escapes, text.strip())))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _typed(value: object) -> tuple[str, object]:
    """Return a value with the types of its parts, so that `True` is not 1."""
    inside: object = value
    if isinstance(value, list | tuple):
        inside = tuple(map(_typed, value))
    elif isinstance(value, dict):
        inside = frozenset((_typed(key), _typed(item)) for key, item in value.items())
    elif isinstance(value, set):
        inside = frozenset(map(_typed, value))
    return type(value).__name__, inside


_LABEL = r"\s*([A-Za-z0-9]{1,5})\s*"
_CHOICE = re.compile(
    rf"(?:(?:option|choice)\s+)?(?:\({_LABEL}\)|\[{_LABEL}\]|<{_LABEL}>|{_LABEL}[.)]?)"
)


def parse_choice(text: str) -> str | None:
    """Return the label of an option, or None for other text.

    >>> parse_choice("Option (B)"), parse_choice("b."), parse_choice("B) 42")
    ('b', 'b', None)
    """
    match = _CHOICE.fullmatch(normalize("NFKC", text).strip().lower())
    return match[match.lastindex or 0] if match else None


def parse_labels(text: str) -> frozenset[str] | None:
    """Return the labels of several options, or None for other text; no label twice.

    >>> parse_labels("(C), A") == parse_labels("a, c"), parse_labels("A, A"), parse_labels("A or B")
    (True, None, None)
    """
    labels = {parse_choice(part) for part in text.split(",")}
    if None in labels or len(labels) <= text.count(","):
        return None
    return frozenset(label for label in labels if label)


_BRACKETS = (("[", "]"), ("(", ")"), ("{", "}"), (r"\{", r"\}"), (r"\[", r"\]"))
_QUOTES = "'\"`"
_ITEM = re.compile(r"[-−]?(?:0|[1-9][0-9]*)", re.ASCII)


def _parse_item(text: str) -> str | None:
    """Return an integer of a list, whose commas are not those of thousands, or None."""
    return text.replace("−", "-").replace("-0", "0") if _ITEM.fullmatch(text) else None


def parse_list(text: str) -> tuple[object, ...] | None:
    """Return the words of a list as `parse_label` reads them, or None for other text.

    >>> parse_list("[Up,Left]") == parse_list("up, left")
    True
    """
    return _items(text, parse_label)


def _items(text: str, parse: Parser) -> tuple[object, ...] | None:
    """Return the items of a list with or without brackets, or None if one is not of their type."""
    text = text.strip()
    for start, end in _BRACKETS:
        if text.startswith(start) and text.endswith(end) and len(text) >= len(start + end):
            text = text[len(start) : -len(end)].strip()
            break
    values = tuple(parse(_unquoted(item.strip())) for item in text.split(",")) if text else ()
    return None if None in values or "" in values else values


def _unquoted(item: str) -> str:
    quoted = len(item) > 1 and item[0] == item[-1] and item[0] in _QUOTES
    return item[1:-1] if quoted else item


def _set(text: str, parse: Parser) -> frozenset[object] | None:
    """Return the items of a set, or None if it is none or has an item twice."""
    items = _items(text, parse)
    return frozenset(items) if items is not None and len({*items}) == len(items) else None


_DIGITS = frozenset("0123456789")


def _until(text: str, symbol: str) -> list[str] | None:
    """Return the parts of a text up to a symbol, or None without one or if not digits follow."""
    parts = text.split()
    end = parts.index(symbol) + 1 if symbol in parts else 0
    return parts[:end] if end and _DIGITS.issuperset(parts[end:]) else None


PARSERS: dict[str, Parser] = {
    "choice": parse_choice,
    "constraints": parse_text,
    "decimal": parse_decimal,
    "expression": parse_expression,
    "integer": parse_integer,
    "label": parse_label,
    "labels": parse_labels,
    "literal": parse_literal,
    "rational": parse_rational,
    "rubric": parse_text,
    "string": parse_text,
    "text": parse_text,
}
"""Parsers of the types without an argument."""
_NUMBERS = ("decimal", "integer", "rational")
_ITEMS: dict[str, Parser] = {
    "integer": _parse_item,
    "label": parse_label,
    "string": parse_text,
}
"""Parsers of the items of lists and sets."""
ANSWER_TYPES = (*sorted([*PARSERS, "list", "set"]), "checked:VERIFIER", "until:SYMBOL")
"""Types that a row's `answer_type` may name, some with an argument."""
_LONGEST = {"expression": 300, "literal": 1_000}
LONGEST_ANSWER = 10_000
"""Largest length of an answer of most types where the right one is not longer."""


@lru_cache(256)
def parser_of(answer_type: str) -> Parser | None:
    """Return the parser of an answer type, with or without an argument; None for an unknown type.

    >>> parser_of("list:integer")("[3,12, 5]"), parser_of("list:integer")("3,012")
    (('3', '12', '5'), None)
    >>> parser_of("set")("Ann, Bob") == parser_of("set")("{bob,ann}")
    True
    >>> parser_of("decimal:meters")("2.50 m") == parser_of("decimal:meters")("2.5")
    True
    >>> parser_of("until:2")("0 1 2 0 0") == parser_of("until:2")("0 1 2")
    True
    """
    kind, colon, argument = answer_type.partition(":")
    if not colon and kind in PARSERS:
        return PARSERS[kind]
    if kind in _NUMBERS and argument:
        return lambda text: PARSERS[kind](without_unit(text, argument))
    if kind == "until" and argument:
        return lambda text: _until(text, argument)
    if kind == "checked" and argument:
        kind, argument = "list", ""
    item = argument or "label"
    if kind not in ("list", "set") or item not in _ITEMS:
        return None
    items = _items if kind == "list" else _set
    return lambda text: items(text, _ITEMS[item])


def checker_of(answer_type: str) -> str | None:
    """Return the name of the verifier that checks answers of this type, if one does.

    >>> checker_of("checked:sokoban"), checker_of("integer")
    ('sokoban', None)
    """
    kind, _, argument = answer_type.partition(":")
    return argument if kind == "checked" else None


def longest_of(answer: str, answer_type: str) -> int:
    """Return how many characters an answer may have that is compared with a right answer."""
    return max(_LONGEST.get(answer_type, LONGEST_ANSWER), 2 * len(answer))


def grade(prediction: str, answer: str, answer_type: str) -> float:
    """Return 1.0 if the prediction equals the answer in its type, else 0.0.

    Raises:
        UnknownNameError: for an unknown answer type.
    """
    parse = known_parser(answer_type)
    if len(prediction) > longest_of(answer, answer_type):
        return 0.0
    value = parse(prediction)
    return float(value is not None and value == parse(answer))


def known_parser(answer_type: str) -> Parser:
    """Return the parser of an answer type.

    Raises:
        UnknownNameError: for an unknown answer type.
    """
    parse = parser_of(answer_type)
    if parse is None:
        raise UnknownNameError("answer type", answer_type, ANSWER_TYPES)
    return parse
