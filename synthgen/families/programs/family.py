"""Programs to predict the output of: statements are drawn by type, and run while they are drawn.

An operation on a variable is drawn among those that lead from its type to the wanted one. A
statement whose run fails, or makes too large a value, is drawn again. The dependencies of every
variable are recorded, so that the value returned needs every argument and enough statements.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any, TypeVar

from synthgen.authoring import PlainFamily, Problem, RowDraws, Words, axis, levelled, params
from synthgen.authoring.distractors import chained
from synthgen.families.programs.language import (
    LETTERS,
    MAX_LINES,
    MAX_STATEMENTS,
    OPS,
    SEPARATORS,
    SYMBOLS,
    VARIABLES,
    Environment,
    Run,
    Tree,
    Unfit,
    Writer,
    blocks_of,
    evaluate,
    height,
    variables_of,
)

_WORDS = Words.beside(__file__)
_ARGUMENTS = ("str", "str", "str", "ints", "ints", "int", "int", "dict", "strs")
"""Types of arguments, repeated in proportion to their probability."""
_COMPUTED = ("int", "int", "str", "str", "ints", "ints", "strs")
_RETURNED = ("int", "str", "list", "dict", "tuple")
_CHANGES = {
    kind: [name for name, op in OPS.items() if (op.result, op.arguments[0]) == ("change", kind)]
    for kind in ("ints", "strs", "dict")
}
_ELEMENTS = {"str": "str", "ints": "int", "strs": "str"}
_INTEGERS = {"int": (1, 10), "digit": (2, 10), "few": (2, 4), "place": (-1, 3)}
"""Bounds of literals."""
_PROGRAMS, _TRIES = 16, 8
_LONGEST_OUTPUT, _OFFERED = 60, 10
_CHARACTERS = digits, ascii_lowercase, ascii_uppercase
T = TypeVar("T")


@cache
def _uses(kind: str, of: str, depth: int) -> list[tuple[str, int]]:
    """Return operations with results of a type, and the argument that can use a variable's type."""
    return [
        (name, place)
        for name, op in OPS.items()
        if op.result == kind
        for place, argument in enumerate(op.arguments)
        if argument == of or (depth > 1 and _uses(argument, of, depth - 1))
    ]


@dataclass
class _Draft:
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

    # expressions

    def literal(self, kind: str) -> Tree:
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
        return ("list", *(self.literal(_ELEMENTS[kind]) for _ in range(n)))

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
        name, place = self.one_of(_uses(kind, of, depth))
        kinds = OPS[name].arguments
        parts = [
            () if at == place else self.operand(part_kind, depth - 1)
            for at, part_kind in enumerate(kinds)
        ]
        deeper = depth > 1 and _uses(kinds[place], of, depth - 1)
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
            live = [name for name, of in self.kinds.items() if _uses(kind, of, 2)]
            unread = [name for name in live if name not in self.read]
            variable = self.one_of(unread if unread and self.draws.integer(0, 4) else live)
        return self.operation(kind, variable, depth if _uses(kind, self.kinds[variable], 1) else 2)

    def variable(self, kinds: Iterable[str], *avoid: Tree) -> str:
        """Draw a variable of one of some types."""
        live = self.kinds.items()
        return self.one_of([name for name, of in live if of in kinds and name not in avoid])

    def one_of(self, items: Sequence[T]) -> T:
        if not items:
            raise Unfit("choice")
        return self.draws.choice(items)

    def new(self, kind: str) -> str:
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

    def alias(self) -> Tree:  # a second name for a list
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

    def loop(self) -> Tree:
        """Draw a `for` over a variable or a range."""
        if self.draws.integer(0, 3):
            over: Tree = self.variable(_ELEMENTS)
            kind = _ELEMENTS[self.kinds[over]]
        else:
            limit = self.literal("few") if self.draws.integer(0, 2) else self.about("int")
            over, kind = ("range", limit), "int"
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
        name = self.new(self.draws.choice(_ARGUMENTS))
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
        run = Run(dict(self.values) if plain else _copied(self.values), self.names)
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
        self.line += height(statement)

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


@levelled("lines", 4, 6, 8, 10, 13, 16, 20, 25, 30, 40)
@dataclass(frozen=True)
class Programs(PlainFamily):
    """Short Python functions, and a call of each to evaluate.

    Attributes:
        min_statements, max_statements: Fewest and most statements at the top, without `return`.
        control: Control statements that may occur; none for straight-line programs.
        max_arguments: Largest number of arguments.
        min_depth: Fewest statements at the top that the returned value depends on.
    """

    min_statements: int = params.integer(3, 1, 12, up_to="max_statements")
    max_statements: int = params.integer(5, 1, 12)
    control: tuple[str, ...] = params.choices(
        ("if", "for", "while"), ("if", "for", "while"), fewest=0
    )
    max_arguments: int = params.integer(2, 1, 3)
    min_depth: int = params.integer(2, 1, 12, up_to="min_statements")

    version = 3
    verifier = "programs"
    same_up_to = "names of the variables"
    words = _WORDS
    symbols = SYMBOLS
    answer_type = "literal"
    own_axes = {
        "statements": axis("statements at the top", "min_statements", "max_statements"),
        "depth": axis("statements that the value depends on", "min_depth", "max_statements"),
        "lines": axis("lines of the trace", 1, MAX_LINES),
        "branches": axis("if statements", 0, 2 * MAX_STATEMENTS),
        "loops": axis("for and while statements", 0, MAX_STATEMENTS),
        "aliased": axis("whether a list with two names changes", 0, 1),
        "returns": axis("type of the value", values=_RETURNED),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw programs until one is fit."""
        n = draws.integer(self.min_statements, self.max_statements + 1)
        for _ in range(_PROGRAMS):
            names = draws.sample(_WORDS["names"], n + self.max_arguments)
            draft = _Draft(
                draws,
                self.control,
                dict(zip(VARIABLES, names, strict=False)),
                draws.sample(LETTERS, 6),
            )
            try:
                for _ in range(draws.integer(1, self.max_arguments + 1)):
                    draft.argument()
                for _ in range(n):
                    draft.add()
                return self._problem(draft)
            except Unfit:
                continue
        return None

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Change a part of the value."""
        numbers = [int(text) for text in re.findall("[0-9]+", str(problem.holes["code"]))]

        def change(text: str, draws: RowDraws) -> str:
            return repr(_mistaken(literal_eval(text), numbers, draws))

        made = chained(problem.answer, change, draws, _OFFERED)
        return [text for text in made if len(text) <= _LONGEST_OUTPUT]

    def _problem(self, draft: _Draft) -> Problem:
        returned, needs = draft.returned()
        value = evaluate(returned, draft.values)
        depth = sum(isinstance(need, int) for need in needs)
        given = [evaluate(literal, {}) for literal in draft.arguments]
        if depth < self.min_depth or value in given or len(repr(value)) > _LONGEST_OUTPUT:
            raise Unfit(value)
        draft.run(("return", returned))
        writer = Writer(draft.names, short=draft.draws.integer(0, 2) == 0)
        lines = [*writer.lines(draft.statements)]
        heads = [line.split(maxsplit=1)[0] for line in lines]
        arguments = ", ".join(draft.names[name] for name in VARIABLES[: len(given)])
        return Problem(
            tree=("program", ("arguments", *draft.arguments), ("block", *draft.statements)),
            answer=repr(value),
            holes={
                "code": "\n".join([f"def f({arguments}):", *lines]),
                "call": f"f({', '.join(map(writer.expression, draft.arguments))})",
            },
            axes={
                "statements": len(draft.statements) - 1,
                "depth": depth,
                "lines": len(draft.notes),
                "branches": heads.count("if"),
                "loops": heads.count("for") + heads.count("while"),
                "aliased": int(draft.aliased),
                "returns": type(value).__name__,
            },
            steps=draft.notes,
        )


def _mistaken(value: Any, numbers: Sequence[int], draws: RowDraws) -> Any:
    """Return a value with one mistake: in a number, or in what a text or list holds and where."""
    if isinstance(value, int):
        sign = -1 if value < 0 else 1
        if numbers and draws.integer(0, 2):
            return sign * draws.choice(numbers)
        return sign * abs(value + draws.choice((-2, -1, 1, 2)))
    if not value:
        return value
    if isinstance(value, dict):
        changed = draws.choice([*value])
        return {
            key: _mistaken(at, numbers, draws) if key == changed else at
            for key, at in value.items()
        }
    items, at = [*value], draws.integer(0, len(value))
    turn = draws.integer(0, 4)
    if isinstance(value, str) and (len(items) == 1 or turn == 0):
        kind = next((kind for kind in _CHARACTERS if items[at] in kind), items[at])
        items[at] = draws.choice(kind)
    elif isinstance(value, tuple) or turn == 0:
        items[at] = _mistaken(items[at], numbers, draws)
    elif turn == 1 and len(items) > 1:
        del items[at]
    elif turn == 2 and len(items) > 1:
        items.insert(at, draws.choice(items))
    else:
        other = draws.integer(0, len(items))
        items[at], items[other] = items[other], items[at]
    return "".join(items) if isinstance(value, str) else type(value)(items)


GENERATORS: Mapping[str, type[Programs]] = {"programs": Programs}
