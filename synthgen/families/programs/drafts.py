"""Programs to predict the output of: statements are drawn by type, and run while they are drawn.

An operation on a variable is drawn among those that lead from its type to the wanted one. A
statement whose run fails, or makes too large a value, is drawn again. The dependencies of every
variable are recorded, so that the value returned needs every argument and enough statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, TypeVar

from synthgen.authoring import RowDraws
from synthgen.families.programs.language import (
    MAX_LINES,
    OPS,
    PYTHON,
    SEPARATORS,
    VARIABLES,
    Environment,
    Form,
    Run,
    Tree,
    Unfit,
    blocks_of,
    evaluate,
    height,
    variables_of,
)

ARGUMENTS = ("str", "str", "str", "ints", "ints", "int", "int", "dict", "strs")
_COMPUTED = ("int", "int", "str", "str", "ints", "ints", "strs")
_CHANGES = {
    kind: [name for name, op in OPS.items() if (op.result, op.arguments[0]) == ("change", kind)]
    for kind in ("ints", "strs", "dict")
}
ELEMENTS = {"str": "str", "ints": "int", "strs": "str"}
_INTEGERS = {"int": (1, 10), "digit": (2, 10), "few": (2, 4), "place": (-1, 3)}
"""Bounds of literals."""
_TRIES = 8
T = TypeVar("T")


@cache
def _uses_of(names: tuple[str, ...], kind: str, of: str, depth: int) -> list[tuple[str, int]]:
    """Return operations with results of a type, and the argument that can use a variable's type."""
    return [
        (name, place)
        for name in names
        if OPS[name].result == kind
        for place, argument in enumerate(OPS[name].arguments)
        if argument == of or (depth > 1 and _uses_of(names, argument, of, depth - 1))
    ]


@dataclass
class Draft:
    """A program that is being drawn; methods raise `Unfit` where nothing fits.

    Attributes:
        draws: Draws of the row.
        control: Control statements that may occur.
        names: Names of the variables in the text.
        letters: Letters of its strings.
        kinds: Type of each variable that has a value.
        values: Value of each variable after the statements so far.
        read: Variables that statements read.
        needs: Arguments and numbers of statements that each variable depends on.
        arguments, statements: Arguments and statements so far.
        notes: Lines of the trace.
        line: Line of the next statement.
        aliased: Whether a list with two names has changed.
        made: Number of variables so far.
        form: Operations, and how lines and values are written.
    """

    draws: RowDraws
    control: tuple[str, ...]
    names: Mapping[str, str]
    letters: Sequence[str]
    kinds: dict[str, str] = field(default_factory=dict)
    values: Environment = field(default_factory=dict)
    needs: dict[str, frozenset[str | int]] = field(default_factory=dict)
    arguments: list[Tree] = field(default_factory=list)
    statements: list[Tree] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    line: int = 2
    aliased: bool = False
    made: int = 0
    form: Form = PYTHON

    argument_kinds: ClassVar[Sequence[str]] = ARGUMENTS
    """Types of arguments, repeated in proportion to their probability."""

    # expressions

    def uses(self, kind: str, of: str, depth: int) -> list[tuple[str, int]]:
        """Return operations with results of a type, and the argument that can use a variable."""
        return _uses_of(self.form.names, kind, of, depth)

    def literal(self, kind: str) -> Tree:
        """Draw a literal of a type."""
        draws = self.draws
        if kind in _INTEGERS:
            return draws.integer(*_INTEGERS[kind])
        if kind == "separator":
            return ("str", draws.choice(SEPARATORS))
        if kind == "letter":
            return ("str", draws.choice(self.letters))
        if kind == "dict":
            keys = draws.sample(self.letters, draws.integer(2, 4))
            return ("dict", *(("entry", ("str", key), draws.integer(1, 10)) for key in keys))
        n = draws.integer(2, 5)
        if kind == "str":
            return ("str", *(draws.choice(self.letters) for _ in range(n)))
        return ("list", *(self.literal(ELEMENTS[kind]) for _ in range(n)))

    def operand(self, kind: str, depth: int) -> Tree:
        """Draw a literal, a variable, or an operation of at most a depth."""
        live = [name for name, of in self.kinds.items() if of == kind]
        at = self.draws.integer(0, 4) if live else 0
        if at > min(depth, 1):
            return self.draws.choice(live)
        return self.operation(kind, self.draws.choice(live), depth) if at else self.literal(kind)

    def operation(self, kind: str, variable: str, depth: int) -> Tree:
        """Draw an operation of a type on a variable, of at most a depth."""
        of = self.kinds[variable]
        name, place = self.one_of(self.uses(kind, of, depth))
        kinds = OPS[name].arguments
        parts = [
            () if at == place else self.operand(part_kind, depth - 1)
            for at, part_kind in enumerate(kinds)
        ]
        deeper = depth > 1 and self.uses(kinds[place], of, depth - 1)
        if kinds[place] == of and not (deeper and self.draws.integer(0, 2)):
            parts[place] = variable
        else:
            parts[place] = self.operation(kinds[place], variable, depth - 1)
        if len(parts) == 2 and parts[0] == parts[1]:
            parts[1 - place] = self.literal(kinds[1 - place])
        return (name, *parts)

    def about(self, kind: str, variable: str = "") -> Tree:
        """Draw an operation of a type on a variable, or on any."""
        depth = self.draws.integer(1, 3)
        if not variable:
            live = [name for name, of in self.kinds.items() if self.uses(kind, of, 2)]
            unread = [name for name in live if name not in self.read]
            variable = self.one_of(unread if unread and self.draws.integer(0, 4) else live)
        shallow = self.uses(kind, self.kinds[variable], 1)
        return self.operation(kind, variable, depth if shallow else 2)

    def variable(self, kinds: Iterable[str], *avoid: Tree) -> str:
        """Draw a variable of one of some types."""
        live = self.kinds.items()
        return self.one_of([name for name, of in live if of in kinds and name not in avoid])

    def one_of(self, items: Sequence[T]) -> T:
        """Draw one of the items, of which there may be none."""
        if not items:
            raise Unfit("choice")
        return self.draws.choice(items)

    def new(self, kind: str) -> str:
        """Return a new variable of a type."""
        name = VARIABLES[self.made]
        self.made += 1
        self.kinds[name] = kind
        return name

    # statements

    def assignment(self) -> Tree:
        """Draw an assignment to a new variable, or to one of the same type."""
        kind = self.draws.choice(_COMPUTED)
        value = self.about(kind)
        live = [name for name, of in self.kinds.items() if of == kind]
        old = live and self.draws.integer(0, 3) == 0
        return ("assign", self.draws.choice(live) if old else self.new(kind), value)

    def change(self, *avoid: Tree) -> Tree:
        """Draw a change of a list or dictionary."""
        variable = self.variable(_CHANGES, *avoid)
        name = self.draws.choice(_CHANGES[self.kinds[variable]])
        return (
            name,
            variable,
            *(self.operand(argument, 1) for argument in OPS[name].arguments[1:]),
        )

    def alias(self) -> Tree:
        """Draw a second name for a list."""
        variable = self.variable(("ints", "strs"))
        return ("assign", self.new(self.kinds[variable]), variable)

    def update(self, use: str, *avoid: Tree) -> Tree:
        """Draw an assignment to a variable that has a value, or a change of a list."""
        if self.draws.integer(0, 4) == 0:
            return self.change(*avoid)
        target = self.variable(("int", "str", "ints"), use, *avoid)
        value = self.about(self.kinds[target], use if self.draws.integer(0, 2) else target)
        return ("assign", target, value)

    def branch(self, use: str = "") -> Tree:
        """Draw an `if`, with or without `else`."""
        condition = self.about("bool", use)
        blocks = [("block", self.update("", use)) for _ in range(self.draws.integer(1, 3))]
        return ("if", condition, *blocks)

    def over(self) -> tuple[Tree, str]:
        """Draw what a `for` goes over, and the type of its variable."""
        if self.draws.integer(0, 3):
            variable = self.variable(ELEMENTS)
            return variable, ELEMENTS[self.kinds[variable]]
        limit = self.literal("few") if self.draws.integer(0, 2) else self.about("int")
        return ("range", limit), "int"

    def loop(self) -> Tree:
        """Draw a `for` over a variable or a range."""
        over, kind = self.over()
        variable = self.new(kind)
        inner = [self.update(variable, over)]
        if self.draws.integer(0, 2):
            nested = "if" in self.control and self.draws.integer(0, 2)
            inner.append(self.branch(variable) if nested else self.update("", variable))
        if variable not in variables_of(("block", *inner)):
            raise Unfit(variable)
        del self.kinds[variable]  # it may have no value afterwards
        return ("for", variable, over, ("block", *self.draws.shuffled(inner)))

    def counting(self) -> Tree:
        """Draw a `while` that makes a number smaller."""
        variable = self.variable(("int",))
        limit = self.draws.integer(0, 5)
        if not limit < self.values[variable] < 200:
            raise Unfit(variable)
        sign = "sub" if self.values[variable] < 30 else "div"
        smaller = ("assign", variable, (sign, variable, self.draws.integer(2, 6)))
        inner = self.draws.shuffled([smaller, self.update("", variable)])
        return ("while", ("more", variable, limit), ("block", *inner))

    def argument(self) -> None:
        """Draw an argument of the function, and its value."""
        name = self.new(self.draws.choice(self.argument_kinds))
        self.arguments.append(self.literal(self.kinds[name]))
        self.values[name] = evaluate(self.arguments[-1], {})
        self.needs[name] = frozenset({name})

    def add(self) -> None:
        """Draw the next statement, and run it."""
        control = {"if": self.branch, "for": self.loop, "while": self.counting}
        for _ in range(_TRIES):
            kinds, made = dict(self.kinds), self.made
            at = self.draws.integer(0, 100)
            draw: Callable[[], Tree] = self.assignment
            if self.control and at < 33:
                draw = control[self.draws.choice(self.control)]
            elif at < 50:
                draw = self.alias if at < 38 else self.change
            try:
                self.run(draw())
            except Unfit:
                self.kinds, self.made = kinds, made
            else:
                return
        raise Unfit("statement")

    def run(self, statement: Tree) -> None:
        """Add a statement; update the values and the dependencies of its variables."""
        plain = statement[0] in ("assign", "return")
        run = Run(dict(self.values) if plain else _copied(self.values), self.names, self.form)
        run.statement(statement, self.line)
        if len(self.notes) + len(run.notes) > MAX_LINES:
            raise Unfit(self.line)
        read = variables_of(statement[2] if statement[0] == "assign" else statement)
        if statement[0] == "assign" and isinstance(statement[2], tuple):
            value = run.variables[statement[1]]
            if value in ("", [], *(self.values[name] for name in read)):
                raise Unfit(value)
        self.read |= read
        self.follow(statement, read, run.variables)
        self.values = run.variables
        self.statements.append(statement)
        self.notes += run.notes
        self.line += height(statement, self.form.closing)

    def follow(self, statement: Tree, read: set[str], values: Environment) -> None:
        """Update the dependencies of variables, and whether a list with two names has changed."""
        known = [self.needs[name] for name in read if name in self.needs]
        needed = frozenset({len(self.statements)}).union(*known)
        if statement[0] == "assign":
            self.needs[statement[1]] = needed
            return
        for target in {*_targets(statement)} & {*self.kinds}:
            names = [target]
            if isinstance(values[target], list):
                names = [name for name in self.kinds if values[name] is values[target]]
                self.aliased |= len(names) > 1 and not blocks_of(statement)
            for name in names:
                self.needs[name] = self.needs[name] | needed

    def returned(self) -> tuple[Tree, frozenset[str | int]]:
        """Return an expression that depends on all arguments, and its dependencies."""
        wanted = {*VARIABLES[: len(self.arguments)]}
        order = sorted(self.kinds, key=lambda name: len(self.needs[name]))
        order = [name for name in order if self.needs[name] - wanted]
        best = self.one_of(order[-1:])
        needs = self.needs[best]
        if wanted <= needs and self.draws.integer(0, 3):
            return best, needs
        others = [name for name in order[:-1] if wanted <= needs | self.needs[name]]
        second = self.one_of(others[-1:])
        return ("tuple", best, second), needs | self.needs[second]


def _copied(values: Environment) -> Environment:
    """Return a copy in which two names of one list are still names of one list."""
    copies: dict[int, Any] = {}
    return {
        name: copies.setdefault(id(value), value.copy())
        if isinstance(value, list | dict)
        else value
        for name, value in values.items()
    }


def _targets(statement: Tree) -> Iterator[str]:
    """Yield the variables that a statement can change, without the variables of loops."""
    blocks = blocks_of(statement)
    if not blocks:
        yield statement[1]
    for block in blocks:
        for part in block[1:]:
            yield from _targets(part)
