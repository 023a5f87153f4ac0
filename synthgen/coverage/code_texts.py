"""Code in the manner of Python as trees, read by its tokens, indentation and brackets.

A tree is `(code ...)` of statements. The symbol of a statement is its first keyword, or the sign of
its assignment, or `do`; its arguments are its tokens, and last a `(body ...)` of the lines indented
below it. Brackets after a name are `(name ...)`, or `(index name ...)` if square; other brackets
are `(group ...)`, `(list ...)` and `(braces ...)`. A string is `#` and a hash. Comments, commas,
colons and semicolons are left out. Nothing is compiled or run, and unknown signs are tokens.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from keyword import kwlist, softkwlist

from synthgen.trees.structures import MAX_ARGUMENTS

MAX_CHARACTERS = 10_000
"""A longer text is not read as code."""
MAX_NESTED = 60
"""Neither is one with more brackets and blocks inside each other."""

_TOKENS = re.compile(
    r"(?P<gap>[^\S\n]+|\\\n|\#[^\n]*)"
    r"|(?P<line>\n)"
    r"|(?P<string>[rbfuRBFU]{0,2}(?:\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'))"
    r"|(?P<number>\d[\w.]*)"
    r"|(?P<name>\w+)"
    r"|(?P<open>[(\[{])"
    r"|(?P<close>[)\]}])"
    r"|(?P<separator>[,:;](?!=))"
    r"|(?P<sign>\*\*=?|//=?|<<=?|>>=?|->|:=|[-+*/%@&|^<>=!]=?|[^\s])"
)
_FENCED = re.compile(r"```[^\n]*\n(.*?)```", re.DOTALL)
_CLOSES = {"(": ")", "[": "]", "{": "}"}
_PLAIN = {"(": "group", "[": "list", "{": "braces"}
_ASSIGNS = re.compile(r"(?:[-+*/%@&|^]|\*\*|//|<<|>>)?=|:=")
_KEYWORDS = frozenset(kwlist) - {"True", "False", "None", "not", "lambda"} | {*softkwlist} - {"_"}
_TAB = 8

_Token = tuple[str, str]
_Tree = list["str | _Tree"]
"""A symbol, then its arguments."""


def code_in(text: str) -> str:
    """Return the fenced blocks of a text, or the whole text without any."""
    return "\n".join(_FENCED.findall(text)) or text


def tree_of(code: str) -> str | None:
    """Return the tree of some code as text; None if it cannot be read within the limits."""
    if len(code) > MAX_CHARACTERS:
        return None
    try:
        tree = _statements(code)
        return _written(tree, 0) if len(tree) > 1 else None
    except _NotCodeError:
        return None


class _NotCodeError(Exception):
    """The text is not code."""


def _statements(code: str) -> _Tree:
    """Return all statements, those of indented lines inside of the one above them."""
    root: _Tree = ["code"]
    blocks = [(0, root)]
    latest = root
    for indent, tokens in _lines(code.expandtabs(_TAB)):
        while len(blocks) > 1 and indent < blocks[-1][0]:
            blocks.pop()
        block = blocks[-1][1]
        if indent > blocks[-1][0] and len(block) > 1:
            block = ["body"]
            latest.append(block)
            blocks.append((indent, block))
        latest = _statement(tokens)
        block.append(latest)
        if len(blocks) > MAX_NESTED:
            raise _NotCodeError
    return root


def _lines(code: str) -> Iterator[tuple[int, list[_Token]]]:
    """Yield indentation and tokens of each line; brackets continue a line."""
    tokens: list[_Token] = []
    depth = indent = column = 0
    for match in _TOKENS.finditer(f"{code}\n"):
        kind, text = str(match.lastgroup), match.group()
        if kind == "line":
            column = match.end()
            if tokens and depth == 0:
                yield indent, tokens
                tokens = []
        elif kind not in ("gap", "separator"):
            if not tokens:
                indent = match.start() - column
            depth += (kind == "open") - (kind == "close")
            tokens.append((kind, text))
    if tokens:
        raise _NotCodeError


def _statement(tokens: list[_Token]) -> _Tree:
    items = _nested(tokens)
    first = items[0]
    if isinstance(first, str) and first in _KEYWORDS:
        return items
    sign = next((x for x in items if isinstance(x, str) and _ASSIGNS.fullmatch(x)), None)
    if sign is None:
        return ["do", *items]
    items.remove(sign)
    return [sign, *items]


def _nested(tokens: list[_Token]) -> _Tree:
    """Return the tokens of a line, with those in brackets inside of a node."""
    stack: list[tuple[str, _Tree]] = [("", [])]
    for kind, text in tokens:
        items = stack[-1][1]
        if kind == "open":
            before = items[-1] if items else ""
            is_name = isinstance(before, str) and before.isidentifier() and before not in _KEYWORDS
            node: _Tree = [_PLAIN[text]]
            if text == "(" and is_name:
                node = [items.pop()]
            elif text == "[" and (is_name or isinstance(before, list)):
                node = ["index", items.pop()]
            items.append(node)
            stack.append((_CLOSES[text], node))
        elif kind == "close":
            if stack.pop()[0] != text:
                raise _NotCodeError
        else:
            hashed = hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
            items.append(f"#{hashed}" if kind == "string" else text)
        if len(stack) > MAX_NESTED:
            raise _NotCodeError
    if len(stack) > 1:
        raise _NotCodeError
    return stack[0][1]


def _written(tree: _Tree, depth: int) -> str:
    if depth > 2 * MAX_NESTED or len(tree) > MAX_ARGUMENTS:
        raise _NotCodeError
    parts = [x if isinstance(x, str) else _written(x, depth + 1) for x in tree]
    return f"({' '.join(parts)})" if len(parts) > 1 else parts[0]
