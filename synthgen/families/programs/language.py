"""The language of programs: typed operations, how they look, and what they do.

A program is a tree. Variables are `v0`, `v1`, ...; a string is `("str", letter, ...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

MOST_VARIABLES, MOST_STATEMENTS, MOST_LINES = 20, 12, 80
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SEPARATORS = ",-"
_LARGEST, _LONGEST, _MOST_ITEMS = 10_000, 30, 8
Value = Any
Tree = Any
"""As `synthgen.authoring.Tree`: integers, names, and tuples of a name and further trees."""
Environment = dict[str, Value]


class Unfit(Exception):  # noqa: N818
    """A value is too large, or an operation has no value."""


class Op(NamedTuple):
    """An operation.

    Attributes:
        result: type of the value.
        arguments: types; `digit`, `few`, `place`, `letter` and `separator` are literals.
        text: with a hole per argument.
        apply: what it does.
        level: how tightly it binds: 1 comparison, 2 sum, 3 product, 4 call.
        needs: least level of each argument without parentheses; by default 0.
    """

    result: str
    arguments: tuple[str, ...]
    text: str
    apply: Callable[..., Value]
    level: int = 4
    needs: tuple[int, ...] = (0, 0, 0)


_FIRST = (4, 0, 0)
OPS: Mapping[str, Op] = {
    "add": Op("int", ("int", "int"), "{} + {}", lambda a, b: a + b, 2, (2, 3)),
    "sub": Op("int", ("int", "int"), "{} - {}", lambda a, b: a - b, 2, (2, 3)),
    "mul": Op("int", ("int", "int"), "{} * {}", lambda a, b: a * b, 3, (3, 4)),
    "div": Op("int", ("int", "digit"), "{} // {}", lambda a, b: a // b, 3, (3, 4)),
    "mod": Op("int", ("int", "digit"), "{} % {}", lambda a, b: a % b, 3, (3, 4)),
    "abs": Op("int", ("int",), "abs({})", abs),
    "min": Op("int", ("int", "int"), "min({}, {})", min),
    "max": Op("int", ("int", "int"), "max({}, {})", max),
    "length": Op("int", ("str",), "len({})", len),
    "size": Op("int", ("ints",), "len({})", len),
    "words": Op("int", ("strs",), "len({})", len),
    "count": Op("int", ("str", "letter"), "{}.count({})", str.count, 4, _FIRST),
    "find": Op("int", ("str", "letter"), "{}.find({})", str.find, 4, _FIRST),
    "sum": Op("int", ("ints",), "sum({})", sum),
    "smallest": Op("int", ("ints",), "min({})", min),
    "largest": Op("int", ("ints",), "max({})", max),
    "item": Op("int", ("ints", "place"), "{}[{}]", lambda xs, i: xs[i], 4, _FIRST),
    "get": Op("int", ("dict", "letter"), "{}.get({}, 0)", lambda d, k: d.get(k, 0), 4, _FIRST),
    "entries": Op("int", ("dict",), "len({})", len),
    "join": Op("str", ("str", "str"), "{} + {}", lambda a, b: a + b, 2, (2, 3)),
    "repeat": Op("str", ("str", "few"), "{} * {}", lambda s, n: s * n, 3, (3, 4)),
    "tail": Op("str", ("str", "few"), "{}[{}:]", lambda s, n: s[n:], 4, _FIRST),
    "head": Op("str", ("str", "few"), "{}[:{}]", lambda s, n: s[:n], 4, _FIRST),
    "backwards": Op("str", ("str",), "{}[::-1]", lambda s: s[::-1], 4, _FIRST),
    "every": Op("str", ("str", "few"), "{}[::{}]", lambda s, n: s[::n], 4, _FIRST),
    "upper": Op("str", ("str",), "{}.upper()", str.upper, 4, _FIRST),
    "title": Op("str", ("str",), "{}.title()", str.title, 4, _FIRST),
    "swapcase": Op("str", ("str",), "{}.swapcase()", str.swapcase, 4, _FIRST),
    "replace": Op("str", ("str", "letter", "letter"), "{}.replace({}, {})", str.replace, 4, _FIRST),
    "letter": Op("str", ("str", "place"), "{}[{}]", lambda s, i: s[i], 4, _FIRST),
    "word": Op("str", ("strs", "place"), "{}[{}]", lambda xs, i: xs[i], 4, _FIRST),
    "joined": Op("str", ("separator", "strs"), "{}.join({})", str.join, 4, _FIRST),
    "written": Op("str", ("int",), "str({})", str),
    "padded": Op("str", ("str", "digit"), "{}.zfill({})", str.zfill, 4, _FIRST),
    "concat": Op("ints", ("ints", "ints"), "{} + {}", lambda a, b: a + b, 2, (2, 3)),
    "pair": Op("ints", ("int", "int"), "[{}, {}]", lambda a, b: [a, b]),
    "rest": Op("ints", ("ints", "few"), "{}[{}:]", lambda xs, n: xs[n:], 4, _FIRST),
    "first": Op("ints", ("ints", "few"), "{}[:{}]", lambda xs, n: xs[:n], 4, _FIRST),
    "reversed": Op("ints", ("ints",), "{}[::-1]", lambda xs: xs[::-1], 4, _FIRST),
    "sorted": Op("ints", ("ints",), "sorted({})", sorted),
    "shifted": Op(
        "ints", ("int", "ints"), "[x + {} for x in {}]", lambda k, xs: [x + k for x in xs], 4, (3,)
    ),
    "scaled": Op(
        "ints", ("int", "ints"), "[x * {} for x in {}]", lambda k, xs: [x * k for x in xs], 4, (4,)
    ),
    "above": Op(
        "ints",
        ("ints", "int"),
        "[x for x in {} if x > {}]",
        lambda xs, k: [x for x in xs if x > k],
        4,
        (2, 2),
    ),
    "lengths": Op("ints", ("strs",), "[len(x) for x in {}]", lambda xs: [len(x) for x in xs]),
    "values": Op("ints", ("dict",), "list({}.values())", lambda d: [*d.values()], 4, _FIRST),
    "split": Op("strs", ("str", "letter"), "{}.split({})", str.split, 4, _FIRST),
    "letters": Op("strs", ("str",), "list({})", list),
    "ordered": Op("strs", ("strs",), "sorted({})", sorted),
    "keys": Op("strs", ("dict",), "sorted({})", sorted),
    "less": Op("bool", ("int", "int"), "{} < {}", lambda a, b: a < b, 1, (2, 2)),
    "more": Op("bool", ("int", "int"), "{} > {}", lambda a, b: a > b, 1, (2, 2)),
    "even": Op("bool", ("int",), "{} % 2 == 0", lambda a: a % 2 == 0, 1, (3,)),
    "inside": Op("bool", ("letter", "str"), "{} in {}", lambda a, s: a in s, 1, (2, 2)),
    "among": Op("bool", ("int", "ints"), "{} in {}", lambda a, xs: a in xs, 1, (2, 2)),
    "range": Op("range", ("int",), "range({})", range),
}
STATEMENTS: Mapping[str, tuple[str, str, tuple[str, ...], Callable[..., Value]]] = {
    "append": ("ints", "{}.append({})", ("int",), list.append),
    "insert": ("ints", "{}.insert({}, {})", ("place", "int"), list.insert),
    "reverse": ("ints", "{}.reverse()", (), list.reverse),
    "sort": ("ints", "{}.sort()", (), list.sort),
    "extend": ("ints", "{}.extend({})", ("ints",), list.extend),
    "push": ("strs", "{}.append({})", ("str",), list.append),
    "set": ("dict", "{}[{}] = {}", ("letter", "int"), dict.__setitem__),
}
"""Changes of a list or dictionary: its type, the text, types of the arguments, what is done."""
SYMBOLS: dict[str, int | tuple[int, int]] = {
    "program": 2,
    "arguments": (1, 3),
    "block": (1, MOST_STATEMENTS + 1),
    "str": (0, _LONGEST),
    "list": (0, _MOST_ITEMS),
    "dict": (0, _MOST_ITEMS),
    "entry": 2,
    "tuple": 2,
    "assign": 2,
    "return": 1,
    "for": 3,
    "while": 2,
    "if": (2, 3),
    **{name: len(op.arguments) for name, op in OPS.items()},
    **{name: 1 + len(arguments) for name, (_, _, arguments, _) in STATEMENTS.items()},
    **{f"v{number}": 0 for number in range(MOST_VARIABLES)},
    **{f"'{letter}": 0 for letter in LETTERS + SEPARATORS},
}


def is_variable(tree: Tree) -> bool:
    """Return whether a tree is a variable."""
    return isinstance(tree, str) and tree[0] == "v"


def variables_of(tree: Tree) -> Iterator[str]:
    """Yield the variables of a tree, from left to right."""
    if isinstance(tree, tuple):
        for part in tree[1:]:
            yield from variables_of(part)
    elif is_variable(tree):
        yield str(tree)


def evaluate(tree: Tree, variables: Environment) -> Value:
    """Return the value of an expression.

    Raises:
        Unfit: if a value is too large, or an operation has none.
    """
    if isinstance(tree, int):
        return tree
    if isinstance(tree, str):
        return variables[tree]
    head, parts = str(tree[0]), tree[1:]
    if head == "str":
        return "".join(str(part)[1:] for part in parts)
    if head == "dict":
        return {evaluate(part[1], variables): part[2] for part in parts}
    values = [evaluate(part, variables) for part in parts]
    if head in ("list", "tuple"):
        return values if head == "list" else tuple(values)
    try:
        return fitting(OPS[head].apply(*values))
    except (IndexError, ValueError) as fault:
        raise Unfit(head) from fault


def fitting(value: Value) -> Value:
    """Return a value.

    Raises:
        Unfit: if it is too large.
    """
    if isinstance(value, int):
        if abs(value) > _LARGEST:
            raise Unfit(value)
    elif len(value) > (_LONGEST if isinstance(value, str) else _MOST_ITEMS):
        raise Unfit(value)
    elif isinstance(value, list):
        for item in value:
            fitting(item)
    return value


class Run:
    """One run of a program, which notes what each line does.

    Args:
        variables: values at the start; they are changed.
        names: shown in the notes; none are made without names.
    """

    def __init__(self, variables: Environment, names: Mapping[str, str] | None = None) -> None:
        self.variables, self._names = variables, names
        self.notes: list[str] = []
        self._steps = 0

    def block(self, statements: Sequence[Tree], line: int) -> int:
        """Run statements, the first of which is at a line, and return the line after the last.

        Raises:
            Unfit: for values that are too large, and runs that are too long.
        """
        for statement in statements:
            self.statement(statement, line)
            line += height(statement)
        return line

    def statement(self, statement: Tree, line: int) -> None:
        """Run a statement that begins at a line."""
        head, *parts = statement
        if head == "assign":
            self._set(line, parts[0], evaluate(parts[1], self.variables))
        elif head == "return":
            self._note(line, evaluate(parts[0], self.variables))
        elif head == "if":
            if self._test(line, parts[0]):
                self.block(parts[1][1:], line + 1)
            elif len(parts) > 2:
                self.block(parts[2][1:], line + 1 + height(parts[1]) + 1)
        elif head == "while":
            while self._test(line, parts[0]):
                self.block(parts[1][1:], line + 1)
        elif head == "for":
            for value in evaluate(parts[1], self.variables):
                self._set(line, parts[0], value)
                self.block(parts[2][1:], line + 1)
        else:
            changed = self.variables[parts[0]]
            STATEMENTS[head][3](changed, *(evaluate(part, self.variables) for part in parts[1:]))
            self._set(line, parts[0], fitting(changed))

    def _test(self, line: int, condition: Tree) -> bool:
        value = bool(evaluate(condition, self.variables))
        self._note(line, value)
        return value

    def _set(self, line: int, variable: str, value: Value) -> None:
        self.variables[variable] = value
        self._note(line, value, f"{self._names[variable]} = " if self._names else "")

    def _note(self, line: int, value: Value, before: str = "") -> None:
        self._steps += 1
        if self._steps > MOST_LINES:
            raise Unfit(line)
        if self._names:
            self.notes.append(f"line {line}: {before}{value!r}")


def height(tree: Tree) -> int:
    """Return the number of lines of a statement or block."""
    if not isinstance(tree, tuple) or tree[0] not in ("block", "if", "for", "while"):
        return 1
    blocks = [part for part in tree if isinstance(part, tuple) and part[0] == "block"]
    if tree[0] == "block":
        return sum(map(height, tree[1:]))
    return 1 + sum(map(height, blocks)) + (len(blocks) == 2)


class Writer:
    """Writes programs as text.

    Args:
        names: of the variables.
        short: whether `a = a + b` is written `a += b`.
    """

    def __init__(self, names: Mapping[str, str], *, short: bool) -> None:
        self._names, self._short = names, short

    def expression(self, tree: Tree, least: int = 0) -> str:
        """Return an expression, in parentheses if it binds less tightly than `least`."""
        if isinstance(tree, int):
            return str(tree) if tree >= 0 or least < 4 else f"({tree})"
        if isinstance(tree, str):
            return self._names[tree]
        head, parts = str(tree[0]), tree[1:]
        if head in ("str", "list", "dict"):
            return repr(evaluate(tree, {}))
        if head == "tuple":
            return f"({', '.join(map(self.expression, parts))})"
        op = OPS[head]
        needs = (*op.needs, 0, 0)
        shown = [self.expression(part, least) for part, least in zip(parts, needs, strict=False)]
        text = op.text.format(*shown)
        return f"({text})" if op.level < least else text

    def lines(self, statement: Tree, indent: str = "    ") -> Iterator[str]:
        """Yield the lines of a statement or block."""
        head, *parts = statement
        deeper = indent + "    "
        if head == "block":
            for part in parts:
                yield from self.lines(part, indent)
        elif head in ("if", "while"):
            yield f"{indent}{head} {self.expression(parts[0])}:"
            yield from self.lines(parts[1], deeper)
            if len(parts) > 2:
                yield f"{indent}else:"
                yield from self.lines(parts[2], deeper)
        elif head == "for":
            yield f"{indent}for {self._names[parts[0]]} in {self.expression(parts[1])}:"
            yield from self.lines(parts[2], deeper)
        elif head == "return":
            yield f"{indent}return {self.expression(parts[0])}"
        elif head == "assign":
            yield indent + self._assignment(*parts)
        else:
            yield indent + STATEMENTS[head][1].format(*map(self.expression, parts))

    def _assignment(self, variable: str, value: Tree) -> str:
        name = self._names[variable]
        if self._short and isinstance(value, tuple) and value[1] == variable:
            sign = _SIGNS.get(str(value[0]))
            if sign:
                return f"{name} {sign}= {self.expression(value[2])}"
        return f"{name} = {self.expression(value)}"


_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "//", "mod": "%", "join": "+"}
