"""Programs of truth values with chains and distractors, and LEGO chains of signed variables."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from keyword import iskeyword
from string import ascii_lowercase

from synthgen.authoring import (
    ParamError,
    PlainFamily,
    Problem,
    RowDraws,
    Tree,
    Words,
    axis,
    filled,
    levelled,
    params,
)

_WORDS = Words.beside(__file__)
_PAIRS = [pair for pair in map("".join, product(ascii_lowercase, repeat=2)) if not iskeyword(pair)]
_NAMES = dict.fromkeys([*ascii_lowercase, *_PAIRS], 0)
_EXPRESSIONS = _WORDS["expressions"]
_MAX = 400
_ORDERS = ("chain", "reversed", "shuffled")
_CONSTANTS, _UNARY, _BINARY = ("True", "False"), ("copy", "not"), ("and", "or", "xor")
_MEANINGS: Mapping[str, Callable[..., bool]] = {
    "True": lambda: True,
    "False": lambda: False,
    "copy": bool,
    "not": operator.not_,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}


def _names(draws: RowDraws, count: int, most_names: int) -> list[str]:
    """Draw different names: letters, or pairs of letters if letters are too few."""
    return draws.sample(ascii_lowercase if most_names <= len(ascii_lowercase) else _PAIRS, count)


@dataclass(slots=True, eq=False)
class _Statement:
    """An assignment of a constant, or of an operation on the values of earlier statements.

    Attributes:
        place: Number of the statement.
        name: Name of the variable.
        depth: Statements of the longest chain that ends here.
        needed: Bits of the places of the statements on which it depends, and its own bit.
    """

    place: int
    operation: str
    operands: Sequence[_Statement] = ()
    name: str = ""
    value: bool = field(init=False)
    depth: int = field(init=False)
    needed: int = field(init=False)

    def __post_init__(self) -> None:
        self.value = _MEANINGS[self.operation](*[operand.value for operand in self.operands])
        self.depth, self.needed = 1, 1 << self.place
        for operand in self.operands:
            self.depth = max(self.depth, operand.depth + 1)
            self.needed |= operand.needed

    @property
    def tree(self) -> Tree:
        """The statement as a part of a derivation."""
        return ("let", self.name, (self.operation, *[operand.name for operand in self.operands]))

    @property
    def names(self) -> str:
        """The right side."""
        return _right(self.operation, *[operand.name for operand in self.operands])

    @property
    def steps(self) -> str:
        """Variable, right side, right side with values, and value; equal parts are written once."""
        values = _right(self.operation, *[operand.value for operand in self.operands])
        return " = ".join(dict.fromkeys([self.name, self.names, values, str(self.value)]))


def _right(operation: str, a: object = None, b: object = None) -> str:
    return filled(_EXPRESSIONS[operation], {"a": a, "b": b})


@levelled("length", 2, 3, 4, 6, 8, 12, 16, 24, 40, 80)
@dataclass(frozen=True)
class VariableAssignment(PlainFamily):
    """The value of a variable after a program of assignments of truth values.

    Attributes:
        min_length, max_length: Statements of the program, 1 to 400.
        min_distractors, max_distractors: Statements on which the answer does not depend.
        structure: "chain": every statement that matters uses the one before it that matters, and
            distractors are anywhere; or "random": statements use any earlier ones, and the last
            statement gives the answer.
        operations: Operations of the expressions: "copy", "not", "and", "or", "xor" (written !=).
        overwrites: Whether half of the variables whose values are not needed again are reused.
        trace: Statements of a solution: "all", or only those "needed".
    """

    min_length: int = params.integer(2, 1, _MAX, up_to="max_length")
    max_length: int = params.integer(10, 1, _MAX)
    min_distractors: int = params.integer(1, 0, _MAX, up_to="max_distractors")
    max_distractors: int = params.integer(6, 0, _MAX)
    structure: str = params.choice("chain", ("chain", "random"))
    operations: tuple[str, ...] = params.choices(("copy", "not"), (*_UNARY, *_BINARY))
    overwrites: bool = params.flag(False)
    trace: str = params.choice("all", ("all", "needed"))

    version = 2
    verifier = "variable_assignment"
    words = _WORDS.part("assignment")
    answer_type = "label"
    symbols = {
        "program": (2, _MAX + 1),
        "let": 2,
        **dict.fromkeys(_UNARY, 1),
        **dict.fromkeys(_BINARY, 2),
        **dict.fromkeys(_CONSTANTS, 0),
        **_NAMES,
    }
    own_axes = {
        "length": axis("statements of the program", "min_length", "max_length"),
        "chain": axis("statements of the longest chain to the answer", 1, "max_length"),
        "distractors": axis(
            "statements on which the answer does not depend", "min_distractors", "max_distractors"
        ),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min_distractors >= self.min_length:
            wanted = f"less than min_length={self.min_length}"
            raise ParamError("min_distractors", self.min_distractors, wanted)
        if not {*self.operations} & {*_UNARY}:
            raise ParamError("operations", self.operations, "a list with copy or not")

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw a program, then the names of its variables."""
        length = draws.integer(self.min_length, self.max_length + 1)
        others = length
        if self.structure == "chain":
            most = min(self.max_distractors, length - 1)
            others = draws.integer(self.min_distractors, most + 1)
        chosen = {*draws.shuffled(range(length))[others:]}
        program: list[_Statement] = []
        chain: list[_Statement] = []
        for place in range(length):
            if place in chosen:
                chain.append(self._statement(draws, place, chain, chained=bool(chain)))
                program.append(chain[-1])
            else:
                program.append(self._statement(draws, place, program))
        query = (chain or program)[-1]
        distractors = length - query.needed.bit_count()
        if not self.min_distractors <= distractors <= self.max_distractors:
            return None
        self._name(draws, program, query)
        lines = [f"{statement.name} = {statement.names}" for statement in program]
        return Problem(
            tree=("program", query.name, *(statement.tree for statement in program)),
            answer=str(query.value),
            holes={"lines": "\n".join(lines), "statements": "; ".join(lines), "query": query.name},
            axes={"length": length, "chain": query.depth, "distractors": distractors},
            data=[s for s in program if self.trace == "all" or query.needed >> s.place & 1],
        )

    def _statement(
        self, draws: RowDraws, place: int, known: Sequence[_Statement], *, chained: bool = False
    ) -> _Statement:
        """Draw a statement that uses known ones: the last one if it is `chained`."""
        operations = [name for name in self.operations if len(known) > (name in _BINARY)]
        if not chained:
            operations += _CONSTANTS
        operation = draws.choice(operations)
        if operation in _CONSTANTS:
            return _Statement(place, operation)
        first = known[-1] if chained else draws.choice(known)
        if operation in _UNARY:
            return _Statement(place, operation, (first,))
        second = draws.choice([statement for statement in known if statement is not first])
        return _Statement(place, operation, draws.shuffled((first, second)))

    def _name(self, draws: RowDraws, program: Sequence[_Statement], query: _Statement) -> None:
        """Name the variables; a value that is not needed again may be overwritten."""
        last_use = {used: place for place, user in enumerate(program) for used in user.operands}
        last_use[query] = len(program)
        unused = iter(_names(draws, len(program), self.max_length))
        held: dict[str, _Statement] = {}
        for place, statement in enumerate(program):
            used = statement.operands if statement.operation == "copy" else ()
            free = [
                name
                for name, value in (held.items() if self.overwrites and draws.integer(0, 2) else ())
                if last_use.get(value, 0) <= place and value not in used
            ]
            statement.name = draws.choice(free) if free else next(unused)
            held[statement.name] = statement

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the statements with their values."""
        return [statement.steps for statement in problem.data]


@levelled("depth", 2, 3, 4, 6, 8, 12, 16, 24, 40, 80)
@dataclass(frozen=True)
class Lego(PlainFamily):
    """The value, +1 or -1, of a variable in a chain of equations.

    Attributes:
        min_length, max_length: Equations of the chain, 1 to 400.
        asked: Variable in question: "later" (in the second half of those before the last, so that
            some equations do not matter), "any" or "last".
        orders: Orders in which the equations are listed: along the "chain", "reversed", "shuffled";
            one of these is drawn.
    """

    min_length: int = params.integer(2, 1, _MAX, up_to="max_length")
    max_length: int = params.integer(8, 1, _MAX)
    asked: str = params.choice("later", ("later", "any", "last"))
    orders: tuple[str, ...] = params.choices(("chain",), _ORDERS)

    version = 2
    verifier = "lego"
    same_up_to = "the order of the clauses"
    words = _WORDS.part("lego")
    symbols = {"lego": (2, _MAX + 1), "plus": 1, "minus": 1, **_NAMES}
    own_axes = {
        "length": axis("equations", "min_length", "max_length"),
        "depth": axis("equations that lead to the answer", 1, "max_length"),
        "order": axis("order of the equations", values=_ORDERS, canonical=False),
    }

    def make(self, draws: RowDraws) -> Problem:
        """Draw values, from which the signs between neighbours follow, and a question."""
        length = draws.integer(self.min_length, self.max_length + 1)
        order = draws.choice(self.orders)
        values = [draws.choice((1, -1)) for _ in range(length)]
        names = _names(draws, length, self.max_length)
        last = length - 1
        low, high = {
            "later": (last // 2, max(last, 1)),
            "any": (0, length),
            "last": (last, length),
        }[self.asked]
        asked = draws.integer(low, high)
        signs = ["+" if a == b else "-" for a, b in pairwise([1, *values])]
        rights = [sign + source for sign, source in zip(signs, ["1", *names], strict=False)]
        clauses = [" = ".join(pair) for pair in zip(names, rights, strict=True)]
        listed = {"chain": clauses, "reversed": clauses[::-1], "shuffled": draws.shuffled(clauses)}
        symbols = ["plus" if sign == "+" else "minus" for sign in signs]
        return Problem(
            tree=("lego", names[asked], *zip(symbols, names, strict=True)),
            answer=f"{values[asked]:+}",
            holes={"clauses": ", ".join(listed[order]), "query": names[asked]},
            axes={"length": length, "depth": asked + 1, "order": order},
            data=list(zip(clauses, signs, values, strict=True))[: asked + 1],
        )

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the equations along the chain, each with its value substituted and its result."""
        lines = []
        before = 0
        for clause, sign, value in problem.data:
            lines.append(f"{clause} = {sign}({before:+}) = {value:+}" if before else clause)
            before = value
        return lines


GENERATORS = {"lego": Lego, "variable_assignment": VariableAssignment}
