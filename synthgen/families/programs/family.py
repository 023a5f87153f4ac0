"""Programs whose output is asked: statements are drawn by type, and run while they are drawn.

A statement whose run fails, or makes too large a value, is drawn again. What every variable depends
on is followed, so that the value returned needs every argument and enough statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from synthgen.authoring import PlainFamily, Problem, RowDraws, Words, axis, levelled, params
from synthgen.families.programs.language import (
    LETTERS,
    MOST_LINES,
    MOST_STATEMENTS,
    OPS,
    SEPARATORS,
    STATEMENTS,
    SYMBOLS,
    Environment,
    Run,
    Tree,
    Unfit,
    Writer,
    evaluate,
    variables_of,
)

_WORDS = Words.beside(__file__)
_TYPES = ("int", "str", "ints", "strs", "dict")
_ARGUMENTS = ("str", "str", "str", "ints", "ints", "int", "int", "dict", "strs")
"""Types of arguments, as often as they are drawn."""
_COMPUTED = ("int", "int", "str", "str", "ints", "ints", "strs")
_RETURNED = ("int", "str", "list", "dict", "tuple")
_BY_RESULT = {kind: [n for n, op in OPS.items() if op.result == kind] for kind in (*_TYPES, "bool")}
_CHANGES = {
    kind: [name for name, change in STATEMENTS.items() if change[0] == kind] for kind in _TYPES
}
_ELEMENTS = {"str": "str", "ints": "int", "strs": "str"}
_PROGRAMS, _TRIES = 16, 8
_LONGEST_OUTPUT = 60


@dataclass
class _Draft:
    """A program that is being drawn.

    Attributes:
        draws: of the row.
        control: control statements that may occur.
        kinds: type of each variable that has a value.
        values: value of each variable after the statements so far.
        needs: arguments and numbers of statements that each variable depends on.
        statements: the statements so far.
        aliased: whether a list changed that had two names.
    """

    draws: RowDraws
    control: tuple[str, ...]
    kinds: dict[str, str] = field(default_factory=dict)
    values: Environment = field(default_factory=dict)
    needs: dict[str, frozenset[str | int]] = field(default_factory=dict)
    arguments: list[Tree] = field(default_factory=list)
    statements: list[Tree] = field(default_factory=list)
    letters: str = LETTERS
    aliased: bool = False
    made: int = 0

    # expressions

    def literal(self, kind: str) -> Tree:
        """Draw a literal."""
        draw = self.draws.integer
        if kind in ("int", "digit"):
            return draw(1 + (kind == "digit"), 10)
        if kind == "few":
            return draw(2, 4)
        if kind == "place":
            return draw(-1, 3)
        if kind == "letter":
            return ("str", f"'{self.draws.choice(self.letters)}")
        if kind == "separator":
            return ("str", f"'{self.draws.choice(SEPARATORS)}")
        if kind == "str":
            return ("str", *(f"'{self.draws.choice(self.letters)}" for _ in range(draw(2, 5))))
        if kind == "dict":
            keys = self.draws.shuffled(self.letters)[: draw(2, 4)]
            return ("dict", *(("entry", ("str", f"'{key}"), draw(1, 10)) for key in keys))
        return ("list", *(self.literal(_ELEMENTS[kind]) for _ in range(draw(2, 5))))

    def expression(self, kind: str, depth: int) -> Tree:
        """Draw an expression of a type."""
        if kind not in self.kinds.values() and (depth == 0 or kind not in _BY_RESULT):
            return self.literal(kind)
        live = [name for name, found in self.kinds.items() if found == kind]
        if live and (depth == 0 or not _BY_RESULT[kind] or self.draws.integer(0, 3) == 0):
            return self.draws.choice(live)
        if not _BY_RESULT[kind]:
            raise Unfit(kind)
        name = self.draws.choice(_BY_RESULT[kind])
        arguments = [self.expression(one, depth - 1) for one in OPS[name].arguments]
        if kind != "bool" and not any(map(_has_variable, arguments)):
            return self.literal(kind)
        if len(arguments) == 2 and arguments[0] == arguments[1]:
            raise Unfit(name)
        return (name, *arguments)

    def about(self, kind: str, variable: str = "") -> Tree:
        """Draw an operation of a type on a variable, or on any."""
        for _ in range(_TRIES):
            try:
                tree = self.expression(kind, self.draws.integer(1, 3))
            except Unfit:
                continue
            found = {*variables_of(tree)}
            if isinstance(tree, tuple) and (variable in found if variable else found):
                return tree
        raise Unfit(kind)

    def of_type(self, kinds: Iterable[str]) -> str:
        """Draw a variable of one of some types."""
        live = [name for name, kind in self.kinds.items() if kind in kinds]
        if not live:
            raise Unfit(kinds)
        return self.draws.choice(live)

    # statements

    def assignment(self) -> Tree:
        """Draw an assignment to a new variable, or to one of the same type."""
        kind = self.draws.choice(_COMPUTED)
        value = self.about(kind)
        live = [name for name, found in self.kinds.items() if found == kind]
        old = live and self.draws.integer(0, 3) == 0
        return ("assign", self.draws.choice(live) if old else self.new(kind), value)

    def new(self, kind: str) -> str:
        """Return a new variable."""
        name = f"v{self.made}"
        self.made += 1
        self.kinds[name] = kind
        return name

    def change(self) -> Tree:
        """Draw a change of a list or dictionary."""
        variable = self.of_type(("ints", "strs", "dict"))
        name = self.draws.choice(_CHANGES[self.kinds[variable]])
        return (name, variable, *(self.expression(one, 1) for one in STATEMENTS[name][2]))

    def alias(self) -> Tree:
        """Draw a second name for a list."""
        variable = self.of_type(("ints", "strs"))
        return ("assign", self.new(self.kinds[variable]), variable)

    def update(self, avoid: str = "", use: str = "") -> Tree:
        """Draw an assignment to a variable that has a value, or a change of a list."""
        if self.draws.integer(0, 4) == 0:
            return self.change()
        target = self.of_type(("int", "str", "ints"))
        if target in (avoid, use):
            raise Unfit(target)
        value = self.about(self.kinds[target], use if self.draws.integer(0, 2) else target)
        return ("assign", target, value)

    def branch(self, use: str = "") -> Tree:
        """Draw an `if`, with or without `else`."""
        condition = self.about("bool", use)
        blocks = [("block", self.update(use)) for _ in range(self.draws.integer(1, 3))]
        return ("if", condition, *blocks)

    def loop(self) -> Tree:
        """Draw a `for` over a variable or a range."""
        if self.draws.integer(0, 3):
            over: Tree = self.of_type(_ELEMENTS)
            kind = _ELEMENTS[self.kinds[str(over)]]
        else:
            limit = self.literal("few") if self.draws.integer(0, 2) else self.about("int")
            over, kind = ("range", limit), "int"
        variable = self.new(kind)
        inner = [self.update(str(over), variable)]
        if self.draws.integer(0, 2):
            nested = "if" in self.control and self.draws.integer(0, 2)
            inner.append(self.branch(variable) if nested else self.update(variable))
        if variable not in variables_of(("block", *inner)):
            raise Unfit(variable)
        del self.kinds[variable]  # it may have no value afterwards
        return ("for", variable, over, ("block", *self.draws.shuffled(inner)))

    def counting(self) -> Tree:
        """Draw a `while` that makes a number smaller."""
        variable = self.of_type(("int",))
        least = self.draws.integer(0, 5)
        if not least < self.values[variable] < 200:
            raise Unfit(variable)
        sign = "sub" if self.values[variable] < 30 else "div"
        smaller = ("assign", variable, (sign, variable, self.draws.integer(2, 6)))
        inner = self.draws.shuffled([smaller, self.update(variable)])
        return ("while", ("more", variable, least), ("block", *inner))

    def add(self) -> None:
        """Draw the next statement, and run it.

        Raises:
            Unfit: if no attempt gives one.
        """
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
                statement = draw()
                values = _copied(self.values)
                Run(values).statement(statement, 0)
                self.note(statement, values)
            except Unfit:
                self.kinds, self.made = kinds, made
                continue
            return
        raise Unfit("statement")

    def note(self, statement: Tree, values: Environment) -> None:
        """Add a statement with the values after it, and what its variables depend on.

        Raises:
            Unfit: if it changes nothing, or makes something empty.
        """
        number = len(self.statements)
        if statement[0] == "assign" and isinstance(statement[2], tuple):
            value = values[statement[1]]
            known = [self.values[name] for name in variables_of(statement[2])]
            if value in known or value in ("", []):
                raise Unfit(value)
        self.statements.append(statement)
        straight = statement[0] not in ("if", "for", "while")
        targets = {*_targets(statement)} & {*self.kinds}
        read = statement[2:] if straight and statement[0] == "assign" else statement[1:]
        used = {name for name in variables_of(("block", *read)) if name in self.needs}
        needed = frozenset({number}).union(*(self.needs[name] for name in used))
        for target in targets:
            same = [name for name in self.kinds if values[name] is values[target]]
            changed = self.values.get(target) is not values[target] or statement[0] in STATEMENTS
            shared = isinstance(values[target], list) and len(same) > 1
            self.aliased |= shared and statement[0] in STATEMENTS
            for name in same if shared and changed and statement[0] != "assign" else [target]:
                kept = frozenset() if straight else self.needs.get(name, frozenset())
                self.needs[name] = needed | kept
        self.values = values

    def returned(self) -> tuple[Tree, frozenset[str | int]]:
        """Return the expression to return, which depends on all arguments, and on what it depends.

        Raises:
            Unfit: if no two variables depend on all of them.
        """
        wanted = {f"v{place}" for place in range(len(self.arguments))}
        order = sorted(self.kinds, key=lambda name: len(self.needs[name]))
        order = [name for name in order if self.needs[name] - wanted]
        if not order:
            raise Unfit("return")
        best = order.pop()
        found = self.needs[best]
        if wanted <= found and self.draws.integer(0, 3):
            return best, found
        if not order:
            raise Unfit(best)
        second = max(order, key=lambda name: (len((self.needs[name] & wanted) - found), name))
        if not wanted <= found | self.needs[second]:
            raise Unfit(second)
        return ("tuple", best, second), found | self.needs[second]


def _has_variable(tree: Tree) -> bool:
    return next(variables_of(tree), None) is not None


def _copied(values: Environment) -> Environment:
    """Return a copy in which two names of one list are still names of one list."""
    copies: dict[int, Any] = {}
    return {
        name: copies.setdefault(id(value), value.copy())
        if isinstance(value, list | dict)
        else value
        for name, value in values.items()
    }


def _targets(statement: Tree) -> Iterable[str]:
    """Yield the variables that a statement can give another value, without those of loops."""
    head, *parts = statement
    if head in ("if", "for", "while", "block"):
        for part in parts:
            if isinstance(part, tuple) and (part[0] == "block" or head == "block"):
                yield from _targets(part)
    elif head != "return":
        yield parts[0]


def _count(tree: Tree, heads: Iterable[str]) -> int:
    """Return how many nodes of a tree have one of some symbols."""
    if not isinstance(tree, tuple):
        return 0
    return (tree[0] in heads) + sum(_count(part, heads) for part in tree[1:])


@levelled("lines", 4, 6, 8, 10, 13, 16, 20, 25, 30, 40)
@dataclass(frozen=True)
class Programs(PlainFamily):
    """Short Python functions, with a call whose value is asked.

    Attributes:
        min_statements, max_statements: fewest and most statements at the top, without `return`.
        control: control statements that may occur; none for straight-line programs.
        max_arguments: most arguments.
        min_depth: fewest statements at the top that the returned value depends on.
    """

    min_statements: int = params.integer(3, 1, 12, up_to="max_statements")
    max_statements: int = params.integer(5, 1, 12)
    control: tuple[str, ...] = params.choices(
        ("if", "for", "while"), ("if", "for", "while"), fewest=0
    )
    max_arguments: int = params.integer(2, 1, 3)
    min_depth: int = params.integer(2, 1, 12, up_to="min_statements")

    version = 2
    verifier = "programs"
    words = _WORDS
    symbols = SYMBOLS
    answer_type = "literal"
    own_axes = {
        "statements": axis("statements at the top", "min_statements", "max_statements"),
        "depth": axis("statements that the value depends on", "min_depth", "max_statements"),
        "lines": axis("lines of the trace", 1, MOST_LINES),
        "branches": axis("if statements", 0, 2 * MOST_STATEMENTS),
        "loops": axis("for and while statements", 0, MOST_STATEMENTS),
        "aliased": axis("whether a list with two names changes", 0, 1),
        "returns": axis("type of the value", values=_RETURNED),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw programs until one is fit."""
        n = draws.integer(self.min_statements, self.max_statements + 1)
        for _ in range(_PROGRAMS):
            draft = _Draft(draws, self.control, letters="".join(draws.shuffled(LETTERS)[:6]))
            try:
                for _ in range(draws.integer(1, self.max_arguments + 1)):
                    name = draft.new(draws.choice(_ARGUMENTS))
                    draft.arguments.append(draft.literal(draft.kinds[name]))
                    draft.values[name] = evaluate(draft.arguments[-1], {})
                    draft.needs[name] = frozenset({name})
                while len(draft.statements) < n:
                    draft.add()
                problem = self._problem(draft)
            except Unfit:
                continue
            if problem is not None:
                return problem
        return None

    def _problem(self, draft: _Draft) -> Problem | None:
        returned, needs = draft.returned()
        value = evaluate(returned, draft.values)
        depth = sum(isinstance(one, int) for one in needs)
        given = [evaluate(literal, {}) for literal in draft.arguments]
        if depth < self.min_depth or value in given or len(repr(value)) > _LONGEST_OUTPUT:
            return None
        body = ("block", *draft.statements, ("return", returned))
        pool = draft.draws.shuffled(_WORDS["names"])
        names = {f"v{place}": name for place, name in zip(range(draft.made), pool, strict=False)}
        start = dict(zip(names, given, strict=False))
        run = Run(start, names)
        run.block(body[1:], 2)
        writer = Writer(names, short=draft.draws.integer(0, 2) == 0)
        arguments = ", ".join(names[f"v{place}"] for place in range(len(given)))
        return Problem(
            tree=("program", ("arguments", *draft.arguments), body),
            answer=repr(value),
            holes={
                "code": "\n".join([f"def f({arguments}):", *writer.lines(body)]),
                "call": f"f({', '.join(map(writer.expression, draft.arguments))})",
            },
            axes={
                "statements": len(draft.statements),
                "depth": depth,
                "lines": len(run.notes),
                "branches": _count(body, ("if",)),
                "loops": _count(body, ("for", "while")),
                "aliased": int(draft.aliased),
                "returns": type(value).__name__,
            },
            steps=run.notes,
        )


GENERATORS: Mapping[str, type[Programs]] = {"programs": Programs}
