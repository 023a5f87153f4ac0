"""The language of programs: typed operations, their text and their effects.

A program is a tree. Variables are `v0`, `v1`, ..., letters `'a`, `'b`, ...; a string is
`("str", letter, ...)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

MAX_STATEMENTS, MAX_LINES = 12, 80
VARIABLES = tuple(f"v{number}" for number in range(20))
LETTERS = tuple(f"'{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")
SEPARATORS = ("',", "'-")
_LARGEST, _LONGEST, _MAX_ITEMS = 10_000, 30, 8
Value = Any
Tree = Any
"""As `synthgen.authoring.Tree`: integers, names, and tuples of a name and further trees."""
Environment = dict[str, Value]


class Unfit(Exception):  # noqa: N818
    """A value is too large, an operation has no value, or nothing of the kind can be drawn."""


class Op(NamedTuple):
    """An operation, or a change of a list or dictionary.

    Attributes:
        result: Type of the value; "change" for a statement, which has none.
        arguments: Types of the arguments; `digit`, `few`, `place`, `letter` and `separator` are
            literals.
        text: Text with a hole per argument.
        needs: Lowest level of each argument that needs no parentheses.
        apply: Function that computes it.
        level: Precedence: 1 comparison, 2 sum, 3 product, 4 call.
    """

    result: str
    arguments: tuple[str, ...]
    text: str
    needs: tuple[int, ...]
    apply: Callable[..., Value]
    level: int


def _op(result: str, arguments: str, text: str, apply: Callable[..., Value], level: int = 4) -> Op:
    """Return an operation from a text whose holes are the levels that the arguments need."""
    needs = tuple(map(int, re.findall(r"\{(\d)\}", text)))
    return Op(result, tuple(arguments.split()), re.sub(r"\d(?=\})", "", text), needs, apply, level)


OPS: Mapping[str, Op] = {
    "add": _op("int", "int int", "{2} + {3}", lambda a, b: a + b, 2),
    "sub": _op("int", "int int", "{2} - {3}", lambda a, b: a - b, 2),
    "mul": _op("int", "int int", "{3} * {4}", lambda a, b: a * b, 3),
    "div": _op("int", "int digit", "{3} // {4}", lambda a, b: a // b, 3),
    "mod": _op("int", "int digit", "{3} % {4}", lambda a, b: a % b, 3),
    "abs": _op("int", "int", "abs({0})", abs),
    "min": _op("int", "int int", "min({0}, {0})", min),
    "max": _op("int", "int int", "max({0}, {0})", max),
    "length": _op("int", "str", "len({0})", len),
    "size": _op("int", "ints", "len({0})", len),
    "words": _op("int", "strs", "len({0})", len),
    "count": _op("int", "str letter", "{4}.count({0})", str.count),
    "find": _op("int", "str letter", "{4}.find({0})", str.find),
    "sum": _op("int", "ints", "sum({0})", sum),
    "smallest": _op("int", "ints", "min({0})", min),
    "largest": _op("int", "ints", "max({0})", max),
    "item": _op("int", "ints place", "{4}[{0}]", lambda xs, i: xs[i]),
    "get": _op("int", "dict letter", "{4}.get({0}, 0)", lambda d, k: d.get(k, 0)),
    "entries": _op("int", "dict", "len({0})", len),
    "join": _op("str", "str str", "{2} + {3}", lambda a, b: a + b, 2),
    "repeat": _op("str", "str few", "{3} * {4}", lambda s, n: s * n, 3),
    "tail": _op("str", "str few", "{4}[{0}:]", lambda s, n: s[n:]),
    "head": _op("str", "str few", "{4}[:{0}]", lambda s, n: s[:n]),
    "backwards": _op("str", "str", "{4}[::-1]", lambda s: s[::-1]),
    "every": _op("str", "str few", "{4}[::{0}]", lambda s, n: s[::n]),
    "upper": _op("str", "str", "{4}.upper()", str.upper),
    "title": _op("str", "str", "{4}.title()", str.title),
    "swapcase": _op("str", "str", "{4}.swapcase()", str.swapcase),
    "replace": _op("str", "str letter letter", "{4}.replace({0}, {0})", str.replace),
    "letter": _op("str", "str place", "{4}[{0}]", lambda s, i: s[i]),
    "word": _op("str", "strs place", "{4}[{0}]", lambda xs, i: xs[i]),
    "joined": _op("str", "separator strs", "{4}.join({0})", str.join),
    "written": _op("str", "int", "str({0})", str),
    "padded": _op("str", "str digit", "{4}.zfill({0})", str.zfill),
    "concat": _op("ints", "ints ints", "{2} + {3}", lambda a, b: a + b, 2),
    "pair": _op("ints", "int int", "[{0}, {0}]", lambda a, b: [a, b]),
    "rest": _op("ints", "ints few", "{4}[{0}:]", lambda xs, n: xs[n:]),
    "first": _op("ints", "ints few", "{4}[:{0}]", lambda xs, n: xs[:n]),
    "reversed": _op("ints", "ints", "{4}[::-1]", lambda xs: xs[::-1]),
    "sorted": _op("ints", "ints", "sorted({0})", sorted),
    "shifted": _op("ints", "int ints", "[x + {3} for x in {0}]", lambda k, xs: [x + k for x in xs]),
    "scaled": _op("ints", "int ints", "[x * {4} for x in {0}]", lambda k, xs: [x * k for x in xs]),
    "above": _op(
        "ints", "ints int", "[x for x in {2} if x > {2}]", lambda xs, k: [x for x in xs if x > k]
    ),
    "lengths": _op("ints", "strs", "[len(x) for x in {0}]", lambda xs: [len(x) for x in xs]),
    "values": _op("ints", "dict", "list({4}.values())", lambda d: [*d.values()]),
    "split": _op("strs", "str letter", "{4}.split({0})", str.split),
    "letters": _op("strs", "str", "list({0})", list),
    "ordered": _op("strs", "strs", "sorted({0})", sorted),
    "keys": _op("strs", "dict", "sorted({0})", sorted),
    "less": _op("bool", "int int", "{2} < {2}", lambda a, b: a < b, 1),
    "more": _op("bool", "int int", "{2} > {2}", lambda a, b: a > b, 1),
    "even": _op("bool", "int", "{3} % 2 == 0", lambda a: a % 2 == 0, 1),
    "inside": _op("bool", "letter str", "{2} in {2}", lambda a, s: a in s, 1),
    "among": _op("bool", "int ints", "{2} in {2}", lambda a, xs: a in xs, 1),
    "range": _op("range", "int", "range({0})", range),
    "tuple": _op("tuple", "any any", "({0}, {0})", lambda a, b: (a, b)),
    "append": _op("change", "ints int", "{4}.append({0})", list.append),
    "insert": _op("change", "ints place int", "{4}.insert({0}, {0})", list.insert),
    "reverse": _op("change", "ints", "{4}.reverse()", list.reverse),
    "sort": _op("change", "ints", "{4}.sort()", list.sort),
    "extend": _op("change", "ints ints", "{4}.extend({0})", list.extend),
    "push": _op("change", "strs str", "{4}.append({0})", list.append),
    "set": _op("change", "dict letter int", "{4}[{0}] = {0}", dict.__setitem__),
}
SYMBOLS: dict[str, int | tuple[int, int]] = {
    "program": 2,
    "arguments": (1, 3),
    "block": (1, MAX_STATEMENTS + 1),
    "str": (0, _LONGEST),
    "list": (0, _MAX_ITEMS),
    "dict": (0, _MAX_ITEMS),
    "entry": 2,
    "assign": 2,
    "return": 1,
    "for": 3,
    "while": 2,
    "if": (2, 3),
    **{name: len(op.arguments) for name, op in OPS.items()},
    **dict.fromkeys((*VARIABLES, *LETTERS, *SEPARATORS), 0),
}


def variables_of(tree: Tree) -> set[str]:
    """Return the variables of a tree."""
    parts = [tree]
    for part in parts:
        if isinstance(part, tuple):
            parts += part[1:]
    return {part for part in parts if isinstance(part, str) and part[0] == "v"}


def blocks_of(statement: Tree) -> list[Tree]:
    """Return the blocks of a statement."""
    if statement[0] not in ("if", "for", "while"):
        return []
    return [part for part in statement[2:] if isinstance(part, tuple) and part[0] == "block"]


def height(statement: Tree, closing: int = 0) -> int:
    """Return the number of lines of a statement, with those that close its blocks."""
    blocks = blocks_of(statement)
    if not blocks:
        return 1
    return closing + sum([1 + sum([height(s, closing) for s in block[1:]]) for block in blocks])


class Form(NamedTuple):
    """What all programs of some syntaxes have in common.

    Attributes:
        ops: Operations.
        names: Their names.
        closing: Lines that close the blocks of a statement.
        shown: Function that writes a value.
    """

    ops: Mapping[str, Op]
    names: tuple[str, ...]
    closing: int
    shown: Callable[[Value], str]


PYTHON = Form(OPS, (*OPS,), 0, repr)


def evaluate(tree: Tree, variables: Environment, ops: Mapping[str, Op] = OPS) -> Value:
    """Return the value of an expression.

    Raises:
        Unfit: If a value is too large, or an operation has no value.
    """
    if isinstance(tree, str):
        return variables[tree]
    if isinstance(tree, int):
        return tree
    head, *parts = tree
    if head == "str":
        return "".join([part[1] for part in parts])
    if head == "dict":
        return {evaluate(key, variables): value for _, key, value in parts}
    values = [evaluate(part, variables, ops) for part in parts]
    if head == "list":
        return values
    try:
        return fitting(ops[head].apply(*values))
    except (IndexError, ValueError) as fault:
        raise Unfit(head) from fault


def fitting(value: Value) -> Value:
    """Return the value unchanged.

    Raises:
        Unfit: If it is too large.
    """
    if isinstance(value, int):
        if abs(value) > _LARGEST:
            raise Unfit(value)
    elif len(value) > (_LONGEST if isinstance(value, str) else _MAX_ITEMS):
        raise Unfit(value)
    elif isinstance(value, list):
        for item in value:
            fitting(item)
    return value


class Run:
    """One run of statements, with a trace of its lines.

    Args:
        variables: Values at the start; the run changes them.
        names: Names of the variables in the notes.
        form: Operations, and how lines and values are written.
    """

    def __init__(
        self, variables: Environment, names: Mapping[str, str], form: Form = PYTHON
    ) -> None:
        self.variables, self._names, self._form = variables, names, form
        self.notes: list[str] = []

    def block(self, statements: Sequence[Tree], line: int) -> None:
        """Run statements, the first of which is at a line.

        Raises:
            Unfit: For values that are too large, and runs that are too long.
        """
        for statement in statements:
            self.statement(statement, line)
            line += height(statement, self._form.closing)

    def statement(self, statement: Tree, line: int) -> None:
        """Run a statement that begins at a line."""
        head, *parts = statement
        if head == "assign":
            self._set(line, parts[0], self._value(parts[1]))
        elif head == "return":
            self._note(line, self._value(parts[0]))
        elif head == "if":
            if self._test(line, parts[0]):
                self.block(parts[1][1:], line + 1)
            elif len(parts) > 2:
                closing = self._form.closing
                before = height(("if", *parts[:2]), closing) - closing
                self.block(parts[2][1:], line + before + 1)
        elif head == "while":
            while self._test(line, parts[0]):
                self.block(parts[1][1:], line + 1)
        elif head == "for":
            for value in self._value(parts[1]):
                self._set(line, parts[0], value)
                self.block(parts[2][1:], line + 1)
        else:
            changed, *values = [self._value(part) for part in parts]
            OPS[head].apply(changed, *values)
            self._set(line, parts[0], fitting(changed))

    def _value(self, tree: Tree) -> Value:
        return evaluate(tree, self.variables, self._form.ops)

    def _test(self, line: int, condition: Tree) -> bool:
        value = bool(self._value(condition))
        self._note(line, value)
        return value

    def _set(self, line: int, variable: str, value: Value) -> None:
        self.variables[variable] = value
        self._note(line, value, f"{self._names[variable]} = ")

    def _note(self, line: int, value: Value, before: str = "") -> None:
        if len(self.notes) == MAX_LINES:
            raise Unfit(line)
        self.notes.append(f"line {line}: {before}{self._form.shown(value)}")


class Writer:
    """Writes programs as text.

    Args:
        names: Names of the variables.
        short: Whether `a = a + b` is written `a += b`.
    """

    def __init__(self, names: Mapping[str, str], *, short: bool) -> None:
        self._names, self._short = names, short

    def expression(self, tree: Tree, level: int = 0) -> str:
        """Return an expression, in parentheses if it binds less tightly than `level`."""
        if isinstance(tree, str):
            return self._names[tree]
        if isinstance(tree, int):
            return str(tree) if tree >= 0 or level < 4 else f"({tree})"
        head, *parts = tree
        op = OPS.get(head)
        if op is None:
            return repr(evaluate(tree, {}))
        text = op.text.format(*map(self.expression, parts, op.needs))
        return f"({text})" if op.level < level else text

    def lines(self, statements: Sequence[Tree], indent: str = "    ") -> Iterator[str]:
        """Yield the lines of statements."""
        for statement in statements:
            yield indent + self._first_line(*statement)
            for place, block in enumerate(blocks_of(statement)):
                if place:
                    yield f"{indent}else:"
                yield from self.lines(block[1:], indent + "    ")

    def _first_line(self, head: str, *parts: Tree) -> str:
        if head in ("if", "while"):
            return f"{head} {self.expression(parts[0])}:"
        if head == "for":
            return f"for {self._names[parts[0]]} in {self.expression(parts[1])}:"
        if head == "return":
            return f"return {self.expression(parts[0])}"
        if head == "assign":
            return self._assignment(*parts)
        return self.expression((head, *parts))

    def _assignment(self, variable: str, value: Tree) -> str:
        name = self._names[variable]
        if self._short and isinstance(value, tuple) and value[1] == variable:
            op = OPS[value[0]]
            if op.level in (2, 3) and op.result != "ints":  # `+=` changes a list in place
                sign = op.text.split()[1]
                return f"{name} {sign}= {self.expression(value[2])}"
        return f"{name} = {self.expression(value)}"
